"""An admin throws the kill switch in the browser; nobody else can."""

import re

import pytest
from playwright.async_api import expect
from tests.actors import Guests
from tests.browser import Screens
from tests.waiting import eventually

from holdpoint.messages.envelope import Status

pytestmark = [pytest.mark.nats, pytest.mark.slow]
pytest_plugins = ("tests.system_fixtures", "tests.browser_fixtures")

AGENT = "doomed"


async def test_an_admin_stops_an_agent_and_lets_it_go_on(screens: Screens, guests: Guests) -> None:
    page = (await screens("ann")).page
    await page.get_by_role("link", name="Stop agents").click()
    await expect(page.locator(".lead")).to_have_text("No agent is stopped.")
    await page.get_by_label("Agent").select_option(AGENT)
    await page.get_by_label("Reason").fill("It misbehaves.")
    await page.get_by_role("button", name="Stop", exact=True).click()
    await expect(page.locator("[data-told]")).to_have_text(re.compile(f"^Stopped: {AGENT}"))

    doomed = await guests.agent(AGENT)
    _, call = await doomed.command()
    assert (await doomed.hears(call, Status.DENIED)).status is Status.DENIED

    async def told() -> bool:
        await page.reload()
        return await page.locator(".lead").inner_text() == f"{AGENT} is stopped."

    await eventually(told)
    await page.get_by_label("Agent").select_option(AGENT)
    await page.get_by_label("Reason").fill("It is good again.")

    await page.get_by_role("button", name="Let go on").click()
    await expect(page.locator("[data-told]")).to_have_text(f"The stop is taken back for {AGENT}.")
    _, call = await doomed.command()
    await doomed.pending(call)


async def test_who_is_no_admin_gets_no_switch(screens: Screens) -> None:
    page = (await screens("ben")).page

    await expect(page.get_by_role("link", name="Stop agents")).to_have_count(0)
    answer = await page.goto(f"{page.url.rstrip('/')}/stop")

    assert answer is not None
    assert answer.status == 403
