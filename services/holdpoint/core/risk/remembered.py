"""What a short text means, worked out once: tools, keys and options come again and again.

Quicker than a cache that keeps an order, and bounded by what it holds as well as by how many:
whoever sends long texts is answered each time anew.
"""

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

MAX_KEPT = 200
"""Characters of a text that is remembered: more than any name has."""


def remembered(size: int) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """A function of one text that remembers so many answers; when it is full it begins anew."""

    def remembering(work: Callable[[str], T]) -> Callable[[str], T]:
        class Known(dict[str, T]):
            def __missing__(self, text: str) -> T:
                if len(text) > MAX_KEPT:
                    return work(text)
                if len(self) >= size:
                    self.clear()
                found = self[text] = work(text)
                return found

        return Known().__getitem__

    return remembering
