"""People answer in a real browser: what they see, what they press, and what comes of it."""

import asyncio
import re
from datetime import timedelta

import pytest
from playwright.async_api import Route, expect
from tests.actors import AgentVoice, PersonVoice, StreamEyes
from tests.browser import PHONE, Ask, Screen, Screens
from tests.running_system import Road

from holdpoint.messages import subjects as s
from holdpoint.messages.answer import Answer, Choice
from holdpoint.messages.envelope import Status
from holdpoint.runtime.process import clock

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures", "tests.browser_fixtures")


async def answers(eyes: StreamEyes, hold_id: str) -> list[Answer]:
    stored = await eyes.on(s.ANSWERS, s.answer_subject("acme", "*", "*", "*", hold_id))
    found = [it.message for it in stored]
    return [it for it in found if isinstance(it, Answer)]


@pytest.mark.slow
async def test_a_browser_tells_what_comes_while_nobody_looks(screens: Screens, ask: Ask) -> None:
    screen = await screens("ann")
    await screen.page.evaluate(RECORDED)
    button = screen.page.get_by_role("button", name="Notify me in this browser")
    await button.click()
    await expect(screen.page.get_by_role("button", name="Notifications are on")).to_be_visible()

    hold = await ask()

    await expect(screen.card(hold)).to_be_visible()
    await screen.page.wait_for_function("window.told.length > 0")
    (title, body), *_ = await screen.page.evaluate("window.told")
    assert title == "Holdpoint · acme"
    assert re.fullmatch(r"1 action waits for you|\d+ actions wait for you", body)


RECORDED = """() => {
  window.told = [];
  window.Notification = class extends EventTarget {
    static permission = "granted";
    static requestPermission = async () => "granted";
    constructor(title, { body }) {
      super();
      window.told.push([title, body]);
    }
  };
  document.hasFocus = () => false;
}"""
"""A browser that shows nothing and remembers everything."""


async def test_from_the_inbox_to_the_result(
    screens: Screens, ask: Ask, road: Road, eyes: StreamEyes, ann: PersonVoice
) -> None:
    screen = await screens("ann")
    hold = await ask(rows=500, reasoning="Nobody has called them since 2023.")
    card = screen.card(hold)

    await expect(card.locator(".title")).to_have_text(re.compile(r"^Delete 500 rows in crm\."))
    await expect(card.locator(".risk")).to_have_text("Critical risk")
    await expect(card.locator(".words")).to_contain_text("Nobody has verified them")
    await expect(card.locator("blockquote")).to_have_text("Nobody has called them since 2023.")
    await expect(card.locator(".facts")).to_contain_text("500")
    await expect(card.locator(".why")).to_contain_text("500 rows are more than the")
    await expect(card.locator(".payload pre").nth(1)).to_contain_text("DELETE FROM")
    await expect(card.locator(".silence")).to_contain_text("If nobody answers in time")
    await expect(card.locator(".countdown")).to_have_text(re.compile(r"^1[45]:\d\d$"))
    assert await card.locator(".actions [data-choice]").count() == 2
    await screen.armed(hold)
    await screen.proceed(hold).click()

    await screen.stands_as(hold, "Done")
    await expect(screen.told(hold)).to_have_text("Your yes counted.")
    await expect(card.locator(".result")).to_contain_text("500 rows")
    (answer,) = await answers(eyes, hold)
    shown = await ann.card(hold, "done")
    assert (answer.digest, answer.render_digest) == (shown.digest, shown.render_digest)
    assert answer.answer is Choice.PROCEED
    assert answer.seconds_shown >= 1.0
    assert (await road.ended(hold)).approvers == ["ann"]


@pytest.mark.slow
async def test_a_cancel_and_its_reason_reach_the_agent(
    screens: Screens, ask: Ask, robot: AgentVoice, road: Road
) -> None:
    screen = await screens("ben")
    hold = await ask()
    await screen.card(hold).get_by_text("Tell the agent why not").click()
    await screen.card(hold).get_by_label("Sent with Cancel").fill("Not on a Friday.")
    await screen.cancel(hold).click()

    await expect(screen.told(hold)).to_contain_text("Your no counts. Nothing runs")
    await screen.stands_as(hold, "Cancelled")
    told = await robot.ask(hold_id=hold)
    assert (told.status, told.reason) == (Status.CANCELLED, "Not on a Friday.")
    assert (await road.ended(hold)).resolved_by == "ben"


