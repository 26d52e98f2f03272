"""A cache for functions of one short text: tools, keys and options come again and again.

Quicker than a cache that keeps an order, and bounded by what it holds as well as by how many:
long texts are worked out each time.
"""

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

MAX_KEPT = 200
"""Characters of a text whose answer is kept: more than any name has."""


def memoize(size: int) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """Keep up to `size` answers of a function of one text; start over when that is full."""

    def decorate(work: Callable[[str], T]) -> Callable[[str], T]:
        class Known(dict[str, T]):
            def __missing__(self, text: str) -> T:
                if len(text) > MAX_KEPT:
                    return work(text)
                if len(self) >= size:
                    self.clear()
                found = self[text] = work(text)
                return found

        return Known().__getitem__

    return decorate
