"""Many tabs, moving cards, keyboards: a press means the card that was there, or nothing."""

import asyncio

import pytest
from playwright.async_api import expect
from tests.browser import Ask, Screen, Screens
from tests.road import AgentVoice

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.road_fixtures", "tests.browser_fixtures")


async def test_nine_tabs_of_one_person_all_load_and_the_first_still_answers(
    screens: Screens, ask: Ask
) -> None:
    """A browser opens six connections to one address, and every live page holds one."""
    hold = await ask()
    first = await screens("ann", path=f"/holds/robot/{hold}")
    for _ in range(8):
        tab = Screen(page=await first.page.context.new_page(), url=first.url)
        await tab.page.goto(f"{tab.url}/", timeout=8000)
        await tab.live()
    banner = first.page.locator("#connection")
    await expect(banner).to_contain_text("Paused: another tab is live")
    await expect(first.card(hold)).not_to_have_attribute("data-armed", "yes")
    await asyncio.sleep(2)
    await expect(banner).to_contain_text("Paused")  # it takes no place back by itself

    await first.page.bring_to_front()
    await first.page.mouse.move(50, 50)
    await first.live()
    await first.armed(hold)
    await first.proceed(hold).click()

    await first.stands_as(hold, "Done")
    await expect(first.told(hold)).to_contain_text("Your yes count")


MOVES_AWAY = """async ([above, below]) => {
  const slot = (id) => document.getElementById(`slot-${id}`);
  const { left, top, height } = slot(above).querySelector(".proceed").getBoundingClientRect();
  const [x, y] = [left + 40, top + height / 2];
  window.fetch = (where) => { window.posted = where; return Promise.reject(new Error("no")); };
  slot(above).style.display = "none";
  await new Promise((done) => setTimeout(done, 5));
  const hit = document.elementFromPoint(x, y);
  hit.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: x, clientY: y, detail: 1 }));
  await new Promise((done) => setTimeout(done, 50));
  return [hit.closest("[data-choice]")?.dataset.choice, hit.closest("article")?.dataset.hold === below,
    window.posted];
}"""


async def test_a_click_that_meant_the_card_that_was_there_does_nothing(
    screens: Screens, robot: AgentVoice
) -> None:
    """Milliseconds after the cards moved, another card's Proceed lies under the pointer."""
    holds = []
    for command in ("rm -rf /srv/a", "rm -rf /srv/b"):
        call = await robot.propose("run_command", {"command": command})
        holds.append((await robot.pending(call)).hold_id)
    screen = await screens("ann", viewport={"width": 1280, "height": 3000})
    await screen.armed(holds[0])
    await screen.armed(holds[1])

    assert await screen.page.evaluate(MOVES_AWAY, holds) == ["proceed", True, None]
    await expect(screen.told(holds[1])).to_be_empty()
