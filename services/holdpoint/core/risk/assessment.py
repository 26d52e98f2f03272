"""How risky is it? Read the subject once, ask every heuristic; the worst signal is the level.

What an agent says about itself may raise the level and never lower it; what cannot be read
raises it too.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from operator import attrgetter
from pathlib import Path
from traceback import extract_tb
from typing import Any

from msgspec.structs import replace

from holdpoint.core.automaton import CompiledStore
from holdpoint.core.card_reasons import EVERYTHING
from holdpoint.core.risk import patterns
from holdpoint.core.risk.case import Case, planned, read
from holdpoint.core.risk.context import Context, Sentence
from holdpoint.core.risk.dialogue import hedges
from holdpoint.core.risk.extract.payload import MAX_VALUES
from holdpoint.core.risk.heuristics import (
    destructive_verb,
    large_amount,
    large_share,
    many_records,
    production_touched,
    readers_found,
    unreadable,
    worries,
)
from holdpoint.core.risk.intents.judgement import with_reader, without_reader
from holdpoint.core.risk.programs import SENDING_LEVEL, SENDS
from holdpoint.core.risk.sql import analyzer as sql
from holdpoint.core.risk.tools.nested import Inner
from holdpoint.core.risk.wording import Kind
from holdpoint.core.text import printable
from holdpoint.messages.action import Action
from holdpoint.messages.base import JsonObject
from holdpoint.messages.policy import Policy
from holdpoint.messages.risk import Assessment, Environment, Heuristic, RiskLevel, Signal


def make_fast(policy: Policy, store: CompiledStore | None = None) -> None:
    """Make the automata that an assessment by this policy is quick with.

    That takes seconds, unless an earlier process kept them in the store.
    """
    patterns.make_fast(policy.patterns, store)
    hedges.make_fast(store)
    sql.make_fast()


Worry = Callable[[Case, Policy], Iterator[Signal]]
_BATCHES = frozenset({Kind.CREATE, Kind.UPDATE, Kind.DELETE})


def assess(subject: Action | Sentence, context: Context, policy: Policy) -> Assessment:
    """Judge an action before it runs, or a sentence before the agent goes on.

    The gravest signals come first, each level's in the order in which they were found. Whatever the
    engine itself fails on is critical: a person looks, and the signal says where it failed.
    """
    try:
        return _assessed(subject, context, policy)
    except Exception as error:  # noqa: BLE001  # a fault of the engine lets nothing pass
        return Assessment(level=RiskLevel.CRITICAL, signals=(_failed(error),), reversible=False)


def _failed(error: Exception) -> Signal:
    """Name the fault by its kind and place: its message may hold what an agent sent."""
    place = extract_tb(error.__traceback__)[-1]
    return Signal(
        rule="assessment.failed",
        heuristic=Heuristic.UNCERTAINTY,
        level=RiskLevel.CRITICAL,
        reason="the risk engine failed on it, so nobody has judged it",
        evidence=f"{type(error).__name__} in {Path(place.filename).name}:{place.lineno}",
    )


def _assessed(subject: Action | Sentence, context: Context, policy: Policy) -> Assessment:
    case = read(subject, context, policy)
    found = worries(case, policy)
    if case.calls and isinstance(subject, Action):
        told = frozenset(replace(one, span=None) for one in found)
        found += (one for one in judged_within(case, subject, context, policy) if one not in told)
    if isinstance(subject, Sentence):
        announces = case.verb is not None and case.verb.kind is not Kind.READ
        if policy.intents.reader:
            found = with_reader(subject.text, case.text, found, announces=announces)
        else:
            found = without_reader(subject.text, found, announces=announces)
    return _concluded(case, found)


def by_rules(sentence: Sentence, context: Context, policy: Policy) -> Assessment:
    """Judge a sentence by its rules alone, to compare with: no reader, and nothing for its lack."""
    case = read(sentence, context, policy)
    return _concluded(case, worries(case, policy))


def _concluded(case: Case, found: list[Signal]) -> Assessment:
    level = _worst(found)
    more = tuple(unreadable(case, level))
    signals = sorted((*found, *more), key=_rank, reverse=True)
    for at, one in enumerate(signals):  # without what an agent wrote with unseen signs
        if (said := printable(one.reason)) is not one.reason:
            signals[at] = replace(one, reason=said)
    return _assessment(case, tuple(signals), _worst(signals) if more else level)


def only_reads(subject: Action | Sentence, context: Context, policy: Policy) -> bool:
    """Return whether all that a subject runs was parsed and is proven to only read."""
    programs = read(subject, context, policy).programs
    return programs.complete and programs.reads_only


def _affected(case: Case, signals: Iterable[Signal]) -> int | None:
    """Return how much it touches; unknown where it names a list or all there is, not each thing."""
    if case.size is None:
        return None
    unbounded = planned(case.context.plan) is None and any(it.rule == EVERYTHING for it in signals)
    return None if unbounded else case.size.records


_rank = attrgetter("level.rank")


def _worst(signals: Iterable[Signal]) -> RiskLevel:
    worst = max(signals, key=_rank, default=None)
    return worst.level if worst else RiskLevel.LOW


def _assessment(case: Case, signals: tuple[Signal, ...], level: RiskLevel) -> Assessment:
    plan = case.context.plan
    target = plan.targets[0] if plan and plan.targets else ""
    # Of a failed dry run only its verb is known, and that it runs on the target.
    rehearsed = plan.verb if plan and plan.error else ""
    sandbox = "" if case.place.stated else case.programs.sandbox
    return Assessment(
        level=level,
        signals=signals,
        action_type=_action_type(case),
        affected=_affected(case, signals),
        resource=case.size.noun if case.size else "",
        amount=case.money.as_object() if case.money else None,
        environment=Environment.SANDBOX if sandbox else case.environment,
        target=target or sandbox or case.place.target or next(iter(case.programs.targets), ""),
        verb=case.verb.base if case.verb else rehearsed or case.programs.verb,
        reversible=case.undoable or case.reads_only,
        reads_only=case.runs_only_reads,
        changes_little=case.changes_little,
    )


def _action_type(case: Case) -> str:
    """What its verb says, else what the worst pattern says, else the agent, else the domain."""
    kind = case.verb.kind if case.verb else None
    if case.money and kind in {None, Kind.CREATE}:
        return Kind.PAYMENT.value
    if kind is not None and kind is not Kind.READ:
        return f"batch_{kind.value}" if kind in _BATCHES and case.is_batch else kind.value
    typed = [hit.pattern for hit in case.scan.hits if hit.pattern.action_type]
    named = max(typed, key=_rank).action_type if typed else ""
    return named or case.claim.action_type or (kind.value if kind else case.domain)


MAX_CALLS = 40
"""Calls inside one that are read: a person would not check more, and more of them go up."""

MAX_HELD = MAX_VALUES // 2
"""Values that they may hold together, each with those inside it."""

_READ: tuple[Worry, ...] = (readers_found,)
"""Heuristics asked of calls that only read: how much that is, the whole says."""

_JUDGED: tuple[Worry, ...] = (*_READ, many_records, large_amount, large_share)
"""Heuristics asked of others; their words and their verb are those of the whole, and their place as
well unless they say one."""


def judged_within(case: Case, outer: Action, context: Context, policy: Policy) -> Iterator[Signal]:
    """Yield what is grave about each."""
    left = MAX_HELD
    for place, inner in enumerate(case.calls):
        left -= _size(inner.arguments, left)
        if place == MAX_CALLS or left < 0 or inner.unread:
            reason = "more calls stand in it than are read"
            yield Signal(
                rule="call.unread",
                heuristic=Heuristic.UNCERTAINTY,
                level=RiskLevel.HIGH,
                reason=reason,
            )
            return
        yield from _judged(inner, outer, context, policy, _READ if case.rehearsed else _JUDGED)


def _size(held: JsonObject, most: int) -> int:
    """How many values it holds, one more at most than are asked for; nesting costs no stack."""
    waiting: list[Any] = [held]
    size = 0
    while waiting and size <= most:
        one = waiting.pop()
        size += 1
        if isinstance(one, Mapping):
            waiting.extend(islice(one.values(), MAX_VALUES))
        elif isinstance(one, list | tuple):
            waiting.extend(one[:MAX_VALUES])
        elif isinstance(one, str):
            size += len(one) // MAX_PLAIN
    return size


MAX_PLAIN = 100
"""Characters of a text that count as a value: it may hold a payload."""


def _judged(
    inner: Inner, outer: Action, context: Context, policy: Policy, asked: tuple[Worry, ...]
) -> Iterator[Signal]:
    """Nothing that is known of the call around it is known of this one."""
    sends = inner.tool == SENDS
    acts = sends or inner.ordered
    level = max(context.tool.level, SENDING_LEVEL) if context.tool and acts else None
    tool = context.tool and replace(
        context.tool, name=inner.tool, schema={}, plans=False, level=level or context.tool.level
    )
    known = replace(context, tool=tool, plan=None, reasoning="", tallies=())
    domain = "http" if sends else outer.domain
    action = replace(outer, tool=inner.tool, arguments=inner.arguments, domain=domain)
    found = read(action, known, policy)
    placed = (production_touched,) if found.place.stated and asked is not _READ else ()
    lost = (destructive_verb,) if inner.ordered else ()
    for worry in (*asked, *placed, *lost):
        yield from (replace(one, span=None) for one in worry(found, policy))
