"""Calls that pass in handfuls are kept like all others: none is lost, none passes twice."""

import asyncio
from collections import Counter

import msgspec
import pytest
from tests.actors import AgentVoice, Guests, StreamEyes
from tests.running_system import LONG_S, Road
from tests.waiting import eventually

from holdpoint.messages import subjects as s
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Passed

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

HOLDS = s.stream("acme", s.HOLDS)
AT_ONCE = 40


async def _limit(eyes: StreamEyes, largest_bytes: int) -> int:
    """Have HOLDS take no message above this size; the limit that there was."""
    info = await eyes.client.request(f"$JS.API.STREAM.INFO.{HOLDS}", b"", timeout=5)
    config = msgspec.json.decode(info.data)["config"]
    before = config["max_msg_size"]
    config["max_msg_size"] = largest_bytes
    body = msgspec.json.encode(config)
    told = await eyes.client.request(f"$JS.API.STREAM.UPDATE.{HOLDS}", body, timeout=5)
    assert "error" not in msgspec.json.decode(told.data)
    return int(before)


@pytest.mark.slow
async def test_calls_whose_facts_were_not_stored_before_are_judged_again(
    own: Road, visitors: Guests
) -> None:
    """A call is acknowledged only once its fact is stored."""
    robot, eyes = await visitors.agent(), await visitors.eyes()
    await _done(robot, "list_directory", {"path": "."})
    limit = await _limit(eyes, 1)
    calls = [await robot.propose("list_directory", {"path": "."}) for _ in range(AT_ONCE)]

    async def was_refused() -> bool:
        return "handler_failed" in own.logs()["gate.log"]

    await eventually(was_refused, LONG_S)
    await _limit(eyes, limit)

    for call in calls:
        await robot.hears(call, Status.DONE)


async def test_a_key_that_is_used_many_times_at_once_passes_once(
    robot: AgentVoice, eyes: StreamEyes
) -> None:
    key = "the-same-key-many-times"
    calls = await asyncio.gather(
        *(robot.propose("list_directory", {"path": "."}, key=key) for _ in range(AT_ONCE))
    )
    told = [await robot.hears(call, Status.DONE, Status.ALREADY_PROCESSED) for call in calls]

    facts = await eyes.facts(told[0].hold_id)
    assert Counter(it.status for it in told)[Status.DONE] == 1
    assert [type(fact) for fact in facts] == [Passed]


async def _done(agent: AgentVoice, tool: str, arguments: dict[str, str]) -> None:
    await agent.hears(await agent.propose(tool, arguments), Status.DONE)
