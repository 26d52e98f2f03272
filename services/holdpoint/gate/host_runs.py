"""Runs in the asking program itself: its claim and its report, on its own word.

The agent opens a node of its call tree that names the hold (`Trace.runs`): that takes the claim,
by the same compare-and-set as a worker's, so that one yes lets one run begin. Closing the node is
the report. What it says it runs must be what was let go.
"""

import contextlib
from datetime import timedelta
from functools import partial

from holdpoint.core.digest import canonical, money_as_text
from holdpoint.core.host_tools import is_run_by_host
from holdpoint.core.objections import valid_until
from holdpoint.core.redaction.display import masked
from holdpoint.core.sentences import killed
from holdpoint.core.verdict import killed_by
from holdpoint.gate.context import Gate, RefusedError, objection
from holdpoint.gate.runs import (
    bar,
    is_let_go,
    lapse,
    load_run,
    sweep_lane,
    why_not_barred,
)
from holdpoint.messages.base import JsonObject
from holdpoint.messages.call import Phase, Trace
from holdpoint.messages.catalog import HOST_DOMAIN
from holdpoint.messages.envelope import NO_SUCH_HOLD, UNKNOWN_HOLD
from holdpoint.messages.hold import Hold, Passed, Reason, Resumed, Witnessed
from holdpoint.messages.run import Finished, RunStatus, Started
from holdpoint.messages.state import KillState
from holdpoint.messages.subjects import HOLDS, command_id, stream
from holdpoint.runtime.broker.lanes import Delivery
from holdpoint.runtime.errors import ConflictError, SignatureError
from holdpoint.runtime.process import clock
from holdpoint.runtime.store.history import LoadedHold, hold_fact
from holdpoint.runtime.store.journal import Revision, Stored

LEASE = timedelta(hours=1)
"""Within which the program reports the end; afterwards nobody knows whether it ran."""

OTHER_ARGUMENTS = "other_arguments"
OTHER_SCHEMA = "other_schema"
NOT_LET_GO = "not_let_go"
NOT_STARTED = "not_started"


async def take(gate: Gate, delivery: Delivery, agent: str, trace: Trace) -> None:
    """Take the claim for a node that opens, and the report of one that closes."""
    if not trace.runs:
        return
    loaded = await _let_go(gate, agent, trace.runs)
    if trace.phase is Phase.OPENED:
        await _claim(gate, delivery, loaded, trace)
    else:
        await _end(gate, delivery, loaded, trace)


async def sweep(gate: Gate, most: int) -> None:
    """Bar what the kill switch stops, let lapse what nobody began, and say what never ended."""
    kills = (await gate.states.in_force()).kills
    await sweep_lane(gate, HOST_DOMAIN, partial(_is_settled, gate, kills), most=most)


async def _is_settled(gate: Gate, kills: KillState, found: Stored) -> bool:
    """Settle a run whose time is over; whether nothing more will come of it."""
    if not gate.journal.reader.counts(found):
        return True
    loaded = LoadedHold(fact=hold_fact(found.message), seq=found.seq)
    hold, now = loaded.hold, clock.now()
    if not is_let_go(loaded.fact):
        return True
    run = await load_run(gate, hold)
    cause = command_id(stream(gate.tenant, HOLDS), found.seq)
    if run is not None and isinstance(run.fact, Started):
        return run.fact.lease_until < now and await _give_up(gate, loaded, run.seq, cause)
    if run is None and (why := killed_by(kills.stopped, hold.agent)):
        await bar(gate, hold, killed(why), kills.cause)
    elif run is None and now > valid_until(hold):
        await lapse(gate, hold, cause)
    return run is not None or now > valid_until(hold)


async def _give_up(gate: Gate, loaded: LoadedHold, after: Revision, cause: str) -> bool:
    """The program took the claim and told no end: nobody knows whether it ran."""
    hold = loaded.hold
    fact = Finished(
        hold_id=hold.hold_id,
        digest=hold.digest,
        cause=cause,
        held=hold.requirement is not None,
        nonce=_nonce(loaded),
        status=RunStatus.IN_DOUBT,
        error="The program that ran it reported no end.",
        call=hold.causes[0],
        call_digest=hold.call_digest,
    )
    with contextlib.suppress(ConflictError):
        await gate.runs.append(fact, hold, after=after)
    return True


async def _let_go(gate: Gate, agent: str, hold_id: str) -> LoadedHold:
    """The hold, if its action is to be run by this agent and was let go."""
    try:
        loaded = await gate.holds.load(agent, hold_id)
    except SignatureError:
        loaded = None
    if loaded is None:
        raise RefusedError(UNKNOWN_HOLD, NO_SUCH_HOLD, hold_id)
    if not is_run_by_host(loaded.hold):
        text = "A worker runs this tool: the program that asked may not."
        raise RefusedError(NOT_LET_GO, text, hold_id)
    if not is_let_go(loaded.fact):
        text = "It was not let go: nobody may run it."
        raise RefusedError(NOT_LET_GO, text, hold_id)
    return loaded


