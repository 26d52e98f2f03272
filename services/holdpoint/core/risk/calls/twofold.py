"""JSON in which a name stands twice: readers choose differently, so each way counts."""

import json
from collections import Counter
from functools import partial
from typing import Any

import msgspec


def spelled_out(text: str | bytes) -> Any:
    """Its value; where a name stands twice, a list of all that readers may take it for."""
    ways = 1

    def counted(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal ways
        known = dict(pairs)
        if len(known) < len(pairs):
            ways = max(ways, *Counter(name for name, _ in pairs).values())
        return known

    found = msgspec.json.decode(text)  # what is broken is soon known to be
    json.loads(text, object_pairs_hook=counted)
    if ways == 1:
        return found
    return [json.loads(text, object_pairs_hook=partial(_nth, at)) for at in range(ways)[:MAX_WAYS]]


def _nth(at: int, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of each name that value; of one that stands there less often, the last."""
    every: dict[str, list[Any]] = {}
    for name, value in pairs:
        every.setdefault(name, []).append(value)
    return {name: values[min(at, len(values) - 1)] for name, values in every.items()}


MAX_WAYS = 8
"""Values of one name that are read: a name that stands more often is read by these."""
