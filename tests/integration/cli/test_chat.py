"""`holdpoint chat`: a person at a terminal asks in plain words, and answers the card."""

import asyncio
from collections.abc import Iterator

import pytest
from tests.coordinator_system import coordinated
from tests.integration.cli.command_line import alone, at_a_terminal
from tests.running_system import COORDINATOR, PASSWORD, Road

from holdpoint.cli.output import ExitCode

pytestmark = [pytest.mark.nats, pytest.mark.slow]

PROMPT = "Password of ann: "


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    """Shared by the module; the coordinator is started again where it was killed."""
    with asyncio.Runner() as runner:
        world = coordinated(tmp_path_factory.mktemp("chat"), own={})
        yield runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


def test_a_newcomer_asks_for_a_balance_transfers_and_answers_the_card(town: Road) -> None:
    with at_a_terminal(town.settings, "chat", "--as", "ann") as screen:
        screen.answers(PROMPT, PASSWORD)
        screen.answers("You: ", "what's my balance")
        screen.sees("Account ACC-12345678 balances:")
        screen.answers("You: ", "transfer $150 to savings")
        card = screen.sees("Type proceed or cancel")
        assert "150.00" in card
        screen.answers("leaves it open: ", "what's my balance")
        screen.sees("It stays open")
        screen.sees("Account ACC-12345678 balances:")
        screen.answers("You: ", "proceed")
        screen.answers("leaves it open: ", "yes")
        screen.answers("leaves it open: ", "proceed")
        told = screen.sees("You: ")
        assert told.count("ransferred") == 1
        assert "I transferred $150.00" in told
        screen.answers("You: ", "quit")
        assert screen.ended().code is ExitCode.OK.value


def test_a_request_of_two_turns_stands_on_its_card_and_is_cancelled_with_a_word(town: Road) -> None:
    with at_a_terminal(town.settings, "chat", "--as", "ann") as screen:
        screen.answers(PROMPT, PASSWORD)
        screen.answers("You: ", "transfer to savings")
        screen.answers("You: ", "50 dollars")
        card = screen.sees("Type proceed or cancel")
        assert "transfer to savings / 50 dollars" in card
        screen.answers("leaves it open: ", "no")
        screen.sees("Cancelled. Nothing was done.")
        screen.answers("You: ", "cancel")
        screen.sees("I know of nothing of yours that waits")
        screen.answers("You: ", "quit")
        assert screen.ended().code is ExitCode.OK.value


def test_one_request_is_answered_and_the_command_ends(town: Road) -> None:
    with at_a_terminal(town.settings, "chat", "what's my balance", "--as", "ann") as screen:
        screen.answers(PROMPT, PASSWORD)
        screen.sees("Account ACC-12345678 balances:")
        assert screen.ended().code is ExitCode.OK.value


async def test_without_a_coordinator_the_conversation_stays_open(town: Road) -> None:
    with at_a_terminal(town.settings, "chat", "--as", "ann") as screen:
        screen.answers(PROMPT, PASSWORD)
        screen.sees("You: ")
        town.supervisor.kill(COORDINATOR)
        screen.answers("You: ", "what's my balance")
        told = screen.sees("You: ")
        assert "The coordinator does not answer now." in told
        assert "pip install" not in told
        town.supervisor.start(COORDINATOR)
        await town.supervisor.ready(COORDINATOR)
        screen.answers("You: ", "what's my balance")
        screen.sees("Account ACC-12345678 balances:")
        screen.answers("You: ", "quit")
        assert screen.ended().code is ExitCode.OK.value


def test_without_a_terminal_nobody_speaks_for_a_person(town: Road) -> None:
    ended = alone(town.settings, "chat", "what's my balance", "--as", "ann")
    assert ended.code is ExitCode.NO_TERMINAL.value
