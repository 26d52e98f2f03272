"""Metrics of the whole product, counted from what the ledger takes in: open holds and answers."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from sqlalchemy import Connection, exists, select

from holdpoint.ledger.answers import channel_of
from holdpoint.ledger.entries import Entry
from holdpoint.ledger.tables import confirmation_events, decisions
from holdpoint.messages.answer import Answer
from holdpoint.messages.base import Message
from holdpoint.messages.codec import UnreadableError, message_in
from holdpoint.messages.hold import Halted, Resolved
from holdpoint.messages.subjects import ANSWERS, FACT_WORDS, HOLDS
from holdpoint.runtime.process import clock
from holdpoint.runtime.process.metrics import ANSWERED, HOLDS_OPEN, LEDGER_LAG_S
from holdpoint.runtime.security.permissions import CHANNELS

M = TypeVar("M", bound=Message)

LEVELS = range(1, 6)
"""Operation levels; each has its gauge from the start, so that a 0 is told too."""

OTHER = "other"


def open_levels(connection: Connection) -> dict[str, int]:
    """Return the level of each open hold."""
    is_over = exists().where(confirmation_events.c.hold_id == decisions.c.hold_id)
    halted = decisions.c.verdict == FACT_WORDS[Halted]
    rows = connection.execute(
        select(decisions.c.hold_id, decisions.c.level).where(halted, ~is_over)
    )
    return {row.hold_id: row.level for row in rows}


@dataclass(eq=False, kw_only=True)
class HoldMetrics:
    """Open holds as the ledger knows them."""

    _open: dict[str, int] = field(default_factory=dict)

    def begin(self, levels: dict[str, int]) -> None:
        """Start from what the ledger holds."""
        self._open = dict(levels)
        self._tell()

    def count(self, entries: Sequence[Entry]) -> None:
        """Count what was entered just now."""
        for entry in entries:
            if entry.kind == ANSWERS and (answer := _read(entry, Answer)) is not None:
                channel = channel_of(entry.subject)
                known = channel if channel in CHANNELS else OTHER
                ANSWERED.labels(known, answer.answer.value).inc()
            elif entry.kind == HOLDS:
                self._follow(entry)
        self._tell()
        newest = max((entry.at for entry in entries), default=None)
        if newest is not None:
            LEDGER_LAG_S.set(max(0.0, (clock.now() - newest).total_seconds()))

    def _follow(self, entry: Entry) -> None:
        word = entry.subject.split(".")[-2]
        if word == FACT_WORDS[Halted] and (halted := _read(entry, Halted)) is not None:
            self._open[halted.hold.hold_id] = halted.hold.level
        elif word == FACT_WORDS[Resolved] and (ended := _read(entry, Resolved)) is not None:
            self._open.pop(ended.hold.hold_id, None)

    def _tell(self) -> None:
        levels = Counter(self._open.values())
        for level in LEVELS:
            HOLDS_OPEN.labels(str(level)).set(levels[level])


def _read(entry: Entry, kind: type[M]) -> M | None:
    try:
        return message_in(entry.body, kind)
    except UnreadableError:
        return None
