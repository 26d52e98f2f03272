"""A worker between its look at a grant and the effect: whatever changed meanwhile, it counts."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace
from tests.builders import a_leave, a_tool, a_voice, an_action, asked_of
from tests.conftest import Connect
from tests.gate_context import a_gate
from tests.running_system import fresh
from tests.waiting import eventually
from tests.world import TENANT, World

from holdpoint.core.digest import action_digest
from holdpoint.core.grant import LONGEST, SKEW, Door
from holdpoint.core.tool import Result, ToolSpec
from holdpoint.gate.context import Gate
from holdpoint.gate.status_queries import Questions
from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import Repeat, Tool
from holdpoint.messages.hold import Resumed
from holdpoint.messages.policy import Voices
from holdpoint.messages.run import Barred, Finished, RunStatus, Started
from holdpoint.messages.subjects import HOLDS, ask_grant_subject
from holdpoint.runtime.broker.lanes import Delivery, delivery_of
from holdpoint.runtime.broker.request_reply import Pool, Responder
from holdpoint.runtime.broker.wire import wire_of
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.credentials import GATE
from holdpoint.runtime.security.keys import SIGNATURE_HEADER, Keyset, Signer, worker_role
from holdpoint.runtime.store.history import LoadedRun, Runs
from holdpoint.runtime.store.journal import Journal, Revision
from holdpoint.workers.broker_time import BrokerTime
from holdpoint.workers.effects import Worker
from holdpoint.workers.grants import on_grant

pytestmark = pytest.mark.nats

DOMAIN = "database"
ASKED = asked_of(Voices(group="operators"), approvers={"operators": ("ann", "ben")})
TOOL = a_tool(plans=False)
DONE = Result(status=RunStatus.DONE)
CHANGED = replace(TOOL, schema_sha256="0e" * 32)


class Watched(Runs):
    """The facts of runs; something happens while one is stored."""

    meanwhile: Callable[[], None] = staticmethod(lambda: None)

    async def append(self, *args: Any, **more: Any) -> Revision:
        seq = await super().append(*args, **more)
        self.meanwhile()
        return seq


@dataclass
class Bench:
    """A worker's parts without its lane, a gate's to let something go, and what took effect."""

    world: World
    connected: Connect
    effects: list[JsonObject] = field(default_factory=list)
    specs: dict[str, ToolSpec] = field(default_factory=dict)

    def offers(self, tool: Tool, result: Any = DONE) -> None:
        """Let the worker know this tool and no other."""

        async def run(arguments: Any, _: Any) -> Any:
            self.effects.append(arguments)
            return result

        async def nothing_happened(_: Any, __: Any) -> None:
            return None

        lookup = nothing_happened if tool.repeat is Repeat.LOOKUP else None
        self.specs.clear()
        self.specs[tool.name] = ToolSpec(
            tool=tool, arguments=dict[str, Any], run=run, lookup=lookup
        )

    async def worker(self) -> Worker:
        login, settings = self.world.login(f"worker_{DOMAIN}"), self.world.settings
        client, role, keyset = (
            await self.connected(login), worker_role(DOMAIN), Keyset(settings.keys_dir),
        )  # fmt: skip
        signer = Signer(settings.keys_dir, role, keyset)
        return Worker(
            tenant=TENANT,
            domain=DOMAIN,
            owner=f"{role}/this",
            lease_s=60.0,
            longest_s=10.0,
            specs=self.specs,
            door=Door(tenant=TENANT, domain=DOMAIN, tools=Tools(self.specs)),
            client=client,
            runs=Watched(Journal(client, login, TENANT, f"holdpoint/{role}", signer)),
            keyset=keyset,
            keys_dir=settings.keys_dir,
            passkey_from_level=5,
            console_origin="",
            settings=None,
            resource=None,
        )

    async def let_go(
        self, tool: Tool, worker: Worker, ago: timedelta = timedelta()
    ) -> tuple[Resumed, Delivery]:
        """Let a call go that ann confirmed so long ago; its grant, as it is delivered."""
        gate, now = await a_gate(self.world, self.connected), clock.now() - ago
        action = an_action(tool=tool.name, tool_schema_sha256=tool.schema_sha256, agent="robot")
        leave = a_leave(
            now,
            hold_id=fresh("hold"),
            agent="robot",
            action=action,
            digest=action_digest(action),
            requirement=ASKED,
            proposed_at=now,
            resolved_at=now,
            voices=(a_voice("ann"),),
        )
        seq = (await gate.holds.append(leave, after=0)).seq
        return leave, await self.delivered(gate, worker, seq)

    async def delivered(
        self, gate: Gate, worker: Worker, seq: Revision, deliveries: int = 2
    ) -> Delivery:
        """Return what is stored there, as it is delivered."""
        kept = await gate.journal.reader.at(HOLDS, seq)
        assert kept is not None
        headers = f"NATS/1.0\r\n{SIGNATURE_HEADER}: {kept.signature}\r\n\r\n".encode()
        at = int(kept.at.timestamp() * 1e6)
        reply = f"$JS.ACK.HP_HOLDS_acme.w.{deliveries}.{seq}.1.{at}000.0"
        wire = wire_of(worker.client)
        return delivery_of(wire, kept.subject, reply, headers, kept.data)

    async def run(self, worker: Worker, leave: Resumed) -> LoadedRun:
        run = await worker.runs.load_direct(DOMAIN, "robot", leave.hold.hold_id)
        assert run is not None
        return run


class Tools(dict[str, Tool]):
    """The catalog's entries of what the worker knows now."""

    def __init__(self, specs: dict[str, ToolSpec]) -> None:
        super().__init__()
        self._specs = specs

    def __contains__(self, name: object) -> bool:
        return name in self._specs

    def __getitem__(self, name: str) -> Tool:
        return self._specs[name].tool


