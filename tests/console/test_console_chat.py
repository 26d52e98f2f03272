"""The chat page: a request in plain words, its card in the conversation, and how it ended."""

import asyncio
from collections.abc import Iterator
from urllib.parse import parse_qs

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import expect
from tests.browser import LOOK_MS, PHONE, Program, Screens
from tests.coordinator_system import coordinated
from tests.running_system import COORDINATOR, Road

TOO_WIDE = """width => [...document.querySelectorAll("body *")]
  .filter((it) => it.getBoundingClientRect().right > width && !it.closest(".skip"))
  .map((it) => it.outerHTML.slice(0, 200))"""

pytestmark = [pytest.mark.nats, pytest.mark.slow]
pytest_plugins = ("tests.system_fixtures", "tests.browser_fixtures")


@pytest.fixture(scope="module")
def road(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    with asyncio.Runner() as runner:
        world = coordinated(tmp_path_factory.mktemp("chat"), own={}, console=True)
        yield runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


async def test_a_transfer_is_asked_for_confirmed_and_told(screens: Screens) -> None:
    screen = await screens("ann", path="/chat")
    talk = screen.page.get_by_role("log", name="Conversation")
    field = screen.page.get_by_label("What can I do for you?")
    await field.fill("what's my balance")
    await field.press("Enter")
    await expect(talk).to_contain_text("Account ACC-12345678 balances:", timeout=2 * LOOK_MS)

    await field.fill("transfer $150")
    await screen.page.get_by_role("button", name="Send").click()
    await expect(talk).to_contain_text("To which of your accounts?", timeout=2 * LOOK_MS)
    await field.fill("savings")
    await field.press("Enter")
    await expect(talk).to_contain_text("This waits for a confirmation", timeout=2 * LOOK_MS)
    await expect(talk.locator("article")).to_have_count(1)
    hold = await talk.locator("article").get_attribute("data-hold") or ""
    assert (await Axe().run(screen.page)).response["violations"] == []

    await field.fill("yes, proceed")
    await field.press("Enter")
    await expect(talk.locator(".mine")).to_have_count(4)
    await expect(talk.locator(".theirs")).to_have_count(4, timeout=2 * LOOK_MS)
    await expect(screen.card(hold)).to_have_attribute("data-standing", "Waiting")

    await screen.armed(hold)
    await screen.proceed(hold).click()
    await screen.stands_as(hold, "Done")
    await expect(talk.locator(".theirs").last).to_contain_text("150.00", timeout=2 * LOOK_MS)
    await expect(talk.locator(".theirs")).to_have_count(5)


async def test_a_phone_shows_it_without_scrolling_sideways(screens: Screens) -> None:
    screen = await screens("ben", path="/chat", viewport=PHONE)
    field = screen.page.get_by_label("What can I do for you?")
    await field.fill("what can you do? " + "long" * 60)
    await field.press("Enter")
    await expect(screen.page.locator(".theirs")).to_have_count(1, timeout=2 * LOOK_MS)
    assert await screen.page.evaluate(TOO_WIDE, PHONE["width"]) == []


async def test_what_nobody_answered_is_the_same_request_when_it_is_sent_again(
    screens: Screens, road: Road
) -> None:
    screen = await screens("ann", path="/chat")
    field = screen.page.get_by_label("What can I do for you?")
    sent: list[str] = []
    screen.page.on("request", lambda it: sent.append(it.post_data or ""))
    road.supervisor.kill(COORDINATOR)
    await field.fill("what can you do?")
    await field.press("Enter")
    told = screen.page.get_by_text("The coordinator does not answer now.")
    await expect(told).to_be_visible(timeout=2 * LOOK_MS)
    await expect(field).to_have_value("what can you do?")
    road.supervisor.start(COORDINATOR)
    await road.supervisor.ready(COORDINATOR)

    await field.press("Enter")

    await expect(screen.page.locator(".theirs")).to_have_count(1, timeout=2 * LOOK_MS)
    await expect(screen.page.locator(".mine")).to_have_count(1)
    first, second = [parse_qs(it)["request_id"] for it in sent if "message=what" in it]
    assert first == second


async def test_nobody_asks_without_the_page_of_a_session(program: Program) -> None:
    assert (await program.get("/chat")).status in {302, 303}
    await program.log_in("ann")
    assert (await program.get("/chat")).status == 200
    form = {"message": "what's my balance", "request_id": "0" * 32, "history": "[]"}
    assert (await program.post("/chat", form)).status == 403
