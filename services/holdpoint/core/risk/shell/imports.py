"""Python's modules under other names, or asked for a function by its name, written plainly."""

import re

import re2

_known = "(os|shutil|subprocess|pathlib|pty)"
_module = re.compile(rf"\bimport\s+{_known}\s+as\s+(\w+)")
_members = re.compile(rf"\bfrom\s+{_known}\s+import\s+\(?([\w \t,]+)")
_stars = re.compile(rf"\bfrom\s+{_known}\s+import\s+\*")
_asks = re2.compile(
    r"__(?:dict|getattribute)__|\bvars\s*\(|\bgetattr\b|\bmodules\b|\bglobals\b|\blocals\b|\bposix\b|\bmethodcaller\b|\battrgetter\b"
)
MAX_NAMES = 16
"""Names that are given back their own."""

_STARRED = {
    "os": "remove unlink rmdir removedirs truncate system popen kill chmod chown rename replace "
    "execl execle execlp execlpe execv execve execvp execvpe spawnl spawnlp spawnv spawnvp "
    "posix_spawn environ walk listdir",
    "shutil": "rmtree move copy copytree chown",
    "subprocess": "run call check_call check_output Popen getoutput getstatusoutput",
    "pathlib": "Path", "pty": "spawn",
}  # fmt: skip
"""What a module gives to one who imports all of it."""

_MODULE = rf"(?:\bsys\s*\.\s*)?\bmodules\s*\[\s*['\"]{_known}['\"]\s*\]"
_ways = (
    (re.compile(r"\bposix\b(?=\s*[.,)])"), "os"),
    (re.compile(rf"\b(?:globals|locals|vars)\s*\(\s*\)\s*\[\s*['\"]{_known}['\"]\s*\]"), r"\1"),
    (re.compile(_MODULE), r"\1"),
    (re.compile(rf"\b{_known}\s*\.\s*__dict__\s*\[\s*['\"](\w+)['\"]\s*\]"), r"\1.\2"),
    (re.compile(rf"\bvars\s*\(\s*{_known}\s*\)\s*\[\s*['\"](\w+)['\"]\s*\]"), r"\1.\2"),
    (re.compile(rf"\b{_known}\s*\.\s*__getattribute__\s*\(\s*['\"](\w+)['\"]\s*\)"), r"\1.\2"),
    (re.compile(rf"\bgetattr\s*\(\s*{_known}\s*,\s*['\"](\w+)['\"]\s*(?:,\s*\w+\s*)?\)"), r"\1.\2"),
    (
        re.compile(
            rf"\b(?:operator\s*\.\s*)?attrgetter\s*\(\s*['\"](\w+)['\"]\s*\)\s*\(\s*{_known}\s*\)"
        ),
        r"\2.\1",
    ),
    (
        re.compile(
            r"\b(?:operator\s*\.\s*)?methodcaller\s*\(\s*['\"](\w+)['\"]\s*,?([^()]*)\)"
            rf"\s*\(\s*{_known}\s*\)"
        ),
        r"\3.\1(\2)",
    ),
)
"""How a function may be asked for by its name."""


def by_own_names(code: str) -> str:
    """`import os as o; o.remove(x)` as `os.remove(x)`; `vars(os)["remove"](x)` likewise."""
    if "import" in code and (" as " in code or "from" in code):
        code = _unrenamed(code)
    if _asks.search(code):
        for way, plainly in _ways:
            code = way.sub(plainly, code)
    return code


def _unrenamed(code: str) -> str:
    modules = {found[2]: found[1] for found in _module.finditer(code)}
    members = dict(pair for found in _members.finditer(code) for pair in _named(*found.groups()))
    for alias, own in list(modules.items())[:MAX_NAMES]:
        code = re.sub(rf"(?<![\w.]){alias}\s*(?=[.),])", own, code)
    for alias, own in list(members.items())[:MAX_NAMES]:
        code = re.sub(rf"(?<![\w.]){alias}\s*(?=\()", own, code)
    for module in {found[1] for found in _stars.finditer(code)}:
        names = "|".join(_STARRED[module].split())
        code = re.sub(rf"(?<![\w.])({names})\s*(?=\()", rf"{module}.\1", code)
    return code


def _named(module: str, said: str) -> list[tuple[str, str]]:
    """Each name that is imported, with what it stands for."""
    names = (one.split() for one in said.split(","))
    return [(words[-1], f"{module}.{words[0]}") for words in names if words]
