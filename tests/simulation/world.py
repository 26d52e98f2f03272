"""One simulated world: the gate's, the workers' and the audit's own code on the broker's double.

Only the broker, the clock, chance and threads are doubles. What a service does at its start is
done here as in `gate/app.py` and `workers/app.py`, but that FastStream's subscribers are tasks.
"""

import asyncio
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random  # noqa: TID251  # seeded: a run can be repeated
from typing import Any

from msgspec.structs import replace
from tests.actors import AgentVoice, PersonVoice
from tests.faults import checker, effects_domain, fault_system
from tests.faults.actors import Agent, Person
from tests.faults.effects_domain import DOMAIN, TOOLS, Effect
from tests.running_system import TENANT
from tests.simulation import quick
from tests.simulation.connection import SimClient, Weather
from tests.simulation.jetstream import BEGINNING, Broker, Lane, Log
from tests.simulation.loop import CURRENT, Loop, Process

from holdpoint.audit.checkpoint_keys import Attester, origin_of
from holdpoint.audit.follower import Follower
from holdpoint.audit.signatures import verified_with_the_commit, verify_signatures
from holdpoint.audit.stream_reader import StreamReader
from holdpoint.core.digest import policy_digest
from holdpoint.core.grant import SKEW
from holdpoint.core.risk import make_ready
from holdpoint.core.tool import ToolSpec, spec_of
from holdpoint.gate import app as gate_app
from holdpoint.gate import delegations
from holdpoint.gate.policy import OnDisk, on_disk, prepare
from holdpoint.gate.step_up_orders import keep_knowing
from holdpoint.gate.tool_catalog import ToolCatalog
from holdpoint.ledger.signatures import last_verified, signed_after
from holdpoint.ledger.writer import Ledger, upgrade
from holdpoint.messages import subjects as s
from holdpoint.runtime.broker import connection, provisioning, pulls, streams
from holdpoint.runtime.broker.connection import Login
from holdpoint.runtime.broker.lanes import Delivery, Handler, delivery_of, guarded
from holdpoint.runtime.broker.lanes import Lane as DrawnLane
from holdpoint.runtime.broker.pulls import pull
from holdpoint.runtime.broker.request_reply import Responder
from holdpoint.runtime.broker.streams import GATES, Limits, worker_durable
from holdpoint.runtime.config.registry import Registry, load_registry
from holdpoint.runtime.config.settings import MEBIBYTE, Settings
from holdpoint.runtime.process import clock
from holdpoint.runtime.process.service import Job
from holdpoint.runtime.security.keys import Keyset
from holdpoint.workers import app as workers_app
from holdpoint.workers.app import Hands
from holdpoint.workers.grants import on_grant, run_together

LEASE_S = 6.0
MOST_OFF_S = 2.4
"""Wall clocks are wrong by less than the 5 s that grants allow, and workers' limits by as much."""

ON_ITS_WAY_S = 1.0
"""Between a worker's look at its clock and the broker's time of its claim."""

LOOK_S, SWEEP_S = 2.0, 0.5
"""How often lanes and requests look whether something broke: four times as often costs twice as
much, and finds nothing more.
"""

LEDGER_EVERY = 10
"""Of so many seeds one has an audit, which writes a real ledger."""

BIG = 1 << 40


@dataclass(frozen=True, kw_only=True)
class Setup:
    """What every seed begins with: configuration and keys on disk, read once."""

    settings: Settings
    tenant: streams.Tenant
    registry: Registry
    draft: OnDisk
    digest: str
    """Of the policy."""

    catalog: ToolCatalog
    specs: Mapping[str, ToolSpec]
    empty_ledger: Path


