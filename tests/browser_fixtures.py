"""A browser as a pytest plugin, beside `tests.system_fixtures`."""

import os
import re
import shutil
import subprocess
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from threading import Thread
from typing import Any

import pytest
from playwright.async_api import Browser, BrowserType, async_playwright
from playwright.async_api import TimeoutError as UnansweredError
from tests.actors import AgentVoice
from tests.browser import Ask, Program, Screen, Screens, screen_on
from tests.running_system import Road

TRIES, TRY_MS = 3, 15_000
"""How often a connection is begun, and how long each may take."""

DRIVEN_FROM = re.compile(r"DevTools listening on (ws://\S+)")


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Debian's Chromium, headless, once for all; where it is driven from."""
    program = shutil.which("chromium")
    if program is None:
        missing = "There is no chromium on the PATH: .ci/system-packages installs it."
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(missing)
    folder = tmp_path_factory.mktemp("chromium")
    options = ("--headless", "--no-sandbox", "--remote-debugging-port=0")
    with subprocess.Popen(
        [program, *options, f"--user-data-dir={folder}/profile"],
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"TMPDIR": str(folder)},
    ) as running:
        assert running.stderr is not None
        lines = (DRIVEN_FROM.search(line) for line in running.stderr)
        where = next(found[1] for found in lines if found)
        Thread(target=deque, args=(running.stderr, 0), daemon=True).start()  # nobody reads the rest
        yield where
        running.kill()


async def _driven(kind: BrowserType, where: str) -> Browser:
    """A Chromium that has just started sometimes takes a connection and never answers on it."""
    for _ in range(TRIES - 1):
        with suppress(UnansweredError):
            return await kind.connect_over_cdp(where, timeout=TRY_MS)
    return await kind.connect_over_cdp(where, timeout=TRY_MS)


@pytest.fixture
async def browser(chromium: str) -> AsyncIterator[Browser]:
    """That Chromium; what a test opens in it is closed with the test."""
    async with async_playwright() as playwright:
        driven = await _driven(playwright.chromium, chromium)
        yield driven
        for context in driven.contexts:
            await context.close()


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
