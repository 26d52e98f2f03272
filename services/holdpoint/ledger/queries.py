"""Queries to the ledger: one function for each question. All of them only read."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import replace
from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    case,
    func,
    or_,
    select,
)

from holdpoint.ledger.answers import MOST_AT_ONCE, seats_of
from holdpoint.ledger.confirmations import records_in
from holdpoint.ledger.entries import Record
from holdpoint.ledger.refused_calls import refusals_of, refused_saying
from holdpoint.ledger.search import Search, about_action, inline, matching
from holdpoint.ledger.tables import bodies, confirmation_events, events, verifications
from holdpoint.messages.base import JsonObject
from holdpoint.messages.codec import UnreadableError, message_in
from holdpoint.messages.hold import Denied, Halted, Refused
from holdpoint.messages.subjects import HOLDS, TYPES, call_place, stream, tenant_of

MOST_NAMED = 5
"""Ids that are told when more than one fits."""

REFUSED = TYPES[Refused]


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """One event of the ledger, without its body."""

    seq: int
    src_stream: str
    src_seq: int
    subject: str
    type: str
    time: datetime
    hold_id: str | None
    agent: str | None
    principal: str | None
    signature: str | None
    verified: bool | None
    """None while nobody has looked, or when there is nothing to verify."""

    body_sha256: str
    erased: bool = False
    """True if the message itself is gone, as the ledger says."""

    code: str | None = None
    """Of a refusal: stable."""

    reason: str | None = None
    """Of a refusal: what happened and what to do next."""

    @property
    def refused(self) -> str | None:
        """Both in one line."""
        return f"{self.code}: {self.reason}" if self.code else None


class ConfirmationEvent(msgspec.Struct, frozen=True, kw_only=True):
    """Seed 002's event, its fields first, and what an auditor asks next."""

    timestamp: datetime
    agent_reasoning: str | None
    proposed_action: JsonObject
    risk_assessment: str
    user_response: bool
    final_action: JsonObject | None
    hold_id: str
    tenant: str
    agent: str
    on_behalf_of: str
    outcome: str
    answered: bool
    reason: str
    approvers: list[str]
    resolved_by: str | None
    answered_for: dict[str, str] = {}
    """Of people who answered in another's place: the approver whose place it was."""

    halted_at: datetime | None
    policy_version: str
    digest: str
    proposal: str | None
    resumed: bool | None
    ended_as: str | None
    enforcement: str = ""
    """What keeps it from running without its yes, as it was decided; empty of older ones."""
    level: int | None
    groups: list[str]
    """Groups that were asked."""

    signals: list[tuple[str, str]]
    """Rule and risk level of each signal."""

    seconds_shown: float | None
    """How long the card stood on the screen of the person whose answer ended it."""

    shown_at: datetime | None
    answered_at: datetime | None
    resumed_at: datetime | None
    grant_nonce: str | None
    worker: str | None
    run_status: str | None


class Gap(msgspec.Struct, frozen=True, kw_only=True):
    """Sequences of a source stream that the ledger does not hold."""

    stream: str
    first: int
    last: int
    next_at: datetime
    """The broker's time of the message after them."""

    after: int = 0
    before: int = 0
    """Events of the ledger between which they belong."""


def events_found(connection: Connection, search: Search) -> list[Found]:
    """Which events match, oldest first? Those of a hold include the proposal it came from."""
    wanted = (
        select(
            events,
            verifications.c.ok.label("verified"),
            case((events.c.type == REFUSED, bodies.c.body)).label("body"),
            bodies.c.seq.is_(None).label("erased"),
        )
        .outerjoin(verifications)
        .outerjoin(bodies, bodies.c.seq == events.c.seq)
        .where(*wanted_events(connection, search))
    )
    kept = _kept(wanted, search, (events.c.time, events.c.seq))
    return [_found(row) for row in _in_time(connection.execute(kept), search)]


