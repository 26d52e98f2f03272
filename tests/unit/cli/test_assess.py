"""`holdpoint assess` and `policy explain` take the same words, and tell programs the same."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.unit.risk.builders import CONFIG
from typer import BadParameter
from typer.testing import CliRunner

from holdpoint.cli.commands.assess import assessing
from holdpoint.cli.commands.policy import policy
from holdpoint.cli.ledger_session import snapshot, time_of
from holdpoint.cli.output import CommandError, ExitCode

CALL = '{"tool": "send_mail", "args": {"to": "ann"}}'
COMMON = {"rule", "heuristic", "level", "reason"}
BOOM = """
patterns: [{id: own.boom, pattern: boom, heuristic: magnitude, level: critical, reason: it explodes,
  must_fire: [boom]}]
"""


@pytest.fixture(autouse=True)
def shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HP_CONFIG_DIR", str(CONFIG))


def both(*words: str) -> Iterator[Any]:
    """What each of the two does with these words."""
    for app, first in ((assessing, ()), (policy, ("explain",))):
        yield CliRunner().invoke(app, [*first, *words])


def told(*words: str) -> list[Any]:
    """What each tells programs."""
    found = list(both("--json", *words))
    assert [one.exit_code for one in found] == [0, 0], [one.output for one in found]
    return [msgspec.json.decode(one.stdout) for one in found]


@pytest.mark.slow
def test_both_call_the_same_things_the_same() -> None:
    for words in (
        ("ls",),
        ("rm -rf /",),
        ("--kind", "dialogue", "I will transfer $5000 to Bob. Shall I go ahead?"),
        ("--kind", "tool_call", "--taint", "/to", CALL),
    ):
        assessed, explained = told(*words)
        for field in ("id", "level", "risk_level", "environment", "target"):
            assert assessed[field] == explained[field], (words, field)
        theirs = {one["rule"]: one for one in explained["signals"]}
        assert [one["rule"] for one in assessed["signals"]] == list(theirs), words
        for one in assessed["signals"]:
            other = theirs[one["rule"]]
            assert one.keys() >= COMMON, words
            assert other.keys() >= COMMON | {"span", "evidence"}, words
            assert one.get("span") == other["span"], words
            assert one.get("evidence", other["evidence"]) == other["evidence"], words


COMMAND = '{"tool": "run_command", "args": {"command": "rm report.txt"}}'
READS = COMMAND.replace("rm report.txt", "pwd")


@pytest.mark.parametrize(
    ("words", "verdict", "tool", "level"),
    [
        (("./deploy.sh",), "hold", "run_command", 3),
        (("ls -l",), "pass", "run_command", 1),
        (("touch a.txt",), "pass", "run_command", 2),
        (("rm -rf /",), "hold", "run_command", 4),
        (("--kind", "tool_call", COMMAND), "hold", "run_command", 3),
        (
            ("--kind", "tool_call", COMMAND.replace("rm report.txt", "pwd")),
            "pass",
            "run_command",
            1,
        ),
        (("--kind", "sql", "UPDATE a SET b = 1 WHERE id = 2"), "hold", "execute_sql", 3),
        (("--kind", "tool_call", CALL), "deny", "", 5),
        (("--kind", "dialogue", "Good morning."), "pass", "", 1),
    ],
)
def test_both_say_what_the_gate_would_do_by_the_level_of_the_tool(
    words: tuple[str, ...], verdict: str, tool: str, level: int
) -> None:
    for one in told(*words):
        assert (one["verdict"], one["tool"], one["operation_level"]) == (verdict, tool, level)
    for one in both(*words):
        assert f": {verdict}" in one.stdout.splitlines()[0]
        assert (f"as a call of {tool}, at level {level}" in one.stdout) is bool(tool)
        assert ("a gate refuses the call" in one.stdout) is ("send_mail" in words[-1])


def test_both_know_an_alias_of_a_catalog_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = shutil.copytree(CONFIG, tmp_path / "config")
    (config / "catalog" / "own.yaml").write_text(
        "namespace: x\ntools: [{domain: host, action: wire, level: 4}]\n"
        "tool_aliases: {send_mail: x_host_wire}\n"
    )
    monkeypatch.setenv("HP_CONFIG_DIR", str(config))

    for one in told("--kind", "tool_call", CALL):
        assert (one["verdict"], one["tool"]) == ("hold", "x_host_wire")


def test_both_judge_by_another_policy(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text(BOOM)
    words = ("--kind", "dialogue", "boom")

    assert {one["level"] for one in told(*words)} == {"low"}
    own = told(*words, "--policy", str(tmp_path / "own.yaml"))
    assert {one["level"] for one in own} == {"critical"}


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        ((), "Give a text, or --jsonl FILE."),
        (("  ",), "There is nothing to assess."),
        (("--jsonl", "LINES", "rm -rf /"), "each line has its own text"),
        (("--jsonl", "LINES", "--taint", "/to"), "each line has its own text"),
        (("--kind", "tool_call", "--taint", "to", CALL), "'to' names no argument"),
        (("--kind", "tool_call", "--taint", "/cc", CALL), "There are: /to."),
        (("--taint", "/to", "ls"), "There are: /command."),
        (("--kind", "tool_call", "--taint-source", "", CALL), "say what the content was"),
        (("--kind", "dialogue", "--taint", "/a", "Hi."), "only a call has arguments"),
    ],
)
def test_both_refuse_what_would_go_unread(
    words: tuple[str, ...], advice: str, tmp_path: Path
) -> None:
    lines = tmp_path / "some.jsonl"
    lines.write_text('{"id": 1, "kind": "shell", "text": "ls"}\n')
    for found in both(*(str(lines) if word == "LINES" else word for word in words)):
        assert isinstance(found.exception, CommandError), found.output
        assert found.exception.exit_code is ExitCode.USAGE
        assert advice in str(found.exception)
        assert found.stdout == ""


def test_where_nothing_was_set_up_a_command_of_the_ledger_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And not what a database thinks of a file that nobody named."""
    monkeypatch.setenv("HP_STATE_DIR", str(tmp_path / "none"))
    for words in (("replay", "--candidate", str(CONFIG)), ("suggest",)):
        error = CliRunner().invoke(policy, list(words)).exception
        assert isinstance(error, CommandError), words
        assert error.code == "no_state", words
        named = CliRunner().invoke(policy, [*words, "--ledger", f"sqlite:///{tmp_path}/x/at.db"])
        assert isinstance(named.exception, CommandError), words
        assert named.exception.code == "unreadable_ledger", words


