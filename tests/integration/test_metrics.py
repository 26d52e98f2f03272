"""Open holds can be alerted on: their number, the age of the oldest, and how long answers took."""

import asyncio
import re
import urllib.request

import pytest
from tests.actors import Guests
from tests.running_system import Road
from tests.waiting import eventually

from holdpoint.runtime.process.health import health_file

pytestmark = [pytest.mark.nats, pytest.mark.slow]
pytest_plugins = ("tests.system_fixtures",)


async def test_open_holds_their_age_and_their_ends_are_measured(
    own: Road, visitors: Guests
) -> None:
    async def page_of(service: str) -> str:
        address = health_file(own.settings.run_dir, service).read_text()
        return await asyncio.to_thread(_page, f"{address}/metrics")

    async def value(metric: str, service: str = "gate") -> float:
        page = await page_of(service)
        found = re.search(rf"^{re.escape(metric)} (\S+)$", page, re.MULTILINE)
        return float(found[1]) if found else 0.0

    async def waits() -> bool:
        oldest = await value("holdpoint_oldest_hold_seconds")
        return await value("holdpoint_open_holds") == 1 and oldest > 0

    async def is_over() -> bool:
        oldest = await value("holdpoint_oldest_hold_seconds")
        return await value("holdpoint_open_holds") == oldest == 0

    async def ledger_has(held: int, cancelled: int) -> bool:
        cancels = 'holdpoint_answers_total{channel="terminal",choice="cancel"}'
        levels = [f'holdpoint_holds_open{{level="{level}"}}' for level in range(1, 6)]
        found = sum([await value(it, "audit") for it in levels])
        return (found, await value(cancels, "audit")) == (held, cancelled)

    robot, ann = await visitors.agent(), await visitors.person()
    _, call = await robot.command()
    card = await ann.card((await robot.pending(call)).hold_id, "rendered")
    assert await eventually(waits, 40)
    assert await eventually(lambda: ledger_has(1, 0), 40)
    await ann.cancel(card)

    level = card.level
    ended = f'holdpoint_hold_seconds_count{{level="{level}",outcome="cancelled"}}'
    assert await value(ended) == 1
    assert await eventually(lambda: ledger_has(0, 1), 40)
    assert 'holdpoint_ledger_behind_messages{stream="HOLDS"}' in await page_of("audit")
    assert await eventually(is_over, 60)


def _page(url: str) -> str:
    with urllib.request.urlopen(url, timeout=5) as page:  # noqa: S310  # our own address
        return str(page.read().decode())
