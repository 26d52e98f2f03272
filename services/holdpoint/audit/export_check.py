"""Offline check of an exported range: nothing else is needed, no ledger, no broker, no network."""

import hashlib
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from holdpoint.audit.export import ERASURES, EVENTS, Export
from holdpoint.audit.pack_checks import (
    Wrong,
    checkpoint_in,
    keys_in,
    other_leaf,
    read_part,
    record_of_packed,
    unlike,
    unproven,
    unsigned,
)
from holdpoint.audit.packs import KEY_FILES, KEYS, MANIFEST, PackedEvent
from holdpoint.core.merkle import has_subset
from holdpoint.ledger.entries import Record
from holdpoint.ledger.erased import ErasureOf, erasure_finder, erasure_told, spans_of
from holdpoint.messages.erasure import Erased
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.security.keys import Keyset

LONGEST_LINE = 16 * 1024 * 1024
LARGEST_PART = 256 * 1024 * 1024
"""Bytes of any file in it but the events, which are read line by line."""

MOST = 20
"""Problems that are named."""

_UNREADABLE = (zipfile.BadZipFile, OSError, EOFError, NotImplementedError, RuntimeError)


class ExportReport(msgspec.Struct, frozen=True, kw_only=True):
    """Result of the check; no problem means that the file says what the ledger said."""

    tenant: str
    asked: dict[str, str]
    first: int
    last: int
    first_at: str
    last_at: str
    """Times of these two."""

    events: int
    whole: bool
    """True if it claims every event from the first to the last."""

    erased: int
    """Events without their message, whose erasure is proven."""

    signatures: int
    """Number of signatures that were verified."""

    proven: int
    """Number of events that are in the tree of the checkpoint that the audit signed."""

    own_keys: bool
    """True if the keys were the reader's own, not the file's."""

    problems: tuple[Wrong, ...]


def is_export(path: Path) -> bool:
    """Is this zip file an exported range?"""
    try:
        with zipfile.ZipFile(path) as archive:
            return EVENTS in archive.namelist()
    except _UNREADABLE:
        return False


def verify_export(path: Path, keys_dir: Path | None = None) -> ExportReport:
    """Check an export; with a folder of keys, only those count. SetupError for what is none."""
    try:
        with zipfile.ZipFile(path) as archive, TemporaryDirectory() as folder:
            manifest = read_part(MANIFEST, _part(archive, MANIFEST), Export)
            brought = {
                name: _part(archive, name)
                for name in (ERASURES, *(f"{KEYS}{it}" for it in KEY_FILES))
                if name in archive.namelist()
            }
            check = _Check(manifest, Keyset(keys_dir or keys_in(Path(folder), brought)))
            check.erasures(brought.get(ERASURES, b""))
            check.walk(_lines(archive))
            check.files(archive, brought)
            return check.report(own_keys=keys_dir is not None)
    except _UNREADABLE as error:
        raise SetupError(f"{path} cannot be read as an export: {error}") from None


