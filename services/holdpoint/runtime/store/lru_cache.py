"""Cache of recent values, by key: the oldest entries make room, so it never grows."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T")

MOST = 4096
"""Entries: more holds than are ever on their way at once."""


class Recent(Generic[T]):
    """A dictionary of the last few thousand entries."""

    def __init__(self, most: int = MOST) -> None:
        self._entries: OrderedDict[Hashable, T] = OrderedDict()
        self._most = most

    def __contains__(self, key: Hashable) -> bool:
        return key in self._entries

    def get(self, key: Hashable) -> T | None:
        """The entry, unless it had to make room."""
        return self._entries.get(key)

    def take(self, key: Hashable) -> T | None:
        """The entry, which is forgotten by that."""
        return self._entries.pop(key, None)

    def put(self, key: Hashable, value: T) -> None:
        """Keep it as the newest."""
        self._entries[key] = value
        self._entries.move_to_end(key)
        if len(self._entries) > self._most:
            self._entries.popitem(last=False)

    def clear(self) -> None:
        """Forget everything."""
        self._entries.clear()
