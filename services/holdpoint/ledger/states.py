"""What holds now, as the ledger has it: the newest message of each key of STATE."""

from typing import TypeVar

from sqlalchemy import Connection, func, select

from holdpoint.ledger.confirmations import records_in
from holdpoint.ledger.tables import events
from holdpoint.messages.base import Message
from holdpoint.messages.subjects import STATE, TYPES

S = TypeVar("S", bound=Message)


def states_found(connection: Connection, kind: type[S], key: str = "") -> dict[str, S]:
    """Find the states of this kind, or the one of this key, by key: an agent, a digest …"""
    newest = (
        select(func.max(events.c.seq))
        .where(events.c.src_stream.startswith(f"HP_{STATE}_", autoescape=True))
        .where(events.c.type == TYPES[kind])
        .group_by(events.c.subject)
    )
    if key:
        newest = newest.where(events.c.subject.endswith(f".{key}", autoescape=True))
    found = records_in(connection, events.c.seq.in_(newest))
    states = ((it.entry.subject.rpartition(".")[2], it.message(kind)) for it in found)
    return {key: state for key, state in states if state is not None}
