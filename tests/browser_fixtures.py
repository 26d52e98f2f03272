"""A browser as a pytest plugin, beside `tests.road_fixtures`."""

import os
import shutil
from collections.abc import AsyncIterator
from typing import Any

import pytest
from playwright.async_api import Browser, async_playwright
from tests.browser import Ask, Program, Screen, Screens, screen_on
from tests.road import AgentVoice
from tests.running import Road


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    """Debian's Chromium, headless."""
    program = shutil.which("chromium")
    if program is None:
        missing = "There is no chromium on the PATH: .ci/system-packages installs it."
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(missing)
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        await started.close()


@pytest.fixture
def screens(browser: Browser, road: Road) -> Screens:
    """Pages of the shared road: `await screens("ann")` is logged in and live."""

    async def opened(name: str = "", path: str = "/", **options: Any) -> Screen:
        screen = await screen_on(browser, road, **options)
        if name:
            await screen.log_in(name, path=path)
            await screen.live()
        return screen

    return opened


@pytest.fixture
def program(road: Road) -> Program:
    """A program with no cookie yet."""
    return Program(url=road.settings.console_url)


@pytest.fixture
def ask(road: Road, robot: AgentVoice) -> Ask:
    """The agent wants to delete so many rows; the hold that people are asked about."""

    async def asked(rows: int = 7, **more: Any) -> str:
        sql = f"DELETE FROM {road.table(rows)} WHERE status = 'stale'"  # ours
        call = await robot.propose("execute_sql", {"database": "crm", "sql": sql}, **more)
        return (await robot.pending(call)).hold_id

    return asked
