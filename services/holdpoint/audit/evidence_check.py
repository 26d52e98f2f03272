"""Offline check of an evidence pack: nothing else is needed, no ledger, no broker, no network."""

import hashlib
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from holdpoint.audit.evidence import FORMAT, MESSAGES, PAGE, POLICY, Manifest, hold_in
from holdpoint.audit.evidence_page import page
from holdpoint.audit.pack_checks import (
    Wrong,
    checkpoint_in,
    keys_in,
    read_part,
    record_of_packed,
    unlike,
    unproven,
    unsigned,
)
from holdpoint.audit.packs import MANIFEST, PackedEvent
from holdpoint.core.digest import action_digest, policy_digest
from holdpoint.ledger.entries import Record
from holdpoint.ledger.exceptions import answer_given, claimed_answers
from holdpoint.messages.answer import Answer
from holdpoint.messages.hold import Hold
from holdpoint.messages.policy import Policy
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.security.keys import Keyset

MOST_BYTES = 256 * 1024 * 1024
"""All of an unpacked pack."""


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
    manifest = read_part(MANIFEST, kept.get(MANIFEST, b""), Manifest)
    if manifest.format != FORMAT:
        raise SetupError(f"{path} is a pack of format {manifest.format}; this reads {FORMAT}.")
    packed = [
        read_part(MESSAGES, line, PackedEvent) for line in kept.get(MESSAGES, b"").splitlines()
    ]
    records = [record_of_packed(each) for each in packed]
    with TemporaryDirectory() as folder:
        keyset = Keyset(keys_dir or keys_in(Path(folder), kept))
        signed = list(unsigned(keyset, records))
        checkpoint, uncounted = checkpoint_in(manifest.checkpoint, manifest.tenant, keyset)
    covered = [each for each in packed if checkpoint is not None and each.seq <= checkpoint.size]
    outside = list(unproven(covered, checkpoint)) if checkpoint else []
    is_ours = manifest.release == version("holdpoint")
    problems = [
        *_other_files(manifest, kept),
        *(wrong for each, record in zip(packed, records, strict=True)
          if (wrong := _unlike(manifest, each, record))),
        *signed,
        *uncounted,
        *outside,
        *_untold(records, kept),
        *(_other_page(records, kept) if is_ours else ()),
    ]  # fmt: skip
    return PackReport(
        hold_id=manifest.hold_id,
        events=len(records),
        signatures=sum(it.entry.signature is not None for it in records) - len(signed),
        proven=len(covered) - len(outside),
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


def _other_files(manifest: Manifest, kept: Mapping[str, bytes]) -> Iterator[Wrong]:
    for name in sorted({*manifest.files, *kept} - {MANIFEST}):
        if name not in kept:
            yield Wrong(check="file", row=name, text="is missing")
        elif hashlib.sha256(kept[name]).hexdigest() != manifest.files.get(name):
            yield Wrong(check="file", row=name, text="is not what the manifest lists")


def _unlike(manifest: Manifest, each: PackedEvent, record: Record) -> Wrong | None:
    """Return the first thing that does not fit of one event: of itself, or its hold."""
    if wrong := unlike(each, record):
        return wrong
    if record.hold_id not in {None, manifest.hold_id}:
        row = f"{each.src_stream}:{each.src_seq}"
        return Wrong(check="event", row=row, text="is about another hold")
    return None


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
