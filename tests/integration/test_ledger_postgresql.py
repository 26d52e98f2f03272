"""A ledger in PostgreSQL: many writers take turns, and nobody changes what it holds."""

import asyncio
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import make_url, text
from sqlalchemy.exc import DBAPIError, IntegrityError
from tests.integration.ledger_bus import Bus
from tests.integration.ledger_files import (
    attested,
    database_at,
    derived_by_name,
    entered,
    ledgers_at,
    new_ledger,
    rows_of,
    unguarded,
)
from tests.integration.ledger_stories import batches, every_story

from holdpoint.audit.verify import verify
from holdpoint.cli.commands.backup import backup, restore
from holdpoint.ledger import engines
from holdpoint.ledger.positions import position_of
from holdpoint.ledger.tables import events
from holdpoint.ledger.writer import Ledger, upgrade
from holdpoint.messages.call import Phase, Trace
from holdpoint.runtime.config import files, remembered
from holdpoint.runtime.errors import SetupError, UnavailableError

pytestmark = pytest.mark.slow

ROLES = Path(__file__).parents[2] / "deploy" / "postgresql" / "roles.sql"
STORIES = every_story()
TAKE = 7


@pytest.fixture
def url(ledger_server: str, tmp_path: Path) -> Iterator[str]:
    with ledgers_at(ledger_server):
        yield new_ledger(tmp_path)


@pytest.fixture
def filled(url: str) -> str:
    entered(url, STORIES[:20], STORIES[20:], attest=attested)
    return url


def opened(url: str) -> Ledger:
    return Ledger(url, lambda _: [], attested)


async def follow(ledger: Ledger, streams: Sequence[str]) -> int:
    """Enter every story from where the ledger ends; returns how often it was overtaken."""
    overtaken = 0
    while True:
        ends = {it: (await ledger.read(partial(position_of, stream=it))).seq for it in streams}
        batch = [it for it in STORIES if it.seq > ends[it.stream]][:TAKE]
        if not batch:
            return overtaken
        named = {it.stream for it in batch}
        try:
            await ledger.enter(batch, {name: ends[name] for name in named})
        except UnavailableError:
            overtaken += 1


async def test_two_audits_that_were_started_by_mistake_enter_everything_once(
    url: str, ledger_server: str, tmp_path: Path
) -> None:
    streams = sorted({it.stream for it in STORIES})
    both = [opened(url), opened(url)]
    await asyncio.gather(*(follow(it, streams) for it in both))
    await asyncio.gather(*(it.close() for it in both))
    with ledgers_at(ledger_server):
        alone = new_ledger(tmp_path, "alone")
    entered(alone, *batches(STORIES, TAKE))

    assert verify(url).problems == ()
    assert verify(url).events == len(STORIES)
    assert derived_by_name(url) == derived_by_name(alone)


async def test_a_writer_that_lost_its_connection_leaves_the_turn_and_comes_back(url: str) -> None:
    engine, ledger = engines.writer(url), opened(url)
    with engine.connect() as stuck:
        pid = stuck.scalar(text("SELECT pg_backend_pid()"))
        waiting = asyncio.ensure_future(ledger.enter(STORIES[:TAKE], {}))
        _end(url, f"a.pid = {pid}")
        assert await waiting == TAKE
        stuck.invalidate()
    engine.dispose()
    _end(url, "a.state = 'idle'")
    with pytest.raises(UnavailableError):
        await ledger.enter(STORIES[TAKE:], {})
    assert await ledger.enter(STORIES[TAKE:], {}) == len(STORIES) - TAKE
    await ledger.close()

    assert verify(url).problems == ()


def _end(url: str, which: str) -> None:
    """End connections to this ledger, as a server that is restarted does."""
    admin = make_url(url).set(database="postgres").render_as_string(hide_password=False)
    name = make_url(url).database
    _run(
        admin,
        "SELECT pg_terminate_backend(a.pid, 5000) FROM pg_stat_activity a"
        f" WHERE a.datname = '{name}' AND {which}",
    )


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET subject = 'x' WHERE seq = 1",
        "DELETE FROM bodies WHERE seq = 1",
        "DELETE FROM checkpoints",
        "TRUNCATE events CASCADE",
        "INSERT INTO checkpoints VALUES (9, 21, '')",
        "UPDATE confirmation_events SET reason = NULL",
        "UPDATE runs SET status = 'failed' WHERE status = 'done'",
        "TRUNCATE traces",
    ],
)
def test_the_triggers_abort(filled: str, statement: str) -> None:
    with pytest.raises(IntegrityError, match=r"append-only|no gaps|never changes"):
        _run(filled, statement)

    assert verify(filled).problems == ()


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("UPDATE bodies SET body = 'x' WHERE seq = 7", ("event", "events.7")),
        ("UPDATE events SET time = time + interval '1 hour' WHERE seq = 9", ("event", "events.9")),
        (
            "DELETE FROM confirmation_events WHERE hold_id = 'holddenied0'",
            ("derived", "confirmation_events.holddenied0"),
        ),
        ("UPDATE traces SET call_order = 9 WHERE id = 7", ("derived", "traces.7/acme")),
    ],
)
def test_what_was_changed_without_the_triggers_is_named(
    filled: str, statement: str, named: tuple[str, str]
) -> None:
    with unguarded(filled) as connection:
        connection.execute(text(statement))
    upgrade(filled)

    assert named in [(it.check, it.row) for it in verify(filled).problems]


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TRIGGER events_stays ON events",
        "ALTER TABLE events DISABLE TRIGGER events_stays",
        "CREATE OR REPLACE FUNCTION events_stays() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN END'",
    ],
)
def test_a_trigger_that_does_nothing_any_more_is_named_and_put_back(
    filled: str, statement: str
) -> None:
    _run(filled, statement)
    report = verify(filled)
    upgrade(filled)

    assert [(it.check, it.row) for it in report.problems] == [("guard", "events_stays")]
    assert verify(filled).problems == ()


