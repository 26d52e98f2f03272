"""The complete walk: every command by every person at every hour, until no new state appears."""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TypeAlias

from msgspec.structs import replace
from tests.builders import (
    ACTION,
    DEADLINE,
    T0,
    a_halted_hold,
    a_passed_hold,
    a_sentence,
    a_voice,
    announced_with,
    asked_of,
    begin_with,
    cancel,
    confirm,
    escalate,
    expire,
    extend,
    kill,
    mint,
    modify,
    proceed,
    remind,
    render,
    resume,
    spend,
    supersede,
    take,
    withdraw,
)

from holdpoint.core.commands import (
    Cancel,
    Command,
    Expire,
    Kill,
    Modify,
    Objected,
    Supersede,
    Withdraw,
)
from holdpoint.core.hold import begin
from holdpoint.core.objections import LONGEST_PARK, alarms, extendable_s
from holdpoint.messages.hold import AnyHoldFact, Hold, Modified, Parked, PlanStep, Resolved
from holdpoint.messages.policy import Escalate, Method, OnSilence, VerdictKind, Voices
from holdpoint.messages.risk import RiskLevel

COOLING_OFF = timedelta(hours=24)
VALID_FOR = timedelta(seconds=900)
PEOPLE = ("ann", "bob", "olga", "eve", "mallory", "crm-agent")
"""ann is in both groups, olga is whom the agent acts for, mallory was not asked."""

HOURS = (
    T0,
    DEADLINE - timedelta(seconds=1),
    DEADLINE,
    T0 + VALID_FOR + timedelta(minutes=5),
    T0 + COOLING_OFF,
    DEADLINE + COOLING_OFF + VALID_FOR,
    T0 + LONGEST_PARK,
)
"""Early, just in time, too late, too late for a yes of T0, cooled off, too late for any yes,
the end of what was parked."""

LATEST = datetime.max.replace(tzinfo=UTC)

MOST_PLACES = 2_000
"""A correct machine needs a few hundred; without an end, something is wrong with it."""

Decide: TypeAlias = Callable[[Hold, Command, datetime], AnyHoldFact | Objected]

FINANCE, SECURITY = Voices(group="finance"), Voices(group="security")
TOTP = (Method.TOTP, Method.PASSKEY)
MORE_S = 900
"""By how much a deadline may be moved."""

WITH_AGENT: dict[str, tuple[str, ...]] = {"finance": ("ann", "bob", "olga", "crm-agent")}

STEPS = (PlanStep(action=ACTION, level=3, risk_level=RiskLevel.HIGH),) * 2
CHANGED = Modified(hold_id="h0", by="bob", answer="ANSWERS:2", authors=("bob",))
WITH_EVE: dict[str, tuple[str, ...]] = {"finance": ("ann", "bob", "olga", "eve")}


def _held(
    *all_of: Voices,
    cooling_off: timedelta = timedelta(),
    four_eyes: bool = False,
    said_by: tuple[str, ...] = (),
    method: Method = Method.TOTP,
    waited: timedelta = timedelta(),
) -> Hold:
    asked = asked_of(
        *all_of, proofs=TOTP, four_eyes=four_eyes, cooling_off_s=int(cooling_off.total_seconds())
    )
    voices = [a_voice(person, method) for person in said_by]
    said = announced_with(*voices, resolved_at=T0 - waited) if voices else None
    return a_halted_hold(requirement=asked, announced=said)


