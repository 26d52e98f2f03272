"""JSON in which a name stands twice: some readers take its first value, others its last."""

import contextlib
import json
from collections.abc import Callable
from typing import Any, TypeAlias

Pairs: TypeAlias = list[tuple[str, Any]]
"""The names of one object with their values, as they stand there."""

Known: TypeAlias = dict[str, Any]
"""The same with the last value of each."""


def objects(twice: Callable[[Pairs, Known], Known]) -> Callable[[Pairs], Known]:
    """Make an `object_pairs_hook` that asks `twice` what an object is in which a name does."""

    def made(pairs: Pairs) -> Known:
        known = dict(pairs)
        return known if len(known) == len(pairs) else twice(pairs, known)

    return made


def stands_twice(text: str | bytes, counts: Callable[[Pairs, Known], bool]) -> bool:
    """Return whether an object of this JSON has such names that count; read as far as it can be."""
    seen = False

    def twice(pairs: Pairs, known: Known) -> Known:
        nonlocal seen
        seen = seen or counts(pairs, known)
        return known

    with contextlib.suppress(ValueError, RecursionError):
        json.loads(text, object_pairs_hook=objects(twice))
    return seen


def in_any_way(_pairs: Pairs, _known: Known) -> bool:
    """For `stands_twice`: also with the same value."""
    return True


def differently(pairs: Pairs, known: Known) -> bool:
    """For `stands_twice`: with two values, of which readers choose differently."""
    return any(known[name] != value for name, value in pairs)