def wanted_events(connection: Connection, search: Search) -> list[ColumnElement[bool]]:
    """Return the conditions of a search on `events`; of a hold also the proposal it came from.

    A text is looked for in refused calls too, which no other filter on an action fits.
    """
    of_it = [of_hold(connection, search.hold)] if search.hold else []
    search = replace(search, hold=None)
    rest = replace(search, text=None)
    if not search.text or about_action(rest, events.c.hold_id):
        return [*of_it, *about_events(search)]
    refused = events.c.seq.in_(inline(refused_saying(connection, search.text)))
    return [*of_it, *about_events(rest), or_(refused, *about_action(search, events.c.hold_id))]


def confirmations_found(connection: Connection, search: Search) -> list[ConfirmationEvent]:
    """Which confirmations match, oldest first?"""
    table = confirmation_events
    wanted: Select[Any] = select(table).where(*about_confirmations(search))
    kept = _kept(wanted, search, (table.c.timestamp, table.c.hold_id))
    rows = list(_in_time(connection.execute(kept), search))
    holds = [row.hold_id for row in rows]
    grades, seats = _enforcements(connection, holds), seats_of(connection, holds)
    return [
        _confirmation(row, grades.get(row.hold_id, ""), seats.get(row.hold_id, {})) for row in rows
    ]


def about_events(search: Search) -> list[ColumnElement[bool]]:
    """Conditions of a search on `events`; of an agent also what refused its messages."""
    columns = {"hold_id": events.c.hold_id, "agent": events.c.agent, "time": events.c.time}
    its = [events.c.hold_id == search.hold] if search.hold else []
    if search.agent:
        its.append(or_(events.c.agent == search.agent, refusals_of(search.agent)))
    return [*its, *matching(replace(search, agent=None), **columns)]


def about_confirmations(search: Search) -> list[ColumnElement[bool]]:
    """Conditions of a search on `confirmation_events`."""
    table = confirmation_events
    columns = {"hold_id": table.c.hold_id, "agent": table.c.agent, "time": table.c.timestamp}
    its = [table.c.hold_id == search.hold] if search.hold else []
    return [*its, *matching(search, **columns)]


def holds_beginning(connection: Connection, prefix: str, agent: str) -> list[str]:
    """Which holds' ids begin so? Of every agent if none is named; a few of them are too many."""
    wanted = select(events.c.hold_id).where(events.c.hold_id.startswith(prefix, autoescape=True))
    if agent:
        wanted = wanted.where(events.c.agent == agent)
    named = wanted.distinct().order_by(events.c.hold_id).limit(MOST_NAMED)
    return list(connection.scalars(named))


def agents_beginning(connection: Connection, prefix: str) -> list[str]:
    """Whose holds' ids begin so? A few agents are too many."""
    named = select(events.c.agent).where(
        events.c.hold_id.startswith(prefix, autoescape=True), events.c.agent.is_not(None)
    )
    return list(connection.scalars(named.distinct().order_by(events.c.agent).limit(MOST_NAMED)))


def gaps(connection: Connection) -> list[Gap]:
    """Which source sequences are missing? (A1: from 1 to the last, each is here once.)"""
    before, after = (
        func.lag(column, 1, 0).over(partition_by=events.c.src_stream, order_by=events.c.src_seq)
        for column in (events.c.src_seq, events.c.seq)
    )
    its = (events.c.src_stream, events.c.src_seq, events.c.time, events.c.seq)
    walked = select(*its, before.label("before"), after.label("after")).subquery()
    missing = (
        select(walked)
        .where(walked.c.src_seq > walked.c.before + 1)
        .order_by(walked.c.src_stream, walked.c.src_seq)
    )
    return [
        Gap(
            stream=row.src_stream,
            first=row.before + 1,
            last=row.src_seq - 1,
            next_at=row.time,
            after=row.after,
            before=row.seq,
        )
        for row in connection.execute(missing)
    ]


