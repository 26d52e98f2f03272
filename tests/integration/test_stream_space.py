"""Who runs a system is warned before a stream is full."""

from typing import Any

import msgspec
import pytest
import structlog
from nats.aio.client import Client
from structlog.testing import CapturingLogger
from tests.actors import AgentVoice, Guests
from tests.conftest import Connect
from tests.integration.cli.command_line import alone
from tests.running_system import LONG_S, TENANT
from tests.waiting import eventually
from tests.world import SOURCES, World

from holdpoint.audit import room_watch
from holdpoint.audit.room_watch import WARN_FROM, RoomWatch, room_warning
from holdpoint.cli.output import ExitCode
from holdpoint.messages import subjects as s
from holdpoint.runtime.broker.connection import jetstream
from holdpoint.runtime.process.health import Readiness, health_file, readiness
from holdpoint.runtime.process.metrics import ROOM_USED
from holdpoint.runtime.security import credentials

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

FULL = s.stream(TENANT, s.calls_of("robot"))
HOLDS = s.stream(TENANT, s.HOLDS)
CALL = s.call_subject(TENANT, "robot", "trace")


def test_nobody_is_warned_while_there_is_room() -> None:
    assert not room_warning("HOLDS", WARN_FROM - 0.01)
    assert room_warning("HOLDS", WARN_FROM) == "HOLDS is 80% full: see Room in docs/operate.md."


async def test_the_audit_says_once_that_a_stream_fills_up(
    own_world: World, connected: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = CapturingLogger()
    log = structlog.wrap_logger(said, processors=(), wrapper_class=structlog.BoundLogger)
    monkeypatch.setattr(room_watch, "log", log)  # whatever level another test has set
    who = own_world.login(credentials.AUDIT)
    watch = RoomWatch(
        jetstream=jetstream(await connected(who), who),
        streams=[s.stream(TENANT, it) for it in SOURCES if it not in {s.TIMERS, s.TALLIES}],
        ledger=own_world.settings.state_dir / "ledger.db",
        entered_to=lambda _: 0,
    )
    await (await connected(own_world.login("agent_robot"))).request(CALL, b"{}", timeout=5)
    await _limit(await connected(own_world.login(credentials.PROVISIONER)))

    await watch.look()
    await watch.look()

    told = [it for it in said.calls if it.kwargs.get("store") == FULL]
    assert [it.method_name for it in told] == ["warning"]
    assert told[0].kwargs["event"] == "room_runs_out"
    assert ROOM_USED.labels("CALLS")._value.get() > WARN_FROM


async def test_status_warns_of_a_stream_that_fills_up(guests: Guests, robot: AgentVoice) -> None:
    await robot.client.request(CALL, b"{}", timeout=5)
    provisioner = (await guests.eyes()).client
    before = await _limit(provisioner)
    try:
        ended = alone(guests.road.settings, "status", "--json")
    finally:
        await _update(provisioner, before)

    found = msgspec.json.decode(ended.out)
    assert found["broker"]["room_used"]["CALLS@robot"] > WARN_FROM
    assert any(it.startswith("CALLS@robot is ") for it in found["warnings"])


@pytest.mark.slow
@pytest.mark.usefixtures("robot")
async def test_a_full_stream_of_all_agents_is_told_by_the_gate_and_by_status(
    guests: Guests,
) -> None:
    settings, provisioner = guests.road.settings, (await guests.eyes()).client

    async def gate() -> Readiness:
        return await readiness(health_file(settings.run_dir, "gate").read_text())

    async def told() -> str:
        return (await gate()).problem

    async def ready() -> bool:
        return (await gate()).is_ready

    before = await _limit(provisioner, HOLDS, of_ten=10)
    try:
        problem = await eventually(told, LONG_S)
        status = alone(settings, "status")
    finally:
        await _update(provisioner, before)

    assert problem == f"{HOLDS} is full: nothing more is stored there"
    assert status.code == ExitCode.FAILED
    assert "HOLDS is full: nothing more is stored there" in status.out
    assert await eventually(ready, LONG_S)


async def _limit(provisioner: Client, name: str = FULL, of_ten: int = 9) -> dict[str, Any]:
    """Have the stream nine tenths full, or wholly; its configuration before."""
    reply = await provisioner.request(f"$JS.API.STREAM.INFO.{name}", b"", timeout=5)
    info = msgspec.json.decode(reply.data)
    most = info["state"]["bytes"] * 10 // of_ten or 1
    await _update(provisioner, info["config"] | {"max_bytes": most})
    config: dict[str, Any] = info["config"]
    return config


async def _update(provisioner: Client, config: dict[str, Any]) -> None:
    body = msgspec.json.encode(config)
    subject = f"$JS.API.STREAM.UPDATE.{config['name']}"
    reply = await provisioner.request(subject, body, timeout=5)
    assert "error" not in msgspec.json.decode(reply.data), reply.data
