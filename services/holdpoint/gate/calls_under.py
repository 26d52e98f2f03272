"""Calls that the agent of a dispatch made under it, and how each stands."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from holdpoint.core.responses import is_final, report
from holdpoint.gate.context import CallsUnder, Gate
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Hold
from holdpoint.messages.subjects import HOLDS, RUNS, hold_facts, run_facts
from holdpoint.runtime.store.history import hold_fact, run_fact
from holdpoint.runtime.store.journal import Revision, Stored

MOST_READ = 500
"""Facts of the agent read in one look; the next look goes on."""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """One call under a dispatch as it stands."""

    hold_id: str
    tool: str
    status: Status
    at: datetime
    """The broker's timestamp of the last fact about it."""

    @property
    def is_over(self) -> bool:
        """Return whether nothing more will come of it."""
        return is_final(self.status)


async def calls_under(gate: Gate, dispatch: Hold, seq: Revision) -> CallsUnder:
    """Return the calls under a dispatch; `seq` is of a fact of its own, before all of them."""
    known = gate.called_under.setdefault(dispatch.hold_id, CallsUnder(read_to=seq))
    target = str(dispatch.action.arguments.get("target_agent")) if dispatch.action else ""
    subject = hold_facts(gate.tenant, target, "*")
    for _ in range(MOST_READ):
        found = await gate.journal.reader.next(HOLDS, subject, known.read_to + 1)
        known.is_complete = found is None
        if found is None:
            break
        known.read_to = found.seq
        hold = hold_fact(found.message).hold
        is_new = hold.dispatched_by == dispatch.hold_id and hold.hold_id not in known.hold_ids
        if is_new and gate.journal.reader.counts(found):
            known.hold_ids.append(hold.hold_id)
    return known


async def standings(gate: Gate, known: CallsUnder) -> tuple[Standing, ...]:
    """Return how each of the calls stands; one whose facts are gone has ended."""
    looked = [await _standing(gate, hold_id) for hold_id in known.hold_ids]
    return tuple(filter(None, looked))


def listed(calls: Iterable[Standing]) -> str:
    """Return calls in words: `execute_sql (hold abc): pending confirmation`."""
    return "; ".join(f"{it.tool} (hold {it.hold_id}): {_words(it.status)}" for it in calls)


def _words(status: Status) -> str:
    return status.value.replace("_", " ")


async def _standing(gate: Gate, hold_id: str) -> Standing | None:
    stored = await _last(gate, HOLDS, hold_facts(gate.tenant, "*", hold_id))
    if stored is None:
        return None
    fact = hold_fact(stored.message)
    action = fact.hold.action
    run = None
    if action is not None:
        subject = run_facts(gate.tenant, action.domain, fact.hold.agent, hold_id)
        run = await _last(gate, RUNS, subject)
    told = report(fact, run_fact(run.message) if run else None, gate.tool_of(fact.hold), "")
    return Standing(
        hold_id=hold_id,
        tool=action.tool if action else "",
        status=told.status,
        at=max(stored.at, run.at) if run else stored.at,
    )


async def _last(gate: Gate, kind: str, subject: str) -> Stored | None:
    """The last fact on a subject, if its signature counts."""
    stored = await gate.journal.reader.last(kind, subject)
    return stored if stored is not None and gate.journal.reader.counts(stored) else None
