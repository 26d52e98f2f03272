"""Proofs for somebody who has nothing else: that one event is in the ledger, or that it only grew.

A proof of an event is one JSON file: what its leaf is made of, its body, its way up the tree, the
signed checkpoint that it ends at, and the keys of the audit; where its body was erased, also the
proof of the event that says so.
"""

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec
from sqlalchemy import ColumnElement, Connection, select

from holdpoint.audit.checkpoint_keys import checked_note, read_verifier_key
from holdpoint.audit.packs import time_in
from holdpoint.core.checkpoint import Checkpoint, verifier_key
from holdpoint.core.leaf import FIELDS, leaf, moment
from holdpoint.core.merkle import is_consistent, is_included
from holdpoint.ledger.checkpoints import Stored, checkpoint_for
from holdpoint.ledger.entries import Entry, Record, record_of
from holdpoint.ledger.erased import erasure_finder, erasure_told, erasures_in
from holdpoint.ledger.tables import bodies, events
from holdpoint.ledger.tree import consistency, inclusion
from holdpoint.runtime.errors import HoldpointError, SignatureError


class NotProvenError(HoldpointError):
    """There is no such event, or nothing to prove it with yet."""


class EventProof(msgspec.Struct, frozen=True, kw_only=True):
    """One event of a ledger, and why it stands there."""

    format: Literal["holdpoint.proof/v1"] = "holdpoint.proof/v1"
    event: int
    """In the ledger's order; its leaf in the tree has the index below it."""

    fields: dict[str, str | int | None]
    """Content of the leaf, in RFC 8785 form."""

    body: str
    """The message, base64; empty when it was erased."""

    erasure: "EventProof | None" = None
    """The ledger's event that tells of its erasure, under the same checkpoint."""

    path: tuple[str, ...]
    """Hashes from the leaf up, base64."""

    checkpoint: str
    keys: tuple[str, ...]
    """Verifier keys of the audit, as the ledger's owner names them."""


class Proven(msgspec.Struct, frozen=True, kw_only=True):
    """Statement of a proof that was checked."""

    event: int
    stream: str
    sequence: int
    type: str
    time: str
    subject: str
    origin: str
    size: int
    """Events in the ledger when the checkpoint was signed."""

    erased: bool
    """True if the file does not hold the message."""

    key_is_known: bool
    """True if the checker knew the audit's key; else only the file itself names it."""


def event_named(connection: Connection, name: str) -> int:
    """Return the event of this number, or of this message: `17`, `CALLS@robot:3`, `HP_…:3`."""
    if name.isdecimal():
        asked = select(events.c.seq).where(events.c.seq == int(name))
    else:
        source, _, sequence = name.rpartition(":")
        if not source or not sequence.isdecimal():
            raise NotProvenError(f"{name!r} names no event: say its number, or STREAM:SEQUENCE.")
        asked = select(events.c.seq).where(events.c.src_seq == int(sequence), _is(source))
    found = connection.scalars(asked.limit(2)).all()
    if len(found) != 1:
        what = "more than one event" if found else "no event"
        raise NotProvenError(f"{name} is {what} of this ledger.")
    return int(found[0])


def prove_event(connection: Connection, seq: int, keys: Sequence[bytes]) -> EventProof:
    """Prove that this event is in the ledger, up to the first checkpoint that covers it."""
    event = _event(connection, seq)
    erasure = None
    if event["body"] is None:
        erasure = erasures_in(connection)(seq, event["src_stream"], event["src_seq"])
    stored = checkpoint_for(connection, max(seq, erasure or 0))
    if stored is None:
        raise NotProvenError(not_covered(max(seq, erasure or 0)))
    made = _under(connection, event, stored, keys)
    if erasure is None:
        return made
    said = _under(connection, _event(connection, erasure), stored, keys)
    return msgspec.structs.replace(made, erasure=said)


def not_covered(seq: int) -> str:
    """Return why an event cannot be proven yet."""
    return f"No checkpoint covers event {seq} yet. The audit signs one every 10 seconds."


def _event(connection: Connection, seq: int) -> dict[str, Any]:
    asked = select(events, bodies.c.body).outerjoin(bodies).where(events.c.seq == seq)
    return connection.execute(asked).one()._asdict()


