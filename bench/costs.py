"""What a call costs, in figures that hardly depend on the machine's other work.

Core-us are microseconds of a core, over all processes with a full window; the agent's process is
one of them. Messages are what the broker takes in and hands out for one call, counted by its own
monitoring while one call at a time is in flight.
"""

import asyncio
import json
import os
import statistics
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import uvloop
from bench import ours
from bench.domain import DOMAIN
from bench.measure import NOTE, Call, at_full_speed, cpu_seconds, warm_up

from holdpoint.runtime.broker.streams import GATE
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.security.credentials import AUDIT, agent_user, make_credential, worker_user

CORE_US = ("pass", "read_probe", 2000)
BATCHES = 3
"""Of so many calls each: their median counts."""

MESSAGES = {
    "pass": ("read_probe", 300),
    "write": ("write_probe", 200),
    "halt": ("change_probe", 100),
}
SETTLES_S = 0.5
"""What calls leave behind is counted too: acknowledgements, and what the audit reads."""

AGENT = "agent"
"""The process of the benchmark, which is the agent's."""

BROKER = "broker"

Messages: TypeAlias = dict[str, tuple[int, int]]
"""By connection, and for the broker itself: in and out."""


@dataclass(frozen=True, kw_only=True)
class Costs:
    """Of one run."""

    core_us: Mapping[str, float]
    """A passing read's, by process."""

    messages: Mapping[str, Mapping[str, tuple[float, float]]]
    """By kind of call and connection: what it tells the broker, and what it hears."""


def measured(rounds: int) -> dict[str, float]:
    """Run ours so many times, print what a call costs, and return the medians by name."""
    every = [uvloop.run(_measured()) for _ in range(rounds)]
    figures = {f"core_us_{CORE_US[0]}": statistics.median(sum(it.core_us.values()) for it in every)}
    for kind in MESSAGES:
        both = [sum(it.messages[kind][BROKER]) for it in every]
        figures[f"messages_{kind}"] = statistics.median(both)
    _print(every, figures)
    return figures


async def _measured() -> Costs:
    async with ours.running("100ms") as it:
        monitor = _Monitor(port=it.settings.nats_monitor_port, names=_names(it.settings))
        messages = {
            kind: await _messages(monitor, it.caller(tool, NOTE), count)
            for kind, (tool, count) in MESSAGES.items()
        }
        _, tool, count = CORE_US
        processes = dict(it.processes) | {AGENT: os.getpid()}
        return Costs(
            core_us=await _core_us(processes, it.caller(tool, NOTE), count), messages=messages
        )


async def _messages(monitor: "_Monitor", call: Call, count: int) -> dict[str, tuple[float, float]]:
    await warm_up(call)
    await asyncio.sleep(SETTLES_S)
    before = await asyncio.to_thread(monitor.messages)
    for number in range(count):
        await call(number)
    await asyncio.sleep(SETTLES_S)
    after = await asyncio.to_thread(monitor.messages)
    return {
        who: ((came - before[who][0]) / count, (went - before[who][1]) / count)
        for who, (came, went) in after.items()
        if who in before
    }


async def _core_us(processes: Mapping[str, int], call: Call, count: int) -> dict[str, float]:
    await warm_up(call)
    used = []
    for _ in range(BATCHES):
        await asyncio.sleep(SETTLES_S)
        before = cpu_seconds(processes)
        await at_full_speed(call, count)
        await asyncio.sleep(SETTLES_S)
        after = cpu_seconds(processes)
        used.append({who: (after[who] - before[who]) / count * 1e6 for who in processes})
    return {who: statistics.median(it[who] for it in used) for who in processes}


@dataclass(frozen=True, kw_only=True)
class _Monitor:
    """The broker's own counters, over HTTP."""

    port: int
    names: Mapping[str, str]
    """Users by their public nkey."""

    def messages(self) -> Messages:
        counts = {BROKER: self._get("varz")}
        for it in self._get("connz?auth=true&limit=1000")["connections"]:
            name = self.names.get(it.get("authorized_user", ""), "others")
            counts[f"{name} (connection {it['cid']})"] = it
        return {who: (it["in_msgs"], it["out_msgs"]) for who, it in counts.items()}

    def _get(self, path: str) -> dict[str, Any]:
        url = f"http://127.0.0.1:{self.port}/{path}"
        with urllib.request.urlopen(url) as answer:
            told: dict[str, Any] = json.load(answer)
        return told


def _names(settings: Settings) -> dict[str, str]:
    users = (GATE, AUDIT, worker_user(DOMAIN), agent_user(ours.AGENT))
    return {make_credential(settings.credentials_dir, user): user for user in users}


def _print(every: Sequence[Costs], figures: Mapping[str, float]) -> None:
    for name, figure in figures.items():
        print(f"{name} {figure:.1f}", flush=True)
    last = every[-1]
    used = ", ".join(f"{who} {us:.0f}" for who, us in last.core_us.items())
    print(f"\ncore-us a call, the last round: {used}")
    for kind, counts in last.messages.items():
        said = ", ".join(
            f"{who} {came:.1f} / {went:.1f}"
            for who, (came, went) in sorted(counts.items())
            if came + went >= SHOWN
        )
        print(f"messages a call in / out, {kind}: {said}", flush=True)


SHOWN = 0.05
"""Messages a call: below it a connection only keeps alive."""
