"""Rules that decide nothing: where they must fire another one does, at their level or above."""

from collections.abc import Iterable

import msgspec

from holdpoint.core.risk.dialogue.verbs import SPOKEN
from holdpoint.core.risk.patterns import compiled
from holdpoint.core.risk.sql.orders import DROPPABLE
from holdpoint.core.risk.text import fold
from holdpoint.messages.policy import Pattern
from holdpoint.messages.risk import Heuristic

EVERYDAY = SPOKEN.keys() | {word.lower() for word in DROPPABLE}
"""Words that people say of much else: `delete`, `restart`, `table`."""


class Shadow(msgspec.Struct, frozen=True, kw_only=True):
    """A rule, and those in whose shadow it stands."""

    rule: str
    by: tuple[str, ...]


def shadowed_rules(patterns: Iterable[Pattern]) -> tuple[Shadow, ...]:
    """Every rule in a shadow, as far as its own `must_fire` lines tell.

    Raises `BadPatternError` for a pattern that does not compile.
    """
    rules = tuple(patterns)
    searches = [compiled(rule).search for rule in rules]
    found = []
    for rule in rules:
        lines = [fold(line).folded for line in rule.must_fire]
        by = tuple(
            other.id
            for other, search in zip(rules, searches, strict=True)
            if _could(other, rule) and lines and all(map(search, lines))
        )
        found.append(Shadow(rule=rule.id, by=by))
    return tuple(shadow for shadow in found if shadow.by)


def fires_on_everything(rule: Pattern) -> bool:
    """Whether texts that have nothing in common all make it fire."""
    search = compiled(rule).search
    return all(search(text) for text in UNLIKE)


UNLIKE = ("ls", "good morning", "x = 1", "(hm)", "kept")
"""Nobody would ask a person about any of them, and no letter stands in all."""


def _could(other: Pattern, rule: Pattern) -> bool:
    """Whether it can decide in the rule's place wherever both fire.

    A parse of commands silences only some, and of the words beside a call only doubts count.
    """
    if other is rule or other.level < rule.level or (other.commands and not rule.commands):
        return False
    doubts = Heuristic.UNCERTAINTY
    return other.heuristic is doubts or rule.heuristic is not doubts
