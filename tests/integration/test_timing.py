"""What happens to a hold with time: reminders, a backup group, more time, notices; all exact."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack

import pytest
from tests.actors import Guests, PersonVoice
from tests.integration.cli.command_line import at_a_terminal
from tests.running_system import LONG_S, PASSWORD, Road, running
from tests.waiting import eventually

from holdpoint.cli.output import ExitCode
from holdpoint.messages.answer import Choice
from holdpoint.messages.card import Card
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Escalated, Extended, Reminded
from holdpoint.runtime.process import clock

pytestmark = [pytest.mark.nats, pytest.mark.slow]

TIMES = """proofs: [chat]
    remind_after_s: [1, 3]
    escalate: {group: finance, after_s: 2}
    extend_up_to_s: 600
    cooling_off_s: 6
    notice_before_s: [5]"""


def timed(policy: str) -> str:
    """People of level 3 are told again after 1 s, and finance is asked too after 2 s."""
    return policy.replace("proofs: [chat]", TIMES, 1).replace("deadline_s: 900", "deadline_s: 7", 1)


@pytest.fixture(scope="module")
def road(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    with asyncio.Runner() as runner:
        world = running(tmp_path_factory.mktemp("timing"), timed, own={})
        yield runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


@pytest.fixture
async def guests(road: Road) -> AsyncIterator[Guests]:
    async with AsyncExitStack() as stack:
        yield Guests(road=road, stack=stack)


async def card_where(person: PersonVoice, hold_id: str, field: str, group: str) -> Card:
    """The card, once this field of it says something."""

    async def shown() -> Card | None:
        card = await person.card(hold_id, "rendered", "resolved", group=group)
        return card if getattr(card, field) else None

    card = await eventually(shown, LONG_S)
    assert card is not None
    return card


async def nothing_to_look_at(road: Road, hold_id: str) -> None:
    """The ledger knows the run, and finds nothing wrong with the hold."""

    async def found() -> bool:
        return not [it for it in road.exceptions() if it.hold_id == hold_id]

    await eventually(found, LONG_S)


async def test_people_are_told_again_and_a_backup_group_confirms_it(
    road: Road, guests: Guests
) -> None:
    robot, ann, cem = (
        await guests.agent(),
        await guests.person("ann"),
        await guests.person("cem"),
    )
    eyes = await guests.eyes()
    mark, call = await robot.command()
    first = await ann.card((await robot.pending(call)).hold_id)
    assert (await cem.proceed(first)).code == "not_an_approver"

    reminded = await card_where(ann, first.hold_id, "reminded", "operators")
    asked = await card_where(cem, first.hold_id, "escalated_to", "finance")
    told = await cem.proceed(asked)
    cools = await ann.card(first.hold_id, "resolved")
    assert (await robot.hears(call, Status.DONE)).status is Status.DONE

    assert reminded.called_at is not None
    assert reminded.called_at > first.halted_at
    assert told.status is Status.APPROVED
    assert cools.voices == ("cem",)
    facts = await eyes.facts(first.hold_id)
    assert [type(it) for it in facts if isinstance(it, Escalated)] == [Escalated]
    again = [it for it in facts if isinstance(it, Reminded)]
    assert len(again) == len({it.hold.reminded_at for it in again})
    assert again[-1].hold.outcome is not None, "no notice before it went on"
    assert road.runs_of(mark) == 1
    await nothing_to_look_at(road, first.hold_id)


async def test_more_time_is_given_with_a_reason_and_counts(road: Road, guests: Guests) -> None:
    robot, ann, ben = (
        await guests.agent(),
        await guests.person("ann"),
        await guests.person("ben"),
    )
    eyes = await guests.eyes()
    mark, call = await robot.command()
    card = await ann.card((await robot.pending(call)).hold_id)
    ends_at = card.expires_at
    assert ends_at is not None

    async def asked(seconds: int, why: str) -> str:
        seq = await ann.answer(card, Choice.EXTEND, extend_s=seconds, reason=why)
        return (await ann.heard(card, seq)).code

    assert await asked(60, "") == "not_extendable"
    assert await asked(601, "A long train ride.") == "not_extendable"
    assert await asked(60, "Ben is on a train.") == ""
    later = await card_where(ben, card.hold_id, "extensions", "operators")
    assert later.expires_at is not None
    assert (later.expires_at - ends_at).total_seconds() == 60
    assert later.extensions == (
        f"ann moved the deadline to {later.expires_at:%Y-%m-%d %H:%M} UTC: Ben is on a train.",
    )
    assert later.extendable_s == 540

    async def is_late() -> bool:
        return clock.now() > ends_at

    await eventually(is_late, LONG_S)
    await ben.proceed(later)
    assert (await robot.hears(call, Status.DONE)).status is Status.DONE
    assert [type(it) for it in await eyes.facts(card.hold_id) if isinstance(it, Extended)]
    assert road.runs_of(mark) == 1
    await nothing_to_look_at(road, card.hold_id)


async def test_more_time_is_given_at_a_terminal(road: Road, guests: Guests) -> None:
    robot, ann = await guests.agent(), await guests.person("ann")
    _, call = await robot.command()
    card = await ann.card((await robot.pending(call)).hold_id)
    words = ("extend", card.hold_id, "--by", "5m", "--why", "Ben is on a train.", "--as", "ann")

    with at_a_terminal(road.settings, *words) as screen:
        screen.answers("Password of ann: ", PASSWORD)
        ended = screen.ended()

    assert ended.code is ExitCode.OK.value, ended
    later = await card_where(ann, card.hold_id, "extensions", "operators")
    assert later.expires_at is not None
    assert card.expires_at is not None
    assert (later.expires_at - card.expires_at).total_seconds() == 300


async def down_until(road: Road, over: Card) -> None:
    """Broker and gate die, and come back after this card's deadline."""
    road.supervisor.kill("gate")
    assert road.supervisor.server
    road.supervisor.server.kill()

    async def is_over() -> bool:
        return over.expires_at is not None and clock.now() > over.expires_at

    await eventually(is_over, LONG_S)
    await road.supervisor.server.start()
    road.supervisor.start("gate")
    await road.supervisor.ready("gate")


async def test_what_was_due_while_everything_was_down_takes_effect_at_start(
    road: Road, guests: Guests
) -> None:
    robot, ann, cem = (
        await guests.agent(),
        await guests.person("ann"),
        await guests.person("cem"),
    )
    eyes = await guests.eyes()
    _, late = await robot.command()
    card = await ann.card((await robot.pending(late)).hold_id)
    seq = await ann.answer(card, Choice.EXTEND, extend_s=120, reason="A restart.")
    assert (await ann.heard(card, seq)).code == ""
    _, silent = await robot.command()
    gone = await ann.card((await robot.pending(silent)).hold_id)
    await down_until(road, gone)

    ended = await ann.card(gone.hold_id, "resolved", "resumed")
    assert ended.outcome == "expired"
    asked = await card_where(cem, card.hold_id, "escalated_to", "finance")
    assert asked.reminded >= 1
    facts = [type(it) for it in await eyes.facts(card.hold_id)]
    assert facts.count(Escalated) == 1
    assert (await cem.cancel(asked)).status is Status.CANCELLED
    assert (await robot.hears(silent, Status.EXPIRED)).status is Status.EXPIRED