def _under(
    connection: Connection, event: Mapping[str, Any], stored: Stored, keys: Sequence[bytes]
) -> EventProof:
    """Prove one event under this checkpoint."""
    seq, covering = event["seq"], checked_note(stored.note, keys)
    path = inclusion(connection, seq, stored.size)
    return EventProof(
        event=seq,
        fields={**{name: event[name] for name in FIELDS}, "time": moment(event)},
        body=_text(event["body"] or b""),
        path=tuple(map(_text, path)),
        checkpoint=stored.note,
        keys=tuple(verifier_key(covering.origin, key) for key in keys),
    )


def check_event(proof: EventProof, known: Iterable[bytes] = ()) -> Proven:
    """Return what the proof says, or raise SignatureError with what is wrong with it."""
    trusted = list(known)
    keys = trusted or _own_keys(proof)
    said = checked_note(proof.checkpoint, keys)
    if set(proof.fields) != set(FIELDS):
        raise SignatureError("The proof does not name the fields of a leaf.")
    body = _bytes(proof.body)
    fits = hashlib.sha256(body).hexdigest() == proof.fields["body_sha256"]
    if body and not fits:
        raise SignatureError("The proof's body is not the one that the event names.")
    made, path = leaf(proof.fields), [_bytes(it) for it in proof.path]
    if not is_included(made, proof.event - 1, said.size, path, said.root):
        raise SignatureError(
            f"The event is not in the ledger of the checkpoint, not as event {proof.event}."
        )
    if not (fits or _is_erased(proof, keys)):
        raise SignatureError("The proof holds no message, and no erasure on record names it.")
    words = {name: str(proof.fields[name]) for name in ("type", "time", "subject")}
    return Proven(
        event=proof.event,
        stream=str(proof.fields["src_stream"]),
        sequence=int(proof.fields["src_seq"] or 0),
        origin=said.origin,
        size=said.size,
        erased=not fits,
        key_is_known=bool(trusted),
        **words,
    )


def _is_erased(proof: EventProof, keys: Iterable[bytes]) -> bool:
    """Return whether the proof of an erasure came along, under the same checkpoint."""
    erasure = proof.erasure
    if erasure is None or erasure.checkpoint != proof.checkpoint or not erasure.body:
        return False
    check_event(erasure, keys)
    told = erasure_told(_record(erasure))
    place = (proof.event, str(proof.fields["src_stream"]), int(proof.fields["src_seq"] or 0))
    return told is not None and erasure_finder([told])(*place) is not None


def _record(proof: EventProof) -> Record:
    entry = Entry(
        stream=str(proof.fields["src_stream"]),
        seq=int(proof.fields["src_seq"] or 0),
        subject=str(proof.fields["subject"]),
        at=time_in(str(proof.fields["time"])),
        body=_bytes(proof.body),
    )
    return record_of(proof.event, entry)


def read_proof(content: bytes) -> EventProof:
    """Read a proof file, or raise SignatureError."""
    try:
        return msgspec.json.decode(content, type=EventProof)
    except (msgspec.DecodeError, RecursionError) as error:
        raise SignatureError(f"This is no proof of an event: {error}") from None


def check_growth(connection: Connection, old: Checkpoint, new: Checkpoint) -> list[bytes]:
    """Return the proof that one checkpoint continues the other; SignatureError where none does."""
    if old.origin != new.origin:
        raise SignatureError(f"They are of two ledgers: {old.origin} and {new.origin}.")
    if old.size > new.size:
        raise SignatureError(f"The old one covers {old.size} events, the new one {new.size}.")
    path = consistency(connection, old.size, new.size)
    if not is_consistent(old.size, old.root, new.size, new.root, path):
        raise SignatureError(
            f"The ledger of {new.size} events does not continue the one of {old.size}: history was "
            "rewritten, or one of them is of another ledger."
        )
    return path


def _own_keys(proof: EventProof) -> list[bytes]:
    return [key for _, key in map(read_verifier_key, proof.keys)]


def _is(source: str) -> ColumnElement[bool]:
    if source.startswith("HP_"):
        return events.c.src_stream == source
    kind, at, agent = source.partition("@")
    name = events.c.src_stream
    return (
        name.like(f"HP!_{kind}!_%{at}{agent}", escape="!")
        if at
        else name.like(f"HP!_{kind}!_%", escape="!")
    )


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        raise SignatureError("The proof holds a value that is no base64.") from None
