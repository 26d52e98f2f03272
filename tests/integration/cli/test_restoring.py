"""A backup of a system with a pending hold, restored on an empty machine, where it is answered."""

from pathlib import Path

import msgspec
import pytest
from tests.integration.cli.command_line import alone, at_a_terminal
from tests.integration.cli.long_commands import know, lasting, private
from tests.running_system import PASSWORD

from holdpoint.cli.output import ExitCode

pytestmark = [pytest.mark.nats, pytest.mark.slow]

AGENT = ("--as", "sample-agent")
CALL = ("call", "run_command", "--arg", "command=rm -r old-reports", "--no-wait", *AGENT)


def test_a_pending_hold_is_answered_after_a_restore_on_an_empty_machine(tmp_path: Path) -> None:
    before, after = private(tmp_path / "before"), private(tmp_path / "after")
    before.state_dir.parent.mkdir()
    know(before, "ann")
    with lasting(before, "up", "--no-sample") as up:
        up.tells("ready")
        (before.state_dir / "sample" / "scratch-space" / "old-reports").mkdir(exist_ok=True)
        proposed = alone(before, *CALL, "--json", HP_NATS_URL="")
        assert proposed.code is ExitCode.UNDECIDED.value, proposed
        hold_id = msgspec.json.decode(proposed.out)["hold_id"]
        up.interrupted()
    copy = tmp_path / "copy.tar.gz"
    assert alone(before, "backup", str(copy)).code is ExitCode.OK.value
    before.state_dir.rename(tmp_path / "gone")

    assert alone(after, "restore", str(copy)).code is ExitCode.OK.value
    with lasting(after, "up", "--no-sample") as up:
        up.tells("ready")
        words = ("proceed", hold_id, "--as", "ann")
        with at_a_terminal(after, *words, HP_NATS_URL="") as screen:
            screen.answers("Password of ann: ", PASSWORD)
            ended = screen.ended()
        assert ended.code is ExitCode.OK.value, ended
        told = alone(after, "outcome", hold_id, *AGENT, "--json", HP_NATS_URL="")
        assert msgspec.json.decode(told.out)["status"] == "done", told
        assert not (after.state_dir / "sample" / "scratch-space" / "old-reports").exists()
        assert alone(after, "audit", "verify", HP_NATS_URL="").code is ExitCode.OK.value
