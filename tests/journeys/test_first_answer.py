"""Somebody new starts everything, reads the console's address, and answers."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.async_api import Browser, expect
from tests.browser import DESK, Screen

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.browser_fixtures",)

ROOT = Path(__file__).parents[2]
OWN = "my own password"
STOPS_S = 30.0


@asynccontextmanager
async def up(folder: Path) -> AsyncIterator[asyncio.StreamReader]:
    """`holdpoint up` without a terminal; what it tells, line by line."""
    settings = {
        "HP_STATE_DIR": str(folder / "var"),
        "HP_NATS_PORT": "0",
        "HP_MONITOR_PORT_BASE": "0",
        "HP_CONSOLE_PORT": "0",
        "HP_LOG_LEVEL": "error",
    }
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HP_")}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "holdpoint", "up", "--json"),
        cwd=ROOT,
        env=kept | settings,
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout
    try:
        yield process.stdout
    finally:
        process.send_signal(signal.SIGTERM)
        await asyncio.wait_for(process.communicate(), STOPS_S)


async def told(lines: asyncio.StreamReader, event: str) -> dict[str, Any]:
    while line := await lines.readline():
        news: dict[str, Any] = msgspec.json.decode(line)
        if news["event"] == event:
            return news
    raise AssertionError(f"It never told {event}.")


@pytest.mark.slow
@pytest.mark.timeout(180)
async def test_a_new_user_answers_in_the_browser(browser: Browser, tmp_path: Path) -> None:
    async with up(tmp_path) as lines:
        made = await told(lines, "password_made")
        ready = await told(lines, "ready")
        context = await browser.new_context(viewport=DESK)
        screen = Screen(page=await context.new_page(), url=ready["console"])
        await screen.log_in(made["person"], made["password"])
        await screen.page.get_by_label("Current password").fill(made["password"])
        await screen.page.get_by_label("New password", exact=True).fill(OWN)
        await screen.page.get_by_label("Repeat the new password").fill(OWN)
        await screen.page.get_by_role("button", name="Set it and log in").click()
        await screen.live()
        card = screen.page.locator("#open article").first
        await expect(card.locator(".title")).to_have_text("Delete 40 rows in crm.leads")
        await screen.armed(str(await card.get_attribute("data-hold")))
        await card.locator(".proceed").click()
        await expect(card.locator(".state")).to_have_text("Done")
