"""Code that leaves nothing of a file: opened for writing and nothing written, or put nowhere."""

import re2

from holdpoint.core.risk.shell.effects import HIGH
from holdpoint.core.risk.shell.emptied import KEPT
from holdpoint.core.risk.shell.model import Danger
from holdpoint.core.risk.shell.paths import STORES, Place, place_of

EMPTIED = Danger("shell.code-empties", HIGH, "empties files through an interpreter", "truncate")

_options = re2.Options()
_options.log_errors = False
_ANY = r"(?:[^()]|\([^()]*\))*"
"""What stands in brackets, with brackets in it."""

_NONE = r"b?(?:''|\"\"|``|null|None|Buffer\.alloc\(0\))"
_FOR_WRITING = r"(?:mode\s*[=:]\s*)?['\"][wW]b?\+?b?['\"]"
_may_empty = re2.compile(
    r"/dev/null|\bf?open\w*\s*\(?|\bwrite|put_contents|\btruncate|\bnewWriter|\bFile\b", _options
)
_put_nowhere = re2.compile(
    rf"\b(?:os|shutil|File|FileUtils|Files)\s*\.\s*(?:replace|move\w*|mv)"
    rf"\s*\(?{_ANY},\s*['\"]/dev/null['\"]|\brename(?:Sync)?\s*\(?{_ANY},\s*['\"]/dev/null['\"]"
    r"|\.\s*(?:rename|replace)\(\s*(?:\w+\(\s*)?['\"]/dev/null['\"]\s*\)",
    _options,
)
_left_empty = re2.compile(
    rf"\.\s*write_?(?:text|bytes)\(\s*(?:data\s*=\s*)?{_NONE}\s*[,)]"
    rf"|\b(?:(?:writeFile|outputFile)(?:Sync)?|file_put_contents|(?:File|IO)\.(?:bin)?write)\s*\(?"
    rf"{_ANY},\s*{_NONE}\s*[,);]|\btruncate\w*\s*\(\s*(?:\w+\s*,\s*)?0?\s*\)"
    rf"|\bopen(?:Sync)?\s*\({_ANY},\s*{_FOR_WRITING}{_ANY}\)\s*(?:\.\s*close\b|\{{\s*(?:\|\w*\|)?\s*\}}"
    r"|(?:as\s+\w+\s*)?:\s*(?:pass\b|\.\.\.|None\b))",
    _options,
)
_opened = re2.compile(
    rf"\bf?open(?:Sync)?\b\s*\(?{_ANY},\s*(?:{_FOR_WRITING}|['\"]\+?>['\"])"
    r"|\bopen\s*\(?\s*\w+\s*,\s*['\"]\+?>\s*[^>'\"&]",
    _options,
)
_nothing_said = re2.compile(rf"\bwrite\w*\s*\(\s*(?:\w+\s*,\s*)?{_NONE}\s*\)", _options)
_says = re2.compile(
    r"write|print|dump|save|copy|send|puts|printf|<<|to_\w+|say\b|Writer|append|fput|join\(",
    _options,
)
_finds = re2.compile(
    r"\b(?:listdir|scandir|iterdir|r?glob\w*|walk|readdir\w*|children|entries|each_child|find)\b"
    r"|\bDir\s*\[|<[^<>]*\*[^<>]*>",
    _options,
)
"""Where code asks which files there are."""


def empties(code: str, strings: list[str]) -> bool:
    """Whether it leaves nothing of files that are data, or of whatever it finds."""
    if not _may_empty.search(code):
        return False
    if _put_nowhere.search(code):
        return True
    said = str(_nothing_said.sub(" ", code))
    blank = _left_empty.search(code) or (_opened.search(said) and not _says.search(said))
    if not blank:
        return False
    files = [one for one in strings if _is_file(one)]
    named = [one for one in strings if one[:1] == "/" and " " not in one]
    return any(map(_is_data, (*files, *named))) or (_finds.search(code) is not None and not files)


def _is_file(word: str) -> bool:
    """Whether it names one file, as far as its form tells."""
    last = word.rpartition("/")[2]
    return "." in last.strip(".*") and " " not in word and last[-1:].isalnum() and "(" not in word


def _is_data(path: str) -> bool:
    """Whether nobody makes it again: a database, a table, a file of a service."""
    place = place_of(path)
    if place in _SCRATCH or path.startswith(_VOLATILE):
        return False
    return path.endswith((*KEPT, *STORES)) or (place in _GRAVE and not path.endswith(_MARKS))


_SCRATCH = frozenset({Place.SCRATCH, Place.SCRATCH_ALL, Place.BUILD})
_GRAVE = frozenset({Place.SYSTEM, Place.PRIVATE, Place.DEVICE})
_VOLATILE = ("/run/", "/var/run/", "/proc/", "/sys/", "/dev/null", "/dev/std", "/dev/tty")
_MARKS = (".lock", ".pid", ".log", ".py", ".keep", ".gitkeep", ".flag", ".done", ".ready", ".ok")
"""Files that are empty, or that are emptied, by trade."""
