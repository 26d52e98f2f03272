"""How everyday commands are written, so that no family has anything to say of them.

A form lists the orders of a program and its options that mean no harm whatever stands beside them,
and says what words may follow, in any order: none holds a blank or anything to expand. Whatever a
form does not list does not fit it, and the command is read the long way. A test compares both over
every word that the engine knows.
"""

import re

from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.http.instructions import SAID
from holdpoint.core.risk.shell.judge import KNOWN
from holdpoint.core.risk.shell.secrets import HINTS
from holdpoint.core.risk.shell.verbs import ENDS_NOUNS

is_grave = glance(
    rf"{HINTS}|(?i:{'|'.join(sorted(SAID))}|unload|zap|zero|rollback|database|foreach|bisect|::"
    r"|authorized_keys|public|allusers|allauth|authenticated-read|group=all|principal|protection"
    r"|retention|suspended|finalizers|privileged|admin|roles/|poweruser|scale|replicas|0\.0/0)"
)
"""Whether a word holds a part by which some family tells what is grave: of secrets, of addresses
that order something, of frameworks, of powers. Then a form proves nothing."""

_READS = "(?P<reads>)"
"""What a form begins with whose program changes nothing."""

_bare = r"[\w./:,=@*?][\w./:,=@*?%+-]*+"
_WORD = rf"{_bare}|'{_bare}'|\"{_bare}\""
"""Any word that is no option."""

_small = r"[a-z0-9_./:,=@*?][a-z0-9_./:,=@*?%+-]*+"
_THING = (
    rf"(?!['\"]?(?:{'|'.join(sorted(ENDS_NOUNS))})(?![a-z]))"
    rf"(?:{_small}|'{_small}'|\"{_small}\")"
)
"""The same in small letters, and no verb that takes something away."""

_FILE = r"(?:\./|/tmp/)?\w[\w*-]*+(?:[./][\w*-]++)*/?"
"""A file here or among the temporary ones, in no hidden place and in no folder above."""

_dotted = "|".join(re.escape(name) for name in sorted(KNOWN) if re.search("[./]", name))
_NAMED = rf"(?=/tmp/|(?:\./)?(?!(?:{_dotted})(?![\w*./-]))\w[\w*-]*+[./]){_FILE}"
"""The same, and not the name of a program."""

_SIGNED = r"[+-]\d++[a-zA-Z]?"
"""A number with a sign, which is no option."""

_PATHS = r"--(?=[ \t]+[\w*-]*+[./])"
"""What parts options from paths: a bare name behind it might be a program's."""

_END = r"(?:[ \t]++|\Z)"
_SAYS = r"(?:-a?m|--message)[ \t]++(?:'[^'\n]*+'|\"[^\"$`\\\n]*+\")"
_LINES = rf"(?:'\d++(?:,(?:\d++|\$))?p'|\"?\d++(?:,\d++)?p\"?)(?:[ \t]++{_bare})?"
_address = r"https?://[\w.-]++(?::\d++)?(?:/[\w./-]*+)?(?:\?[a-z-]{1,20}+=[\w.-]{0,15}+)?"
_URL = rf"{_address}|'{_address}'|\"{_address}\""
_PYTHON = r"[\w./=,@*][\w./=,@*%+-]*+"


def _form(head: str, letters: str, options: str, *words: str) -> re.Pattern[str]:
    """The arguments of a program: how they begin, then its options and words."""
    ways = [*words]
    if letters:
        ways.append(f"-[{letters}]++")
    if options:
        values = "|".join(words) or "(?!)"
        ways.append(f"--(?:{options.replace(' ', '|')})(?:=(?:{values}))?")
    return re.compile(rf"{head}(?:(?:{'|'.join(ways) or '(?!)'}){_END})*", re.ASCII)


def _orders(asks: str, does: str = "") -> str:
    """How arguments begin with one of a program's orders: those that only ask, and others."""
    named = "|".join((f"(?P<reads>{asks.replace(' ', '|') or '(?!)'})", *does.split()))
    return rf"(?:{named}){_END}"


FILTERS = {
    "cat": _form(_READS, "nAbeEsTuv", "number show-all", _WORD),
    "head": _form(_READS, "nqvc0-9", "lines bytes quiet", _WORD, _SIGNED),
    "tail": _form(_READS, "nfFqvc0-9", "lines bytes follow quiet", _WORD, _SIGNED),
    "less": _form("", "NSRFX", "", _WORD),
    "nl": _form(_READS, "ba", "", _WORD),
    "sort": _form("", "bdfghinrRuVMczkt0-9,", "numeric-sort reverse unique key", _WORD),
    "sed": _form("", "nErs", "quiet", _LINES),
}
"""Programs that may read what another one prints."""

_GIT = _form(
    _orders("status log diff show describe", "blame shortlog rev-parse ls-files branch fetch add "
            "commit"),
    "abcgilnpqrsSuvwzA",
    "oneline stat graph all decorate name-only name-status cached staged short porcelain branch "
    "max-count since until author grep format pretty abbrev-commit no-pager no-merges reverse "
    "follow word-diff patch numstat shortstat show-toplevel abbrev-ref list tags show-current "
    "no-color first-parent merged no-merged verbose no-edit allow-empty",
    _SAYS, _PATHS, _WORD, _SIGNED,
)  # fmt: skip
_KUBECTL = _form(
    _orders("get describe logs top version explain"),
    "nolwAcLp",
    "namespace all-namespaces output selector watch show-labels container tail since previous "
    "context sort-by no-headers field-selector timestamps",
    _THING, _SIGNED,
)  # fmt: skip
_DOCKER = _form(
    _orders("ps logs inspect version info top history search", "images port stats"),
    "aqnftsl",
    "all quiet filter format last latest no-trunc tail since until timestamps size follow digests",
    _WORD, _SIGNED,
)  # fmt: skip
_SCRIPT = _form(
    rf"(?:-u[ \t]++)?\w[\w/-]*+\.py{_END}", "", r"[a-z][\w-]*+", _PYTHON, _SIGNED, "-[abd-zA-Z]"
)
_FINDS = (
    "-(?:i?name|i?path|i?regex|type|[acm]time|[acm]min|newer|size|maxdepth|mindepth|empty|not|or?|a"
    "|and|print0?|xdev|mount|user|group)"
)

FORMS = FILTERS | {
    "git": _GIT, "kubectl": _KUBECTL, "docker": _DOCKER, "python": _SCRIPT, "python3": _SCRIPT,
    "cd": _form(rf"{_READS}{_FILE}[ \t]*+", "", ""),
    "cp": _form("", "aprRuvniLP", "recursive archive verbose update", _NAMED),
    "mv": _form("", "nuvi", "verbose update no-clobber", _NAMED),
    "tar": _form(rf"-?[ctxvzjJpk]++f?{_END}", "C", "exclude strip-components", _FILE),
    "find": _form(_READS, "LHP", "", _WORD, _FINDS, _SIGNED),
    "curl": _form("", "sSfLkiIv", "silent show-error fail location head compressed", _URL),
    "make": _form("", "sk", "silent", _FILE, r"-j\d*+"),
    "npm": _form(rf"(?:ci|test|install|run[ \t]++(?:build|test|dev|start)){_END}", "", "silent"),
    "pip": _form(_orders("list show", "freeze"), "", "outdated", r"\w[\w.-]*+"),
    "cargo": _form(_orders("check", "build test fmt clippy doc"), "qv", "release all workspace"),
    "go": _form(_orders("", "build test vet version"), "vx", "", r"\./(?:\w++/)*\.\.\."),
}  # fmt: skip
"""By program."""
