"""Cards: drawn from the hold and its run as they stand, one for each group that was asked."""

from typing import assert_never

from holdpoint.core.card import Shown, card_of
from holdpoint.gate.parts import Gate
from holdpoint.gate.runs import load_run
from holdpoint.messages.card import Card
from holdpoint.messages.codec import decode_data, decode_event
from holdpoint.messages.hold import Hold
from holdpoint.messages.run import AnyRunFact, Barred, Finished, Lapsed, Started
from holdpoint.messages.subjects import CARDS, at_card, run_place
from holdpoint.runtime.errors import ConflictError
from holdpoint.runtime.history import LoadedHold, LoadedRun, run_fact
from holdpoint.runtime.lanes import Delivery


async def on_run(gate: Gate, delivery: Delivery) -> None:
    """A run that people were asked about moved on: they see it."""
    fact = run_fact(decode_data(decode_event(delivery.data)))
    if fact.held:
        await redraw(gate, run_place(delivery.subject).agent, fact.hold_id)
    await delivery.ack()


async def redraw(gate: Gate, agent: str, hold_id: str) -> None:
    """Put the cards of a hold on every screen that may see it; an older one never wins."""
    loaded = await gate.holds.load(agent, hold_id)
    if loaded is None or loaded.hold.ui is None or loaded.hold.requirement is None:
        return
    run = await load_run(gate, loaded.hold)
    for each in loaded.hold.requirement.all_of:
        await _put(gate, loaded, run, each.group)


async def _put(gate: Gate, loaded: LoadedHold, run: LoadedRun | None, group: str) -> None:
    card = _card(gate, loaded, run, group)
    address = at_card(gate.tenant, group, loaded.hold.hold_id)
    while True:
        last = await gate.journal.last(CARDS, address.subject)
        shown = last.message if last else None
        if isinstance(shown, Card) and shown.revision >= card.revision:
            return
        try:
            await gate.journal.append(card, address, after=last.seq if last else 0)
        except ConflictError:
            continue
        return


def _card(gate: Gate, loaded: LoadedHold, run: LoadedRun | None, group: str) -> Card:
    hold = loaded.hold
    state, result = _state(hold, run.fact if run else None)
    shown = Shown(
        group=group,
        state=state,
        seal_key=gate.unsealer.public,
        revision=loaded.seq + (run.seq if run else 0),
        result=result,
    )
    return card_of(hold, gate.tool_of(hold), shown)


def _state(hold: Hold, run: AnyRunFact | None) -> tuple[str, str]:
    """A word for the screen, and what came of it."""
    match run:
        case None:
            return hold.stage.value, ""
        case Started():
            return "running", ""
        case Finished():
            return run.status.value, run.formatted or run.error
        case Barred():
            return "barred", run.reason
        case Lapsed():
            return "lapsed", run.reason
        case _:
            assert_never(run)
