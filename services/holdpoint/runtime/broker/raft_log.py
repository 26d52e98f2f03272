"""A raft log as nats-server writes it: which message is in it, and how it is forgotten."""

import json
import shutil
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from holdpoint.runtime.security.permissions import SYS

LOGS = Path("jetstream", SYS, "_js_")
"""The logs in a server's store, each in a folder of its group's name."""

RECORD = struct.Struct("<IQQH")
"""Of a stored record: its length, sequence, time, and the length of its subject."""

HAS_HEADERS = 0x80000000
CHECKSUM_BYTES = 8
APPENDED = struct.Struct("<8sQQQQH")
"""Of what a leader appends: who it is, four counters, and how many entries follow."""

ENTRY = struct.Struct("<IB")
STORED = struct.Struct("<BQQ")
"""Of a message in an entry: the operation, its sequence and time."""

TEXT = struct.Struct("<H")
HEADERS_BEGIN = b"NATS/1.0"


def subject_of(store: Path, group: str, header: bytes) -> str:
    """Return the subject of the first message in a group's log that carries this header.

    Empty where none does that can be read; the server compresses long ones.
    """
    for block in sorted((store / LOGS / group / "msgs").glob("*.blk")):
        for entry in _entries(block.read_bytes()):
            with suppress(struct.error):  # no message, or one that is compressed
                subject, headers = _message(entry)
                if headers.startswith(HEADERS_BEGIN) and header in headers:
                    return subject.decode(errors="replace")
    return ""


def group_of(store: Path, stream: str) -> str:
    """Return the name of the group that keeps a stream's copies; empty where there is none."""
    for described in sorted((store / LOGS).glob("S-*/meta.inf")):
        if json.loads(described.read_bytes()).get("metadata", {}).get("stream") == stream:
            return described.parent.name
    return ""


def forget(store: Path, group: str) -> None:
    """Remove a group's log from a server that does not run; what its stream stored stays.

    The term stays too, so that a server with an older log cannot win against those without one.
    """
    for part in ("msgs", "snapshots"):
        shutil.rmtree(store / LOGS / group / part, ignore_errors=True)


def _entries(block: bytes) -> Iterator[bytes]:
    at = 0
    while at + RECORD.size <= len(block):
        length, _, _, subject = RECORD.unpack_from(block, at)
        length &= ~HAS_HEADERS
        if length <= RECORD.size:
            return
        yield from _appended(block[at + RECORD.size + subject : at + length - CHECKSUM_BYTES])
        at += length


def _appended(record: bytes) -> Iterator[bytes]:
    if len(record) < APPENDED.size:
        return
    count, at = APPENDED.unpack_from(record)[-1], APPENDED.size
    for _ in range(count):
        if at + ENTRY.size > len(record):
            return
        size, _ = ENTRY.unpack_from(record, at)
        yield record[at + ENTRY.size : at + ENTRY.size + size - 1]
        at += ENTRY.size + size - 1


def _message(entry: bytes) -> tuple[bytes, bytes]:
    """Return subject and headers. struct.error where the entry is too short for them."""
    subject, at = _text(entry, STORED.size)
    _, at = _text(entry, at)  # where its acknowledgement goes
    headers, _ = _text(entry, at)
    return subject, headers


def _text(entry: bytes, at: int) -> tuple[bytes, int]:
    (length,) = TEXT.unpack_from(entry, at)
    end = at + TEXT.size + length
    return entry[at + TEXT.size : end], end
