"""Replacing everything with nothing: `{"replace_all": true, "records": []}`."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from holdpoint.core.risk.calls.leaf import MAX_VALUES, words_of
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set

_REPLACES = word_set("replace overwrite replaceall mirror")
_MODES = ("mode", "strategy", "operation", "write_mode", "sync_mode", "on_conflict")
_KINDLY = words("words/tools:emptied.kindly")


def emptied(named: frozenset[str], objects: tuple[Mapping[str, Any], ...]) -> Iterator[str]:
    """The keys whose list is replaced by an empty one; `named`: words of the tool's name."""
    every = not _REPLACES.isdisjoint(named)
    for one in objects:
        for key in _empty(one):
            if _is_told(one) or (every and not named.isdisjoint(words_of(key))):
                yield key


def _is_told(values: Mapping[str, Any]) -> bool:
    modes = (values.get(key) for key in _MODES)
    said = {one.lower() for one in modes if isinstance(one, str)}
    flags = (str(key) for key, value in islice(values.items(), MAX_VALUES) if value is True)
    return not _REPLACES.isdisjoint(said) or any(
        not _REPLACES.isdisjoint(words_of(flag)) for flag in flags
    )


def _empty(values: Mapping[str, Any]) -> Iterator[str]:
    for key, value in islice(values.items(), MAX_VALUES):
        if value in _NOTHING and (words := words_of(str(key))) and words[-1] not in _KINDLY:
            yield str(key)


_NOTHING: tuple[object, ...] = ([], {}, ())
