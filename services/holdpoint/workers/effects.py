"""The effect and its result: acted on under a lease, told for certain, or said to be in doubt.

A dry run tells what the effect would be, provably without it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import structlog
from msgspec.structs import replace
from nats.aio.client import Client

from holdpoint.core.grant import Claimed, Door, is_over
from holdpoint.core.responses import described
from holdpoint.core.spoken import spoken
from holdpoint.core.tool import (
    ArgumentsError,
    PlanContext,
    Result,
    RunContext,
    ToolSpec,
    arguments_of,
)
from holdpoint.core.verdict import repeat_of
from holdpoint.messages.action import Action, Plan
from holdpoint.messages.ask import AskPlan, PlanAnswer
from holdpoint.messages.catalog import Repeat
from holdpoint.messages.codec import decode
from holdpoint.messages.hold import Hold
from holdpoint.messages.run import AnyRunFact, Finished, RunStatus, Started
from holdpoint.runtime.broker.lanes import Delivery
from holdpoint.runtime.errors import (
    ConflictError,
    HoldpointError,
    UnavailableError,
    UnknownOutcomeError,
)
from holdpoint.runtime.process import clock, crash
from holdpoint.runtime.security.keys import Keyset
from holdpoint.runtime.store.history import Runs
from holdpoint.runtime.store.lru_cache import Recent
from holdpoint.workers.broker_time import BrokerTime
from holdpoint.workers.long_runs import LongRuns
from holdpoint.workers.result_budget import ResultBudget

log = structlog.get_logger(__name__)

HEARTBEAT_S = 5.0
"""A third of the time after which the broker would hand the grant to another worker."""

TELL_AGAIN_S = 0.5

LONGEST_S = 1.8
"""Below the 2 s that the gate waits."""

AGAIN_S = 1.0
"""Before a claim that outlived its lease is looked at again: somebody else ends it."""

TOO_LATE = "The worker could not begin in time. Nothing ran."
OTHER_TOOL = "The tool changed before the worker could begin. Nothing ran."
IN_DOUBT = "It was started, and nobody knows whether it took effect. Look before you repeat it."


@dataclass(frozen=True, kw_only=True)
class Worker:
    """One domain's hands: it acts on grants for this domain and on nothing else."""

    tenant: str
    domain: str
    owner: str
    """This very process: whose claim it is."""

    lease_s: float
    """Time that a claim may stand without a sign of its worker before it is in doubt."""

    longest_s: float
    """Time that a tool may take, whatever it does."""

    specs: Mapping[str, ToolSpec]
    door: Door
    client: Client
    runs: Runs
    keyset: Keyset
    keys_dir: Path
    passkey_from_level: int
    """From this operation level on it verifies itself that passkeys signed the yes."""

    console_origin: str
    settings: Any
    """The domain's own settings."""

    resource: Any
    """What the domain opened at start: connections, for example."""

    time: BrokerTime = field(default_factory=BrokerTime)
    results: ResultBudget = field(default_factory=ResultBudget)
    long: LongRuns = field(default_factory=LongRuns)
    acted: set[str] = field(default_factory=set)
    """The holds whose effect this process has begun: a claim of its own is free before that. One
    that ended stays until its lease is over, as long as a copy of the stream may not know it."""

    asked_afresh: Recent[int] = field(default_factory=Recent)
    """Number of times that a fresh grant was asked for, by hold."""


@dataclass(eq=False, kw_only=True)
class Lease:
    """A claim while its worker is at work: the fact that it stands on, and until when."""

    seq: int
    started: Started
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    def is_mine(self, run: AnyRunFact) -> bool:
        """Return whether this fact is of the very same claim."""
        mine = (self.started.owner, self.started.nonce)
        return isinstance(run, Started) and (run.owner, run.nonce) == mine


async def act(
    worker: Worker,
    delivery: Delivery,
    claimed: Claimed,
    lease: Lease | None,
) -> None:
    """Run the tool and tell its result; a read needs no claim, and so has no lease."""
    until = lease.started.lease_until if lease else None
    extend = partial(extended, worker, claimed, lease) if lease else None
    with heartbeat(delivery, worker.lease_s / 3, extend):
        now = worker.time.now()
        if until is not None and now >= until:
            log.warning("claim_outlived", hold_id=claimed.hold.hold_id)
            await delivery.nack(AGAIN_S)
            return
        worker.acted.add(claimed.hold.hold_id)
        if why := _why_not(worker, claimed, now):
            await not_begun(worker, delivery, claimed, lease, why)
        else:
            with worker.long.watched(claimed.hold.agent):
                result = await _result(worker, claimed)
            await _tell(worker, delivery, claimed, result, lease)
    loop = asyncio.get_running_loop()
    loop.call_later(worker.lease_s, worker.acted.discard, claimed.hold.hold_id)