def set_up(folder: Path) -> Setup:
    """Make the keys of one tenant, and read the configuration of the fault runs."""
    settings = Settings(
        tenant=TENANT,
        state_dir=folder / "var",
        config_dir=fault_system._config(folder / "config"),
        domains={DOMAIN: Path(effects_domain.__file__)},
        passkey_from_level=6,
        stream_max_bytes=8 * MEBIBYTE,
        lease_s=LEASE_S,
    )
    shutil.rmtree(settings.state_dir, ignore_errors=True)
    prepared = provisioning.prepare(settings, (DOMAIN,), 4222, BEGINNING - timedelta(days=1))
    registry = load_registry(settings.config_dir)
    draft = on_disk(settings, registry)
    assert draft.policy is not None, draft.fault
    intents = replace(draft.policy.intents, reader=False)
    policy = replace(draft.policy, intents=intents)
    make_ready(policy.patterns)
    specs = {(spec := spec_of(tool)).tool.name: spec for tool in TOOLS}
    empty_ledger = folder / "empty" / "empty.db"
    upgrade(f"sqlite:///{empty_ledger}")
    tools = tuple(spec.tool for spec in specs.values())
    return Setup(
        settings=settings,
        tenant=prepared.tenant,
        registry=registry,
        draft=OnDisk(policy=policy),
        digest=policy_digest(policy),
        catalog=ToolCatalog(tools, settings.config_dir / "catalog"),
        specs=specs,
        empty_ledger=empty_ledger,
    )