def test_a_text_that_postgresql_cannot_hold_is_entered_all_the_same(url: str) -> None:
    bus = Bus()
    entry = bus.call(
        Trace(trace_id="a\x00b", group_id="g\x00", fn="f\x00", phase=Phase.OPENED), "trace"
    )
    odd = msgspec.structs.replace(entry, subject=entry.subject + "\x00", signature="\x00")

    assert entered(url, [odd]) == 1
    assert verify(url).problems == ()


def test_the_audits_role_adds_and_changes_nothing(filled: str) -> None:
    _run(filled, *filter(str.strip, ROLES.read_text().split(";\n")))
    as_audit = make_url(filled).set(username="holdpoint_audit")
    as_reader = make_url(filled).set(username="holdpoint_reader")
    audit, reader = (it.render_as_string(hide_password=False) for it in (as_audit, as_reader))
    upgrade(audit)
    before = rows_of(reader, events)
    more = [msgspec.structs.replace(it, stream=f"{it.stream}2") for it in STORIES[:TAKE]]

    assert entered(audit, more) == TAKE
    assert rows_of(reader, events)[0][: len(STORIES)] == before[0]
    for role in (audit, reader):
        for statement in FORBIDDEN:
            with pytest.raises(DBAPIError, match=r"permission denied|must be owner"):
                _run(role, statement)
    assert verify(reader).problems == ()


FORBIDDEN = (
    "UPDATE events SET subject = 'x'",
    "DELETE FROM bodies",
    "TRUNCATE traces",
    "UPDATE checkpoints SET note = ''",
    "ALTER TABLE events DISABLE TRIGGER USER",
    "DROP TRIGGER events_stays ON events",
)


def _run(url: str, *statements: str) -> None:
    """Run these in one transaction."""
    engine = engines.writer(url)
    try:
        with engine.begin() as connection:
            for statement in statements:
                connection.execute(text(statement))
    finally:
        engine.dispose()


def test_a_database_that_is_not_there_is_told_without_its_password(ledger_server: str) -> None:
    url = make_url(ledger_server).set(database="nowhere", password="open-sesame")  # noqa: S106
    with pytest.raises(SetupError, match="cannot be read") as told:
        upgrade(url.render_as_string(hide_password=False))

    assert "open-sesame" not in str(told.value)


@pytest.fixture
def empty(ledger_server: str) -> str:
    return database_at(ledger_server, "restored", "template0")


@pytest.fixture
def state(filled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder whose ledger is kept by the server."""
    folder = tmp_path / "var"
    files.private_folder(folder / "keys")
    files.replace(folder / "keys" / "gate-1.key", b"secret", files.PRIVATE)
    remembered.write(folder, {remembered.LEDGER: filled})
    monkeypatch.setenv("HP_STATE_DIR", str(folder))
    monkeypatch.setenv("HP_LEDGER_URL", filled)
    return folder


@pytest.mark.usefixtures("state")
def test_a_backup_holds_the_ledger_and_is_restored_into_an_empty_database_only(
    filled: str, empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy.tar.gz"
    backup(copy)
    monkeypatch.setenv("HP_STATE_DIR", str(tmp_path / "there"))
    with pytest.raises(SetupError, match=r"is not empty: it has a table action_values"):
        restore(copy)
    monkeypatch.delenv("HP_LEDGER_URL")
    with pytest.raises(SetupError, match="Name an empty database"):
        restore(copy)
    assert not (tmp_path / "there").exists()
    monkeypatch.setenv("HP_LEDGER_URL", empty)

    restore(copy)

    assert verify(empty) == verify(filled)
    assert not verify(empty).problems
    assert remembered.read(tmp_path / "there")[remembered.LEDGER] == empty
    assert (tmp_path / "there" / "keys" / "gate-1.key").read_bytes() == b"secret"


@pytest.mark.usefixtures("state")
def test_a_backup_says_why_it_cannot_hold_the_ledger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy.tar.gz"
    monkeypatch.setenv("HP_LEDGER_URL", "postgresql://ann:open-sesame@localhost:1/gone")
    with pytest.raises(SetupError, match="gone") as told:
        backup(copy)
    assert "open-sesame" not in str(told.value)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SetupError, match="pg_dump is not installed"):
        backup(copy)
    assert not copy.exists()

    backup(copy, without_ledger=True)

    assert copy.exists()
