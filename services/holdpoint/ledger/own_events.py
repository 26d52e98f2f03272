"""Events that the ledger itself says: what was erased, and what a legal hold keeps.

They come from no broker. They stand in a stream of their own, `HP_LEDGER_<tenant>`, with leaves
like all others, so nobody can take one back; no message of the broker is ever entered there.
"""

import secrets
from datetime import datetime
from typing import TypeAlias

import msgspec
from sqlalchemy import Connection, select

from holdpoint.ledger.entries import LEDGER, LEDGER_TYPES, Entry
from holdpoint.ledger.positions import newest_in
from holdpoint.ledger.tables import bodies, events
from holdpoint.ledger.writer import enter
from holdpoint.messages.base import SPEC_VERSION, Event
from holdpoint.messages.subjects import stream
from holdpoint.runtime.process import clock

SALT_BYTES = 16


class Erased(msgspec.Struct, frozen=True, kw_only=True, tag="erased"):
    """Bodies that are gone."""

    by: str
    why: str
    basis: str
    """The law or contract that asks for it."""

    spans: tuple[tuple[int, int], ...]
    """First and last of each row of neighbouring events."""


class LegalHold(msgspec.Struct, frozen=True, kw_only=True, tag="legal_hold"):
    """Bodies that stay until it is lifted: of one hold, or of a range of time."""

    name: str
    by: str
    why: str
    hold_id: str = ""
    since: datetime | None = None
    until: datetime | None = None
    """Exclusive."""


class Lifted(msgspec.Struct, frozen=True, kw_only=True, tag="lifted"):
    """The end of a legal hold."""

    name: str
    by: str
    why: str


Own: TypeAlias = Erased | LegalHold | Lifted


def append(connection: Connection, tenant: str, said: Own) -> None:
    """Enter it as the ledger's next event."""
    name, at = stream(tenant, LEDGER), clock.now()
    subject = f"hp.{tenant}.ledger.{_word(said)}"
    event = Event(
        specversion=SPEC_VERSION,
        id=secrets.token_hex(SALT_BYTES),
        type=LEDGER_TYPES[_word(said)],
        source=f"holdpoint/{tenant}",
        subject=subject,
        time=at,
        data=msgspec.Raw(msgspec.json.encode(said)),
        salt=secrets.token_hex(SALT_BYTES),
    )
    body = msgspec.json.encode(event)
    seq = newest_in(connection, name) + 1
    enter(connection, [Entry(stream=name, seq=seq, subject=subject, at=at, body=body)])


def own_events(connection: Connection) -> list[Own]:
    """Read all of them, oldest first."""
    asked = (
        select(bodies.c.body)
        .join(events, events.c.seq == bodies.c.seq)
        .where(events.c.type.in_(LEDGER_TYPES.values()))
        .where(events.c.src_stream.startswith(f"HP_{LEDGER}_", autoescape=True))
        .order_by(events.c.seq)
    )
    frames = (msgspec.json.decode(body, type=Event) for body in connection.scalars(asked))
    return [msgspec.json.decode(bytes(it.data), type=Own) for it in frames]


def _word(said: Own) -> str:
    return str(said.__struct_config__.tag)
