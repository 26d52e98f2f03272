"""One-time codes at a terminal: set up with a QR code, asked for where a hold takes one."""

import re
from contextlib import AsyncExitStack

import msgspec
import pytest
from tests.actors import AgentVoice, Guests, PersonVoice
from tests.integration.cli.command_line import Screen, alone, at_a_terminal
from tests.running_system import PASSWORD, Road
from tests.step_up import WRONG, Phone

from holdpoint.cli.output import ExitCode
from holdpoint.messages.card import Card

pytestmark = [pytest.mark.nats, pytest.mark.timeout(180)]

pytest_plugins = ("tests.step_up_fixtures",)


async def a_card(road: Road, stack: AsyncExitStack, person: str) -> tuple[str, Card]:
    guests = Guests(road=road, stack=stack)
    robot: AgentVoice = await guests.agent()
    ann: PersonVoice = await guests.person(person)
    mark, call = await robot.command()
    return mark, await ann.card((await robot.pending(call)).hold_id)


async def sets_up(road: Road, phone: Phone, person: str) -> str:
    """Set up codes at a terminal; what came of it."""
    with at_a_terminal(road.settings, "people", "totp", person, "--json") as screen:
        screen.answers(f"Password of {person}: ", PASSWORD)
        phone.secret = scanned(screen)
        screen.answers(f"for {person} now: ", await phone.code())
        ended = screen.ended()
    return str(msgspec.json.decode(ended.out)["status"])


def scanned(screen: Screen) -> str:
    """The key that stands below the picture."""
    key = re.search(r"Key: ([A-Z2-7 ]+)", screen.sees("now: "))
    assert key is not None
    return key[1].replace(" ", "")


async def test_a_yes_takes_the_code_of_the_app_that_was_set_up_here(
    code_road: Road, stack: AsyncExitStack, somebody: str
) -> None:
    mark, card = await a_card(code_road, stack, somebody)
    phone = Phone()
    assert await sets_up(code_road, phone, somebody) == "done"

    with at_a_terminal(code_road.settings, "proceed", card.hold_id, "--as", somebody) as screen:
        screen.answers(f"Password of {somebody}: ", PASSWORD)
        screen.answers(f"One-time code of {somebody}: ", WRONG)
        wrong = screen.ended()
    code = await phone.code()
    with at_a_terminal(code_road.settings, "proceed", card.hold_id, "--as", somebody) as screen:
        screen.answers(f"Password of {somebody}: ", PASSWORD)
        screen.answers(f"One-time code of {somebody}: ", f"{code[:3]} {code[3:]}")
        ended = screen.ended()

    assert (wrong.code, "code_wrong" in wrong.out) == (ExitCode.FAILED.value, True)
    assert ended.code is ExitCode.OK.value, ended
    assert code[:3] not in screen.shown
    assert code_road.runs_of(mark) == 1


async def test_a_no_takes_no_code(code_road: Road, stack: AsyncExitStack, somebody: str) -> None:
    _, card = await a_card(code_road, stack, somebody)

    with at_a_terminal(code_road.settings, "cancel", card.hold_id, "--as", somebody) as screen:
        screen.answers(f"Password of {somebody}: ", PASSWORD)
        assert screen.ended().code is ExitCode.OK.value


async def test_the_picture_is_gone_once_the_code_was_typed(code_road: Road, somebody: str) -> None:
    phone = Phone()
    with at_a_terminal(code_road.settings, "people", "totp", somebody) as screen:
        screen.answers(f"Password of {somebody}: ", PASSWORD)
        phone.secret = scanned(screen)
        screen.answers(f"for {somebody} now: ", await phone.code())
        assert screen.ended().out.startswith(f"{somebody} has one-time codes now.")

    before, _, after = screen.everything.partition("\x1b[?1049h")
    aside, _, after = after.partition("\x1b[?1049l")
    assert "Key: " in aside
    assert "█" in aside
    assert "Key: " not in before + after


@pytest.mark.slow
async def test_new_codes_need_an_old_one_or_an_admin(
    code_road: Road, somebody: str, another: str
) -> None:
    old, new = Phone(), Phone()
    assert await sets_up(code_road, old, another) == "done"

    with at_a_terminal(code_road.settings, "people", "totp", another, "--json") as screen:
        screen.answers(f"Password of {another}: ", PASSWORD)
        new.secret = scanned(screen)
        screen.answers(f"for {another} now: ", await new.code())
        screen.answers("old entry: ", await old.code())
        screen.answers("new entry: ", await new.code())
        assert msgspec.json.decode(screen.ended().out)["carried_out"]

    words = ("people", "remove-step-up", another, "--reason", "lost", "--as", somebody)
    with at_a_terminal(code_road.settings, *words) as screen:
        screen.answers(f"Password of {somebody}: ", PASSWORD)
        assert screen.ended().code is ExitCode.OK.value
    assert await sets_up(code_road, Phone(), another) == "done"


async def test_without_a_terminal_nothing_is_set_up(code_road: Road) -> None:
    ended = alone(code_road.settings, "people", "totp", "ann", said=f"{PASSWORD}\n123456\n")

    assert ended.code is ExitCode.NO_TERMINAL.value
    assert "Key" not in ended.out + ended.err
