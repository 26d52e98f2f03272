"""What the policy lets run and has people told of stands under "Ran without asking"."""

import asyncio
from collections.abc import Iterator

import pytest
from playwright.async_api import expect
from tests.actors import AgentVoice, PersonVoice
from tests.browser import Screens
from tests.integration.cli.command_line import alone
from tests.running_system import Road, fresh, running

from holdpoint.messages.answer import Choice
from holdpoint.messages.envelope import Status

pytestmark = [pytest.mark.nats, pytest.mark.slow]
pytest_plugins = ("tests.system_fixtures", "tests.browser_fixtures")


def witnessing(policy: str) -> str:
    """The shipped policy, but people are told of what is created."""
    return policy.replace("  2: {verdict: pass}", "  2: {verdict: witness}")


@pytest.fixture(scope="module")
def road(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    """People are told of what is created."""
    with asyncio.Runner() as runner:
        world = running(tmp_path_factory.mktemp("seen"), witnessing, own={}, console=True)
        yield runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


async def created(robot: AgentVoice, name: str) -> str:
    """A file that was created without asking; its hold."""
    call = await robot.propose("create_file", {"path": name, "content": "hello"})
    return (await robot.hears(call, Status.DONE)).hold_id


async def test_the_card_has_no_buttons_and_takes_no_answer(
    robot: AgentVoice, ann: PersonVoice
) -> None:
    hold = await created(robot, fresh("file"))

    card = await ann.card(hold, "witnessed")

    assert (card.labels, card.on_silence, card.voices_needed) == ({}, "", 0)
    assert card.ui.action.tool == "create_file"
    for choice in Choice:
        told = await ann.heard(card, await ann.answer(card, choice))
        assert told.status is Status.REFUSED
    assert (await ann.card(hold, "witnessed")).revision == card.revision


async def test_the_terminal_lists_it(road: Road, robot: AgentVoice, ann: PersonVoice) -> None:
    name = fresh("file")
    hold = await created(robot, name)
    await ann.card(hold, "witnessed")

    listed = alone(road.settings, "pending", "--as", "ann")

    waits, heading, ran = listed.out.partition("Ran without asking:")
    assert heading, listed
    assert hold in ran
    assert name in ran
    assert hold not in waits
    assert hold not in alone(road.settings, "pending", "--as", "ann", "--json").out
    assert hold in alone(road.settings, "pending", "--as", "ann", "--json", "--all").out


async def test_the_console_lists_it_at_once_and_after_a_reload(
    screens: Screens, robot: AgentVoice
) -> None:
    screen = await screens("ann")
    hold = await created(robot, fresh("file"))

    slot = screen.page.locator(f"#witnessed #slot-{hold}")
    await expect(slot).to_be_visible()
    await expect(screen.page.get_by_role("heading", name="Ran without asking")).to_be_visible()
    await screen.stands_as(hold, "Ran")
    assert await slot.locator("button").count() == 0
    await screen.page.reload()
    await screen.live()
    await expect(slot).to_be_visible()
    await slot.locator(".title a").click()
    await screen.stands_as(hold, "Ran")
    await expect(screen.page.locator("#story")).to_contain_text("people are told")
