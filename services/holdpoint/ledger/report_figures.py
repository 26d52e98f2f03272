"""Figures of a time span: what agents did, what people said to it, and what needs explaining."""

from collections import Counter
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Text, cast, func, select

from holdpoint.ledger.exceptions import every_exception
from holdpoint.ledger.reviewers import Reviewer, reviewers_found
from holdpoint.ledger.search import Search
from holdpoint.ledger.tables import confirmation_events, decisions, events

MOST_SHOWN = 10
"""Tools and agents that are named; the rest is in the sums."""

DAY = len("2026-11-27")


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """Counts of a time span, each largest first, days in their order."""

    since: datetime
    until: datetime
    """Exclusive."""

    events: int
    actions: int
    days: dict[str, int]
    verdicts: dict[str, int]
    risks: dict[str, int]
    levels: dict[str, int]
    domains: dict[str, int]
    tools: dict[str, int]
    agents: dict[str, int]
    outcomes: dict[str, int]
    runs: dict[str, int]
    """Ends of the runs of what people approved."""

    reviewers: tuple[Reviewer, ...]
    exceptions: dict[str, int]


def figures_of(connection: Connection, since: datetime, until: datetime) -> Figures:
    """How much of each was there from `since` on and before `until`?"""
    judged = (decisions.c.at >= since, decisions.c.at < until)
    table = confirmation_events
    ended = (table.c.timestamp >= since, table.c.timestamp < until)
    day = func.substr(cast(decisions.c.at, Text), 1, DAY)
    verdicts = _counted(connection, decisions.c.verdict, *judged)
    findings = every_exception(connection, until)
    return Figures(
        since=since,
        until=until,
        events=_number_of_events(connection, since, until),
        actions=sum(verdicts.values()),
        days=dict(sorted(_counted(connection, day, *judged).items())),
        verdicts=verdicts,
        risks=_counted(connection, decisions.c.risk, *judged),
        levels=_counted(connection, decisions.c.level, *judged),
        domains=_counted(connection, decisions.c.domain, decisions.c.domain != "", *judged),
        tools=_most(_counted(connection, decisions.c.tool, decisions.c.tool != "", *judged)),
        agents=_most(_counted(connection, decisions.c.agent, *judged)),
        outcomes=_counted(connection, table.c.outcome, *ended),
        runs=_counted(connection, table.c.run_status, table.c.run_status.is_not(None), *ended),
        reviewers=tuple(reviewers_found(connection, Search(since=since, until=until, limit=1))),
        exceptions=dict(Counter(it.kind.value for it in findings if since <= it.at < until)),
    )


def _number_of_events(connection: Connection, since: datetime, until: datetime) -> int:
    counted = select(func.count()).where(events.c.time >= since, events.c.time < until)
    return connection.scalar(counted) or 0


def _counted(
    connection: Connection, column: ColumnElement[Any], *conditions: ColumnElement[bool]
) -> dict[str, int]:
    wanted = select(column, func.count()).where(*conditions).group_by(column)
    found = {str(value): count for value, count in connection.execute(wanted)}
    return dict(sorted(found.items(), key=lambda it: (-it[1], it[0])))


def _most(counts: dict[str, int]) -> dict[str, int]:
    return dict(list(counts.items())[:MOST_SHOWN])
