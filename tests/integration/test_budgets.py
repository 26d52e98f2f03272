"""An agent says as much as its budget covers; what is more is refused together, each call named."""

import asyncio
import base64

import msgspec
import pytest
from msgspec.structs import replace
from tests.actors import AgentVoice, Call, Guests, StreamEyes
from tests.conftest import Connect
from tests.gate_context import a_gate
from tests.running_system import LONG_S
from tests.waiting import eventually
from tests.world import World

from holdpoint.messages import subjects as s
from holdpoint.messages.envelope import TOO_MANY_CALLS, TOO_MANY_HOLDS, Envelope, Status
from holdpoint.messages.hold import Refused

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

AT_ONCE, PER_SECOND = 20, 2
MANY = 300
HELD_AT_ONCE, HELD = 4, 7
HOUR_S = 3600
"""A budget of 24 holds a day."""

NAME = "HP_CALLS_acme@chatty.gate"


@pytest.fixture
async def chatty(guests: Guests) -> AgentVoice:
    """An agent with a small budget."""
    return await guests.agent("chatty")


async def test_what_is_more_than_the_budget_is_refused_with_each_call_named(
    chatty: AgentVoice, eyes: StreamEyes
) -> None:
    sent = await _flood(chatty)
    refused = await _refusals(eyes)

    asked = [await _told(chatty, call) for call in (sent[-1], sent[MANY // 2])]
    every = {seq for one in refused for seq in one.sequences}
    mine = {call.seq for call in sent} & every
    assert len(sent) - len(mine) <= AT_ONCE + PER_SECOND * LONG_S
    assert len(mine) > MANY / 2
    assert all((it.status, it.code) == (Status.REFUSED, TOO_MANY_CALLS) for it in asked)
    assert all(it.retry_after_s >= 1 for it in asked)
    assert len(refused) < MANY / 10
    assert await _is_read(eyes)


async def test_who_sends_little_is_not_refused(chatty: AgentVoice, guests: Guests) -> None:
    flood = asyncio.create_task(_flood(chatty))
    robot = await guests.agent("robot")
    call = await robot.propose("list_directory", {"path": "."})
    assert (await robot.hears(call, Status.DONE)).code == ""
    await flood


async def test_what_would_be_held_beyond_the_budget_is_refused_and_nothing_is_kept(
    guests: Guests, eyes: StreamEyes
) -> None:
    needy = await guests.agent("needy")
    commands = [{"command": f"rm -r old-{number}"} for number in range(HELD)]
    calls = [await needy.propose("run_command", it) for it in commands]
    calls.append(await needy.say("I am about to delete these 500 accounts. Should I proceed?"))
    told = [await needy.hears(it, Status.PENDING_CONFIRMATION, Status.REFUSED) for it in calls]
    held = [number for number, it in enumerate(told) if it.status is not Status.REFUSED]
    refused = [it for it in told if it.status is Status.REFUSED]

    repeated = calls[held[0]].key
    again = await needy.propose("run_command", commands[held[0]], key=repeated)
    read = await needy.propose("list_directory", {"path": "."})

    assert len(held) == HELD_AT_ONCE
    assert {it.code for it in refused} == {TOO_MANY_HOLDS}
    assert all(0 < it.retry_after_s <= HOUR_S for it in refused)
    assert not [fact for it in refused for fact in await eyes.facts(it.hold_id)]
    assert (await needy.pending(again)).hold_id == told[held[0]].hold_id
    assert (await needy.hears(read, Status.DONE)).code == ""


async def test_a_large_hold_counts_as_several(guests: Guests) -> None:
    hoarder = await guests.agent("hoarder")
    large = {"command": "rm -r " + " ".join(f"old-{number}" for number in range(1_500))}
    calls = [await hoarder.propose("run_command", large) for _ in range(HELD_AT_ONCE)]

    told = [await hoarder.hears(it, Status.PENDING_CONFIRMATION, Status.REFUSED) for it in calls]

    assert sorted(it.code for it in told) == ["", *[TOO_MANY_HOLDS] * (HELD_AT_ONCE - 1)]


async def test_a_denial_leaves_after_a_day_whatever_its_level(
    guests: Guests, eyes: StreamEyes
) -> None:
    reader = await guests.agent("reader")
    call = await reader.propose("run_command", {"command": "rm -r old"})
    hold_id = (await reader.hears(call, Status.DENIED)).hold_id

    subject = f"hp.acme.hold.reader.{hold_id}.>"
    last = await eyes.client.request(
        f"$JS.API.STREAM.MSG.GET.{s.stream('acme', s.HOLDS)}",
        msgspec.json.encode({"last_by_subj": subject}),
        timeout=5,
    )
    assert b"Nats-TTL: 86400s" in base64.b64decode(
        msgspec.json.decode(last.data)["message"]["hdrs"]
    )


async def test_a_refused_call_leaves_after_a_day_and_a_refused_order_stays(
    own_world: World, connected: Connect
) -> None:
    gate = await a_gate(own_world, connected)
    told = Refused(principal="robot", cause="CALLS@robot:1", code="bad_data", text="no")
    await gate.holds.refuse(told)
    await gate.holds.refuse_together(replace(told, cause="CALLS@robot:0k", sequences=(2,)))
    await gate.holds.refuse(replace(told, principal="ann", cause="ADMIN:1"))

    name = s.stream("acme", s.HOLDS)
    stored = [await gate.jetstream.get_msg(name, seq) for seq in (1, 2, 3)]
    assert [(it.headers or {}).get("Nats-TTL") for it in stored] == ["86400s", "86400s", None]


async def _flood(agent: AgentVoice) -> list[Call]:
    """Reads, and every third is nothing that can be read; each counts."""
    raw = [agent.publish_raw("propose", b"{nothing") for _ in range(MANY // 3)]
    good = [agent.propose("list_directory", {"path": "."}) for _ in range(MANY - MANY // 3)]
    return sorted(await asyncio.gather(*raw, *good), key=lambda it: it.seq)


async def _told(agent: AgentVoice, call: Call) -> Envelope:
    return await agent.hears(call, Status.REFUSED)


async def _refusals(eyes: StreamEyes) -> list[Refused]:
    """Every refusal of calls that were too many, once all calls were dealt with."""
    await eventually(lambda: _is_read(eyes), LONG_S)
    stored = await eyes.on("HOLDS", s.refusal_subject("acme", "chatty", "*"))
    said = [it.message for it in stored]
    return [it for it in said if isinstance(it, Refused) and it.code == TOO_MANY_CALLS]


async def _is_read(eyes: StreamEyes) -> bool:
    reply = await eyes.client.request(f"$JS.API.CONSUMER.INFO.{NAME}", b"", timeout=5)
    info = msgspec.json.decode(reply.data)
    return not info["num_pending"] and not info["num_ack_pending"]
