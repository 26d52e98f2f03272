"""What happens in a simulated world, by chance: calls, answers, orders, deaths and wrong clocks."""

import asyncio
import contextlib
from random import Random  # noqa: TID251  # seeded: a run can be repeated

from msgspec.structs import replace
from tests.faults.actors import Part, Plot, live
from tests.faults.fault_system import AGENTS, DOOMED, MODEST
from tests.running_system import TENANT, fresh
from tests.simulation.loop import Process
from tests.simulation.world import MOST_OFF_S, World

from holdpoint.messages import subjects as s
from holdpoint.messages.answer import Choice
from holdpoint.messages.card import Card
from holdpoint.messages.codec import decode_data, decode_event
from holdpoint.messages.envelope import Status
from holdpoint.messages.state import Kill
from holdpoint.messages.subjects import stream

REST_S = 90.0
"""Longer than any deadline, lease, retry and alarm of these runs takes."""

BAD_WEATHER_S = 8.0
STOPS_S = (0.3, 1.5, 8.0, 14.0)
"""Below and above a lease, and what the broker waits for an acknowledgement."""

TOOLS = ("look", "note", "change", "put", "book", "pay", "wipe")
PEOPLE = ("ann", "ben", "cem")
VOICES = (("ann",), ("ben",), ("cem",), ("ann", "ben"), ("ann", "cem"), ("ben", "cem"))


async def live_through(world: World) -> list[str]:
    """Play it until everything has come to rest; what did not move on in time."""
    for name in world.names:
        world.start(name)
    wrong: list[str] = []
    reaper = world.loop.spawn(Process(name="reaper"), _raise_the_dead(world))
    calls = [_call(world, plot, wrong) for plot in _plots(world.dice)]
    faults = [_fault(world) for _ in range(world.dice.choice((0, 1, 2, 4, 8)))]
    strays = [_stray_answer(world) for _ in range(world.dice.choice((0, 0, 1, 3)))]
    await asyncio.gather(*calls, *faults, *strays, _orders(world), _clears_up(world))
    if left := await _comes_to_rest(world):
        wrong.append(f"L1: {REST_S} s after the last fault there is still {', '.join(left)}")
    reaper.cancel()
    return wrong


async def _clears_up(world: World) -> None:
    """End the bad weather: only then everything has to move on."""
    await asyncio.sleep(BAD_WEATHER_S)
    world.weather.lost = 0.0
    world.weather.latency_s = min(world.weather.latency_s, 0.02)


async def _comes_to_rest(world: World) -> list[str]:
    """Wait until nothing is in anybody's hands; what still is when that takes too long."""
    until, left = world.loop.time() + REST_S, ["nothing"]
    while left and world.loop.time() < until:
        await asyncio.sleep(1.0)
        left = [it for log in world.broker.logs.values() for it in log.waiting()]
        left += world.not_entered()
        left += [f"a dead {name}" for name, it in world.services.items() if not it.is_alive]
    return left


async def _call(world: World, plot: Plot, wrong: list[str]) -> None:
    """One call from its first word to its last."""
    await asyncio.sleep(world.dice.uniform(0, 3))
    agent = world.agent(plot.agent)
    people = {name: world.person(name) for name in PEOPLE}
    try:
        await live(agent, people, plot)
    except AssertionError as why:
        wrong.append(f"L1: {plot}: {why}")


def _plots(dice: Random) -> list[Plot]:
    """A few calls of chance: repeated, with a key used twice, answered in every way."""
    return [
        Plot(
            agent=dice.choice((*AGENTS, *AGENTS, DOOMED, MODEST)),
            key=f"key_{place}",
            tool=dice.choice(TOOLS),
            part=dice.choice((Part.PROCEED, Part.PROCEED, *Part)),
            takes_ms=dice.choice((0, 50, 9_000)),
            times=dice.choice((1, 1, 2, 3)),
            reused=dice.random() < 0.1,
            voices=dice.choice(VOICES),
        )
        for place in range(dice.randint(1, 4))
    ]


async def _stray_answer(world: World) -> None:
    """Somebody answers what nobody asked them to: late, twice, or to another card."""
    dice = world.dice
    await asyncio.sleep(dice.uniform(0, 25))
    cards = list(world.broker.logs[stream(TENANT, s.CARDS)].messages.values())
    if not cards:
        return
    card = decode_data(decode_event(dice.choice(cards).body))
    assert isinstance(card, Card)
    if dice.random() < 1 / 3:
        card = replace(card, digest="0" * 64)
    person = world.person(dice.choice((*PEOPLE, "olga")))
    with contextlib.suppress(AssertionError):  # the broker was away for too long
        await person.answers(card, dice.choice((Choice.PROCEED, Choice.CANCEL)))


async def _orders(world: World) -> None:
    """Now and then the kill switch, on one agent or everybody, and off again."""
    if world.dice.random() < 0.6:
        return
    ann, agent = world.person("ann"), world.dice.choice((DOOMED, AGENTS[0], "_"))
    place = s.admin_subject(TENANT, "ann", "kill")
    await asyncio.sleep(world.dice.uniform(0, 6))
    await ann.says(place, Kill(on=True, agent=agent, reason=fresh("enough")))
    await asyncio.sleep(world.dice.uniform(0, 6))
    await ann.says(place, Kill(on=False, agent=agent))


async def _fault(world: World) -> None:
    """One process dies between two awaits, stands still, loses its connection, or has its clock
    moved; or the broker delivers something twice.
    """
    dice = world.dice
    await asyncio.sleep(dice.expovariate(1 / 2))
    name = dice.choice(tuple(world.services))
    fuse = dice.choice((0, 1, 2, 5, 20, dice.randrange(1, 400)))
    match dice.choice(("kill", "kill", "kill", "stop", "stop", "again", "again", "cut", "clock")):
        case "kill":
            world.fail(name, fuse)
        case "stop":
            stands_s = dice.choice(STOPS_S)
            world.fail(name, fuse, stands_s)
            await asyncio.sleep(stands_s)
        case "again":
            world.broker.doubles()
        case "cut":
            for client in world.clients[name]:
                client.break_off()
        case _:
            world.services[name].clock_off_s = dice.uniform(-MOST_OFF_S, MOST_OFF_S)


async def _raise_the_dead(world: World) -> None:
    """Start whoever died again, as the supervisor does."""
    while True:
        await asyncio.sleep(0.25)
        for name, process in tuple(world.services.items()):
            if not process.is_alive:
                world.start(name)


async def come_back(world: World) -> dict[str, Status | None]:
    """What each hold's agent is told by its id, on a connection that knows nothing of before."""
    facts = world.broker.logs[stream(TENANT, s.HOLDS)].by_subject
    holds = {tokens[4]: tokens[3] for it in facts if (tokens := it.split("."))[2] == "hold"}
    return {hold: await world.agent(agent).learns(hold) for hold, agent in holds.items()}