@dataclass(eq=False, kw_only=True)
class World:
    """Broker, services and everybody who uses them, at one seed."""

    setup: Setup
    seed: int
    loop: Loop
    dice: Random
    broker: Broker
    weather: Weather
    deeds: list[Effect] = field(default_factory=list)
    services: dict[str, Process] = field(default_factory=dict)
    clients: dict[str, list[SimClient]] = field(default_factory=dict)
    lives: int = 0
    deaths: int = 0
    ledger_url: str = ""
    """Empty where there is no audit: a ledger costs more than all the rest."""

    follower: Follower | None = None
    ledger: Ledger | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The services that run, and are started again when they die."""
        audit = ("audit",) if self.ledger_url else ()
        return ("gate-1", "gate-2", "worker-1", "worker-2", *audit)

    def client(self, process: Process, user: str) -> tuple[SimClient, Login]:
        """Connect a process as this user."""
        login = Login(user=user, seed="", url="sim")
        client = SimClient(self.broker, process, login, self.weather, self.dice)
        self.clients.setdefault(process.name.partition("/")[0], []).append(client)
        return client, login

    def start(self, name: str) -> None:
        """Begin another life of a gate or worker."""
        self.lives += 1
        skew_s = self.dice.choice((0.0, 0.0, 0.0, -0.4, 0.4, MOST_OFF_S, -MOST_OFF_S))
        process = Process(name=f"{name}/{self.lives}", clock_off_s=skew_s)
        self.deaths += name in self.services
        self.services[name] = process
        self.clients[name] = []
        kinds = {"gate": self._gate, "worker": self._worker, "audit": self._audit}
        self.loop.spawn(process, kinds[name.partition("-")[0]](process))

    def fail(self, name: str, fuse: int, stands_s: float = 0.0) -> None:
        """Have it die or stand still, now or after so many more callbacks."""
        process = self.services[name]
        process.fuse, process.stands_s = fuse, stands_s
        if not fuse:
            process.fails(self.loop.time())

    async def _gate(self, process: Process) -> None:
        client, login = self.client(process, "gate")
        setup = self.setup
        gate = gate_app.wired(
            setup.settings, setup.catalog, setup.registry, setup.draft, client, login
        )
        await prepare(gate)
        for kind, batch, handler in gate_app.PUSHED:
            lane = s.stream(TENANT, kind)
            _push(client, next(it for it in self._lanes(lane) if it.durable == GATES), batch,
                  partial(handler, gate))  # fmt: skip
        await gate_app._answer_questions(gate, Responder(client=client))
        jobs: Sequence[Job] = (
            *gate_app._drawing(gate, login, setup.registry),
            partial(gate_app._sweep_for_ever, gate),
            gate.budgets.keep_telling,
            partial(keep_knowing, gate),
            partial(delegations.keep_knowing, gate),
        )
        await asyncio.gather(*(job() for job in jobs))

    def _lanes(self, name: str) -> Iterator[streams.Consumer]:
        return (it.config for it in self.broker.logs[name].lanes.values())

    async def _worker(self, process: Process) -> None:
        client, login = self.client(process, f"worker_{DOMAIN}")
        hands = Hands(domain=DOMAIN, specs=self.setup.specs, settings=None)
        worker = workers_app._worker(self.setup.settings, hands, client, login)
        lane = DrawnLane(
            stream=s.stream(TENANT, s.HOLDS),
            durable=worker_durable(DOMAIN),
            batch=workers_app.SIDE_BY_SIDE,
        )
        handler, together = partial(on_grant, worker), partial(run_together, worker)
        await pull(client, login, lane, handler, together, worker.long)

    async def _audit(self, process: Process) -> None:
        """As in `audit/app.py`, without what it publishes outside."""
        client, login = self.client(process, "audit")
        settings = self.setup.settings
        keyset = Keyset(settings.keys_dir)
        self.end()
        self.ledger = Ledger(
            self.ledger_url,
            partial(verified_with_the_commit, Keyset(settings.keys_dir)),
            Attester(settings.keys_dir, keyset, origin_of(TENANT)),
        )
        audited = s.sources(s.AUDITED, self.setup.tenant.agent_names)
        self.follower = Follower(
            reader=StreamReader(client, login),
            ledger=self.ledger,
            streams=tuple(s.stream(TENANT, source) for source in audited),
        )
        login.lost.append(self.follower.check_again)
        await self.follower.begin_metrics()
        await asyncio.gather(self.follower.run(), verify_signatures(self.ledger, keyset))

    def not_entered(self) -> list[str]:
        """Return the streams that the ledger does not hold to their end, or has not verified."""
        if self.follower is None or self.ledger is None:
            return []
        follower = self.follower
        left = [it for it in follower.streams
                if follower.entered_to(it) != self.broker.logs[it].last_seq]  # fmt: skip
        if not left and self.ledger._snapshot(lambda it: signed_after(it, last_verified(it), 1)):
            left = ["signatures that nobody looked at"]
        return left

    def end(self) -> None:
        """Let go of the ledger's file, as the kernel does for a process that died."""
        if self.ledger is not None:
            self.ledger._forget()

    def _guest(self, name: str) -> Process:
        self.lives += 1
        return Process(name=f"{name}/{self.lives}")

    def agent(self, name: str) -> Agent:
        """Somebody who speaks as this agent."""
        process = self._guest(name)
        client, login = self.client(process, f"agent_{name}")
        return Agent(voice=AgentVoice(name=name, client=client, login=login))

    def person(self, name: str) -> Person:
        """Somebody who answers as this person."""
        process = self._guest(name)
        client, login = self.client(process, f"person_{name}")
        return Person(voice=PersonVoice(name=name, client=client, login=login))

    def write(self, effect: Effect, *, once: bool) -> None:
        """Take the place of the log of effects: it has the true time, and the worker's own."""
        if once and self.was_done(effect.hold_id):
            return
        begun = self.broker.now - timedelta(milliseconds=effect.arguments["takes_ms"])
        true = replace(effect, at=self.broker.now, begun=begun, by_worker=effect.begun)
        self.deeds.append(true)

    def was_done(self, hold_id: str) -> bool:
        """Whether the target knows it."""
        return any(it.hold_id == hold_id for it in self.deeds)


def _push(client: SimClient, lane: streams.Consumer, at_once: int, handler: Handler) -> None:
    """As FastStream's subscriber: so many handlers side by side, and the rest waits its turn."""
    turns = asyncio.Semaphore(at_once)

    async def handle(delivery: Delivery) -> None:
        async with turns:
            await guarded(handler, delivery)

    def on_message(subject: str, reply: str, block: bytes, body: bytes) -> None:
        client.loop.create_task(handle(delivery_of(client.wire, subject, reply, block, body)))

    client.wire.subscribe(lane.deliver_to, on_message, lane.durable)