def _why_not(worker: Worker, claimed: Claimed, now: datetime) -> str:
    """Return why nothing may begin any more: storing the claim took its time. Empty if it may."""
    if is_over(claimed.grant, now):
        return TOO_LATE
    spec = worker.specs.get(claimed.action.tool)
    same = spec and spec.tool.schema_sha256 == claimed.action.tool_schema_sha256
    return "" if same else OTHER_TOOL


async def not_begun(
    worker: Worker, delivery: Delivery, claimed: Claimed, lease: Lease | None, why: str
) -> None:
    """End a run of which nothing has begun, and nothing will."""
    result = Result(status=RunStatus.FAILED, error=why)
    await _tell(worker, delivery, claimed, result, lease)


async def in_doubt(worker: Worker, delivery: Delivery, claimed: Claimed, lease: Lease) -> None:
    """End a run of which nobody knows whether it took effect."""
    result = Result(status=RunStatus.IN_DOUBT, error=IN_DOUBT)
    await _tell(worker, delivery, claimed, result, lease)


async def extended(worker: Worker, claimed: Claimed, lease: Lease) -> None:
    """Make a lease longer of which a third is over; one that ended is never taken up again."""
    left = (lease.started.lease_until - worker.time.now()).total_seconds()
    if not 0 < left <= worker.lease_s * 2 / 3:
        return
    until = worker.time.now() + timedelta(seconds=worker.lease_s)
    longer = replace(lease.started, lease_until=until, extended=True)
    try:
        await _append(worker, claimed, longer, lease)
    except HoldpointError as error:
        log.warning("lease_not_extended", hold_id=claimed.hold.hold_id, error=str(error))
        return
    lease.started = longer


async def settle(worker: Worker, delivery: Delivery, claimed: Claimed, lease: Lease) -> None:
    """End a claim whose owner is gone, as far as its tool allows, and its grant is still good."""
    spec = worker.specs[claimed.action.tool]
    with heartbeat(delivery):
        is_manual = repeat_of(spec.tool, claimed.hold.assessment) is Repeat.MANUAL
        result = None if is_manual else await _found(worker, claimed, spec)
        if result is None and (is_manual or is_over(claimed.grant, worker.time.now())):
            await in_doubt(worker, delivery, claimed, lease)
            return
        await _tell(worker, delivery, claimed, result or await _result(worker, claimed), lease)


async def _found(worker: Worker, claimed: Claimed, spec: ToolSpec) -> Result | None:
    """Return what the target says happened, where it can be asked."""
    if spec.lookup is None:
        return None
    arguments = arguments_of(spec, claimed.action.arguments)
    return await spec.lookup(arguments, _context(worker, claimed))


async def _result(worker: Worker, claimed: Claimed) -> Result:
    """The tool's own result; what it throws is a failure, or a doubt where it may have acted."""
    spec = worker.specs[claimed.action.tool]
    try:
        arguments = arguments_of(spec, claimed.action.arguments)
    except ArgumentsError as error:
        return Result(status=RunStatus.FAILED, error=str(error))
    try:
        async with asyncio.timeout(worker.longest_s):
            crash.passing("effect", "before")
            result = await spec.run(arguments, _context(worker, claimed))
            crash.passing("effect", "after")
            return _sound(result)
    except Exception as error:  # noqa: BLE001  # a tool may throw anything; the run must end
        log.warning("tool_failed", hold_id=claimed.hold.hold_id, error=repr(error))
        return _failed(spec, claimed, error)


def _sound(result: object) -> Result:
    """Return what a tool returned; TypeError where it is no result that can be told."""
    if not isinstance(result, Result):
        raise TypeError(f"it returned {type(result).__name__} where a Result is due")
    msgspec.json.encode(result)
    return result


def _failed(spec: ToolSpec, claimed: Claimed, error: Exception) -> Result:
    if repeat_of(spec.tool, claimed.hold.assessment) is Repeat.IDEMPOTENT:
        return Result(status=RunStatus.FAILED, error=f"{spec.tool.name} failed: {error}")
    return Result(status=RunStatus.IN_DOUBT, error=f"{IN_DOUBT} ({type(error).__name__})")