@pytest.fixture
def bench(world: World, connected: Connect) -> Bench:
    return Bench(world=world, connected=connected)


def claimed(leave: Resumed, owner: str) -> Started:
    """A claim whose lease is over."""
    assert leave.grant is not None
    return Started(
        hold_id=leave.hold.hold_id,
        digest=leave.hold.digest,
        cause="HOLDS:1",
        held=True,
        nonce=leave.grant.nonce,
        owner=owner,
        lease_until=clock.now() - timedelta(seconds=1),
    )


async def test_a_claim_of_its_own_that_outlived_its_lease_ends_without_another_worker(
    bench: Bench,
) -> None:
    """It stood still between its claim and the effect, and nobody else is there to end it."""
    bench.offers(TOOL)
    worker = await bench.worker()
    leave, delivery = await bench.let_go(TOOL, worker)
    await worker.runs.append(claimed(leave, worker.owner), leave.hold, after=0)

    await on_grant(worker, delivery)

    run = await bench.run(worker, leave)
    assert bench.effects == []
    assert isinstance(run.fact, Finished)
    assert run.fact.status is RunStatus.FAILED
    assert run.fact.error.endswith("Nothing ran.")


@pytest.mark.parametrize(
    "result", [None, "done", Result(status=RunStatus.DONE, data={"at": object()})]
)
@pytest.mark.parametrize(
    ("repeat", "ends"),
    [(Repeat.IDEMPOTENT, RunStatus.FAILED), (Repeat.MANUAL, RunStatus.IN_DOUBT)],
)
async def test_a_tool_that_returns_no_result_ends_its_run_after_one_effect(
    bench: Bench, result: Any, repeat: Repeat, ends: RunStatus
) -> None:
    told = a_tool(plans=False, repeat=repeat)
    bench.offers(told, result)
    worker = await bench.worker()
    leave, delivery = await bench.let_go(told, worker)

    await on_grant(worker, delivery)

    run = await bench.run(worker, leave)
    assert len(bench.effects) == 1
    assert isinstance(run.fact, Finished)
    assert run.fact.status is ends


@pytest.mark.parametrize("now_known", [CHANGED, a_tool(name="another")])
async def test_what_was_begun_is_in_doubt_though_its_tool_changed_since(
    bench: Bench, now_known: Tool
) -> None:
    """Its worker died in the middle of it, and came back with another version of the tool."""
    bench.offers(now_known)
    worker = await bench.worker()
    leave, delivery = await bench.let_go(TOOL, worker)
    await worker.runs.append(claimed(leave, "worker/that-died"), leave.hold, after=0)

    await on_grant(worker, delivery)

    run = await bench.run(worker, leave)
    assert bench.effects == []
    assert isinstance(run.fact, Finished)
    assert run.fact.status is RunStatus.IN_DOUBT


@pytest.mark.parametrize("now_known", [CHANGED, a_tool(name="another")])
async def test_a_tool_that_changes_while_its_claim_is_stored_does_not_run(
    bench: Bench, now_known: Tool
) -> None:
    bench.offers(TOOL)
    worker = await bench.worker()
    leave, delivery = await bench.let_go(TOOL, worker)
    assert isinstance(worker.runs, Watched)
    worker.runs.meanwhile = lambda: bench.offers(now_known)

    await on_grant(worker, delivery)

    run = await bench.run(worker, leave)
    assert bench.effects == []
    assert isinstance(run.fact, Finished)
    assert run.fact.status is RunStatus.FAILED
    assert run.fact.error.endswith("Nothing ran.")


