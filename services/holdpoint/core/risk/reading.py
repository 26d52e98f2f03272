"""What is read off a subject before anything is judged: one `Case`, which every heuristic sees."""

from collections.abc import Iterator
from decimal import Decimal

import msgspec

from holdpoint.core.risk.arguments import Payload, payload
from holdpoint.core.risk.context import Context, Sentence
from holdpoint.core.risk.environment import Place, place
from holdpoint.core.risk.money import Money, worth
from holdpoint.core.risk.patterns import BadPatternError, Hit, matcher
from holdpoint.core.risk.sentence import Deed, announcement, gravest
from holdpoint.core.risk.text import Folded, fold
from holdpoint.core.risk.wording import Kind, Verb, name_verb, verb_in
from holdpoint.messages.action import Action, Plan
from holdpoint.messages.policy import Policy
from holdpoint.messages.risk import Environment, Heuristic, IntentClaim

UNKNOWN_TOOL_LEVEL = 5
READ_LEVEL = 1


class Size(msgspec.Struct, frozen=True, kw_only=True):
    """How many of what, and where the folded text says so."""

    records: int
    noun: str = ""
    span: tuple[int, int] | None = None


class Scan(msgspec.Struct, frozen=True, kw_only=True):
    """What the policy's patterns found."""

    hits: tuple[Hit, ...] = ()
    doubts: tuple[Hit, ...] = ()
    """Uncertainty in the words beside a call."""

    error: str = ""
    """Why patterns could not be run; empty when they were."""


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One subject, read."""

    context: Context
    text: Folded
    scan: Scan
    place: Place
    level: int | None = None
    """The operation level; None for a sentence, which runs nothing."""

    domain: str = ""
    verb: Verb | None = None
    size: Size | None = None
    wide: bool = False
    """Whether a sentence names all of something."""

    money: Money | None = None
    """The amount that is worth most."""

    percents: tuple[Decimal, ...] = ()
    claim: IntentClaim = IntentClaim()
    confidence: float | None = None

    @property
    def reads_only(self) -> bool:
        """Whether nothing is changed: by the catalog's word, or by the gravest verb announced."""
        if self.level is not None:
            return self.level == READ_LEVEL
        return self.verb is not None and self.verb.kind is Kind.READ

    @property
    def undoable(self) -> bool:
        """Whether the worker or the catalog knows a way back."""
        plan, tool = self.context.plan, self.context.tool
        if plan and plan.reversible is not None:
            return plan.reversible
        return bool(tool and tool.undo)

    @property
    def deletes(self) -> bool:
        """Whether its verb takes something away."""
        return self.verb is not None and self.verb.kind is Kind.DELETE

    @property
    def is_batch(self) -> bool:
        """Whether it touches several things."""
        return self.wide or bool(self.size and self.size.records > 1)


def read(subject: Action | Sentence, context: Context, policy: Policy) -> Case:
    """Read everything once."""
    if isinstance(subject, Sentence):
        return _read_sentence(subject, context, policy)
    return _read_action(subject, context, policy)


def _read_sentence(said: Sentence, context: Context, policy: Policy) -> Case:
    detail = payload(said.action_detail)
    text = fold(f"{said.text}\n{detail.text}" if detail.text else said.text)
    told = announcement(text.folded)
    deed = gravest(told.deeds)
    return Case(
        context=context,
        text=text,
        scan=_scan(text, "", policy),
        place=_sentence_place(said, context, policy),
        verb=deed.verb if deed else None,
        size=_largest((*_told(told.deeds), *_listed(detail), *_claimed(said.claim))),
        wide=any(one.wide for one in told.deeds if one.verb.kind is not Kind.READ),
        money=_dearest((*told.amounts, *detail.amounts), policy),
        percents=(*told.percents, *detail.percents),
        claim=said.claim,
        confidence=_lowest(said.confidence, context.confidence),
    )


def _read_action(action: Action, context: Context, policy: Policy) -> Case:
    found = payload(action.arguments)
    text = fold(found.text)
    planned = _planned(context.plan)
    return Case(
        context=context,
        text=text,
        scan=_scan(text, context.reasoning, policy),
        place=place(action.arguments, context, policy.environments),
        level=context.tool.level if context.tool else UNKNOWN_TOOL_LEVEL,
        domain=action.domain,
        verb=_planned_verb(context.plan) or name_verb(action.tool),
        size=planned or _largest(tuple(_listed(found))),
        money=_dearest(found.amounts, policy),
        percents=found.percents,
        confidence=context.confidence,
    )


def _scan(text: Folded, reasoning: str, policy: Policy) -> Scan:
    try:
        compiled = matcher(policy.patterns)
    except BadPatternError as error:
        return Scan(error=str(error))
    beside = compiled.hits(fold(reasoning)) if reasoning else ()
    doubts = tuple(hit for hit in beside if hit.pattern.heuristic is Heuristic.UNCERTAINTY)
    return Scan(hits=compiled.hits(text), doubts=doubts)


def _sentence_place(said: Sentence, context: Context, policy: Policy) -> Place:
    """Configuration says where; what the agent says can only make it production."""
    known = place({}, context, policy.environments)
    claimed = place(said.action_detail, context, policy.environments)
    if not claimed.stated:
        return known
    return Place(environment=Environment.PRODUCTION, stated=True, target=claimed.target)


def _planned(plan: Plan | None) -> Size | None:
    """What the dry run counted is what counts."""
    if plan is None or plan.error or (plan.affected is None and not plan.targets):
        return None
    return Size(records=len(plan.targets) if plan.affected is None else plan.affected)


def _planned_verb(plan: Plan | None) -> Verb | None:
    return verb_in(plan.verb.casefold()) if plan else None


def _told(deeds: tuple[Deed, ...]) -> Iterator[Size]:
    """What is only read does not count beside what is changed."""
    only_reads = all(deed.verb.kind is Kind.READ for deed in deeds)
    for deed in deeds:
        if deed.records is not None and (only_reads or deed.verb.kind is not Kind.READ):
            yield Size(records=deed.records, noun=deed.noun, span=deed.span)


def _listed(found: Payload) -> Iterator[Size]:
    return (Size(records=tally.records, noun=tally.noun) for tally in found.tallies)


def _claimed(claim: IntentClaim) -> Iterator[Size]:
    if claim.scope and claim.scope.records > 0:
        yield Size(records=claim.scope.records, noun=claim.scope.type)


def _largest(sizes: tuple[Size, ...]) -> Size | None:
    """The first of the largest; what it is may come from the first that says."""
    most = max(sizes, key=lambda size: size.records, default=None)
    if most is None or most.noun:
        return most
    noun = next((size.noun for size in sizes if size.noun), "")
    return Size(records=most.records, noun=noun, span=most.span)


def _dearest(amounts: tuple[Money, ...], policy: Policy) -> Money | None:
    """An amount without a currency is taken to be in the policy's."""
    known = [
        money if money.currency else Money(value=money.value, currency=policy.thresholds.currency)
        for money in amounts
    ]
    return max(known, key=lambda money: worth(money, policy.thresholds), default=None)


def _lowest(*confidences: float | None) -> float | None:
    return min((one for one in confidences if one is not None), default=None)
