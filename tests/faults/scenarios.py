"""Faults that are no death: zombies, a ledger out of reach, everything delivered again, poison.

Each act ends at rest; `Scene.judged` then says what does not hold.
"""

import asyncio
import signal
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace
from nats.errors import MaxPayloadError
from tests.actors import StreamEyes
from tests.faults.actors import Part, Plot, live, surely
from tests.faults.bad_network import Weather
from tests.faults.fault_system import AGENTS, DOOMED, Scene
from tests.faults.kill_rounds import play, plots
from tests.faults.processes import GATE, WORKER
from tests.integration.bad_calls import NOT_JSON
from tests.postgres import Postgres
from tests.running_system import LONG_S, TENANT, fresh
from tests.waiting import eventually

from holdpoint.core.digest import action_digest
from holdpoint.ledger.engines import file_of
from holdpoint.messages import subjects as s
from holdpoint.messages.base import MAX_MESSAGE_BYTES
from holdpoint.messages.call import Withdraw
from holdpoint.messages.codec import encode_event
from holdpoint.messages.hold import Passed, Resumed, Witnessed
from holdpoint.messages.state import Kill
from holdpoint.runtime.broker.connection import jetstream
from holdpoint.runtime.broker.streams import NANOSECONDS, Consumer
from holdpoint.runtime.process import clock

POISON = tuple(body for _, _, body in NOT_JSON)
AT_ONCE_S = 0.05
"""Below what any handler needs: everything is delivered again while it is in hand."""

ROUNDS = 4
"""Within which something grows too old, also on a busy machine."""


async def zombie_gate(scene: Scene, step: str) -> None:
    """A gate stands still before it writes; another one writes; the first one goes on."""
    cast = scene.cast
    await cast.kill("gate-1", then=f"{step}:1:stop")
    (busy, zombie) = _busy(scene, "change"), cast.stands_still("gate-1")
    lives = asyncio.create_task(busy)
    await zombie
    await cast.start("gate-2", GATE)
    await lives
    cast.signal("gate-1", signal.SIGCONT)
    await cast.kill("gate-2")
    await _busy(scene, "note")
    await scene.comes_to_rest(clock.monotonic())


async def zombie_worker(scene: Scene, step: str) -> None:
    """A worker stands still with a claim in hand; it goes on when that was settled long ago."""
    cast = scene.cast
    await cast.kill("worker-1", then=f"{step}:1:stop")
    lives = asyncio.create_task(_busy(scene, "change"))
    await cast.stands_still("worker-1")
    await cast.start("worker-2", WORKER)
    await lives
    cast.signal("worker-2", signal.SIGSTOP)
    cast.signal("worker-1", signal.SIGCONT)
    try:
        await _busy(scene, "note")
    finally:
        cast.signal("worker-2", signal.SIGCONT)
    await scene.comes_to_rest(clock.monotonic())


async def ledger_locked(scene: Scene, seconds: float) -> None:
    """Somebody else writes to the ledger all the time; life goes on."""
    url = scene.road.settings.ledger_url
    with closing(sqlite3.connect(file_of(url), isolation_level=None)) as ledger:
        ledger.execute("BEGIN EXCLUSIVE")
        await asyncio.gather(play(scene, plots(scene.dice)), asyncio.sleep(seconds))
        ledger.execute("ROLLBACK")
    await scene.comes_to_rest(clock.monotonic())


async def ledger_gone(scene: Scene, seconds: float) -> None:
    """The ledger is not where it was, and then it is."""
    with _moved_away(file_of(scene.road.settings.ledger_url)):
        await asyncio.gather(play(scene, plots(scene.dice)), asyncio.sleep(seconds))
    await scene.comes_to_rest(clock.monotonic())


async def database_down(scene: Scene, database: Postgres, seconds: float) -> None:
    """The ledger's server is stopped, and started again; life goes on."""
    with database.stopped():
        await asyncio.gather(play(scene, plots(scene.dice)), asyncio.sleep(seconds))
    await scene.comes_to_rest(clock.monotonic())


