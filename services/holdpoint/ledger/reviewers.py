"""Figures of each reviewer: how fast they answer, and how often with yes.

Somebody whose median is a second, or who approves everything, reads no cards.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec
import numpy as np
from sqlalchemy import ColumnElement, Connection, Row, select

from holdpoint.ledger.confirmations import record_in
from holdpoint.ledger.queries import about_events
from holdpoint.ledger.search import Search
from holdpoint.ledger.tables import bodies, events
from holdpoint.messages.answer import ANSWERING, Answer, Choice
from holdpoint.messages.hold import Refused, Rendered
from holdpoint.messages.subjects import ANSWERS, HOLDS, TYPES

FAST_S = 3.0
"""Nobody reads a card in less."""

CHUNK = 500


class Reviewer(msgspec.Struct, frozen=True, kw_only=True):
    """One person's answers, those that did not count left out."""

    person: str
    answers: int
    median_s: float
    """From the card's first showing to the answer."""

    approved: float
    """Share of answers that were a yes, from 0 to 1."""

    under_3_s: int
    """Answers that came sooner than anybody reads."""


class _Answered(msgspec.Struct, frozen=True, kw_only=True):
    cause: str
    hold_id: str
    person: str
    choice: Choice
    at: datetime


def reviewers_found(connection: Connection, search: Search) -> list[Reviewer]:
    """How did each person answer, in the order of their names?"""
    given = _given(connection, search)
    refused = _refused(connection)
    shown = _shown(connection, {it.hold_id for it in given})
    counted = [it for it in given if it.cause not in refused and it.hold_id in shown]
    people = sorted({it.person for it in counted})
    return [_figures(name, [it for it in counted if it.person == name], shown) for name in people]


def _figures(person: str, answers: Sequence[_Answered], shown: dict[str, datetime]) -> Reviewer:
    seconds = np.array([(it.at - shown[it.hold_id]).total_seconds() for it in answers])
    yeses = np.array([it.choice is Choice.PROCEED for it in answers])
    return Reviewer(
        person=person,
        answers=len(answers),
        median_s=round(float(np.median(seconds)), 3),
        approved=round(float(yeses.mean()), 3),
        under_3_s=int((seconds < FAST_S).sum()),
    )


def _given(connection: Connection, search: Search) -> list[_Answered]:
    conditions = about_events(search)
    wanted = (
        select(events, bodies.c.body)
        .join(bodies)
        .where(events.c.type == TYPES[Answer], _in_stream(ANSWERS), *conditions)
        .order_by(events.c.seq)
    )
    given = (it for row in connection.execute(wanted) if (it := _answered(row)))
    return [it for it in given if search.person in {None, it.person}]


def _answered(row: Row[Any]) -> _Answered | None:
    record = record_in(row)
    answer, person = record.message(Answer), record.place.principal
    if answer is None or answer.answer not in ANSWERING or person is None:
        return None
    if record.hold_id is None:
        return None
    return _Answered(
        cause=record.entry.cause,
        hold_id=record.hold_id,
        person=person,
        choice=answer.answer,
        at=record.entry.at,
    )


def _refused(connection: Connection) -> set[str]:
    """The answers that did not count."""
    wanted = (
        select(events, bodies.c.body)
        .join(bodies)
        .where(events.c.type == TYPES[Refused], events.c.subject.contains(f".{ANSWERS}-"))
    )
    told = (record_in(row).message(Refused) for row in connection.execute(wanted))
    return {it.cause for it in told if it}


def _shown(connection: Connection, holds: Iterable[str]) -> dict[str, datetime]:
    """When the card of each hold was first shown."""
    found: dict[str, datetime] = {}
    names = sorted(holds)
    for start in range(0, len(names), CHUNK):
        wanted = select(events.c.hold_id, events.c.time).where(
            events.c.type == TYPES[Rendered],
            _in_stream(HOLDS),
            events.c.hold_id.in_(names[start : start + CHUNK]),
        )
        for hold_id, at in connection.execute(wanted.order_by(events.c.seq)):
            found.setdefault(hold_id, at)
    return found


def _in_stream(kind: str) -> ColumnElement[bool]:
    return events.c.src_stream.startswith(f"HP_{kind}_", autoescape=True)
