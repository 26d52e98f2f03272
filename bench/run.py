"""`make bench`: what a call costs, then floor and ours in turn, in one run.

The costs (`costs.py`) come first and stand for themselves; every other figure of ours is a ratio to
the floor's. A round measures each pipeline once with each way of syncing. What is printed is the
median of the rounds; the ratios come last, one a line. All of it stands as JSON in
`var/bench.json`.
"""

import argparse
import asyncio
import gc
import json
import os
import statistics
import sys
from collections.abc import Callable, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import uvloop
from bench import costs, floor, mcp_gateway, ours
from bench.measure import NOTE, Call, Latency, Sync, cpu_seconds, latency, throughput

RESULTS = Path("var") / "bench.json"

SYNCS: Mapping[str, Sync] = {"default": "100ms", "always": "always"}
"""What the server does: sync every 100 ms, which costs nothing measurable, or each write."""

LATENCIES = {
    "pass": ("read_probe", 600),
    "write": ("write_probe", 400),
    "halt": ("change_probe", 250),
}
THROUGHPUTS = {"pass": ("read_probe", 3000)}
SLOWER = 3
"""With each write synced, so many times fewer calls."""


@dataclass(frozen=True, kw_only=True)
class Round:
    """What one pipeline did in one round with one way of syncing."""

    latencies: Mapping[str, Latency]
    rates: Mapping[str, float]
    core_us: Mapping[str, float]
    """Microseconds of a core for each call at full throughput, by process."""


Pipeline: TypeAlias = Callable[[Sync], AbstractAsyncContextManager[Any]]
PIPELINES: Mapping[str, tuple[Pipeline, Callable[[Coroutine[Any, Any, Round]], Round]]] = {
    "floor": (floor.running, asyncio.run),
    "ours": (ours.running, uvloop.run),
}
"""Each with the event loop that its users run: the floor is hand-written on asyncio's own."""


def main() -> None:
    """Run the rounds and print what came of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sync", choices=[*SYNCS, "both"], default="both")
    parser.add_argument("--costs", action="store_true", help="only costs.py's figures, in 30 s")
    chosen = parser.parse_args()
    spent = costs.measured(1 if chosen.costs else chosen.rounds)
    if chosen.costs:
        _write(spent)
        return
    syncs = tuple(SYNCS) if chosen.sync == "both" else (chosen.sync,)
    found: dict[str, dict[str, list[Round]]] = {
        sync: {name: [] for name in PIPELINES} for sync in syncs
    }
    for number in range(chosen.rounds):
        for sync in syncs:
            for name in PIPELINES:
                found[sync][name].append(_round(name, sync))
                _say(f"round {number + 1}: {name}, {sync} sync is done")
    ratios = _report(found, _scaled(chosen.rounds))
    gateway = mcp_gateway.measured(chosen.rounds)
    for name, ratio in gateway.items():
        _say(f"{name} {ratio:.2f}")
    _write(spent | ratios | gateway)


def _scaled(rounds: int) -> float:
    """Throughput of two gates and two workers, to that of one of each."""
    both = partial(ours.running, twice=("gate", ours.WORKER))
    ratios = []
    for number in range(rounds):
        one, two = (uvloop.run(_rate(pipeline)) for pipeline in (ours.running, both))
        ratios.append(two / one)
        _say(f"round {number + 1}: two gates and two workers are done")
    return float(statistics.median(ratios))


async def _rate(pipeline: Pipeline) -> float:
    tool, count = THROUGHPUTS["pass"]
    async with pipeline(SYNCS["default"]) as it:
        call: Call = it.caller(tool, NOTE)
        return await throughput(call, count)


def _round(name: str, sync: str) -> Round:
    pipeline, run = PIPELINES[name]
    gc.collect()
    return run(_measured(pipeline, sync))


async def _measured(pipeline: Pipeline, sync: str) -> Round:
    fewer = SLOWER if sync == "always" else 1
    async with pipeline(SYNCS[sync]) as it:
        latencies = {
            kind: await latency(it.caller(tool, NOTE), count // fewer)
            for kind, (tool, count) in LATENCIES.items()
        }
        rates, core_us = {}, {}
        for kind, (tool, count) in THROUGHPUTS.items():
            call: Call = it.caller(tool, NOTE)
            before = cpu_seconds(it.processes)
            rates[kind] = await throughput(call, count // fewer)
            used = cpu_seconds(it.processes)
            core_us = {
                who: (used[who] - before[who]) / (count // fewer) * 1e6 for who in it.processes
            }
    return Round(latencies=latencies, rates=rates, core_us=core_us)


def _report(found: Mapping[str, Mapping[str, list[Round]]], scaled: float) -> dict[str, float]:
    ratios = {"two_of_each_throughput_default": scaled}
    for sync, pipelines in found.items():
        _tables(sync, pipelines)
        ratios = _ratios(sync, pipelines) | ratios
    _say("\nratios of ours to the floor's, medians of the rounds:")
    for name, ratio in ratios.items():
        _say(f"{name} {ratio:.2f}")
    return ratios


def _write(figures: Mapping[str, float]) -> None:
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(figures, indent=2) + "\n")


def _tables(sync: str, pipelines: Mapping[str, list[Round]]) -> None:
    _say(f"\n{sync} sync")
    for name, rounds in pipelines.items():
        for kind in LATENCIES:
            p50, p99 = (_median(rounds, kind, figure) * 1e6 for figure in ("p50", "p99"))
            _say(f"  {name:6} {kind:6} p50 {p50:7.0f} us   p99 {p99:7.0f} us")
        for kind in THROUGHPUTS:
            rate = statistics.median(one.rates[kind] for one in rounds)
            _say(f"  {name:6} {kind:6} {rate:7.0f} calls/s")
        used = ", ".join(f"{who} {us:.0f}" for who, us in rounds[-1].core_us.items())
        _say(f"  {name:6} core-us a call: {used}")


def _ratios(sync: str, pipelines: Mapping[str, list[Round]]) -> dict[str, float]:
    """Round by round, so that a slow minute of the machine hits both sides."""
    pairs = list(zip(pipelines["ours"], pipelines["floor"], strict=True))
    told = {}
    for kind in LATENCIES:
        for figure in ("p50", "p99"):
            told[f"{kind}_{figure}_{sync}"] = statistics.median(
                getattr(own.latencies[kind], figure) / getattr(base.latencies[kind], figure)
                for own, base in pairs
            )
    for kind in THROUGHPUTS:
        told[f"{kind}_throughput_{sync}"] = statistics.median(
            own.rates[kind] / base.rates[kind] for own, base in pairs
        )
    return told


def _median(rounds: list[Round], kind: str, figure: str) -> float:
    return float(statistics.median(getattr(one.latencies[kind], figure) for one in rounds))


def _say(text: str) -> None:
    print(text, flush=True)  # a command of its own


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:  # nobody reads on
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
