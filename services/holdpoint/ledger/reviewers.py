"""Figures of each reviewer: how fast they answer, and how often with yes.

Somebody whose median is a second, or who approves everything, reads no cards.
"""

from typing import Any

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    Function,
    Numeric,
    Select,
    case,
    cast,
    func,
    select,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler

from holdpoint.ledger.search import Search, matching
from holdpoint.ledger.tables import Moment, answers, decisions, events
from holdpoint.messages.answer import ANSWERING, Choice
from holdpoint.messages.hold import Rendered
from holdpoint.messages.subjects import HOLDS, TYPES

FAST_S = 3
"""Nobody reads a card in less."""


class Reviewer(msgspec.Struct, frozen=True, kw_only=True):
    """One person's answers, those that did not count left out."""

    person: str
    answers: int
    median_s: float
    """From when this person saw the card to the answer; see `_answered_after`."""

    approved: float
    """Share of answers that were a yes, from 0 to 1."""

    under_3_s: int
    """Answers that came sooner than anybody reads."""


class _seconds(Function[Any]):  # noqa: N801  # a function of SQL
    """Seconds from one moment to another, to the millisecond."""

    inherit_cache = True


@compiles(_seconds, "sqlite")
def _in_sqlite(element: _seconds, compiler: SQLCompiler, **words: Any) -> str:
    first, then = (compiler.process(it, **words) for it in element.clauses)
    return f"round((julianday({then}) - julianday({first})) * 86400, 3)"


@compiles(_seconds, "postgresql")
def _in_postgresql(element: _seconds, compiler: SQLCompiler, **words: Any) -> str:
    first, then = (compiler.process(it, **words) for it in element.clauses)
    return f"round(extract(epoch FROM {then} - {first})::numeric, 3)"


def reviewers_found(connection: Connection, search: Search) -> list[Reviewer]:
    """How did each person answer, in the order of their names?"""
    agent = select(decisions.c.agent).where(decisions.c.hold_id == answers.c.hold_id)
    conditions = matching(
        search, hold_id=answers.c.hold_id, agent=agent.scalar_subquery(), time=answers.c.at
    )
    if search.hold:
        conditions.append(answers.c.hold_id == search.hold)
    if search.person:
        conditions.append(answers.c.person == search.person)
    return [
        Reviewer(
            person=row.person,
            answers=row.answers,
            median_s=float(row.median_s),
            approved=float(row.approved),
            under_3_s=row.under_3_s,
        )
        for row in connection.execute(reviewers(*conditions).order_by("person"))
    ]


def reviewers(*conditions: ColumnElement[bool]) -> Select[Any]:
    """Return the question for every reviewer's figures; the view `reviewers` is this."""
    shown = _shown_at()
    given = (
        select(answers.c.person, answers.c.choice, _answered_after(shown).label("seconds"))
        .where(answers.c.choice.in_(sorted(ANSWERING)), answers.c.counted.is_not(False))
        .where(shown.is_not(None), *conditions)
        .subquery("given")
    )
    person, seconds = given.c.person, given.c.seconds
    placed = select(
        *given.c,
        func.row_number().over(partition_by=person, order_by=seconds).label("place"),
        func.count().over(partition_by=person).label("many"),
    ).subquery("placed")
    middle = placed.c.place.in_([(placed.c.many + 1) // 2, (placed.c.many + 2) // 2])
    yes = case((placed.c.choice == Choice.PROCEED, 1.0), else_=0.0)
    return select(
        placed.c.person,
        func.count().label("answers"),
        _rounded(func.avg(case((middle, placed.c.seconds)))).label("median_s"),
        _rounded(func.avg(yes)).label("approved"),
        func.sum(case((placed.c.seconds < FAST_S, 1), else_=0)).label("under_3_s"),
    ).group_by(placed.c.person)


def _answered_after(shown: ColumnElement[Any]) -> ColumnElement[Any]:
    """Seconds for which the card stood before its answerer.

    Where a channel does not say so (Slack), or says more than there was, since it was first shown
    to anybody.
    """
    since = _seconds("seconds", shown, answers.c.at, type_=Numeric())
    seen = answers.c.seconds_shown
    return case(((seen > 0) & (seen < since), seen), else_=since)


def _shown_at() -> ColumnElement[Any]:
    """When the card of an answer's hold was first shown."""
    return (
        select(func.min(events.c.time, type_=Moment))
        .where(events.c.hold_id == answers.c.hold_id, events.c.type == TYPES[Rendered])
        .where(events.c.src_stream.startswith(f"HP_{HOLDS}_", autoescape=True))
        .scalar_subquery()
    )


def _rounded(value: ColumnElement[Any]) -> ColumnElement[Any]:
    return func.round(cast(value, Numeric()), 3)