def a_world(setup: Setup, seed: int, loop: Loop) -> World:
    """Everything stands still before its first moment; some worlds have an audit and a ledger."""
    dice = Random(seed)  # noqa: S311  # the seed is printed, so that a run can be repeated
    plan = streams.plan(setup.tenant, Limits(max_bytes=BIG, replicas=1))
    logs = {it.name: Log(config=it) for it in plan.streams}
    for lane in plan.consumers:
        logs[lane.stream].lanes[lane.durable] = Lane(config=lane)
    broker = Broker(loop=loop, dice=dice, tenant=TENANT, logs=logs)
    weather = Weather(latency_s=dice.choice((0.0005, 0.002, 0.02, 0.2)),
                      lost=dice.choice((0.0, 0.0, 0.01, 0.05)))  # fmt: skip
    url = ""
    if seed % LEDGER_EVERY == 0:
        url = f"sqlite:///{_a_ledger(setup.empty_ledger)}"
    return World(
        setup=setup,
        seed=seed,
        loop=loop,
        dice=dice,
        broker=broker,
        weather=weather,
        ledger_url=url,
    )


def _a_ledger(empty: Path) -> Path:
    """An empty one, where the one of the seed before was."""
    ledger = empty.with_name("ledger.db")
    quick.let_go(ledger)
    for left in ledger.parent.glob(f"{ledger.name}*"):
        left.unlink()
    return Path(shutil.copy(empty, ledger))


class _SimTime:
    """Takes the place of the module `time` in `clock`."""

    def __init__(self, world: World) -> None:
        self._world = world

    def monotonic(self) -> float:
        """Seconds that only go forward, the same for everybody."""
        return self._world.loop.time()

    def thread_time(self) -> float:
        """Nothing costs anything."""
        return 0.0


class _SimDatetime(datetime):
    """Takes the place of `datetime` in `clock`."""

    world: World

    @classmethod
    def now(cls, _: Any = None) -> datetime:  # type: ignore[override]  # whose wall clock it is
        """Return the wall clock of the process that asks."""
        process = CURRENT.get(None)
        off_s = process.clock_off_s if process else 0.0
        return cls.world.broker.now + timedelta(seconds=off_s)


class _SimChance:
    """Takes the place of `secrets` and `uuid` in `clock`."""

    def __init__(self, dice: Random) -> None:
        self._dice = dice

    def token_hex(self, count: int) -> str:
        """Bytes of chance."""
        return self._dice.randbytes(count).hex()

    def uuid4(self) -> str:
        """An id of chance."""
        return self._dice.randbytes(16).hex()


@contextmanager
def in_place_of_the_real(world: World) -> Iterator[None]:
    """Clock, chance and the log of effects are this world's meanwhile."""
    chance = _SimChance(Random(world.seed + 1))  # noqa: S311
    here = type("Datetime", (_SimDatetime,), {"world": world})
    changed = (
        (gate_app, "policy_digest", lambda _: world.setup.digest),  # of always the same policy
        (checker, "SKEW", SKEW + timedelta(seconds=MOST_OFF_S + ON_ITS_WAY_S)),
        (pulls, "LOOK_S", LOOK_S),
        (connection, "SWEEP_S", SWEEP_S),
        (clock, "time", _SimTime(world)),
        (clock, "datetime", here),
        (clock, "secrets", chance),
        (clock, "uuid", chance),
        (effects_domain, "_write", world.write),
        (effects_domain, "_is_there", world.was_done),
        *quick.ALWAYS,
        *(() if world.ledger_url else quick.WITHOUT_LEDGER),
    )
    before = [(module, name, getattr(module, name)) for module, name, _ in changed]
    for module, name, value in changed:
        setattr(module, name, value)
    try:
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)