def _context(worker: Worker, claimed: Claimed) -> RunContext:
    return RunContext(
        hold_id=claimed.hold.hold_id,
        nonce=claimed.grant.nonce,
        preconditions=claimed.action.conditions,
        idempotency_key=claimed.hold.hold_id,
        settings=worker.settings,
        resource=worker.resource,
    )


async def _tell(
    worker: Worker, delivery: Delivery, claimed: Claimed, result: Result, lease: Lease | None
) -> None:
    """Publish the result until it is stored: it is known only here."""
    shown = worker.results.limited(claimed.hold.agent, result)
    fact = finished(delivery.id, claimed.hold, claimed.grant.nonce, shown)
    while True:
        try:
            if lease is None:
                await worker.runs.append(fact, claimed.hold, after=0)
            else:
                await _append(worker, claimed, fact, lease)
        except ConflictError:
            log.info("run_ended_before", hold_id=claimed.hold.hold_id)
        except (UnknownOutcomeError, UnavailableError) as error:
            log.warning("result_not_told_yet", hold_id=claimed.hold.hold_id, error=str(error))
            await asyncio.sleep(TELL_AGAIN_S)
            continue
        await delivery.ack()
        return


async def _append(worker: Worker, claimed: Claimed, fact: Started | Finished, lease: Lease) -> None:
    """Append behind the claim, also where nobody knows which of its facts was stored last.

    ConflictError when the run ended otherwise.
    """
    hold = claimed.hold
    async with lease.turn:
        try:
            lease.seq = await worker.runs.append(fact, hold, lease.seq)
        except ConflictError:
            run = await worker.runs.load_direct(worker.domain, hold.agent, hold.hold_id)
            if run is None or run.seq < lease.seq:
                raise UnavailableError("The run's last fact is not known here yet.") from None
            if run.seq == lease.seq or not lease.is_mine(run.fact):
                raise
            lease.seq = await worker.runs.append(fact, hold, run.seq)


def finished(cause: str, hold: Hold, nonce: str, result: Result) -> Finished:
    """The fact that ends a run."""
    return Finished(
        hold_id=hold.hold_id,
        digest=hold.digest,
        cause=cause,
        held=hold.requirement is not None,
        nonce=nonce,
        status=result.status,
        data=result.data,
        formatted=result.formatted,
        formatted_spoken=spoken(result.formatted_spoken),
        message_for_user=result.message_for_user,
        available_actions=tuple(map(described, result.available_actions)),
        error=result.error,
        executed=result.executed,
        call=hold.causes[0] if hold.causes else "",
        call_digest=hold.call_digest,
    )


@contextmanager
def heartbeat(
    delivery: Delivery,
    every_s: float = HEARTBEAT_S,
    extend: Callable[[], Awaitable[None]] | None = None,
) -> Iterator[None]:
    """Tell the broker that this grant is being worked on, and make its lease longer meanwhile.

    Most effects are over before the first beat: there is a task only for those that are not.
    """
    beating: list[asyncio.Task[None]] = []
    pause_s = min(every_s, HEARTBEAT_S)
    first = asyncio.get_running_loop().call_later(
        pause_s, lambda: beating.append(asyncio.create_task(_beat(delivery, pause_s, extend)))
    )
    try:
        yield
    finally:
        first.cancel()
        for task in beating:
            task.cancel()


async def _beat(
    delivery: Delivery, pause_s: float, extend: Callable[[], Awaitable[None]] | None
) -> None:
    while True:
        await delivery.working()
        if extend is not None:
            await extend()
        await asyncio.sleep(pause_s)


async def on_plan(worker: Worker, _: str, body: bytes) -> PlanAnswer:
    """Answer the gate's question; no answer would count as one level up."""
    return PlanAnswer(plan=await _plan(worker, decode(body, AskPlan).action))


async def _plan(worker: Worker, action: Action) -> Plan:
    spec = worker.specs.get(action.tool)
    if spec is None or spec.plan is None:
        return Plan(error=f"{action.tool} has none")
    try:
        arguments = arguments_of(spec, action.arguments)
        context = PlanContext(settings=worker.settings, resource=worker.resource)
        async with asyncio.timeout(LONGEST_S):
            plan = await spec.plan(arguments, context)
    except ArgumentsError as error:
        return Plan(error=str(error))
    except TimeoutError:
        return Plan(error="it took too long")
    plan = replace(plan, at=clock.now())
    if spec.pending is None or plan.error:
        return plan
    return replace(plan, pending=spec.pending(arguments, plan))
