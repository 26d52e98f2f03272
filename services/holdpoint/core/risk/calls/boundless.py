"""Changes without bounds: no limit beside a filter, one that is always true, all that is old."""

import re
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.lexicon import word_set

MAX_SAID = 40
"""Characters of a filter that may be true of everything."""

MAX_PATH = 80
"""Characters of a path's end in which a filter is looked for."""

_MANY = word_set("batch bulk mass")
_SELECTS = word_set("filter filters where query criteria condition conditions segment selector")
_CHOOSES = _SELECTS | {"match"}
_FILTERS = _SELECTS | word_set("formula predicate")
_BOUNDS = word_set("limit max maximum cap")
_NO_BOUND = frozenset({"all", "none", "unlimited", "no limit"})
_TRUE = frozenset({"true()", "=true()", "not(false())", "true = true", "true=true"})
_BEFORE = word_set("lt lte before until")
_TALK = word_set("mail mails email emails message messages notification notifications thread chat")
_BIN = frozenset({"trash", "bin", "deleted items"})
_LABELS = word_set("label labels folder mailbox")


def boundless(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """What says so, as a person would write it; `named`: words of a tool that changes things."""
    said = [leaf for leaf in leaves if isinstance(leaf.value, str)]
    filters = [leaf for leaf in said if "=" in leaf.value or "()" in leaf.value]
    yield from (f"{leaf.key}: {leaf.value}" for leaf in filters if _is_true(leaf))
    yield from (f"{leaf.key}: {leaf.value}" for leaf in leaves if _has_id(leaf))
    if _MANY.isdisjoint(named) or not any(map(_selects, leaves)):
        return
    yield from (f"{leaf.key}: {leaf.value or 'none'}" for leaf in leaves if _is_unbound(leaf))
    yield from (f"{leaf.key}: {leaf.value}" for leaf in leaves if _throws_away(leaf))
    if "archive" in named and _TALK.isdisjoint(named):
        yield from (f"{leaf.key}: {leaf.value}" for leaf in leaves if _is_all_old(leaf))


def _is_all_old(leaf: Leaf) -> bool:
    """`{"filter": {"created": {"before": "2022-01-01"}}}`, and nothing else in the filter."""
    if words_of(leaf.key)[-1:] not in _ENDS or not _selects(leaf) or len(leaf.siblings) > 1:
        return False
    above = leaf.path.split("/")[-2]
    return not _SELECTS.isdisjoint(words_of(above)) or len(leaf.around) == 1


_ENDS = tuple((word,) for word in sorted(_BEFORE))


def _is_true(leaf: Leaf) -> bool:
    """`TRUE()`, `'a' = 'a'`, `1=1`."""
    if len(leaf.value) > MAX_SAID or _FILTERS.isdisjoint(words_of(leaf.key)):
        return False
    said = leaf.value.strip().lower()
    left, same, right = (part.strip() for part in said.partition("="))
    constant = left[:1].isdigit() or left[:1] in {"'", '"'}
    return said in _TRUE or (bool(same) and constant and left == right)


def _has_id(leaf: Leaf) -> bool:
    """What each record fulfils: `{"_id": {"$exists": true}}`, `id > 0`, and nothing beside it."""
    if isinstance(leaf.value, str) and leaf.value:
        named = len(leaf.value) <= MAX_SAID and not _FILTERS.isdisjoint(words_of(leaf.key))
        return named and _each_has.fullmatch(leaf.value.strip()) is not None
    asked = _ASKED.get(leaf.key.lstrip("$"), ())
    if leaf.value not in asked or len(leaf.siblings) > 1:
        return False
    above = leaf.path.split("/")[-2]
    return above.lower() in _KEYS and len(leaf.around) == 1 and _selects(leaf)


_KEYS = word_set("_id id uuid pk key")
_each_has = re.compile(
    r"(?i)[\w.]*\b_?(?:uu)?id\s*(?:>=?\s*[01]|is\s+not\s+null|(?:!=|<>)\s*(?:null|''))"
)
_ASKED: MappingProxyType[str, tuple[Any, ...]] = MappingProxyType(
    {"exists": (True,), "ne": (None, ""), "not": (None,), "gt": (0,), "gte": (0, 1)}
)


def _selects(leaf: Leaf) -> bool:
    """Whether it stands in a filter, or in an object of one."""
    return not _CHOOSES.isdisjoint(words_of(leaf.path[-MAX_PATH:]))


def _is_unbound(leaf: Leaf) -> bool:
    words = words_of(leaf.key)
    if not words or _BOUNDS.isdisjoint(words):
        return False
    said = leaf.value.strip().lower() if isinstance(leaf.value, str) else leaf.value
    return said is None or said == -1 or said in _NO_BOUND


def _throws_away(leaf: Leaf) -> bool:
    """`addLabelIds: ["TRASH"]`, `folder: bin`."""
    said = isinstance(leaf.value, str) and leaf.value[:MAX_SAID].strip().lower() in _BIN
    words = words_of(leaf.key)
    return said and not _LABELS.isdisjoint(words) and words[0] != "remove"
