"""Texts of a call taken out by their keys, whatever lists and objects they stand in."""

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

import msgspec

from holdpoint.core.risk.calls.leaf import MAX_VALUES
from holdpoint.messages.base import MAX_ARGUMENTS_BYTES, JsonObject

MAX_DEPTH = 8
"""Lists and objects within each other in which such a text is looked for."""

STANDS_FOR_IT = "..."
"""What is read in its place."""


class Taken(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments without the texts, and the texts."""

    arguments: JsonObject
    texts: tuple[str, ...] = ()
    any: bool = False
    """Whether anything was taken: also lists of numbers."""

    @property
    def fits(self) -> bool:
        """Whether the texts are no longer than what a gate takes; longer ones are not read."""
        left = MAX_ARGUMENTS_BYTES
        return sum(map(len, self.texts)) <= left and sum(map(_bytes, self.texts)) <= left


def _bytes(text: str) -> int:
    return len(text.encode(errors="replace"))


class _Taking:
    """One walk: what it took, and how many values it may still look at."""

    def __init__(self, keys: frozenset[str], whole: Callable[[Any], bool]) -> None:
        self.keys = keys
        self.whole = whole
        self.texts: list[str] = []
        self.left = MAX_VALUES
        self.any = False

    def of(self, key: str, value: Any, depth: int) -> Any:
        self.left -= 1
        if self.left <= 0:
            return value
        known = key in self.keys
        if known and self.whole(value):
            self.any = True
            self.texts.extend(_strings(value))
            return STANDS_FOR_IT
        if isinstance(value, Mapping) and depth:
            items = islice(value.items(), self.left)
            return {**value, **{name: self.of(bare(name), one, depth - 1) for name, one in items}}
        if isinstance(value, list | tuple) and depth:
            inside = key if all(isinstance(one, str) for one in value[:1]) else ""
            many = self.left
            first = [self.of(inside, one, depth - 1) for one in value[:many]]
            return [*first, *value[many:]]
        return value


def taken(arguments: JsonObject, keys: frozenset[str], whole: Callable[[Any], bool]) -> Taken:
    """Without the values under these keys (in lower case, no signs) that are data as a whole."""
    walk = _Taking(keys, whole)
    left = {name: walk.of(bare(name), value, MAX_DEPTH) for name, value in arguments.items()}
    return Taken(arguments=left, texts=tuple(walk.texts), any=walk.any)


def is_text(value: Any) -> bool:
    """A text that says something."""
    return isinstance(value, str) and bool(value.strip())


def is_plain(value: Any) -> bool:
    """A text, or a list of nothing but texts, numbers and lists of those: a matrix, a batch."""
    if isinstance(value, list | tuple):
        return bool(value) and all(_is_cell(one) for one in value)
    return is_text(value)


def _is_cell(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(isinstance(one, str | int | float) for one in value)
    return isinstance(value, str | int | float)


def _strings(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else [one for one in value if isinstance(one, str)]


def bare(name: str) -> str:
    """A key in lower case and without signs, as `taken` looks for it."""
    return name[:MAX_KEY].lower().replace("_", "").replace("-", "")


MAX_KEY = 60
"""Characters of a key that are looked at."""
