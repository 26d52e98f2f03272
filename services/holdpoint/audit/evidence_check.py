"""Offline check of an evidence pack: nothing else is needed, no ledger, no broker, no network.

The pack brings the keys that its signatures are checked with. Whoever can write a pack can bring
keys of their own: give the keyset that you hold, and only that one counts.
"""

import base64
import binascii
import hashlib
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import msgspec

from holdpoint.audit.checkpoint_keys import checked_note, origin_of, public_keys
from holdpoint.audit.evidence import (
    FORMAT,
    KEY_FILES,
    KEYS,
    MANIFEST,
    MESSAGES,
    PAGE,
    POLICY,
    Manifest,
    PackedEvent,
    hold_in,
    time_in,
)
from holdpoint.audit.evidence_page import page
from holdpoint.audit.signatures import verified
from holdpoint.core.checkpoint import Checkpoint
from holdpoint.core.digest import action_digest, policy_digest
from holdpoint.core.leaf import leaf
from holdpoint.core.merkle import is_included
from holdpoint.ledger.entries import Entry, Record, record_of
from holdpoint.ledger.exceptions import answer_given, claimed_answers
from holdpoint.messages.answer import Answer
from holdpoint.messages.hold import Hold
from holdpoint.messages.policy import Policy
from holdpoint.messages.subjects import CARDS, HOLDS, RUNS, STATE
from holdpoint.runtime.errors import SetupError, SignatureError
from holdpoint.runtime.security.keys import Keyset

MOST_BYTES = 256 * 1024 * 1024
"""All of an unpacked pack."""

SIGNED = frozenset({HOLDS, RUNS, CARDS, STATE})

T = TypeVar("T")


class Wrong(msgspec.Struct, frozen=True, kw_only=True):
    """Something of a pack that is not as it was written."""

    check: str
    row: str
    text: str


class PackReport(msgspec.Struct, frozen=True, kw_only=True):
    """Result of the check; no problem means that the pack says what the ledger said."""

    hold_id: str
    events: int
    signatures: int
    """Number of signatures that were verified."""

    proven: int
    """Number of events that are in the tree of the checkpoint that the audit signed."""

    own_keys: bool
    """True if the keys were the reader's own, not the pack's."""

    page_compared: bool
    """False where another release wrote the page."""

    problems: tuple[Wrong, ...]


def verify_pack(path: Path, keys_dir: Path | None = None) -> PackReport:
    """Check a pack; with a folder of keys, only those count. SetupError for what is no pack."""
    kept = _unzipped(path)
    manifest = _read(MANIFEST, kept.get(MANIFEST, b""), Manifest)
    if manifest.format != FORMAT:
        raise SetupError(f"{path} is a pack of format {manifest.format}; this reads {FORMAT}.")
    packed = [_read(MESSAGES, line, PackedEvent) for line in kept.get(MESSAGES, b"").splitlines()]
    records = [_record(each) for each in packed]
    with TemporaryDirectory() as folder:
        keyset = Keyset(keys_dir or _keys_in(Path(folder), kept))
        signed = list(_unsigned(keyset, records))
        checkpoint, uncounted = _checkpoint(manifest, keyset)
    covered = [each for each in packed if checkpoint is not None and each.seq <= checkpoint.size]
    unproven = list(_unproven(covered, checkpoint)) if checkpoint else []
    is_ours = manifest.release == version("holdpoint")
    problems = [
        *_other_files(manifest, kept),
        *(wrong for each, record in zip(packed, records, strict=True)
          if (wrong := _unlike(manifest, each, record))),
        *signed,
        *uncounted,
        *unproven,
        *_untold(records, kept),
        *(_other_page(records, kept) if is_ours else ()),
    ]  # fmt: skip
    return PackReport(
        hold_id=manifest.hold_id,
        events=len(records),
        signatures=sum(it.entry.signature is not None for it in records) - len(signed),
        proven=len(covered) - len(unproven),
        own_keys=keys_dir is not None,
        page_compared=is_ours,
        problems=tuple(problems),
    )


def _unzipped(path: Path) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(it.file_size for it in archive.infolist()) > MOST_BYTES:
                raise SetupError(f"{path} is larger than any evidence pack.")
            return {it.filename: archive.read(it) for it in archive.infolist()}
    except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError, RuntimeError) as error:
        raise SetupError(f"{path} cannot be read as an evidence pack: {error}") from None


