"""Packs: zip files with events as they were signed, and the keys to check them.

What `audit evidence` and `audit export` write has this in common.
"""

import base64
import hashlib
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Row

from holdpoint.core.leaf import moment
from holdpoint.runtime.security.keyset_files import DENIED_FILE, KEYSET_FILE, ROOT_FILE

MANIFEST, KEYS = "manifest.json", "keys/"
KEY_FILES = (KEYSET_FILE, DENIED_FILE, ROOT_FILE)
EPOCH = (1980, 1, 1, 0, 0, 0)
"""Time of every file in a pack: the same ledger makes the same pack."""

EMPTY_SHA256 = hashlib.sha256(b"").hexdigest()


class PackedEvent(msgspec.Struct, frozen=True, kw_only=True):
    """One event of the ledger, as the pack carries it."""

    seq: int
    src_stream: str
    src_seq: int
    subject: str
    type: str
    time: str
    """RFC 3339, UTC, with microseconds, as the leaf has it."""

    hold_id: str | None
    signature: str | None
    body_sha256: str
    leaf: str
    """Hex."""

    path: tuple[str, ...] | None = None
    """Hashes from the leaf up to the checkpoint's root, hex; None behind the checkpoint, and where
    one proof is of all events."""

    body: str
    """Base64; empty of an event whose body was erased."""

    @property
    def lacks_body(self) -> bool:
        """True if the message that was stored is not here; an empty one always is."""
        return not self.body and self.body_sha256 != EMPTY_SHA256


def packed(row: Row[Any], path: tuple[str, ...] | None = None) -> PackedEvent:
    """Return the pack's form of a row of `events` with its body."""
    return PackedEvent(
        seq=row.seq,
        src_stream=row.src_stream,
        src_seq=row.src_seq,
        subject=row.subject,
        type=row.type,
        time=moment(row._asdict()),
        hold_id=row.hold_id,
        signature=row.signature,
        body_sha256=row.body_sha256,
        leaf=row.leaf.hex(),
        path=path,
        body=base64.b64encode(row.body or b"").decode(),
    )


def key_files(folder: Path) -> Mapping[str, bytes]:
    """Return the public keys' files, by their names in a pack."""
    there = (name for name in KEY_FILES if (folder / name).exists())
    return {f"{KEYS}{name}": (folder / name).read_bytes() for name in there}


def zip_info(name: str) -> zipfile.ZipInfo:
    """Return how a file stands in a pack."""
    info = zipfile.ZipInfo(name, EPOCH)
    info.external_attr = 0o600 << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def time_in(text: str) -> datetime:
    """Read a time of a pack back."""
    return datetime.fromisoformat(text).astimezone(UTC)