async def _claim(gate: Gate, delivery: Delivery, loaded: LoadedHold, trace: Trace) -> None:
    hold = loaded.hold
    if not _is_same(hold, trace):
        text = "What is about to run is not what was let go. Nothing may run: propose it as it is."
        raise RefusedError(OTHER_ARGUMENTS, text, hold.hold_id)
    await _check_schema(gate, hold)
    await _check_still_good(gate, delivery, hold)
    started = Started(
        hold_id=hold.hold_id,
        digest=hold.digest,
        cause=delivery.id,
        held=hold.requirement is not None,
        nonce=_nonce(loaded),
        owner=f"agent/{hold.agent}",
        lease_until=delivery.at + LEASE,
    )
    try:
        await gate.runs.append(started, hold, after=0)
    except ConflictError:
        run = await load_run(gate, hold)
        if run is None or run.fact.cause != delivery.id:
            raise objection(await why_not_barred(gate, hold), hold.hold_id) from None


async def _check_schema(gate: Gate, hold: Hold) -> None:
    """A tool that was swapped since people saw it is another tool."""
    catalog = await gate.tool_catalog.ensure_fresh()
    tool = catalog.find(hold.action.tool) if hold.action else None
    if tool is None or hold.action is None or tool.schema_sha256 != hold.action.tool_schema_sha256:
        text = "The tool's schema has changed since. Nothing may run: propose the call again."
        raise RefusedError(OTHER_SCHEMA, text, hold.hold_id)


async def _check_still_good(gate: Gate, delivery: Delivery, hold: Hold) -> None:
    """The kill switch, and the end of the yes, take the claim first."""
    kills = (await gate.states.in_force()).kills
    if why := killed_by(kills.stopped, hold.agent):
        await bar(gate, hold, killed(why), kills.cause)
        raise objection(Reason.ALREADY_CLOSED, hold.hold_id)
    if delivery.at > valid_until(hold):
        await lapse(gate, hold, delivery.id)
        raise objection(Reason.TOO_LATE, hold.hold_id)


async def _end(gate: Gate, delivery: Delivery, loaded: LoadedHold, trace: Trace) -> None:
    hold = loaded.hold
    run = await load_run(gate, hold)
    if run is None:
        raise RefusedError(NOT_STARTED, "Its run was never begun.", hold.hold_id)
    if not isinstance(run.fact, Started):
        if run.fact.cause != delivery.id:
            raise objection(Reason.ALREADY_CLOSED, hold.hold_id)
        return
    try:
        await gate.runs.append(_finished(delivery, loaded, trace), hold, after=run.seq)
    except ConflictError:
        await _end(gate, delivery, loaded, trace)


def _finished(delivery: Delivery, loaded: LoadedHold, trace: Trace) -> Finished:
    """Return the end as the program reports it; what ran though nobody let it is for people."""
    hold = loaded.hold
    text = trace.output.get("text", "")
    shown = text if isinstance(text, str) else ""
    status = RunStatus.FAILED if trace.exception else RunStatus.DONE
    error = trace.exception
    if not _is_same(hold, trace):
        status, error = RunStatus.IN_DOUBT, "The program reports that it ran something else."
    return Finished(
        hold_id=hold.hold_id,
        digest=hold.digest,
        cause=delivery.id,
        held=hold.requirement is not None,
        nonce=_nonce(loaded),
        status=status,
        data=trace.output,
        formatted=shown,
        message_for_user=shown,
        error=error,
        executed=_executed(hold, trace),
        call=hold.causes[0],
        call_digest=hold.call_digest,
    )


def _is_same(hold: Hold, trace: Trace) -> bool:
    ran = _arguments(trace)
    if hold.action is None or ran is None:
        return False
    return canonical(money_as_text(ran)) == canonical(hold.action.arguments)


def _arguments(trace: Trace) -> JsonObject | None:
    said = trace.input.get("arguments")
    return said if isinstance(said, dict) else None


def _executed(hold: Hold, trace: Trace) -> JsonObject | None:
    ran = _arguments(trace)
    if hold.action is None or ran is None:
        return None
    return {"tool": hold.action.tool, "arguments": masked(ran, (), frozenset())}


def _nonce(loaded: LoadedHold) -> str:
    fact = loaded.fact
    grant = fact.grant if isinstance(fact, Passed | Witnessed | Resumed) else None
    return grant.nonce if grant else ""
