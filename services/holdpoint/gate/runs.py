"""The gate's part in runs: verify, bar, let lapse; the sweep does so for all.

A worker acknowledges a grant only once its run has ended, so everything below the floor of its
acknowledgements is settled; the sweep looks only at what lies above it.
"""

import sys
from collections.abc import Awaitable, Callable
from functools import partial

import structlog

from holdpoint.core.objections import RUNNABLE, valid_until
from holdpoint.core.sentences import killed
from holdpoint.core.verdict import killed_by
from holdpoint.gate.context import Gate
from holdpoint.messages.hold import AnyHoldFact, Hold, Passed, Reason, Resumed, Witnessed
from holdpoint.messages.run import Barred, Lapsed
from holdpoint.messages.state import KillState
from holdpoint.messages.subject_parts import run_place
from holdpoint.messages.subjects import (
    HOLDS,
    command_id,
    granted_facts,
    stream,
)
from holdpoint.runtime.errors import ConflictError, SignatureError
from holdpoint.runtime.process import clock
from holdpoint.runtime.store.history import LoadedRun, hold_fact, run_fact
from holdpoint.runtime.store.journal import Revision, Stored

log = structlog.get_logger(__name__)

EVERY_S = 5.0
MOST_AT_ONCE = 1000
"""Grants looked at in one sweep of one lane; the next one goes on behind what is settled."""

EVERY_GRANT = sys.maxsize
"""For the kill switch: it leaves none that may still run."""

NOT_EXECUTED = "It was approved, but not executed in time."


def is_let_go(fact: AnyHoldFact) -> bool:
    """Return whether this hold's action was granted: stopping it now means taking its claim."""
    granted = isinstance(fact, Passed | Witnessed | Resumed) and fact.grant is not None
    return granted and fact.hold.stage in RUNNABLE


async def load_run(gate: Gate, hold: Hold) -> LoadedRun | None:
    """The last fact of the hold's run, if its signature counts."""
    if hold.action is None:
        return None
    try:
        return await gate.runs.load(hold.action.domain, hold.agent, hold.hold_id)
    except SignatureError as error:
        log.warning("run_not_signed", hold_id=hold.hold_id, why=str(error))
        return None


def believed_run(gate: Gate, hold: Hold, copy: Stored) -> LoadedRun | None:
    """A copy of the run's last fact, if it is this hold's and its signature counts."""
    place = run_place(copy.subject)
    if hold.action is None or (place.domain, place.agent) != (hold.action.domain, hold.agent):
        return None
    if not gate.journal.reader.counts(copy):
        return None
    return LoadedRun(fact=run_fact(copy.message), seq=copy.seq, at=copy.at)


async def bar(gate: Gate, hold: Hold, why: str, cause: str) -> bool:
    """Take the claim so that nothing runs; false when it has started (or ended) already."""
    return await _claim(gate, hold, Barred, why, cause)


async def why_not_barred(gate: Gate, hold: Hold) -> Reason:
    """Return whether it has started, or was stopped before by somebody else."""
    run = await load_run(gate, hold)
    stopped = run is not None and isinstance(run.fact, Barred | Lapsed)
    return Reason.ALREADY_CLOSED if stopped else Reason.ALREADY_STARTED


async def lapse(gate: Gate, hold: Hold, cause: str, why: str = NOT_EXECUTED) -> bool:
    """End a run that was approved and never started in time, or a dispatch without an answer."""
    return await _claim(gate, hold, Lapsed, why, cause)


async def _claim(gate: Gate, hold: Hold, kind: type[Barred | Lapsed], why: str, cause: str) -> bool:
    held = hold.requirement is not None
    fact = kind(hold_id=hold.hold_id, digest=hold.digest, cause=cause, reason=why, held=held)
    try:
        await gate.runs.append(fact, hold, after=0)
    except ConflictError:
        run = await load_run(gate, hold)
        return run is not None and isinstance(run.fact, kind) and run.fact.cause == fact.cause
    return True


async def sweep(gate: Gate, most: int) -> None:
    """Bar what the kill switch stops; let lapse what nobody ran in time.

    All of STATE is read from the leader, so that a forged piece leaves its trace also while no call
    asks for it.
    """
    kills = (await gate.states.in_force()).kills
    floors = await gate.lanes.floors(gate.tool_catalog.domains())
    for domain, floor in floors.items():
        await sweep_lane(gate, domain, partial(_is_settled, gate, kills), floor, most)


async def _is_settled(gate: Gate, kills: KillState, found: Stored) -> bool:
    """Settle a grant that is stopped or whose time is over; whether nothing is left to do."""
    if not gate.journal.reader.counts(found) or not is_let_go(fact := hold_fact(found.message)):
        return True
    if why := killed_by(kills.stopped, fact.hold.agent):
        await bar(gate, fact.hold, killed(why), kills.cause)
        return True
    if clock.now() > valid_until(fact.hold):
        await lapse(gate, fact.hold, command_id(stream(gate.tenant, HOLDS), found.seq))
        return True
    return False


async def sweep_lane(
    gate: Gate,
    domain: str,
    is_settled: Callable[[Stored], Awaitable[bool]],
    floor: Revision = 0,
    most: int = MOST_AT_ONCE,
) -> None:
    """Look at each grant of a domain, from the first that is not settled on.

    `floor` is where its workers' acknowledgements have come to; a domain without workers has none.
    """
    for subject in granted_facts(gate.tenant, domain):
        seq, is_floor = max(floor, gate.swept.get(subject, 0)) + 1, True
        for _ in range(most):
            found = await gate.journal.reader.next(HOLDS, subject, seq)
            if found is None:
                break
            seq = found.seq + 1
            is_floor = await is_settled(found) and is_floor
            if is_floor:
                gate.swept[subject] = found.seq
