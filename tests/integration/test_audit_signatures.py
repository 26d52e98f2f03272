"""The audit verifies what it entered, and what does not verify is an exception."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.integration.ledger_bus import Bus
from tests.integration.ledger_files import asked, entered, new_ledger, rows_of

from holdpoint.audit import signatures
from holdpoint.audit.signatures import verified_with_the_commit, verify_a_batch
from holdpoint.audit.verify import verify
from holdpoint.ledger.entries import Entry
from holdpoint.ledger.exceptions import Kind, of_kind
from holdpoint.ledger.tables import verifications
from holdpoint.ledger.writer import Ledger
from holdpoint.messages.run import Lapsed, Started
from holdpoint.runtime.process import clock
from holdpoint.runtime.security import keys, keyset_files


async def test_signatures_are_verified_behind_the_commits(tmp_path: Path) -> None:
    entries, keyset = _signed_runs(tmp_path)
    url = new_ledger(tmp_path)
    entered(url, entries)

    assert not await _verified(url, keyset)
    assert [row[1] for row in rows_of(url, verifications)[0]] == [True, True, False, False, False]
    found = asked(url, lambda it: of_kind(it, Kind.UNSIGNED))
    assert {finding.subject.split(".")[5] for finding in found} == {
        "othersubject",
        "otherbody",
        "otherrole",
        "nobody",
    }


async def test_facts_that_were_signed_together_are_verified_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a batch of the audit ends in the middle of a tree."""
    monkeypatch.setattr(signatures, "VERIFY_BATCH", 5)
    keys.make_signing_key(tmp_path, keys.GATE, clock.now())
    keyset = keys.Keyset(tmp_path)
    bus, url = Bus(), new_ledger(tmp_path)
    facts = [replace(bus.run(_lapsed(f"h{number}")), at=clock.now()) for number in range(13)]
    headers = keys.Signer(tmp_path, keys.GATE, keyset).sign_all([it.body for it in facts])
    signed = [replace(it, signature=header) for it, header in zip(facts, headers, strict=True)]
    entered(url, [*signed[:12], replace(signed[12], signature=headers[11])])

    assert [await _verified(url, keyset) for _ in range(3)] == [True, True, False]
    assert [row[1] for row in rows_of(url, verifications)[0]] == [True] * 12 + [False]
    assert verify(url, keyset=keyset).problems == ()


async def test_each_signature_is_verified_with_the_commit_that_enters_it(tmp_path: Path) -> None:
    entries, keyset = _signed_runs(tmp_path)
    url = new_ledger(tmp_path)
    async with _opened(url, keyset) as ledger:
        await ledger.enter(entries, {})

    assert [row[1] for row in rows_of(url, verifications)[0]] == [True, True, False, False, False]


async def test_what_was_entered_without_keys_is_verified_when_they_are_back(
    tmp_path: Path,
) -> None:
    entries, keyset = _signed_runs(tmp_path)
    url = new_ledger(tmp_path)
    file = tmp_path / keyset_files.KEYSET_FILE
    gone = file.rename(tmp_path / "elsewhere")
    async with _opened(url, keys.Keyset(tmp_path)) as ledger:
        assert await ledger.enter(entries[:3], {}) == 3
        gone.rename(file)
        assert await ledger.enter(entries[3:], {}) == 3
        assert rows_of(url, verifications) == [[]]
        await verify_a_batch(ledger, keyset)
        late = replace(entries[0], seq=7)
        await ledger.enter([late], {})

    ok = [row[1] for row in rows_of(url, verifications)[0]]
    assert ok == [True, True, False, False, False, True]
    assert [it.check for it in verify(url, keyset=keyset).problems] == []


async def _verified(url: str, keyset: keys.Keyset) -> bool:
    async with _opened(url, keyset) as ledger:
        return await verify_a_batch(ledger, keyset)


@asynccontextmanager
async def _opened(url: str, keyset: keys.Keyset) -> AsyncIterator[Ledger]:
    ledger = Ledger(url, partial(verified_with_the_commit, keyset), lambda *_: "")
    await ledger.open()
    yield ledger
    await ledger.close()


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
        _signed(bus.run(_lapsed("gate")), gate),
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


def _lapsed(hold_id: str) -> Lapsed:
    return Lapsed(hold_id=hold_id, digest="", cause="HOLDS:1", reason="")
