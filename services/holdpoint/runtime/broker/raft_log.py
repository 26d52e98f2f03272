"""Renames the header that ends streams, in the log of a server that does not run.

From 2.14 on nats-server hands a message with a wrong `Nats-Expected-Last-Msg-Id` to every copy of a
stream in a cluster, and each copy stops there for good, also after a restart: its raft log still
holds that message. Under another name the header means nothing: the server starts, stores the
message as any other, and goes on with what follows it. No message is removed, so each copy is
mended by itself, in any order; what the message said is then refused as any nonsense is.

Logs lie in blocks of records. A record ends with its checksum, HighwayHash with the block's name
as its key, and the server drops what does not fit.
"""

import json
import struct
from hashlib import sha256
from pathlib import Path

from holdpoint.runtime.config import files
from holdpoint.runtime.security.permissions import SYS

HEADER = b"\r\nNats-Expected-Last-Msg-Id:"
RENAMED = b"\r\nNats-Refused-Last-Msg-Id-:"
"""As long as the other; a body is JSON, in which no line ends like this."""

LOGS = Path("jetstream", SYS, "_js_")
"""The logs in a server's store, each in a folder of the name of its group of copies."""

INDEX = "index.db"
"""Index of the blocks, which the server creates again from them."""

RECORD = struct.Struct("<IQQH")
"""Of a record: its length, sequence, time, and the length of its subject."""

SEQ_AT, SUBJECT_AT = 4, 20
"""In a record: what lies between counts for its checksum, and what follows its fixed part."""

CHECKSUM = struct.Struct("<Q")
HAS_HEADERS = 0x80000000

WORD = 0xFFFFFFFFFFFFFFFF
HALF = 0xFFFFFFFF
PACKET = struct.Struct("<4Q")
FIRST = (0xDBE6D5D5FE4CCE2F, 0xA4093822299F31D0, 0x13198A2E03707344, 0x243F6A8885A308D3)
SECOND = (0x3BD39E10CB0EF593, 0xC0ACF169B5F18A8C, 0xBE5466CF34E90C6C, 0x452821E638D01377)
ZIPPER = (3, 12, 2, 5, 14, 1, 15, 0, 11, 4, 10, 13, 9, 6, 8, 7)
"""Which byte of 16 comes where."""


def rename_header(store: Path, stream: str) -> bool:
    """Rename the header in the log of a stream; `store` is that of a server that does not run.

    Returns False where nothing was to do: no copy of the stream is there, or no such message.
    """
    found = False
    for group in _groups(store, stream):
        for block in sorted((group / "msgs").glob("*.blk")):
            before = block.read_bytes()
            if HEADER not in before:
                continue
            (block.parent / INDEX).unlink(missing_ok=True)
            after = _renamed(before, sha256(f"{group.name}-{block.stem}".encode()).digest())
            files.replace(block, after, files.PRIVATE)
            found = True
    return found


def _groups(store: Path, stream: str) -> list[Path]:
    return [
        it.parent
        for it in (store / LOGS).glob("S-*/meta.inf")
        if json.loads(it.read_bytes()).get("metadata", {}).get("stream") == stream
    ]


def _renamed(block: bytes, key: bytes) -> bytes:
    """Return the block with the header renamed, each such record with a new checksum."""
    written, at = bytearray(block), 0
    while at + RECORD.size <= len(block):
        length = RECORD.unpack_from(block, at)[0] & ~HAS_HEADERS
        end = at + length - CHECKSUM.size
        if length < RECORD.size + CHECKSUM.size:
            break
        if HEADER in block[at:end]:
            written[at:end] = block[at:end].replace(HEADER, RENAMED)
            summed = bytes(written[at + SEQ_AT : at + SUBJECT_AT] + written[at + RECORD.size : end])
            CHECKSUM.pack_into(written, end, _highway_hash(summed, key))
        at += length
    return bytes(written)


def _highway_hash(data: bytes, key: bytes) -> int:
    """Return the 64 bits of HighwayHash."""
    keys = PACKET.unpack(key)
    v0 = [a ^ b for a, b in zip(FIRST, keys, strict=True)]
    v1 = [a ^ _turned(b, 32) for a, b in zip(SECOND, keys, strict=True)]
    state = (v0, v1, [*FIRST], [*SECOND])
    whole = len(data) - len(data) % PACKET.size
    for at in range(0, whole, PACKET.size):
        _update(state, PACKET.unpack_from(data, at))
    if rest := data[whole:]:
        size = len(rest)
        v0[:] = [(it + (size << 32) + size) & WORD for it in v0]
        v1[:] = [_each_half_turned(it, size) for it in v1]
        _update(state, PACKET.unpack(_padded(rest)))
    for _ in range(4):
        _update(state, tuple(_turned(v0[at], 32) for at in (2, 3, 0, 1)))
    return sum(it[0] for it in state) & WORD


def _update(state: tuple[list[int], ...], packet: tuple[int, ...]) -> None:
    v0, v1, mul0, mul1 = state
    for at in range(4):
        v1[at] = (v1[at] + mul0[at] + packet[at]) & WORD
        mul0[at] ^= (v1[at] & HALF) * (v0[at] >> 32)
        v0[at] = (v0[at] + mul1[at]) & WORD
        mul1[at] ^= (v0[at] & HALF) * (v1[at] >> 32)
    for left, right in ((v0, v1), (v1, v0)):
        for at in (0, 2):
            low, high = _zipped(right[at], right[at + 1])
            left[at] = (left[at] + low) & WORD
            left[at + 1] = (left[at + 1] + high) & WORD


def _zipped(low: int, high: int) -> tuple[int, int]:
    both = struct.pack("<QQ", low, high)
    one, other = struct.unpack("<QQ", bytes(both[at] for at in ZIPPER))
    return one, other


def _turned(word: int, bits: int) -> int:
    return (word << bits | word >> (64 - bits)) & WORD


def _each_half_turned(word: int, bits: int) -> int:
    halves = (word & HALF, word >> 32)
    low, high = ((it << bits | it >> (32 - bits)) & HALF for it in halves)
    return high << 32 | low


def _padded(rest: bytes) -> bytes:
    """Return the last packet, as HighwayHash fills it up."""
    packet, over = bytearray(PACKET.size), len(rest) % 4
    packet[: len(rest) - over] = rest[: len(rest) - over]
    if len(rest) & 16:
        packet[28:] = rest[-4:]
    elif over:
        last = rest[-over:]
        packet[16:19] = bytes((last[0], last[over >> 1], last[over - 1]))
    return bytes(packet)
