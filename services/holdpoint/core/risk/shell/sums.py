"""What stands in `$((…))`: a sum, or a group of commands that begins a substitution.

```
$((1 + (2 * 3)))         a sum
$((a; b) | c)            a substitution: its first bracket is closed before its last
$((rm -rf d))            words beside each other are no sum: some shells run them
```
"""

import re
from collections.abc import Iterator
from itertools import islice

from holdpoint.core.risk.shell.brackets import closing

MAX_GROUPS = 8
"""Places of one text that look like sums, and are looked at."""

DEEPEST = 2
"""How many texts may stand around one in which they are looked for."""


def groups_in(text: str, depth: int) -> Iterator[str]:
    """What stands in each substitution that the grammar takes for a sum, and cannot read.

    Only the outermost: those inside are found when it is read, as deep as anybody writes them.
    """
    last = 0
    for found in islice(_opens.finditer(text), MAX_GROUPS if depth < DEEPEST else 0):
        start = found.start() + 1
        if start < last:
            continue
        last = closing(text, start)
        inside = text[start + 1 : last]
        if not is_sum(inside):
            yield inside


_opens = re.compile(r"\$\(\(")


def is_sum(inside: str) -> bool:
    """Whether the bracket that it begins with goes up to its end; `inside` of `$(…)`."""
    return inside.startswith("(") and closing(inside, 0) == len(inside) - 1


def is_said(inside: str) -> bool:
    """Whether what looks like a sum may be commands."""
    return inside.startswith("(") and _in_words.search(inside) is not None


_in_words = re.compile(r"[\w}\"']\s+[\w$\"'/~.]|[;|&]\s*\w*[a-z]")
