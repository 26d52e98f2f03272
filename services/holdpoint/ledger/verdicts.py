"""Verdicts of gates and answers of people, oldest first: for anyone who learns from it. Only reads.

What can no longer be read, because it was erased or never was a fact, is left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, select, tuple_

from holdpoint.ledger.confirmations import record_in
from holdpoint.ledger.entries import Record
from holdpoint.ledger.tables import bodies, events
from holdpoint.messages.base import Message
from holdpoint.messages.call import Intent, Propose
from holdpoint.messages.hold import Denied, Halted, Hold, HoldFact, Outcome, Passed, Resolved
from holdpoint.messages.hold import Witnessed as Seen
from holdpoint.messages.policy import VerdictKind
from holdpoint.messages.subjects import ANSWERS, CALLS, HOLDS, TYPES, call_place, stream

CHUNK = 500
"""Facts held in memory at a time; SQLite takes some thousand values in one question."""

_FIRST: Mapping[type[HoldFact], VerdictKind] = {
    Passed: VerdictKind.PASS,
    Seen: VerdictKind.WITNESS,
    Denied: VerdictKind.DENY,
    Halted: VerdictKind.HOLD,
}
_BY_PEOPLE = frozenset({Outcome.CONFIRMED, Outcome.CANCELLED})


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """A call or a sentence as it came, and what the gate said of it at once."""

    hold: Hold
    verdict: VerdictKind
    call: Propose | Intent | None
    """None when the ledger does not hold it, or a person edited what was proposed."""


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """A hold that people ended with their answers."""

    hold: Hold
    confirmed: bool
    took: timedelta
    """From the proposal to the last answer."""


def judged(connection: Connection, since: datetime | None) -> Iterator[Judged]:
    """What was judged, each hold once?"""
    known: set[str] = set()
    for facts in _facts(connection, tuple(_FIRST), since):
        first = [told for record in facts if (told := _first(record)) and _new(told, known)]
        calls = _calls(connection, [fact for _, fact in first])
        for verdict, fact in first:
            call = calls.get((fact.hold.tenant, fact.cause))
            yield Judged(hold=fact.hold, verdict=verdict, call=call)


def answered(connection: Connection, since: datetime | None) -> Iterator[Answered]:
    """Which holds did people end, and how long did that take?"""
    for facts in _facts(connection, (Resolved,), since):
        for record in facts:
            ended = record.message(Resolved)
            if ended is not None and _by_people(ended):
                yield Answered(
                    hold=ended.hold,
                    confirmed=ended.outcome is Outcome.CONFIRMED,
                    took=(ended.hold.resolved_at or record.entry.at) - ended.hold.proposed_at,
                )


def outcomes(connection: Connection, since: datetime | None) -> dict[str, Outcome]:
    """How did each hold that was resolved end? By its id."""
    ended = (
        told
        for facts in _facts(connection, (Resolved,), since)
        for record in facts
        if (told := record.message(Resolved))
    )
    found: dict[str, Outcome] = {}
    for one in ended:
        found.setdefault(one.hold.hold_id, one.outcome)
    return found


def said(connection: Connection) -> Iterator[Propose | Intent]:
    """What did agents propose or announce, those refused included?"""
    for records in _records(connection, CALLS, (Propose, Intent), None):
        for record in records:
            if call := record.message(Propose) or record.message(Intent):
                yield call


def _by_people(ended: Resolved) -> bool:
    """The kill switch cancels too; its cause is no answer."""
    return ended.outcome in _BY_PEOPLE and ended.cause.startswith(f"{ANSWERS}:")


def _facts(
    connection: Connection, kinds: Sequence[type[HoldFact]], since: datetime | None
) -> Iterator[list[Record]]:
    return _records(connection, HOLDS, kinds, since)


def _records(
    connection: Connection, lane: str, kinds: Sequence[type[Message]], since: datetime | None
) -> Iterator[list[Record]]:
    wanted = (
        select(events, bodies.c.body)
        .join(bodies)
        .where(events.c.src_stream.startswith(stream("", lane), autoescape=True))
        .where(events.c.type.in_([TYPES[kind] for kind in kinds]))
        .order_by(events.c.seq)
    )
    if since is not None:
        wanted = wanted.where(events.c.time >= since)
    found = connection.execute(wanted, execution_options={"yield_per": CHUNK})
    for rows in found.partitions():
        yield [record_in(row) for row in rows]


def _first(record: Record) -> tuple[VerdictKind, HoldFact] | None:
    for kind, verdict in _FIRST.items():
        if (fact := record.message(kind)) is not None:
            return verdict, fact
    return None


def _new(told: tuple[VerdictKind, HoldFact], known: set[str]) -> bool:
    """Return whether nothing was told of its hold before: a grant may be minted again."""
    hold_id = told[1].hold.hold_id
    if hold_id in known:
        return False
    known.add(hold_id)
    return True


def _calls(
    connection: Connection, facts: Sequence[HoldFact]
) -> dict[tuple[str, str], Propose | Intent]:
    """The calls that these facts name as their causes, by tenant and cause."""
    sources = [
        (stream(fact.hold.tenant, place[0]), place[1])
        for fact in facts
        if (place := call_place(fact.cause))
    ]
    rows: Sequence[Row[Any]] = connection.execute(
        select(events, bodies.c.body)
        .join(bodies)
        .where(tuple_(events.c.src_stream, events.c.src_seq).in_(sources))
    ).all()
    records = [record_in(row) for row in rows]
    said = ((each, each.message(Propose) or each.message(Intent)) for each in records)
    return {(each.place.tenant, each.entry.cause): call for each, call in said if call is not None}