STARTS: dict[str, tuple[VerdictKind, Hold]] = {
    "one voice": (VerdictKind.HOLD, _held(FINANCE)),
    "two voices of one group": (VerdictKind.HOLD, _held(Voices(group="finance", voices=2))),
    "two groups, one person in both": (VerdictKind.HOLD, _held(FINANCE, SECURITY)),
    "parked when nobody answers": (
        VerdictKind.HOLD,
        a_halted_hold(
            requirement=asked_of(FINANCE, proofs=TOTP, on_silence=OnSilence.PARK),
        ),
    ),
    "four eyes": (VerdictKind.HOLD, _held(FINANCE, four_eyes=True)),
    "cooling-off": (VerdictKind.HOLD, _held(FINANCE, cooling_off=COOLING_OFF)),
    "four eyes, and bob changed it": (
        VerdictKind.HOLD,
        a_halted_hold(
            requirement=asked_of(FINANCE, approvers=WITH_EVE, proofs=TOTP, four_eyes=True),
            modified=CHANGED,
        ),
    ),
    "every proof": (
        VerdictKind.HOLD,
        a_halted_hold(requirement=asked_of(FINANCE, proofs=TOTP, every_proof=True)),
    ),
    "the agent among the approvers": (
        VerdictKind.HOLD,
        a_halted_hold(requirement=asked_of(FINANCE, approvers=WITH_AGENT, proofs=TOTP)),
    ),
    "a sentence": (
        VerdictKind.HOLD,
        a_sentence(
            stage=a_halted_hold().stage, ui=None, requirement=asked_of(FINANCE, proofs=TOTP)
        ),
    ),
    "a plan": (
        VerdictKind.HOLD,
        a_sentence(
            stage=a_halted_hold().stage,
            ui=None,
            requirement=asked_of(FINANCE, proofs=TOTP),
            steps=STEPS,
        ),
    ),
    "a confirmed sentence stands for it": (VerdictKind.HOLD, _held(FINANCE, said_by=("ann",))),
    "a sentence that cooled off stands for it": (
        VerdictKind.HOLD,
        _held(FINANCE, cooling_off=COOLING_OFF, said_by=("ann",), waited=COOLING_OFF),
    ),
    "its yes is still cooling off": (
        VerdictKind.HOLD,
        _held(FINANCE, cooling_off=COOLING_OFF, said_by=("ann",)),
    ),
    "its yes is of one person, of two": (
        VerdictKind.HOLD,
        _held(FINANCE, SECURITY, said_by=("ann",)),
    ),
    "its yes is of whom the agent acts for": (
        VerdictKind.HOLD,
        _held(FINANCE, four_eyes=True, said_by=("olga", "ann")),
    ),
    "its yes is of somebody who is not asked": (
        VerdictKind.HOLD,
        _held(FINANCE, said_by=("ann", "mallory")),
    ),
    "its yes is too weakly proven": (
        VerdictKind.HOLD,
        _held(FINANCE, said_by=("ann",), method=Method.CHAT),
    ),
    "people are told again, and others are asked too": (
        VerdictKind.HOLD,
        a_halted_hold(
            escalates_at=T0 + timedelta(seconds=600),
            requirement=asked_of(
                FINANCE,
                approvers={"finance": ("ann",)},
                proofs=TOTP,
                deadline_s=900,
                remind_after_s=(300,),
                escalate=Escalate(group="backup", after_s=600),
                backup=("eve", "crm-agent"),
                extend_up_to_s=MORE_S,
            ),
        ),
    ),
    "a notice before it goes on": (
        VerdictKind.HOLD,
        a_halted_hold(
            requirement=asked_of(
                FINANCE,
                proofs=TOTP,
                cooling_off_s=int(COOLING_OFF.total_seconds()),
                notice_before_s=(3600,),
            )
        ),
    ),
    "it waits for its turn": (
        VerdictKind.HOLD,
        a_halted_hold(
            queued=True,
            expires_at=T0 + LONGEST_PARK,
            requirement=asked_of(
                FINANCE,
                proofs=TOTP,
                deadline_s=900,
                escalate=Escalate(group="backup", after_s=600),
                backup=("eve",),
            ),
        ),
    ),
    "passed": (VerdictKind.PASS, a_passed_hold()),
    "witnessed": (VerdictKind.WITNESS, a_passed_hold()),
    "a passed sentence": (VerdictKind.PASS, a_passed_hold(action=None)),
    "denied": (VerdictKind.DENY, a_passed_hold()),
}


