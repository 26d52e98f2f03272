"""Erasures and legal holds that stand in the ledger, and that nobody said at the broker.

Anyone who can write the database can enter one there. At the broker only a person with the role, or
the daily run, says so, and each in their own name.
"""

from collections.abc import Iterator

import msgspec
from sqlalchemy import Connection, Row, func, select

from holdpoint.audit.tree_checks import Finding
from holdpoint.ledger.entries import LEDGER, LEDGER_TYPES, ORIGIN, Origin
from holdpoint.ledger.erased import CLOCKS_DIFFER, stands_in
from holdpoint.ledger.tables import bodies, events
from holdpoint.messages.base import Event
from holdpoint.messages.erasure import WORDS
from holdpoint.messages.subjects import ERASURES, TYPES, kind_of

_KEPT = tuple(TYPES[kind] for kind in WORDS)


def unsaid(connection: Connection) -> Iterator[Finding]:
    """Yield them; what the audit may still be reading, or what is older than ERASURES, is not."""
    since = _read_since(connection)
    newest = connection.scalar(select(func.max(events.c.time)).where(~stands_in(LEDGER)))
    if since is None or newest is None:
        return
    said = {_frame(row).id for row in _rows(connection, ERASURES)}
    for row in _rows(connection, LEDGER):
        is_due = row.seq > since and row.time + CLOCKS_DIFFER < newest
        if is_due and _frame(row).id not in said:
            text = "tells of an erasure or a legal hold that nobody said at the broker"
            yield Finding(row=f"events.{row.seq}", text=text, event=row.seq)


def _read_since(connection: Connection) -> int | None:
    """Return the event that says that the ledger reads ERASURES."""
    asked = select(events.c.seq, bodies.c.body).join(bodies, bodies.c.seq == events.c.seq)
    told = asked.where(stands_in(LEDGER), events.c.type == LEDGER_TYPES[ORIGIN])
    for row in connection.execute(told):
        origin = msgspec.json.decode(bytes(_frame(row).data), type=Origin)
        if kind_of(origin.stream) == ERASURES:
            return int(row.seq)
    return None


def _rows(connection: Connection, kind: str) -> Iterator[Row[*tuple[object, ...]]]:
    asked = select(events.c.seq, events.c.time, bodies.c.body)
    its = asked.join(bodies, bodies.c.seq == events.c.seq)
    yield from connection.execute(its.where(stands_in(kind), events.c.type.in_(_KEPT)))


def _frame(row: Row[*tuple[object, ...]]) -> Event:
    return msgspec.json.decode(row.body, type=Event)
