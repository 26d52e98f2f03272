"""Alarms by the broker's own scheduler: they survive every process; they are hints, not rules."""

from datetime import datetime

from holdpoint.messages.state import Alarm, TimerKind
from holdpoint.messages.subjects import TIMERS, Address, timer_subject
from holdpoint.runtime.journal import Journal


class Timers:
    """Set, find and cancel the alarms of holds."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    async def arm(self, agent: str, hold_id: str, kind: TimerKind, at: datetime) -> None:
        """Ring at that time; an alarm of this kind that was set before is replaced."""
        subject = self._subject("set", agent, hold_id, kind)
        alarm = Alarm(agent=agent, hold_id=hold_id, kind=kind, at=at)
        address = Address(kind=TIMERS, subject=subject, guard=subject)
        await self._journal.schedule(alarm, address, at, self._subject("due", agent, hold_id, kind))

    async def is_armed(self, agent: str, hold_id: str, kind: TimerKind) -> bool:
        """Whether this alarm is still set."""
        subject = self._subject("set", agent, hold_id, kind)
        stored = await self._journal.reader.last(TIMERS, subject)
        return stored is not None and self._journal.reader.counts(stored)

    async def cancel(self, agent: str, hold_id: str, kind: TimerKind) -> None:
        """Do not ring."""
        await self._journal.unschedule(TIMERS, self._subject("set", agent, hold_id, kind))

    def _subject(self, lane: str, agent: str, hold_id: str, kind: TimerKind) -> str:
        return timer_subject(self._journal.tenant, lane, agent, hold_id, kind.value)
