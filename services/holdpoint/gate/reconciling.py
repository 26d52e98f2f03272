"""A run in doubt, and the person who looked what became of it.

Nothing runs again by this: it is written down, in the run's own facts, and its agent is told.
"""

import structlog

from holdpoint.gate.cards import in_doubt, reconcilers
from holdpoint.gate.context import Gate, RefusedError
from holdpoint.gate.runs import load_run
from holdpoint.messages.answer import Answer, Choice
from holdpoint.messages.envelope import UNKNOWN_HOLD
from holdpoint.messages.hold import Hold, Reason
from holdpoint.messages.run import Reconciled
from holdpoint.runtime.broker.lanes import Delivery
from holdpoint.runtime.errors import ConflictError

log = structlog.get_logger(__name__)


async def reconcile(
    gate: Gate, delivery: Delivery, answer: Answer, person: str, agent: str
) -> None:
    """Write down what a person found, once; RefusedError where that does not count."""
    loaded = await gate.holds.load(agent, answer.hold_id)
    if loaded is None:
        raise RefusedError(UNKNOWN_HOLD, "There is no hold of this id.", answer.hold_id)
    _check(gate, loaded.hold, answer, person)
    fact = Reconciled(
        hold_id=answer.hold_id,
        digest=loaded.hold.digest,
        cause=delivery.id,
        held=loaded.hold.requirement is not None,
        happened=answer.answer is Choice.HAPPENED,
        by=person,
        note=answer.reason.strip(),
    )
    while True:
        run = await load_run(gate, loaded.hold)
        if run is not None and run.fact.cause == delivery.id:
            return
        if run is None or not in_doubt(run.fact):
            text = "Nobody doubts what became of this run, or somebody has said it already."
            raise RefusedError(NOT_IN_DOUBT, text, answer.hold_id)
        try:
            await gate.runs.append(fact, loaded.hold, after=run.seq)
        except ConflictError:
            continue
        log.info("reconciled", hold_id=answer.hold_id, by=person, happened=fact.happened)
        return


NOT_IN_DOUBT = "not_in_doubt"


def _check(gate: Gate, hold: Hold, answer: Answer, person: str) -> None:
    """Only who sees the card may say it, about exactly this action, and with a note."""
    groups = {*reconcilers(gate, hold)}
    if person == hold.agent or not groups.intersection(gate.people[person].groups):
        text = "You are not among those who were asked to look."
        raise RefusedError(Reason.NOT_AN_APPROVER.value, text, hold.hold_id)
    if answer.digest != hold.digest:
        text = "This is another action than the one on the card."
        raise RefusedError(Reason.OTHER_DIGEST.value, text, hold.hold_id)
    if not answer.reason.strip():
        text = "Say in a note what you looked at and found."
        raise RefusedError("note_missing", text, hold.hold_id)
