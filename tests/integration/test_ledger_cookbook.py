"""Each question of docs/compliance.md is SQL that a ledger answers, and its columns exist."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.integration.ledger_files import entered, new_ledger
from tests.integration.ledger_stories import every_story

from holdpoint.ledger.engines import file_of
from holdpoint.ledger.tables import metadata

TEXT = (Path(__file__).parents[2] / "docs" / "compliance.md").read_text()
QUESTIONS = re.findall(r"(?ms)^([^\n]+\?)\n\n```sql\n(.*?)```", TEXT)
NEVER_IN_STORIES = {
    "What did people approve that then failed?",
    "Of which effects does nobody know whether they happened?",
    "Which answers did not count?",
    "Who answered in another person's place?",
    "Which rules fire most, and what do people say to them?",
    "What did one person approve in the last 30 days?",
    "What was critical yesterday?",
    "Which messages are missing from a stream?",
    "Which holds are open?",
    "What was approved and never ran?",
}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    ledger = new_ledger(tmp_path_factory.mktemp("cookbook"))
    entered(ledger, every_story())
    return file_of(ledger)


def test_there_are_twenty() -> None:
    assert len(QUESTIONS) == len(dict(QUESTIONS)) == 20


@pytest.mark.parametrize("question", [title for title, _ in QUESTIONS])
def test_a_ledger_answers(file: Path, question: str) -> None:
    sql = dict(QUESTIONS)[question].replace("'HOLD'", "'holdconfirmed0'")
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as ledger:
        rows = ledger.execute(sql).fetchall()

    assert bool(rows) is (question not in NEVER_IN_STORIES)


def test_every_table_and_column_that_is_told_exists() -> None:
    schema = TEXT.partition("## Schema")[2].partition("## Twenty questions")[0]
    tables = set(re.findall(r"`(\w+)`", "".join(re.findall(r"(?m)^\| (`\w+`[^|]*) \|", schema))))
    columns = {column.name for table in metadata.tables.values() for column in table.columns}

    assert tables <= metadata.tables.keys() | columns
    assert set(metadata.tables) <= tables | {"alembic_version"}
