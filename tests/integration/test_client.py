"""The SDK with everything real: broker, gate, workers, and a person who does as told."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.waiting import eventually

from holdpoint.client import Holdpoint, Outcome, RefusedError, Status, SyncHoldpoint
from holdpoint.messages.card import Card
from holdpoint.runtime.process import clock
from holdpoint.testing.person import Someone
from holdpoint.testing.world import World

pytest_plugins = ("tests.system_fixtures",)
pytestmark = pytest.mark.usefixtures("forked_worlds")

SEEDS_SENTENCE = "I'm about to delete these 500 user accounts. Should I proceed?"


@pytest.fixture
async def hp(holdpoint_world: World) -> AsyncIterator[Holdpoint]:
    async with holdpoint_world.connect() as client:
        yield client


@pytest.fixture
def scratch(holdpoint_world: World, request: pytest.FixtureRequest) -> Path:
    """A file of this test's own, where commands may remove it."""
    name = request.node.name.replace("[", "-").replace("]", "")
    file = holdpoint_world.settings.state_dir / "sample" / "scratch-space" / f"{name}.txt"
    file.write_text("precious")
    return file


def removal(file: Path) -> dict[str, str]:
    return {"command": f"rm {file.name}"}


async def test_a_harmless_call_runs_at_once(hp: Holdpoint, scratch: Path) -> None:
    outcome = await hp.call("read_file", {"path": scratch.name}, reasoning="I want to know")

    assert outcome.status is Status.DONE
    assert "precious" in outcome.formatted
    assert outcome.hold_id
    assert outcome.idempotency_key


async def test_the_same_key_is_the_same_hold_and_runs_once(hp: Holdpoint, scratch: Path) -> None:
    new = {"path": f"{scratch.stem}-new.txt", "content": "once"}
    key = clock.new_id()

    first = await hp.call("create_file", new, idempotency_key=key)
    again = await hp.call("create_file", new, idempotency_key=key)
    with pytest.raises(RefusedError) as other:
        await hp.call("create_file", {**new, "content": "twice"}, idempotency_key=key)

    assert (first.status, again.status) == (Status.DONE, Status.ALREADY_PROCESSED)
    assert (again.hold_id, again.data) == (first.hold_id, first.data)
    assert other.value.code == "idempotency_key_reused"


async def test_a_yes_lets_it_run(hp: Holdpoint, person: Someone, scratch: Path) -> None:
    person.proceeds()

    outcome = await hp.call("run_command", removal(scratch), reasoning="no longer needed")

    assert outcome.status is Status.DONE
    assert not scratch.exists()


async def test_a_no_is_told_with_its_reason_and_nothing_runs(
    hp: Holdpoint, person: Someone, scratch: Path
) -> None:
    person.cancels("we need it until Friday")

    outcome = await hp.call("run_command", removal(scratch))

    assert outcome.status is Status.CANCELLED
    assert "Friday" in outcome.reason
    assert scratch.exists()


@pytest.mark.slow
async def test_silence_is_no_yes_and_is_not_told_as_a_no(
    hp: Holdpoint, person: Someone, scratch: Path
) -> None:
    person.stays_silent()
    soon = clock.now() + timedelta(seconds=1)

    outcome = await hp.call("run_command", removal(scratch), deadline=soon)
    confirmed = await hp.request_confirmation(
        "Remove it?", "high", {"type": "shell"}, deadline=clock.now() + timedelta(seconds=1)
    )

    assert outcome.status is Status.EXPIRED
    assert "not a no" in outcome.message_for_user
    assert confirmed is False
    assert scratch.exists()


