"""Attention at the gate: the list of an agent's open holds, by compare-and-set on STATE.

A hold that ended is not taken off the list when it ends, but when another needs its place: a
gate that dies in between loses no place and gives none twice.
"""

from datetime import datetime, timedelta

from holdpoint.core.attention import MOST, in_turn, same_action
from holdpoint.core.objections import OPEN
from holdpoint.gate.context import Gate, RefusedError, believed
from holdpoint.gate.policy import current_basis
from holdpoint.messages.envelope import ASKED_ALREADY, TOO_MANY_HOLDS
from holdpoint.messages.hold import Hold
from holdpoint.messages.state import AttentionState, OpenHold
from holdpoint.runtime.errors import ConflictError

WRITTEN_WITHIN = timedelta(seconds=30)
"""Time after which a hold that was listed and is not there was refused after all."""

LATER_S = 60.0


async def is_queued(gate: Gate, agent: str, new: OpenHold, most: int, cause: str) -> bool:
    """List a hold; return whether it waits for its turn, as its agent has enough open.

    RefusedError where the very same call is open: people are asked about it once.
    """
    while True:
        stands = await gate.states.attention(agent)
        holds = stands.state.holds if stands.state else ()
        if known := next((it for it in holds if it.hold_id == new.hold_id), None):
            return not known.asked
        holds = await _enter(gate, agent, holds, new, most)
        state = AttentionState(holds=holds, by=agent, cause=cause)
        try:
            await gate.states.set_attention(agent, state, after=stands.revision)
        except ConflictError:
            continue
        return not holds[-1].asked


async def _enter(
    gate: Gate, agent: str, holds: tuple[OpenHold, ...], new: OpenHold, most: int
) -> tuple[OpenHold, ...]:
    """Return the list with another one at its end. What is closed is looked for only at need."""
    same = same_action(holds, new.call_digest)
    if same is None and len(holds) < MOST and in_turn((*holds, new), most)[-1].asked:
        return in_turn((*holds, new), most)
    if same is not None and not await _is_over(gate, agent, same, new.at):
        text = (
            f"People are asked about the very same action already, as {same.hold_id}: what becomes "
            "of that one becomes of this call. Nothing new was started."
        )
        raise RefusedError(ASKED_ALREADY, text, same.hold_id)
    rest = (it for it in holds if it is not same)
    turn = await _in_turn(gate, agent, (*rest, new), most, new)
    if len(turn) > MOST:
        text = f"{MOST} actions of {agent} wait for people already. Nothing was started."
        raise RefusedError(TOO_MANY_HOLDS, text, new.hold_id, retry_after_s=LATER_S)
    return turn


async def is_in_turn(gate: Gate, hold: Hold, cause: str, at: datetime) -> bool:
    """Return whether people are to be asked about a queued hold now."""
    most = (await current_basis(gate)).policy.most_open
    holds = await _moved_on(gate, hold.agent, most, cause, at) if most else ()
    return next((it.asked for it in holds if it.hold_id == hold.hold_id), True)


async def next_in_turn(gate: Gate, agent: str, cause: str, at: datetime) -> tuple[str, ...]:
    """Return the holds that came up now that others ended."""
    most = (await current_basis(gate)).policy.most_open
    state = (await gate.states.attention(agent)).state if most else None
    queued = {it.hold_id for it in (state.holds if state else ()) if not it.asked}
    if not queued:
        return ()
    holds = await _moved_on(gate, agent, most, cause, at)
    return tuple(it.hold_id for it in holds if it.asked and it.hold_id in queued)


async def _moved_on(
    gate: Gate, agent: str, most: int, cause: str, at: datetime
) -> tuple[OpenHold, ...]:
    while True:
        stands = await gate.states.attention(agent)
        before = stands.state.holds if stands.state else ()
        newest = OpenHold(hold_id="", call_digest="", groups=(), at=at)
        holds = await _in_turn(gate, agent, before, most, newest)
        if holds == before:
            return holds
        state = AttentionState(holds=holds, by=agent, cause=cause)
        try:
            await gate.states.set_attention(agent, state, after=stands.revision)
        except ConflictError:
            continue
        return holds


async def _in_turn(
    gate: Gate, agent: str, holds: tuple[OpenHold, ...], most: int, newest: OpenHold
) -> tuple[OpenHold, ...]:
    """Return the holds in their turn, without those asked about that are over."""
    checked = {newest.hold_id}
    while True:
        turn = in_turn(holds, most)
        asked = [it for it in turn if it.asked and it.hold_id not in checked]
        if not asked:
            return turn
        over = {it.hold_id for it in asked if await _is_over(gate, agent, it, newest.at)}
        checked |= {it.hold_id for it in asked}
        holds = tuple(it for it in holds if it.hold_id not in over)


async def _is_over(gate: Gate, agent: str, it: OpenHold, at: datetime) -> bool:
    loaded = await believed(gate, agent, it.hold_id)
    return at - it.at > WRITTEN_WITHIN if loaded is None else loaded.hold.stage not in OPEN
