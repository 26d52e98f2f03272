"""A broker that cannot write says so, and stores again once `up` has restarted it."""

import resource
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.integration.cli.command_line import alone
from tests.integration.cli.long_commands import lasting, private
from tests.waiting import eventually

from holdpoint.cli.output import ExitCode

pytestmark = pytest.mark.nats

NO_FILE_GROWS = (0, 0)
"""What a full disk does to the broker, for one process: no write to a file goes through."""

CALL = ("call", "list_directory", "--as", "sample-agent")


@pytest.mark.slow
async def test_what_cannot_be_stored_is_told_and_heals(tmp_path: Path) -> None:
    settings = private(tmp_path)
    with lasting(settings, "up", "--no-sample") as up:
        up.tells("ready")
        broker = int((settings.run_dir / "nats.pid").read_text())
        resource.prlimit(broker, resource.RLIMIT_FSIZE, NO_FILE_GROWS)
        alone(settings, *CALL, "--no-wait")

        problem = up.tells("problem", who="nats")
        healed = up.tells("restarted")

        assert healed["service"] == "nats"
        assert "the broker cannot store HP_CALLS_" in problem["text"]
        assert int((settings.run_dir / "nats.pid").read_text()) != broker

        async def works() -> bool:
            return alone(settings, *CALL).code == ExitCode.OK

        assert await eventually(works, 30)
        with closing(sqlite3.connect(settings.state_dir / "ledger.db")) as ledger:
            ledger.execute("BEGIN EXCLUSIVE")
            alone(settings, *CALL)
            assert up.tells("problem", who="audit")["text"]
            ledger.rollback()
        up.tells("problem_over", who="audit")
