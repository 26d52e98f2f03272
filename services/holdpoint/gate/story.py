"""Facts cause facts: halted is rendered, resolved is resumed, and each change redraws the cards.

A fact that causes the next one is the base of its compare-and-set: when that conflicts, the hold
has moved on already, and the newer fact tells the rest of the story.
"""

from datetime import timedelta

import structlog

from holdpoint.core.card import draw, title_of
from holdpoint.core.commands import Command, Kill, Objected, Render, Resume
from holdpoint.core.digest import render_digest
from holdpoint.core.hold import decide
from holdpoint.core.objections import OPEN, resumes_at
from holdpoint.core.verdict import killed_by
from holdpoint.gate.cards import redraw
from holdpoint.gate.parts import Gate, check_signed, load_hold
from holdpoint.messages.codec import decode_data, decode_event
from holdpoint.messages.hold import AnyHoldFact, Halted, Hold, Outcome, Resolved
from holdpoint.messages.state import TimerKind
from holdpoint.messages.subjects import hold_place
from holdpoint.runtime import clock
from holdpoint.runtime.errors import ConflictError, SignatureError
from holdpoint.runtime.history import hold_fact
from holdpoint.runtime.journal import Stored
from holdpoint.runtime.keys import GATE, SIGNATURE_HEADER
from holdpoint.runtime.lanes import Delivery

log = structlog.get_logger(__name__)

LOOK_AGAIN = timedelta(seconds=20)
"""How often an open hold is looked at: whatever was lost, it moves on within 30 s."""

GRACE = timedelta(seconds=2)


async def on_hold(gate: Gate, delivery: Delivery) -> None:
    """Continue the story of a hold from the fact that was stored, if a gate signed it."""
    try:
        check_signed(gate, _stored(delivery), GATE)
    except SignatureError as error:
        log.warning("fact_not_signed", id=delivery.id, why=str(error))
        await delivery.ack()
        return
    await _continue(gate, delivery, hold_fact(decode_data(decode_event(delivery.data))))
    await delivery.ack()


async def _continue(gate: Gate, delivery: Delivery, fact: AnyHoldFact) -> None:
    match fact:
        case Halted(hold=hold):
            await _arm_expiry(gate, hold)
            await _follow(gate, delivery, hold, await _rendering(gate, hold, delivery.id))
        case Resolved(hold=hold):
            await _resume(gate, delivery, hold)
            await redraw(gate, hold.agent, hold.hold_id)
            await gate.timers.cancel(hold.agent, hold.hold_id, TimerKind.EXPIRE)
        case _:
            await redraw(gate, fact.hold.agent, fact.hold.hold_id)


async def on_open_hold(gate: Gate, delivery: Delivery) -> None:
    """The safety net: a halted fact comes again until its hold is closed, its alarm with it."""
    place = hold_place(delivery.subject)
    loaded = await load_hold(gate, place.agent, place.hold_id)
    if loaded is None or loaded.hold.stage not in OPEN or loaded.hold.expires_at is None:
        await delivery.ack()
        return
    if not await gate.timers.is_armed(place.agent, place.hold_id, TimerKind.EXPIRE):
        await _arm_expiry(gate, loaded.hold)
    left = loaded.hold.expires_at - clock.now() + GRACE
    await delivery.nack(max(GRACE, min(left, LOOK_AGAIN)).total_seconds())


async def _rendering(gate: Gate, hold: Hold, cause: str) -> Command:
    """What people will see, frozen: the UI, the line above it, and their digest.

    Whoever throws the kill switch finds open holds by their alarms: one that was halted meanwhile,
    and had none yet, is stopped here instead of being shown.
    """
    kills = await gate.states.kills()
    if why := killed_by(kills.state.stopped, hold.agent):
        return Kill(cause=cause, by=kills.state.by, reason=why)
    tool = gate.tool_of(hold)
    ui, title = draw(hold, tool), title_of(hold, tool)
    return Render(cause=cause, ui=ui, title=title, render_digest=render_digest(ui, title))


async def _resume(gate: Gate, delivery: Delivery, hold: Hold) -> None:
    """RESUME what was resolved, now or after its cooling-off; the kill switch is read again."""
    due = resumes_at(hold)
    if due > delivery.at:
        await gate.timers.arm(hold.agent, hold.hold_id, TimerKind.RESUME, due)
        return
    await _follow(gate, delivery, hold, await resumption(gate, hold, delivery.id))


async def resumption(gate: Gate, hold: Hold, cause: str) -> Command:
    """The command that resumes a resolved hold; a yes is stopped when the kill switch is on."""
    kills = await gate.states.kills()
    why = killed_by(kills.state.stopped, hold.agent)
    if why and hold.outcome is Outcome.CONFIRMED:
        return Kill(cause=cause, by=kills.state.by, reason=why)
    return Resume(cause=cause, nonce=clock.new_nonce(), at=clock.now())


async def _follow(gate: Gate, delivery: Delivery, hold: Hold, command: Command) -> None:
    fact = decide(hold, command, delivery.at)
    if isinstance(fact, Objected):
        return
    try:
        await gate.holds.append(fact, after=delivery.seq)
    except ConflictError:
        return


def _stored(delivery: Delivery) -> Stored:
    return Stored(
        subject=delivery.subject,
        data=delivery.data,
        signature=delivery.headers.get(SIGNATURE_HEADER, ""),
        seq=delivery.seq,
        at=delivery.at,
    )


async def _arm_expiry(gate: Gate, hold: Hold) -> None:
    if hold.expires_at is not None:
        await gate.timers.arm(hold.agent, hold.hold_id, TimerKind.EXPIRE, hold.expires_at)
