"""Events that the ledger itself says: what was erased, what a legal hold keeps, and that it is new.

They stand in a stream of their own, `HP_LEDGER_<tenant>`, with leaves like all others, so nobody
can take one back; no message of the broker is ever entered there. What was erased and kept is on
ERASURES as well, with the same body: a ledger that was lost learns it from there (`erased.py`).
"""

import secrets
from collections.abc import Callable
from typing import TypeAlias

import msgspec
from sqlalchemy import ColumnElement, Connection, insert, select

from holdpoint.ledger.entries import LEDGER, LEDGER_TYPES, ORIGIN, REFILLED, Entry, Origin, Refilled
from holdpoint.ledger.erased import stands_in_streams
from holdpoint.ledger.positions import newest_in, noted_origins
from holdpoint.ledger.tables import bodies, events, origins
from holdpoint.ledger.writer import enter
from holdpoint.messages.base import SPEC_VERSION, Event, one_token
from holdpoint.messages.erasure import WORDS, Kept
from holdpoint.messages.subjects import erasure_subject, stream, tenant_of
from holdpoint.runtime.errors import HistoryError
from holdpoint.runtime.process import clock

SALT_BYTES = 16

Announce: TypeAlias = Callable[[str, bytes], None]
"""Store it on ERASURES, by subject and body; HoldpointError where nobody says that it is stored."""


def nowhere(subject: str, body: bytes) -> None:
    """Store it nowhere else, as with a copy of a ledger: no streams fill it again."""


def append(connection: Connection, tenant: str, said: Kept, announce: Announce) -> None:
    """Store it where it outlives the ledger, then enter it as the ledger's next event."""
    word = WORDS[type(said)]
    subject = erasure_subject(tenant, word, one_token(said.by))
    body = _body(tenant, word, subject, msgspec.json.encode(said))
    announce(subject, body)
    _enter(connection, tenant, word, body)


def note_refill(connection: Connection, tenant: str, messages: int) -> None:
    """Say first of all that the ledger is new, although its streams hold so many messages."""
    _say(connection, tenant, REFILLED, Refilled(messages=messages))


def note_origin(connection: Connection, stream: str, created: str) -> None:
    """Keep when the stream was made that the ledger reads: in a row, and in an event.

    HistoryError where the ledger says another time already.
    """
    own = stands_in_streams([tenant_of(stream)], LEDGER)
    known = told_origins(connection, own).get(stream)
    if known not in {None, created}:
        text = f"{stream} was made at {created}; the one in the ledger was made at {known}."
        raise HistoryError(text)
    connection.execute(insert(origins).values(src_stream=stream, created=created))
    bind_origins(connection)


def bind_origins(connection: Connection) -> None:
    """Say in an event what stands in `origins` alone, as an earlier release left it."""
    noted = noted_origins(connection)
    told = told_origins(connection, stands_in_streams(set(map(tenant_of, noted)), LEDGER))
    for name, created in sorted(noted.items()):
        if name not in told:
            _say(connection, tenant_of(name), ORIGIN, Origin(stream=name, created=created))


def told_origins(connection: Connection, here: ColumnElement[bool]) -> dict[str, str]:
    """Return when each stream was made, as these events of the ledger say."""
    asked = select(bodies.c.body).join(events, events.c.seq == bodies.c.seq)
    wanted = asked.where(here, events.c.type == LEDGER_TYPES[ORIGIN])
    frames = (msgspec.json.decode(body, type=Event) for body in connection.scalars(wanted))
    said = (msgspec.json.decode(bytes(it.data), type=Origin) for it in frames)
    return {it.stream: it.created for it in said}


def _say(connection: Connection, tenant: str, word: str, said: Refilled | Origin) -> None:
    body = _body(tenant, word, _subject(tenant, word), msgspec.json.encode(said))
    _enter(connection, tenant, word, body)


def _enter(connection: Connection, tenant: str, word: str, body: bytes) -> None:
    name, subject = stream(tenant, LEDGER), _subject(tenant, word)
    seq = newest_in(connection, name) + 1
    enter(connection, [Entry(stream=name, seq=seq, subject=subject, at=clock.now(), body=body)])


def _body(tenant: str, word: str, subject: str, said: bytes) -> bytes:
    event = Event(
        specversion=SPEC_VERSION,
        id=secrets.token_hex(SALT_BYTES),
        type=LEDGER_TYPES[word],
        source=f"holdpoint/{tenant}",
        subject=subject,
        time=clock.now(),
        data=msgspec.Raw(said),
        salt=secrets.token_hex(SALT_BYTES),
    )
    return msgspec.json.encode(event)


def _subject(tenant: str, word: str) -> str:
    return f"hp.{tenant}.ledger.{word}"
