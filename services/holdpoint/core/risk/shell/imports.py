"""Python's imports under other names, written as if nobody had renamed them."""

import re

_known = "(os|shutil|subprocess|pathlib|pty)"
_module = re.compile(rf"\bimport\s+{_known}\s+as\s+(\w+)")
_members = re.compile(rf"\bfrom\s+{_known}\s+import\s+\(?([\w \t,]+)")
MAX_NAMES = 16
"""Names that are given back their own."""


def by_own_names(code: str) -> str:
    """`import os as o; o.remove(x)` as `os.remove(x)`; `from os import remove` likewise."""
    if "import" not in code or not (" as " in code or "from" in code):
        return code
    modules = {found[2]: found[1] for found in _module.finditer(code)}
    members = dict(pair for found in _members.finditer(code) for pair in _named(*found.groups()))
    for alias, own in list(modules.items())[:MAX_NAMES]:
        code = re.sub(rf"(?<![\w.]){alias}\s*(?=\.)", own, code)
    for alias, own in list(members.items())[:MAX_NAMES]:
        code = re.sub(rf"(?<![\w.]){alias}\s*(?=\()", own, code)
    return code


def _named(module: str, said: str) -> list[tuple[str, str]]:
    """Each name that is imported, with what it stands for."""
    names = (one.split() for one in said.split(","))
    return [(words[-1], f"{module}.{words[0]}") for words in names if words]
