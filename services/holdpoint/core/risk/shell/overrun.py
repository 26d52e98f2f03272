"""Commands that the grammar reads on into the next line, cut where a shell ends them.

It does so in `a | b | c`, NEWLINE, `d > file`: there it takes `d` for an argument of `c`.
"""

import re
from itertools import pairwise
from typing import Any

_ended = re.compile(r"(?<!\\)\n")


def by_row(node: Any, source: str) -> list[list[Any]]:
    """The parts of a command's node, one list for each command that a shell sees in it."""
    parts: list[Any] = node.children
    if not parts or source.find("\n", node.start_byte, node.end_byte) < 0:
        return [parts]
    rows = [parts[:1]]
    for before, part in pairwise(parts):
        if _ended.search(source[before.end_byte : part.start_byte]):
            rows.append([])
        rows[-1].append(part)
    return rows
