"""Delegations as the gate keeps to them: read from people.yaml and from STATE, and ordered.

Whether somebody may answer in another's place is read from the leader for each such answer, at the
broker's time of it. Only cards are drawn from what this gate knew within the last seconds.
"""

import asyncio
from collections.abc import Iterable
from datetime import datetime

import structlog
from nats.errors import Error as NatsError

from holdpoint.core.delegation import (
    MOST,
    MOST_HOPS,
    delegates,
    ended,
    touched,
    unfit,
    with_another,
)
from holdpoint.gate.context import Gate, RefusedError, check_reason, objection
from holdpoint.gate.old_orders import check_not_old
from holdpoint.messages.catalog import Delegation, may_answer, own_audience
from holdpoint.messages.hold import Hold, Reason
from holdpoint.messages.state import Delegate, DelegationState
from holdpoint.runtime.broker.lanes import Delivery
from holdpoint.runtime.errors import ConflictError, HoldpointError
from holdpoint.runtime.process import clock

log = structlog.get_logger(__name__)

LOOK_AGAIN_S = 2.0
NOTHING = DelegationState(by="", cause="")


async def check_place(gate: Gate, person: str, seat: str, at: datetime, hold_id: str) -> None:
    """Refuse an answer in the place of an approver who did not delegate it to this person."""
    approver = gate.people.get(seat)
    if approver is None or not may_answer(approver):
        raise objection(Reason.NOT_AN_APPROVER, hold_id)
    known = await _known_around(gate, seat)
    if person not in delegates(seat, at, known):
        text = f"{seat} did not delegate to {person}, or the time of it is over."
        raise RefusedError("not_a_delegate", text, hold_id)


async def _known_around(gate: Gate, seat: str) -> dict[str, tuple[Delegation, ...]]:
    """Every delegation that leads away from this person, as far as one counts."""
    known: dict[str, tuple[Delegation, ...]] = {}
    reached = {seat}
    for _ in range(MOST_HOPS):
        for name in sorted(reached - known.keys()):
            known[name] = await _made_by(gate, name)
        reached = {it.to for made in known.values() for it in made}
    return known


async def _made_by(gate: Gate, person: str) -> tuple[Delegation, ...]:
    """Return delegations from the file and by the person's own order."""
    declared = gate.people[person].delegations if person in gate.people else ()
    return (*declared, *((await gate.states.delegations(person)).state or NOTHING).delegations)


def audience_of(gate: Gate, hold: Hold) -> dict[str, tuple[str, ...]]:
    """Return who saw a hold's card in others' place, by their audience, and in whose place they may
    answer it now: in nobody's, where the delegation is over or has not begun.
    """
    if hold.requirement is None or not any(gate.delegations.values()):
        return {}
    asked = {name for group in hold.requirement.approvers.values() for name in group}
    now, seats = clock.now(), dict[str, list[str]]()
    for seat in sorted(asked - _barred(hold)):
        standing = delegates(seat, now, gate.delegations)
        for delegate in sorted(touched(seat, hold.proposed_at, gate.delegations) - asked):
            seats.setdefault(own_audience(delegate), []).extend(
                {seat} if delegate in standing else ()
            )
    return {audience: tuple(names) for audience, names in seats.items()}


def _barred(hold: Hold) -> frozenset[str]:
    """Return in whose place nobody says yes: of the person acted for, where four eyes are asked."""
    own = hold.requirement is not None and hold.requirement.four_eyes
    return frozenset({hold.on_behalf_of}) if own else frozenset()


async def delegate(gate: Gate, delivery: Delivery, person: str, order: Delegate) -> None:
    """Let a person name who answers in their place, or take every such word back."""
    check_reason(order.reason)
    wanted = _wanted(gate, delivery.at, person, order) if order.to else None
    while True:
        stands = await gate.states.delegations(person)
        before = stands.state or NOTHING
        if before.cause == delivery.id:
            break
        await check_not_old(gate, delivery)
        made = before.delegations
        after = with_another(made, wanted, delivery.at) if wanted else ended(made, delivery.at)
        if len(after) > MOST:
            raise RefusedError("too_many_delegations", f"A person has at most {MOST} delegations.")
        state = DelegationState(delegations=after, by=person, cause=delivery.id)
        try:
            await gate.states.set_delegations(person, state, after=stands.revision)
        except ConflictError:
            continue
        break
    gate.delegations[person] = await _made_by(gate, person)
    log.info("delegated", person=person, to=order.to, away=order.away)


def _wanted(gate: Gate, at: datetime, person: str, order: Delegate) -> Delegation:
    other = gate.people.get(order.to)
    if other is None:
        raise RefusedError("unknown_person", f"people.yaml does not know {order.to!r}.")
    if not may_answer(other) or not other.groups:
        text = f"{order.to} answers no cards: a delegate is an approver in a group of their own."
        raise RefusedError("not_an_approver", text)
    since, until = max(order.since or at, at), order.until
    if until is None:
        raise RefusedError("no_end", "Say until when: a delegation has an end.")
    wanted = Delegation(to=order.to, since=since, until=until, away=order.away, reason=order.reason)
    if why := unfit(wanted, person, at):
        raise RefusedError("bad_delegation", why)
    return wanted


async def keep_knowing(gate: Gate) -> None:
    """Know who delegated to whom, also where another gate or another run of this one was told."""
    known = -1
    while True:
        try:
            if known != (newest := await gate.states.newest_delegation()):
                await know(gate, gate.people)
                known = newest
        except (HoldpointError, NatsError) as error:
            log.warning("delegations_unread", error=repr(error))
        await asyncio.sleep(LOOK_AGAIN_S)


async def know(gate: Gate, people: Iterable[str]) -> None:
    """Read what these people delegated."""
    for person in people:
        gate.delegations[person] = await _made_by(gate, person)
