"""Facts cause facts: halted is rendered, resolved is resumed, and each change redraws the cards.

The process that stored a fact goes on at once; where its process died in between, the safety net
does (`safety_net.py`). A fact that causes the next one is the base of its compare-and-set: when
that conflicts, the hold has moved on already, and the process that wrote the newer fact goes on
from there.
"""

import asyncio
import contextlib
from datetime import datetime, timedelta

import structlog
from msgspec.structs import replace
from nats.errors import Error as NatsError

from holdpoint.core.commands import Command, Confirm, Kill, Objected, Render, Resume, Supersede
from holdpoint.core.digest import render_digest
from holdpoint.core.hold import decide
from holdpoint.core.objections import OPEN, alarms, resumes_at
from holdpoint.core.quorum import is_vouched_for
from holdpoint.core.verdict import killed_by
from holdpoint.gate.attention import is_in_turn, next_in_turn
from holdpoint.gate.cards import DRAWN_WITHIN_S, Picture, picture_of, redraw
from holdpoint.gate.context import Gate, RefusedError, believed, objection
from holdpoint.gate.hours import asked_from
from holdpoint.gate.runs import is_let_go
from holdpoint.gate.tallies import moved, settle
from holdpoint.messages.hold import (
    AnyHoldFact,
    Escalated,
    Extended,
    Halted,
    Hold,
    Outcome,
    Parked,
    Reminded,
    Rendered,
    Reserved,
    Resolved,
    Stage,
    Witnessed,
)
from holdpoint.messages.state import TimerKind
from holdpoint.messages.subjects import HOLDS, command_id, stream
from holdpoint.runtime.errors import ConflictError, HoldpointError, UnavailableError
from holdpoint.runtime.process import clock
from holdpoint.runtime.store.history import LoadedHold
from holdpoint.runtime.store.journal import Revision

log = structlog.get_logger(__name__)

SOON = timedelta(seconds=30)
"""A deadline so near needs its alarm at once: the safety net comes within this time at the latest,
and sets the others."""


async def go_on(
    gate: Gate, stands: LoadedHold, at: datetime, picture: Picture | None = None
) -> None:
    """Go on from this fact as far as it leads; `at` is the broker's time of its cause.

    `picture` is what people are to see of a halted hold, where it was drawn before.
    """
    if stands.hold.requirement is None:
        await go_on_unasked(gate, stands, at)
        return
    match stands.fact:
        case Halted():
            last = await _asked(gate, stands, at, picture)
        case Resolved():
            last = await _resumed(gate, stands, at)
        case _:
            last = stands
    await arm_alarms(gate, last)
    if last.hold.stage not in OPEN and stands.hold.requirement.most_open:
        _raise_later(gate, last, at)
    if is_let_go(last.fact):
        _draw_later(gate, last)
        return
    await redraw(gate, last)
    await settle(gate, last, at)
    if is_closed(last.hold):
        gate.done.put(last.hold.hold_id, last.seq)


async def _asked(
    gate: Gate, stands: LoadedHold, at: datetime, picture: Picture | None
) -> LoadedHold:
    """Ask people, in its turn; nobody where the yes to its sentence stands for it."""
    hold, cause = stands.hold, _id(gate, stands)
    if is_vouched_for(hold):
        resolved = await _follow(gate, stands, Confirm(cause=cause), at)
        return await _resumed(gate, resolved, at) if resolved is not stands else stands
    if hold.queued and not await is_in_turn(gate, hold, cause, at):
        return stands
    await _supersede_sentence(gate, stands, at)
    command = _render(picture or picture_of(gate, hold), cause)
    return await _follow(gate, stands, _in_hours(gate, hold, command, at), at)


async def go_on_unasked(gate: Gate, stands: LoadedHold, at: datetime) -> None:
    """Give back what nothing will run of, and show people what runs without asking."""
    await settle(gate, stands, at)
    if isinstance(stands.fact, Witnessed):
        await redraw(gate, stands)


