"""Erasure of bodies, retention, and the legal holds that win over both.

A leaf holds a body's hash and never the body, so the tree, its checkpoints and every proof stay as
they were. What followed from an erased body goes too: the derived tables are derived again from
what is left, in the same transaction. An event of the ledger says what went, and why.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, TypeVar

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, and_, delete, exists, or_, select, true

from holdpoint.ledger import engines
from holdpoint.ledger.entries import LEDGER
from holdpoint.ledger.erased import own_events, spans_of
from holdpoint.ledger.own_events import Announce, append, nowhere
from holdpoint.ledger.queries import of_hold
from holdpoint.ledger.rebuild import derive_everything
from holdpoint.ledger.refused_calls import of_refused
from holdpoint.ledger.tables import bodies, events
from holdpoint.ledger.triggers import let_delete
from holdpoint.messages.erasure import Erased, LegalHold, Lifted, Retention
from holdpoint.messages.subjects import ERASURES
from holdpoint.runtime.errors import HoldpointError

T = TypeVar("T")

MOST_IN_ONE = 1_000
"""Bodies that one event tells of, so that it stays far below the longest message."""


class NotErasedError(HoldpointError):
    """Nothing was erased, and nothing was changed; the text says why."""


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """Who erases, and why."""

    by: str
    why: str
    basis: str
    """The law or contract that asks for it."""


class Erasure(msgspec.Struct, frozen=True, kw_only=True):
    """Result of an erasure."""

    bodies: int
    kept: int
    """Bodies that a legal hold keeps, although they are old enough."""

    newest: datetime | None
    """The broker's time of the newest message that was erased."""


def erase(
    url: str, tenant: str, hold_id: str, reason: Reason, announce: Announce = nowhere
) -> Erasure:
    """Erase every body of one hold; NotErasedError where a legal hold keeps any of them."""

    def work(connection: Connection) -> Erasure:
        wanted = of_hold(connection, hold_id)
        return _erase_all(connection, tenant, hold_id, wanted, reason, announce)

    return _in_turn(url, work)


def erase_refused(
    url: str, tenant: str, seq: int, reason: Reason, announce: Announce = nowhere
) -> Erasure:
    """Erase a refused call and what refused it; NotErasedError where the event is none."""

    def work(connection: Connection) -> Erasure:
        wanted = of_refused(connection, seq)
        if wanted is None:
            text = f"Event {seq} is no refused call, or it was erased. A hold is erased by its id."
            raise NotErasedError(text)
        return _erase_all(connection, tenant, f"event {seq}", wanted, reason, announce)

    return _in_turn(url, work)


def retain(
    url: str, tenant: str, since: datetime, reason: Reason, announce: Announce = nowhere
) -> Erasure:
    """Erase what is older than this; a hold goes whole, once the last word on it is older."""

    def work(connection: Connection) -> Erasure:
        later = events.alias("later")
        goes_on = exists().where(later.c.hold_id == events.c.hold_id, later.c.time >= since)
        return _erase(connection, tenant, and_(events.c.time < since, ~goes_on), reason, announce)

    return _in_turn(url, work)


def begin_legal_hold(url: str, tenant: str, hold: LegalHold, announce: Announce = nowhere) -> None:
    """Keep these bodies until it is lifted; NotErasedError where the name is taken."""

    def work(connection: Connection) -> None:
        if hold.name in {it.name for it in legal_holds(connection)}:
            raise NotErasedError(f"There is a legal hold {hold.name} already.")
        append(connection, tenant, hold, announce)

    _in_turn(url, work)


def lift_legal_hold(url: str, tenant: str, lifted: Lifted, announce: Announce = nowhere) -> None:
    """End a legal hold; NotErasedError where there is none of this name."""

    def work(connection: Connection) -> None:
        if lifted.name not in {it.name for it in legal_holds(connection)}:
            raise NotErasedError(f"There is no legal hold {lifted.name}.")
        append(connection, tenant, lifted, announce)

    _in_turn(url, work)


