"""Whatever an agent does with its own credential, another agent's next call hardly waits (I4).

What counts is how much of the noisy agent's is dealt with first, which no load of the machine
changes.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import msgspec
import pytest
from tests.actors import AgentVoice, Guests, StreamEyes, _event
from tests.running_system import LONG_S, TENANT, fresh
from tests.waiting import eventually

from holdpoint.messages import subjects as s
from holdpoint.messages.ask import AskHold
from holdpoint.messages.call import Phase, Propose, Trace
from holdpoint.messages.codec import encode
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Passed

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

Attack: TypeAlias = Callable[[AgentVoice], Awaitable[None]]

AHEAD = 200
"""Facts about the noisy agent's calls that may come before the next fact about another's: what was
in hand already, and a few turns, of 1,000 calls."""

COSTLY_AHEAD = 60
"""The same of calls of which each takes a turn: halted, rendered and resolved, of 120."""

CALLS, COSTLY_CALLS = 1_000, 120
"""Of the noisy agent. The gate of the shared road works through them while later tests wait."""

SLEEPS, SLEEP_S = 100, 55

COSTLY = "true; " + "ls -l a%d | grep b && " * 700 + "true"
"""A command of 16 KB, which takes as long to judge as a hundred plain ones."""


async def _reads(agent: AgentVoice) -> None:
    await _say(agent, "propose", [_proposal("list_directory", {"path": "."}) for _ in range(CALLS)])


async def _garbage(agent: AgentVoice) -> None:
    subject = s.call_subject(TENANT, agent.name, "propose")
    for number in range(CALLS):
        await agent.client.publish(subject, b"{nothing%d" % number)
    await agent.client.flush()


async def _traces(agent: AgentVoice) -> None:
    node = Trace(fn="f", trace_id=fresh("t"), group_id="g", phase=Phase.OPENED)
    await _say(agent, "trace", [node] * CALLS)


async def _costly(agent: AgentVoice) -> None:
    commands = [{"command": COSTLY.replace("%d", str(number))} for number in range(COSTLY_CALLS)]
    await _say(agent, "propose", [_proposal("run_command", it) for it in commands])


async def _questions(agent: AgentVoice) -> None:
    question = encode(AskHold(seq=1, wait_s=20.0, known=Status.DONE))
    subject, inbox = s.ask_hold_subject(TENANT, agent.name), agent.client.new_inbox()
    for _ in range(5_000):
        await agent.client.publish(subject, question, reply=inbox)
    await agent.client.flush()


async def _say(agent: AgentVoice, word: str, messages: list[Propose] | list[Trace]) -> None:
    """As fast as the broker takes it, waiting for no acknowledgement."""
    subject = s.call_subject(TENANT, agent.name, word)
    for message in messages:
        await agent.client.publish(subject, _event(message, fresh("key"), subject))
    await agent.client.flush()


def _proposal(tool: str, arguments: dict[str, str]) -> Propose:
    return Propose(tool=tool, arguments=arguments, reasoning="It is time.")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("attack", "name", "ahead"),
    [
        (_reads, "chatty", AHEAD),
        (_garbage, "chatty", AHEAD),
        (_questions, "chatty", AHEAD),
        (_reads, "noisy", AHEAD),
        (_garbage, "noisy", AHEAD),
        (_traces, "noisy", AHEAD),
        (_costly, "noisy", COSTLY_AHEAD),
    ],
)
async def test_i4_the_next_call_of_another_agent_hardly_waits(
    attack: Attack, name: str, ahead: int, guests: Guests, eyes: StreamEyes
) -> None:
    """Whether most of the noisy agent's calls are refused or all of them are judged."""
    robot, noisy = await guests.agent("robot"), await guests.agent(name)
    await attack(noisy)

    call = await robot.propose("list_directory", {"path": "."})
    done = await robot.hears(call, Status.DONE)

    (passed,) = await eyes.facts(done.hold_id)
    (mine,) = await eyes.on("HOLDS", f"hp.acme.hold.robot.{done.hold_id}.>")
    others = await eyes.on("HOLDS", f"hp.acme.hold.{noisy.name}.>")
    before = [it for it in others if passed.hold.proposed_at < it.at < mine.at]
    assert isinstance(passed, Passed)
    assert len(before) <= ahead


@pytest.mark.slow
async def test_i4_its_own_flood_leaves_room_and_a_person_is_heard(guests: Guests) -> None:
    robot, noisy, ann = await guests.agent(), await guests.agent("noisy"), await guests.person()
    flood = asyncio.gather(_reads(noisy), _questions(noisy), _garbage(noisy))

    _, call = await robot.command()
    card = await ann.card((await robot.pending(call)).hold_id, "rendered")
    answered = await ann.proceed(card)
    ended = await robot.hears(call, Status.DONE)
    await flood

    assert (answered.status, ended.status) == (Status.APPROVED, Status.DONE)


@pytest.mark.slow
async def test_i4_runs_of_one_agent_that_take_long_keep_no_others_waiting(
    guests: Guests, eyes: StreamEyes
) -> None:
    """More of them than a worker has hands, and most still wait once the other agent's have run."""
    robot, rival, ann = await guests.agent(), await guests.agent("rival"), await guests.person()
    sleeps = [_proposal("run_command", {"command": f"sleep {SLEEP_S}"}) for _ in range(SLEEPS)]
    await _say(rival, "propose", sleeps)

    async def have_passed() -> bool:
        return len(await eyes.on("HOLDS", "hp.acme.hold.rival.*.passed.>")) >= SLEEPS

    assert await eventually(have_passed, LONG_S)
    call = await robot.propose("list_directory", {"path": "."})
    read = await robot.hears(call, Status.DONE)
    _, call = await robot.command()
    card = await ann.card((await robot.pending(call)).hold_id, "rendered")
    await ann.proceed(card)
    approved = await robot.hears(call, Status.DONE)

    assert (read.status, approved.status) == (Status.DONE, Status.DONE)
    ended = await eyes.on("RUNS", "hp.acme.run.shell.rival.*.finished.>")
    assert len(ended) < SLEEPS / 2


@pytest.mark.slow
async def test_i4_one_agents_stream_may_be_full_and_the_others_have_room(
    guests: Guests, eyes: StreamEyes
) -> None:
    robot, reader = await guests.agent(), await guests.agent("reader")
    name = f"STREAM.UPDATE.{s.stream(TENANT, s.calls_of('reader'))}"
    info = await _api(eyes, name.replace("UPDATE", "INFO"), {})
    await _api(eyes, name, info["config"] | {"max_bytes": 1})
    try:
        refused = await reader.client.request(
            s.call_subject(TENANT, "reader", "propose"), b"{}", timeout=LONG_S
        )
        call = await robot.propose("list_directory", {"path": "."})

        assert "maximum bytes exceeded" in msgspec.json.decode(refused.data)["error"]["description"]
        assert (await robot.hears(call, Status.DONE)).status is Status.DONE
    finally:
        await _api(eyes, name, info["config"])


async def _api(eyes: StreamEyes, verb: str, body: dict[str, Any]) -> dict[str, Any]:
    reply = await eyes.client.request(f"$JS.API.{verb}", msgspec.json.encode(body), timeout=LONG_S)
    told: dict[str, Any] = msgspec.json.decode(reply.data)
    assert "error" not in told, told
    return told
