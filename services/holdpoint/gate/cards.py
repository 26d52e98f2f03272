"""Cards: drawn from the hold and its run as they stand, one for each group that was asked."""

import asyncio
from typing import TypeAlias, assert_never

from msgspec.structs import replace

from holdpoint.core.card import Shown as Drawn
from holdpoint.core.card import card_of, draw
from holdpoint.core.card_title import title_of
from holdpoint.core.objections import OPEN, cools_off
from holdpoint.gate.context import Gate, Shown, believed, stored
from holdpoint.gate.delegations import audience_of
from holdpoint.gate.runs import believed_run
from holdpoint.gate.tallies import give_back
from holdpoint.messages.card import HANDED_BACK, Card, ConfirmationUI
from holdpoint.messages.hold import Hold, Resumed
from holdpoint.messages.run import (
    AnyRunFact,
    Barred,
    Finished,
    Lapsed,
    Reconciled,
    RunStatus,
    Started,
)
from holdpoint.messages.subject_parts import run_place
from holdpoint.messages.subjects import CARDS, Address, at_card
from holdpoint.runtime.broker.lanes import Delivery
from holdpoint.runtime.errors import ConflictError
from holdpoint.runtime.store.history import LoadedHold, LoadedRun, run_fact
from holdpoint.runtime.store.journal import Stored

STARTED = "started"
DRAWN_WITHIN_S = 0.15
"""Time that an approval waits for its run, and a run for its end, before a card is drawn of it."""

Picture: TypeAlias = tuple[ConfirmationUI, str]
"""The UI and the line above it."""


async def on_run(gate: Gate, delivery: Delivery) -> None:
    """A run that people were asked about moved on: they see it. One that was none is not summed."""
    copy = stored(delivery)
    if gate.journal.reader.counts(copy):
        run = run_fact(copy.message)
        if run.held or in_doubt(run) or isinstance(run, Reconciled):
            await _drawn_with(gate, copy)
        if _nothing_ran(run):
            await _given_back(gate, run, copy)
    await delivery.ack()


def _nothing_ran(run: AnyRunFact) -> bool:
    """Return whether nothing ran; a run that failed half-way, or is in doubt, may have."""
    failed = isinstance(run, Finished) and run.status is RunStatus.PRECONDITION_FAILED
    found_undone = isinstance(run, Reconciled) and not run.happened
    return failed or found_undone or isinstance(run, Barred | Lapsed)


async def _given_back(gate: Gate, run: AnyRunFact, copy: Stored) -> None:
    stands = await believed(gate, run_place(copy.subject).agent, run.hold_id)
    if stands is not None and believed_run(gate, stands.hold, copy) is not None:
        await give_back(gate, stands.hold.reserved, stands.hold.causes[0], copy.at)


async def _drawn_with(gate: Gate, copy: Stored) -> None:
    """Draw the run as it stands; of two facts that came together only the newer one."""
    place = run_place(copy.subject)
    gate.ran.put(place.hold_id, max(copy.seq, gate.ran.get(place.hold_id) or 0))
    if run_place(copy.subject).word == STARTED:
        await asyncio.sleep(DRAWN_WITHIN_S)
    async with gate.turn(place.hold_id):
        if (gate.ran.get(place.hold_id) or 0) > copy.seq:
            return
        hint = gate.holds.written(place.hold_id)
        ours = hint is not None and hint.hold.agent == place.agent and _granted(hint, copy)
        stands = hint if ours else await believed(gate, place.agent, place.hold_id)
        if stands is not None and (run := believed_run(gate, stands.hold, copy)):
            await _draw(gate, stands, run)


def _granted(hint: LoadedHold, copy: Stored) -> bool:
    """Return whether it ran by this very grant: another gate may have minted a newer one since."""
    run = run_fact(copy.message)
    return (
        isinstance(hint.fact, Resumed)
        and hint.fact.grant is not None
        and isinstance(run, Started | Finished)
        and run.nonce == hint.fact.grant.nonce
    )


def picture_of(gate: Gate, hold: Hold) -> Picture:
    """Draw what people are to see of a hold."""
    tool = gate.tool_of(hold)
    return draw(hold, tool), title_of(hold, tool)


async def redraw(gate: Gate, stands: LoadedHold) -> None:
    """Put the cards of a hold on every screen that may see it; an older one never wins.

    A run that was begun is drawn by its own facts.
    """
    await _draw(gate, stands, None)


