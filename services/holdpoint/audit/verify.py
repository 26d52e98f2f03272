"""Offline verification: whether the ledger says today what it said when it was written.

It sees every edit that does not rewrite the whole chain after it. Against somebody who does that,
or who cuts off the end and tidies up, hold a head of your own: `verify(url, held)`. With the keys
it also sees who changed what was noted about signatures.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import msgspec
from sqlalchemy import Connection, Engine, Row, Table, func, insert, select
from sqlalchemy.exc import SQLAlchemyError

from holdpoint.audit.signatures import why_unusable, wrong_verifications
from holdpoint.core import hash_chain
from holdpoint.ledger import engines
from holdpoint.ledger.confirmations import record_in, records_in
from holdpoint.ledger.entries import Record, row_of
from holdpoint.ledger.queries import gaps
from holdpoint.ledger.tables import (
    DERIVED,
    bodies,
    events,
    heads,
    install,
    metadata,
    missing,
)
from holdpoint.ledger.writer import derive
from holdpoint.runtime.security.keys import Keyset

FROM_SUBJECT = ("agent", "principal")
"""Columns that no leaf covers: they are read off the subject again."""

UNKNOWN = "?"
"""The row where nobody can say which."""

CHUNK = 1_000
"""Events held in memory at a time: at most 256 MB of bodies."""


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """An earlier end of the chain: whoever holds it sees whatever was rewritten before it."""

    seq: int
    link: str
    """Hex."""


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """The first row of its kind that is not as it was written."""

    check: str
    row: str
    text: str


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Result of a verification; no problem means that nothing was touched."""

    events: int
    head: Head
    problems: tuple[Problem, ...]
    signatures_not_verified: str = ""
    """Why the keys were not asked about signatures again; empty when they were."""


Tell: TypeAlias = Callable[[int, int], None]
"""Hears how many events were derived again, and of how many: what takes longest."""


def _nobody(done: int, of: int) -> None:
    """Nobody wants to hear it."""


def verify(
    url: str, held: Head | None = None, keyset: Keyset | None = None, tell: Tell = _nobody
) -> Report:
    """Check chain, sequences, signatures, derived rows and guards; each names its first."""
    unusable = why_unusable(keyset)
    engine = engines.reader(url)
    try:
        with engine.begin() as connection:
            return Report(
                events=connection.scalar(select(func.count()).select_from(events)) or 0,
                head=_head(connection),
                problems=tuple(_problems(connection, held, None if unusable else keyset, tell)),
                signatures_not_verified=unusable,
            )
    finally:
        engine.dispose()


def _problems(
    connection: Connection, held: Head | None, keyset: Keyset | None, tell: Tell
) -> Iterator[Problem]:
    """Yield each problem; unreadable parts after a named row follow from it, and are left out."""
    checks = {
        "event": _broken_events(connection),
        "end": _lost_ends(connection),
        "head": _other_history(connection, held),
        "gap": (
            (f"{gap.stream}:{gap.first}", f"never came, nor did any up to {gap.last}")
            for gap in gaps(connection)
        ),
        "verification": (
            (_event(seq), text) for seq, text in wrong_verifications(connection, keyset)
        ),
        "derived": _other_derived_rows(connection, tell),
        "guard": (
            (name, "is a trigger that is gone or was changed") for name in missing(connection)
        ),
    }
    is_named = False
    for check, found in checks.items():
        for problem in _first(check, found):
            if not (is_named and problem.row == UNKNOWN):
                yield problem
            is_named = True


def _first(check: str, found: Iterator[tuple[str, str]]) -> Iterator[Problem]:
    """Name the first bad row; one whose values cannot even be read is bad too."""
    try:
        bad = next(found, None)
    except (SQLAlchemyError, ValueError, TypeError) as error:
        bad = UNKNOWN, f"cannot be read: {getattr(error, 'orig', None) or error}"
    if bad is not None:
        row, text = bad
        yield Problem(check=check, row=row, text=text)


def _broken_events(connection: Connection) -> Iterator[tuple[str, str]]:
    """Walk the chain: body, leaf and link of each event, and no event left out."""
    previous, expected = hash_chain.GENESIS, 1
    rows = connection.execution_options(yield_per=1_000).execute(
        select(events, bodies.c.body).outerjoin(bodies).order_by(events.c.seq)
    )
    for row in rows:
        if row.seq != expected:
            yield _event(expected), f"is missing: the next one is {row.seq}"
        if wrong := _unlike(row, previous):
            yield _event(row.seq), wrong
        previous, expected = row.link, row.seq + 1


def _unlike(row: Row[Any], previous: bytes) -> str:
    try:
        return _wrong(row, previous)
    except (ValueError, TypeError) as error:
        return f"holds a value of another kind than was stored: {error}"


