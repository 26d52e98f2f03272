"""Whatever is sent, its sender is told once what was wrong with it, and the queue moves on."""

import asyncio
import json
from collections.abc import Sequence
from datetime import timedelta, timezone
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from nats.errors import MaxPayloadError
from nats.js.errors import APIError
from tests.actors import AgentVoice, Call, Guests, StreamEyes
from tests.integration.bad_calls import Case, call, cases, event, raw
from tests.running_system import LONG_S, Road
from tests.waiting import eventually

from holdpoint.messages.envelope import Envelope, Status
from holdpoint.runtime.process import clock

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

CASES = cases()


async def end_of(robot: AgentVoice, sent: Call) -> Envelope:
    """How it ended; whatever it was, it must not wait for ever."""
    return await robot.hears(sent, *(set(Status) - {Status.WAITING, Status.APPROVED}))


async def is_served(robot: AgentVoice) -> None:
    """A good call right after it is answered at once."""
    good = await robot.propose("list_directory", {"path": "."})
    assert (await robot.hears(good, Status.DONE, within_s=10)).status is Status.DONE


async def sent_all(robot: AgentVoice, bad: Sequence[Case]) -> list[Call]:
    return [await robot.publish_raw(lane, body) for _, _, lane, body in bad]


@pytest.fixture(autouse=True)
def _the_gate_stays_up(road: Road) -> Any:
    before = road.supervisor.pid("gate")
    yield
    assert road.supervisor.pid("gate") == before
    assert dict(road.supervisor.dead()) == {}


def test_the_corpus_is_large() -> None:
    assert len(CASES) >= 90
    assert len({what for what, *_ in CASES}) == len(CASES)


async def test_each_bad_call_is_refused_with_its_code_and_the_queue_moves_on(
    robot: AgentVoice, eyes: StreamEyes
) -> None:
    sent = await sent_all(robot, CASES)
    await is_served(robot)

    told = await asyncio.gather(*(end_of(robot, one) for one in sent))

    found = {case[0]: (it.status, it.code) for case, it in zip(CASES, told, strict=True)}
    assert found == {what: (Status.REFUSED, code) for what, code, *_ in CASES}
    assert all(it.reason for it in told)
    counts = [len(await eyes.refusals("robot", f"CALLS@robot:{one.seq}")) for one in sent]
    assert counts == [1] * len(sent)


async def test_a_redelivered_call_is_not_refused_twice(robot: AgentVoice, eyes: StreamEyes) -> None:
    sent = await sent_all(robot, CASES[:20])
    await asyncio.gather(*(end_of(robot, one) for one in sent))
    good = await robot.propose("list_directory", {"path": "."})
    done = await robot.hears(good, Status.DONE)

    name = "HP_CALLS_acme@robot.gate"
    reset = msgspec.json.encode({"seq": sent[0].seq})
    await eyes.client.request(f"$JS.API.CONSUMER.RESET.{name}", reset, timeout=5)

    async def read_again() -> bool:
        reply = await eyes.client.request(f"$JS.API.CONSUMER.INFO.{name}", b"", timeout=5)
        info = msgspec.json.decode(reply.data)
        return bool(info["ack_floor"]["stream_seq"] >= good.seq and info["num_ack_pending"] == 0)

    await eventually(read_again, LONG_S)
    counts = [len(await eyes.refusals("robot", f"CALLS@robot:{one.seq}")) for one in sent]
    assert counts == [1] * len(sent)
    assert len(await eyes.facts(done.hold_id)) == len(await eyes.runs(done.hold_id)) == 1


async def test_what_the_stream_cannot_hold_is_refused_by_the_broker(robot: AgentVoice) -> None:
    with pytest.raises(APIError):
        await robot.publish_raw("propose", raw(event(call())).ljust(321 * 1024))
    with pytest.raises(MaxPayloadError):
        await robot.publish_raw("propose", raw(event(call())).ljust(385 * 1024))
    await is_served(robot)


async def test_a_refusal_is_told_to_its_sender_only(robot: AgentVoice, guests: Guests) -> None:
    rival = await guests.agent("rival")
    sent = await robot.publish_raw("propose", raw(event(call("format_disk"))))
    await robot.hears(sent, Status.REFUSED)

    told = await rival.ask(sent)
    assert told.code == "unknown_call"
    assert told == await rival.ask(Call(seq=999_999_999, key=""))


@pytest.mark.parametrize("lane", ["dance", "propose-2"])
async def test_a_lane_that_does_not_exist_is_refused(robot: AgentVoice, lane: str) -> None:
    """D1: what was acknowledged is judged, or refused."""
    sent = await robot.publish_raw(lane, raw(event(call())))

    assert (await robot.hears(sent, Status.REFUSED, within_s=3)).status is Status.REFUSED


GOOD = raw(event(call("format_disk")))
MUTATED = st.builds(
    lambda at, what: GOOD[:at] + what + GOOD[at + len(what) :],
    st.integers(0, len(GOOD)),
    st.binary(min_size=1, max_size=6),
)
ARGUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
JSONS = ARGUMENTS.map(lambda it: json.dumps(event({"tool": "read_file", "arguments": it})).encode())


@settings(
    max_examples=4,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(bodies=st.lists(st.binary(max_size=200) | MUTATED | JSONS, min_size=40, max_size=40))
async def test_no_bytes_at_all_run_or_wait_for_ever(robot: AgentVoice, bodies: list[bytes]) -> None:
    sent = [await robot.publish_raw("propose", body) for body in bodies]

    told = await asyncio.gather(*(end_of(robot, one) for one in sent))

    assert {it.status for it in told} <= {Status.REFUSED, Status.FAILED, Status.DONE}
    assert all(it.data == {} for it in told if it.status is Status.FAILED)
    await is_served(robot)


@pytest.mark.parametrize(
    "deadline",
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "2020-01-01T00:00:00Z"],
)
async def test_a_deadline_that_is_over_expires_at_once(robot: AgentVoice, deadline: str) -> None:
    late = call("run_command", arguments={"command": "echo x > late"}, deadline=deadline)

    told = await robot.hears(await robot.publish_raw("propose", raw(event(late))), Status.EXPIRED)

    assert told.status is Status.EXPIRED


@pytest.mark.parametrize("hours", [-11, 14])
async def test_a_deadline_counts_in_its_own_time_zone(robot: AgentVoice, hours: int) -> None:
    zone = timezone(timedelta(hours=hours))
    deadline = (clock.now() + timedelta(seconds=1)).astimezone(zone).isoformat()
    soon = call("run_command", arguments={"command": "echo x > soon"}, deadline=deadline)

    told = await robot.hears(
        await robot.publish_raw("propose", raw(event(soon))), Status.EXPIRED, within_s=10
    )

    assert told.status is Status.EXPIRED
