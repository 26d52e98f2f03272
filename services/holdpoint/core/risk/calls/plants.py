"""Machines and bodies that a call acts on: its name says that it acts, an argument on what."""

from collections.abc import Iterator
from itertools import chain

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.knowledge import words

ACTS = words("words/tools:plants.acts")
"""Words of a name without one of which nothing is moved."""

_PLANTS = words("words/tools:plants.plants")
_BODIES = words("words/tools:plants.bodies")
_KEYS = words("words/tools:plants.keys")
_TALKS = words("words/tools:plants.talks")

MAX_SAID = 60


def moved(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """What it acts on, as a reason; `named`: the words of the tool's name."""
    if not _TALKS.isdisjoint(named):
        return
    said = (word for leaf in leaves if _says_what(leaf) for word in words_of(leaf.value))
    things = frozenset(chain(named, said))
    if not _BODIES.isdisjoint(things):
        yield "acts on somebody's body"
    if not _PLANTS.isdisjoint(things):
        yield "acts on a plant that people stand beside"


def _says_what(leaf: Leaf) -> bool:
    value = leaf.value
    if not isinstance(value, str) or len(value) > MAX_SAID:
        return False
    return not _KEYS.isdisjoint(words_of(leaf.key))
