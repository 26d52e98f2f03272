"""One-time codes at a terminal: set up with a QR code, asked for where a hold takes one."""

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec
import pytest
from tests.actors import AgentVoice, Guests, PersonVoice
from tests.integration.cli.command_line import Screen, alone, at_a_terminal
from tests.running_system import PASSWORD, Road, running
from tests.step_up import WRONG, Phone

from holdpoint.cli.output import ExitCode
from holdpoint.messages.card import Card

pytestmark = [pytest.mark.nats, pytest.mark.timeout(180)]

PROMPT = "Password of ann: "
ASKED = "One-time code of ann: "


def strictly(policy: str) -> str:
    return policy.replace("proofs: [chat]", "proofs: [totp]", 1)


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as stack:
        yield stack


def by_passkey(policy: str) -> str:
    return policy.replace("proofs: [chat]", "proofs: [passkey]", 1)


@pytest.fixture
async def road(tmp_path: Path, stack: AsyncExitStack, request: pytest.FixtureRequest) -> Road:
    change = getattr(request, "param", strictly)
    return await stack.enter_async_context(running(tmp_path, change, own={}))


async def a_card(road: Road, stack: AsyncExitStack) -> tuple[str, Card]:
    guests = Guests(road=road, stack=stack)
    robot: AgentVoice = await guests.agent()
    ann: PersonVoice = await guests.person()
    mark, call = await robot.command()
    return mark, await ann.card((await robot.pending(call)).hold_id)


async def sets_up(road: Road, phone: Phone, person: str = "ann") -> str:
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
    road: Road, stack: AsyncExitStack
) -> None:
    mark, card = await a_card(road, stack)
    phone = Phone()
    assert await sets_up(road, phone) == "done"

    with at_a_terminal(road.settings, "proceed", card.hold_id, "--as", "ann") as screen:
        screen.answers(PROMPT, PASSWORD)
        screen.answers(ASKED, WRONG)
        wrong = screen.ended()
    code = await phone.code()
    with at_a_terminal(road.settings, "proceed", card.hold_id, "--as", "ann") as screen:
        screen.answers(PROMPT, PASSWORD)
        screen.answers(ASKED, f"{code[:3]} {code[3:]}")
        ended = screen.ended()

    assert (wrong.code, "code_wrong" in wrong.out) == (ExitCode.FAILED.value, True)
    assert ended.code is ExitCode.OK.value, ended
    assert code[:3] not in screen.shown
    assert road.runs_of(mark) == 1


async def test_a_no_takes_no_code(road: Road, stack: AsyncExitStack) -> None:
    _, card = await a_card(road, stack)

    with at_a_terminal(road.settings, "cancel", card.hold_id, "--as", "ann") as screen:
        screen.answers(PROMPT, PASSWORD)
        assert screen.ended().code is ExitCode.OK.value


@pytest.mark.parametrize("road", [by_passkey], indirect=True)
async def test_a_yes_that_takes_a_passkey_is_said_in_the_console(
    road: Road, stack: AsyncExitStack
) -> None:
    mark, card = await a_card(road, stack)

    with at_a_terminal(road.settings, "proceed", card.hold_id, "--as", "ann") as screen:
        ended = screen.ended()

    assert (ended.code, "takes a passkey" in ended.err) == (ExitCode.FAILED.value, True)
    assert PROMPT not in screen.everything
    assert road.runs_of(mark) == 0


async def test_the_picture_is_gone_once_the_code_was_typed(road: Road) -> None:
    phone = Phone()
    with at_a_terminal(road.settings, "people", "totp", "ben") as screen:
        screen.answers("Password of ben: ", PASSWORD)
        phone.secret = scanned(screen)
        screen.answers("for ben now: ", await phone.code())
        assert screen.ended().out.startswith("ben has one-time codes now.")

    before, _, after = screen.everything.partition("\x1b[?1049h")
    aside, _, after = after.partition("\x1b[?1049l")
    assert "Key: " in aside
    assert "█" in aside
    assert "Key: " not in before + after


@pytest.mark.slow
async def test_new_codes_need_an_old_one_or_an_admin(road: Road) -> None:
    old, new = Phone(), Phone()
    assert await sets_up(road, old, "ben") == "done"

    with at_a_terminal(road.settings, "people", "totp", "ben", "--json") as screen:
        screen.answers("Password of ben: ", PASSWORD)
        new.secret = scanned(screen)
        screen.answers("for ben now: ", await new.code())
        screen.answers("old entry: ", await old.code())
        screen.answers("new entry: ", await new.code())
        assert msgspec.json.decode(screen.ended().out)["carried_out"]

    words = ("people", "remove-step-up", "ben", "--reason", "lost", "--as", "ann")
    with at_a_terminal(road.settings, *words) as screen:
        screen.answers(PROMPT, PASSWORD)
        assert screen.ended().code is ExitCode.OK.value
    assert await sets_up(road, Phone(), "ben") == "done"


async def test_without_a_terminal_nothing_is_set_up(road: Road) -> None:
    ended = alone(road.settings, "people", "totp", "ann", said=f"{PASSWORD}\n123456\n")

    assert ended.code is ExitCode.NO_TERMINAL.value
    assert "Key" not in ended.out + ended.err
