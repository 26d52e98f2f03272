"""What cools off is listed at the terminal, with the time left, and stopped there."""

import asyncio
import re
from collections.abc import Iterator

import msgspec
import pytest
from tests.actors import AgentVoice, PersonVoice
from tests.integration.cli.command_line import alone, at_a_terminal
from tests.running_system import PASSWORD, Road, cooling_for, running

from holdpoint.cli.output import ExitCode
from holdpoint.messages.envelope import Status

pytestmark = [pytest.mark.nats, pytest.mark.slow]
pytest_plugins = ("tests.system_fixtures",)

PROMPT = "Password of ann: "
COOLS_S = 600


@pytest.fixture(scope="module")
def road(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    """Every yes cools off."""
    with asyncio.Runner() as runner:
        world = running(tmp_path_factory.mktemp("cool"), cooling_for(COOLS_S), own={})
        yield runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


async def test_a_yes_at_the_terminal_says_how_long_it_cools_off(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    _, call = await robot.command()
    card = await ann.card((await robot.pending(call)).hold_id)

    with at_a_terminal(road.settings, "proceed", card.hold_id, "--as", "ann") as screen:
        screen.answers(PROMPT, PASSWORD)
        ended = screen.ended()

    assert ended.code is ExitCode.OK.value, ended
    assert "Your yes counts. It goes on in 10 min; until then it can be stopped" in ended.out


async def test_what_cools_off_is_pending_and_can_be_stopped(
    road: Road, robot: AgentVoice, ann: PersonVoice, ben: PersonVoice
) -> None:
    mark, call = await robot.command()
    card = await ben.card((await robot.pending(call)).hold_id)
    await ben.proceed(card)
    await ann.card(card.hold_id, "resolved")

    listed = alone(road.settings, "pending", "--as", "ann")
    line = next(line for line in listed.out.splitlines() if card.hold_id in line)
    assert re.search(r"goes on in (10|9) min", line), listed
    as_json = alone(road.settings, "pending", "--as", "ann", "--json")
    found = [msgspec.json.decode(it) for it in as_json.out.splitlines()]
    assert "cools_off_until" in next(it for it in found if it["hold_id"] == card.hold_id)
    again = alone(road.settings, "show", card.hold_id, "--as", "ann")
    assert "unless somebody stops it" in again.out

    words = ("cancel", card.hold_id, "--reason", "Not on a Friday.", "--as", "ann")
    with at_a_terminal(road.settings, *words) as screen:
        shown = screen.sees(PROMPT)
        screen.answers(PROMPT, PASSWORD)
        ended = screen.ended()

    assert "You are about to STOP." in shown
    assert ended.code is ExitCode.OK.value, ended
    assert "Nothing runs" in ended.out
    told = await robot.hears(call, Status.CANCELLED)
    assert told.reason == "Not on a Friday."
    assert road.runs_of(mark) == 0
    assert card.hold_id not in alone(road.settings, "pending", "--as", "ann").out


async def test_a_second_yes_is_told_that_it_cools_off(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    _, call = await robot.command()
    card = await ann.card((await robot.pending(call)).hold_id)
    await ann.proceed(card)
    await ann.card(card.hold_id, "resolved")

    with at_a_terminal(road.settings, "proceed", card.hold_id, "--as", "ann") as screen:
        ended = screen.ended()

    assert ended.code is ExitCode.FAILED.value
    assert "closed already (goes on in" in ended.err