def _read(name: str, body: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.MsgspecError as error:
        raise SetupError(f"{name} of the pack cannot be read: {error}") from None


def _record(each: PackedEvent) -> Record:
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


def _keys_in(folder: Path, kept: Mapping[str, bytes]) -> Path:
    for name in KEY_FILES:
        if (body := kept.get(f"{KEYS}{name}")) is not None:
            (folder / name).write_bytes(body)
    return folder


def _other_files(manifest: Manifest, kept: Mapping[str, bytes]) -> Iterator[Wrong]:
    for name in sorted({*manifest.files, *kept} - {MANIFEST}):
        if name not in kept:
            yield Wrong(check="file", row=name, text="is missing")
        elif hashlib.sha256(kept[name]).hexdigest() != manifest.files.get(name):
            yield Wrong(check="file", row=name, text="is not what the manifest lists")


def _unlike(manifest: Manifest, each: PackedEvent, record: Record) -> Wrong | None:
    """The first thing that does not fit of one event: its body, its type, its leaf, its hold."""
    row = f"{each.src_stream}:{each.src_seq}"
    if hashlib.sha256(record.entry.body).hexdigest() != each.body_sha256:
        return Wrong(check="body", row=row, text="has another body than the one that was stored")
    told = {**msgspec.structs.asdict(each), "time": record.entry.at}
    if leaf(told).hex() != each.leaf:
        return Wrong(check="leaf", row=row, text="does not fit its leaf")
    if (record.type_name, record.hold_id) != (each.type, each.hold_id):
        return Wrong(check="event", row=row, text="names another type or hold than its message")
    if record.hold_id not in {None, manifest.hold_id}:
        return Wrong(check="event", row=row, text="is about another hold")
    return None


def _unsigned(keyset: Keyset, records: Sequence[Record]) -> Iterator[Wrong]:
    """Facts of gate and workers without a signature that is good."""
    for record in records:
        row = f"{record.entry.stream}:{record.entry.seq}"
        is_ours = record.entry.kind in SIGNED
        if record.entry.signature is None:
            if is_ours:
                yield Wrong(check="signature", row=row, text="carries no signature")
        elif not verified(keyset, record, record.entry.at).ok:
            yield Wrong(check="signature", row=row, text="has a signature that does not verify")


def _checkpoint(manifest: Manifest, keyset: Keyset) -> tuple[Checkpoint | None, list[Wrong]]:
    """Return the pack's checkpoint where there is one that counts, and what is wrong with it."""
    if not manifest.checkpoint:
        return None, []
    try:
        said = checked_note(manifest.checkpoint, public_keys(keyset))
    except (SignatureError, SetupError) as error:
        text = f"has a checkpoint that does not count: {error}"
        return None, [Wrong(check="checkpoint", row=MANIFEST, text=text)]
    if said.origin != origin_of(manifest.tenant):
        text = "has the checkpoint of another ledger"
        return None, [Wrong(check="checkpoint", row=MANIFEST, text=text)]
    return said, []


def _unproven(covered: Sequence[PackedEvent], checkpoint: Checkpoint) -> Iterator[Wrong]:
    """Yield each event that the checkpoint covers and that is not in its tree."""
    for each in covered:
        try:
            made, path = bytes.fromhex(each.leaf), [bytes.fromhex(it) for it in each.path or ()]
        except ValueError:
            made, path = b"", []
        if not is_included(made, each.seq - 1, checkpoint.size, path, checkpoint.root):
            row = f"{each.src_stream}:{each.src_seq}"
            yield Wrong(check="tree", row=row, text="is not in the tree of the checkpoint")


def _untold(records: Sequence[Record], kept: Mapping[str, bytes]) -> Iterator[Wrong]:
    """Find what the facts name and the pack lacks: answers, action, policy, page."""
    hold = hold_in(records)
    if hold is None:
        yield Wrong(check="hold", row=MESSAGES, text="has no fact of the hold")
        return
    yield from _missing_answers(records)
    if hold.action is not None and action_digest(hold.action) != hold.digest:
        yield Wrong(check="digest", row="hold", text="has another digest than its action")
    yield from _other_policy(hold, kept)


def _other_page(records: Sequence[Record], kept: Mapping[str, bytes]) -> Iterator[Wrong]:
    hold = hold_in(records)
    if hold is not None and kept.get(PAGE) != page(hold, records).encode():
        yield Wrong(check="page", row=PAGE, text="says something else than the messages")


def _missing_answers(records: Sequence[Record]) -> Iterator[Wrong]:
    """Answers that a fact rests on; those to the sentence that announced it are in its own pack."""
    given = {answer_given(it, said) for it in records if (said := it.message(Answer))}
    claimed = {
        each
        for record in records
        for each in claimed_answers(record)
        if each.hold_id == record.hold_id
    }
    for each in sorted(claimed - given, key=lambda it: it.cause):
        text = f"of {each.person or 'nobody'} ended the hold, and no such answer is there"
        yield Wrong(check="answer", row=each.cause, text=text)


def _other_policy(hold: Hold, kept: Mapping[str, bytes]) -> Iterator[Wrong]:
    if POLICY not in kept:
        return
    try:
        digest = policy_digest(msgspec.json.decode(kept[POLICY], type=Policy))
    except msgspec.MsgspecError:
        digest = ""
    if digest != hold.policy.digest:
        yield Wrong(check="policy", row=POLICY, text="is not the policy that the hold names")
