"""Rolling sums: reserved before a call is judged, moved by a late yes, taken back when nothing ran.

Side state first, fact last: the counters are written before the fact that says so. Each addition
has an id made of the command that caused it and of what it adds where, so a process that repeats
the command counts nothing twice. The broker knows those ids for ten minutes; after that nothing is
taken back any more, because nobody could tell whether it was: a sum may be too high for the rest of
its window, never too low.
"""

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from msgspec.structs import replace

from holdpoint.core.objections import resumes_at
from holdpoint.core.risk import Brought, Tallied
from holdpoint.core.tallies import Due, Trail, bucket_of, bucket_s, counts_at, covered, window_of
from holdpoint.gate.context import Gate
from holdpoint.messages.hold import AnyHoldFact, Denied, Hold, Reserved, Resumed
from holdpoint.messages.subject_parts import tally_key, tally_window
from holdpoint.messages.subjects import tally_subject
from holdpoint.runtime.broker.streams import RECOGNISED_S
from holdpoint.runtime.errors import UnavailableError, UnknownOutcomeError
from holdpoint.runtime.process import clock
from holdpoint.runtime.store.history import LoadedHold

log = structlog.get_logger(__name__)

TAKEN_BACK_WITHIN = timedelta(seconds=RECOGNISED_S) - timedelta(minutes=1)
"""Less than the broker knows a repeat for: clocks differ."""


@dataclass(frozen=True, kw_only=True)
class Reservation:
    """Amounts that a call adds to the counters, and the sums afterwards."""

    reserved: tuple[Reserved, ...] = ()
    tallies: tuple[Tallied, ...] = ()


async def reserve(gate: Gate, due: tuple[Due, ...], cause: str, at: datetime) -> Reservation:
    """Count it before it is judged, so that of two calls at once one sees the other.

    `cause` is the call's id and `at` its broker's time. What cannot be counted or read has no sum.
    """
    both = await asyncio.gather(*(_reserve(gate, one, cause, at) for one in due))
    return Reservation(
        reserved=tuple(entry for entry, _ in both), tallies=tuple(tallied for _, tallied in both)
    )


async def moved(gate: Gate, hold: Hold) -> tuple[Reserved, ...]:
    """Count a yes in the bucket that it goes on in; it goes on whatever the counters say."""
    return tuple(await asyncio.gather(*(_moved(gate, hold, one) for one in hold.reserved)))


async def settle(gate: Gate, stands: LoadedHold, at: datetime) -> None:
    """Take back what a hold reserved if it ended and nothing will run; `at` is no later than it."""
    if _nothing_runs(stands.fact):
        await give_back(gate, stands.hold.reserved, stands.hold.causes[0], at)


async def give_back(
    gate: Gate, reserved: tuple[Reserved, ...], cause: str, since: datetime
) -> None:
    """Take back what this call reserved, once; `since` is when that may first have been tried."""
    counted = [entry for entry in reserved if entry.counted]
    if counted and clock.now() - since > TAKEN_BACK_WITHIN:
        log.warning("tally_not_taken_back", cause=cause)
        return
    await asyncio.gather(
        *(
            gate.tallies.add(entry.subject, -entry.amount, f"{_once(entry, cause)}.back")
            for entry in counted
        )
    )


def _nothing_runs(fact: AnyHoldFact) -> bool:
    return isinstance(fact, Denied) or (isinstance(fact, Resumed) and not fact.confirmed)


async def _reserve(gate: Gate, due: Due, cause: str, at: datetime) -> tuple[Reserved, Tallied]:
    size, now = bucket_s(due.rule), clock.now()
    since = counts_at(at, now, size)
    entry = Reserved(
        subject=_counter(gate, due.key, bucket_of(since, size), size),
        amount=due.amount,
        bucket_s=size,
    )
    try:
        await gate.tallies.add(entry.subject, entry.amount, _once(entry, cause))
    except (UnavailableError, UnknownOutcomeError) as error:
        log.warning("tally_not_counted", cause=cause, error=repr(error))
        return replace(entry, counted=False), _tallied(due, None)
    summed = await total(gate, due, covered(since, now, size))
    return entry, _tallied(due, summed)


def _tallied(due: Due, summed: int | None) -> Tallied:
    return Tallied(rule=due.rule, total=summed, person=due.person)


async def total(gate: Gate, due: Due, buckets: range) -> int | None:
    """The sum of these buckets; None when it cannot be read."""
    size = bucket_s(due.rule)
    counters = [_counter(gate, due.key, it, size) for it in buckets]
    try:
        return sum(await asyncio.gather(*(gate.tallies.value(it) for it in counters)))
    except UnavailableError as error:
        log.warning("tally_not_read", error=repr(error))
        return None


async def _moved(gate: Gate, hold: Hold, entry: Reserved) -> Reserved:
    size, due_at = entry.bucket_s, resumes_at(hold)
    since = counts_at(due_at, clock.now(), size)
    subject = _counter(gate, tally_key(entry.subject), bucket_of(since, size), size)
    if entry.counted and subject == entry.subject:
        return entry
    there, cause = replace(entry, subject=subject, counted=True), hold.causes[0]
    try:
        await gate.tallies.add(there.subject, there.amount, _once(there, cause))
    except (UnavailableError, UnknownOutcomeError) as error:
        log.warning("tally_not_moved", hold_id=hold.hold_id, error=repr(error))
        return entry
    try:
        await give_back(gate, (entry,), cause, due_at)
    except (UnavailableError, UnknownOutcomeError) as error:
        log.warning("tally_not_taken_back", cause=cause, error=repr(error))
    return there


def _counter(gate: Gate, key: str, bucket: int, size_s: int) -> str:
    return tally_subject(gate.tenant, key, window_of(bucket, size_s))


def _once(entry: Reserved, cause: str) -> str:
    """The id of one addition: the command, the counter, the amount."""
    return f"{cause}.{tally_key(entry.subject)}.{tally_window(entry.subject)}.{entry.amount}"


async def brought_before(
    gate: Gate, trails: tuple[Trail, ...], at: datetime
) -> tuple[Brought, ...]:
    """Return the sum before a call of the broker's time `at`; an unreadable sum is not zero.

    Whatever the call itself brings was counted before: an agent has it only later.
    """
    return tuple(await asyncio.gather(*(_brought(gate, trail, at) for trail in trails)))


async def _brought(gate: Gate, trail: Trail, at: datetime) -> Brought:
    size, now = bucket_s(trail.own.rule), clock.now()
    found = await total(gate, trail.own, covered(counts_at(at, now, size), now, size))
    times = None if found is None else found - trail.own.amount
    return Brought(source=trail.source, within_s=trail.own.rule.window_s, times=times)