@pytest.mark.slow
async def test_it_expires_while_somebody_looks_and_nothing_can_be_pressed(
    screens: Screens, ask: Ask
) -> None:
    screen = await screens("ann")
    hold = await ask(deadline=clock.now() + timedelta(seconds=3))
    await screen.armed(hold)

    await screen.stands_as(hold, "Expired")

    await expect(screen.card(hold).locator(".end")).to_contain_text("Nobody answered in time")
    assert await screen.card(hold).locator("[data-choice]").count() == 0


@pytest.mark.slow
async def test_of_two_people_one_is_first_and_the_other_hears_it(
    screens: Screens, ask: Ask, eyes: StreamEyes
) -> None:
    ann, ben = await asyncio.gather(screens("ann"), screens("ben"))
    hold = await ask()
    await asyncio.gather(ann.armed(hold), ben.armed(hold))
    first = asyncio.Event()

    async def hold_back(route: Route) -> None:
        await first.wait()
        await route.continue_()

    await ben.page.route("**/answer", hold_back)
    await ben.proceed(hold).click()
    await ann.cancel(hold).click()
    await expect(ann.told(hold)).to_contain_text("Your no counts")
    first.set()

    await expect(ben.told(hold)).to_have_text("Your answer does not count. ann answered first.")
    await expect(ben.told(hold)).to_be_in_viewport()
    await ben.stands_as(hold, "Cancelled")
    assert len(await answers(eyes, hold)) == 2


async def test_cancel_has_focus_and_enter_never_proceeds(
    screens: Screens, ask: Ask, eyes: StreamEyes, robot: AgentVoice
) -> None:
    hold = await ask()
    screen = await screens("ann", path=f"/holds/robot/{hold}")
    await expect(screen.cancel(hold)).to_be_focused()
    await screen.armed(hold)

    await screen.page.keyboard.press("Tab")
    await expect(screen.proceed(hold)).to_be_focused()
    for _ in range(3):
        await screen.page.keyboard.press("Enter")
    await screen.page.locator("[data-keep=because] summary").click()
    await screen.card(hold).get_by_label("Sent with Cancel").press("Enter")

    await expect(screen.card(hold)).to_have_attribute("data-armed", "yes")
    assert await answers(eyes, hold) == []
    assert (await robot.ask(hold_id=hold)).status is Status.PENDING_CONFIRMATION


async def test_with_the_keyboard_alone(screens: Screens, ask: Ask) -> None:
    hold = await ask()
    screen = await screens()
    await screen.page.goto(f"{screen.url}/holds/robot/{hold}")
    await expect(screen.page.get_by_label("Name")).to_be_focused()
    await screen.page.keyboard.type("ann")
    await screen.page.keyboard.press("Tab")
    await screen.page.keyboard.type("correct horse")
    await screen.page.keyboard.press("Enter")
    await screen.live()
    await screen.armed(hold)
    await screen.page.keyboard.press("Tab")
    await screen.page.keyboard.press("Space")

    await screen.stands_as(hold, "Done")


@pytest.mark.slow
async def test_proceed_arms_only_after_the_card_was_in_view_for_a_second(
    screens: Screens, ask: Ask, eyes: StreamEyes
) -> None:
    holds = [await ask() for _ in range(3)]
    screen = await screens("ann")
    last = holds[-1]
    await expect(screen.proceed(last)).to_have_attribute("aria-disabled", "true")
    assert not await _is_in_window(screen, last)

    seen_at = clock.monotonic()
    await screen.proceed(last).evaluate("it => { it.scrollIntoView(); it.click(); }")
    await expect(screen.told(last)).to_be_empty()
    await screen.armed(last)

    assert clock.monotonic() - seen_at > 0.9
    assert await answers(eyes, last) == []


async def _is_in_window(screen: Screen, hold_id: str) -> bool:
    box = await screen.proceed(hold_id).bounding_box()
    assert box is not None
    assert screen.page.viewport_size is not None
    return box["y"] + box["height"] <= screen.page.viewport_size["height"]


