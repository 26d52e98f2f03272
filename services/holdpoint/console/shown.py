"""What a session was sent and since when: nobody says yes to what they had no time to read."""

from dataclasses import dataclass, field

from holdpoint.messages.base import Value
from holdpoint.messages.card import Card

ARMED_AFTER_S = 1.0
"""How long a card must have been on the screen before Proceed does anything."""

MOST = 1_000


class Seen(Value, frozen=True, kw_only=True):
    """A card as it was sent, and when (monotonic)."""

    card: Card
    at: float


@dataclass(eq=False)
class Shown:
    """The cards that one session was sent, by hold and what was drawn."""

    _seen: dict[tuple[str, str], Seen] = field(default_factory=dict)

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
    """Whether there was time to read it."""
    return now - seen.at >= ARMED_AFTER_S
