"""What stands in `$((…))`: a sum, or a group of commands that begins a substitution.

```
$((1 + (2 * 3)))         a sum
$((a; b) | c)            a substitution: its first bracket is closed before its last
$((rm -rf d))            words beside each other are no sum: some shells run them
```
"""

import re
from collections.abc import Iterator

from holdpoint.core.risk.shell.brackets import closing
from holdpoint.core.risk.shell.state import State

MAX_GROUPS = 8
"""Groups of one text that look like sums, and are read; with more of them it is not known whole."""


def groups_in(text: str, state: State) -> Iterator[str]:
    """What stands in each substitution that looks like a sum, and is a group of commands.

    Only the outermost: those inside are found when it is read. What is never closed is quoted, or
    no shell takes it.
    """
    last = places = 0
    for match in _opens.finditer(text):
        start = match.start() + 1
        if start < last:
            continue
        end = closing(text, start)
        inside = text[start + 1 : end]
        if end < len(text):
            last = end
            if is_sum(inside):
                continue
        places += 1
        if places > MAX_GROUPS:
            state.stuck = state.stuck or "it has too many parts"
            return
        if end < len(text):
            state.grouped(len(inside))
            yield inside


_opens = re.compile(r"\$\(\(")


def is_sum(inside: str) -> bool:
    """Whether the bracket that it begins with goes up to its end; `inside` of `$(…)`."""
    return inside.startswith("(") and closing(inside, 0) == len(inside) - 1


def is_said(inside: str) -> bool:
    """Whether what looks like a sum may be commands."""
    return inside.startswith("(") and _in_words.search(inside) is not None


_in_words = re.compile(r"[\w}\"']\s+[\w$\"'/~.]|[;|&]\s*\w*[a-z]")
