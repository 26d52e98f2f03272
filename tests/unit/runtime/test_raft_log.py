"""The header that ends streams, renamed in a server's log as nats-server writes it."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from holdpoint.runtime.broker import raft_log
from holdpoint.runtime.broker.raft_log import HEADER, LOGS, RECORD, RENAMED, rename_header

STREAM = "HP_ANSWERS_acme"
GROUP = "S-R3F-5Jbrmhm6"
ENDS_IT = b"NATS/1.0\r\nNats-Expected-Last-Msg-Id: never-said\r\n\r\n{}"
TALKS_OF_IT = b'NATS/1.0\r\n\r\n{"text": "Nats-Expected-Last-Msg-Id: never-said"}'

HASHES = {
    0: 0x907A56DE22C26E53,
    1: 0x7EAB43AAC7CDDD78,
    2: 0xB8D0569AB0B53D62,
    3: 0x5C6BEFAB8A463D80,
}
"""HighwayHash of the bytes 0, 1, 2 … so many, as its authors tell, with the key 0 to 31."""


@pytest.fixture
def group(tmp_path: Path) -> Path:
    folder = tmp_path / LOGS / GROUP
    (folder / "msgs").mkdir(parents=True)
    described = {"name": GROUP, "metadata": {"stream": STREAM}}
    (folder / "meta.inf").write_text(json.dumps(described))
    return folder


def record(seq: int, content: bytes) -> bytes:
    length = RECORD.size + len(content) + 8
    head = RECORD.pack(length, seq, 1_795_821_502_000_000_000 + seq, 0)
    return head + content + checksum(head, content)


def checksum(head: bytes, content: bytes) -> bytes:
    key = sha256(f"{GROUP}-1".encode()).digest()
    return raft_log._highway_hash(head[4:20] + content, key).to_bytes(8, "little")


def write(group: Path, *contents: bytes) -> Path:
    block = group / "msgs" / "1.blk"
    block.write_bytes(b"".join(record(seq, it) for seq, it in enumerate(contents, start=1)))
    (group / "msgs" / "index.db").write_bytes(b"what was there")
    return block


@pytest.mark.parametrize(("size", "hashed"), HASHES.items())
def test_the_checksum_is_highway_hash(size: int, hashed: int) -> None:
    assert raft_log._highway_hash(bytes(range(size)), bytes(range(32))) == hashed


@pytest.mark.parametrize("times", [1, 3])
def test_each_message_stays_and_the_header_that_ends_the_stream_is_renamed(
    times: int, group: Path, tmp_path: Path
) -> None:
    block = write(group, b"before", *[ENDS_IT] * times, b"behind")

    assert rename_header(tmp_path, STREAM)

    renamed = ENDS_IT.replace(HEADER, RENAMED)
    kept = (b"before", *[renamed] * times, b"behind")
    assert block.read_bytes() == b"".join(record(seq, it) for seq, it in enumerate(kept, start=1))
    assert not (group / "msgs" / "index.db").exists()
    assert not rename_header(tmp_path, STREAM)


def test_a_message_that_only_talks_of_the_header_stays_as_it_is(
    group: Path, tmp_path: Path
) -> None:
    block = write(group, TALKS_OF_IT)
    before = block.read_bytes()

    assert not rename_header(tmp_path, STREAM)
    assert (block.read_bytes(), len(HEADER)) == (before, len(RENAMED))
    assert (group / "msgs" / "index.db").exists()


def test_the_log_of_another_stream_is_left_alone(group: Path, tmp_path: Path) -> None:
    block = write(group, ENDS_IT)

    assert not rename_header(tmp_path, "HP_RUNS_acme")
    assert HEADER in block.read_bytes()