def order_retention(url: str, tenant: str, age: Retention, announce: Announce = nowhere) -> None:
    """Say how old bodies become from now on."""
    _in_turn(url, lambda connection: append(connection, tenant, age, announce))


def retention(connection: Connection) -> Retention | None:
    """Return how old bodies become; None where nobody said it, or they are kept for ever."""
    said = [it for it in own_events(connection) if isinstance(it, Retention)]
    return said[-1] if said and said[-1].days else None


def legal_holds(connection: Connection) -> list[LegalHold]:
    """Which legal holds are in force, oldest first?"""
    found: dict[str, LegalHold] = {}
    for said in own_events(connection):
        if isinstance(said, LegalHold):
            found[said.name] = said
        elif isinstance(said, Lifted):
            found.pop(said.name, None)
    return list(found.values())


def _in_turn(url: str, work: Callable[[Connection], T]) -> T:
    engine = engines.writer(url)
    try:
        with engine.begin() as connection:
            return work(connection)
    finally:
        engine.dispose()


def _erase_all(  # as `erase`, and what of it
    connection: Connection,
    tenant: str,
    name: str,
    wanted: ColumnElement[bool],
    reason: Reason,
    announce: Announce,
) -> Erasure:
    if found := _first(connection, wanted):
        raise NotErasedError(f"The legal hold {found} keeps bodies of {name}.")
    made = _erase(connection, tenant, wanted, reason, announce)
    if not made.bodies:
        raise NotErasedError(f"The ledger has no body of {name} any more.")
    return made


def _erase(
    connection: Connection,
    tenant: str,
    wanted: ColumnElement[bool],
    reason: Reason,
    announce: Announce,
) -> Erasure:
    kept_back = or_(*(_kept(connection, it) for it in legal_holds(connection)), _own())
    asked = select(events.c.seq, events.c.src_stream, events.c.src_seq, events.c.time)
    asked = asked.join(bodies).where(wanted).order_by(events.c.seq)
    gone = connection.execute(asked.where(~kept_back)).all()
    held = len(connection.execute(asked.where(kept_back, ~_own())).all())
    if not gone:
        return Erasure(bodies=0, kept=held, newest=None)
    for start in range(0, len(gone), MOST_IN_ONE):
        said = _said(gone[start : start + MOST_IN_ONE], reason)
        append(connection, tenant, said, announce)
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA secure_delete = ON")
    let_delete(connection, bodies)
    for first, last in spans_of([row.seq for row in gone]):
        connection.execute(delete(bodies).where(bodies.c.seq.between(first, last)))
    derive_everything(connection)
    return Erasure(bodies=len(gone), kept=held, newest=gone[-1].time)


def _said(gone: Sequence[Row[Any, Any, Any, Any]], reason: Reason) -> Erased:
    places = defaultdict[str, list[int]](list)
    for row in gone:
        places[row.src_stream].append(row.src_seq)
    return Erased(
        by=reason.by,
        why=reason.why,
        basis=reason.basis,
        spans=tuple(spans_of([row.seq for row in gone])),
        sources=tuple((it, *span) for it, its in places.items() for span in spans_of(sorted(its))),
    )


def _first(connection: Connection, wanted: ColumnElement[bool]) -> str:
    """Return the name of a legal hold that keeps one of these bodies; empty where none does."""
    for hold in legal_holds(connection):
        its = select(events.c.seq).join(bodies).where(wanted, _kept(connection, hold)).limit(1)
        if connection.scalar(its) is not None:
            return hold.name
    return ""


def _kept(connection: Connection, hold: LegalHold) -> ColumnElement[bool]:
    """Match what a legal hold keeps."""
    return and_(
        true(),
        *([of_hold(connection, hold.hold_id)] if hold.hold_id else []),
        *([events.c.time >= hold.since] if hold.since else []),
        *([events.c.time < hold.until] if hold.until else []),
    )


def _own() -> ColumnElement[bool]:
    """Match what the ledger says itself, and its copy on the bus, which stay for ever."""
    its = (f"HP_{kind}_" for kind in (LEDGER, ERASURES))
    return or_(*(events.c.src_stream.startswith(name, autoescape=True) for name in its))
