"""A state folder of an earlier release is started by this one: what waited there is answered.

`tests/upgrade/make_state.py` made the folders, and says how.
"""

import tarfile
from pathlib import Path

import msgspec
import pytest
from tests.integration.cli.command_line import alone, at_a_terminal
from tests.integration.cli.long_commands import lasting, private
from tests.running_system import PASSWORD

from holdpoint.cli.output import ExitCode
from holdpoint.runtime.config.settings import Settings

pytestmark = [pytest.mark.nats, pytest.mark.slow]

STATES = sorted((Path(__file__).parents[2] / "upgrade").glob("*.tar.gz"))
AGENT = ("--as", "sample-agent", "--json")


class Story(msgspec.Struct, frozen=True):
    """The holds of a stored state folder."""

    done: str
    waits: str


@pytest.mark.parametrize("file", STATES, ids=lambda it: it.name)
def test_what_waited_before_an_upgrade_is_answered_after_it(file: Path, tmp_path: Path) -> None:
    with tarfile.open(file) as packed:
        packed.extractall(tmp_path)  # noqa: S202  # our own file
    story = msgspec.json.decode((tmp_path / "story.json").read_bytes(), type=Story)
    settings = private(tmp_path).model_copy(update={"config_dir": tmp_path / "config"})

    with lasting(settings, "up", "--no-sample") as up:
        up.tells("ready")
        ledger = alone(settings, "audit", "query", "--hold", story.done, "--json", HP_NATS_URL="")
        assert "finished" in ledger.out
        assert status_of(settings, story.waits) == "pending_confirmation"
        words = ("proceed", story.waits, "--as", "ann")
        with at_a_terminal(settings, *words, HP_NATS_URL="") as screen:
            screen.answers("Password of ann: ", PASSWORD)
            ended = screen.ended()
        assert ended.code is ExitCode.OK.value, ended
        assert status_of(settings, story.waits) == "done"
        verified = alone(settings, "audit", "verify", HP_NATS_URL="")
        assert verified.code is ExitCode.OK.value, verified
    assert not (settings.state_dir / "sample" / "scratch-space" / "old-reports").exists()


def status_of(settings: Settings, hold_id: str) -> str:
    told = alone(settings, "outcome", hold_id, *AGENT, HP_NATS_URL="")
    return str(msgspec.json.decode(told.out)["status"])
