"""Worth of the learned reader: by month from the ledger, and by a replay without it."""

from pathlib import Path
from shutil import copytree
from typing import Any

import msgspec
import pytest
from tests.integration.ledger_files import entered, new_ledger
from tests.integration.verdict_stories import Office
from tests.unit.risk.builders import CONFIG
from typer.testing import CliRunner

from holdpoint.cli.commands.intents import intents
from holdpoint.cli.commands.policy import policy
from holdpoint.messages.answer import Choice

pytestmark = pytest.mark.slow

RUNNER = CliRunner()
HANDS = "I'm handing the contractor the master key to the vault tonight."
GETS = "All of Weber's patient files, names included, on the public web from tonight."
SAID = ("I read the report.", HANDS, GETS, "I will delete 300 user accounts now.")


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Four sentences, of which the reader raises three, two of them alone: people answer those."""
    office = Office()
    for text in SAID:
        said = office.says(text)
        if text in {HANDS, GETS}:
            office.answered(said, Choice.PROCEED if text is HANDS else Choice.CANCEL)
    ledger = new_ledger(tmp_path_factory.mktemp("ledger"))
    entered(ledger, office.entries)
    return ledger


def test_each_month_tells_how_often_it_raised_and_how_people_answered(url: str) -> None:
    told = RUNNER.invoke(intents, ["report", "--ledger", url, "--json"])
    assert told.exit_code == 0, told.output
    month = msgspec.json.decode(told.output)

    assert (month["month"], month["sentences"]) == ("2026-03", 4)
    assert month["raised"] >= month["alone"] == 2
    assert (month["confirmed"], month["cancelled"]) == (1, 1)


def test_it_is_told_in_a_line_for_people(url: str) -> None:
    told = RUNNER.invoke(intents, ["report", "--ledger", url]).output

    assert " ".join(told.split()) == (
        "2026-03: 3 of 4 sentences raised, 2 by the reader alone (1 confirmed, 1 cancelled)"
    )


def test_a_replay_without_the_reader_tells_what_it_alone_halts(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HP_STATE_DIR", str(tmp_path / "state"))
    told = replayed(without_reader(tmp_path), url)

    assert told["newly_passed"]["count"] == 1, "the other announces something, and still asks"
    assert told["newly_passed"]["rules"] == [{"name": "intents.sounds", "count": 1}]
    assert (told["newly_halted"]["count"], told["judged"]) == (0, 4)


def without_reader(folder: Path) -> Path:
    """The shipped configuration without the reader."""
    config = copytree(CONFIG, folder / "config")
    shipped = config / "policy" / "default.yaml"
    text = shipped.read_text("utf-8")
    assert "intents: {reader: on}" in text
    shipped.write_text(text.replace("intents: {reader: on}", "intents: {reader: off}"), "utf-8")
    return config


def replayed(candidate: Path, url: str) -> Any:
    words = ["replay", "--candidate", str(candidate), "--ledger", url, "--json"]
    result = RUNNER.invoke(policy, words)
    assert result.exit_code == 0, result.output
    return msgspec.json.decode(result.output)
