"""The audit acknowledges what is on disk and nothing else, whatever happens to the disk."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from nats.aio.client import Client
from sqlalchemy import select
from tests.integration.ledger_bus import Bus
from tests.integration.ledger_files import asked, new_ledger, rows_of
from tests.integration.ledger_stories import a_proposal, every_story

from holdpoint.audit.handlers import BATCH, GroupCommit, verify_a_batch
from holdpoint.audit.verify import verify
from holdpoint.core import chain
from holdpoint.messages.run import Lapsed, Started
from holdpoint.runtime import clock, keys
from holdpoint.runtime.broker.headers import Headers, header_block
from holdpoint.runtime.broker.wire import Wire
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.lanes import Delivery
from holdpoint.runtime.ledger import engines
from holdpoint.runtime.ledger.book import Ledger, Seal
from holdpoint.runtime.ledger.engines import file_of
from holdpoint.runtime.ledger.entries import Entry
from holdpoint.runtime.ledger.exceptions import unsigned
from holdpoint.runtime.ledger.tables import events, heads, verifications

STORIES = every_story()
WITHIN_S = 60


class Acks(Wire):
    """A connection that notes, for each acknowledgement, whether its event was on disk by then."""

    def __init__(self, url: str) -> None:
        super().__init__(Client())
        self.url = url
        self.stored_first: list[bool] = []

    def publish_later(self, subject: str, body: bytes = b"") -> None:
        assert not body
        stream, _, seq = subject.rpartition(".")[0].rpartition(".")
        kept = select(events.c.seq).where(
            events.c.src_stream == stream, events.c.src_seq == int(seq)
        )
        self.stored_first.append(asked(self.url, lambda c: c.scalar(kept)) is not None)


def delivery_of(entry: Entry, acks: Acks) -> Delivery:
    signed = {keys.SIGNATURE_HEADER: entry.signature} if entry.signature else {}
    return Delivery(
        subject=entry.subject,
        data=entry.body,
        headers=Headers(header_block(signed)),
        stream=entry.stream,
        seq=entry.seq,
        at=entry.at,
        deliveries=1,
        reply=f"{entry.stream}.{entry.seq}.ack",
        wire=acks,
    )


@asynccontextmanager
async def auditing(url: str, seal: Seal = chain.seal) -> AsyncIterator[tuple[GroupCommit, Ledger]]:
    ledger = Ledger(url, seal)
    await ledger.open()
    commits = GroupCommit(ledger)
    running = asyncio.create_task(commits.run())
    yield commits, ledger
    running.cancel()
    await ledger.close()


async def handled(commits: GroupCommit, acks: Acks, entries: Sequence[Entry]) -> list[object]:
    """Hand all of them over at once; for each, None or what its handler raised."""
    work = (commits.handle(delivery_of(entry, acks)) for entry in entries)
    async with asyncio.timeout(WITHIN_S):
        return await asyncio.gather(*work, return_exceptions=True)


@pytest.fixture
def url(tmp_path: Path) -> str:
    return new_ledger(tmp_path)


async def test_each_message_is_on_disk_before_it_is_acknowledged(url: str) -> None:
    acks = Acks(url)
    async with auditing(url) as (commits, _):
        assert set(await handled(commits, acks, STORIES)) == {None}

    assert acks.stored_first == [True] * len(STORIES)
    assert verify(url).problems == ()


@pytest.mark.slow
async def test_many_messages_share_few_commits(url: str) -> None:
    bus = Bus()
    for number in range(2 * BATCH + 10):
        bus.call(a_proposal(f"k{number}"), "propose")
    async with auditing(url) as (commits, _):
        await handled(commits, Acks(url), bus.entries)

    assert len(rows_of(url, heads)[0]) == 3


async def test_while_the_ledger_is_locked_nothing_is_acknowledged_and_later_everything(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "BUSY_MS", 50)
    acks = Acks(url)
    async with auditing(url) as (commits, _):
        with closing(sqlite3.connect(file_of(url), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            failed = await handled(commits, acks, STORIES)
            other.execute("ROLLBACK")
        assert acks.stored_first == []
        again = await handled(commits, acks, STORIES)

    assert {type(error) for error in failed} == {UnavailableError}
    assert "locked" in str(failed[0])
    assert set(again) == {None}
    assert acks.stored_first == [True] * len(STORIES)
    assert len(rows_of(url, events)[0]) == len(STORIES)


async def test_a_ledger_that_is_gone_is_not_made_anew_and_not_written_to_unseen(url: str) -> None:
    acks = Acks(url)
    path = file_of(url)
    async with auditing(url) as (commits, _):
        await handled(commits, acks, STORIES[:10])
        path.rename(path.with_suffix(".moved"))
        failed = await handled(commits, acks, STORIES[10:])
        assert not path.exists()
        path.with_suffix(".moved").rename(path)
        await handled(commits, acks, STORIES[10:])

    assert {type(error) for error in failed} == {UnavailableError}
    assert acks.stored_first == [True] * len(STORIES)
    assert verify(url).problems == ()


async def test_a_ledger_that_was_replaced_is_written_to_where_it_is_now(
    url: str, tmp_path: Path
) -> None:
    path = file_of(url)
    async with auditing(url) as (commits, _):
        await handled(commits, Acks(url), STORIES[:10])
        _replace(path, file_of(new_ledger(tmp_path, "restored")))
        acks = Acks(url)
        await handled(commits, acks, STORIES)

    assert acks.stored_first == [True] * len(STORIES)


async def test_a_message_that_breaks_us_stops_no_other(url: str) -> None:
    def seal(previous: bytes, event: Mapping[str, Any]) -> tuple[bytes, bytes]:
        if event["src_seq"] == 4:
            raise ValueError("of all numbers")
        return chain.seal(previous, event)

    async with auditing(url, seal) as (commits, _):
        outcomes = await handled(commits, Acks(url), STORIES)

    broken = [entry for entry in STORIES if entry.seq == 4]
    assert len(rows_of(url, events)[0]) == len(STORIES) - len(broken)
    assert sum(isinstance(outcome, ValueError) for outcome in outcomes) == len(broken)


async def test_signatures_are_verified_behind_the_hot_path(url: str, tmp_path: Path) -> None:
    entries, keyset = _signed_runs(tmp_path)
    async with auditing(url) as (commits, ledger):
        await handled(commits, Acks(url), entries)
        await verify_a_batch(ledger, keyset)
        await verify_a_batch(ledger, keyset)

    assert [row[1] for row in rows_of(url, verifications)[0]] == [True, True, False, False, False]
    assert [finding.subject.split(".")[5] for finding in asked(url, unsigned)] == [
        "othersubject",
        "otherbody",
        "otherrole",
        "nobody",
    ]


def _signed_runs(folder: Path) -> tuple[list[Entry], keys.Keyset]:
    """Two good facts; then a copy elsewhere, another body, another role, and no signature."""
    at = clock.now()
    for role in (keys.GATE, keys.worker_role("database")):
        keys.make_signing_key(folder, role, at)
    keyset = keys.Keyset(folder)
    worker = keys.Signer(folder, keys.worker_role("database"), keyset)
    gate = keys.Signer(folder, keys.GATE, keyset)
    bus = Bus()
    good = _signed(bus.run(_started("worker")), worker)
    told = [
        good,
        _signed(bus.run(Lapsed(hold_id="gate", digest="", cause="HOLDS:1", reason="")), gate),
        replace(bus.run(_started("othersubject")), body=good.body, signature=good.signature),
        replace(bus.run(_started("otherbody")), signature=good.signature),
        _signed(bus.run(_started("otherrole")), gate),
        replace(bus.run(_started("nobody")), signature=None),
    ]
    return [replace(entry, at=at) for entry in told], keyset


def _signed(entry: Entry, signer: keys.Signer) -> Entry:
    return replace(entry, signature=signer.sign(entry.body))


def _started(hold_id: str) -> Started:
    return Started(
        hold_id=hold_id, digest="", cause="HOLDS:1", nonce="n", owner="w", lease_until=clock.now()
    )


def _replace(path: Path, by: Path) -> None:
    for old in path.parent.glob(f"{path.name}*"):
        old.unlink()
    by.rename(path)
