"""The safety net: every open hold is looked at again until it is closed, whatever was lost.

The consumer `gate_open` keeps each `halted` fact until it is acknowledged, which happens when the
hold is closed and nothing is left to do about it. So an interrupted hold is continued by whichever
gate looks next, its alarm is set again, and the kill switch finds every open hold here. Alarms are
hints, on which the clock of the broker is checked.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import datetime, timedelta
from itertools import islice
from typing import assert_never

import structlog
from nats.errors import Error as NatsError

from holdpoint.core.commands import Command, Escalate, Expire, Kill, Remind
from holdpoint.core.objections import OPEN, alarms, cools_off, resumes_at
from holdpoint.core.verdict import killed_by
from holdpoint.gate.cards import redraw
from holdpoint.gate.context import Gate, RefusedError, believed
from holdpoint.gate.heard_answers import WAIT_S, is_unheard
from holdpoint.gate.lifecycle import go_on, is_closed, move, resumption
from holdpoint.messages.codec import message_in
from holdpoint.messages.hold import Halted, Hold, Reason, Stage
from holdpoint.messages.policy import Method
from holdpoint.messages.state import EVERYONE, Alarm, KillState, TimerKind
from holdpoint.messages.subject_parts import hold_place
from holdpoint.messages.subjects import HOLDS, halted_facts, stream
from holdpoint.runtime.broker.lanes import Delivery
from holdpoint.runtime.broker.streams import GATE_OPEN
from holdpoint.runtime.errors import HoldpointError
from holdpoint.runtime.process import clock
from holdpoint.runtime.process.metrics import OLDEST_HOLD_S, OPEN_HOLDS
from holdpoint.runtime.store.history import LoadedHold
from holdpoint.runtime.store.journal import Stored

log = structlog.get_logger(__name__)

EVERY_S = 2.0
"""Interval at which it is looked which holds are due."""

FIRST_LOOK = timedelta(seconds=3)
"""Before that the gate that halted it is at work, and most answers of programs have come."""

LOOK_AGAIN = timedelta(seconds=18)
"""Interval at which an open hold is looked at: whatever was lost, it moves on within 30 s."""

GRACE = timedelta(seconds=2)
SIDE_BY_SIDE = 256


PATIENCE = 300
"""Deliveries, `WAIT_S` apart, of an expiry that waits for answers which came before it. What lets
an action run waits for however long it takes."""

WAITING = frozenset({TimerKind.EXPIRE, TimerKind.RESUME})
"""Alarms that let answers go first."""


async def on_open_hold(gate: Gate, delivery: Delivery) -> None:
    """Go on with a hold where nobody else did; let go of it once it is closed."""
    place = hold_place(delivery.subject)
    if gate.done.get(place.hold_id) is None:
        early = FIRST_LOOK - (clock.now() - delivery.at)
        if delivery.deliveries == 1 and early > timedelta(0):
            await delivery.nack(min(early, FIRST_LOOK).total_seconds())
            return
        loaded = await gate.holds.load(place.agent, place.hold_id)
        if loaded is not None and not is_closed(loaded.hold):
            await _tend(gate, loaded)
            await delivery.nack(_next_look(loaded.hold).total_seconds())
            return
        if loaded is not None:
            async with gate.turn(place.hold_id):
                await go_on(gate, loaded, resumes_at(loaded.hold))
    if delivery.deliveries > 1:
        for kind in TimerKind:
            if await gate.timers.is_armed(place.agent, place.hold_id, kind):
                await gate.timers.cancel(place.agent, place.hold_id, kind)
    await delivery.ack()


async def stop_open_holds(gate: Gate, agent: str, cause: str) -> None:
    """Cancel every hold that waits for people; the safety net has let go of none of them."""
    kills = (await gate.states.kills()).state
    found = [hold_place(it.subject) async for it in _not_let_go(gate, agent)]
    open_ones = iter([it for it in found if gate.done.get(it.hold_id) is None])
    while chunk := tuple(islice(open_ones, SIDE_BY_SIDE)):
        await asyncio.gather(*(_stop(gate, it.agent, it.hold_id, kills, cause) for it in chunk))


def takes_step_up(hold: Hold) -> bool:
    """Return whether a yes takes more than a password."""
    return hold.requirement is not None and hold.requirement.proofs != (Method.CHAT,)


def is_asked(hold: Hold) -> bool:
    """Return whether people are asked about it."""
    return hold.requirement is not None


def redraw_open_later(gate: Gate, is_meant: Callable[[Hold], bool]) -> None:
    """Draw the cards of these open holds again, while the caller goes on."""
    task = asyncio.create_task(_redraw_open(gate, is_meant))
    gate.drawing.add(task)
    task.add_done_callback(gate.drawing.discard)


async def _redraw_open(gate: Gate, is_meant: Callable[[Hold], bool]) -> None:
    """Draw them; what cannot be drawn now is drawn at the hold's next look."""
    try:
        async for it in _not_let_go(gate, EVERYONE):
            place = hold_place(it.subject)
            stands = await believed(gate, place.agent, place.hold_id)
            if stands and is_meant(stands.hold) and not is_closed(stands.hold):
                async with gate.turn(place.hold_id):
                    await redraw(gate, stands)
    except (HoldpointError, NatsError) as error:
        log.warning("cards_not_redrawn", error=repr(error))


