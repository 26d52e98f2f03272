"""Exceptions that an auditor looks at first: the questions whose answers should be empty.

Facts are held against answers too: anyone who has the gate's keys can sign a yes that nobody gave,
but the answers stand in a stream of their own, where the broker lets each person speak for nobody
else.
"""

from collections.abc import Collection, Iterator
from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Select, and_, exists, func, or_, select

from holdpoint.core.quorum import answers_to
from holdpoint.ledger.confirmations import record_in, records_in
from holdpoint.ledger.entries import LEDGER, LEDGER_TYPES, REFILLED, Record, Refilled
from holdpoint.ledger.queries import gaps
from holdpoint.ledger.tables import (
    Moment,
    bodies,
    confirmation_events,
    events,
    runs,
    verifications,
)
from holdpoint.messages.answer import Answer, Choice
from holdpoint.messages.base import Event
from holdpoint.messages.hold import EndedBy, Hold, Outcome, Passed, Resolved, Resumed, Witnessed
from holdpoint.messages.run import RunStatus
from holdpoint.messages.subjects import ANSWERS, CARDS, HOLDS, NO_DOMAIN, RUNS, STATE, TYPES

_LETS_RUN = tuple(TYPES[kind] for kind in (Passed, Witnessed, Resumed))


CHUNK = 500
"""Facts held in memory at a time; SQLite takes some thousand values in one question."""

_ENDS = (TYPES[Resolved], TYPES[Resumed])


class Kind(StrEnum):
    """In what way something is not as it should be."""

    EXECUTED_WITHOUT_APPROVAL = "executed_without_approval"
    APPROVED_NOT_EXECUTED = "approved_not_executed"
    IN_DOUBT = "in_doubt"
    LAPSED = "lapsed"
    UNSIGNED = "unsigned"
    ENDED_OTHERWISE = "ended_otherwise"
    LEDGER_REFILLED = "ledger_refilled"
    ANSWER_MISSING = "answer_missing"
    MESSAGES_MISSING = "messages_missing"


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to look into."""

    kind: Kind
    at: datetime
    hold_id: str | None
    agent: str | None
    subject: str
    """The event's subject, the domain that the run is reported by, or `<stream>:<first>-<last>`."""


def every_exception(connection: Connection, before: datetime) -> list[Finding]:
    """What needs an explanation? What something else should follow or precede, a run or an answer
    on another stream, counts only when it is older than `before`: the streams come independently.
    """
    return [
        *(
            found
            for kind in in_sql()
            for found in of_kind(connection, kind)
            if kind is not Kind.APPROVED_NOT_EXECUTED or found.at < before
        ),
        *answer_missing(connection, before),
        *messages_missing(connection),
    ]


def messages_missing(connection: Connection) -> list[Finding]:
    """Which messages were gone from their stream before the ledger read them?"""
    return [
        Finding(
            kind=Kind.MESSAGES_MISSING,
            at=gap.next_at,
            hold_id=None,
            agent=None,
            subject=f"{gap.stream}:{gap.first}-{gap.last}",
        )
        for gap in gaps(connection)
    ]


def in_sql() -> dict[Kind, Select[Any]]:
    """Return the exceptions that SQL can find; the view `exceptions` is all of these."""
    began = or_(runs.c.started_at.is_not(None), runs.c.finished_at.is_not(None))
    doubted = runs.c.in_doubt_at.is_not(None)
    return {
        Kind.EXECUTED_WITHOUT_APPROVAL: _about_runs(began & ~_let_go()),
        Kind.APPROVED_NOT_EXECUTED: _about_events(
            select(events).join(bodies).where(_is_leave(), ~_settled())
        ),
        Kind.IN_DOUBT: _about_runs(doubted & runs.c.finished_at.is_(None)),
        Kind.LAPSED: _about_runs(runs.c.lapsed_at.is_not(None)),
        Kind.UNSIGNED: _about_events(select(events).where(_unsigned())),
        Kind.ENDED_OTHERWISE: _about_runs(_ended_otherwise()),
        Kind.LEDGER_REFILLED: _about_events(select(events).where(is_refill())),
    }


