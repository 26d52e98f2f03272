"""Each question of docs/compliance.md is SQL that a ledger answers, in SQLite and PostgreSQL."""

import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, text
from tests.integration.ledger_bus import Bus
from tests.integration.ledger_files import asked, entered, new_ledger
from tests.integration.ledger_stories import delegated, every_story, halted, refused_answer

from holdpoint.ledger.tables import metadata

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "compliance.md").read_text()
QUESTIONS = re.findall(
    r"(?ms)^([^\n]+\?)\n\n```sql\n(.*?)```(?:\n\nIn PostgreSQL:\n\n```sql\n(.*?)```)?", TEXT
)
EXAMPLE = (ROOT / "examples" / "auditor.sql").read_text()
NEVER_IN_STORIES = {
    "What did people approve that then failed?",
    "Of which effects does nobody know whether they happened?",
    "Which answers did not count?",
    "Who answered in another person's place?",
    "Which rules fire most, and what do people say to them?",
    "What did one person approve in one month?",
    "What was critical on one day?",
    "Which messages are missing from a stream?",
    "Which holds are open?",
    "What was approved and never ran?",
}


@pytest.fixture(scope="module")
def url(ledger_store: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    assert ledger_store
    ledger = new_ledger(tmp_path_factory.mktemp("cookbook"))
    entered(ledger, every_story())
    return ledger


def rows_of(url: str, sql: str) -> list[Any]:
    def ask(connection: Connection) -> list[Any]:
        return list(connection.execute(text(sql)).all())

    return asked(url, ask)


def test_there_are_twenty() -> None:
    assert len(QUESTIONS) == len({title for title, *_ in QUESTIONS}) == 20
    assert TEXT.count("```sql") == 20 + sum(bool(other) for *_, other in QUESTIONS)


@pytest.mark.parametrize("question", [title for title, *_ in QUESTIONS])
def test_a_ledger_answers(url: str, ledger_store: str, question: str) -> None:
    ((sql, other),) = [its for title, *its in QUESTIONS if title == question]
    wanted = other if other and ledger_store == "postgresql" else sql
    rows = rows_of(url, wanted.replace("'HOLD'", "'holdconfirmed0'"))

    assert bool(rows) is (question not in NEVER_IN_STORIES)


def test_the_example_s_questions_are_answered(url: str) -> None:
    statements = [it for it in EXAMPLE.split(";") if it.strip()]
    released, stopped, missing = (rows_of(url, it) for it in statements)

    assert all((released, stopped, missing))


def test_who_answered_in_another_s_place_names_no_attempt_that_was_refused(tmp_path: Path) -> None:
    ledger, bus = new_ledger(tmp_path), Bus()
    delegated(bus)
    refused_answer(bus, halted(bus, "other"), "eve", "carol")
    entered(ledger, bus.entries)
    ((sql, _),) = [its for title, *its in QUESTIONS if "in another person's place" in title]

    assert [it.on_behalf_of for it in rows_of(ledger, sql)] == ["bob"]


def test_every_table_and_column_that_is_told_exists() -> None:
    schema = TEXT.partition("## Schema")[2].partition("## Twenty questions")[0]
    tables = set(re.findall(r"`(\w+)`", "".join(re.findall(r"(?m)^\| (`\w+`[^|]*) \|", schema))))
    columns = {column.name for table in metadata.tables.values() for column in table.columns}

    assert tables <= metadata.tables.keys() | columns
    assert set(metadata.tables) <= tables | {"alembic_version"}
