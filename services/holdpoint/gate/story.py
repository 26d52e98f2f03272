"""Facts cause facts: halted is rendered, resolved is resumed, and each change redraws the cards.

Whoever stored a fact goes on at once. The lane of the gate's own facts tells the story of those
that nobody went on from: its process died in between. A fact that causes the next one is the
base of its compare-and-set: when that conflicts, the hold has moved on already, and the newer
fact tells the rest of the story.
"""

import asyncio
from datetime import datetime, timedelta

import structlog

from holdpoint.core.card import draw, title_of
from holdpoint.core.commands import Command, Kill, Objected, Render, Resume
from holdpoint.core.digest import render_digest
from holdpoint.core.hold import decide
from holdpoint.core.objections import OPEN, resumes_at
from holdpoint.core.verdict import killed_by
from holdpoint.gate.cards import redraw
from holdpoint.gate.parts import Gate, RefusedError, advance, load_hold, stored
from holdpoint.gate.tallies import moved, settle
from holdpoint.messages.hold import Halted, Hold, Outcome, Resolved
from holdpoint.messages.places import hold_place
from holdpoint.messages.state import TimerKind
from holdpoint.messages.subjects import HOLDS, command_id, stream
from holdpoint.runtime import clock
from holdpoint.runtime.errors import ConflictError
from holdpoint.runtime.history import LoadedHold, hold_fact
from holdpoint.runtime.lanes import Delivery

log = structlog.get_logger(__name__)

LOOK_AGAIN = timedelta(seconds=20)
"""How often an open hold is looked at: whatever was lost, it moves on within 30 s."""

FIRST_LOOK_S = 3.0
"""Whoever halted it is setting the alarm meanwhile."""

GRACE = timedelta(seconds=2)


async def on_hold(gate: Gate, delivery: Delivery) -> None:
    """Continue the story of a hold from the fact that was stored, if a gate signed it."""
    hold_id = hold_place(delivery.subject).hold_id
    async with gate.turn(hold_id):
        if (gate.told.get(hold_id) or 0) < delivery.seq:
            await _tell(gate, delivery)
    await delivery.ack()


async def _tell(gate: Gate, delivery: Delivery) -> None:
    fact = stored(delivery)
    if gate.journal.reader.counts(fact):
        await go_on(gate, LoadedHold(fact=hold_fact(fact.message), seq=delivery.seq), delivery.at)


async def go_on(gate: Gate, stands: LoadedHold, at: datetime) -> None:
    """Tell the story on from this fact as far as it goes; `at` is the broker's time of its cause.

    It is told when it ends without an error; until then the lane's delivery tells it again.
    """
    if stands.hold.requirement is None:
        await settle(gate, stands, at)
        return
    match stands.fact:
        case Halted(hold=hold):
            last = await _rendered(gate, stands, at)
            await asyncio.gather(redraw(gate, last), _guard(gate, hold))
        case Resolved(hold=hold):
            last = await _resumed(gate, stands, at)
            await asyncio.gather(
                redraw(gate, last), gate.timers.cancel(hold.agent, hold.hold_id, TimerKind.EXPIRE)
            )
        case _:
            last = stands
            await redraw(gate, last)
    await settle(gate, last, at)
    gate.told.put(stands.hold.hold_id, last.seq)


async def on_open_hold(gate: Gate, delivery: Delivery) -> None:
    """The safety net: a halted fact comes again until its hold is closed, its alarm with it.

    One that cools off after its yes is not closed yet: it goes on even if its alarm was lost.
    """
    if delivery.deliveries == 1:
        await delivery.nack(FIRST_LOOK_S)
        return
    place = hold_place(delivery.subject)
    loaded = await load_hold(gate, place.agent, place.hold_id)
    if loaded is not None and isinstance(loaded.fact, Resolved):
        if resumes_at(loaded.hold) + GRACE < clock.now():
            await go_on(gate, loaded, clock.now())
        await delivery.nack(LOOK_AGAIN.total_seconds())
        return
    if loaded is None or loaded.hold.stage not in OPEN or loaded.hold.expires_at is None:
        await delivery.ack()
        return
    if not await gate.timers.is_armed(place.agent, place.hold_id, TimerKind.EXPIRE):
        await _arm_expiry(gate, loaded.hold)
    left = loaded.hold.expires_at - clock.now() + GRACE
    await delivery.nack(max(GRACE, min(left, LOOK_AGAIN)).total_seconds())


async def _guard(gate: Gate, hold: Hold) -> None:
    """Set the alarm, then read the kill switch once more.

    Whoever throws it finds open holds by their alarms: one that was halted meanwhile, and had none
    yet, is stopped here.
    """
    await _arm_expiry(gate, hold)
    kills = (await gate.states.in_force()).kills
    why = killed_by(kills.stopped, hold.agent)
    loaded = await load_hold(gate, hold.agent, hold.hold_id) if why else None
    if loaded is None:
        return
    try:
        await advance(gate, loaded, Kill(cause=kills.cause, by=kills.by, reason=why), clock.now())
    except RefusedError as refused:
        log.info("already_over", hold_id=hold.hold_id, code=refused.code)


async def _rendered(gate: Gate, stands: LoadedHold, at: datetime) -> LoadedHold:
    """RENDER: what people will see, frozen: the UI, the line above it, and their digest."""
    hold = stands.hold
    tool = gate.tool_of(hold)
    ui, title = draw(hold, tool), title_of(hold, tool)
    digest = render_digest(ui, title)
    command = Render(cause=_id(gate, stands), ui=ui, title=title, render_digest=digest)
    return await _follow(gate, stands, command, at)


async def _resumed(gate: Gate, stands: LoadedHold, at: datetime) -> LoadedHold:
    """RESUME what was resolved, now or after its cooling-off; the kill switch is read again."""
    hold = stands.hold
    due = resumes_at(hold)
    if due > at:
        await gate.timers.arm(hold.agent, hold.hold_id, TimerKind.RESUME, due)
        return stands
    return await _follow(gate, stands, await resumption(gate, hold, _id(gate, stands)), at)


async def resumption(gate: Gate, hold: Hold, cause: str) -> Command:
    """The command that resumes a resolved hold; a yes is stopped when the kill switch is on."""
    kills = (await gate.states.in_force()).kills
    why = killed_by(kills.stopped, hold.agent)
    if why and hold.outcome is Outcome.CONFIRMED:
        return Kill(cause=cause, by=kills.by, reason=why)
    reserved = await moved(gate, hold) if hold.outcome is Outcome.CONFIRMED else ()
    return Resume(cause=cause, nonce=clock.new_nonce(), at=clock.now(), reserved=reserved)


async def _follow(gate: Gate, stands: LoadedHold, command: Command, at: datetime) -> LoadedHold:
    """The fact that this one leads to, unless the hold has moved on: then that one goes on."""
    fact = decide(stands.hold, command, at)
    if isinstance(fact, Objected):
        return stands
    try:
        return await gate.holds.append(fact, after=stands.seq)
    except ConflictError:
        return stands


def _id(gate: Gate, stands: LoadedHold) -> str:
    return command_id(stream(gate.tenant, HOLDS), stands.seq)


async def _arm_expiry(gate: Gate, hold: Hold) -> None:
    if hold.expires_at is not None:
        await gate.timers.arm(hold.agent, hold.hold_id, TimerKind.EXPIRE, hold.expires_at)