async def bad_network(scene: Scene, weather: Weather, seconds: float) -> None:
    """What services and broker say to each other is late, lost or doubled, or stays away."""
    assert scene.network is not None
    scene.network.weather = weather
    lives = asyncio.create_task(play(scene, plots(scene.dice)))
    await asyncio.sleep(seconds)
    scene.network.weather = Weather.FINE
    if weather is Weather.BAD:
        scene.network.end()
    await lives
    await scene.comes_to_rest(clock.monotonic())


async def all_again(scene: Scene) -> None:
    """Every durable consumer is made anew: everything that was ever said is delivered once more."""
    await play(scene, plots(scene.dice))
    await scene.comes_to_rest(clock.monotonic())
    for it in scene.plan().consumers:
        await _made_anew(scene, it)
    await play(scene, plots(scene.dice))
    await scene.comes_to_rest(clock.monotonic())


async def again_at_once(scene: Scene) -> None:
    """Everything is delivered again, and to somebody else, while it is being handled."""
    async with _impatient(scene):
        await play(scene, plots(scene.dice))
    await scene.comes_to_rest(clock.monotonic())


async def poison(scene: Scene) -> None:
    """What cannot be read, is too large, or was never signed: it stops nobody."""
    robot, ann = scene.agents[AGENTS[0]].voice, scene.people["ann"].voice
    js = jetstream(robot.client, robot.login)
    for word in ("propose", "intent", "withdraw"):
        for body in POISON:
            await js.publish(s.call_subject(TENANT, robot.name, word), body)
    people = jetstream(ann.client, ann.login)
    for subject in (
        s.answer_subject(TENANT, "terminal", "ann", robot.name, fresh("h")),
        s.admin_subject(TENANT, "ann", "kill"),
    ):
        for body in POISON:
            await people.publish(subject, body)
    await _too_large(scene)
    await play(scene, plots(scene.dice))
    await _forge(scene)
    await play(scene, plots(scene.dice))
    await scene.comes_to_rest(clock.monotonic())


async def workers_away(scene: Scene, step: str) -> None:
    """Nobody can act: grants are barred, and others grow too old; whichever gate is to say so dies
    before that, and then afterwards.
    """
    names = [name for name, it in scene.cast.players.items() if it.service == WORKER]
    for name in names:
        scene.cast.signal(name, signal.SIGSTOP)
    gates = [name for name, it in scene.cast.players.items() if it.service == GATE]
    for side in ("before", "after"):
        for name in gates:
            await scene.cast.kill(name, then=f"{step}.{side}:1")
        for _ in range(ROUNDS):
            await _left_alone(scene)
            if scene.cast.steps()[f"gate {step}.{side}"]:
                break
    for name in names:
        scene.cast.signal(name, signal.SIGCONT)
    await scene.comes_to_rest(clock.monotonic())


async def audit_dies_before_its_commit(scene: Scene) -> None:
    """What it has in hand is on no disk yet: it is read again."""
    await scene.cast.kill("audit-1", then="commit.before:1")
    await play(scene, plots(scene.dice))
    await scene.comes_to_rest(clock.monotonic())


async def two_of_one_group(scene: Scene) -> None:
    """They say yes to what also needs somebody of another group: it expires."""
    plot = Plot(agent=AGENTS[0], tool="pay", voices=("ann", "ben"))
    scene.told.append(await live(scene.agents[plot.agent], scene.people, plot))
    await scene.comes_to_rest(clock.monotonic())


async def _left_alone(scene: Scene) -> None:
    """Some of what waits for a worker is withdrawn or stopped, and some is only too late."""
    busy = [_busy(scene, "note") for _ in range(3)]
    stopped = Plot(agent=DOOMED, tool="note")
    kill = s.admin_subject(TENANT, "ann", "kill")
    lives = asyncio.gather(*busy, live(scene.agents[DOOMED], scene.people, stopped))
    agent = scene.agents[AGENTS[1]]
    key = fresh("key")
    seq = await agent.proposes(Plot(agent=AGENTS[1], tool="note"), key)
    told = await agent.hears(lambda it: bool(it.hold_id), seq=seq)
    await agent.says("withdraw", Withdraw(hold_id=told.hold_id), fresh("key"))
    await scene.people["ann"].says(kill, Kill(on=True, agent=DOOMED))
    await lives
    await scene.people["ann"].says(kill, Kill(on=False, agent=DOOMED))


