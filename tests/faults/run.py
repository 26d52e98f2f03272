"""`make faults`: hundreds of kills over all steps, and every other fault, with a printed seed.

HP_SEED repeats a run's plan; `--kills` shortens it. It ends with 1 when anything does not hold; a
run of full length also when a step was not died at, or something took too long to move on.
"""

import argparse
import asyncio
import logging
import os
import secrets
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random  # noqa: TID251  # seeded: a run can be repeated
from typing import Literal, TypeAlias

import structlog
from tests.faults import disk, scenarios
from tests.faults.bad_network import Weather
from tests.faults.fault_system import QUIET_S, SHIPPED, Scene, StandsStillError, Timings, scene
from tests.faults.kill_rounds import AWAY_STEPS, STEPS, Deck, decks, round_of_kills
from tests.faults.processes import AT_RANDOM, GATE, PLAYERS
from tests.postgres import MissingPostgresError, postgres

from holdpoint.runtime.config.settings import CLUSTER_SIZE
from holdpoint.runtime.process import clock

KILLS = 300
KILLS_A_WORLD = 60
"""Then everything begins anew: streams in a test are small."""

KILLS_AS_SHIPPED = 20
"""With the shipped 20 s until what a dead process had in hand comes to the next one."""

MOST_KILLS = 2
"""Times the wanted number: a step that is rarely passed is not waited for for ever."""

ALONE = {name: PLAYERS[name] for name in ("gate-1", "worker-1", "audit-1")}
AWAY_S = 60.0
"""How long a fault lasts that nobody mends at once."""

Act: TypeAlias = Callable[[Scene], Awaitable[None]]
ACTS: dict[str, tuple[Act, dict[str, str]]] = {
    "a zombie gate before RESOLVE": (
        lambda it: scenarios.zombie_gate(it, "publish.resolve.before"), ALONE),
    "a zombie gate before RESUME": (
        lambda it: scenarios.zombie_gate(it, "publish.resume.before"), ALONE),
    "a zombie worker past its lease": (
        lambda it: scenarios.zombie_worker(it, "publish.started.after"), ALONE),
    "workers away, grants barred": (
        lambda it: scenarios.workers_away(it, "publish.barred"), dict(PLAYERS)),
    "workers away, grants lapsed": (
        lambda it: scenarios.workers_away(it, "publish.lapsed"), dict(PLAYERS)),
    "the ledger locked for a minute": (lambda it: scenarios.ledger_locked(it, 60), dict(PLAYERS)),
    "the ledger gone": (lambda it: scenarios.ledger_gone(it, 10), dict(PLAYERS)),
    "everything delivered again": (scenarios.all_again, dict(PLAYERS)),
    "everything delivered at once again": (scenarios.again_at_once, dict(PLAYERS)),
    "poison and forgeries": (scenarios.poison, dict(PLAYERS)),
}  # fmt: skip


