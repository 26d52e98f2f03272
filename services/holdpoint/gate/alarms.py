"""Alarms that ring: hints, on which the clock of the broker is checked."""

import structlog

from holdpoint.core.commands import Expire
from holdpoint.gate.parts import Gate, RefusedError, load_hold
from holdpoint.gate.story import move, resumption
from holdpoint.messages.codec import message_in
from holdpoint.messages.hold import Reason
from holdpoint.messages.state import Alarm, TimerKind
from holdpoint.messages.subjects import ANSWERS, stream
from holdpoint.runtime.lanes import Delivery
from holdpoint.runtime.streams import GATES

log = structlog.get_logger(__name__)

PATIENCE = 50
WAIT_S = 0.1
"""Together: how long an expiry waits for answers that reached the broker before it."""


async def on_alarm(gate: Gate, delivery: Delivery) -> None:
    """Expire or resume a hold whose time has come."""
    alarm = message_in(delivery.data, Alarm)
    loaded = await load_hold(gate, alarm.agent, alarm.hold_id)
    if loaded is None:
        await delivery.ack()
        return
    if alarm.kind is TimerKind.EXPIRE and not await _answers_are_heard(gate, delivery):
        await delivery.nack(WAIT_S)
        return
    try:
        if alarm.kind is TimerKind.EXPIRE:
            await move(gate, loaded, Expire(cause=delivery.id), delivery.at)
        else:
            command = await resumption(gate, loaded.hold, delivery.id)
            await move(gate, loaded, command, delivery.at)
    except RefusedError as why:
        if why.code == Reason.NOT_YET_DUE.value:
            await gate.timers.arm(alarm.agent, alarm.hold_id, alarm.kind, alarm.at)
        log.debug("alarm_came_to_nothing", hold_id=alarm.hold_id, code=why.code)
    await delivery.ack()


async def _answers_are_heard(gate: Gate, delivery: Delivery) -> bool:
    """Whether every answer that reached the broker in time was counted or refused."""
    if delivery.deliveries > PATIENCE:
        return True
    info = await gate.jetstream.consumer_info(stream(gate.tenant, ANSWERS), GATES)
    return not info.num_pending and not info.num_ack_pending
