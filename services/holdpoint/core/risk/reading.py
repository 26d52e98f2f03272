"""What is read off a subject before anything is judged: one `Case`, which every heuristic sees."""

from collections.abc import Iterator
from decimal import Decimal

import msgspec

from holdpoint.core.risk.arguments import Payload, payload
from holdpoint.core.risk.calls.declared import arguments_of, declared
from holdpoint.core.risk.calls.door import read_call, read_orders
from holdpoint.core.risk.calls.leaf import Leaf, strings
from holdpoint.core.risk.calls.names import tool_name
from holdpoint.core.risk.calls.nested import Inner, calls_in, gravest_verb, read_inner
from holdpoint.core.risk.calls.noted import without_noted
from holdpoint.core.risk.calls.orders import Order, orders_in
from holdpoint.core.risk.calls.sought import without_sought
from holdpoint.core.risk.code import Programs, dialect_of, programs
from holdpoint.core.risk.context import Context, Sentence
from holdpoint.core.risk.dialogue.door import Announcement, gravest, read_dialogue
from holdpoint.core.risk.dialogue.doubts import doubts_facts
from holdpoint.core.risk.dialogue.layout import flowing, spoken
from holdpoint.core.risk.environment import Place, place
from holdpoint.core.risk.harmless import is_rehearsed, only_asks
from holdpoint.core.risk.http.named import requested, searched
from holdpoint.core.risk.inert import with_kept, without_inert
from holdpoint.core.risk.instructed import Told, instructed
from holdpoint.core.risk.money import Money, worth
from holdpoint.core.risk.said import said_programs, said_signals
from holdpoint.core.risk.scan import (
    Scan,
    asked_once,
    is_unsure,
    only_with,
    scan,
    with_more,
    without_doubts,
    without_leave,
    without_mentions,
    without_reports,
    without_told,
)
from holdpoint.core.risk.sizes import Size, claimed, largest, listed_in, planned, told_of
from holdpoint.core.risk.taken import loss_in_call, loss_said
from holdpoint.core.risk.text import Folded, fold
from holdpoint.core.risk.wording import Kind, Verb, verb_in
from holdpoint.messages.action import Action, Plan
from holdpoint.messages.policy import Policy
from holdpoint.messages.risk import Environment, Heuristic, IntentClaim, Signal

