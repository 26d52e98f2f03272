"""A gate is not ready while the broker cannot store, and `status` says which streams."""

import resource

import pytest
from tests.actors import Guests
from tests.integration.cli.command_line import alone
from tests.running_system import Road
from tests.waiting import eventually

from holdpoint.cli.output import ExitCode
from holdpoint.runtime.process.health import Readiness, health_file, readiness

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

NO_FILE_GROWS = (0, 0)
"""What a full disk does to the broker, for one process: no write to a file goes through."""

HEALS_WITHIN_S = 30


@pytest.mark.slow
async def test_a_broker_that_cannot_store_is_told_and_works_again_once_restarted(
    own: Road, visitors: Guests
) -> None:
    robot = await visitors.agent("robot")

    async def gate() -> Readiness:
        return await readiness(health_file(own.settings.run_dir, "gate").read_text())

    async def told() -> str:
        return (await gate()).problem

    async def ready() -> bool:
        return (await gate()).is_ready

    broker = int((own.settings.run_dir / "nats.pid").read_text())
    resource.prlimit(broker, resource.RLIMIT_FSIZE, NO_FILE_GROWS)
    with pytest.raises(TimeoutError):
        await robot.propose("list_directory", {})

    assert (await eventually(told, HEALS_WITHIN_S)).startswith("the broker cannot store HP_CALLS_")
    status = alone(own.settings, "status")
    assert status.code == ExitCode.FAILED
    assert "careful" in status.out
    assert "the broker cannot store HP_CALLS_" in status.out

    await own.supervisor.heal_broker()

    assert await eventually(ready, HEALS_WITHIN_S)
