"""Remembered permissions as the ledger has them: the newest state of each agent."""

from sqlalchemy import Connection, func, select

from holdpoint.ledger.confirmations import records_in
from holdpoint.ledger.tables import events
from holdpoint.messages.state import Permission, PermissionState
from holdpoint.messages.subjects import STATE, TYPES


def permissions_found(connection: Connection) -> list[tuple[str, Permission]]:
    """Every permission that stands, with its agent; some of them may have ended."""
    newest = (
        select(func.max(events.c.seq))
        .where(events.c.src_stream.startswith(f"HP_{STATE}_", autoescape=True))
        .where(events.c.type == TYPES[PermissionState])
        .group_by(events.c.subject)
    )
    found: list[tuple[str, Permission]] = []
    for record in records_in(connection, events.c.seq.in_(newest)):
        state, agent = record.message(PermissionState), record.entry.subject.rpartition(".")[2]
        found += [(agent, it) for it in state.permissions] if state else []
    return found