async def _supersede_sentence(gate: Gate, stands: LoadedHold, at: datetime) -> None:
    """People are asked about the call, and no longer about the open sentence that announced it."""
    hold = stands.hold
    said = await believed(gate, hold.agent, hold.announced.hold_id) if hold.announced else None
    if said is None or said.hold.stage not in OPEN:
        return
    command = Supersede(cause=_id(gate, stands), by=hold.agent, hold_id=hold.hold_id)
    try:
        await move(gate, said, command, at)
    except RefusedError as why:
        log.info("sentence_not_superseded", hold_id=said.hold.hold_id, code=why.code)


async def move(gate: Gate, loaded: LoadedHold, command: Command, at: datetime) -> None:
    """Carry a command out on a hold, and go on from there; RefusedError when it does not count."""
    async with gate.turn(loaded.hold.hold_id):
        await go_on(gate, await advance(gate, loaded, command, at), at)


async def advance(gate: Gate, loaded: LoadedHold, command: Command, now: datetime) -> LoadedHold:
    """Decide and append; when somebody was first, load and decide again. How it then stands.

    Raises RefusedError with the objection when the command does not count.
    """
    while command.cause not in loaded.hold.causes:
        fact = decide(loaded.hold, command, now)
        if isinstance(fact, Objected):
            raise objection(fact.reason, loaded.hold.hold_id)
        try:
            return await store(gate, fact, loaded.seq, now)
        except ConflictError:
            again = await gate.holds.load(loaded.hold.agent, loaded.hold.hold_id)
            if again is None:
                text = f"The facts of {loaded.hold.hold_id} cannot be found."
                raise UnavailableError(text) from None
            loaded = again
    return loaded


async def advance_soon(
    gate: Gate, agent: str, hold_id: str, command: Command, now: datetime
) -> LoadedHold | None:
    """Advance from what this process wrote last, which saves a read; None where it is unknown.

    On an old state a fact would be refused by its compare-and-set, and no objection is raised.
    """
    hint = gate.holds.written(hold_id)
    if hint is not None and hint.hold.agent == agent:
        fact = decide(hint.hold, command, now)
        if not isinstance(fact, Objected):
            with contextlib.suppress(ConflictError):
                return await store(gate, fact, hint.seq, now)
    loaded = await gate.holds.load(agent, hold_id)
    return await advance(gate, loaded, command, now) if loaded else None


async def store(
    gate: Gate, fact: AnyHoldFact, after: Revision, at: datetime, picture: Picture | None = None
) -> LoadedHold:
    """Store a fact, together with the one that it leads to at once, where that is known by now.

    Both have one cause: the command that led to them. ConflictError when the hold moved on.
    """
    command: Command | None = None
    match fact:
        case Halted(hold=hold, cause=cause) if hold.announced is None and not hold.queued:
            command = _render(picture or picture_of(gate, hold), cause)
        case Resolved(hold=hold, cause=cause) if _is_resumed_at_once(gate, hold, at):
            command = await resumption(gate, hold, cause)
    follows = decide(fact.hold, command, at) if isinstance(command, Render | Resume) else None
    if follows is None or isinstance(follows, Objected):
        return await gate.holds.append(fact, after)
    return await gate.holds.append_both(fact, after, follows)


def _is_resumed_at_once(gate: Gate, hold: Hold, at: datetime) -> bool:
    """Return whether its RESUME may follow at once."""
    return resumes_at(hold) <= at and not hold.reserved and gate.states.leased() is not None


async def arm_alarms(gate: Gate, stands: LoadedHold) -> None:
    """Set what is to ring for a hold: at once if it rings soon, or if this fact moved it."""
    hold = stands.hold
    moved = isinstance(stands.fact, Extended | Parked)
    shown = isinstance(stands.fact, Halted | Rendered | Reminded | Escalated | Resolved)
    for kind, at in alarms(hold).items():
        if moved or (shown and at - clock.now() < SOON):
            await gate.timers.arm(hold.agent, hold.hold_id, kind, at)


