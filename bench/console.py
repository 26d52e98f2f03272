"""`make bench-console`: the inbox with a thousand pending holds, beside one full page of them."""

import asyncio
import shutil
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from msgspec.structs import asdict
from playwright.async_api import Browser, CDPSession, async_playwright, expect
from tests.actors import AgentVoice, Guests
from tests.browser import Screen, screen_on
from tests.running_system import CONSOLE, Road, running

from holdpoint.console.inbox_view import MOST
from holdpoint.messages.base import Value

MANY = 1_000
LOOKS = 5
"""Loads of the page; the figures are medians."""

IDLE_S = 5.0
ARRIVE_MS = 600_000
LONGEST_TASK_MS = 100
MOST_CARDS = 60

_WATCH_TASKS = """() => {
  window.longest = 0;
  const note = (list) => {
    for (const task of list.getEntries()) window.longest = Math.max(window.longest, task.duration);
  };
  new PerformanceObserver(note).observe({ type: "longtask" });
}"""
_SCROLL = """async () => {
  const end = document.documentElement.scrollHeight;
  for (let at = 0; at < end; at += 200) {
    window.scrollTo(0, at);
    await new Promise(requestAnimationFrame);
  }
}"""
_PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


class Figures(Value, frozen=True, kw_only=True):
    """Cost of one inbox; times in milliseconds."""

    cards: float
    page_kilobytes: float
    first_paint_ms: float
    longest_task_ms: float
    """While it is scrolled from end to end; the browser tells of none under 50 ms."""

    browser_busy: float
    """Share of a core that the open page takes while nothing happens."""

    console_busy: float
    """Share of a core that the console takes for it."""


async def main() -> None:
    """Measure both in one run and print them with their ratios."""
    with tempfile.TemporaryDirectory(prefix="hp-console-") as folder:
        async with (
            running(Path(folder), console=True) as road,
            AsyncExitStack() as stack,
            _chromium() as browser,
        ):
            agent = await Guests(road=road, stack=stack).agent("noisy")
            screen = await screen_on(browser, road)
            await screen.log_in("ann")
            await _arrive(agent, screen, range(MOST))
            few = await _measured(road, screen)
            await _arrive(agent, screen, range(MOST, MANY))
            many = await _measured(road, screen)
    _print(few, many)
    if many.cards > MOST_CARDS or many.longest_task_ms > LONGEST_TASK_MS:
        raise SystemExit("Too much for a page.")


@asynccontextmanager
async def _chromium() -> AsyncIterator[Browser]:
    program = shutil.which("chromium")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        await browser.close()


async def _arrive(agent: AgentVoice, screen: Screen, numbers: range) -> None:
    """Propose one action for each number, and wait until all of them wait."""
    for number in numbers:
        await agent.propose("run_command", {"command": f"rm -r folder-{number}"})
    waiting = screen.page.locator("[data-waiting]").first
    await expect(waiting).to_have_text(str(numbers.stop), timeout=ARRIVE_MS)


async def _measured(road: Road, screen: Screen) -> Figures:
    looks = [await _look(road, screen) for _ in range(LOOKS)]
    rows = [asdict(look) for look in looks]
    return Figures(**{name: sorted(row[name] for row in rows)[LOOKS // 2] for name in rows[0]})


async def _look(road: Road, screen: Screen) -> Figures:
    page = screen.page
    response = await page.goto(screen.url)
    assert response is not None
    await screen.live()
    await page.evaluate(_WATCH_TASKS)
    await page.evaluate(_SCROLL)
    chromium = await page.context.new_cdp_session(page)
    await chromium.send("Performance.enable")
    console, before = _cpu_s(road.supervisor.pid(CONSOLE)), await _busy_s(chromium)
    began = time.perf_counter()
    await asyncio.sleep(IDLE_S)
    lasted = time.perf_counter() - began
    return Figures(
        cards=await page.locator("article").count(),
        page_kilobytes=len(await response.body()) / 1024,
        first_paint_ms=await page.evaluate(_PAINT),
        longest_task_ms=await page.evaluate("window.longest"),
        browser_busy=(await _busy_s(chromium) - before) / lasted,
        console_busy=(_cpu_s(road.supervisor.pid(CONSOLE)) - console) / lasted,
    )


async def _busy_s(chromium: CDPSession) -> float:
    """Seconds of the page's main thread so far."""
    told: dict[str, Any] = await chromium.send("Performance.getMetrics")
    return float(next(it["value"] for it in told["metrics"] if it["name"] == "TaskDuration"))


def _cpu_s(pid: int) -> float:
    """Seconds of a core that a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def _print(few: Figures, many: Figures) -> None:
    print(f"{'':18}{MOST:>10}{MANY:>10}{'ratio':>8}")
    for name, one in asdict(few).items():
        other = asdict(many)[name]
        ratio = f"{other / one:8.2f}" if one else f"{'-':>8}"
        print(f"{name:18}{one:10.3g}{other:10.3g}{ratio}")


if __name__ == "__main__":
    asyncio.run(main())
