"""Lines of a notebook that are no Python: `!TEXT`, `%sx TEXT`, and cells that are a script."""

import re

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.shell.inner import MAX_INNER, Found, Inner

NOTEBOOKS = word_set("ipython jupyter")
"""Programs that read code so."""

_line = re.compile(
    r"(?m)^[ \t]*(?:[\w, \t]{1,80}=[ \t]*)?"
    r"(?:!{1,2}|%{1,2}(?:sx|system|sc|alias\s+\w+)\s|%(?=(?:rm|mv|cp|rmdir)\s))[ \t]*(.+)"
)
_cell = re.compile(r"\A\s*%%(?:bash|sh|script|ksh|zsh|cmd|!)[^\n]*\n(.*)", re.DOTALL)
_called = re.compile(
    r"(?:\.system|\.getoutput|run_(?:line|cell)_magic)\s*\((?:\s*['\"]\w*['\"]\s*,)*\s*['\"](.*?)['\"]"
)


def to_shell(code: str) -> Found:
    """What of it a shell gets."""
    if "!" not in code and "%" not in code and "magic" not in code:
        return []
    cell = _cell.match(code)
    if cell:
        return [Inner(script=cell[1])]
    lines = [*_line.findall(code), *_called.findall(code)]
    return [Inner(script=line) for line in lines[:MAX_INNER]]
