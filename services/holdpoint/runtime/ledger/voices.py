"""Facts against answers: whether people said what the gate says that they said.

Whoever has the gate's keys can sign a yes that nobody gave. The answers themselves stand in a
stream of their own, where the broker lets each person speak for nobody else.
"""

from collections.abc import Collection, Iterator
from datetime import datetime

import msgspec
from sqlalchemy import Connection, select

from holdpoint.messages.answer import Answer, Choice
from holdpoint.messages.hold import Hold, Outcome, Resolved, Resumed
from holdpoint.messages.subjects import ANSWERS, HOLDS, TYPES
from holdpoint.runtime.ledger.confirmations import record_in, records_in
from holdpoint.runtime.ledger.entries import Record
from holdpoint.runtime.ledger.tables import bodies, events

CHUNK = 500
"""Facts held in memory at a time; SQLite takes some thousand values in one question."""

_ENDS = (TYPES[Resolved], TYPES[Resumed])


class _Said(msgspec.Struct, frozen=True, kw_only=True):
    """One person's word on one hold, as its answer says it and as a fact has to repeat it."""

    cause: str
    hold_id: str | None
    person: str | None
    choice: Choice
    digest: str


def without_answer(connection: Connection, before: datetime) -> Iterator[Record]:
    """Which ends of holds before this time rest on an answer that the ledger does not hold?"""
    ends = (
        select(events, bodies.c.body)
        .join(bodies)
        .where(events.c.src_stream.startswith(f"HP_{HOLDS}_", autoescape=True))
        .where(events.c.type.in_(_ENDS), events.c.time < before)
        .order_by(events.c.seq)
    )
    found = connection.execute(ends, execution_options={"yield_per": CHUNK})
    for rows in found.partitions():
        facts = [record_in(row) for row in rows]
        given = _given(connection, {fact.hold_id for fact in facts if fact.hold_id})
        yield from (fact for fact in facts if not _claimed(fact) <= given)


def _given(connection: Connection, holds: Collection[str]) -> set[_Said]:
    """Every answer to these holds."""
    records = records_in(
        connection,
        events.c.src_stream.startswith(f"HP_{ANSWERS}_", autoescape=True),
        events.c.hold_id.in_(list(holds)),
        events.c.type == TYPES[Answer],
    )
    return {_said(record, answer) for record in records if (answer := record.message(Answer))}


def _said(record: Record, answer: Answer) -> _Said:
    return _Said(
        cause=record.entry.cause,
        hold_id=record.hold_id,
        person=record.place.principal,
        choice=answer.answer,
        digest=answer.digest,
    )


def _claimed(fact: Record) -> set[_Said]:
    """Which answers must be there for this fact to be true?"""
    if resumed := fact.message(Resumed):
        return _yeses(fact, resumed.hold, resumed.cause) if resumed.confirmed else set()
    if resolved := fact.message(Resolved):
        yeses = _yeses(fact, resolved.hold, resolved.cause)
        return yeses | _no(fact, resolved)
    return set()


def _yeses(fact: Record, hold: Hold, cause: str) -> set[_Said]:
    """One for each voice, in the order in which they were counted; a yes without any is none."""
    counted = [each for each in hold.causes if each.startswith(f"{ANSWERS}:")]
    people = [voice.person for voice in hold.voices]
    if not people and hold.outcome is Outcome.CONFIRMED:
        people, counted = [""], [cause]
    missing = [""] * (len(people) - len(counted))
    return {
        _Said(
            cause=each,
            hold_id=fact.hold_id,
            person=person,
            choice=Choice.PROCEED,
            digest=hold.digest,
        )
        for each, person in zip([*counted, *missing], people, strict=False)
    }


def _no(fact: Record, resolved: Resolved) -> set[_Said]:
    """The kill switch cancels too; its cause is no answer."""
    is_answer = resolved.cause.startswith(f"{ANSWERS}:")
    if resolved.outcome is not Outcome.CANCELLED or not is_answer:
        return set()
    said = _Said(
        cause=resolved.cause,
        hold_id=fact.hold_id,
        person=resolved.by,
        choice=Choice.CANCEL,
        digest=resolved.hold.digest,
    )
    return {said}