def proposal_of(connection: Connection, hold_id: str) -> tuple[str, int] | None:
    """Which CALLS message did this hold come from? Its first fact names it."""
    in_holds = events.c.src_stream.contains(f"_{HOLDS}_")
    for fact in records_in(connection, events.c.hold_id == hold_id, in_holds)[:1]:
        if place := call_place(_cause(fact)):
            source, seq = place
            return stream(tenant_of(fact.entry.stream), source), seq
    return None


def proposals_of(connection: Connection, fits: ColumnElement[bool]) -> dict[str, list[int]]:
    """Return the calls that the holds of these events came from: sequences, by stream."""
    holds = connection.scalars(select(events.c.hold_id).where(fits).distinct()).all()
    found: dict[str, list[int]] = {}
    for hold_id in filter(None, holds):
        if source := proposal_of(connection, hold_id):
            found.setdefault(source[0], []).append(source[1])
    return found


def _kept(
    wanted: Select[Any], search: Search, order: tuple[ColumnElement[Any], ...]
) -> Select[Any]:
    by = tuple(column.desc() for column in order) if search.newest else order
    return wanted.order_by(*by).limit(search.limit)


def _in_time(rows: Iterable[Row[Any]], search: Search) -> Iterable[Row[Any]]:
    """Oldest first, whichever end was asked for."""
    return reversed(list(rows)) if search.newest else rows


def _found(row: Row[Any]) -> Found:
    kept = {name: it for name, it in row._asdict().items() if name in Found.__struct_fields__}
    refused = _refusal(row.body) if row.body is not None else None
    if refused is None:
        return Found(**kept)
    return Found(**kept, code=refused.code, reason=refused.text)


def _refusal(body: bytes) -> Refused | None:
    try:
        return message_in(body, Refused)
    except UnreadableError:
        return None


class _Caused(msgspec.Struct, frozen=True):
    cause: str = ""


def _cause(fact: Record) -> str:
    try:
        data = bytes(fact.event.data) if fact.event else b"{}"
        return msgspec.json.decode(data, type=_Caused).cause
    except msgspec.MsgspecError:
        return ""


def of_hold(connection: Connection, hold_id: str) -> ColumnElement[bool]:
    """Match what happened to a hold, and the proposal that it came from."""
    source = proposal_of(connection, hold_id)
    if source is None:
        return events.c.hold_id == hold_id
    stream, seq = source
    proposal = (events.c.src_stream == stream) & (events.c.src_seq == seq)
    return or_(events.c.hold_id == hold_id, proposal)


def _enforcements(connection: Connection, holds: list[str]) -> dict[str, str]:
    """The grade that the first fact of each hold says."""
    kinds = [TYPES[kind] for kind in (Halted, Denied)]
    found: dict[str, str] = {}
    for at in range(0, len(holds), MOST_AT_ONCE):
        these = events.c.hold_id.in_(holds[at : at + MOST_AT_ONCE])
        for record in records_in(connection, these, events.c.type.in_(kinds)):
            fact = record.message(Halted) or record.message(Denied)
            if fact is not None and record.hold_id and fact.hold.enforcement:
                found.setdefault(record.hold_id, fact.hold.enforcement.value)
    return found


def _confirmation(
    row: Row[Any], enforcement: str, answered_for: dict[str, str]
) -> ConfirmationEvent:
    columns = row._asdict()
    final = columns["final_action"]
    return ConfirmationEvent(
        **columns
        | {
            "proposed_action": msgspec.json.decode(columns["proposed_action"]),
            "final_action": msgspec.json.decode(final) if final is not None else None,
            "approvers": msgspec.json.decode(columns["approvers"]),
            "enforcement": enforcement,
            "answered_for": answered_for,
            "groups": msgspec.json.decode(columns["groups"] or "[]"),
            "signals": msgspec.json.decode(columns["signals"] or "[]", type=list[tuple[str, str]]),
        }
    )
