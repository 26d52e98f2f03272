"""What was noted about signatures is held against the keys: nobody hides a forged fact there."""

import sqlite3
from contextlib import closing
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.integration.ledger_bus import Bus
from tests.integration.ledger_files import asked, entered, new_ledger

from holdpoint.audit.signatures import verified_with_the_commit, verify_a_batch
from holdpoint.audit.verify import Report, verify
from holdpoint.ledger.engines import file_of
from holdpoint.ledger.entries import Entry
from holdpoint.ledger.exceptions import Kind, of_kind
from holdpoint.ledger.writer import Ledger, upgrade
from holdpoint.messages.run import Lapsed
from holdpoint.runtime.process import clock
from holdpoint.runtime.security import keys, keyset_files

GOOD, FORGED, UNSIGNED, LAST = 1, 2, 3, 4
SIGNED_AT = clock.now()
COPY = "1, key_id, at FROM verifications LIMIT 1"


def a_lapse(bus: Bus, signer: keys.Signer | None, hold_id: str) -> Entry:
    told = bus.run(Lapsed(hold_id=hold_id, digest="", cause="HOLDS:1", reason=""))
    signature = signer.sign(told.body) if signer else None
    return replace(told, at=SIGNED_AT, signature=signature)


@pytest.fixture
def keyset(tmp_path: Path) -> keys.Keyset:
    keys.make_signing_key(tmp_path / "keys", keys.GATE, SIGNED_AT - timedelta(minutes=1))
    return keys.Keyset(tmp_path / "keys")


async def looked_at(url: str, keyset: keys.Keyset) -> None:
    """As the audit does it in the background."""
    ledger = Ledger(url, partial(verified_with_the_commit, keyset), lambda *_: "")
    await ledger.open()
    while await verify_a_batch(ledger, keyset):
        pass
    await ledger.close()


@pytest.fixture
async def url(tmp_path: Path, keyset: keys.Keyset) -> str:
    """A good fact, a forged one, an unsigned one, and another good one."""
    gate = keys.Signer(tmp_path / "keys", keys.GATE, keyset)
    bus = Bus()
    good = a_lapse(bus, gate, "good")
    forged = replace(a_lapse(bus, None, "forged"), signature=good.signature)
    ledger = new_ledger(tmp_path)
    entered(ledger, [good, forged, a_lapse(bus, None, "nobody"), a_lapse(bus, gate, "last")])
    await looked_at(ledger, keyset)
    return ledger


def tampered(url: str, keyset: keys.Keyset | None, statement: str) -> Report:
    """Do it without the triggers, and put them back."""
    with closing(sqlite3.connect(file_of(url), isolation_level=None)) as raw:
        for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
            raw.execute(f"DROP TRIGGER {name}")
        raw.execute(statement)
    upgrade(url)
    return verify(url, keyset=keyset)


def found(report: Report) -> list[tuple[str, str]]:
    return [(problem.check, problem.row) for problem in report.problems]


async def test_what_the_audit_noted_is_what_the_keys_say(url: str, keyset: keys.Keyset) -> None:
    report = verify(url, keyset=keyset)

    assert (report.problems, report.signatures_not_verified) == ((), "")
    assert len(asked(url, lambda it: of_kind(it, Kind.UNSIGNED))) == 2


@pytest.mark.parametrize(
    ("statement", "seq"),
    [
        (f"UPDATE verifications SET ok = 1 WHERE seq = {FORGED}", FORGED),
        (f"UPDATE verifications SET ok = 0 WHERE seq = {GOOD}", GOOD),
        (f"UPDATE verifications SET key_id = 'gate-other' WHERE seq = {GOOD}", GOOD),
        (f"UPDATE verifications SET at = '2026-01-01T00:00:00.000000Z' WHERE seq = {LAST}", LAST),
    ],
)
async def test_an_edited_verdict_is_named(
    url: str, keyset: keys.Keyset, statement: str, seq: int
) -> None:
    assert found(tampered(url, keyset, statement)) == [("verification", f"events.{seq}")]


@pytest.mark.parametrize(
    ("statement", "seq"),
    [
        (f"DELETE FROM verifications WHERE seq = {FORGED}", FORGED),
        (f"INSERT INTO verifications SELECT {UNSIGNED}, {COPY}", UNSIGNED),
        (f"INSERT INTO verifications SELECT 99, {COPY}", 99),
    ],
)
async def test_a_verdict_that_is_missing_or_too_much_is_named_even_without_keys(
    url: str, statement: str, seq: int
) -> None:
    assert found(tampered(url, None, statement)) == [("verification", f"events.{seq}")]


async def test_an_edited_verdict_cannot_be_seen_without_keys_and_that_is_said(
    url: str, tmp_path: Path
) -> None:
    elsewhere = keys.Keyset(tmp_path / "elsewhere")
    statement = f"UPDATE verifications SET ok = 1 WHERE seq = {FORGED}"
    report = tampered(url, elsewhere, statement)

    assert report.problems == ()
    assert "keyset.json is missing" in report.signatures_not_verified


async def test_what_nobody_looked_at_yet_is_no_problem(url: str, keyset: keys.Keyset) -> None:
    report = tampered(url, keyset, f"DELETE FROM verifications WHERE seq >= {FORGED}")

    assert report.problems == ()


@pytest.mark.parametrize(
    ("since", "problems"),
    [
        (timedelta(seconds=1), []),
        (timedelta(seconds=30), [("verification", f"events.{seq}") for seq in (GOOD, LAST)]),
    ],
)
async def test_the_audit_may_have_missed_a_revocation_for_a_moment_and_no_longer(
    url: str, tmp_path: Path, since: timedelta, problems: list[tuple[str, str]]
) -> None:
    folder = tmp_path / "keys"
    (line,) = keyset_files.read_keyset(folder)
    keys.revoke(folder, line.key_id, SIGNED_AT - since)

    assert found(verify(url, keyset=keys.Keyset(folder))) == problems