@dataclass(eq=False)
class _Check:
    """One walk over the events of an export."""

    manifest: Export
    keyset: Keyset
    erasure_of: ErasureOf = field(init=False)
    lacking: list[int] = field(default_factory=list)
    """Events without their message, and without an erasure."""

    problems: list[Wrong] = field(default_factory=list)
    leaves: dict[int, bytes] = field(default_factory=dict)
    signatures: int = 0
    erased: int = 0
    digest: str = ""
    first_at: str = ""
    last_at: str = ""

    def erasures(self, lines: bytes) -> None:
        """Read what was erased; only what the checkpoint proves counts."""
        made = self.manifest
        checkpoint, _ = checkpoint_in(made.checkpoint, made.tenant, self.keyset)
        told = list[tuple[int, str, Erased]]()
        for line in lines.splitlines():
            each = read_part(ERASURES, line, PackedEvent)
            record = record_of_packed(each)
            outside = next(unproven([each], checkpoint), None) if checkpoint else None
            if wrong := unlike(each, record) or outside:
                self.problems.append(wrong)
            elif checkpoint and (said := erasure_told(record)):
                told.append(said)
        self.erasure_of = erasure_finder(told)

    def walk(self, lines: Iterator[bytes]) -> None:
        """Look at each event by itself, and at its place behind the one before it."""
        digest, before = hashlib.sha256(), self.manifest.first - 1
        for line in lines:
            digest.update(line)
            each = read_part(EVENTS, line, PackedEvent)
            self._place(each.seq, before)
            self._event(each)
            self.first_at, self.last_at = self.first_at or each.time, each.time
            before = max(before, each.seq)
        if before != self.manifest.last or len(self.leaves) != self.manifest.events:
            text = f"lists {self.manifest.events} events up to {self.manifest.last}"
            self._say("range", MANIFEST, f"{text}, and {len(self.leaves)} up to {before} are here")
        self.digest = digest.hexdigest()

    def files(self, archive: zipfile.ZipFile, brought: dict[str, bytes]) -> None:
        """Hold every file against the manifest."""
        there = {name: hashlib.sha256(body).hexdigest() for name, body in brought.items()}
        there[EVENTS] = self.digest
        for name in sorted({*self.manifest.files, *archive.namelist()} - {MANIFEST}):
            if name not in archive.namelist():
                self._say("file", name, "is missing")
            elif there.get(name) != self.manifest.files.get(name, ""):
                self._say("file", name, "is not what the manifest lists")

    def report(self, *, own_keys: bool) -> ExportReport:
        """Hold all leaves against the checkpoint, and return what came of everything."""
        made = self.manifest
        checkpoint, uncounted = checkpoint_in(made.checkpoint, made.tenant, self.keyset)
        proven = checkpoint is not None and has_subset(
            self.leaves, checkpoint.size, _hashes(made.path), checkpoint.root
        )
        if checkpoint is not None and not proven:
            text = "are not, all of them, those of the checkpoint's tree"
            self._say("tree", f"events {made.first} to {made.last}", text)
        for first, last in spans_of(self.lacking) if self.lacking else ():
            row = f"events {first} to {last}" if first != last else f"event {first}"
            self._say("erasure", row, "came without a message, and no erasure on record names it")
        return ExportReport(
            tenant=made.tenant,
            asked=made.asked,
            first=made.first,
            last=made.last,
            first_at=self.first_at,
            last_at=self.last_at,
            events=len(self.leaves),
            whole=made.is_whole,
            erased=self.erased,
            signatures=self.signatures,
            proven=len(self.leaves) if proven else 0,
            own_keys=own_keys,
            problems=tuple([*self.problems, *uncounted][:MOST]),
        )

    def _place(self, seq: int, before: int) -> None:
        if seq <= before:
            self._say("range", f"event {seq}", "is not in its place")
        elif self.manifest.is_whole and seq != before + 1:
            self._say("range", f"event {before + 1}", f"is missing: the next one is {seq}")

    def _event(self, each: PackedEvent) -> None:
        record = record_of_packed(each)
        wrong = other_leaf(each, record) if each.lacks_body else unlike(each, record)
        found = [*([wrong] if wrong else []), *self._unsigned(each, record)]
        self.problems += found[: MOST - len(self.problems)]
        self.leaves[each.seq - 1] = _hash(each.leaf)

    def _unsigned(self, each: PackedEvent, record: Record) -> list[Wrong]:
        """A signature is of the message: without it there is nothing to verify."""
        if each.lacks_body:
            if self.erasure_of(each.seq, each.src_stream, each.src_seq):
                self.erased += 1
            else:
                self.lacking.append(each.seq)
            return []
        found = list(unsigned(self.keyset, [record]))
        self.signatures += each.signature is not None and not found
        return found

    def _say(self, check: str, row: str, text: str) -> None:
        if len(self.problems) < MOST:
            self.problems.append(Wrong(check=check, row=row, text=text))


def _part(archive: zipfile.ZipFile, name: str) -> bytes:
    try:
        info = archive.getinfo(name)
    except KeyError:
        raise SetupError(f"This zip file has no {name}, so it is no export.") from None
    if info.file_size > LARGEST_PART:
        raise SetupError(f"{name} is larger than that of any export.")
    return archive.read(info)


def _lines(archive: zipfile.ZipFile) -> Iterator[bytes]:
    with archive.open(EVENTS) as file:
        while line := file.readline(LONGEST_LINE):
            if not line.endswith(b"\n"):
                raise SetupError(f"{EVENTS} holds a line that is cut, or too long.")
            yield line


def _hashes(path: tuple[str, ...]) -> list[bytes]:
    return [_hash(it) for it in path]


def _hash(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""
