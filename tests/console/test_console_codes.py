"""One-time codes in a real browser: set up once, then typed on the card that takes one."""

from collections.abc import Iterator
from contextlib import AsyncExitStack

import pytest
from playwright.async_api import Browser, expect
from tests.actors import AgentVoice, Guests, PersonVoice
from tests.browser import PHONE, Screen, screen_on
from tests.running_system import Road
from tests.step_up import WRONG, Phone, by_code, enrol, shared

from holdpoint.runtime.security.keys import load_seal_key

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.timeout(180)]
pytest_plugins = ("tests.browser_fixtures", "tests.step_up_fixtures")


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    """Shared by this file's tests: each yes takes a one-time code."""
    yield from shared(tmp_path_factory.mktemp("console-codes"), by_code, console=True)


@pytest.fixture
async def robot(strict: Road, stack: AsyncExitStack) -> AgentVoice:
    return await Guests(road=strict, stack=stack).agent()


@pytest.fixture
async def ann(strict: Road, stack: AsyncExitStack, somebody: str) -> PersonVoice:
    return await Guests(road=strict, stack=stack).person(somebody)


async def sets_up(screen: Screen, phone: Phone) -> None:
    """Scan what the page shows, and type the app's first code."""
    await screen.page.goto(f"{screen.url}/you")
    typed = await screen.page.locator("[data-codes] code").inner_text()
    phone.secret = typed.replace(" ", "")
    await screen.page.get_by_label("Code that the app shows now").fill(await phone.code())
    await screen.page.get_by_role("button", name="Set up").click()


async def says_yes(screen: Screen, hold: str, code: str) -> None:
    """Type a code, read the card again, and press."""
    await screen.card(hold).get_by_label("One-time code for Proceed").fill(code)
    await screen.armed(hold)
    await screen.proceed(hold).click(force=not code)


async def test_a_yes_takes_the_code_of_the_app_that_was_set_up_in_the_console(
    browser: Browser, strict: Road, robot: AgentVoice, somebody: str
) -> None:
    mark, call = await robot.command()
    hold = (await robot.pending(call)).hold_id
    screen, phone = await screen_on(browser, strict), Phone()
    await screen.log_in(somebody)
    await screen.live()

    await expect(screen.card(hold).locator("[data-code]")).to_have_count(0)
    await screen.armed(hold)
    await expect(screen.proceed(hold)).to_have_attribute("aria-disabled", "true")
    await screen.proceed(hold).click(force=True)
    await expect(screen.told(hold)).to_contain_text("Set up your step-up first")
    await sets_up(screen, phone)
    await expect(screen.page.locator("[data-codes] .told")).to_contain_text(
        "Your one-time codes are set up"
    )
    await screen.page.goto(f"{screen.url}/")
    await screen.live()
    code = await phone.code()
    await says_yes(screen, hold, f"{code[:3]} {code[3:]}")

    await screen.stands_as(hold, "Done")
    assert strict.runs_of(mark) == 1


async def test_without_a_code_and_with_a_wrong_one_nothing_runs(
    browser: Browser, strict: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    mark, call = await robot.command()
    hold = (await robot.pending(call)).hold_id
    await enrol(ann, Phone(), load_seal_key(strict.settings.keys_dir))
    screen = await screen_on(browser, strict)
    await screen.log_in(ann.name)
    await screen.live()
    field = screen.card(hold).locator("[data-code]")

    await screen.armed(hold)
    await expect(screen.proceed(hold)).to_have_attribute("aria-disabled", "true")
    await says_yes(screen, hold, "")
    await expect(screen.told(hold)).to_contain_text("Type the six digits")
    await expect(field).to_be_focused()
    await says_yes(screen, hold, WRONG)
    await expect(screen.told(hold)).to_contain_text("This one-time code is wrong")

    await expect(field).to_have_value("")
    assert strict.runs_of(mark) == 0


async def test_new_codes_take_an_old_one_and_a_cancel_takes_none(
    browser: Browser, strict: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    _, call = await robot.command()
    hold = (await robot.pending(call)).hold_id
    old, new = Phone(), Phone()
    await enrol(ann, old, load_seal_key(strict.settings.keys_dir))
    screen = await screen_on(browser, strict, viewport=PHONE)
    await screen.log_in(ann.name, path="/you")
    await expect(screen.page.locator("[data-codes] code")).to_be_visible()

    await sets_up(screen, new)
    told = screen.page.locator("[data-codes] .told")
    await expect(told).to_contain_text("has one-time codes already")
    await screen.page.get_by_label("old entry").fill(await old.code())
    await screen.page.get_by_label("Code that the app shows now").fill(await new.code())
    await screen.page.get_by_role("button", name="Set up").click()
    await expect(told).to_contain_text("Your one-time codes are set up")

    await screen.page.goto(f"{screen.url}/")
    await screen.live()
    await screen.cancel(hold).click()
    await screen.stands_as(hold, "Cancelled")


async def test_nobody_sets_up_codes_through_another_page(
    browser: Browser, strict: Road, somebody: str
) -> None:
    screen = await screen_on(browser, strict)
    await screen.log_in(somebody, path="/you")
    await expect(screen.page.locator("[data-codes] code")).to_be_visible()

    replies = await screen.page.evaluate(
        """async () => {
          const csrf = localStorage.getItem("holdpoint-csrf");
          const tries = [{}, {"X-Holdpoint-Csrf": csrf}, {"X-Holdpoint-Page": "0".repeat(64)}];
          const post = (headers) => fetch("/you/codes", {method: "POST", headers,
            body: new URLSearchParams({secret: "A".repeat(32), code: "1"})});
          return Promise.all(tries.map(async (it) => (await post(it)).status));
        }"""
    )

    assert replies == [403, 403, 403]
