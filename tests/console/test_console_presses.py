"""Many tabs, moving cards, keyboards: a press means the card that was there, or nothing."""

import pytest
from playwright.async_api import expect
from tests.actors import AgentVoice, PersonVoice
from tests.browser import Ask, Screen, Screens

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures", "tests.browser_fixtures")


@pytest.mark.slow
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
    await expect(tab.card(await ask())).to_be_visible()
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
  window.fetch = (where) => { window.posted = where; return Promise.reject(new Error("no")); };
  slot(above).style.display = "none";
  const { left, top, height } = slot(below).querySelector(".proceed").getBoundingClientRect();
  const [x, y] = [left + 40, top + height / 2]; // wherever the page's new height has put it
  await new Promise((done) => setTimeout(done, 5));
  const hit = document.elementFromPoint(x, y);
  hit.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: x, clientY: y, detail: 1 }));
  await new Promise((done) => setTimeout(done, 50));
  const { hold } = hit.closest("article")?.dataset ?? {};
  return [hit.closest("[data-choice]")?.dataset.choice, hold === below,
    window.posted];
}"""


@pytest.mark.slow
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


@pytest.mark.slow
async def test_focus_stays_on_its_card_however_often_it_is_drawn(
    screens: Screens, ask: Ask, ann: PersonVoice
) -> None:
    mine, other = await ask(), await ask()
    screen = await screens("ben")
    await screen.armed(mine)
    await screen.proceed(mine).focus()
    await screen.page.keyboard.press("Space")
    await screen.stands_as(mine, "Done")
    await expect(screen.card(mine).locator(".title a")).to_be_focused()

    await screen.card(other).get_by_text("Tell the agent why not").click()
    await screen.card(other).get_by_label("Sent with Cancel").press_sequentially("not tod")
    await ann.proceed(await ann.card(other))
    await screen.stands_as(other, "Done")
    await expect(screen.card(other).locator(".title a")).to_be_focused()


@pytest.mark.slow
async def test_what_is_said_of_an_answer_goes_when_its_card_moves_on(
    screens: Screens, robot: AgentVoice
) -> None:
    call = await robot.propose("run_command", {"command": "rm -r nothing-of-that-name"})
    hold = (await robot.pending(call)).hold_id
    screen = await screens("ann")
    await screen.armed(hold)
    await screen.proceed(hold).click()

    await screen.stands_as(hold, "Failed")
    await expect(screen.told(hold)).to_have_text("Your yes counted.")


@pytest.mark.slow
@pytest.mark.parametrize(("width", "button_px", "title_px"), [(320, 110, 175), (1400, 90, 90)])
async def test_no_text_is_too_long_or_too_high_for_its_card(
    screens: Screens, robot: AgentVoice, width: int, button_px: int, title_px: int
) -> None:
    """A button has four lines, and a title on a phone six: two and three hid half of them."""
    piled = "".join(letter + "\u0335\u0321" * 15 for letter in "approved")
    command = f"rm -r {'very-long-name/' * 200}"
    call = await robot.propose("run_command", {"command": command}, reasoning=piled)
    hold = (await robot.pending(call)).hold_id
    screen = await screens("ann", viewport={"width": width, "height": 900})

    assert "\\u{335}" in await screen.card(hold).locator("blockquote").inner_text()
    button = await screen.proceed(hold).bounding_box()
    title = await screen.card(hold).locator(".title").bounding_box()
    box = await screen.card(hold).locator(".payload .scrolls").bounding_box()
    assert button is not None
    assert title is not None
    assert box is not None
    assert button["height"] <= button_px
    assert title["height"] <= title_px
    assert box["height"] <= 24 * 16
    await expect(screen.card(hold).locator(".payload .scrolls")).to_contain_text(command)
    assert await screen.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.slow
async def test_a_page_that_comes_back_after_the_log_out_goes_to_the_login(screens: Screens) -> None:
    screen = await screens()
    await screen.page.clock.install()
    await screen.log_in("ann")
    await screen.live()
    await screen.page.context.set_offline(offline=True)
    await screen.page.clock.fast_forward("01:00:00")
    await expect(screen.page.locator("#connection")).to_contain_text("Not live")
    await screen.page.context.clear_cookies()
    await screen.page.context.set_offline(offline=False)

    await expect(screen.page.get_by_label("Password")).to_be_visible()


@pytest.mark.slow
async def test_the_worst_comes_first_and_then_the_oldest(
    screens: Screens, robot: AgentVoice, ask: Ask
) -> None:
    screen = await screens("ann")
    older, newer = await ask(), await ask(rows=8)
    call = await robot.propose("run_command", {"command": "rm -rf /"})
    worst = (await robot.pending(call)).hold_id
    await expect(screen.card(worst)).to_be_visible()

    for _ in range(2):
        ids = await screen.page.eval_on_selector_all(
            "#open article", "all => all.map(i => i.dataset.hold)"
        )
        assert [it for it in ids if it in {older, newer, worst}] == [worst, older, newer]
        await screen.page.reload()
        await screen.live()
