"""Edits, deletions, insertions, swaps and rewrites of any table: each is found and named."""

import asyncio
import os
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random  # noqa: TID251  # seeded: a run can be repeated

import msgspec
import pytest
from sqlalchemy import Connection
from tests.integration.ledger_files import asked, new_ledger
from tests.integration.ledger_mutations import Tampered, drop_triggers, tamper
from tests.integration.ledger_stories import every_story

from holdpoint.audit.checkpoint_keys import Attester, origin_of
from holdpoint.audit.in_ranges import findings
from holdpoint.audit.signatures import verified_with_the_commit
from holdpoint.audit.tree_checks import Finding
from holdpoint.audit.verify import broken_events, verify
from holdpoint.core.checkpoint import Checkpoint, read_note
from holdpoint.ledger import engines
from holdpoint.ledger.engines import file_of
from holdpoint.ledger.entries import Entry
from holdpoint.ledger.triggers import install
from holdpoint.ledger.writer import Ledger
from holdpoint.runtime.process import clock
from holdpoint.runtime.security import keys
from holdpoint.runtime.store.journal import signer_of

SEED = int(os.environ.get("HP_SEED", "7"))
TIMES = 100
COPIES = 6
"""276 events: a whole node of the tree, and some behind it."""


@dataclass(frozen=True, kw_only=True)
class Untouched:
    """A ledger with signatures, checkpoints, and one of them kept outside."""

    file: Path
    keyset: keys.Keyset
    held: Checkpoint


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Untouched:
    return asyncio.run(_made(tmp_path_factory.mktemp("untouched")))


async def _made(folder: Path) -> Untouched:
    made_at = clock.now() - timedelta(days=2)
    for role in (keys.GATE, keys.AUDIT):
        keys.make_signing_key(folder / "keys", role, made_at)
    keyset = keys.Keyset(folder / "keys")
    url = new_ledger(folder)
    attest = Attester(folder / "keys", keyset, origin_of("acme"))
    ledger = Ledger(url, partial(verified_with_the_commit, keyset), attest)
    await ledger.open()
    gate = keys.Signer(folder / "keys", keys.GATE, keyset)
    held = None
    for number in range(COPIES):
        await ledger.enter(_copy(number, gate), {})
        held = await ledger.checkpoint()
    await ledger.close()
    assert held is not None
    report = verify(url, keyset=keyset)
    assert report.problems == ()
    return Untouched(file=file_of(url), keyset=keyset, held=read_note(held.note).checkpoint)


def _copy(number: int, gate: keys.Signer) -> list[Entry]:
    """The stories once more, behind each other on their streams, a day ago, signed by the gate."""
    stories = every_story()
    moved = clock.now() - timedelta(days=1) - stories[0].at
    lengths: dict[str, int] = {}
    for entry in stories:
        lengths[entry.stream] = max(lengths.get(entry.stream, 0), entry.seq)
    return [
        msgspec.structs.replace(
            it,
            seq=it.seq + number * lengths[it.stream],
            at=it.at + moved,
            signature=gate.sign(it.body) if signer_of(it.subject) == keys.GATE else None,
        )
        for it in stories
    ]


def found_in(untouched: Untouched, folder: Path, seed: int) -> tuple[Tampered, list[str]]:
    """Tamper with a copy; what was done, and every problem unless one of them names it."""
    copy = folder / f"{seed}.db"
    shutil.copy(untouched.file, copy)
    with closing(sqlite3.connect(copy, isolation_level=None)) as raw:
        raw.execute("PRAGMA synchronous = OFF")
        done = tamper(raw, Random(seed))  # noqa: S311  # the seed is in the failure
    engine = engines.writer(f"sqlite:///{copy}")
    with engine.begin() as connection:
        install(connection)
    engine.dispose()
    report = verify(f"sqlite:///{copy}", [untouched.held], untouched.keyset, depth=done.depth)
    copy.unlink()
    if any(done.is_named_by(it) for it in report.problems):
        return done, []
    return done, [f"{it.check}: {it.row} {it.text}" for it in report.problems] or ["nothing"]


@pytest.mark.slow
@pytest.mark.parametrize("round_", range(10))
def test_whatever_is_tampered_with_is_found_and_named(
    untouched: Untouched, tmp_path: Path, round_: int
) -> None:
    missed = []
    for number in range(TIMES):
        seed = SEED * 10_000 + round_ * TIMES + number
        done, problems = found_in(untouched, tmp_path, seed)
        if problems:
            missed.append((seed, done, problems))

    assert not missed


@pytest.mark.slow
def test_ranges_on_all_cores_find_what_one_look_finds(untouched: Untouched, tmp_path: Path) -> None:
    copy = tmp_path / "ranges.db"
    shutil.copy(untouched.file, copy)
    with closing(sqlite3.connect(copy, isolation_level=None)) as raw:
        drop_triggers(raw)
        raw.execute("UPDATE events SET seq = -4 WHERE seq = 7")
        raw.execute("UPDATE bodies SET body = x'00' WHERE seq = 60")
        raw.execute("DELETE FROM events WHERE seq IN (99, 100)")
        raw.execute("UPDATE events SET seq = 4000000000 WHERE seq = 200")
    url, heard = f"sqlite:///{copy}", list[int]()

    def named(size: int) -> list[int | None]:
        def look(connection: Connection) -> list[Finding]:
            return list(findings(url, connection, broken_events, tell, size))

        return [it.event for it in asked(url, look)]

    def tell(done: int, of: int) -> None:
        heard.append(done)
        assert of == 274

    one_look = named(1_000)
    assert named(50) == one_look
    assert one_look == [1, -4, -3, 7, 60, 99, 200, 277, 4_000_000_000]
    assert heard == [50, 100, 150, 200, 250, 274]
