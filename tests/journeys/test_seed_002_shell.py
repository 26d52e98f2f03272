"""Seed 002's shell tool, as it is printed there, run against the SDK and everything behind it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent
from typing import Any, TypeAlias

import pytest
from tests.waiting import eventually

from holdpoint.client import Holdpoint, Result, RiskLevel, assess_risk, system
from holdpoint.messages.card import Card
from holdpoint.testing.person import Someone
from holdpoint.testing.world import World

pytest_plugins = ("tests.system_fixtures",)
pytestmark = pytest.mark.usefixtures("forked_worlds")

SEED = dedent(
    """
    async def shell_execute(command: str) -> Result:
        risk = assess_risk(command, context)

        if risk >= RiskLevel.HIGH:
            # System automatically handles confirmation UI
            confirmed = await system.request_confirmation(
                message=f"Execute: {command}",
                risk_level=risk,
                action_detail={"command": command, "type": "shell"}
            )

            if not confirmed:
                return Result.fail("User cancelled operation")

        # Proceed with execution
        return await execute_command(command)
    """
)

ShellExecute: TypeAlias = Callable[[str], Coroutine[Any, Any, Result]]


@dataclass
class Program:
    """The agent's program around the seed's tool."""

    hp: Holdpoint
    context: dict[str, bool]
    executed: list[str] = field(default_factory=list)

    @property
    def shell_execute(self) -> ShellExecute:
        """The seed's text, with the names that it uses."""
        names: dict[str, Any] = {
            "Result": Result,
            "RiskLevel": RiskLevel,
            "assess_risk": assess_risk,
            "context": self.context,
            "execute_command": self.execute_command,
            "system": system,
        }
        exec(SEED, names)  # noqa: S102  # the specification itself is the program
        made: ShellExecute = names["shell_execute"]
        return made

    async def execute_command(self, command: str) -> Result:
        """Through the bus again: the worker runs only what carries a grant."""
        self.executed.append(command)
        outcome = await self.hp.call("run_command", {"command": command})
        return Result.ok(outcome.data) if outcome.ok else Result.fail(outcome.reason)


@pytest.fixture
async def program(holdpoint_world: World) -> AsyncIterator[Program]:
    async with holdpoint_world.connect() as hp:
        yield Program(hp=hp, context={"production": True})


@pytest.fixture
def report(holdpoint_world: World) -> Path:
    file = holdpoint_world.settings.state_dir / "sample" / "scratch-space" / "report.txt"
    file.write_text("precious")
    return file


async def test_a_yes_lets_the_seeds_tool_go_on(
    program: Program, person: Someone, report: Path
) -> None:
    person.proceeds()

    result = await program.shell_execute("rm report.txt")

    assert result.succeeded
    assert result.data["exit_code"] == 0
    assert not report.exists()


async def test_a_no_makes_it_fail_in_the_seeds_words(
    program: Program, person: Someone, report: Path
) -> None:
    person.cancels("we need it")

    result = await program.shell_execute("rm report.txt")

    assert result == Result.fail("User cancelled operation")
    assert program.executed == []
    assert report.exists()


async def test_people_see_the_seeds_message_risk_and_action(
    program: Program, person: Someone
) -> None:
    running = asyncio.create_task(program.shell_execute("rm -rf /"))
    (card,) = await eventually(_asked(person, "rm -rf /"))
    person.cancels()

    assert (await running).reason == "User cancelled operation"
    assert card.ui.message == "Execute: rm -rf /"
    assert card.ui.risk_level is RiskLevel.CRITICAL
    assert card.ui.buttons == ("Proceed", "Cancel")


async def test_a_tool_that_is_killed_while_it_waits_runs_nothing(
    program: Program, person: Someone, report: Path
) -> None:
    """Never-list N1: the waiter was killed or timed out, and the tool ran."""
    running = asyncio.create_task(program.shell_execute("rm report.txt"))
    (card,) = await eventually(_asked(person, "rm report.txt"))
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    person.proceeds()

    async def withdrawn() -> bool:
        return (await program.hp.outcome(card.hold_id)).status == "withdrawn"

    assert await eventually(withdrawn)
    assert program.executed == []
    assert report.exists()


async def test_a_risky_command_asks_exactly_once(
    program: Program, person: Someone, holdpoint_world: World
) -> None:
    """In production the seed's tool asks in a sentence; its yes stands for the very command."""
    file = holdpoint_world.settings.state_dir / "sample" / "scratch-space" / "once.txt"
    file.write_text("precious")
    command = f"rm {file.name}"
    person.proceeds()

    result = await program.shell_execute(command)

    assert result.succeeded
    assert not file.exists()
    (card,) = _about(person, command)
    assert card.ui.message == f"Execute: {command}"


async def test_the_same_command_asks_again_the_next_time(program: Program, person: Someone) -> None:
    command = "touch twice.txt && rm twice.txt"
    person.proceeds()

    await program.shell_execute(command)
    await program.shell_execute(command)

    assert len(_about(person, command)) == 2


@pytest.mark.usefixtures("report")
@pytest.mark.parametrize("command", ["ls -l", "pwd", "cat report.txt", "echo hi"])
async def test_what_only_reads_asks_nobody(program: Program, person: Someone, command: str) -> None:
    program.context["production"] = False

    result = await program.shell_execute(command)

    assert result.succeeded
    assert _about(person, command) == []


@pytest.mark.usefixtures("report")
@pytest.mark.parametrize("command", ["rm ./report.txt", "./deploy.sh", "cat report.txt > copy.txt"])
async def test_what_is_not_proven_to_only_read_asks_once(
    program: Program, person: Someone, command: str
) -> None:
    program.context["production"] = False
    person.proceeds()

    await program.shell_execute(command)

    assert len(_about(person, command)) == 1


def _about(person: Someone, command: str) -> list[Card]:
    """The cards of this command: of the sentence about it, and of the call that runs it."""
    shown = person.cards.values()
    return [card for card in shown if card.ui.action.arguments.get("command") == command]


def _asked(person: Someone, words: str) -> Callable[[], Coroutine[Any, Any, list[Card]]]:
    """The cards that ask about this."""

    async def cards() -> list[Card]:
        return [card for card in person.asked if words in card.ui.message]

    return cards