def _wrong(row: Row[Any], previous: bytes) -> str:
    leaf, link = hash_chain.seal(previous, row._asdict())
    if row.body is None:
        return "has lost its body"
    if hashlib.sha256(row.body).hexdigest() != row.body_sha256:
        return "has another body than the one that was stored"
    if leaf != row.leaf:
        return "does not fit its leaf"
    if link != row.link:
        return "is not linked to the event before it"
    told = row_of(record_in(row))
    others = [name for name in FROM_SUBJECT if told[name] != getattr(row, name)]
    return f"names another {others[0]} than its subject" if others else ""


def _lost_ends(connection: Connection) -> Iterator[tuple[str, str]]:
    """Every commit noted where the chain ended: those events must be there, and no more."""
    noted = connection.execute(
        select(heads.c.seq, heads.c.link, events.c.link.label("now"))
        .outerjoin(events, events.c.seq == heads.c.seq)
        .order_by(heads.c.seq)
    )
    for row in noted:
        if row.now is None:
            yield _event(row.seq), "was committed and is gone"
        elif row.now != row.link:
            yield _event(row.seq), "had another link when it was committed"
    for table in (heads, bodies):
        last = connection.scalar(select(func.max(table.c.seq))) or 0
        end = connection.scalar(select(func.max(events.c.seq))) or 0
        if last != end:
            yield f"{table.name}.{last}", f"{table.name} ends here, events at {end}"


def _other_history(connection: Connection, held: Head | None) -> Iterator[tuple[str, str]]:
    if held is None or held.seq == 0:
        return
    link = connection.scalar(select(events.c.link).where(events.c.seq == held.seq))
    if link is None or link.hex() != held.link:
        yield _event(held.seq), "is not what the head you hold says: history was rewritten"


def _other_derived_rows(connection: Connection, tell: Tell) -> Iterator[tuple[str, str]]:
    """Derive everything again beside the ledger, and compare."""
    with TemporaryDirectory() as folder:
        scratch = _derived_beside(connection, Path(folder), tell)
        try:
            with scratch.begin() as fresh:
                for table in DERIVED:
                    yield from _differences(connection, fresh, table)
        finally:
            scratch.dispose()


def _derived_beside(source: Connection, folder: Path, tell: Tell) -> Engine:
    """Derive everything from the source's events into a scratch database in this folder."""
    (folder / "scratch.db").touch()
    scratch = engines.creator(f"sqlite:///{folder / 'scratch.db'}")
    with scratch.begin() as connection:
        metadata.create_all(connection)
        install(connection)
        last = source.scalar(select(func.max(events.c.seq))) or 0
        for chunk in _chunks(source):
            _copy(source, connection, chunk)
            derive(connection, chunk)
            tell(chunk[-1].seq if chunk else 0, last)
    return scratch


def _chunks(connection: Connection) -> Iterator[list[Record]]:
    """Every readable event of the ledger in its order, a thousand at a time."""
    last = connection.scalar(select(func.max(events.c.seq))) or 0
    for first in range(1, last + 1, CHUNK):
        yield records_in(connection, events.c.seq.between(first, first + CHUNK - 1))


def _copy(source: Connection, target: Connection, records: Sequence[Record]) -> None:
    """Confirmations look around in the ledger, so the scratch needs its events too."""
    if not records:
        return
    span = (records[0].seq, records[-1].seq)
    for table in (events, bodies):
        rows = source.execute(select(table).where(table.c.seq.between(*span)).order_by("seq"))
        target.execute(insert(table), [row._asdict() for row in rows])


def _differences(stored: Connection, fresh: Connection, table: Table) -> Iterator[tuple[str, str]]:
    """Walk both in the order of their keys, up to the first row that differs."""
    key = [column.name for column in table.primary_key.columns]
    wanted = select(table).order_by(*key)
    for pair in zip_longest(stored.execute(wanted), fresh.execute(wanted)):
        told, made = (row._asdict() if row else None for row in pair)
        if told != made:
            yield _difference(table.name, key, told, made)
            return


def _difference(
    table: str, key: list[str], told: dict[str, Any] | None, made: dict[str, Any] | None
) -> tuple[str, str]:
    places = [[row[name] for name in key] for row in (told, made) if row]
    row = f"{table}.{'/'.join(map(str, min(places)))}"
    if told and made and len(set(map(tuple, places))) == 1:
        others = [name for name in told if told[name] != made[name]]
        return row, f"says something else than its events in {', '.join(others)}"
    is_extra = told is not None and min(places) == [told[name] for name in key]
    return row, "follows from no event" if is_extra else "follows from the events and is missing"


def _head(connection: Connection) -> Head:
    last = connection.execute(
        select(events.c.seq, events.c.link).order_by(events.c.seq.desc()).limit(1)
    ).one_or_none()
    return Head(seq=last.seq, link=last.link.hex()) if last else Head(seq=0, link="")


def _event(seq: int) -> str:
    return f"events.{seq}"