def _let_go() -> ColumnElement[bool]:
    """The gate let this run go, in its domain."""
    return exists().where(
        events.c.hold_id == runs.c.hold_id,
        _is_leave(),
        events.c.subject.endswith("." + runs.c.domain),
    )


def _settled() -> ColumnElement[bool]:
    """A worker started it, or it was closed; of what was erased nobody can say."""
    return exists().where(
        runs.c.hold_id == events.c.hold_id,
        or_(
            runs.c.started_at.is_not(None),
            runs.c.finished_at.is_not(None),
            runs.c.in_doubt_at.is_not(None),
            runs.c.barred_at.is_not(None),
            runs.c.lapsed_at.is_not(None),
        ),
    )


def _ended_otherwise() -> ColumnElement[bool]:
    """People approved it, and then it failed or found its preconditions changed."""
    approved = exists().where(
        confirmation_events.c.hold_id == runs.c.hold_id, confirmation_events.c.user_response
    )
    return runs.c.status.in_([RunStatus.FAILED, RunStatus.PRECONDITION_FAILED]) & approved


def _unsigned() -> ColumnElement[bool]:
    """A fact of gate or worker carries no signature, or one that does not verify."""
    failed = exists().where(verifications.c.seq == events.c.seq, verifications.c.ok.is_(False))
    signed = or_(*(_in_stream(kind) for kind in (HOLDS, RUNS, CARDS, STATE)))
    return signed & or_(events.c.signature.is_(None), failed)


def answer_missing(connection: Connection, before: datetime) -> list[Finding]:
    """Which holds ended before this time by a yes or a no that nobody gave? Each hold once."""
    first: dict[str | None, Finding] = {}
    for fact in without_answer(connection, before):
        finding = Finding(
            kind=Kind.ANSWER_MISSING,
            at=fact.entry.at,
            hold_id=fact.hold_id,
            agent=fact.place.agent,
            subject=fact.entry.subject,
        )
        first.setdefault(fact.hold_id, finding)
    return list(first.values())


def is_refill() -> ColumnElement[bool]:
    """The ledger was begun although its streams were not new: it was lost."""
    return and_(_in_stream(LEDGER), events.c.type == LEDGER_TYPES[REFILLED])


def refill_of(connection: Connection) -> tuple[datetime, int] | None:
    """Return when the ledger was started over, and how many messages the streams held then."""
    asked = select(events.c.time, bodies.c.body).join(bodies).where(is_refill()).limit(1)
    row = connection.execute(asked).one_or_none()
    if row is None:
        return None
    event = msgspec.json.decode(row.body, type=Event)
    return row.time, msgspec.json.decode(bytes(event.data), type=Refilled).messages


def _is_leave() -> ColumnElement[bool]:
    """A fact on which a worker may act: the gate names the domain in its subject."""
    return and_(
        _in_stream(HOLDS),
        events.c.type.in_(_LETS_RUN),
        ~events.c.subject.endswith(f".{NO_DOMAIN}"),
    )


def _in_stream(kind: str) -> ColumnElement[bool]:
    return events.c.src_stream.startswith(f"HP_{kind}_", autoescape=True)


def _about_runs(condition: ColumnElement[bool]) -> Select[Any]:
    at = func.coalesce(
        runs.c.started_at, runs.c.in_doubt_at, runs.c.finished_at, runs.c.lapsed_at, type_=Moment
    )
    columns = (at.label("at"), runs.c.hold_id, runs.c.agent, runs.c.domain.label("subject"))
    return select(*columns).where(condition)


def _about_events(wanted: Select[Any]) -> Select[Any]:
    return wanted.with_only_columns(
        events.c.time.label("at"), events.c.hold_id, events.c.agent, events.c.subject
    )


def of_kind(connection: Connection, kind: Kind) -> list[Finding]:
    """Return the exceptions of one kind that SQL can find, oldest first."""
    rows = connection.execute(in_sql()[kind].order_by("at", "hold_id", "subject"))
    return [Finding(kind=kind, **row._asdict()) for row in rows]


class GivenAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One person's word on one hold, as its answer says it and as a fact has to repeat it."""

    cause: str
    hold_id: str | None
    person: str | None
    on_behalf_of: str
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
        given = _given(connection, {it for fact in facts for it in _answered(fact)})
        yield from (fact for fact in facts if not claimed_answers(fact) <= given)


def _given(connection: Connection, holds: Collection[str]) -> set[GivenAnswer]:
    """Every answer to these holds."""
    records = records_in(
        connection,
        events.c.src_stream.startswith(f"HP_{ANSWERS}_", autoescape=True),
        events.c.hold_id.in_(list(holds)),
        events.c.type == TYPES[Answer],
    )
    return {
        answer_given(record, answer) for record in records if (answer := record.message(Answer))
    }


def _answered(fact: Record) -> set[str]:
    """The holds whose answers a fact may rest on: its own, and the sentence's that announced it."""
    told = fact.message(Resolved) or fact.message(Resumed)
    announced = {told.hold.announced.hold_id} if told and told.hold.announced else set[str]()
    return announced | {fact.hold_id} if fact.hold_id else announced


def answer_given(record: Record, answer: Answer) -> GivenAnswer:
    """Return one person's word as their answer says it."""
    return GivenAnswer(
        cause=record.entry.cause,
        hold_id=record.hold_id,
        person=record.place.principal,
        on_behalf_of=answer.on_behalf_of,
        choice=answer.answer,
        digest=answer.digest,
    )


def claimed_answers(fact: Record) -> set[GivenAnswer]:
    """Which answers must be there for this fact to be true?"""
    if modified := _change(fact):
        return {modified}
    if resumed := fact.message(Resumed):
        return _yeses(fact, resumed.hold, resumed.cause) if resumed.confirmed else set()
    if resolved := fact.message(Resolved):
        yeses = _yeses(fact, resolved.hold, resolved.cause)
        return yeses | _no(fact, resolved)
    return set()


def _change(fact: Record) -> GivenAnswer | None:
    """The answer by which a person changed the call into another one."""
    resolved = fact.message(Resolved)
    if resolved is None or resolved.outcome is not Outcome.SUPERSEDED:
        return None
    if resolved.hold.ended_by is not EndedBy.PERSON:
        return None
    return GivenAnswer(
        cause=resolved.cause,
        hold_id=fact.hold_id,
        person=resolved.by,
        on_behalf_of=resolved.hold.closed_for,
        choice=Choice.MODIFY,
        digest=resolved.hold.digest,
    )


def _yeses(fact: Record, hold: Hold, cause: str) -> set[GivenAnswer]:
    """One for each voice, in the order in which they were counted; a yes without any is none."""
    said = hold.announced if hold.announced and hold.announced.voices else None
    own = list(answers_to(hold))
    counted = list(said.answers) if said else own
    people = [(voice.person, voice.on_behalf_of) for voice in hold.voices]
    if not people and hold.outcome is Outcome.CONFIRMED:
        people, counted = [("", "")], [cause]
    missing = [""] * (len(people) - len(counted))
    return {
        GivenAnswer(
            cause=each,
            hold_id=said.hold_id if said else fact.hold_id,
            person=person,
            on_behalf_of=seat,
            choice=Choice.PROCEED,
            digest=said.digest if said else hold.digest,
        )
        for each, (person, seat) in zip([*counted, *missing], people, strict=False)
    }


def _no(fact: Record, resolved: Resolved) -> set[GivenAnswer]:
    """The kill switch cancels too; its cause is no answer."""
    is_answer = resolved.cause.startswith(f"{ANSWERS}:")
    if resolved.outcome is not Outcome.CANCELLED or not is_answer:
        return set()
    said = GivenAnswer(
        cause=resolved.cause,
        hold_id=fact.hold_id,
        person=resolved.by,
        on_behalf_of=resolved.hold.closed_for,
        choice=Choice.CANCEL,
        digest=resolved.hold.digest,
    )
    return {said}
