"""A gate is not ready while the broker cannot store, and `status` says which streams."""

import asyncio
import os
import resource
import signal

import msgspec
import pytest
from tests.actors import Guests
from tests.integration.cli.command_line import alone
from tests.running_system import Road
from tests.waiting import eventually, stop

from holdpoint.cli.output import ExitCode
from holdpoint.runtime.process.health import NO_BROKER, Readiness, health_file, readiness

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

    words = ("call", "list_directory", "--as", "robot", "--timeout", "2")
    call = alone(own.settings, *words)
    assert call.code == ExitCode.UNREACHABLE
    assert "Nothing was proposed" in call.err
    assert "within 2 s" in call.err

    await own.supervisor.heal_broker()

    assert await eventually(ready, HEALS_WITHIN_S)


@pytest.mark.slow
async def test_status_names_a_broker_that_stands_still_and_a_killed_service(own: Road) -> None:
    broker = int((own.settings.run_dir / "nats.pid").read_text())
    await stop(broker)
    try:
        services = own.supervisor.services
        places = [health_file(own.settings.run_dir, it).read_text() for it in services]
        said = dict(zip(services, await asyncio.gather(*map(readiness, places)), strict=True))
        assert said == dict.fromkeys(services, Readiness(is_ready=False, problem=NO_BROKER))

        status = alone(own.settings, "status", "--json")
        doctor = alone(own.settings, "doctor", "--json")
    finally:
        os.kill(broker, signal.SIGCONT)

    standing = msgspec.json.decode(status.out)
    assert status.code == ExitCode.UNREACHABLE
    assert f"kill -CONT {broker}" in standing["broker"]["problem"]
    assert {it["ready"] for it in standing["services"]} == {False}
    checks = [msgspec.json.decode(line) for line in doctor.out.splitlines()]
    about = [it for it in checks if it["name"] in {"broker", "gate", "durability", "streams"}]
    assert [(it["name"], it["health"]) for it in about] == [("broker", "fail")]
    assert "holdpoint up" not in about[0]["text"]

    own.supervisor.kill("gate")
    own.supervisor.write()

    shown = alone(own.settings, "status").out

    assert "was killed by SIGKILL; holdpoint up starts it again" in shown
    assert "last words" not in shown
