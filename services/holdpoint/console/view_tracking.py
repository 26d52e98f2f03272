"""What a session was sent and since when: nobody says yes to what they had no time to read."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from holdpoint.messages.base import Value
from holdpoint.messages.card import Card

ARMED_AFTER_S = 1.0
"""Time that a card must have been on the screen before Proceed does anything."""

MOST = 1_000

MOST_STREAMS = 4
"""A browser opens six connections to one address: pages and answers need what streams leave."""


class Seen(Value, frozen=True, kw_only=True):
    """A card as it was sent, and when (monotonic)."""

    card: Card
    at: float


@dataclass(eq=False)
class Turn:
    """One page's stream, until newer pages of its session need the place."""

    bell: asyncio.Event
    is_over: bool = False

    def end(self) -> None:
        """Give the place away."""
        self.is_over = True
        self.bell.set()


@dataclass(eq=False)
class Shown:
    """The cards that one session was sent, by hold and what was drawn; and its live pages."""

    _seen: dict[tuple[str, str], Seen] = field(default_factory=dict)
    _turns: list[Turn] = field(default_factory=list)

    @contextmanager
    def turn(self, bell: asyncio.Event) -> Iterator[Turn]:
        """A stream's place; when there are too many, the oldest one loses its own."""
        turn = Turn(bell=bell)
        self._turns.append(turn)
        for old in self._turns[:-MOST_STREAMS]:
            old.end()
        try:
            yield turn
        finally:
            self._turns.remove(turn)

    def note(self, card: Card, at: float) -> None:
        """It was sent; the first time counts."""
        key = (card.hold_id, card.render_digest)
        if key not in self._seen:
            self._seen[key] = Seen(card=card, at=at)
        while len(self._seen) > MOST:
            del self._seen[next(iter(self._seen))]

    def seen(self, hold_id: str, render_digest: str) -> Seen | None:
        """The card that was sent so, if it was."""
        return self._seen.get((hold_id, render_digest))


def is_armed(seen: Seen, now: float) -> bool:
    """Return whether there was time to read it."""
    return now - seen.at >= ARMED_AFTER_S
