"""Waiting for people: resumed, cut short, taken back."""

import asyncio
import signal
import sys

import pytest
from msgspec import structs
from tests.integration.client.bus import HOLD, SAYS, Bus, refused

from holdpoint.client import RefusedError, Status
from holdpoint.messages.ask import JUDGED_BY_S
from holdpoint.messages.call import Propose, Withdraw
from holdpoint.messages.envelope import TOO_MANY_CALLS, TOO_MANY_HOLDS, TOO_MANY_QUESTIONS, Envelope


async def test_the_time_being_over_returns_how_it_stands_and_cancels_nothing(bus: Bus) -> None:
    await bus.gate(Status.PENDING_CONFIRMATION, None)

    async with bus.agent() as hp:
        outcome = await hp.call("read_file", SAYS, timeout=0.3)

    assert (outcome.status, outcome.hold_id) == (Status.PENDING_CONFIRMATION, HOLD)
    assert [type(it.said) for it in await bus.said()] == [Propose]


async def test_the_time_being_over_while_it_runs_tells_that_and_its_id(bus: Bus) -> None:
    await bus.gate(None, Status.APPROVED)

    async with bus.agent() as hp:
        outcome = await hp.call("read_file", SAYS, timeout=0.3)

    assert (outcome.status, outcome.hold_id) == (Status.APPROVED, HOLD)


async def test_a_cancelled_caller_withdraws(bus: Bus) -> None:
    gate = await bus.gate(Status.PENDING_CONFIRMATION, None)

    async with bus.agent() as hp:
        calling = asyncio.create_task(hp.call("read_file", SAYS))
        await gate.was_asked(2)
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling
        last = (await bus.said())[-1]

    assert isinstance(last.said, Withdraw)
    assert last.said.hold_id == HOLD


async def test_a_question_that_was_too_many_is_asked_again(bus: Bus) -> None:
    too_many = structs.replace(refused(TOO_MANY_QUESTIONS), retry_after_s=0.05)
    gate = await bus.gate(too_many, too_many, Status.DONE)

    async with bus.agent() as hp:
        outcome = await hp.call("read_file", SAYS)

    assert outcome.status is Status.DONE
    assert [it.wait_s > 0 for it in gate.asked] == [True, False, False]


@pytest.mark.parametrize("code", [TOO_MANY_CALLS, TOO_MANY_HOLDS])
async def test_a_call_that_was_too_many_is_made_again_with_its_key(code: str, bus: Bus) -> None:
    too_many = structs.replace(refused(code), retry_after_s=0.05)
    await bus.gate(too_many, Status.DONE)

    async with bus.agent() as hp:
        outcome = await hp.call("read_file", SAYS)

    first, second = [it.said for it in await bus.said()]
    assert outcome.status is Status.DONE
    assert isinstance(first, Propose)
    assert first == second
    assert first.idempotency_key


async def test_a_call_that_was_too_many_for_long_is_refused(bus: Bus) -> None:
    await bus.gate(structs.replace(refused(TOO_MANY_CALLS), retry_after_s=3600.0))

    async with bus.agent() as hp:
        with pytest.raises(RefusedError) as refusal:
            await hp.call("read_file", SAYS)

    assert refusal.value.code == TOO_MANY_CALLS


@pytest.mark.usefixtures("short_waits")
async def test_a_caller_cancelled_before_it_knows_its_hold_withdraws_too(bus: Bus) -> None:
    gate = await bus.gate(None, Status.PENDING_CONFIRMATION)

    async with bus.agent() as hp:
        calling = asyncio.create_task(hp.call("read_file", SAYS))
        await gate.was_asked(1)
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling

    assert [type(it.said) for it in await bus.said()] == [Propose, Withdraw]


@pytest.mark.usefixtures("short_waits")
async def test_a_caller_cancelled_twice_still_withdraws_before_the_connection_closes(
    bus: Bus,
) -> None:
    gate = await bus.gate(None, Status.PENDING_CONFIRMATION)

    async with bus.agent() as hp:
        calling = asyncio.create_task(hp.call("read_file", SAYS))
        await gate.was_asked(1)
        calling.cancel()
        await asyncio.sleep(0)
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling

    assert [type(it.said) for it in await bus.said()] == [Propose, Withdraw]


