"""Names too long for a reason: each cut is visible, so that none reads like another name."""

CUT = "…"


def beginning(text: str, most: int) -> str:
    """At most so many characters of a text, from its beginning."""
    return text if len(text) <= most else f"{text[: most - 1]}{CUT}"


def printable(text: str) -> str:
    """The same with a blank for each line break and sign that nobody sees."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else " " for char in text)


def both_ends(text: str, most: int) -> str:
    """At most so many characters of a command: its beginning, and its last words."""
    if len(text) <= most:
        return text
    kept = most - 1
    end = text[len(text) - kept // 3 :] if kept > MIN_ENDS else ""
    border = end.find(" ", 0, len(end) // 2)
    end = end[max(border, 0) :]
    return f"{text[: kept - len(end)]}{CUT}{end}"


MIN_ENDS = 12
"""Characters below which two ends would tell nothing."""


def whereabouts(target: str, most: int) -> str:
    """At most so many characters of a target: the end of a path; both ends of a host or address."""
    if len(target) <= most:
        return target
    if "/" not in target or "://" in target:
        return _both_ends(target, most - 1)
    end = target[1 - most :]
    border = end.find("/", 0, most // 2)
    return f"{CUT}{end[max(border, 0) :]}"


def _both_ends(text: str, kept: int) -> str:
    """A host says who it is at its end, an address at its beginning."""
    head = kept // 2
    return f"{text[:head]}{CUT}{text[len(text) - kept + head :]}"
