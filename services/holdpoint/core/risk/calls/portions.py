"""Shares of a whole that a call takes or changes, and not how a dial is set: `percent: 80`."""

from collections.abc import Iterator
from decimal import Decimal

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.money import decimal_of

_SHARES = ("percent", "percentage", "pct")
_DIALS = words("words/tools:portions.dials")

_SET = _DIALS - words("words/tools:portions.set") | word_set(
    "fan fans display screen lights lamp speaker headphones camera projector"
)
"""Words of a tool's name that say that a share is how a device or a display is set."""

_STORES = words("words/tools:portions.stores")

_NO_MORE = frozenset(
    {
        ("percent",),
        ("percentage",),
        ("pct",),
        ("value",),
        ("level",),
        ("level", "percent"),
        ("position", "percent"),
        ("position",),
    }
)
"""Keys that do not say of what their share is."""


def shares_in(leaves: tuple[Leaf, ...], named: tuple[str, ...]) -> Iterator[Decimal]:
    """Each in percent; `named`: the words of the tool's name."""
    dial = not _SET.isdisjoint(named) and _STORES.isdisjoint(named)
    for leaf in leaves:
        shares = leaf.key.lower().endswith(_SHARES)
        text = leaf.value if isinstance(leaf.value, str) else ""
        written = "%" in text and text.rstrip().endswith("%")
        if not (shares or written) or not _DIALS.isdisjoint(words_of(leaf.key)):
            continue
        if dial and (words_of(leaf.key) in _NO_MORE or written):
            continue
        share = decimal_of(text.strip().rstrip("%") if text else leaf.value)
        if share is not None:
            yield share
