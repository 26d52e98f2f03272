"""Lines that a command is given: a corpus names file and line, and nothing is read without end."""

import os
from pathlib import Path

import msgspec
import pytest
from tests.unit.risk.builders import CONFIG
from typer.testing import CliRunner, Result

from holdpoint.cli.app import app_for
from holdpoint.policy_lab.corpus import CorpusError

RUNNER = CliRunner()
ZERO = Path("/dev/zero")
LINE = b'{"id": "1", "kind": "shell", "text": "ls"}\n'
ASKS_FOR_LINES = [
    ["assess", "--jsonl"],
    ["policy", "explain", "--jsonl"],
    ["policy", "check", "--corpus"],
    ["policy", "replay", "--candidate", str(CONFIG), "--base", str(CONFIG), "--jsonl"],
]


@pytest.fixture(autouse=True)
def _shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HP_CONFIG_DIR", str(CONFIG))


def run(*words: str) -> Result:
    return RUNNER.invoke(app_for(list(words)), list(words))


def warned(*words: str) -> dict[str, list[str]]:
    """What `policy check` warns of, by its kind."""
    result = run("policy", "check", "--json", *words)
    assert result.exit_code == 0, result.output
    found: dict[str, list[str]] = {}
    for one in msgspec.json.decode(result.output)["warnings"]:
        found.setdefault(one["kind"], []).append(one["text"])
    return found


@pytest.mark.parametrize("words", ASKS_FOR_LINES[:2] + ASKS_FOR_LINES[3:])
def test_a_line_without_an_end_is_told_not_kept(words: list[str]) -> None:
    error = run(*words, str(ZERO)).exception

    assert isinstance(error, CorpusError)
    assert error.text.startswith(f"{ZERO}:1: the line is longer than ")


@pytest.mark.parametrize("words", ASKS_FOR_LINES)
def test_the_mark_that_some_editors_begin_a_file_with_is_no_fault(
    tmp_path: Path, words: list[str]
) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + LINE)
    result = run(*words, str(path))

    assert result.exit_code == 0, result.output
    assert "not what `assess --jsonl` reads" not in " ".join(result.output.split())


def test_lines_come_from_a_pipe_too(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.write(write, LINE * 2)
    os.close(write)
    result = run("assess", "--jsonl", f"/dev/fd/{read}")
    os.close(read)

    assert (result.exit_code, result.output.count('"risk_level":"low"')) == (0, 2)
    assert tmp_path.exists()


def test_a_corpus_may_be_one_file(tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    path.write_bytes(LINE)

    assert "never_fired" in warned("--corpus", str(path))


@pytest.mark.parametrize("wrong", ["gone", "empty"])
def test_a_corpus_without_a_line_file_says_what_is_expected(tmp_path: Path, wrong: str) -> None:
    (tmp_path / "empty").mkdir()
    error = run("policy", "check", "--corpus", str(tmp_path / wrong)).exception

    assert isinstance(error, CorpusError)
    assert error.code == "no_corpus"
    assert "a folder of .jsonl files, or one of them" in error.text


def test_a_line_of_a_corpus_that_cannot_be_read_is_named_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(LINE + b'\n{"kind": "shell", "text": "ls"}\nno line\n')
    found = warned("--corpus", str(tmp_path))

    (text,) = found["unreadable"]
    assert text.startswith("2 of 3 lines ")
    assert f"the first is {tmp_path / 'a.jsonl'}:3: Object missing required field `id`" in text
    assert "never_fired" in found


def test_where_no_line_of_a_corpus_can_be_read_no_rule_is_blamed(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b'{"kind": "shell", "text": "ls"}\n')
    found = warned("--corpus", str(tmp_path))

    assert "unreadable" in found
    assert "never_fired" not in found
