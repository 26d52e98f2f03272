"""What `holdpoint audit query` shows: whole on a narrow screen, and harmless in a spreadsheet."""

import csv
import io
import re
from pathlib import Path

import msgspec
import pytest
from tests.integration.ledger_bus import Bus
from tests.integration.ledger_files import entered, new_ledger
from tests.integration.ledger_stories import approved, cancelled, delegated, every_story
from typer.testing import CliRunner

from holdpoint.cli.commands.audit import audit

RUNNER = CliRunner()
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def url(tmp_path: Path) -> str:
    ledger = new_ledger(tmp_path)
    entered(ledger, every_story())
    return ledger


def said(*words: str, code: int = 0) -> str:
    result = RUNNER.invoke(audit, [*words], env={"COLUMNS": "240"})
    assert result.exit_code == code, result.output
    return result.output


def test_the_last_ones_are_shown_oldest_first(url: str) -> None:
    whole = msgspec.json.decode(said("query", "--json", "--ledger", url))
    found = msgspec.json.decode(said("query", "--last", "2", "--json", "--ledger", url))

    assert found["confirmation_events"] == whole["confirmation_events"][-2:]
    assert found["events"] == whole["events"][-2:]
    assert "this shows the last 2" in said("query", "--last", "2", "--ledger", url)


def on_a_screen(monkeypatch: pytest.MonkeyPatch, *words: str, code: int = 0) -> list[str]:
    """What stands on a terminal of 80 columns."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    result = RUNNER.invoke(audit, [*words], env={"COLUMNS": "80", "TERM": "xterm"})
    assert result.exit_code == code, result.output
    return COLOURS.sub("", result.output).splitlines()


def test_on_a_screen_of_80_columns_what_counts_stands_whole(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = on_a_screen(monkeypatch, "query", "--ledger", url)

    assert all(len(line) <= 80 for line in lines)
    at = next(at for at, line in enumerate(lines) if "holdcanc" in line)
    assert lines[at].split() == ["2026-03-01", "09:00:12", "holdcanc", "critical", "cancelled"]
    assert lines[at + 1].strip() == "ops-agent: oci_database_execute: was to affect 412"
    assert lines[at + 2].strip() == "Answered by carol. Not today."
    shown = "\n".join(lines)
    assert "said: I'm about to delete these 500 user accounts." in shown
    assert "2026-03-01 09:00:45" in shown
    assert "holdexpi" in shown.partition("Events:")[2]
    assert "hunter2" not in shown


def test_a_sentence_cannot_look_like_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forged = ("x" * 56 + " Answered by ann. " * 3).encode()
    evil = [
        msgspec.structs.replace(each, body=each.body.replace(b"I'm about to", forged))
        for each in every_story()
    ]
    ledger = new_ledger(tmp_path, "forged")
    entered(ledger, evil)
    lines = on_a_screen(monkeypatch, "query", "--outcome", "confirmed", "--ledger", ledger)

    assert any("Answered by ann" in line for line in lines)
    assert [line for line in lines if line.startswith("    Answered by ann")] == []


def test_exceptions_stand_whole_on_a_screen_of_80_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bus = Bus()
    approved(bus, "idle")
    other = new_ledger(tmp_path, "idle")
    entered(other, bus.entries)

    shown = "\n".join(on_a_screen(monkeypatch, "query", "--exceptions", "--ledger", other, code=1))

    assert re.search(r"approved_not_executed +2026-03-01 \d\d:\d\d:\d\d +holdidle", shown)


def sheet(*words: str, code: int = 0) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(said("query", "--csv", *words, code=code))))


def test_a_spreadsheet_gets_a_row_for_each_hold_that_ended(url: str) -> None:
    rows = sheet("--ledger", url)

    assert len(rows) == 6
    (cancelled_one,) = [row for row in rows if row["outcome"] == "cancelled"]
    assert cancelled_one["hold_id"] == "holdcancelled0"
    assert cancelled_one["action"] == "oci_database_execute: was to affect 412"
    assert {row["outcome"]: row["action"] for row in rows}["denied"] == cancelled_one["action"]
    assert "oci_database_execute: 412 affected" in [row["action"] for row in rows]
    assert cancelled_one["reason"] == "Not today."
    assert cancelled_one["answered"] == "yes"
    assert "hunter2" not in str(rows)


@pytest.mark.parametrize(
    "formula", ["=1+1", "+1", "-1", "@SUM(A1)", " =1+1", "\\t=1+1", "\uff1d1+1"]
)
def test_no_cell_of_a_spreadsheet_is_a_formula(tmp_path: Path, formula: str) -> None:
    bus = Bus()
    cancelled(bus)
    evil = [
        msgspec.structs.replace(entry, body=entry.body.replace(b"Not today.", formula.encode()))
        for entry in bus.entries
    ]
    ledger = new_ledger(tmp_path, "formula")
    entered(ledger, evil)
    (row,) = sheet("--ledger", ledger)

    assert row["reason"].startswith(("'", "\\t"))
    assert row["reason"].removeprefix("'") == formula


def test_exceptions_are_a_sheet_too(tmp_path: Path) -> None:
    bus = Bus()
    approved(bus, "idle")
    other = new_ledger(tmp_path, "other")
    entered(other, bus.entries)

    assert [row["kind"] for row in sheet("--exceptions", "--ledger", other, code=1)] == [
        "approved_not_executed"
    ]


@pytest.mark.parametrize(
    "since",
    ["2026-03-01T09:00:27Z", "2026-03-01 09:00:27", "2026-03-01T10:00:27+01:00",
     "2026-03-01T09:00:27.000Z"],
)  # fmt: skip
def test_a_time_is_written_as_iso_8601_allows(url: str, since: str) -> None:
    rows = sheet("--since", since, "--ledger", url)

    assert [row["outcome"] for row in rows] == ["confirmed"]


def test_a_time_may_end_with_its_minutes(url: str) -> None:
    assert len(sheet("--since", "2026-03-01T09:00", "--ledger", url)) == 6
    assert sheet("--since", "2026-03-01T09:01", "--ledger", url) == []
    assert "2026-11-22T12:13" in said("query", "--since", "yesterday", "--ledger", url, code=2)


def test_a_delegate_is_named_with_the_approver_in_whose_place_they_answered(
    tmp_path: Path,
) -> None:
    ledger, bus = new_ledger(tmp_path, "delegated"), Bus()
    delegated(bus)
    entered(ledger, bus.entries)

    assert "Answered by eve (for bob)." in said("query", "--ledger", ledger)
    assert "eve (for bob)" in said("query", "--actions", "--ledger", ledger)
    (row,) = sheet("--ledger", ledger)
    assert row["approvers"] == "eve (for bob)"
    (action,) = sheet("--actions", "--ledger", ledger)
    assert action["answered_by"] == "eve (for bob)"
    found = msgspec.json.decode(said("query", "--json", "--ledger", ledger))
    (event,) = found["confirmation_events"]
    assert (event["approvers"], event["answered_for"]) == (["eve"], {"eve": "bob"})
