"""`make bench-cluster`: three brokers beside one, with two gates and two workers each.

The same load on both: passing reads one after the other, and with a full window. Then an even load
on the three, while each of them is killed in turn and comes back: how long calls take meanwhile.
Only ratios of one run mean anything, and the longest stall, which is to stay under 20 s. For each
death it says when the last leader was elected, and when the calls that had waited went on: what
lies between is ours.
"""

import argparse
import asyncio
import itertools
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

import uvloop
from bench import ours
from bench.measure import NOTE, Call, Latency, Sync, latency, throughput

from holdpoint.client import HoldpointError

BROKERS: tuple[Literal[1], Literal[3]] = (1, 3)
TWICE = ("gate", ours.WORKER)
TOOL = "read_probe"
IN_ORDER = 300
FULL = 1500
PER_S = 20
"""Calls a second while brokers are killed."""

QUIET_S = 10.0
GONE_S = 10.0
"""From a broker's death to its start."""

BACK_S = 15.0
AGAIN_S = 0.1
MOST_S = 20.0
ELECTED = re.compile(r"^\[\d+\] (\S+ \S+) .*new (?:stream|consumer) leader for", re.MULTILINE)
LOGGED = "%Y/%m/%d %H:%M:%S.%f"


@dataclass(frozen=True, kw_only=True)
class Figures:
    """Of one number of brokers."""

    took: Latency
    rate: float
    """Calls a second with a full window."""


@dataclass(frozen=True, kw_only=True)
class Made:
    """A call: when it began, and how long it took until it was done, in seconds."""

    began: float
    took: float

    @property
    def ended(self) -> float:
        """When it was done."""
        return self.began + self.took


def main() -> int:
    """Measure both, and then the deaths; 1 where a call stalled for longer than is allowed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sync", choices=["always", "100ms"], default="always")
    sync: Sync = parser.parse_args().sync
    one, three = (uvloop.run(_figures(sync, it)) for it in BROKERS)
    for brokers, it in zip(BROKERS, (one, three), strict=True):
        p50, p99 = it.took.p50 * 1e3, it.took.p99 * 1e3
        _say(f"{brokers} of the broker: p50 {p50:.2f} ms, p99 {p99:.2f} ms, {it.rate:.0f} calls/s")
    ratios = three.took.p50 / one.took.p50, three.rate / one.rate
    _say("three to one: p50 {:.2f}, throughput {:.2f}".format(*ratios))
    return uvloop.run(_deaths(sync))


async def _figures(sync: Sync, brokers: Literal[1, 3]) -> Figures:
    async with ours.running(sync, TWICE, brokers=brokers) as it:
        call = it.caller(TOOL, NOTE)
        return Figures(took=await latency(call, IN_ORDER), rate=await throughput(call, FULL))


async def _deaths(sync: Sync) -> int:
    async with ours.running(sync, TWICE, brokers=3) as it:
        load = asyncio.create_task(_even_load(it.caller(TOOL, NOTE)))
        await asyncio.sleep(QUIET_S)
        quiet_until = time.monotonic()
        deaths = dict([await _killed(it, name) for name in it.supervisor.broker])
        load.cancel()
        made = await load
    for name, (died, elected) in deaths.items():
        waited = sorted(it.ended - died for it in made if it.began < elected < it.ended)
        on = f"{waited[len(waited) // 2]:.1f} s" if waited else "at once: none waited"
        _say(f"{name} killed: last leader after {elected - died:.1f} s, calls went on after {on}")
    quiet = [it.took for it in made if it.ended < quiet_until]
    dying = [it.took for it in made if it.ended >= quiet_until]
    for name, took in (("quiet", quiet), ("each broker killed in turn", dying)):
        _say(f"{name}: {_told(took)}")
    return int(max(dying) > MOST_S)


async def _killed(it: ours.Ours, name: str) -> tuple[str, tuple[float, float]]:
    """Kill a broker and have it come back; when it died, and when the last leader was elected."""
    off = time.time() - time.monotonic()
    died = time.monotonic()
    it.supervisor.kill(name)
    await asyncio.sleep(GONE_S)
    logs = [node.log for node in it.supervisor.nodes]
    elected = max((at - off for log in logs for at in _elected(log)), default=died)
    await it.supervisor.restart_broker(name)
    await asyncio.sleep(BACK_S)
    return name, (died, max(died, elected))


def _elected(log: Path) -> list[float]:
    """When this server saw a leader elected, in seconds since 1970."""
    return [datetime.strptime(at, LOGGED).timestamp()  # noqa: DTZ007  # its log is in local time
            for at in ELECTED.findall(log.read_text(errors="replace"))]  # fmt: skip


def _told(took: Sequence[float]) -> str:
    ranked = sorted(took)
    p50, p99 = (ranked[int(len(ranked) * it)] * 1e3 for it in (0.5, 0.99))
    return f"{len(ranked)} calls, p50 {p50:.1f} ms, p99 {p99:.0f} ms, longest {ranked[-1]:.1f} s"


async def _even_load(call: Call) -> list[Made]:
    """Begin calls evenly until it is cancelled; then wait for those that are open."""
    tasks = []
    try:
        for number in itertools.count():
            tasks.append(asyncio.create_task(_until_done(call, number)))
            await asyncio.sleep(1 / PER_S)
    except asyncio.CancelledError:
        return await asyncio.gather(*tasks)
    raise AssertionError


async def _until_done(call: Call, number: int) -> Made:
    """Make a call, again where nobody was there for it."""
    began = time.monotonic()
    while True:
        try:
            await call(number)
        except (HoldpointError, RuntimeError):
            await asyncio.sleep(AGAIN_S)
        else:
            return Made(began=began, took=time.monotonic() - began)


def _say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
