"""The next steps of a pending reply, called on the raw bus as the reply names them."""

import pytest
from tests.actors import AgentVoice, Guests, PersonVoice, StreamEyes
from tests.running_system import Road

from holdpoint.client import Holdpoint
from holdpoint.messages import subjects as s
from holdpoint.messages.envelope import Status

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

NAMES = ("hold_id", "operation_id", "transfer_id")


@pytest.mark.parametrize("name", NAMES)
async def test_confirm_tells_how_it_stands_and_is_never_a_yes(
    name: str, road: Road, robot: AgentVoice, ann: PersonVoice, eyes: StreamEyes
) -> None:
    mark, call = await robot.command()
    pending = await robot.pending(call)
    assert pending.confirmation is not None
    step = pending.confirmation.confirmation_method
    assert step.tool == "confirm_run_command"
    assert pending.message_for_user.startswith("I'd like to run echo ran")
    assert "Shall I proceed?" in pending.message_for_user
    facts = len(await eyes.facts(pending.hold_id))

    asked = await robot.propose(step.tool, {name: pending.hold_id})

    told = await robot.pending(asked)
    assert told.hold_id == pending.hold_id
    assert told.confirmation == pending.confirmation
    assert len(await eyes.facts(pending.hold_id)) == facts
    assert road.runs_of(mark) == 0
    await ann.proceed(await ann.card(pending.hold_id))
    ended = await robot.hears(asked, Status.DONE)
    assert ended.hold_id == pending.hold_id
    assert road.runs_of(mark) == 1
    assert await robot.hears(await robot.propose(step.tool, {name: pending.hold_id}), Status.DONE)
    assert road.runs_of(mark) == 1


@pytest.mark.parametrize("name", NAMES)
async def test_cancel_withdraws(name: str, road: Road, robot: AgentVoice, ann: PersonVoice) -> None:
    mark, call = await robot.command()
    pending = await robot.pending(call)
    assert pending.confirmation is not None
    await ann.card(pending.hold_id)

    step = pending.confirmation.cancel_method
    taken = await robot.propose(step.tool, {name: pending.hold_id, "reason": "A typo."})

    assert (await robot.hears(taken, Status.WITHDRAWN)).reason == "A typo."
    assert (await robot.hears(call, Status.WITHDRAWN)).hold_id == pending.hold_id
    assert (await ann.card(pending.hold_id, "resumed")).outcome == "withdrawn"
    assert road.runs_of(mark) == 0


async def test_no_hold_is_opened_for_a_next_step(robot: AgentVoice, eyes: StreamEyes) -> None:
    _, call = await robot.command()
    pending = await robot.pending(call)
    opened = len(await eyes.on(s.HOLDS, "hp.acme.hold.robot.>"))

    for _ in range(3):
        await robot.pending(
            await robot.propose("confirm_run_command", {"hold_id": pending.hold_id})
        )

    assert len(await eyes.on(s.HOLDS, "hp.acme.hold.robot.>")) == opened


async def test_what_has_ended_cannot_be_cancelled(robot: AgentVoice, ann: PersonVoice) -> None:
    _, call = await robot.command()
    pending = await robot.pending(call)
    await ann.proceed(await ann.card(pending.hold_id))
    await robot.hears(call, Status.DONE)

    taken = await robot.propose("cancel_pending_operation", {"operation_id": pending.hold_id})

    assert (await robot.hears(taken, Status.REFUSED)).code == "already_started"


async def test_one_that_names_no_hold_is_told_how(robot: AgentVoice) -> None:
    asked = await robot.propose("confirm_transfer", {"transfer_id": "TXN-20250115-001"})

    told = await robot.hears(asked, Status.REFUSED)
    assert told.code == "bad_arguments"
    assert "hold_id, operation_id, transfer_id" in told.reason


@pytest.mark.slow
@pytest.mark.parametrize("tool", ["confirm_run_command", "cancel_pending_operation"])
async def test_anothers_hold_is_unknown(tool: str, robot: AgentVoice, guests: Guests) -> None:
    rival = await guests.agent("rival")
    _, call = await robot.command()
    pending = await robot.pending(call)

    asked = await rival.propose(tool, {"hold_id": pending.hold_id})

    assert (await rival.hears(asked, Status.REFUSED)).code == "unknown_hold"
    assert (await robot.ask(call)).status is Status.PENDING_CONFIRMATION


async def test_the_sdk_calls_them_like_tools(road: Road, robot: AgentVoice) -> None:
    _, call = await robot.command()
    hold = (await robot.pending(call)).hold_id

    settings = road.settings.model_copy(update={"nats_url": road.supervisor.url})
    async with Holdpoint.connect("robot", settings) as hp:
        stands = await hp.call("confirm_run_command", {"transfer_id": hold})
        taken = await hp.call("cancel_pending_operation", {"operation_id": hold})

    assert (stands.status, stands.hold_id) == (Status.PENDING_CONFIRMATION, hold)
    assert (taken.status, taken.hold_id) == (Status.WITHDRAWN, hold)