Within = tuple[tuple[Inner, ...], tuple[Order, ...]]
UNKNOWN_TOOL_LEVEL = 5
READ_LEVEL = 1


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One subject, read."""

    context: Context
    text: Folded
    scan: Scan
    place: Place
    found: tuple[Signal, ...] = ()
    """What the readers of its kind found: shell, SQL, requests, calls, dialogue."""

    programs: Programs = Programs()
    whole: bool = True
    """False when there was more than is read."""

    level: int | None = None
    """The operation level; None for a sentence, which runs nothing."""

    rehearsed: bool = False
    """Whether nothing is done by this call: a dry run that the tool knows, or a mere question."""

    domain: str = ""
    verb: Verb | None = None
    loss: str = ""
    """What it takes away, as a reason begins, where its verb takes something away."""

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
            return self.rehearsed or self.level == READ_LEVEL
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
        return not self.rehearsed and self.verb is not None and self.verb.kind is Kind.DELETE

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
    detail = payload(said.action_detail) if said.action_detail else Payload(text="")
    text = spoken(fold(f"{said.text}\n{detail.text}" if detail.text else said.text))
    whole_lines = flowing(text)
    told = read_dialogue(whole_lines.folded)
    deed = gravest(told.deeds)
    beside = programs("", detail.leaves, detail.objects, "") if detail.leaves else Programs()
    beside_it = listed_in(detail, "update") if detail.tallies else ()
    return Case(
        context=context,
        text=text,
        scan=_scan_said(text, whole_lines, told, policy),
        place=_sentence_place(said, context, policy),
        found=(*said_signals(told, text), *said_programs(text, told.mentioned), *beside.signals),
        whole=told.whole and detail.whole,
        verb=deed.verb if deed else None,
        loss=loss_said(deed, text),
        size=largest((*told_of(told.deeds), *beside_it, *claimed(said.claim))),
        wide=any(one.wide for one in told.deeds if one.verb.kind is not Kind.READ),
        money=_dearest((*told.amounts, *detail.amounts), policy),
        percents=(*told.percents, *detail.percents),
        claim=said.claim,
        confidence=_lowest(said.confidence, context.confidence),
    )


def _scan_said(text: Folded, whole_lines: Folded, told: Announcement, policy: Policy) -> Scan:
    """Where nothing is announced and something is denied, production is only talked about."""
    found = scan(text, "", policy, Programs(), reads=False)
    if whole_lines.folded != text.folded:
        found = with_more(found, scan(whole_lines, "", policy, Programs(), reads=False))
    if not found.hits:
        return found
    found = without_leave(without_mentions(found, told.mentioned), told.harmless)
    found = asked_once(without_reports(found, told.retold()), remarked=told.asks)
    if is_unsure(found) and doubts_facts(text.folded, told.deeds):
        found = without_doubts(found)
    if not told.denied():
        return found
    kept = (hit for hit in found.hits if hit.pattern.heuristic is not Heuristic.CRITICALITY)
    return msgspec.structs.replace(found, hits=tuple(kept))


def _read_action(proposed: Action, context: Context, policy: Policy) -> Case:
    action, kept = without_inert(proposed, context)
    found = payload(action.arguments, action.tool)
    whole, text = with_kept(found, kept), fold(found.text)
    level = context.tool.level if context.tool else UNKNOWN_TOOL_LEVEL
    reads = level == READ_LEVEL
    leaves = _running(action, found, reads=reads)
    ran = programs(action.domain, leaves, found.objects, dialect_of(context.facts), action.tool)
    name = tool_name(action.tool)
    wanted = frozenset[str]() if reads else requested(found.objects)
    asks = only_asks(action, context, ran)
    searches = asks and not wanted and searched(found.objects)
    seen = scan(text, context.reasoning, policy, ran, reads=reads or name.tells)
    if leaves is not found.leaves:
        seen = (only_with if reads else without_told)(seen, _scan_of(leaves, policy, ran))
    seen = msgspec.structs.replace(seen, mild=True) if searches else seen
    told = instructed(found, action.tool, wanted)
    within = ((), ()) if reads else _within(action, context, found)
    said, verb = gravest_verb(action.tool, found.leaves, *within)
    verb = _planned_verb(context.plan) or verb
    rehearsed = is_rehearsed(action, context, found, within)
    called = read_call(action.tool, whole, reads=reads or rehearsed or searches, beside=wanted)
    return Case(
        context=context,
        text=text,
        scan=seen,
        place=place(action.arguments, context, policy.environments),
        found=(*ran.signals, *called, *(() if rehearsed else _read_within(*within)), *told.signals),
        programs=ran,
        whole=found.whole,
        level=level,
        rehearsed=rehearsed or asks,
        domain=action.domain,
        verb=verb,
        loss=loss_in_call(action.tool, said, verb),
        size=planned(context.plan) or largest(tuple(listed_in(found, action.tool))),
        money=_dearest((*ran.amounts, *_sums(action, context, found, told)), policy),
        percents=found.percents,
        confidence=context.confidence,
    )


def _within(action: Action, context: Context, found: Payload) -> Within:
    """The calls in its arguments, and what they order, unless its name only reads."""
    inner = calls_in(found.objects)
    if tool_name(action.tool).reads:
        return inner, ()
    return inner, orders_in(action.tool, found.leaves, arguments_of(context.tool))


def _read_within(inner: tuple[Inner, ...], orders: tuple[Order, ...]) -> Iterator[Signal]:
    yield from read_inner(inner)
    yield from read_orders(orders)


def _running(action: Action, found: Payload, *, reads: bool) -> tuple[Leaf, ...]:
    """Without words that run nowhere: what is only looked for, or written down for people."""
    if reads:
        return without_sought(action, found.leaves)
    return without_noted(action.tool, found.leaves, found.objects)


def _scan_of(leaves: tuple[Leaf, ...], policy: Policy, ran: Programs) -> Scan:
    """The patterns over these values alone, of a call that only reads."""
    return scan(fold("\n".join(strings(leaves))), "", policy, ran, reads=True)


def _sums(action: Action, context: Context, found: Payload, told: Told) -> tuple[Money, ...]:
    """Its sums, also as they are without what the tool does not know: a unit, a currency."""
    known = declared(action.arguments, context.tool.schema) if context.tool else action.arguments
    bare = () if known is action.arguments else payload(known, action.tool).amounts
    return () if tool_name(action.tool).tells else (*found.amounts, *bare, *told.amounts)


def _sentence_place(said: Sentence, context: Context, policy: Policy) -> Place:
    """Configuration says where; what the agent says can only make it production."""
    known = place({}, context, policy.environments)
    if not said.action_detail:
        return known
    claimed = place(said.action_detail, context, policy.environments)
    if not claimed.stated:
        return known
    return Place(environment=Environment.PRODUCTION, stated=True, target=claimed.target)


def _planned_verb(plan: Plan | None) -> Verb | None:
    return verb_in(plan.verb.casefold()) if plan else None


def _dearest(amounts: tuple[Money, ...], policy: Policy) -> Money | None:
    """An amount without a currency is taken to be in the policy's."""
    known = [
        money if money.currency else Money(value=money.value, currency=policy.thresholds.currency)
        for money in amounts
    ]
    return max(known, key=lambda money: worth(money, policy.thresholds), default=None)


def _lowest(*confidences: float | None) -> float | None:
    return min((one for one in confidences if one is not None), default=None)
