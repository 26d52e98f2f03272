"""One hold's evidence in one zip file: every message as it was signed, and the keys to check it.

    page.html        what happened, in prose, and the card as it was shown
    messages.jsonl   each event of the hold with its body, signature, leaf and way up the tree, and
                     of a delegate's answer the order that let them give it
    policy.json      the policy that it was judged by
    keys/            the public keys that the signatures are checked with
    manifest.json    what the pack is about, the newest checkpoint, the hash of every other file

The bodies hold arguments as they were, also those that no card shows: keep a pack as safe as the
ledger.
"""

import hashlib
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, select

from holdpoint.audit.evidence_page import page
from holdpoint.audit.packs import MANIFEST, PackedEvent, key_files, packed, zip_info
from holdpoint.audit.proofs import NotProvenError
from holdpoint.ledger.checkpoints import newest_checkpoint
from holdpoint.ledger.confirmations import record_in, records_in
from holdpoint.ledger.entries import Record
from holdpoint.ledger.queries import of_hold
from holdpoint.ledger.tables import bodies, events
from holdpoint.ledger.tree import inclusion
from holdpoint.messages.answer import Answer
from holdpoint.messages.hold import Hold, HoldFact
from holdpoint.messages.state import Delegate, DelegationState, PolicyBody
from holdpoint.messages.subjects import FACT_WORDS, TYPES

FORMAT = 1
MESSAGES, PAGE, POLICY = "messages.jsonl", "page.html", "policy.json"

HOLD_FACTS: tuple[type[HoldFact], ...] = tuple(
    kind for kind in FACT_WORDS if issubclass(kind, HoldFact)
)


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The subject of a pack."""

    format: int
    release: str
    """The release that wrote it: another one may word its page otherwise."""

    hold_id: str
    tenant: str
    checkpoint: str
    """The newest one when the pack was made, signed by the audit; empty before the first."""

    files: dict[str, str]
    """SHA-256 of every other file, by its name."""


def pack(connection: Connection, hold_id: str, keys_dir: Path) -> bytes:
    """Return the zip file; NotProvenError where the ledger holds no fact of it."""
    newest = newest_checkpoint(connection)
    records, told = _of_hold(connection, hold_id, newest.size if newest else 0)
    hold = hold_in(records)
    if hold is None:
        raise NotProvenError(f"No fact of {hold_id} is here: it was erased, or never there.")
    policy = _policy(connection, hold.policy.digest)
    kept = {
        MESSAGES: b"".join(msgspec.json.encode(it) + b"\n" for it in told),
        PAGE: page(hold, records).encode(),
        **({POLICY: msgspec.json.encode(policy)} if policy else {}),
        **key_files(keys_dir),
    }
    manifest = Manifest(
        format=FORMAT,
        release=version("holdpoint"),
        hold_id=hold_id,
        tenant=hold.tenant,
        checkpoint=newest.note if newest else "",
        files={name: hashlib.sha256(body).hexdigest() for name, body in kept.items()},
    )
    return _zip({MANIFEST: msgspec.json.format(msgspec.json.encode(manifest)), **kept})


def hold_in(records: Sequence[Record]) -> Hold | None:
    """Return the hold as its last fact has it."""
    facts = [
        fact
        for record in records
        for kind in HOLD_FACTS
        if record.type_name == TYPES[kind] and (fact := record.message(kind)) is not None
    ]
    return facts[-1].hold if facts else None


def _of_hold(
    connection: Connection, hold_id: str, size: int
) -> tuple[list[Record], list[PackedEvent]]:
    its = _rows(connection, of_hold(connection, hold_id))
    orders = [seq for row in its for seq in _orders(connection, record_in(row))]
    rows = sorted([*its, *_rows(connection, events.c.seq.in_(orders))], key=lambda it: it.seq)
    told = [packed(row, _path(connection, row.seq, size)) for row in rows]
    return [record_in(row) for row in rows], told


def _rows(connection: Connection, wanted: ColumnElement[bool]) -> Sequence[Row[Any]]:
    asked = select(events, bodies.c.body).join(bodies).where(wanted)
    return connection.execute(asked.order_by(events.c.seq)).all()


def _orders(connection: Connection, record: Record) -> Iterator[int]:
    """Yield the events that let a delegate answer: the person's order, and what the gate made."""
    answer = record.message(Answer)
    if answer is None or not answer.on_behalf_of:
        return
    before = events.c.time <= record.entry.at
    said = events.c.type == TYPES[Delegate], events.c.principal == answer.on_behalf_of
    made = (
        events.c.type == TYPES[DelegationState],
        events.c.subject.endswith(f".{answer.on_behalf_of}", autoescape=True),
    )
    states = {
        state.cause: it.seq
        for it in records_in(connection, *made, before)
        if (state := it.message(DelegationState))
    }
    for order in reversed(records_in(connection, *said, before)):
        told = order.message(Delegate)
        if told and told.to == record.place.principal and order.entry.cause in states:
            yield from (order.seq, states[order.entry.cause])
            return


def _policy(connection: Connection, digest: str) -> object:
    """The policy's text, as a gate kept it; None where the ledger does not hold it."""
    is_it = events.c.subject.endswith(f".state.policy_body.{digest}", autoescape=True)
    found = records_in(connection, events.c.type == TYPES[PolicyBody], is_it, limit=1)
    told = found[0].message(PolicyBody) if found else None
    return told.policy if told else None


def _path(connection: Connection, seq: int, size: int) -> tuple[str, ...] | None:
    return tuple(it.hex() for it in inclusion(connection, seq, size)) if seq <= size else None


def _zip(kept: Mapping[str, bytes]) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, body in kept.items():
            archive.writestr(zip_info(name), body)
    return out.getvalue()
