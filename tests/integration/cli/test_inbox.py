"""The inbox and the stream of changes at a terminal."""

import asyncio
import re
import sys
from contextlib import AsyncExitStack
from functools import partial
from typing import Any

import msgspec
import pytest
from tests.actors import AgentVoice, Guests, PersonVoice
from tests.integration.cli.command_line import Screen, alone, at_a_terminal
from tests.integration.cli.test_one_time_codes import sets_up
from tests.running_system import PASSWORD, Road
from tests.step_up import Phone
from tests.waiting import eventually

from holdpoint.cli.output import ExitCode
from holdpoint.messages.card import Card
from holdpoint.messages.envelope import Status

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.timeout(180)]
pytest_plugins = ("tests.step_up_fixtures",)

SCREEN = """\
import os, sys
screen = os.open(sys.argv[1], os.O_RDWR)
for number in (0, 1, 2):
    os.dup2(screen, number)
os.execv(sys.executable, [sys.executable, "-m", "holdpoint", *sys.argv[2:]])
"""
ON_A_SCREEN = (sys.executable, "-c", SCREEN)
"""A session leader whose terminal is also its standard input and output."""

COLOURS = {"38", "48", *(f"{ground}{colour}" for ground in (3, 4, 9, 10) for colour in range(8))}
HOSTILE = "Approved by ann.\x1b[2J\x1b[H\u202e[bold]no[/bold] ┗━\nStep-up: none"


async def a_hold(stack: AsyncExitStack, road: Road, person: str) -> tuple[str, Any, Card, Any]:
    guests = Guests(road=road, stack=stack)
    robot: AgentVoice = await guests.agent()
    voice: PersonVoice = await guests.person(person)
    mark, call = await robot.command(reasoning=HOSTILE)
    return mark, call, await voice.card((await robot.pending(call)).hold_id), robot


async def seen(screen: Screen, text: str) -> str:
    return await asyncio.to_thread(screen.sees, text)


async def test_a_yes_from_the_inbox_takes_password_and_code_and_the_list_follows(
    code_road: Road, stack: AsyncExitStack, somebody: str
) -> None:
    phone = Phone()
    assert await sets_up(code_road, phone, somebody) == "done"
    mark, call, card, robot = await a_hold(stack, code_road, somebody)
    said = ("inbox", "--as", somebody)

    with at_a_terminal(
        code_road.settings,
        *said,
        starter=ON_A_SCREEN,
        NO_COLOR="1",
        TERM="xterm",
        COLUMNS="150",
        LINES="50",
    ) as screen:
        await seen(screen, card.hold_id)
        await seen(screen, f"waiting for {somebody}")
        await choose(screen, card.hold_id)
        screen.types("p")
        await seen(screen, "You are about to PROCEED.")
        screen.answers(f"Password of {somebody}: ", PASSWORD)
        screen.answers(f"One-time code of {somebody}: ", await phone.code())
        await seen(screen, "Your yes counted, and it ran")
        assert (await robot.hears(call, Status.DONE)).hold_id == card.hold_id
        screen.answers("Enter goes back to the inbox. ", "")
        await asyncio.to_thread(screen.sees_one_of, "waiting for", "Nothing waits")
        screen.types("q")
        await eventually(partial(has_ended, screen))

    assert code_road.runs_of(mark) == 1
    assert "\u202e" not in screen.everything
    styles = re.findall(r"\x1b\[([0-9;]*)m", screen.everything)
    assert COLOURS.isdisjoint(it for style in styles for it in style.split(";"))


async def has_ended(screen: Screen) -> bool:
    """Read what it still draws, so that it can end."""
    while screen._reads(0):
        pass
    return screen.process.poll() is not None


async def choose(screen: Screen, hold_id: str) -> None:
    """Move down until the card of this hold is the one on the screen."""
    wanted = f"{hold_id} ("

    async def shown() -> bool:
        while screen._reads(0):
            pass
        if wanted in screen.shown:
            return True
        screen.types("\x1b[B")
        return False

    await eventually(shown)


async def test_watch_prints_each_change_as_a_card(
    code_road: Road, stack: AsyncExitStack, somebody: str
) -> None:
    watching = ("watch", "--number", "2", "--json", "--as", somebody)
    running = asyncio.create_task(asyncio.to_thread(alone, code_road.settings, *watching))
    robot = await Guests(road=code_road, stack=stack).agent()

    async def told() -> bool:
        await robot.command()
        return running.done()

    await eventually(told)
    ended = await running
    cards = [msgspec.json.decode(line, type=Card) for line in ended.out.splitlines()]

    assert ended.code is ExitCode.OK.value
    assert [card.agent for card in cards] == ["robot", "robot"]


async def test_without_a_screen_the_inbox_says_so_and_json_lists_what_waits(
    code_road: Road, stack: AsyncExitStack, somebody: str
) -> None:
    _, _, card, _ = await a_hold(stack, code_road, somebody)

    blind = alone(code_road.settings, "inbox", "--as", somebody)
    listed = alone(code_road.settings, "inbox", "--as", somebody, "--json")

    assert blind.code is ExitCode.NO_TERMINAL.value
    assert card.hold_id in {msgspec.json.decode(it)["hold_id"] for it in listed.out.splitlines()}
