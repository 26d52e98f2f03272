"""Queries of a reader who turns pages: newest first, one page at a time. All of it only reads.

Arguments lie in the ledger uncovered. What a page shows of a hold is its card, which the gate
masked for one group; these questions hand out a card only to the groups it was drawn for.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

import msgspec
from msgspec.structs import replace
from sqlalchemy import ColumnElement, Connection, Row, func, or_, select

from holdpoint.core.card_facts import in_place_of
from holdpoint.ledger.answers import seats_of
from holdpoint.ledger.checkpoints import newest_checkpoint
from holdpoint.ledger.confirmations import record_in, records_in
from holdpoint.ledger.entries import Record
from holdpoint.ledger.queries import about_confirmations, of_hold
from holdpoint.ledger.search import DENIED, Place, Search
from holdpoint.ledger.signatures import bad_signatures, last_verified
from holdpoint.ledger.tables import (
    bodies,
    confirmation_events,
    events,
    verifications,
)
from holdpoint.messages.base import JsonObject
from holdpoint.messages.card import Card
from holdpoint.messages.subjects import CARDS, card_subject, stream

MOST_OF_A_HOLD = 500
"""Events of one hold that a page shows; a real story has about ten."""


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """One confirmation, without what an argument could hold."""

    hold_id: str
    at: datetime
    agent: str
    on_behalf_of: str
    outcome: str
    ended_as: str
    run_status: str
    """How its run ended; empty where nothing ran yet, or nothing was to run."""

    risk: str
    tool: str
    """Empty for a sentence."""

    people: tuple[str, ...]
    """Who said yes or ended it, each with the approver in whose place they did."""

    reason: str


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """One event of a hold."""

    record: Record
    verified: bool | None
    """None while nobody has looked, or when there is nothing to verify."""


class Extent(msgspec.Struct, frozen=True, kw_only=True):
    """Extent of the ledger."""

    events: int
    checkpoint: str
    """The newest one, as `audit verify --checkpoint` takes it; empty before the first."""

    last_at: datetime | None
    verified_to: int
    """Up to which event signatures were looked at."""

    bad_signatures: int
    """Number of them that do not verify."""


def ended_found(connection: Connection, search: Search) -> list[Ended]:
    """Which confirmations match, newest first?"""
    table = confirmation_events
    asked = (
        select(table)
        .where(
            table.c.timestamp.is_not(None), *about_confirmations(search), *_beyond(search.before)
        )
        .order_by(table.c.timestamp.desc(), table.c.hold_id.desc())
        .limit(search.limit)
    )
    rows = connection.execute(asked).all()
    seats = seats_of(connection, [row.hold_id for row in rows])
    return [_ended(row, seats.get(row.hold_id, {})) for row in rows]


def denials_found(connection: Connection, search: Search) -> dict[str, int]:
    """How many calls of each agent were denied at once, the most first?"""
    table = confirmation_events
    counted = (
        select(table.c.agent, func.count())
        .where(*about_confirmations(replace(search, outcome=DENIED, asked=False, before=None)))
        .group_by(table.c.agent)
    )
    found = {str(agent): count for agent, count in connection.execute(counted)}
    return dict(sorted(found.items(), key=lambda it: (-it[1], it[0])))


def cards_found(
    connection: Connection, tenant: str, groups: Collection[str], holds: Sequence[str]
) -> dict[str, Card]:
    """What did the last card of each of these holds show, as far as these groups were asked?"""
    subjects = [card_subject(tenant, group, hold) for group in groups for hold in holds]
    newest = (
        select(func.max(events.c.seq))
        .where(
            events.c.hold_id.in_(list(holds)),
            events.c.src_stream == stream(tenant, CARDS),
            events.c.subject.in_(subjects),
        )
        .group_by(events.c.hold_id)
    )
    cards = (it.message(Card) for it in records_in(connection, events.c.seq.in_(newest)))
    return {card.hold_id: card for card in cards if card is not None}


def story_of(connection: Connection, hold_id: str) -> list[Told]:
    """What happened to this hold, in order, from its proposal on?"""
    rows = connection.execute(
        select(events, bodies.c.body, verifications.c.ok)
        .join(bodies, bodies.c.seq == events.c.seq)
        .outerjoin(verifications, verifications.c.seq == events.c.seq)
        .where(of_hold(connection, hold_id))
        .order_by(events.c.time, events.c.seq)
        .limit(MOST_OF_A_HOLD)
    )
    return [Told(record=record_in(row), verified=row.ok) for row in rows]


def progress_of(connection: Connection, hold_id: str) -> tuple[int, int]:
    """How many events of this hold are there, and of how many was the signature looked at?"""
    counted = select(func.count(events.c.seq), func.count(verifications.c.seq))
    joined = counted.select_from(events.outerjoin(verifications))
    told, verified = connection.execute(joined.where(events.c.hold_id == hold_id)).one()
    return told, verified


def extent(connection: Connection) -> Extent:
    """How far does the ledger go? What lies behind it, only `audit verify` can say."""
    last = connection.execute(
        select(events.c.seq, events.c.time).order_by(events.c.seq.desc()).limit(1)
    ).one_or_none()
    newest = newest_checkpoint(connection)
    return Extent(
        events=last.seq if last else 0,
        checkpoint=newest.note if newest else "",
        last_at=last.time if last else None,
        verified_to=last_verified(connection),
        bad_signatures=bad_signatures(connection),
    )


def _beyond(place: Place | None) -> list[ColumnElement[bool]]:
    """Column by column: a tuple's values would not be written as the columns store theirs."""
    if place is None:
        return []
    table = confirmation_events
    same_time = table.c.timestamp == place.at
    return [or_(table.c.timestamp < place.at, same_time & (table.c.hold_id < place.hold_id))]


def _ended(row: Row[tuple[object, ...]], seats: Mapping[str, str]) -> Ended:
    columns: Mapping[str, str | None] = row._asdict()
    action: JsonObject = msgspec.json.decode(columns["proposed_action"] or "{}")
    approvers: list[str] = msgspec.json.decode(columns["approvers"] or "[]")
    last = columns["resolved_by"]
    people = [*approvers, *([last] if last else [])]
    return Ended(
        hold_id=columns["hold_id"] or "",
        at=row.timestamp,
        agent=columns["agent"] or "",
        on_behalf_of=columns["on_behalf_of"] or "",
        outcome=columns["outcome"] or "",
        ended_as=columns["ended_as"] or "",
        run_status=columns["run_status"] or "",
        risk=columns["risk_assessment"] or "",
        tool=str(action.get("tool", "")),
        people=tuple(in_place_of(it, seats.get(it, "")) for it in dict.fromkeys(people)),
        reason=columns["reason"] or "",
    )
