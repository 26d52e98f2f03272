"""Changes without bounds: no limit beside a filter, one that is always true, all that is old."""

from collections.abc import Iterator

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.lexicon import word_set

MAX_SAID = 40
"""Characters of a filter that may be true of everything."""

_MANY = word_set("batch bulk mass")
_SELECTS = word_set("filter filters where query criteria condition conditions segment selector")
_FILTERS = _SELECTS | word_set("formula predicate")
_BOUNDS = word_set("limit max maximum cap")
_NO_BOUND = frozenset({"all", "none", "unlimited", "no limit"})
_NAMED = word_set("ids id items records keys names emails messages")
"""Keys of what is named one by one, so that no filter decides."""

_TRUE = frozenset({"true()", "=true()", "not(false())", "true = true", "true=true"})
_BEFORE = word_set("lt lte before until")
_TALK = word_set("mail mails email emails message messages notification notifications thread chat")
_BIN = frozenset({"trash", "bin", "deleted items"})
_LABELS = word_set("label labels folder mailbox")


def boundless(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """What says so, as a person would write it; `named`: words of a tool that changes things."""
    yield from (f"{leaf.key}: {leaf.value}" for leaf in leaves if _is_true(leaf))
    if _MANY.isdisjoint(named) or not any(map(_selects, leaves)) or any(map(_is_named, leaves)):
        return
    yield from (f"{leaf.key}: {leaf.value or 'none'}" for leaf in leaves if _is_unbound(leaf))
    yield from (f"{leaf.key}: {leaf.value}" for leaf in leaves if _throws_away(leaf))
    if "archive" in named and _TALK.isdisjoint(named):
        selected = [leaf for leaf in leaves if _selects(leaf)]
        if len(selected) == 1 and words_of(selected[0].key)[-1:] in _ENDS:
            yield f"{selected[0].key}: {selected[0].value}"


_ENDS = tuple((word,) for word in sorted(_BEFORE))


def _is_true(leaf: Leaf) -> bool:
    """`TRUE()`, `'a' = 'a'`, `1=1`."""
    value = leaf.value
    if not isinstance(value, str) or len(value) > MAX_SAID or not ("(" in value or "=" in value):
        return False
    if _FILTERS.isdisjoint(words_of(leaf.key)):
        return False
    said = value.strip().lower()
    left, same, right = (part.strip() for part in said.partition("="))
    constant = left[:1].isdigit() or left[:1] in {"'", '"'}
    return said in _TRUE or (bool(same) and constant and left == right)


def _selects(leaf: Leaf) -> bool:
    """Whether it stands in a filter, at any depth."""
    return any(not _SELECTS.isdisjoint(words_of(part)) for part in leaf.path.split("/"))


def _is_named(leaf: Leaf) -> bool:
    words = words_of(leaf.key)
    listed = leaf.path.endswith("/*") and words[-1:] in _LISTED
    return listed and _LABELS.isdisjoint(words)


_LISTED = tuple((word,) for word in sorted(_NAMED))


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
