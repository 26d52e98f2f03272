"""Exceptions that an auditor looks at first: the questions whose answers should be empty.

Facts are held against answers too: whoever has the gate's keys can sign a yes that nobody gave, but
the answers stand in a stream of their own, where the broker lets each person speak for nobody else.
"""

from collections.abc import Collection, Iterator
from datetime import datetime
from enum import StrEnum
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Select, and_, exists, or_, select

from holdpoint.core.quorum import answers_to
from holdpoint.ledger.confirmations import record_in, records_in
from holdpoint.ledger.entries import Record
from holdpoint.ledger.queries import gaps
from holdpoint.ledger.tables import bodies, confirmation_events, events, runs, verifications
from holdpoint.messages.answer import Answer, Choice
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
        *executed_without_approval(connection),
        *approved_not_executed(connection, before),
        *in_doubt(connection),
        *lapsed(connection),
        *unsigned(connection),
        *ended_otherwise(connection),
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


def executed_without_approval(connection: Connection) -> list[Finding]:
    """What did a worker start or finish that the gate never let go?"""
    began = or_(runs.c.started_at.is_not(None), runs.c.finished_at.is_not(None))
    let_go = exists().where(
        events.c.hold_id == runs.c.hold_id,
        _is_leave(),
        events.c.subject.endswith("." + runs.c.domain),
    )
    return _about_runs(connection, Kind.EXECUTED_WITHOUT_APPROVAL, began & ~let_go)


def approved_not_executed(connection: Connection, before: datetime) -> list[Finding]:
    """What was let go before this time, and no worker ever started it, and nobody closed it?

    Of what was erased nobody can say.
    """
    settled = exists().where(
        runs.c.hold_id == events.c.hold_id,
        or_(
            runs.c.started_at.is_not(None),
            runs.c.finished_at.is_not(None),
            runs.c.in_doubt_at.is_not(None),
            runs.c.barred_at.is_not(None),
            runs.c.lapsed_at.is_not(None),
        ),
    )
    wanted = select(events).join(bodies).where(_is_leave(), events.c.time < before, ~settled)
    return _about_events(connection, Kind.APPROVED_NOT_EXECUTED, wanted)


def in_doubt(connection: Connection) -> list[Finding]:
    """Of which effects does nobody know whether they happened?"""
    open_doubt = runs.c.in_doubt_at.is_not(None) & runs.c.finished_at.is_(None)
    return _about_runs(connection, Kind.IN_DOUBT, open_doubt)


def lapsed(connection: Connection) -> list[Finding]:
    """What was approved and not started in time?"""
    return _about_runs(connection, Kind.LAPSED, runs.c.lapsed_at.is_not(None))


def ended_otherwise(connection: Connection) -> list[Finding]:
    """What did people approve that then failed, or found its preconditions changed?"""
    approved = exists().where(
        confirmation_events.c.hold_id == runs.c.hold_id, confirmation_events.c.user_response
    )
    otherwise = runs.c.status.in_([RunStatus.FAILED, RunStatus.PRECONDITION_FAILED])
    return _about_runs(connection, Kind.ENDED_OTHERWISE, otherwise & approved)


def unsigned(connection: Connection) -> list[Finding]:
    """Which facts of gate and workers carry no signature, or one that does not verify?"""
    failed = exists().where(verifications.c.seq == events.c.seq, verifications.c.ok.is_(False))
    signed = or_(*(_in_stream(kind) for kind in (HOLDS, RUNS, CARDS, STATE)))
    wanted = select(events).where(signed, or_(events.c.signature.is_(None), failed))
    return _about_events(connection, Kind.UNSIGNED, wanted)


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


def _is_leave() -> ColumnElement[bool]:
    """A fact on which a worker may act: the gate names the domain in its subject."""
    return and_(
        _in_stream(HOLDS),
        events.c.type.in_(_LETS_RUN),
        ~events.c.subject.endswith(f".{NO_DOMAIN}"),
    )


def _in_stream(kind: str) -> ColumnElement[bool]:
    return events.c.src_stream.startswith(f"HP_{kind}_", autoescape=True)


def _about_runs(
    connection: Connection, kind: Kind, condition: ColumnElement[bool]
) -> list[Finding]:
    wanted = select(runs).where(condition).order_by(runs.c.hold_id, runs.c.domain)
    return [
        Finding(
            kind=kind,
            at=row.started_at or row.in_doubt_at or row.finished_at or row.lapsed_at,
            hold_id=row.hold_id,
            agent=row.agent,
            subject=row.domain,
        )
        for row in connection.execute(wanted)
    ]


def _about_events(connection: Connection, kind: Kind, wanted: Select[Any]) -> list[Finding]:
    return [
        Finding(kind=kind, at=row.time, hold_id=row.hold_id, agent=row.agent, subject=row.subject)
        for row in connection.execute(wanted.order_by(events.c.seq))
    ]


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
