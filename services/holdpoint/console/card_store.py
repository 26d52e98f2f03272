"""Every card as it stands, read from CARDS; those who watch are told which holds have changed.

The console's own user reads the cards of all groups and can say nothing. `cards_for` is the one
door to them: it hands out what a person's groups were asked, and nothing else.
"""

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import structlog

from holdpoint.console.status_labels import is_answerable
from holdpoint.messages.card import Card

log = structlog.get_logger(__name__)

ENDED_KEPT = 500
"""Ended cards that stay in memory; the ledger has them all."""


@dataclass(eq=False)
class Watch:
    """Changes that one page has not been sent yet."""

    changed: set[str] = field(default_factory=set)
    bell: asyncio.Event = field(default_factory=asyncio.Event)

    def ring(self, hold_id: str) -> None:
        """This hold's card is another one now."""
        self.changed.add(hold_id)
        self.bell.set()

    def taken(self) -> set[str]:
        """Return what changed since the last time."""
        changed, self.changed = self.changed, set()
        self.bell.clear()
        return changed


@dataclass(eq=False)
class Board:
    """The last card of each hold and group."""

    is_live: bool = False
    """True if the broker has said lately that there is nothing newer."""

    last_seq: int = 0
    """The newest message of CARDS that was read."""

    _cards: dict[str, dict[str, Card]] = field(default_factory=dict)
    _watches: set[Watch] = field(default_factory=set)
    _in_order: dict[frozenset[str], tuple[Card, ...]] = field(default_factory=dict)
    """By the groups that asked, until the next change: pages ask several times a second."""

    def put(self, card: Card) -> None:
        """Show this card, unless a newer one of its hold hangs there already."""
        groups = self._cards.pop(card.hold_id, {})
        known = groups.get(card.group)
        if known is None or card.revision >= known.revision:
            groups[card.group] = card
        self._cards[card.hold_id] = groups
        self._in_order.clear()
        for watch in self._watches:
            watch.ring(card.hold_id)

    def set_live(self, *, live: bool) -> None:
        """Say whether what hangs here is all there is."""
        if live != self.is_live:
            log.info("console_live" if live else "console_not_live")
            self.is_live = live
            for watch in self._watches:
                watch.bell.set()

    def tidy(self) -> None:
        """Take down the oldest of the ended cards."""
        ended = [it for it, groups in self._cards.items() if not _is_answerable(groups)]
        for hold_id in ended[:-ENDED_KEPT]:
            del self._cards[hold_id]
        self._in_order.clear()

    def cards_for(self, groups: Iterable[str]) -> tuple[Card, ...]:
        """The cards that these groups were asked, oldest first; one for each hold."""
        mine = frozenset(groups)
        if mine not in self._in_order:
            found = (card for it in self._cards if (card := self.card_for(mine, it)) is not None)
            in_order = sorted(found, key=lambda card: (card.halted_at, card.hold_id))
            self._in_order[mine] = tuple(in_order)
        return self._in_order[mine]

    def every_card(self) -> tuple[Card, ...]:
        """One card of each hold, of whichever group; for counts, never for its content."""
        return tuple(next(iter(groups.values())) for groups in self._cards.values())

    def card_for(self, groups: Iterable[str], hold_id: str) -> Card | None:
        """The card of one hold, if one of these groups was asked."""
        shown = self._cards.get(hold_id, {})
        mine = [shown[group] for group in sorted(groups) if group in shown]
        return max(mine, key=lambda card: card.revision, default=None)

    @contextmanager
    def watched(self) -> Iterator[Watch]:
        """Hear of every change while the block lasts."""
        watch = Watch()
        self._watches.add(watch)
        try:
            yield watch
        finally:
            self._watches.discard(watch)


def _is_answerable(groups: dict[str, Card]) -> bool:
    return any(is_answerable(card) for card in groups.values())
