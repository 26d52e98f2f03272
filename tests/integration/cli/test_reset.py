"""State is thrown away only when a person at a terminal says so, or a script with --yes."""

from pathlib import Path

import msgspec
import pytest
from tests.integration.cli.command_line import Ended, alone, at_a_terminal
from tests.integration.cli.long_commands import private

from holdpoint.cli.output import ExitCode
from holdpoint.runtime.config.settings import Settings

QUESTION = "with its keys and its ledger? [y/N] "


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A state directory that somebody has used."""
    used = private(tmp_path)
    used.keys_dir.mkdir(parents=True)
    (used.state_dir / "ledger.db").write_text("everything")
    return used


def answered(settings: Settings, text: str) -> Ended:
    with at_a_terminal(settings, "reset", "--json") as screen:
        screen.answers(QUESTION, text)
        return screen.ended()


@pytest.mark.parametrize(
    "text", ["no", *(pytest.param(it, marks=pytest.mark.slow) for it in ("", "yes please", "ja"))]
)
def test_anything_but_a_yes_keeps_everything(text: str, settings: Settings) -> None:
    ended = answered(settings, text)

    assert ended.code == ExitCode.FAILED
    assert msgspec.json.decode(ended.err)["error"]["code"] == "declined"
    assert (settings.state_dir / "ledger.db").read_text() == "everything"


@pytest.mark.parametrize("text", ["y", pytest.param("Yes", marks=pytest.mark.slow)])
def test_a_yes_removes_all_of_it(text: str, settings: Settings) -> None:
    ended = answered(settings, text)

    assert ended.code == ExitCode.OK, ended
    assert msgspec.json.decode(ended.out) == {
        "state_dir": str(settings.state_dir),
        "removed": True,
    }
    assert not settings.state_dir.exists()


def test_without_a_terminal_nobody_agrees(settings: Settings) -> None:
    ended = alone(settings, "reset", said="y\n")

    assert ended.code == ExitCode.NO_TERMINAL
    assert "--yes" in ended.err
    assert (settings.state_dir / "ledger.db").read_text() == "everything"


def test_a_script_says_yes_beforehand(settings: Settings) -> None:
    assert alone(settings, "reset", "--yes").code == ExitCode.OK
    assert not settings.state_dir.exists()
    assert "nothing" in alone(settings, "reset", "--yes").out


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    settings = private(tmp_path)
    settings.state_dir.mkdir()
    (settings.state_dir / "thesis.txt").write_text("years of work")

    ended = alone(settings, "reset", "--yes")

    assert ended.code == ExitCode.SETUP
    assert [path.name for path in settings.state_dir.iterdir()] == ["thesis.txt"]
