"""What a short text means, worked out once: tools, keys and options come again and again.

Quicker than a cache that keeps an order, and bounded by what it holds as well as by how many:
whoever sends long texts is answered each time anew.
"""

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

MAX_KEPT = 200
"""Characters of a text that is remembered: more than any name has."""


class _Remembered(dict[str, T]):
    def __init__(self, work: Callable[[str], T], size: int) -> None:
        super().__init__()
        self.work = work
        self.size = size

    def __missing__(self, text: str) -> T:
        found = self.work(text)
        if len(text) <= MAX_KEPT:
            if len(self) >= self.size:
                self.clear()
            self[text] = found
        return found


def remembered(size: int) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """A function of one text that remembers so many answers; when it is full it begins anew."""
    return lambda work: _Remembered(work, size).__getitem__