async def test_a_caller_that_leaves_it_open_withdraws_nothing(bus: Bus) -> None:
    gate = await bus.gate(Status.PENDING_CONFIRMATION, None)

    async with bus.agent() as hp:
        calling = asyncio.create_task(hp.call("read_file", SAYS, on_cancel="leave"))
        await gate.was_asked(2)
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling

    assert [type(it.said) for it in await bus.said()] == [Propose]


@pytest.mark.usefixtures("short_waits")
async def test_nothing_is_taken_back_that_is_over(bus: Bus) -> None:
    gate = await bus.gate(None, Status.DONE)

    async with bus.agent() as hp:
        calling = asyncio.create_task(hp.call("read_file", SAYS))
        await gate.was_asked(1)
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling

    assert [type(it.said) for it in await bus.said()] == [Propose]


async def test_a_hold_is_resumed_by_another_connection(bus: Bus) -> None:
    gate = await bus.gate(Status.PENDING_CONFIRMATION, Status.PENDING_CONFIRMATION, Status.DONE)
    async with bus.agent() as first:
        pending = await first.call("read_file", SAYS, wait=False)

    async with bus.agent() as second:
        outcome = await second.resume(pending.hold_id)

    assert outcome.ok
    assert gate.asked[-1].hold_id == HOLD
    assert gate.asked[-1].seq == 0


@pytest.mark.usefixtures("short_waits")
async def test_to_resume_a_hold_that_nobody_knows_is_refused(bus: Bus) -> None:
    gate = await bus.gate(refused("unknown_hold"))

    async with bus.agent() as hp:
        for asks in (hp.resume, hp.outcome):
            with pytest.raises(RefusedError, match="because") as caught:
                await asks(HOLD)
            assert caught.value.code == "unknown_hold"

    assert all(question.wait_s >= JUDGED_BY_S for question in gate.asked)


@pytest.mark.parametrize("no_id", ["", "a.b", "*", "x" * 65])
async def test_what_is_no_hold_id_is_not_asked_about(bus: Bus, no_id: str) -> None:
    async with bus.agent() as hp:
        for asks in (hp.outcome, hp.resume, hp.withdraw):
            with pytest.raises(RefusedError, match="hold's id"):
                await asks(no_id)

    assert await bus.said() == []


async def test_a_withdrawal_returns_how_the_hold_ended(bus: Bus) -> None:
    gate = await bus.gate(Envelope(status=Status.WAITING), Status.WITHDRAWN)

    async with bus.agent() as hp:
        outcome = await hp.withdraw(HOLD, "I know better now")

    (stored,) = await bus.said()
    assert isinstance(stored.said, Withdraw)
    assert stored.said.reason == "I know better now"
    assert outcome.status is Status.WITHDRAWN
    assert gate.asked[0].seq == bus.begins + 1


async def test_a_withdrawal_that_comes_too_late_is_an_outcome(bus: Bus) -> None:
    await bus.gate(refused("already_started"), Status.APPROVED)

    async with bus.agent() as hp:
        outcome = await hp.withdraw(HOLD)

    assert (outcome.status, outcome.code) == (Status.APPROVED, "already_started")


async def test_a_withdrawal_of_somebody_elses_hold_is_refused(bus: Bus) -> None:
    await bus.gate(refused("unknown_hold"))

    async with bus.agent() as hp:
        with pytest.raises(RefusedError, match="because"):
            await hp.withdraw(HOLD)


@pytest.mark.slow
@pytest.mark.parametrize(
    "program",
    [
        """
with SyncHoldpoint.connect("robot") as hp:
    hp.call("read_file", {"path": "."})
""",
        """
async def main():
    async with Holdpoint.connect("robot") as hp:
        await hp.call("read_file", {"path": "."})
asyncio.run(main())
""",
    ],
    ids=["sync", "async"],
)
async def test_a_program_that_is_interrupted_withdraws(bus: Bus, program: str) -> None:
    gate = await bus.gate(Status.PENDING_CONFIRMATION, None)
    text = f"import asyncio\nfrom holdpoint.client import *\n{program}"
    settings = bus.world.settings
    running = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        text,
        stderr=asyncio.subprocess.DEVNULL,
        env={
            "HP_STATE_DIR": str(settings.state_dir.resolve()),
            "HP_NATS_URL": settings.nats_url,
        },
    )

    await gate.was_asked(2)
    running.send_signal(signal.SIGINT)
    code = await asyncio.wait_for(running.wait(), 15)

    assert code != 0
    assert [type(it.said) for it in await bus.said()] == [Propose, Withdraw]
