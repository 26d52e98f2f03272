"""While the broker is away every service waits quietly: no spinning, no flood of log lines."""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.running_system import LONG_S, Road, running
from tests.waiting import eventually

from holdpoint.runtime.process import clock
from holdpoint.runtime.process.supervisor import BROKER

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.timeout(180)]

AWAY_S = 20.0
MOST_CPU = 0.1
"""Of one core, for each service."""

MOST_LOG_BYTES = 64 * 1024
"""That one service writes meanwhile."""

TICKS_S = os.sysconf("SC_CLK_TCK")


@pytest.fixture
async def lonely(tmp_path: Path) -> AsyncIterator[Road]:
    """A road of this test's own."""
    async with running(tmp_path) as road:
        yield road


def busy_s(pid: int) -> float:
    """The processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_S


async def test_without_a_broker_services_wait_and_come_back(lonely: Road) -> None:
    supervisor = lonely.supervisor
    lonely.supervisor.kill(BROKER)
    pids = {name: supervisor.pid(name) for name in supervisor.services}
    before = {name: busy_s(pid) for name, pid in pids.items()}
    written = {name: len(text) for name, text in lonely.logs().items()}
    since = clock.monotonic()

    async def long_enough() -> bool:
        return clock.monotonic() - since >= AWAY_S

    await eventually(long_enough, 2 * AWAY_S)
    spent = clock.monotonic() - since
    used = {name: (busy_s(pid) - before[name]) / spent for name, pid in pids.items()}
    said = {name: len(text) - written.get(name, 0) for name, text in lonely.logs().items()}
    await supervisor.restart_broker()

    async def all_ready() -> bool:
        for name in supervisor.services:
            await supervisor.ready(name)
        return not supervisor.dead()

    assert await eventually(all_ready, LONG_S)
    assert {name: share for name, share in used.items() if share > MOST_CPU} == {}
    assert {name: size for name, size in said.items() if size > MOST_LOG_BYTES} == {}