NETWORKS = {
    "a network that delays, loses, doubles and breaks off": (Weather.BAD, 20.0),
    "services parted from the broker": (Weather.PARTED, 20.0),
}


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What a run was to do."""

    kills: int
    only_kills: bool
    fault: str = ""
    """The only one of `FAULTS` that is tried, without any kills."""

    nodes: Literal[1, 3] = 1
    """Servers of the broker; the other faults are tried with one."""

    @property
    def is_full(self) -> bool:
        """Whether it is long enough for every step: a shorter run only tells what it missed."""
        return self.kills >= KILLS

    def steps(self) -> set[str]:
        """Every step that it can come to; some are passed only while workers are away."""
        if self.fault:
            return set()
        known = {f"{service} {step}" for service, steps in STEPS.items() for step in steps}
        return known if self.only_kills else known | {f"{GATE} {step}" for step in AWAY_STEPS}


@dataclass(kw_only=True)
class Tally:
    """What was tried, and what did not hold."""

    seed: int
    kills: Counter[str] = field(default_factory=Counter)
    violations: list[str] = field(default_factory=list)
    slowest_s: float = 0.0
    skipped: list[str] = field(default_factory=list)

    def skip(self, what: str, why: Exception) -> None:
        """Tell what this machine cannot do; in CI that is a failure."""
        if os.environ.get("CI"):
            self.violations.append(f"{what} was not tried: {why}")
        self.skipped.append(f"{what}: {why}")

    @property
    def missing(self) -> list[str]:
        """Steps that nobody has died at yet."""
        steps = {f"{service} {step}" for service, known in STEPS.items() for step in known}
        return sorted(steps - self.kills.keys())

    async def plays(self, name: str, act: Act, made: Scene) -> None:
        """One act, judged; what it says is kept with what repeats it."""
        try:
            await act(made)
            found = await made.judged()
        except (AssertionError, StandsStillError) as error:
            print(f"{name}: {error}", flush=True)
            found = [f"L1: {error}", *await made.judged()]
        self.violations += [f"[seed {made.seed}, {name}] {it}" for it in found]
        self.kills += made.cast.steps()
        self.slowest_s = max(self.slowest_s, made.slowest_s)
        died = f"{len(made.cast.kills)} kills, moved on within {made.slowest_s:.1f} s"
        print(f"{name}: {died}, {len(found)} violations", flush=True)
        for it in found[:5]:
            print(f"  {it}", flush=True)


async def kills(tally: Tally, wanted: int, nodes: Literal[1, 3] = 1) -> None:
    """Worlds of rounds, until it was enough and every step was died at."""
    dice, world = Random(tally.seed), 0  # noqa: S311  # a plan, no secret
    drawn = decks(dice)
    while sum(tally.kills.values()) < wanted or (
        tally.missing and sum(tally.kills.values()) < MOST_KILLS * wanted
    ):
        timings = SHIPPED if world == 1 else Timings()
        here = KILLS_AS_SHIPPED if world == 1 else KILLS_A_WORLD
        if sum(tally.kills.values()) >= wanted:
            drawn = decks(dice, tally.missing)
            print(f"nobody died yet at: {', '.join(tally.missing)}", flush=True)
        rounds = partial(_rounds, drawn=drawn, until=min(here, wanted))

        with tempfile.TemporaryDirectory(prefix="faults") as folder:
            async with scene(Path(folder), tally.seed + world, timings, nodes=nodes) as made:
                await tally.plays(f"kills, world {world + 1}", rounds, made)
        world += 1


async def _rounds(made: Scene, drawn: Mapping[str, Deck], until: int) -> None:
    while len(made.cast.kills) < until:
        await round_of_kills(made, drawn)


async def other_faults(tally: Tally) -> None:
    """Each in a world of its own."""
    for name, (act, players) in ACTS.items():
        with tempfile.TemporaryDirectory(prefix="faults") as folder:
            async with scene(Path(folder), tally.seed, players=players) as made:
                await tally.plays(name, act, made)
    for fault in FAULTS.values():
        await fault(tally)


async def full_disk(tally: Tally) -> None:
    """On a machine where a small disk can be made."""
    try:
        with (
            tempfile.TemporaryDirectory(prefix="faults") as folder,
            disk.small(Path(folder, "var")),
        ):
            async with scene(Path(folder), tally.seed) as made:
                await tally.plays("a full disk", disk.full, made)
    except disk.CannotMountError as why:
        tally.skip("a full disk", why)


async def database_down(tally: Tally) -> None:
    """A ledger in PostgreSQL, whose server is away for a minute."""
    try:
        with tempfile.TemporaryDirectory(prefix="faults") as folder, postgres() as database:
            async with scene(Path(folder), tally.seed, ledger_url=database.url) as made:
                act = partial(scenarios.database_down, database=database, seconds=AWAY_S)
                await tally.plays("the database down", act, made)
    except MissingPostgresError as why:
        tally.skip("the database down", why)


async def bad_networks(tally: Tally) -> None:
    """A proxy between the services and the broker."""
    for name, (weather, seconds) in NETWORKS.items():
        with tempfile.TemporaryDirectory(prefix="faults") as folder:
            async with scene(Path(folder), tally.seed, through_proxy=True) as made:
                act = partial(scenarios.bad_network, weather=weather, seconds=seconds)
                await tally.plays(name, act, made)


FAULTS: Mapping[str, Callable[[Tally], Awaitable[None]]] = {
    "disk": full_disk,
    "database": database_down,
    "network": bad_networks,
}
"""Faults of what the system stands on; FAULT=name tries one alone."""


def report(tally: Tally, took_s: float, asked: Asked) -> int:
    """What a person reads; the exit code."""
    at_random = sum(times for step, times in tally.kills.items() if step.endswith(AT_RANDOM))
    known = asked.steps()
    missed = sorted(known - tally.kills.keys())
    print(f"seed                 {tally.seed}")
    print(f"kills                {sum(tally.kills.values())} ({at_random} at random moments)")
    print(f"steps covered        {len(known) - len(missed)} of {len(known)}")
    print(f"longest to move on   {tally.slowest_s:.1f} s")
    print(f"violations           {len(tally.violations)}")
    print(f"took                 {took_s / 60:.1f} min")
    for step in missed:
        print(f"not died at          {step}")
    if tally.slowest_s > QUIET_S:
        print(f"too slow             L1 allows {QUIET_S:.0f} s")
    for it in tally.skipped:
        print(f"skipped              {it}")
    for it in tally.violations:
        print(f"VIOLATION            {it}")
    falls_short = asked.is_full and (bool(missed) or tally.slowest_s > QUIET_S)
    return 1 if tally.violations or falls_short else 0


async def main(asked: Asked, seed: int) -> int:
    """Everything, one world after the other."""
    print(f"HP_SEED={seed}", flush=True)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    tally, began = Tally(seed=seed), clock.monotonic()
    if asked.fault:
        await FAULTS[asked.fault](tally)
    else:
        await kills(tally, asked.kills, asked.nodes)
        if not asked.only_kills:
            await other_faults(tally)
    return report(tally, clock.monotonic() - began, asked)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=KILLS)
    parser.add_argument("--only-kills", action="store_true")
    parser.add_argument("--cluster", action="store_true", help="kills on three brokers, alone")
    parser.add_argument("--fault", choices=FAULTS, default="", help="this one alone")
    chosen = parser.parse_args()
    seed = int(os.environ.get("HP_SEED") or secrets.randbelow(1_000_000))
    asked = Asked(
        kills=chosen.kills,
        only_kills=chosen.only_kills or chosen.cluster,
        fault=chosen.fault,
        nodes=CLUSTER_SIZE if chosen.cluster else 1,
    )
    sys.exit(asyncio.run(main(asked, seed)))
