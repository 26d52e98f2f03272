"""A read that is told to hand what it reads to an address outside: `send_to`, `forward_to`."""

from collections.abc import Iterator

from holdpoint.core.risk.calls.confidences import is_strange
from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.calls.leaving import PEOPLE, PERSONAL, is_postbox, outside
from holdpoint.core.risk.excerpt import beginning
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set

KEPT = PERSONAL | PEOPLE | word_set("keys vault env invoice invoices contract contracts file files")
"""What a house keeps to itself."""

_FIGURES = word_set("report reports figures financials forecast forecasts minutes deck roadmap")
"""What it keeps from the press and from rivals."""

MAX_SHOWN = 30
_SENDS = words("words/tools:along.sends")

_CALLS_BACK = word_set("webhook callback hook")
"""Words of a key under which an answer goes to whoever asked, unless anybody may read it there."""


def sent_along(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Each address, as what the call does; `named`: the words of the tool's name."""
    kept = not KEPT.isdisjoint(named)
    if not kept and _FIGURES.isdisjoint(named):
        return
    personal = not PERSONAL.isdisjoint(named)
    for leaf in leaves:
        words = words_of(leaf.key)
        sends = not _SENDS.isdisjoint(words)
        if sends and is_strange(leaf.value):
            yield f"hands what it reads to {beginning(leaf.value.strip(), MAX_SHOWN)}"
        elif kept and (sends or not _CALLS_BACK.isdisjoint(words)):
            host = outside(leaf, anybody=personal)
            said = host and (sends or is_postbox(host))
            yield from (f"hands what it reads to {host}",) if said else ()
