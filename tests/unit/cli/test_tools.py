"""The catalog can be read without a broker: every tool, its arguments, and who may call it."""

import sys
from pathlib import Path

import msgspec
import pytest

from holdpoint.cli.app import app_for
from holdpoint.cli.output import ExitCode, run

CONFIG = Path(__file__).parents[3] / "deploy" / "config"


@pytest.fixture(autouse=True)
def _configured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HP_STATE_DIR", str(tmp_path))
    monkeypatch.setenv("HP_CONFIG_DIR", str(CONFIG))


def ended(*words: str) -> int:
    with pytest.raises(SystemExit) as over:
        run(app_for(list(words)), words)
    sys.stdout.flush()
    return int(over.value.code or 0)


def test_every_tool_is_listed_with_its_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended("tools") == ExitCode.OK
    shown = capsys.readouterr().out

    assert "execute_sql(database, sql, parameters?)" in shown
    assert "run_command(command" in shown
    assert "Level       3, domain database" in shown


def test_a_program_reads_the_schema_and_the_agents(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended("tools", "--as", "sample-agent", "--json") == ExitCode.OK
    lines = [msgspec.json.decode(line) for line in capsys.readouterr().out.splitlines()]

    assert {"run_command", "list_directory"} <= {line["name"] for line in lines}
    assert "insert_row" not in {line["name"] for line in lines}
    assert all("sample-agent" in line["agents"] for line in lines)
    assert all(line["arguments"]["type"] == "object" for line in lines)


def test_a_file_that_is_not_there_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended("assess", "--jsonl", "/nowhere/at/all", "--json") == ExitCode.USAGE

    error = msgspec.json.decode(capsys.readouterr().err)["error"]
    assert (error["code"], "/nowhere/at/all" in error["text"]) == ("unreadable_file", True)


@pytest.mark.parametrize("words", [("config", "check"), ("policy", "check")])
def test_a_check_without_problems_says_so_to_programs(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(*words, "--json") == ExitCode.OK

    found = msgspec.json.decode(capsys.readouterr().out)
    assert (found["ok"], found["problems"]) == (True, [])