@pytest.mark.slow
async def test_what_moves_under_the_pointer_is_disarmed(screens: Screens, ask: Ask) -> None:
    first, second = await ask(), await ask(rows=8)
    screen = await screens("ann")
    await screen.armed(second)
    await screen.remember(second)

    await screen.cancel(first).dispatch_event("click")
    await screen.stands_as(first, "Cancelled")

    await screen.armed(second)
    assert await screen.was_disarmed()


@pytest.mark.slow
async def test_n14_agent_text_stays_plain(screens: Screens, robot: AgentVoice) -> None:
    evil = (
        "<script>document.title='owned'</script><img src=x onerror=alert(1)>\n"
        "**Approved** [click](http://evil) \x1b[31mred\u202egnp.exe\n<button>Proceed</button>"
    )
    call = await robot.propose("run_command", {"command": f"rm -r x; {evil}"}, reasoning=evil)
    hold = (await robot.pending(call)).hold_id
    screen = await screens("ann")
    problems: list[str] = []
    screen.page.on("pageerror", lambda error: problems.append(str(error)))

    words = screen.card(hold).locator("blockquote")
    shown = evil.replace("\x1b", r"\x1b").replace("\u202e", r"\u{202e}")
    assert await words.text_content() == shown
    assert await words.locator("*").count() == 0
    assert await screen.card(hold).locator("script, img, a:not(.title a)").count() == 0
    assert await screen.card(hold).get_by_role("button").count() == 2
    await expect(screen.card(hold).locator(".warning")).to_contain_text("hidden characters")
    assert "owned" not in await screen.page.title()
    assert problems == []


@pytest.mark.slow
async def test_the_title_counts_what_waits(screens: Screens, ask: Ask) -> None:
    screen = await screens("ann")
    count = screen.page.locator("[data-waiting]")
    before = int(await count.inner_text())
    hold = await ask()

    await expect(count).to_have_text(str(before + 1))
    await expect(screen.page).to_have_title(f"({before + 1}) Inbox · acme local · Holdpoint")
    await screen.cancel(hold).click()
    await expect(count).to_have_text(str(before))


@pytest.mark.slow
async def test_one_holds_page_tells_its_whole_story(
    screens: Screens, ask: Ask, ann: PersonVoice
) -> None:
    hold = await ask()
    screen = await screens("ben", path=f"/holds/robot/{hold}")

    await ann.proceed(await ann.card(hold))

    await screen.stands_as(hold, "Done")
    story = screen.page.locator("#story .line")
    words = ["propose", "HALT", "RENDER", "answer", "RESOLVE", "RESUME", "started", "finished"]
    await expect(story.locator(".word")).to_have_text(words)
    await expect(story.nth(3)).to_contain_text("ann, terminal, pressed Proceed")
    await expect(story.nth(4)).to_contain_text("confirmed by ann")
    await expect(story.nth(4).locator(".seq")).to_contain_text("signed")


@pytest.mark.slow
async def test_the_ledger_finds_what_ended(screens: Screens, ask: Ask, road: Road) -> None:
    screen = await screens("ann")
    hold = await ask()
    await screen.cancel(hold).click()
    await screen.stands_as(hold, "Cancelled")
    await road.ended(hold)
    title = await screen.card(hold).locator(".title").inner_text()

    await screen.page.get_by_role("link", name="Ledger", exact=True).click()
    await screen.page.get_by_label("Outcome").select_option("cancelled")
    await screen.page.get_by_label("Agent").fill("robot")
    await screen.page.get_by_label("Text").fill(title.upper())
    await screen.page.get_by_role("button", name="Show").click()
    rows = screen.page.locator(".row:not(.reads *)")

    await expect(rows).to_have_count(1)
    await expect(rows).to_contain_text("ann")
    await rows.get_by_role("link").click()
    await screen.stands_as(hold, "Cancelled")
    await expect(screen.page.locator("#story")).to_contain_text("cancelled by ann")


@pytest.mark.slow
async def test_it_fits_a_phone(screens: Screens, ask: Ask) -> None:
    hold = await ask(reasoning="x" * 300)
    screen = await screens("ann", path=f"/holds/robot/{hold}", viewport=PHONE)

    for path in ("/", f"/holds/robot/{hold}", "/ledger"):
        await screen.page.goto(screen.url + path)
        width = await screen.page.evaluate("document.documentElement.scrollWidth")
        assert width <= PHONE["width"], path
