"""Where brackets and quotes end, and what a list in braces stands for."""

import re

MAX_LISTED = 256
"""Words that lists in braces may become."""

MAX_BRACED = 2048


"""Characters of a word whose lists in braces are written out."""


def closing(raw: str, at: int) -> int:
    """Where the bracket that opens here is closed; the end of the text when it is not."""
    opening, size = raw[at], len(raw)
    shut = {"(": ")", "{": "}", "[": "]"}[opening]
    depth, here = 0, at
    while here < size:
        sign = raw[here]
        if sign == "\\":
            here += 1
        elif sign == "'" and opening != "[":
            here = find_sign(raw, "'", here + 1)
        elif sign == opening:
            depth += 1
        elif sign == shut and not (shut == ")" and in_case(raw, at, here)):
            depth -= 1
            if not depth:
                return here
        here += 1
    return size


def in_case(raw: str, at: int, here: int) -> bool:
    """Whether a bracket only closes a pattern of `case … in x) …`."""
    return raw.find("case ", at, here) >= 0 and (
        raw.count("case ", at, here) > raw.count("esac", at, here)
    )


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


def braces(raw: str) -> list[str]:
    """`a{b,c}` as `ab` and `ac`; a word without lists in braces stays as it is."""
    if "," not in raw or "{" not in raw or len(raw) > MAX_BRACED:
        return [raw]
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