async def test_a_pending_call_says_how_to_go_on_and_can_be_withdrawn(
    hp: Holdpoint, person: Someone, scratch: Path
) -> None:
    pending = await hp.call("run_command", removal(scratch), wait=False)
    assert pending.confirmation is not None
    cancel = pending.confirmation.cancel_method

    withdrawn = await hp.call(cancel.tool, cancel.params)
    too_late = await hp.withdraw(pending.hold_id)

    assert person.choice is None
    assert pending.status is Status.PENDING_CONFIRMATION
    assert withdrawn.status is Status.WITHDRAWN
    assert (too_late.status, too_late.code) == (Status.WITHDRAWN, "already_closed")
    assert "your answer" not in too_late.message_for_user
    assert scratch.exists()


async def test_a_cancelled_caller_leaves_nothing_to_say_yes_to(
    holdpoint_world: World, hp: Holdpoint, person: Someone, scratch: Path
) -> None:
    calling = asyncio.create_task(hp.call("run_command", removal(scratch)))
    (card,) = await eventually(_asked_about(person, scratch))
    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling

    async def withdrawn() -> bool:
        return (await hp.outcome(card.hold_id)).status is Status.WITHDRAWN

    assert await eventually(withdrawn)
    person.proceeds()
    async with holdpoint_world.connect() as other:
        assert (await other.resume(card.hold_id)).status is Status.WITHDRAWN
    assert scratch.exists()


@pytest.mark.slow
@pytest.mark.parametrize("service", ["gate", "nats", "worker-shell"])
async def test_whatever_dies_meanwhile_another_process_learns_the_outcome(
    holdpoint_world: World, person: Someone, scratch: Path, service: str
) -> None:
    """What is pending survives every process; whoever has the hold's id finds out."""
    async with holdpoint_world.connect() as first:
        pending = await first.call("run_command", removal(scratch), wait=False)
    async with holdpoint_world.connect() as second:
        waiting = asyncio.create_task(second.resume(pending.hold_id))
        await asyncio.sleep(0.1)
        holdpoint_world.kill(service)
        person.proceeds()
        await asyncio.to_thread(holdpoint_world.start, service)
        outcome = await asyncio.wait_for(waiting, 45)

    assert outcome.status is Status.DONE
    assert not scratch.exists()


async def test_a_confirmation_is_a_plain_boolean(hp: Holdpoint, person: Someone) -> None:
    asks: dict[str, object] = {"command": "rm -rf old", "type": "shell"}

    person.proceeds()
    yes = await hp.request_confirmation("Execute: rm -rf old", "high", asks)
    person.cancels()
    no = await hp.request_confirmation("Execute: rm -rf old", "high", asks)

    assert (yes, no) == (True, False)


async def test_a_sentence_waits_only_when_it_is_risky_or_unsure(
    hp: Holdpoint, person: Someone
) -> None:
    person.cancels("keep them")

    harmless = await hp.say("I will look up your order.")
    risky = await hp.say(SEEDS_SENTENCE)

    assert harmless.confirmed
    assert not risky.confirmed
    assert (risky.status, risky.reason) == (Status.CANCELLED, "keep them")


async def test_a_tool_that_the_agent_may_not_use_is_denied(hp: Holdpoint) -> None:
    row = {"database": "crm", "table": "leads", "values": {"status": "new"}}

    outcome = await hp.call("insert_row", row)

    assert outcome.status is Status.DENIED
    assert "insert_row" in outcome.reason


async def test_a_tool_that_nobody_knows_is_refused(hp: Holdpoint) -> None:
    with pytest.raises(RefusedError) as caught:
        await hp.call("transmogrify", {})

    assert caught.value.code == "unknown_tool"


def test_a_program_without_a_loop_does_the_same(
    agent: SyncHoldpoint, person: Someone, scratch: Path
) -> None:
    person.proceeds()

    outcome: Outcome = agent.call("run_command", removal(scratch))

    assert outcome.ok
    assert not scratch.exists()


def _asked_about(person: Someone, file: Path) -> Callable[[], Coroutine[Any, Any, list[Card]]]:
    """The cards that ask about this file."""

    async def cards() -> list[Card]:
        return [card for card in person.asked if file.name in str(card.ui.action.arguments)]

    return cards
