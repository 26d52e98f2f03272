"""Rounds of kills: everybody is busy, somebody dies at each step, and all of it moves on."""

import asyncio
import os
import signal
from collections.abc import Collection, Mapping, Sequence
from random import Random  # noqa: TID251  # seeded: a run can be repeated

from tests.faults.actors import Part, Plot, live
from tests.faults.fault_system import AGENTS, DOOMED, MODEST, Scene
from tests.faults.processes import AUDIT, GATE, WORKER
from tests.faults.sdk_agent import hurry
from tests.running_system import TENANT, fresh
from tests.waiting import together

from holdpoint.core.digest import policy_digest
from holdpoint.messages import subjects as s
from holdpoint.messages.state import AdoptPolicy, Kill
from holdpoint.runtime.config.policy import load_policy
from holdpoint.runtime.config.registry import groups_of, load_registry

LONGEST_DEED_MS = 150
BROKER_STALLS_S = 1.0
BUSY_S = 2.0
"""Within which somebody is killed after a round began."""


def _sides(*steps: str) -> tuple[str, ...]:
    return tuple(f"{step}.{side}" for step in steps for side in ("before", "after"))


_GATE_SAYS = (
    "passed", "witnessed", "denied", "halt", "render", "answered", "resolve", "resume", "refused",
    "card", "alarm", "kill_state", "policy_state",
)  # fmt: skip
_GATE_HEARS = (s.CALLS, s.HOLDS, s.ANSWERS, s.RUNS, s.ADMIN, s.TIMERS)
STEPS: Mapping[str, tuple[str, ...]] = {
    GATE: _sides(
        *(f"publish.{word}" for word in _GATE_SAYS),
        *(f"ack.{kind}" for kind in _GATE_HEARS),
        "unschedule",
    ),
    WORKER: _sides("publish.started", "publish.finished", "effect", "ack.HOLDS"),
    AUDIT: (*_sides("commit"), "commit.within"),
}
"""Every step of every service; `barred` and `lapsed` are passed while workers are away."""

AWAY_STEPS = _sides("publish.barred", "publish.lapsed")


class Deck:
    """The steps of one service in an order of chance, each as often as any other."""

    def __init__(self, steps: Sequence[str], dice: Random) -> None:
        self._steps, self._dice = steps, dice
        self._left: list[str] = []

    def draw(self) -> str:
        """The next step, the first time that it is passed or the second time."""
        if not self._left:
            self._left = self._dice.sample(self._steps, len(self._steps))
        return f"{self._left.pop()}:{self._dice.choice((1, 1, 2))}"

    def put_back(self, point: str) -> None:
        """Nobody came to this step: it is drawn once more."""
        if point:
            self._left.insert(0, point.partition(":")[0])


def decks(dice: Random, wanted: Collection[str] = ()) -> dict[str, Deck]:
    """One for each service; with those of its steps that are wanted, if there are any."""
    return {
        service: Deck([it for it in steps if f"{service} {it}" in wanted] or steps, dice)
        for service, steps in STEPS.items()
    }


def plots(dice: Random) -> list[Plot]:
    """One of everything, by agents of chance, in an order of chance."""

    def by(tool: str, part: Part = Part.PROCEED, *voices: str, **more: int) -> Plot:
        takes_ms = dice.randrange(LONGEST_DEED_MS)
        return Plot(
            agent=dice.choice(AGENTS),
            tool=tool,
            part=part,
            voices=voices or (dice.choice(("ann", "ben", "cem")),),
            takes_ms=takes_ms,
            times=more.get("times", 1),
            reused=bool(more.get("reused")),
        )

    made = [
        by("look"),
        by("look", times=2),
        by("note"),
        by("note", times=3),
        by("change", times=2),
        by("change", Part.CANCEL),
        by("change", Part.SILENCE),
        by("change", Part.WITHDRAW),
        by("change", Part.RACE, "ann", "ben"),
        by("put"),
        by("book"),
        by("pay", Part.PROCEED, "ann", "cem"),
        by("pay", Part.TAKE_BACK, "ann", "ben"),
        by("wipe", dice.choice((Part.PROCEED, Part.TAKE_BACK)), "ben", "cem"),
        by("note", reused=1),
        Plot(agent=MODEST, tool="note"),
        Plot(agent=DOOMED, tool="change", part=Part.SILENCE),
    ]
    return dice.sample(made, len(made))


async def play(scene: Scene, made: Sequence[Plot]) -> None:
    """Everybody lives their call, and one is in a hurry; an admin stops one agent meanwhile, and
    lets it go again.
    """

    async def lived(plot: Plot) -> None:
        scene.told.append(await live(scene.agents[plot.agent], scene.people, plot))

    async def hurried() -> None:
        scene.hurried.update(await hurry(scene.road, AGENTS[0], scene.seed))

    await together(*map(lived, made), orders(scene), hurried())


async def orders(scene: Scene) -> None:
    """The kill switch on one agent and off again, and the policy adopted once more."""
    ann = scene.people["ann"]
    kill = s.admin_subject(TENANT, "ann", "kill")
    await ann.says(kill, Kill(on=True, agent=DOOMED, reason=fresh("enough")))
    settings = scene.road.settings
    policy = load_policy(settings.config_dir, groups_of(load_registry(settings.config_dir)))
    again = AdoptPolicy(version=policy.version, digest=policy_digest(policy), policy=policy)
    await ann.says(s.admin_subject(TENANT, "ann", "policy"), again)
    await ann.says(kill, Kill(on=False, agent=DOOMED))


async def round_of_kills(scene: Scene, drawn: Mapping[str, Deck]) -> float:
    """Each process dies at some moment, and then at a step; how long all took to move on."""
    dice = scene.dice
    played = plots(dice)
    victims = dice.sample(sorted(scene.cast.players), len(scene.cast.players))
    await together(
        play(scene, played),
        *(_die(scene, name, drawn.get(scene.cast.players[name].service)) for name in victims),
        _broker_has_trouble(scene),
    )
    return await scene.comes_to_rest(scene.cast.well_since)


async def _die(scene: Scene, name: str, deck: Deck | None) -> None:
    """Where a service has no steps there is no deck: it dies at random and lives on."""
    await asyncio.sleep(scene.dice.uniform(0, BUSY_S))
    if deck is None:
        await scene.cast.kill(name)
        return
    deck.put_back(scene.cast.players[name].armed)
    await scene.cast.kill(name, then=deck.draw())


async def _broker_has_trouble(scene: Scene) -> None:
    """Now and then it is killed, or stands still for a moment; of three servers any one."""
    kind, moment = scene.dice.choice(("well", "kill", "stall")), scene.dice.uniform(0, BUSY_S)
    await asyncio.sleep(moment)
    server = scene.dice.choice(scene.road.supervisor.nodes)
    if kind == "kill":
        await scene.cast.kill_broker(server.name)
    elif kind == "stall":
        await stalled(server.pid, BROKER_STALLS_S)


async def stalled(pid: int, seconds: float) -> None:
    """A process stands still for so long."""
    os.kill(pid, signal.SIGSTOP)
    try:
        await asyncio.sleep(seconds)
    finally:
        os.kill(pid, signal.SIGCONT)
