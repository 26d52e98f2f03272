"""Code that only removes what a build makes again: such calls are taken out before it is judged."""

import re

from holdpoint.core.risk.shell.paths import is_made_again

_AFTER = r"\s*(?:,\s*(?:\{[^{}'\"()]*\}|\w+\s*[=:]\s*\w+|\w+))?\s*"
_removal = re.compile(
    r"(?:\bshutil\s*\.\s*|\bos\s*\.\s*|\bfs\s*\.\s*(?:promises\s*\.\s*)?|\bFileUtils\s*\.\s*"
    r"|\bFile::Path::|\brequire\s*\(\s*['\"](?:node:)?fs(?:-extra|/promises)?['\"]\s*\)\s*\.\s*"
    r"|(?<![\w.]))"
    r"(?:rmtree|rmSync|rm|rm_rf?|remove_tree|unlinkSync|unlink|remove|removeSync|rmdirSync"
    r"|emptyDirSync|rimraf(?:Sync|\.sync)?|remove_dir_all|remove_entry(?:_secure)?)"
    rf"(?:\s*\(\s*(?P<quote>['\"])(?P<path>[^'\"\n]*)(?P=quote){_AFTER}\)"
    r"|\s+(?P<mark>['\"])(?P<bare>[^'\"\n]*)(?P=mark)\s*(?=[;}\n]|$))"
)


def without_own_builds(code: str) -> str:
    """The code without calls that remove one such place; nobody may go to another folder before."""
    if "chdir" in code or "cd(" in code:
        return code
    return _removal.sub(_left, code)


def _left(call: re.Match[str]) -> str:
    return " " if is_made_again(call["path"] or call["bare"] or "") else call[0]
