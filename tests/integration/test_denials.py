"""N11: an agent rephrases what was cancelled, and people are asked, also where nobody would be."""

from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from tests.actors import AgentVoice, Guests, PersonVoice, StreamEyes
from tests.running_system import Road, fresh, running
from tests.waiting import eventually

from holdpoint.core.denials import RULE
from holdpoint.messages import subjects as s
from holdpoint.messages.card import Card
from holdpoint.messages.envelope import Status
from holdpoint.messages.state import DenialState

pytestmark = [pytest.mark.nats, pytest.mark.timeout(120)]
pytest_plugins = ("tests.system_fixtures",)


def memory_of(card: Card) -> list[str]:
    """What the card says of an earlier no."""
    return [it.reason for it in card.signals if it.rule == RULE]


async def cancelled(robot: AgentVoice, ann: PersonVoice, name: str) -> Card:
    """A command on this file that ann cancels."""
    command = f"./{fresh('publish')} {name}.txt"
    call = await robot.propose("run_command", {"command": command})
    card = await ann.card((await robot.pending(call)).hold_id)
    assert memory_of(card) == []
    assert (await ann.cancel(card, "Not this one.")).status is Status.CANCELLED
    return card


async def test_n11_a_cancelled_action_in_other_words_halts_where_it_would_pass(
    road: Road, robot: AgentVoice, ann: PersonVoice, eyes: StreamEyes
) -> None:
    name = fresh("report")
    first = await cancelled(robot, ann, name)

    other = await robot.propose("create_file", {"path": f"{fresh('x')}.txt", "content": "x"})
    assert (await robot.hears(other, Status.DONE)).status is Status.DONE
    again = await robot.propose("create_file", {"path": f"{name}.txt", "content": "x"})
    hold_id = (await robot.pending(again)).hold_id

    card = await ann.card(hold_id)
    assert memory_of(card) == ["Ann cancelled an action like this just now."]
    assert (await ann.cancel(card)).status is Status.CANCELLED
    assert not (road.scratch / f"{name}.txt").exists()

    async def kept() -> DenialState:
        (stored,) = (await eyes.on(s.STATE, s.state_subject("acme", "denial", "current")))[-1:]
        assert isinstance(stored.message, DenialState)
        assert {first.hold_id, hold_id} <= {it.hold_id for it in stored.message.denials}
        return stored.message

    state = await eventually(kept)
    assert name not in str(state)


async def test_reading_what_was_not_to_be_changed_is_no_repeat(
    robot: AgentVoice, ann: PersonVoice
) -> None:
    name = fresh("report")
    await cancelled(robot, ann, name)

    read = await robot.propose("run_command", {"command": f"ls -l {name}.txt"})
    told = await robot.hears(read, Status.DONE, Status.FAILED)
    assert told.status in {Status.DONE, Status.FAILED}


@pytest.mark.parametrize(
    "again",
    [
        "mv {name} elsewhere",
        "python3 -c 'import shutil; shutil.rmtree(\"{name}\")'",
        "cd {name} && rm -r .",
        "rm -r {start}*",
    ],
)
async def test_a_folder_that_was_to_stay_is_known_however_it_is_taken_away(
    road: Road, robot: AgentVoice, ann: PersonVoice, again: str
) -> None:
    start = fresh("old").replace("_", "-")
    (road.scratch / f"{start}-reports").mkdir()
    (road.scratch / f"{start}-reports" / "a").write_text("a")
    call = await robot.propose("run_command", {"command": f"rm -r {start}-reports"})
    first = await ann.card((await robot.pending(call)).hold_id)
    assert (await ann.cancel(first, "They are needed.")).status is Status.CANCELLED

    command = again.format(name=f"{start}-reports", start=start)
    call = await robot.propose("run_command", {"command": command})

    card = await ann.card((await robot.pending(call)).hold_id)
    assert memory_of(card) == ["Ann cancelled an action like this just now."]


async def test_after_some_denials_an_agent_waits_before_it_asks_again(tmp_path: Path) -> None:
    def backing_off(policy: str) -> str:
        return policy.replace("grant_s:", "back_off_after: 2\ngrant_s:", 1)

    async with running(tmp_path, backing_off, own={}) as road, AsyncExitStack() as stack:
        guests = Guests(road=road, stack=stack)
        robot, ann = await guests.agent(), await guests.person()
        for _ in range(2):
            _, call = await robot.command()
            await ann.cancel(await ann.card((await robot.pending(call)).hold_id))

        _, call = await robot.command()
        told = await robot.hears(call, Status.REFUSED)
        assert told.code == "backing_off"
        assert 20 < told.retry_after_s <= 30
        read = await robot.propose("run_command", {"command": "pwd"})
        assert (await robot.hears(read, Status.DONE)).status is Status.DONE
