"""The inbox as its address asks for it: filters, groups, keys; and what waits beyond its room."""

import pytest
from playwright.async_api import expect
from tests.actors import Guests
from tests.browser import Ask, Screens

from holdpoint.console.inbox_view import MOST

pytestmark = [pytest.mark.nats, pytest.mark.slow]
pytest_plugins = ("tests.system_fixtures", "tests.browser_fixtures")


async def test_filters_and_groups_stand_in_the_address_and_stay_live(
    screens: Screens, ask: Ask, guests: Guests
) -> None:
    mine, rival = await ask(), await guests.agent("rival")
    screen = await screens("ben")
    await expect(screen.card(mine)).to_be_visible()

    filters = screen.page.locator("[data-filters]")
    await filters.locator("[name=agent]").select_option("robot")
    await filters.locator("[name=group]").select_option("risk")
    await screen.page.get_by_role("button", name="Show", exact=True).click()
    await screen.page.wait_for_url("**/?agent=robot&group=risk")
    await screen.live()

    call = await rival.propose("run_command", {"command": "rm -r theirs"})
    theirs = (await rival.pending(call)).hold_id
    later = await ask()
    await expect(screen.card(later)).to_be_visible()
    await expect(screen.page.locator("#open .group").first).to_be_visible()
    await expect(screen.card(theirs)).to_have_count(0)
    groups = await screen.page.locator("#open .group").all_inner_texts()
    assert groups == list(dict.fromkeys(groups))

    await screen.page.get_by_role("link", name="Clear").click()
    await expect(screen.card(theirs)).to_be_visible()
    await expect(screen.page.locator("#open .group")).to_have_count(0)


async def test_keys_go_from_card_to_card(screens: Screens, ask: Ask) -> None:
    await ask()
    await ask()
    screen = await screens("ann")
    cards = screen.page.locator("#open article")
    await expect(cards.first.locator(".cancel")).to_be_focused()

    await screen.page.keyboard.press("Alt+ArrowDown")
    await expect(cards.nth(1).locator(".title a")).to_be_focused()
    await screen.page.keyboard.press("Alt+ArrowUp")
    await expect(cards.first.locator(".title a")).to_be_focused()
    await screen.page.keyboard.press("j")
    await expect(cards.nth(1).locator(".title a")).to_be_focused()
    await screen.page.keyboard.press("k")
    await expect(cards.first.locator(".title a")).to_be_focused()


async def test_a_letter_typed_is_a_letter_and_escape_closes_the_form(
    screens: Screens, ask: Ask
) -> None:
    screen = await screens("ann")
    card = screen.card(await ask())
    await card.get_by_text("Tell the agent why not").click()
    why = card.get_by_label("Sent with Cancel")
    await why.press_sequentially("jk")
    await expect(why).to_have_value("jk")

    await why.press("Escape")
    await expect(why).to_be_hidden()
    await expect(card.get_by_text("Tell the agent why not")).to_be_focused()


async def test_a_sound_is_played_once_a_person_asked_for_it(screens: Screens, ask: Ask) -> None:
    screen = await screens("ann")
    await screen.page.evaluate(RECORDED)
    await screen.page.get_by_role("button", name="Play a sound").click()
    await expect(screen.page.get_by_role("button", name="Sound is on")).to_be_visible()
    assert await screen.page.evaluate("window.played") == 1

    hold = await ask()

    await expect(screen.card(hold)).to_be_visible()
    await screen.page.wait_for_function("window.played > 1")


async def test_what_waits_beyond_a_page_stands_on_the_next_and_moves_up(
    screens: Screens, guests: Guests
) -> None:
    agent = await guests.agent("doomed")
    commands = [{"command": f"rm -r folder-{number}"} for number in range(MOST + 3)]
    calls = [await agent.propose("run_command", it) for it in commands]
    holds = [(await agent.pending(it)).hold_id for it in calls]
    screen = await screens("ben")
    await screen.page.goto(f"{screen.url}/?agent=doomed")
    await screen.live()
    cards = screen.page.locator("#open article")
    await expect(cards).to_have_count(MOST)
    assert await screen.page.locator("article").count() <= MOST_CARDS

    await screen.page.get_by_role("link", name="Next").click()
    await screen.page.wait_for_url("**/?agent=doomed&page=2")
    await screen.live()
    await expect(cards).to_have_count(3)
    await expect(screen.card(holds[-1])).to_be_visible()

    for hold in holds[:2]:
        await agent.withdraw(hold)
    await expect(screen.card(holds[MOST + 1])).to_have_count(0)
    await expect(screen.card(holds[MOST])).to_be_visible()  # it has focus, so it stays
    await screen.page.get_by_role("link", name="Previous").click()
    await expect(screen.card(holds[MOST + 1])).to_be_attached()
    for hold in holds[2:]:
        await agent.withdraw(hold)
    await expect(screen.page.locator('article[data-open="yes"]')).to_have_count(0)
    await expect(screen.page.locator(".pager")).to_have_count(0)


MOST_CARDS = 60
"""In a page, however many wait."""

RECORDED = """() => {
  window.played = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function () { window.played += 1; start.call(this); };
}"""
"""A browser that counts its tones."""