LINE = msgspec.json.encode({"id": "1", "kind": "shell", "text": "ls -la /srv"}) + b"\n"


@pytest.mark.parametrize("shown", [("--json",), pytest.param((), marks=pytest.mark.slow)])
def test_who_stops_reading_is_told_nothing_of_it(tmp_path: Path, shown: tuple[str, ...]) -> None:
    many = tmp_path / "many.jsonl"
    many.write_bytes(LINE * 2_000)
    words = (sys.executable, "-m", "holdpoint", "assess", "--jsonl", str(many), *shown)
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as ran:
        assert ran.stdout
        assert ran.stderr
        ran.stdout.read(10)
        ran.stdout.close()

        assert (ran.stderr.read(), ran.wait()) == (b"", ExitCode.FAILED)


@pytest.mark.slow
def test_the_module_of_the_command_line_can_be_run_too() -> None:
    ran = subprocess.run(
        (sys.executable, "-m", "holdpoint.cli.app", "assess", "--json", "rm -rf /"),
        capture_output=True,
        check=True,
    )

    assert msgspec.json.decode(ran.stdout)["risk_level"] == "critical"


def test_a_dash_alone_is_no_command() -> None:
    """Whoever pipes a command in would read that a dash is harmless."""
    for one in both("--", "-"):
        assert isinstance(one.exception, CommandError)
        assert one.exception.code == "usage"
        assert "--jsonl -" in str(one.exception)


@pytest.mark.parametrize("time", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_time_that_no_calendar_has_in_utc_is_told(time: str) -> None:
    with pytest.raises(BadParameter, match="ISO 8601"):
        time_of(time)


def test_an_error_about_a_ledger_shows_no_password() -> None:
    url = "postgresql://ann:" + "hunter2" + "@h/x"

    with pytest.raises(CommandError) as caught, snapshot(url):
        pass

    assert "hunter2" not in str(caught.value)
    assert "postgresql://ann:***@h/x" in str(caught.value)
