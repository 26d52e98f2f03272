"""Checks that an evidence pack and an export have in common: nothing else is needed for them.

A pack brings the keys that its signatures are checked with. Anyone who can write a pack can bring
keys of their own: give the keyset that you hold, and only that one counts.
"""

import base64
import binascii
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from holdpoint.audit.checkpoint_keys import checked_note, origin_of, public_keys
from holdpoint.audit.packs import KEY_FILES, KEYS, MANIFEST, PackedEvent, time_in
from holdpoint.audit.signatures import verified
from holdpoint.core.checkpoint import Checkpoint
from holdpoint.core.leaf import leaf
from holdpoint.core.merkle import is_included
from holdpoint.ledger.entries import Entry, Record, record_of
from holdpoint.messages.subjects import CARDS, HOLDS, RUNS, STATE
from holdpoint.runtime.errors import SetupError, SignatureError
from holdpoint.runtime.security.keys import Keyset
from holdpoint.runtime.security.keyset_files import KEYSET_FILE

SIGNED = frozenset({HOLDS, RUNS, CARDS, STATE})

T = TypeVar("T")


class Wrong(msgspec.Struct, frozen=True, kw_only=True):
    """Something of a pack that is not as it was written."""

    check: str
    row: str
    text: str


def read_part(name: str, body: bytes, kind: type[T]) -> T:
    """Read a part of a pack, or raise SetupError."""
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.MsgspecError as error:
        raise SetupError(f"{name} of the pack cannot be read: {error}") from None


def record_of_packed(each: PackedEvent) -> Record:
    """Read an event of a pack, or raise SetupError."""
    try:
        body, at = base64.b64decode(each.body, validate=True), time_in(each.time)
    except (binascii.Error, ValueError) as error:
        raise SetupError(f"Event {each.seq} of the pack cannot be read: {error}") from None
    entry = Entry(
        stream=each.src_stream,
        seq=each.src_seq,
        subject=each.subject,
        at=at,
        body=body,
        signature=each.signature,
    )
    return record_of(each.seq, entry)


def keys_in(folder: Path, kept: Mapping[str, bytes]) -> Path:
    """Write the keys that a pack brings to a folder; SetupError where it brings none."""
    if f"{KEYS}{KEYSET_FILE}" not in kept:
        raise SetupError("The file brings no keys. Give the folder of yours: --keys FOLDER.")
    for name in KEY_FILES:
        if (body := kept.get(f"{KEYS}{name}")) is not None:
            (folder / name).write_bytes(body)
    return folder


def unlike(each: PackedEvent, record: Record) -> Wrong | None:
    """Return the first thing that does not fit of one event: its body, its leaf, its type."""
    row = f"{each.src_stream}:{each.src_seq}"
    if hashlib.sha256(record.entry.body).hexdigest() != each.body_sha256:
        return Wrong(check="body", row=row, text="has another body than the one that was stored")
    if other := other_leaf(each, record):
        return other
    if (record.type_name, record.hold_id) != (each.type, each.hold_id):
        return Wrong(check="event", row=row, text="names another type or hold than its message")
    return None


def other_leaf(each: PackedEvent, record: Record) -> Wrong | None:
    """Return what is wrong with an event whose leaf is not made of its fields."""
    told = {**msgspec.structs.asdict(each), "time": record.entry.at}
    if leaf(told).hex() == each.leaf:
        return None
    row = f"{each.src_stream}:{each.src_seq}"
    return Wrong(check="leaf", row=row, text="does not fit its leaf")


def unsigned(keyset: Keyset, records: Sequence[Record]) -> Iterator[Wrong]:
    """Yield facts of gate and workers without a signature that is good."""
    for record in records:
        row = f"{record.entry.stream}:{record.entry.seq}"
        is_ours = record.entry.kind in SIGNED
        if record.entry.signature is None:
            if is_ours:
                yield Wrong(check="signature", row=row, text="carries no signature")
        elif not verified(keyset, record, record.entry.at).ok:
            yield Wrong(check="signature", row=row, text="has a signature that does not verify")


def checkpoint_in(note: str, tenant: str, keyset: Keyset) -> tuple[Checkpoint | None, list[Wrong]]:
    """Return the pack's checkpoint where there is one that counts, and what is wrong with it."""
    if not note:
        return None, []
    try:
        said = checked_note(note, public_keys(keyset))
    except (SignatureError, SetupError) as error:
        text = f"has a checkpoint that does not count: {error}"
        return None, [Wrong(check="checkpoint", row=MANIFEST, text=text)]
    if said.origin != origin_of(tenant):
        text = "has the checkpoint of another ledger"
        return None, [Wrong(check="checkpoint", row=MANIFEST, text=text)]
    return said, []


def unproven(covered: Sequence[PackedEvent], checkpoint: Checkpoint) -> Iterator[Wrong]:
    """Yield each event that the checkpoint covers and that is not in its tree."""
    for each in covered:
        try:
            made, path = bytes.fromhex(each.leaf), [bytes.fromhex(it) for it in each.path or ()]
        except ValueError:
            made, path = b"", []
        if not is_included(made, each.seq - 1, checkpoint.size, path, checkpoint.root):
            row = f"{each.src_stream}:{each.src_seq}"
            yield Wrong(check="tree", row=row, text="is not in the tree of the checkpoint")