@dataclass(frozen=True, kw_only=True)
class Place:
    """A hold, and what an honest witness of its road remembers."""

    hold: Hold
    since: datetime
    resolves: int = 0
    stopped: bool = False
    """Whether a cancel, kill, withdrawal or expiry has won."""

    @property
    def key(self) -> object:
        """What `decide` can tell places apart by: order and times of voices, and causes, play no
        part.
        """
        voices = frozenset(voice.person for voice in self.hold.voices)
        it = self.hold
        ends = (it.stage, it.outcome, it.resolved_at, it.render_digest, it.used_by, it.parked_at)
        times = (*alarms(it).items(), it.expires_at, extendable_s(it), it.escalated_at is None)
        return ends, times, it.taken, voices, self.resolves, self.stopped


@dataclass(frozen=True, kw_only=True)
class Step:
    """One command at one hour, and what came of it."""

    before: Place
    command: Command
    now: datetime
    fact: AnyHoldFact | Objected


def beginning(name: str) -> Place:
    """Where a walk starts: the hold as its first fact leaves it."""
    verdict, hold = STARTS[name]
    return Place(hold=begin(begin_with(verdict, hold)).hold, since=T0)


def walk(start: Place, decide: Decide) -> Iterator[Step]:
    """Every step that can be taken from here; waiting is no step, each hour is tried anyway."""
    seen: dict[object, datetime] = {}
    frontier = deque([start])
    while frontier:
        place = frontier.popleft()
        if seen.get(place.key, LATEST) <= place.since:
            continue
        seen[place.key] = place.since
        assert len(seen) < MOST_PLACES, "The walk finds no end."
        for step in _steps(place, decide):
            yield step
            if not isinstance(step.fact, Objected):
                frontier.append(_after(step, step.fact))


def _steps(place: Place, decide: Decide) -> Iterator[Step]:
    for now in (hour for hour in HOURS if hour >= place.since):
        hold = place.hold
        for command in commands(hold.digest, hold.render_digest, hold.agent, now):
            fact = decide(place.hold, command, now)
            yield Step(before=place, command=command, now=now, fact=fact)


@cache
def commands(digest: str, render_digest: str, agent: str, now: datetime) -> tuple[Command, ...]:
    """Everything that anybody could ask: honest, mistaken or forged.

    Everybody tries what only some may do; a mistake is made by somebody whose honest try counts.
    """
    seen = {"digest": digest, "render_digest": render_digest}
    return tuple(_commands(seen, agent, now))


def _commands(seen: dict[str, str], agent: str, now: datetime) -> Iterator[Command]:
    proves = {"method": Method.PASSKEY, "methods": TOTP}
    for by in PEOPLE:
        yield proceed(by, **seen, **proves)
        yield cancel(by, **seen)
        yield extend(by, MORE_S, **seen)
        yield modify(by, **seen)
    for wrong in ({**seen, "digest": "d2"}, {**seen, "render_digest": "r2"}):
        yield from (proceed("ann", **wrong, **proves), cancel("ann", **wrong))
        yield from (extend("ann", MORE_S, **wrong), modify("ann", **wrong))
    for method in Method:
        yield proceed("ann", **seen, method=method)
    yield from (extend("ann", MORE_S + 1, **seen), extend("ann", MORE_S, " ", **seen))
    for by in ("ann", agent):
        yield from (withdraw(by), supersede(by), spend(by), spend(by, "h3"))
        yield from (take(by, hold, step) for step in range(3) for hold in ("h2", "h3"))
    yield from (render(), kill(), expire(), remind(), escalate(), confirm())
    for clock in (now, now - 2 * COOLING_OFF, now + timedelta(minutes=10)):
        yield resume(at=clock)
        yield mint(at=clock)


def _after(step: Step, fact: AnyHoldFact) -> Place:
    return Place(
        hold=fact.hold,
        since=step.now,
        resolves=step.before.resolves + isinstance(fact, Resolved),
        stopped=step.before.stopped
        or (
            isinstance(step.command, Cancel | Kill | Withdraw | Expire | Supersede | Modify)
            and not isinstance(fact, Parked)
        ),
    )


def without_history(hold: Hold) -> Hold:
    """The hold but for the ids of what led to it."""
    return replace(hold, causes=())