async def measure(gate: Gate) -> None:
    """Set the gauges of open holds; one that has just ended counts until its next look."""
    info = await gate.jetstream.consumer_info(stream(gate.tenant, HOLDS), GATE_OPEN)
    OPEN_HOLDS.set((info.num_ack_pending or 0) + (info.num_pending or 0))
    oldest = await anext(_not_let_go(gate, EVERYONE), None)
    OLDEST_HOLD_S.set((clock.now() - oldest.at).total_seconds() if oldest else 0.0)


async def _not_let_go(gate: Gate, agent: str) -> AsyncIterator[Stored]:
    """The halted facts above the floor of what was acknowledged, oldest first."""
    info = await gate.jetstream.consumer_info(stream(gate.tenant, HOLDS), GATE_OPEN)
    seq = info.ack_floor.stream_seq if info.ack_floor else 0
    subject = halted_facts(gate.tenant, "*" if agent == EVERYONE else agent)
    while (found := await gate.journal.reader.next(HOLDS, subject, seq + 1)) is not None:
        seq = found.seq
        yield found


async def _stop(gate: Gate, agent: str, hold_id: str, kills: KillState, cause: str) -> None:
    loaded = await believed(gate, agent, hold_id)
    if loaded is None or is_closed(loaded.hold):
        return
    why = killed_by(kills.stopped, agent)
    try:
        await move(gate, loaded, Kill(cause=cause, by=kills.by, reason=why), clock.now())
    except RefusedError as refused:
        log.info("already_over", hold_id=hold_id, code=refused.code)


async def _tend(gate: Gate, loaded: LoadedHold) -> None:
    """Give an open hold what it lacks: the next fact, its card, its alarm, the kill switch.

    It may have been halted while the switch was thrown, and not have been found by it. What cools
    off goes on by its alarm alone, which the broker's clock rings, whatever this machine's clock
    says. A card that shows this fact already is not written again.
    """
    hold, now = loaded.hold, clock.now()
    kills = (await gate.states.in_force()).kills
    if killed_by(kills.stopped, hold.agent):
        await _stop(gate, hold.agent, hold.hold_id, kills, kills.cause)
        return
    is_due = hold.stage is Stage.RESOLVED and not cools_off(hold)
    async with gate.turn(hold.hold_id):
        if is_due or isinstance(loaded.fact, Halted):
            await go_on(gate, loaded, resumes_at(hold) if is_due else now)
        else:
            await redraw(gate, loaded)
    for kind, due in alarms(hold).items():
        if not await gate.timers.is_armed(hold.agent, hold.hold_id, kind):
            await gate.timers.arm(hold.agent, hold.hold_id, kind, due)


def _next_look(hold: Hold) -> timedelta:
    """Soon after its deadline; it may be looked at again then."""
    if hold.stage not in OPEN or hold.expires_at is None:
        return LOOK_AGAIN
    return max(GRACE, min(hold.expires_at - clock.now() + GRACE, LOOK_AGAIN))


async def on_alarm(gate: Gate, delivery: Delivery) -> None:
    """Expire, resume or escalate a hold whose time has come, or tell people of it again."""
    alarm = message_in(delivery.data, Alarm)
    loaded = await gate.holds.load(alarm.agent, alarm.hold_id)
    if loaded is None:
        await delivery.ack()
        return
    is_patient = alarm.kind is TimerKind.RESUME or delivery.deliveries <= PATIENCE
    waits = alarm.kind in WAITING and is_patient
    if waits and await _is_unheard(gate, alarm, delivery.at):
        await delivery.nack(WAIT_S)
        return
    try:
        await move(gate, loaded, await _rung(gate, loaded, alarm, delivery.id), delivery.at)
    except RefusedError as why:
        if why.code == Reason.NOT_YET_DUE.value:
            await _arm_again(gate, alarm)
        log.debug("alarm_came_to_nothing", hold_id=alarm.hold_id, code=why.code)
    await delivery.ack()


async def _is_unheard(gate: Gate, alarm: Alarm, at: datetime) -> bool:
    return await is_unheard(gate, alarm.agent, alarm.hold_id, lambda it: it.at <= at, _hears)


def _hears(hold: Hold) -> bool:
    """Return whether answers still change it; what was found of its run is no part of it."""
    return hold.stage in OPEN or hold.stage is Stage.RESOLVED


async def _rung(gate: Gate, loaded: LoadedHold, alarm: Alarm, cause: str) -> Command:
    match alarm.kind:
        case TimerKind.EXPIRE:
            return Expire(cause=cause)
        case TimerKind.RESUME:
            return await resumption(gate, loaded.hold, cause)
        case TimerKind.REMIND:
            return Remind(cause=cause)
        case TimerKind.ESCALATE:
            return Escalate(cause=cause)
        case _:
            assert_never(alarm.kind)


async def _arm_again(gate: Gate, alarm: Alarm) -> None:
    """Set an alarm that rang early for when its hold is due as it stands now."""
    stands = await gate.holds.load(alarm.agent, alarm.hold_id)
    if stands is None:
        return
    if due := alarms(stands.hold).get(alarm.kind):
        await gate.timers.arm(alarm.agent, alarm.hold_id, alarm.kind, due)