def is_closed(hold: Hold) -> bool:
    """Return whether nothing is left to wait for."""
    return hold.stage not in OPEN and hold.stage is not Stage.RESOLVED


async def resumption(gate: Gate, hold: Hold, cause: str) -> Command:
    """The command that resumes a resolved hold; a yes is stopped when the kill switch is on."""
    reserved: tuple[Reserved, ...] = ()
    kill = await _kill(gate, hold, cause)
    if kill is None and hold.outcome is Outcome.CONFIRMED:
        reserved = await moved(gate, hold)
        kill = await _kill(gate, hold, cause)  # to count may take longer than a lease
    nonce, at = clock.new_nonce(), clock.now()
    return kill or Resume(cause=cause, nonce=nonce, at=at, reserved=reserved)


async def _kill(gate: Gate, hold: Hold, cause: str) -> Kill | None:
    """Stop what was confirmed, where the kill switch says so within the lease."""
    kills = (gate.states.leased() or await gate.states.in_force()).kills
    why = killed_by(kills.stopped, hold.agent)
    stops = why and hold.outcome is Outcome.CONFIRMED
    return Kill(cause=cause, by=kills.by, reason=why) if stops else None


def _render(picture: Picture, cause: str) -> Render:
    """RENDER: what people will see, frozen: the UI, the line above it, and their digest."""
    ui, title = picture
    return Render(cause=cause, ui=ui, title=title, render_digest=render_digest(ui, title))


async def _resumed(gate: Gate, stands: LoadedHold, at: datetime) -> LoadedHold:
    """RESUME what was resolved, now or after its cooling-off; the kill switch is read again."""
    hold = stands.hold
    due = resumes_at(hold)
    if due > at:
        await gate.timers.arm(hold.agent, hold.hold_id, TimerKind.RESUME, due)
        return stands
    return await _follow(gate, stands, await resumption(gate, hold, _id(gate, stands)), at)


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


def _in_hours(gate: Gate, hold: Hold, command: Render, at: datetime) -> Render:
    """Return the command with the time from which the people of a queued hold are asked."""
    if not hold.queued or hold.requirement is None:
        return command
    asked = asked_from(gate, hold.requirement, hold.agent, hold.on_behalf_of, at)
    return replace(command, asked_from=asked.begins)


def _raise_later(gate: Gate, ended: LoadedHold, at: datetime) -> None:
    """Let queued holds come up; where this is lost, the safety net does it."""
    task = asyncio.create_task(_raised(gate, ended, at))
    gate.drawing.add(task)
    task.add_done_callback(gate.drawing.discard)


async def _raised(gate: Gate, ended: LoadedHold, at: datetime) -> None:
    agent = ended.hold.agent
    try:
        for hold_id in await next_in_turn(gate, agent, _id(gate, ended), at):
            async with gate.turn(hold_id):
                stands = await believed(gate, agent, hold_id)
                if stands is not None and isinstance(stands.fact, Halted):
                    await go_on(gate, stands, at)
    except (HoldpointError, NatsError) as error:
        log.warning("queued_hold_not_raised", agent=agent, error=repr(error))


def _draw_later(gate: Gate, last: LoadedHold) -> None:
    """Its run draws the card in a moment; that it was approved is drawn where none does."""
    task = asyncio.create_task(_drawn_unless_it_runs(gate, last))
    gate.drawing.add(task)
    task.add_done_callback(gate.drawing.discard)


async def _drawn_unless_it_runs(gate: Gate, last: LoadedHold) -> None:
    hold_id = last.hold.hold_id
    await asyncio.sleep(DRAWN_WITHIN_S)
    try:
        if gate.ran.get(hold_id) is None:
            await redraw(gate, last)
    except (HoldpointError, NatsError) as error:
        log.warning("card_not_drawn", hold_id=hold_id, error=repr(error))  # the safety net does
    else:
        gate.done.put(hold_id, last.seq)
