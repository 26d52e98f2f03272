"""The console's pictures in the documents: `make pictures` takes them from what really runs."""

import asyncio
import contextlib
import shutil
import sys
from base64 import b64decode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import gettempdir

from playwright.async_api import Browser, async_playwright, expect
from tests.browser import Screen
from tests.running_system import CHEAP, PASSWORD

from holdpoint.cli import composition
from holdpoint.cli.demo.sample_agent import make_sample, run_sample_agent
from holdpoint.messages.answer import Choice
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.security import credentials

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"
PERSON = "ann"
WINDOW = {"width": 1120, "height": 900}
TALLEST = 1300
"""Pixels of a picture: a card, and most of the next one."""

QUALITY = 80
CARDS = 3
"""What the sample agent has people asked about in each round."""


async def main() -> None:
    """Start everything in a folder of its own, and look at it."""
    PICTURES.mkdir(exist_ok=True)
    folder = Path(gettempdir()) / "holdpoint"
    shutil.rmtree(folder, ignore_errors=True)
    async with _everything(folder) as settings, _chromium() as browser:
        for scheme in ("dark", "light"):
            screen = await _logged_in(browser, settings, scheme)
            await _picture(screen, f"console-{scheme}")
        await _answered(screen)
        await _picture(screen, "console-hold")
        for page in ("figures", "people"):
            await screen.page.goto(f"{screen.url}/{page}")
            await _picture(screen, f"console-{page}")
        await _tried(screen)
        await _picture(screen, "console-policy")
    shutil.rmtree(folder)


@asynccontextmanager
async def _everything(folder: Path) -> AsyncIterator[Settings]:
    """As `holdpoint up` has it."""
    settings = Settings(
        state_dir=folder / "var",
        config_dir=ROOT / "deploy" / "config",
        nats_port=0,
        nats_url="",
        monitor_port_base=0,
        console_port=0,
        log_level="error",
    )
    credentials.create_person_key(settings.people_dir, PERSON, PASSWORD, CHEAP, must_change=False)
    supervisor = composition.supervisor(settings)
    try:
        await supervisor.start_broker()
        make_sample(settings)
        await supervisor.start_services()
        agent = asyncio.create_task(run_sample_agent(settings, lambda _: None))
        yield settings
        agent.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await agent
    finally:
        await supervisor.stop()


@asynccontextmanager
async def _chromium() -> AsyncIterator[Browser]:
    program = shutil.which("chromium")
    assert program, "There is no chromium on the PATH: .ci/system-packages installs it."
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        await browser.close()


async def _logged_in(browser: Browser, settings: Settings, scheme: str) -> Screen:
    context = await browser.new_context(
        viewport={"width": WINDOW["width"], "height": WINDOW["height"]},
        color_scheme="dark" if scheme == "dark" else "light",
        locale="en-GB",
        timezone_id="UTC",
    )
    screen = Screen(page=await context.new_page(), url=settings.console_url)
    await screen.log_in(PERSON)
    await screen.live()
    await expect(screen.page.locator("#open article")).to_have_count(CARDS)
    await expect(screen.page.locator("#open article").first).to_have_attribute("data-armed", "yes")
    return screen


async def _answered(screen: Screen) -> None:
    """The first card is let go; its own page tells how that went."""
    first = screen.page.locator("#open article").first
    await first.locator(f'[data-choice="{Choice.PROCEED.value}"]').click()
    await expect(first.locator(".state")).to_have_text("Done")
    await first.locator(".title a").click()
    await screen.live()
    await expect(screen.page.locator("#story .ok")).to_have_count(6)


async def _tried(screen: Screen) -> None:
    """What the policy makes of a command."""
    await screen.page.goto(f"{screen.url}/policy")
    await screen.page.get_by_label("What is it?").select_option("shell")
    await screen.page.get_by_label("Text").fill("kubectl delete namespace staging")
    await screen.page.get_by_role("button", name="Judge it").click()
    await expect(screen.page.locator(".verdict")).to_be_visible()


async def _picture(screen: Screen, name: str) -> None:
    """Take the page, or as much of it as a document has room for, as a small WebP."""
    path, page = PICTURES / f"{name}.webp", screen.page
    await page.mouse.move(0, 0)
    height = await page.evaluate("document.documentElement.scrollHeight")
    clip = {"x": 0, "y": 0, "scale": 1, **WINDOW, "height": min(height, TALLEST)}
    chromium = await page.context.new_cdp_session(page)
    taken = await chromium.send(
        "Page.captureScreenshot",
        {"format": "webp", "quality": QUALITY, "captureBeyondViewport": True, "clip": clip},
    )
    path.write_bytes(b64decode(taken["data"]))
    sys.stdout.write(f"{path.relative_to(ROOT)}\n")


if __name__ == "__main__":
    asyncio.run(main())