async def _busy(scene: Scene, tool: str) -> None:
    plot = Plot(agent=AGENTS[0], tool=tool, part=Part.PROCEED, takes_ms=20)
    scene.told.append(await live(scene.agents[plot.agent], scene.people, plot))


@contextmanager
def _moved_away(ledger: Path) -> Iterator[None]:
    """With everything that SQLite keeps beside it."""
    there = [path for path in ledger.parent.glob(f"{ledger.name}*") if path.is_file()]
    away = ledger.parent / "away"
    away.mkdir()
    for path in there:
        path.rename(away / path.name)
    try:
        yield
    finally:
        for path in there:
            (away / path.name).rename(path)


async def _made_anew(scene: Scene, it: Consumer) -> None:
    js = jetstream(scene.eyes.client, scene.eyes.login)
    await js.delete_consumer(it.stream, it.durable)
    made = {"stream_name": it.stream, "config": it.config(), "action": "create"}
    subject = f"$JS.API.CONSUMER.CREATE.{it.stream}.{it.durable}"
    reply = await scene.eyes.client.request(subject, msgspec.json.encode(made), timeout=5)
    assert "error" not in msgspec.json.decode(reply.data), reply.data


@asynccontextmanager
async def _impatient(scene: Scene) -> AsyncIterator[None]:
    """Meanwhile nobody is given the time to finish anything."""
    assert AT_ONCE_S * NANOSECONDS >= 1
    await scene.hand_over_after(AT_ONCE_S)
    try:
        yield
    finally:
        await scene.hand_over_after(1.0)


async def _too_large(scene: Scene) -> None:
    """More than a message may have: the broker takes it or not, nothing comes of it."""
    voice = scene.agents[AGENTS[0]].voice
    js = jetstream(voice.client, voice.login)
    for size in (MAX_MESSAGE_BYTES - 1, MAX_MESSAGE_BYTES + 1, 2 * MAX_MESSAGE_BYTES):
        body = b'{"data": "' + b"x" * size + b'"}'
        try:
            await js.publish(s.call_subject(TENANT, voice.name, "propose"), body, timeout=2)
        except (MaxPayloadError, *_REFUSED):
            continue


async def _forge(scene: Scene) -> None:
    """Somebody has the gate's place on the bus, and not its key."""
    client = await scene.guests.client("gate")
    js = jetstream(client, scene.road.login("gate"))
    model = await eventually(lambda: _model(scene.eyes), LONG_S)
    assert model is not None
    for header in (None, "gate-1 bm9ib2R5"):
        fact = _forged(model)
        body = encode_event(
            fact, event_id=fresh("e"), source="x", subject=s.hold_subject(fact), at=clock.now(),
            salt="",
        )  # fmt: skip
        headers = {"Holdpoint-Signature": header} if header else None
        await js.publish(s.hold_subject(fact), body, headers=headers)


def _forged(model: Any) -> Any:
    """Leave for a deed that nobody proposed; all of it fits together."""
    action = replace(model.hold.action, arguments={"mark": fresh("evil"), "takes_ms": 0})
    digest, now = action_digest(action), clock.now()
    hold = replace(model.hold, hold_id=fresh("h"), action=action, digest=digest)
    ends = now + timedelta(seconds=60)
    grant = replace(model.grant, nonce=fresh("n"), iat=now, nbf=now, exp=ends)
    return replace(model, hold=hold, grant=grant)


async def _model(eyes: StreamEyes) -> Passed | Witnessed | Resumed | None:
    stored = await surely(lambda: eyes.on(s.HOLDS, f"hp.{TENANT}.hold.*.*.witnessed.*"))
    for it in stored:
        if isinstance(it.message, Witnessed) and it.message.grant is not None:
            return it.message
    return None


_REFUSED = (TimeoutError, OSError)