async def test_what_ran_does_not_run_again_where_a_copy_of_the_stream_lags_behind(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.offers(TOOL)
    worker = await bench.worker()
    leave, delivery = await bench.let_go(TOOL, worker)
    await on_grant(worker, delivery)
    started = replace(claimed(leave, worker.owner), lease_until=clock.now() + timedelta(minutes=1))

    async def lagging(*_: str) -> LoadedRun:
        return LoadedRun(fact=started, seq=1, at=clock.now())

    monkeypatch.setattr(worker.runs, "load_direct", lagging)
    await on_grant(worker, delivery)

    assert len(bench.effects) == 1


async def test_what_ran_is_remembered_until_its_lease_is_over(bench: Bench) -> None:
    bench.offers(TOOL)
    worker = dataclasses.replace(await bench.worker(), lease_s=0.2)
    leave, delivery = await bench.let_go(TOOL, worker)

    await on_grant(worker, delivery)

    async def is_forgotten() -> bool:
        return not worker.acted

    assert worker.acted == {leave.hold.hold_id}
    assert await eventually(is_forgotten)


@pytest.mark.parametrize("repeat", [Repeat.IDEMPOTENT, Repeat.LOOKUP])
async def test_what_a_worker_left_behind_is_not_run_again_after_its_grant(
    bench: Bench, repeat: Repeat
) -> None:
    """It may never have begun: then to run it again is to run it first, and too late."""
    tool = a_tool(plans=False, repeat=repeat)
    bench.offers(tool)
    worker = await bench.worker()
    leave, delivery = await bench.let_go(tool, worker, ago=LONGEST + 2 * SKEW)
    left = replace(claimed(leave, "worker/that-died"), extended=True)
    await worker.runs.append(left, leave.hold, after=0)

    await on_grant(worker, delivery)

    run = await bench.run(worker, leave)
    assert bench.effects == []
    assert isinstance(run.fact, Finished)
    assert run.fact.status is RunStatus.IN_DOUBT


async def test_a_worker_whose_clock_is_slow_runs_no_grant_after_its_end(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The broker's time of what it is handed tells it."""
    bench.offers(TOOL)
    worker = await bench.worker()
    _, delivery = await bench.let_go(TOOL, worker, ago=LONGEST + 2 * SKEW)
    right = clock.now
    monkeypatch.setattr(clock, "now", lambda: right() - LONGEST)

    with pytest.raises(UnavailableError):  # there is no gate here to ask for a fresh one
        await on_grant(worker, delivery)

    assert bench.effects == []


class AnHourAhead(BrokerTime):
    """The time of a worker whose clock is wrong."""

    def now(self) -> datetime:
        return super().now() + timedelta(hours=1)


async def test_a_fresh_grant_that_is_too_old_as_well_waits_before_the_next_is_asked_for(
    bench: Bench,
) -> None:
    """A wrong clock would ask for hundreds a second."""
    bench.offers(TOOL)
    worker = dataclasses.replace(await bench.worker(), time=AnHourAhead())
    gate = await a_gate(bench.world, bench.connected)
    responder, subject = Responder(client=gate.client), ask_grant_subject(TENANT, "*")
    await responder.serve(subject, GATE, Questions(gate=gate).on_grant, Pool(most=1))
    leave, delivery = await bench.let_go(TOOL, worker)

    async def stands() -> Revision:
        loaded = await gate.holds.load("robot", leave.hold.hold_id)
        assert loaded is not None
        return loaded.seq

    await on_grant(worker, delivery)
    minted = await stands()
    await on_grant(worker, await bench.delivered(gate, worker, minted, deliveries=1))
    once = await stands()
    await on_grant(worker, await bench.delivered(gate, worker, minted, deliveries=2))
    await responder.close()

    assert (minted > delivery.seq, once) == (True, minted)
    assert await stands() > minted
    assert bench.effects == []


async def test_a_read_that_people_confirmed_does_not_run_once_it_was_barred(bench: Bench) -> None:
    tool = a_tool(level=1, repeat=Repeat.IDEMPOTENT, plans=False)
    bench.offers(tool)
    worker, gate = await bench.worker(), await a_gate(bench.world, bench.connected)
    leave, delivery = await bench.let_go(tool, worker)
    hold = leave.hold
    barred = Barred(
        hold_id=hold.hold_id, digest=hold.digest, cause="ADMIN:1", reason="Kill switch.", held=True
    )
    await gate.runs.append(barred, hold, after=0)

    await on_grant(worker, delivery)

    assert bench.effects == []
    assert isinstance((await bench.run(worker, leave)).fact, Barred)
