"""A backup of a system with a pending hold, restored on an empty machine, where it is answered."""

from pathlib import Path

import msgspec
import pytest
from tests.integration.cli.command_line import alone, at_a_terminal
from tests.integration.cli.long_commands import know, lasting, private
from tests.running_system import PASSWORD

from holdpoint.cli.output import ExitCode
from holdpoint.runtime.config.settings import Settings

pytestmark = [pytest.mark.nats, pytest.mark.slow]

AGENT = ("--as", "sample-agent")
CALL = ("call", "run_command", "--arg", "command=rm -r old-reports", "--no-wait", *AGENT)
SAY = ("say", "I will delete the old report. Should I proceed?", "--no-wait", *AGENT)


def test_a_pending_hold_is_answered_after_a_restore_on_an_empty_machine(tmp_path: Path) -> None:
    before, after = private(tmp_path / "before"), private(tmp_path / "after")
    before.state_dir.parent.mkdir()
    know(before, "ann")
    with lasting(before, "up", "--no-sample") as up:
        up.tells("ready")
        (before.state_dir / "sample" / "scratch-space" / "old-reports").mkdir(exist_ok=True)
        command, sentence = (_held(before, words) for words in (CALL, SAY))
        up.interrupted()
    copy = tmp_path / "copy.tar.gz"
    assert alone(before, "backup", str(copy)).code is ExitCode.OK.value
    before.state_dir.rename(tmp_path / "gone")

    assert alone(after, "restore", str(copy)).code is ExitCode.OK.value
    with lasting(after, "up", "--no-sample") as up:
        up.tells("ready")
        assert _proceeded(after, sentence) == (ExitCode.OK.value, "confirmed")
        # Its folder is a copy: what was approved was another one.
        assert _proceeded(after, command) == (ExitCode.FAILED.value, "precondition_failed")
        assert (after.state_dir / "sample" / "scratch-space" / "old-reports").exists()
        assert alone(after, "audit", "verify", HP_NATS_URL="").code is ExitCode.OK.value


def _held(system: Settings, words: tuple[str, ...]) -> str:
    proposed = alone(system, *words, "--json", HP_NATS_URL="")
    assert proposed.code is ExitCode.UNDECIDED.value, proposed
    return str(msgspec.json.decode(proposed.out)["hold_id"])


def _proceeded(system: Settings, hold_id: str) -> tuple[int, str]:
    with at_a_terminal(system, "proceed", hold_id, "--as", "ann", HP_NATS_URL="") as screen:
        screen.answers("Password of ann: ", PASSWORD)
        ended = screen.ended()
    told = alone(system, "outcome", hold_id, *AGENT, "--json", HP_NATS_URL="")
    return ended.code, str(msgspec.json.decode(told.out)["status"])
