"""What an operator in `${…}` makes of a value: `${x%.*}`, `${x/a/b}`, `${x,,}`, `${x:1:2}`."""

import re
from collections.abc import Callable
from fnmatch import translate
from functools import lru_cache

from holdpoint.core.risk.shell.escapes import unescape
from holdpoint.core.risk.shell.model import HOLE, HOLE_END, UNWORKED
from holdpoint.core.risk.shell.scope import APART

MAX_CUT = 256
"""Characters of a value that are tried against a pattern."""

MAX_PATTERN = 64
"""Characters of a pattern that is tried."""


def edited(value: str, sign: str, operand: str, text: Callable[[str], str], name: str = "") -> str:
    """Substrings, cut ends, replacements, other case, escapes; of arguments some of the words."""
    if sign == ":":
        cut = _arguments if name in _ALL else _substring
        return cut(value, text(operand))
    if sign in "#%/":
        made = _matched(value, sign, operand, text)
        return made if made.count(HOLE) == made.count(HOLE_END) else value
    if sign in "^,":
        text(operand)
        head = value if operand.startswith(sign) else value[:1]
        return (head.upper() if sign == "^" else head.lower()) + value[len(head) :]
    return _TURNS[operand](value) if sign == "@" and operand in _TURNS else value


_TURNS: dict[str, Callable[[str], str]] = {
    "E": unescape, "U": str.upper, "L": str.lower, "u": lambda value: value[:1].upper() + value[1:],
}  # fmt: skip
"""`${x@E}` and its kin."""


_ALL = ("@", "*")


def _arguments(value: str, operand: str) -> str:
    """`${@:2}`, `${@:1:1}`; the first has the number one."""
    start, _, length = operand.partition(":")
    words = value.split(APART) if APART in value else value.split(" ")
    try:
        first = int(start)
        cut = words[first - 1 if first > 0 else first :]
        return " ".join(cut[: int(length)] if length else cut)
    except ValueError:
        return UNWORKED


def _substring(value: str, operand: str) -> str:
    start, _, length = operand.partition(":")
    try:
        cut = value[int(start) :]
        return cut if not length else cut[: int(length)]
    except ValueError:
        return UNWORKED


def _matched(value: str, sign: str, operand: str, text: Callable[[str], str]) -> str:
    if sign == "/":
        return _replaced(value, operand, text)
    longest = operand.startswith(sign)
    return _cut(value, sign, text(operand[longest:]), longest=longest)


def _cut(value: str, sign: str, pattern: str, *, longest: bool) -> str:
    """`${x#…}` and `${x%…}`: the shortest or the longest part that fits falls away."""
    if not _is_pattern(pattern):
        return value.removesuffix(pattern) if sign == "%" else value.removeprefix(pattern)
    if len(value) > MAX_CUT or len(pattern) > MAX_PATTERN:
        return UNWORKED
    fits, sizes = _fitting(pattern), range(len(value) + 1)
    for size in reversed(sizes) if longest else sizes:
        end = len(value) - size
        if fits(value[end:] if sign == "%" else value[:size]):
            return value[:end] if sign == "%" else value[size:]
    return value


def _replaced(value: str, operand: str, text: Callable[[str], str]) -> str:
    """`${x/a/b}`, `${x//a/b}`; `#` and `%` bind the first to an end of the value."""
    everywhere, bound = operand[:1] == "/", operand[:1] if operand[:1] in {"#", "%"} else ""
    old, _, new = operand[everywhere or bool(bound) :].partition("/")
    pattern, put = text(old.replace("\\/", "/")), text(new)
    if not pattern:
        return value
    if bound or _is_pattern(pattern):
        return _put(value, pattern, put, bound, 0 if everywhere else 1)
    return value.replace(pattern, put, -1 if everywhere else 1)


def _put(value: str, pattern: str, put: str, bound: str, most: int) -> str:
    if len(value) > MAX_CUT or len(pattern) > MAX_PATTERN:
        return UNWORKED
    shape = translate(pattern).removesuffix(r"\Z")
    shape = {"#": rf"\A{shape}", "%": rf"{shape}\Z", "": shape}[bound]
    return re.sub(shape, lambda _: put, value, count=most)


def _is_pattern(text: str) -> bool:
    return "*" in text or "?" in text or ("[" in text and "]" in text)


@lru_cache(maxsize=64)
def _fitting(pattern: str) -> Callable[[str], re.Match[str] | None]:
    return re.compile(translate(pattern)).match
