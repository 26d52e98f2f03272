"""How risky is it? Read the subject once, ask every heuristic; the worst signal is the level.

What an agent says about itself may raise the level and never lower it; what cannot be read
raises it too.
"""

from collections.abc import Iterable

from msgspec import structs

from holdpoint.core.risk import patterns
from holdpoint.core.risk.automaton import CompiledStore
from holdpoint.core.risk.context import Context, Sentence
from holdpoint.core.risk.dialogue import hedges
from holdpoint.core.risk.excerpt import printable
from holdpoint.core.risk.heuristics import HEURISTICS, unreadable
from holdpoint.core.risk.nested_calls import judged_within
from holdpoint.core.risk.patterns import Hit
from holdpoint.core.risk.reading import Case, read
from holdpoint.core.risk.sql import analyzer as sql
from holdpoint.core.risk.wording import Kind
from holdpoint.messages.action import Action
from holdpoint.messages.policy import Policy
from holdpoint.messages.risk import Assessment, RiskLevel, Signal


def make_fast(policy: Policy, store: CompiledStore | None = None) -> None:
    """Make the automata that an assessment by this policy is quick with.

    That takes seconds, unless an earlier process kept them in the store.
    """
    patterns.make_fast(policy.patterns, store)
    hedges.make_fast(store)
    sql.make_fast()


_BATCHES = frozenset({Kind.CREATE, Kind.UPDATE, Kind.DELETE})


def assess(subject: Action | Sentence, context: Context, policy: Policy) -> Assessment:
    """Judge an action before it runs, or a sentence before the agent goes on.

    The gravest signals come first, each level's in the order in which they were found.
    """
    case = read(subject, context, policy)
    found: list[Signal] = []
    for worry in HEURISTICS:
        found += worry(case, policy)
    if case.calls and isinstance(subject, Action):
        told = frozenset(found)
        found += (one for one in judged_within(case, subject, context, policy) if one not in told)
    level = _worst(found)
    more = tuple(unreadable(case, level))
    signals = sorted(map(_in_one_line, (*found, *more)), key=_rank, reverse=True)
    return _assessment(case, tuple(signals), _worst(signals) if more else level)


def only_reads(subject: Action | Sentence, context: Context, policy: Policy) -> bool:
    """Whether all that a subject runs was parsed and is proven to only read."""
    programs = read(subject, context, policy).programs
    return programs.complete and programs.reads_only


def _in_one_line(signal: Signal) -> Signal:
    """As it is, unless its reason names what an agent wrote with line breaks or unseen signs."""
    reason = printable(signal.reason)
    return signal if reason is signal.reason else structs.replace(signal, reason=reason)


def _worst(signals: Iterable[Signal]) -> RiskLevel:
    worst = max(signals, key=_rank, default=None)
    return worst.level if worst else RiskLevel.LOW


def _rank(signal: Signal) -> int:
    return signal.level.rank


def _assessment(case: Case, signals: tuple[Signal, ...], level: RiskLevel) -> Assessment:
    return Assessment(
        level=level,
        signals=signals,
        action_type=_action_type(case),
        affected=case.size.records if case.size else None,
        resource=case.size.noun if case.size else "",
        amount=case.money.as_object() if case.money else None,
        environment=case.place.environment,
        target=_target(case),
        verb=_verb(case),
        reversible=case.undoable or case.reads_only,
        reads_only=case.runs_only_reads,
    )


def _action_type(case: Case) -> str:
    """What its verb says, else what the worst pattern says, else the agent, else the domain."""
    kind = case.verb.kind if case.verb else None
    if case.money and kind in {None, Kind.CREATE}:
        return Kind.PAYMENT.value
    if kind is not None and kind is not Kind.READ:
        return f"batch_{kind.value}" if kind in _BATCHES and case.is_batch else kind.value
    return _named(case.scan.hits) or case.claim.action_type or (kind.value if kind else case.domain)


def _named(hits: tuple[Hit, ...]) -> str:
    """What the worst pattern that names one says."""
    worst = sorted(hits, key=lambda hit: -hit.pattern.level.rank)
    return next((hit.pattern.action_type for hit in worst if hit.pattern.action_type), "")


def _verb(case: Case) -> str:
    """What goes with the target: of a failed dry run only that it runs there is known."""
    if case.verb:
        return case.verb.base
    plan = case.context.plan
    return plan.verb if plan and plan.error and plan.verb else case.programs.verb


def _target(case: Case) -> str:
    """What the dry run would touch; else what the arguments name."""
    plan = case.context.plan
    if plan and plan.targets:
        return plan.targets[0]
    return case.place.target or next(iter(case.programs.targets), "")
