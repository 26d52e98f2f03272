"""Who can approve what right now: people, their step-up and their delegations. Pure."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from holdpoint.console.policy_view import LEVELS, takes
from holdpoint.core.delegation import Delegations, delegates
from holdpoint.core.enrolment import NAMES, missing
from holdpoint.core.quorum import suffice
from holdpoint.messages.base import Value
from holdpoint.messages.catalog import Delegation, Person, may_answer
from holdpoint.messages.hold import Requirement
from holdpoint.messages.policy import LevelRule, Method, Policy, VerdictKind
from holdpoint.messages.state import DelegationState, StepUpState


class Seat(Value, frozen=True, kw_only=True):
    """Somebody whose yes counts at a level, and in whose place."""

    name: str
    instead_of: tuple[str, ...]
    """Empty: in their own."""


class LevelNow(Value, frozen=True, kw_only=True):
    """One level that asks people, and who can approve it right now."""

    number: int
    name: str
    asks: str
    takes: str
    able: tuple[Seat, ...]
    not_yet: tuple[str, ...]
    """People who are asked and lack the proof that a yes takes."""

    is_enough: bool
    """Whether they are enough for a yes."""


class PersonNow(Value, frozen=True, kw_only=True):
    """One person."""

    name: str
    groups: tuple[str, ...]
    roles: tuple[str, ...]
    step_up: tuple[str, ...]
    away: Delegation | None
    levels: tuple[int, ...]
    """Those that they can approve right now."""


class Known(Value, frozen=True, kw_only=True):
    """Step-up and delegations of people, as far as they are known."""

    enrolled: Mapping[str, frozenset[Method]]
    """Those who have a password, which every yes takes, with what they set up beside it."""

    delegations: Delegations


def known_of(
    people: Sequence[Person],
    step_ups: Mapping[str, StepUpState],
    made: Mapping[str, DelegationState],
    new: Collection[str] = (),
) -> Known:
    """Put together what the file declares and what people did themselves.

    Those who are `new` have no password yet.
    """
    states = {it.name: made[it.name].delegations if it.name in made else () for it in people}
    return Known(
        enrolled={it.name: _methods(step_ups.get(it.name)) for it in people if it.name not in new},
        delegations={it.name: (*it.delegations, *states[it.name]) for it in people},
    )


def levels_now(
    policy: Policy, people: Sequence[Person], known: Known, now: datetime
) -> tuple[LevelNow, ...]:
    """List each level that asks people, with who can approve it."""
    asking = ((number, policy.levels.get(number)) for number in LEVELS)
    return tuple(
        _level(number, rule, people, known, now)
        for number, rule in asking
        if rule is not None and rule.verdict is VerdictKind.HOLD
    )


def people_now(
    people: Sequence[Person], levels: Sequence[LevelNow], known: Known, now: datetime
) -> tuple[PersonNow, ...]:
    """List everybody with what they can approve."""
    return tuple(
        PersonNow(
            name=it.name,
            groups=it.groups,
            roles=(*(role.value for role in it.roles), *(("admin",) if it.admin else ())),
            step_up=tuple(
                NAMES[method] for method in Method if method in known.enrolled.get(it.name, ())
            ),
            away=next((made for made in known.delegations[it.name] if _stands(made, now)), None),
            levels=tuple(
                level.number for level in levels if it.name in {seat.name for seat in level.able}
            ),
        )
        for it in people
    )


def _stands(made: Delegation, now: datetime) -> bool:
    return made.since <= now < made.until


def _methods(state: StepUpState | None) -> frozenset[Method]:
    if state is None:
        return frozenset()
    found = {Method.TOTP} if state.sealed else set()
    return frozenset(found | ({Method.PASSKEY} if state.passkeys else set()))


def _level(
    number: int, rule: LevelRule, people: Sequence[Person], known: Known, now: datetime
) -> LevelNow:
    asked = _requirement(number, rule, people)
    seats: dict[str, list[str]] = {}
    for approver in {it for group in asked.approvers.values() for it in group}:
        for name in {approver, *delegates(approver, now, known.delegations)}:
            seats.setdefault(name, []).append(approver)
    answering = {it.name for it in people if may_answer(it)}
    able = answering & known.enrolled.keys()
    ready = {it for it in seats if it in able and not missing(asked, known.enrolled[it])}
    filled = {approver for name in ready for approver in seats[name]}
    return LevelNow(
        number=number,
        name=LEVELS[number],
        asks=" and ".join(f"{it.voices} of {it.group}" for it in rule.all_of),
        takes=takes(rule),
        able=tuple(_seat(name, seats[name]) for name in sorted(ready)),
        not_yet=tuple(sorted(it for it in seats if it in answering and it not in ready)),
        is_enough=len(ready) >= (2 if rule.four_eyes else 1) and suffice(asked, filled),
    )


def _seat(name: str, approvers: Sequence[str]) -> Seat:
    return Seat(name=name, instead_of=() if name in approvers else tuple(sorted(approvers)))


def _requirement(number: int, rule: LevelRule, people: Sequence[Person]) -> Requirement:
    members = {
        it.group: tuple(who.name for who in people if it.group in who.groups and may_answer(who))
        for it in rule.all_of
    }
    return Requirement(
        level=number,
        all_of=rule.all_of,
        proofs=rule.proofs,
        every_proof=rule.every_proof,
        four_eyes=rule.four_eyes,
        approvers=members,
    )
