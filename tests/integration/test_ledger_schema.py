"""Views and origins are as the ledger has them, or they are named: on both databases."""

from pathlib import Path

import pytest
from sqlalchemy import text
from tests.integration.ledger_files import attested, entered, new_ledger, unguarded
from tests.integration.ledger_stories import every_story

from holdpoint.audit.verify import verify
from holdpoint.ledger import engines
from holdpoint.ledger.own_events import note_origin
from holdpoint.ledger.writer import upgrade
from holdpoint.runtime.errors import HistoryError

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("ledger_store")]

ROBOT, HOLDS = "HP_CALLS_acme@robot", "HP_HOLDS_acme"
MADE = "2026-11-24T11:00:00.123456789Z"
EMPTY = (
    "CREATE VIEW exceptions AS SELECT 'x' AS kind, time AS at, hold_id, agent, subject FROM events"
)


@pytest.fixture
def url(tmp_path: Path) -> str:
    ledger = new_ledger(tmp_path)
    entered(ledger, every_story()[:20], attest=attested)
    engine = engines.writer(ledger)
    with engine.begin() as connection:
        for stream in (ROBOT, HOLDS):
            note_origin(connection, stream, MADE)
    engine.dispose()
    return ledger


def named(url: str) -> list[tuple[str, str]]:
    return [(it.check, it.row) for it in verify(url).problems]


@pytest.mark.parametrize(
    ("statements", "row"),
    [
        (("DROP VIEW exceptions", f"{EMPTY} WHERE false"), "exceptions"),
        (("DROP VIEW reviewers",), "reviewers"),
    ],
)
def test_a_view_that_was_replaced_is_named(url: str, statements: tuple[str, ...], row: str) -> None:
    assert named(url) == []
    with unguarded(url) as connection:
        for statement in statements:
            connection.execute(text(statement))
    found = named(url)
    assert ("guard", row) in found


@pytest.mark.parametrize(
    ("statement", "rows"),
    [
        ("DELETE FROM origins", [ROBOT, HOLDS]),
        (f"UPDATE origins SET created = 'x' WHERE src_stream = '{HOLDS}'", [HOLDS]),
        ("INSERT INTO origins VALUES ('HP_RUNS_acme', 'x')", ["HP_RUNS_acme"]),
    ],
)
def test_origins_that_were_changed_are_named(url: str, statement: str, rows: list[str]) -> None:
    with unguarded(url) as connection:
        connection.execute(text(statement))
    if engines.local_file(url):
        upgrade(url)

    origins = [row for check, row in named(url) if check == "origin"]
    assert origins == [f"origins.{it}" for it in rows]


def test_a_stream_that_was_made_anew_is_not_noted_over_its_origin(url: str) -> None:
    with unguarded(url) as connection:
        connection.execute(text("DELETE FROM origins"))
    engine = engines.writer(url)
    with engine.begin() as connection:
        note_origin(connection, ROBOT, MADE)
        with pytest.raises(HistoryError, match=f"the one in the ledger was made at {MADE}"):
            note_origin(connection, HOLDS, "2026-11-25T11:00:00Z")
    engine.dispose()
