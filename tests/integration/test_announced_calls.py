"""One risky action asks once: a call and the sentence that announced it share one question."""

import asyncio
from typing import Any

import pytest
from tests.actors import AgentVoice, Call, PersonVoice, StreamEyes
from tests.running_system import Road, fresh
from tests.waiting import eventually

from holdpoint.messages import subjects as s
from holdpoint.messages.envelope import Envelope, Status
from holdpoint.messages.risk import IntentClaim

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

ASKS = IntentClaim(confirmation_required=True)


def shell(command: str) -> dict[str, Any]:
    return {"type": "shell", "command": command}


async def confirmed(robot: AgentVoice, ann: PersonVoice, detail: dict[str, Any]) -> str:
    """A sentence about this action that ann said yes to."""
    call = await robot.say(f"Execute: {detail}", metadata=ASKS, action_detail=detail)
    pending = await robot.pending(call)
    await ann.proceed(await ann.card(pending.hold_id))
    await robot.hears(call, Status.CONFIRMED)
    return pending.hold_id


async def told_of(robot: AgentVoice, call: Call) -> Envelope:
    return await robot.hears(call, Status.DONE, Status.FAILED, Status.PENDING_CONFIRMATION)


async def cards_of(eyes: StreamEyes, hold_id: str) -> int:
    return len(await eyes.on(s.CARDS, s.card_subject("acme", "*", hold_id)))


async def test_a_call_supersedes_the_open_sentence_that_announced_it(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    table = road.table(500)
    said = await robot.say("I'm about to delete these 500 rows. Should I proceed?")
    sentence = await robot.pending(said)
    await ann.card(sentence.hold_id)

    call = await robot.propose(
        "execute_sql",
        {"database": "crm", "sql": f"DELETE FROM {table}"},
        reasoning="They are stale.",
        intent=sentence.hold_id,
    )
    pending = await robot.pending(call)
    card = await ann.card(pending.hold_id)

    told = await robot.hears(said, Status.SUPERSEDED)
    assert told.superseded_by == pending.hold_id
    closed = await ann.card(sentence.hold_id, "resumed")
    assert (closed.outcome, closed.ended_by) == ("superseded", "agent")
    assert pending.hold_id in closed.reason
    shown = "I'm about to delete these 500 rows. Should I proceed?\n\nThey are stale."
    assert card.ui.message == shown
    await ann.proceed(card)
    await robot.hears(call, Status.DONE)
    assert road.rows(table) == 0
    assert (await road.ended(sentence.hold_id)).outcome == "superseded"


async def test_a_confirmed_sentence_is_not_asked_about_again(
    road: Road, robot: AgentVoice, ann: PersonVoice, eyes: StreamEyes
) -> None:
    mark = fresh("mark")
    command = f"echo ran >> {mark}"
    sentence = await confirmed(robot, ann, shell(command))

    call = await robot.propose("run_command", {"command": command}, intent=sentence)

    told = await told_of(robot, call)
    assert told.status is Status.DONE
    assert road.runs_of(mark) == 1
    assert await cards_of(eyes, told.hold_id) == 0
    row = await road.ended(told.hold_id)
    assert (row.outcome, row.approvers, row.resumed) == ("confirmed", ["ann"], True)

    async def is_explained() -> bool:  # the ledger enters holds and runs one after the other
        return not [it for it in road.exceptions() if it.hold_id == told.hold_id]

    assert await eventually(is_explained)


async def test_a_sentence_that_names_no_tool_is_not_asked_about_again(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    mark = fresh("mark")
    command = f"echo ran >> {mark}"
    sentence = await confirmed(robot, ann, {"command": command})

    call = await robot.propose("run_command", {"command": command}, intent=sentence)

    assert (await told_of(robot, call)).status is Status.DONE
    assert road.runs_of(mark) == 1


async def test_its_yes_stands_for_one_call(road: Road, robot: AgentVoice, ann: PersonVoice) -> None:
    """Ten calls at once: one runs, and people are asked about each of the others."""
    mark = fresh("mark")
    command = f"echo ran >> {mark}"
    sentence = await confirmed(robot, ann, shell(command))

    calls = [
        await robot.propose("run_command", {"command": command}, intent=sentence) for _ in range(10)
    ]
    ended = await asyncio.gather(*(told_of(robot, call) for call in calls))

    statuses = sorted(it.status for it in ended)
    assert statuses == [Status.DONE, *[Status.PENDING_CONFIRMATION] * 9]
    assert road.runs_of(mark) == 1


async def test_its_yes_stands_for_exactly_its_action(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    mark = fresh("mark")
    sentence = await confirmed(robot, ann, shell(f"echo ran >> {mark}"))

    call = await robot.propose(
        "run_command", {"command": f"echo ran >> {mark}; rm -r x"}, intent=sentence
    )

    pending = await told_of(robot, call)
    assert pending.status is Status.PENDING_CONFIRMATION
    assert "Execute: " in (await ann.card(pending.hold_id)).ui.message
    assert road.runs_of(mark) == 0


async def test_a_cancelled_sentence_stands_for_nothing(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    mark = fresh("mark")
    detail = shell(f"echo ran >> {mark}")
    said = await robot.say("Shall I?", metadata=ASKS, action_detail=detail)
    sentence = (await robot.pending(said)).hold_id
    await ann.cancel(await ann.card(sentence))
    await robot.hears(said, Status.CANCELLED)

    call = await robot.propose("run_command", {"command": detail["command"]}, intent=sentence)

    assert (await told_of(robot, call)).status is Status.PENDING_CONFIRMATION
    assert road.runs_of(mark) == 0


async def test_another_agents_sentence_stands_for_nothing(
    road: Road, robot: AgentVoice, ann: PersonVoice, guests: Any
) -> None:
    mark = fresh("mark")
    command = f"echo ran >> {mark}"
    sentence = await confirmed(robot, ann, shell(command))
    rival = await guests.agent("rival")

    call = await rival.propose("run_command", {"command": command}, intent=sentence)

    pending = await told_of(rival, call)
    assert pending.status is Status.PENDING_CONFIRMATION
    assert "Execute" not in (await ann.card(pending.hold_id)).ui.message
    assert road.runs_of(mark) == 0


async def test_what_passes_leaves_the_sentence_to_people(
    robot: AgentVoice, ann: PersonVoice
) -> None:
    said = await robot.say("I'm about to delete these 500 rows. Should I proceed?")
    sentence = await robot.pending(said)

    call = await robot.propose("run_command", {"command": "ls"}, intent=sentence.hold_id)

    assert (await told_of(robot, call)).status is Status.DONE
    assert (await ann.card(sentence.hold_id)).state == "rendered"


async def test_whoever_is_told_the_call_id_may_not_take_the_sentence_of_another_person(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    """A yes to what is done for ann is none to what is done for ben."""
    mark = fresh("mark")
    command = f"echo ran >> {mark}"
    sentence = await confirmed(robot, ann, shell(command))

    call = await robot.propose(
        "run_command", {"command": command}, intent=sentence, on_behalf_of="ben"
    )

    assert (await told_of(robot, call)).status is Status.PENDING_CONFIRMATION
    assert road.runs_of(mark) == 0
