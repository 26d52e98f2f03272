"""Figures of what people were asked: holds by day, rules by answer, streams by age. Only reads."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta

import msgspec
from sqlalchemy import ColumnElement, Connection, and_, exists, func, select

from holdpoint.ledger.confirmations import records_in
from holdpoint.ledger.search import DENIED, Search, matching
from holdpoint.ledger.tables import confirmation_events, decisions, events
from holdpoint.messages.hold import Outcome, Resolved
from holdpoint.messages.risk import Heuristic
from holdpoint.messages.subjects import HOLDS, TYPES

HALTED = "halted"
"""The verdict on a hold that people are asked about."""

OPEN_AT_MOST = timedelta(days=30)
"""The broker forgets a hold then: what is older needs no look, among millions."""

MOST_ENDINGS = 50_000
MOST_FACTS = 2_000
"""Facts have whole holds in them, so fewer are read at a time."""


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    """How and when one hold ended that people were asked about."""

    halted_at: datetime
    ended_at: datetime | None
    """None while it waits."""

    risk: str
    outcome: str
    answered: bool
    """Whether a person's answer ended it."""


class RuleCount(msgspec.Struct, frozen=True, kw_only=True):
    """How often a rule was a reason to ask people, and how they answered."""

    rule: str
    heuristic: Heuristic
    """What it worries about."""

    asked: int
    approved: int
    cancelled: int


class StreamAge(msgspec.Struct, frozen=True, kw_only=True):
    """How far the ledger holds one stream."""

    stream: str
    events: int
    last_seq: int
    last_at: datetime


def endings_found(connection: Connection, since: datetime) -> list[Ending]:
    """Find holds that were halted since then and have ended, the newest first, up to a limit."""
    table = confirmation_events
    wanted = (
        select(
            table.c.halted_at,
            table.c.timestamp,
            table.c.risk_assessment,
            table.c.outcome,
            table.c.answered,
        )
        .where(table.c.halted_at >= since, table.c.outcome != DENIED)
        .where(table.c.timestamp.is_not(None))
        .order_by(table.c.timestamp.desc())
        .limit(MOST_ENDINGS)
    )
    return [
        Ending(
            halted_at=row.halted_at,
            ended_at=row.timestamp,
            risk=row.risk_assessment or "",
            outcome=row.outcome or "",
            answered=bool(row.answered),
        )
        for row in connection.execute(wanted)
    ]


def waiting_found(connection: Connection, since: datetime) -> list[Ending]:
    """Find holds that were halted since then and still wait, the newest first, up to a limit."""
    wanted = (
        select(decisions.c.at, decisions.c.risk)
        .where(decisions.c.at >= since, _waits())
        .order_by(decisions.c.at.desc())
        .limit(MOST_ENDINGS)
    )
    return [
        Ending(halted_at=row.at, ended_at=None, risk=row.risk, outcome="", answered=False)
        for row in connection.execute(wanted)
    ]


def rules_answered(connection: Connection) -> tuple[list[RuleCount], int]:
    """Count answers where each rule fired, over the newest holds, and those holds."""
    newest = (
        select(events.c.seq)
        .where(events.c.src_stream.startswith(f"HP_{HOLDS}_", autoescape=True))
        .where(events.c.type == TYPES[Resolved])
        .order_by(events.c.seq.desc())
        .limit(MOST_FACTS)
    )
    records = records_in(connection, events.c.seq.in_(newest))
    ended = [fact for it in records if (fact := it.message(Resolved)) is not None]
    return counted(ended), len(ended)


def counted(ended: Iterable[Resolved]) -> list[RuleCount]:
    """Count each rule once for each hold, the busiest first."""
    asked, approved, cancelled = Counter[str](), Counter[str](), Counter[str]()
    kinds: dict[str, Heuristic] = {}
    for fact in ended:
        kinds |= {signal.rule: signal.heuristic for signal in fact.hold.assessment.signals}
        rules = {signal.rule for signal in fact.hold.assessment.signals}
        asked.update(rules)
        if fact.outcome is Outcome.CONFIRMED:
            approved.update(rules)
        if fact.outcome is Outcome.CANCELLED:
            cancelled.update(rules)
    return [
        RuleCount(
            rule=rule,
            heuristic=kinds[rule],
            asked=number,
            approved=approved[rule],
            cancelled=cancelled[rule],
        )
        for rule, number in sorted(asked.items(), key=lambda it: (-it[1], it[0]))
    ]


def streams_found(connection: Connection) -> list[StreamAge]:
    """Find how far the ledger holds each stream, the one with the newest event first."""
    last_at = func.max(events.c.time).label("last_at")
    rows = connection.execute(
        select(
            events.c.src_stream,
            func.count().label("number"),
            func.max(events.c.src_seq).label("last_seq"),
            last_at,
        )
        .group_by(events.c.src_stream)
        .order_by(last_at.desc(), events.c.src_stream)
    )
    return [
        StreamAge(
            stream=row.src_stream, events=row.number, last_seq=row.last_seq, last_at=row.last_at
        )
        for row in rows
    ]


def waiting(connection: Connection, search: Search) -> int:
    """Count the holds that match and wait for an answer."""
    newest: datetime | None = connection.scalar(select(func.max(decisions.c.at)))
    if newest is None:
        return 0
    columns = {"hold_id": decisions.c.hold_id, "agent": decisions.c.agent, "time": decisions.c.at}
    its = [decisions.c.hold_id == search.hold] if search.hold else []
    recent = decisions.c.at >= newest - OPEN_AT_MOST
    wanted = select(func.count()).select_from(decisions).where(recent, _waits(), *its)
    return connection.scalar(wanted.where(*matching(search, **columns))) or 0


def _waits() -> ColumnElement[bool]:
    ended = confirmation_events
    has_ended = exists().where(
        ended.c.hold_id == decisions.c.hold_id, ended.c.timestamp.is_not(None)
    )
    return and_(decisions.c.verdict == HALTED, ~has_ended)