async def _draw(gate: Gate, stands: LoadedHold, run: LoadedRun | None) -> None:
    doubted = run is not None and (in_doubt(run.fact) or isinstance(run.fact, Reconciled))
    groups = reconcilers(gate, stands.hold) if doubted else _audience(stands.hold)
    for group in groups:
        await _put(gate, stands, run, group)
    if stands.hold.ui:
        for delegate, seats in audience_of(gate, stands.hold).items():
            await _put_for_delegate(gate, stands, run, delegate, seats)


def in_doubt(run: AnyRunFact) -> bool:
    """Return whether nobody knows what became of it."""
    return isinstance(run, Finished) and run.status is RunStatus.IN_DOUBT


def reconcilers(gate: Gate, hold: Hold) -> tuple[str, ...]:
    """The groups that look what became of a run in doubt: who was asked or told, else all that the
    policy asks about anything.
    """
    if groups := _audience(hold):
        return groups
    rules = gate.policy.levels.values() if gate.policy else ()
    asked = {voices.group for rule in rules for voices in rule.all_of}
    return tuple(sorted(asked or {it for each in gate.people.values() for it in each.groups}))


def _audience(hold: Hold) -> tuple[str, ...]:
    """The groups that are asked, once there is something to see; or that are told."""
    if hold.requirement is None:
        return hold.witnesses
    asked = hold.requirement
    backup = (asked.escalate.group,) if asked.escalate and hold.escalated_at else ()
    groups = (*(each.group for each in asked.all_of), *backup)
    return tuple(dict.fromkeys(groups)) if hold.ui else ()


async def _put(gate: Gate, stands: LoadedHold, run: LoadedRun | None, group: str) -> None:
    await _write(gate, _card(gate, stands, run, group))


async def _put_for_delegate(
    gate: Gate, stands: LoadedHold, run: LoadedRun | None, delegate: str, seats: tuple[str, ...]
) -> None:
    """Draw the card for a delegate; without buttons once they answer in nobody's place."""
    card = replace(_card(gate, stands, run, delegate), delegators=seats)
    if not seats:
        address = at_card(gate.tenant, delegate, stands.hold.hold_id)
        known = gate.shown.get(address.subject) or await _standing(gate, address)
        if not known.seq:
            return
        if stands.hold.stage in OPEN or cools_off(stands.hold):
            card = replace(card, state=HANDED_BACK, labels={}, form=(), cools_off_until=None)
    await _write(gate, card)


async def _write(gate: Gate, card: Card) -> None:
    """Write the card after the last one that this process knows of; else look what stands there."""
    address = at_card(gate.tenant, card.group, card.hold_id)
    known = gate.shown.get(address.subject) or Shown()
    while known.revision < card.revision or _is_outdated(known, card):
        try:
            seq = await gate.journal.append(card, address, after=known.seq)
        except ConflictError:
            known = await _standing(gate, address)
        else:
            known = _shown(card, seq)
    gate.shown.put(address.subject, known)


def _is_outdated(known: Shown, card: Card) -> bool:
    """Return whether it tells of the same facts, and a step-up or delegation has changed since."""
    was, now = (known.missing, known.delegators), (card.missing, card.delegators)
    return known.revision == card.revision and was != now


def _shown(card: Card, seq: int) -> Shown:
    return Shown(seq=seq, revision=card.revision, missing=card.missing, delegators=card.delegators)


async def _standing(gate: Gate, address: Address) -> Shown:
    last = await gate.journal.reader.last(CARDS, address.subject)
    if last is None:
        return Shown()
    card = last.message if gate.journal.reader.counts(last) else None
    return _shown(card, last.seq) if isinstance(card, Card) else Shown(seq=last.seq)


def _card(gate: Gate, loaded: LoadedHold, run: LoadedRun | None, group: str) -> Card:
    hold = loaded.hold
    state, result = _state(hold, run.fact if run else None)
    shown = Drawn(
        group=group,
        state=state,
        seal_key=gate.unsealer.public,
        revision=loaded.seq + (run.seq if run else 0),
        result=result,
        enrolled=gate.enrolled,
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
        case Reconciled():
            return ("happened" if run.happened else "did_not_happen"), f"{run.by}: {run.note}"
        case _:
            assert_never(run)
