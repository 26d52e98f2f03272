"""Where brackets and quotes end, and what a list in braces stands for."""

import re
from collections.abc import Callable

MAX_LISTED = 256
"""Words that lists in braces may become."""

MAX_BRACED = 2048
"""Characters of a word whose lists in braces are written out."""

A_WORD = 32
"""Characters as which each word counts that a list becomes: a long one."""


def closing(raw: str, at: int) -> int:
    """Where the bracket that opens here is closed; the end of the text when it is not."""
    opening = raw[at]
    depth = cases = 0
    for found in _CLOSING[opening].finditer(raw, at):
        sign = found[0]
        if sign == opening:
            depth += 1
        elif len(sign) == 1 and not (cases > 0 and sign == ")"):
            depth -= 1
            if not depth:
                return found.start()
        elif sign in _CASES:
            cases += _CASES[sign]
    return len(raw)


_CLOSING = {
    "(": re.compile(r"\\.|'[^']*(?:'|\Z)|[()]|case |esac", re.DOTALL),
    "{": re.compile(r"\\.|'[^']*(?:'|\Z)|[{}]", re.DOTALL),
    "[": re.compile(r"\\.|[\[\]]", re.DOTALL),
}
"""What tells where a bracket ends: `case … in x) …` has brackets that only close a pattern."""

_CASES = {"case ": 1, "esac": -1}


def closing_quote(raw: str, at: int, quote: str = '"') -> int:
    """Where a quoted text ends; quotes inside `$(…)` are its own."""
    size = len(raw)
    while at < size:
        sign = raw[at]
        if sign == quote:
            return at
        if sign == "\\":
            at += 1
        elif sign == "$" and quote == '"' and raw[at + 1 : at + 2] == "(":
            at = closing(raw, at + 1)
        at += 1
    return size


def find_sign(raw: str, sign: str, at: int) -> int:
    """Where this sign stands next; the end of the text when it does not."""
    end = raw.find(sign, at)
    return len(raw) if end < 0 else end


def next_match(pattern: re.Pattern[str], raw: str, at: int) -> int:
    """Where the pattern matches next, behind this place."""
    match = pattern.search(raw, at + 1)
    return match.start() if match else len(raw)


def braces(raw: str, spends: Callable[[str], bool]) -> list[str]:
    """`a{b,c}` as `ab` and `ac`; a word without lists in braces stays as it is.

    `spends` says whether so much more may be written out.
    """
    if "," not in raw or "{" not in raw or len(raw) > MAX_BRACED or not spends(""):
        return [raw]
    words = _written_out(raw)
    return words if len(words) == 1 or spends(" " * A_WORD * len(words)) else [raw]


def _written_out(raw: str) -> list[str]:
    done: list[str] = []
    waiting = [raw]
    while waiting and len(done) + len(waiting) < MAX_LISTED:
        word = waiting.pop(0)
        opened = _opened(word)
        if opened is None:
            done.append(word)
            continue
        start, parts, end = opened
        waiting[:0] = [word[:start] + part + word[end + 1 :] for part in parts]
    return [*done, *waiting]


def _opened(word: str) -> tuple[int, list[str], int] | None:
    """The first list in braces: where it starts, its parts, where it ends."""
    start = quote = -1
    for place, sign in enumerate(word):
        if sign in "'\"" and (quote < 0 or word[quote] == sign):
            quote = -1 if quote >= 0 else place
        elif sign == "(":
            return None
        elif sign == "{" and quote < 0 and word[place - 1 : place] not in {"$", "\\"}:
            start = place
            end = closing(word, start)
            parts = _parts(word[start + 1 : end])
            if len(parts) > 1 and end < len(word):
                return start, parts, end
    return None


def _parts(inside: str) -> list[str]:
    parts, depth = [""], 0
    for sign in inside:
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return parts
