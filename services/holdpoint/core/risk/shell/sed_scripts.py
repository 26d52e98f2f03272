"""Scripts of sed that are proven to only print: each command is one that is listed here."""

import re

_ADDRESS = r"(?:\d+(?:~\d+)?|\$|/(?:\\.|[^/\\\n\[])*/[IM]*)"
_PART = r"(?:\\.|\[\^?\]?(?:(?!\1)[^\]\n])*\]|(?!\1)[^\\\[\n])*"
_one = re.compile(
    rf"[ \t]*(?:{_ADDRESS}(?:[ \t]*,[ \t]*[+~]?{_ADDRESS})?)?[ \t]*!*[ \t]*"
    rf"(?:\{{|[pPdDqQ=nNgGhHxlz]\d*|[btT][ \t]*\w*|:[ \t]*\w+"
    rf"|[sy]([^\w\s\\]){_PART}\1{_PART}\1[gpIim0-9]*)"
)
_gap = re.compile(r"[ \t;\n}]*")
_ends = re.compile(r"[ \t]*(?:[;\n}]|\Z)")
LONGEST = 500
"""Characters of a script that is looked at."""


def only_prints(script: str) -> bool:
    """Return whether a script writes no file and runs no program."""
    at, size = 0, len(script)
    if not script.strip() or size > LONGEST or "\x00" in script:
        return False
    while (at := _after(_gap, script, at)) < size:
        found = _one.match(script, at)
        if found is None or found.end() == at:
            return False
        at = found.end()
        if script[at - 1] != "{" and not _ends.match(script, at):
            return False
    return True


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
