"""A question about a hold that never was is refused when its wait is over, never left waiting."""

import asyncio

import pytest
from tests.actors import AgentVoice, Guests
from tests.running_system import fresh

from holdpoint.messages.ask import JUDGED_BY_S
from holdpoint.messages.call import Intent, Withdraw
from holdpoint.messages.envelope import Status

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

NEVER = "a" * 26


async def test_a_hold_that_never_was_is_unknown_at_once_where_every_call_is_judged(
    robot: AgentVoice,
) -> None:
    async with asyncio.timeout(JUDGED_BY_S / 2):
        told = await robot.ask(hold_id=NEVER, wait_s=JUDGED_BY_S)

    assert (told.status, told.code, told.hold_id) == (Status.REFUSED, "unknown_hold", NEVER)


async def test_anothers_hold_is_as_unknown_as_one_that_never_was(
    robot: AgentVoice, guests: Guests
) -> None:
    rival = await guests.agent("rival")
    _, call = await robot.command()
    asked = await robot.pending(call)

    theirs, nobodys = await asyncio.gather(
        *(rival.ask(hold_id=it, wait_s=JUDGED_BY_S) for it in (asked.hold_id, NEVER))
    )

    assert theirs.code == nobodys.code == "unknown_hold"
    assert theirs.reason == nobodys.reason
    assert (await robot.ask(hold_id=asked.hold_id)).status is Status.PENDING_CONFIRMATION


async def test_a_call_may_not_be_judged_yet_so_a_short_question_says_waiting(
    robot: AgentVoice,
) -> None:
    told = await robot.ask(hold_id=NEVER)

    assert (told.status, told.hold_id) == (Status.WAITING, NEVER)


async def test_a_question_that_names_its_call_waits_for_the_judgement(robot: AgentVoice) -> None:
    call = await robot.withdraw(NEVER)

    told = await robot.ask(call, hold_id=NEVER)

    assert told.status is Status.WAITING


async def test_anothers_call_is_as_unknown_as_one_that_never_was(
    robot: AgentVoice, guests: Guests
) -> None:
    rival = await guests.agent("rival")
    _, call = await robot.command()
    mine = await robot.pending(call)

    theirs = await rival.ask(call, wait_s=1.0)

    has_one_of_its_own = theirs.hold_id not in {"", mine.hold_id}
    assert has_one_of_its_own or theirs.code == "unknown_call"
    assert (await robot.ask(call)).status is Status.PENDING_CONFIRMATION


@pytest.mark.parametrize(
    ("message", "lane"),
    [
        (Withdraw(hold_id=NEVER), "propose"),
        (Intent(text="Should I proceed?"), "propose"),
        (Withdraw(hold_id=NEVER), "intent"),
    ],
)
async def test_a_call_on_anothers_lane_is_refused_for_that(
    robot: AgentVoice, message: Withdraw | Intent, lane: str
) -> None:
    told = await robot.hears(await robot.publish(lane, message, fresh("key")), Status.REFUSED)

    assert told.code == "wrong_subject"


async def test_a_fact_on_a_lane_is_refused_for_its_type_before_its_fields(
    robot: AgentVoice,
) -> None:
    body = (
        b'{"specversion":"1.0","id":"x","type":"holdpoint.v1.passed","source":"t",'
        b'"subject":"t","time":"2026-01-01T00:00:00Z","datacontenttype":"application/json",'
        b'"data":{}}'
    )

    told = await robot.hears(await robot.publish_raw("propose", body), Status.REFUSED)

    assert (told.code, told.reason) == (
        "wrong_subject",
        "`holdpoint.v1.passed` does not belong on `propose`.",
    )
