"""What is read off a subject before anything is judged: one `Case`, which every heuristic sees."""

from collections.abc import Iterator
from decimal import Decimal

import msgspec

from holdpoint.core.risk.context import Context, Sentence
from holdpoint.core.risk.dialogue.deeds import Deed
from holdpoint.core.risk.dialogue.door import gravest
from holdpoint.core.risk.dialogue.layout import spoken
from holdpoint.core.risk.environment import Place, place, takes_only_build_products
from holdpoint.core.risk.extract.arguments import Payload, payload
from holdpoint.core.risk.extract.money import Money, worth
from holdpoint.core.risk.extract.payload import (
    Leaf,
    arguments_of,
    bounded,
    bounded_action,
    declared,
    strings,
)
from holdpoint.core.risk.extract.recipients import sent_outside
from holdpoint.core.risk.http.as_tool import as_sent, requested, searched
from holdpoint.core.risk.inert_arguments import with_kept, without_inert
from holdpoint.core.risk.lexicon import SHELL_KEYS, word_set
from holdpoint.core.risk.pattern_scan import Scan, only_with, scan, without_told
from holdpoint.core.risk.policy_commands import policy_dangers
from holdpoint.core.risk.programs import Programs, dialect_of, programs, sent_in
from holdpoint.core.risk.quoted_programs import NOTHING_TOLD, Told, instructed
from holdpoint.core.risk.sentence_reader import heard, loss_in_call, loss_said
from holdpoint.core.risk.text import Folded, fold
from holdpoint.core.risk.tools.analyzer import (
    counts_bounds,
    makes_for_itself,
    read_call,
    read_orders,
)
from holdpoint.core.risk.tools.dry_runs import (
    grave_in_a_read,
    is_rehearsed,
    is_told_to_read,
    only_asks,
)
from holdpoint.core.risk.tools.instructions import Order, orders_despite, orders_in
from holdpoint.core.risk.tools.names import tool_name
from holdpoint.core.risk.tools.nested import Inner, calls_in, gravest_verb, meant
from holdpoint.core.risk.tools.stored_text import without_noted, without_sought
from holdpoint.core.risk.wording import Kind, Verb, verb_in
from holdpoint.core.risk.written_text import files_in
from holdpoint.messages.action import Action, Plan
from holdpoint.messages.policy import Policy
from holdpoint.messages.risk import Environment, IntentClaim, Signal

Within = tuple[tuple[Inner, ...], tuple[Order, ...]]
UNKNOWN_TOOL_LEVEL = 5
READ_LEVEL = 1


class Size(msgspec.Struct, frozen=True, kw_only=True):
    """How many of what, and where the folded text says so."""

    records: int
    noun: str = ""
    span: tuple[int, int] | None = None


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

    regenerable: bool = False
    """Whether all that it deletes are build products, by the policy's list."""

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
    calls: tuple[Inner, ...] = ()
    """Those inside it, at whatever depth, which are judged by themselves."""

    @property
    def reads_only(self) -> bool:
        """Whether nothing is changed: by the catalog's word, or by the gravest verb announced."""
        if self.level is not None:
            return self.rehearsed or self.level == READ_LEVEL
        return self.verb is not None and self.verb.kind is Kind.READ

    @property
    def runs_only_reads(self) -> bool:
        """Whether a call runs programs or statements that are proven to only read, and no other."""
        return self.level is not None and self.programs.complete and self.programs.reads_only

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
        takes = self.verb is not None and self.verb.kind is Kind.DELETE
        return not self.rehearsed and (takes or bool(self.loss))

    @property
    def in_sandbox(self) -> bool:
        """Whether a call acts in a configured sandbox, and runs no commands that may leave it."""
        placed = self.place.known and self.place.environment is Environment.SANDBOX
        inside = not self.programs.run and not any("." in one for one in self.programs.targets)
        return self.level is not None and placed and inside

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
    named, fits = bounded(said.action_detail) if said.action_detail else ({}, True)
    detail = payload(named) if named else Payload(text="")
    alone = spoken(fold(said.text))
    text = spoken(fold(f"{said.text}\n{detail.text}")) if detail.text else alone
    uttered = heard(text, alone, policy)
    told = uttered.told
    deed = gravest(told.deeds)
    beside = programs("", detail.leaves, detail.objects, "") if detail.leaves else Programs()
    beside_it = listed_in(detail, "update") if detail.tallies else ()
    return Case(
        context=context,
        text=text,
        scan=uttered.scan,
        place=_sentence_place(said, context, policy),
        found=(*uttered.signals, *beside.signals, *policy_dangers(beside, policy)),
        whole=told.whole and detail.whole and fits,
        verb=deed.verb if deed else None,
        loss=loss_said(gravest(tuple(filter(_takes_away, told.deeds))), text),
        size=largest((*told_of(told.deeds), *beside_it, *claimed(said.claim))),
        wide=any(one.wide for one in told.deeds if one.verb.kind is not Kind.READ),
        money=_dearest((*told.amounts, *detail.amounts), policy),
        percents=(*told.percents, *detail.percents),
        claim=said.claim,
        confidence=_lowest(said.confidence, context.confidence),
    )


def _takes_away(deed: Deed) -> bool:
    return deed.verb.kind is Kind.DELETE


def _read_action(proposed: Action, context: Context, policy: Policy) -> Case:
    action, found, whole, fits = _opened(proposed, context)
    text = fold(found.text)
    reads = _level(context) == READ_LEVEL
    leaves = _running(action, found, reads=reads)
    where = place(action.arguments, context, policy.environments)
    placed = policy if not where.stated and _is_alone(found) else None
    ran = _programs(action, context, leaves, found, placed)
    if own := policy_dangers(ran, policy):
        ran = msgspec.structs.replace(ran, signals=(*ran.signals, *own), reads_only=False)
    wanted = frozenset[str]() if reads else requested(found.objects)
    asks = only_asks(action, context, ran)
    searches = asks and not wanted and searched(found.objects)
    seen = scan(text, context.reasoning, policy, ran, reads=reads or tool_name(action.tool).tells)
    if leaves is not found.leaves:
        seen = (only_with if reads else without_told)(seen, _scan_of(leaves, policy, ran))
    seen = msgspec.structs.replace(seen, mild=True) if searches else seen
    told, within = _ordered(action, context, found, wanted, reads=reads)
    verb, loss = _deed(action, context, found, within)
    rehearsed = is_rehearsed(action, context)
    called = _called(action, whole, wanted, reads=reads or rehearsed or searches)
    if is_told_to_read(action, context, found, within):
        called, rehearsed = grave_in_a_read(called), True
    ordered = () if rehearsed else (one.signal() for one in read_orders(within[1]))
    sent = sent_outside(action.tool, found.leaves, policy.own_domains, reads=reads or rehearsed)
    return Case(
        context=context,
        text=text,
        scan=seen,
        place=where,
        found=(*ran.signals, *called, *ordered, *told.signals, *sent, *_planted(action, proposed)),
        programs=ran,
        whole=found.whole and fits,
        level=_level(context),
        regenerable=bool(loss) and _takes_products(action, context, found, policy),
        rehearsed=rehearsed or asks,
        domain=action.domain,
        verb=verb,
        loss=loss,
        size=planned(context.plan) or largest(tuple(listed_in(found, action.tool))),
        money=_dearest((*ran.amounts, *_sums(action, context, found, told)), policy),
        percents=found.percents,
        confidence=context.confidence,
        calls=() if rehearsed else _inner(action, found, ran, within[0], reads=reads),
    )


def _programs(
    action: Action,
    context: Context,
    leaves: tuple[Leaf, ...],
    found: Payload,
    placed: Policy | None,
) -> Programs:
    dialect = dialect_of(context.facts)
    return programs(action.domain, leaves, found.objects, dialect, action.tool, placed)


def _is_alone(found: Payload) -> bool:
    """Whether a call is one program, with nothing beside it that could say where it runs."""
    beside = [leaf for leaf in found.leaves if leaf.key not in SHELL_KEYS]
    return len(found.leaves) == len(beside) + 1 and _BESIDE.issuperset(one.key for one in beside)


_BESIDE = word_set("description explanation timeout timeout_ms timeout_s run_in_background")


def _inner(
    action: Action, found: Payload, ran: Programs, within: tuple[Inner, ...], *, reads: bool
) -> tuple[Inner, ...]:
    """The calls to judge by themselves: what it means, what it holds, what it sends."""
    means = meant(action.tool, found.leaves, found.objects, action.arguments)
    return (*means, *within, *sent_in(ran, found.objects if reads else ()))


def _level(context: Context) -> int:
    return context.tool.level if context.tool else UNKNOWN_TOOL_LEVEL


def _opened(proposed: Action, context: Context) -> tuple[Action, Payload, Payload, bool]:
    """The call without what does nothing by itself, what it holds, that with all its texts.

    Whether all of it can be read comes last.
    """
    bound, fits = bounded_action(proposed)
    action, kept = without_inert(bound, context)
    found = payload(action.arguments, action.tool)
    return action, found, with_kept(found, kept), fits


def _takes_products(action: Action, context: Context, found: Payload, policy: Policy) -> bool:
    products = policy.build_products
    return bool(products) and takes_only_build_products(
        action, context.tool, found.leaves, products
    )


def _called(
    action: Action, found: Payload, beside: frozenset[str], *, reads: bool
) -> tuple[Signal, ...]:
    """What is grave about the call; of a request by itself, what was sent is named."""
    called = read_call(action.tool, found, reads=reads, beside=beside).signals
    alone = called and action.domain == "http"
    return as_sent(called, action.tool, found.objects) if alone else called


def _deed(
    action: Action, context: Context, found: Payload, within: Within
) -> tuple[Verb | None, str]:
    """What the call does, by its dry run or by its words, and what it takes away."""
    said, verb = gravest_verb(action.tool, found.leaves, *within)
    verb = _planned_verb(context.plan) or verb
    sends = action.domain == "http" and said != action.tool
    return verb, loss_in_call("a request" if sends else action.tool, said, verb)


def _ordered(
    action: Action, context: Context, found: Payload, wanted: frozenset[str], *, reads: bool
) -> tuple[Told, Within]:
    """What its texts tell somebody to do, and the calls within it; one program has neither."""
    if found.program:
        return NOTHING_TOLD, ((), ())
    ordered = orders_despite if reads or tool_name(action.tool).reads else orders_in
    orders = ordered(action.tool, found.leaves, arguments_of(context.tool))
    within = (() if reads else calls_in(action.tool, found.objects), orders)
    return instructed(found, action.tool, wanted), within


def _planted(action: Action, proposed: Action) -> tuple[Signal, ...]:
    """What is grave about the files that it writes, as they stood before texts were taken out."""
    return () if action.domain == "shell" else tuple(files_in(action.tool, proposed.arguments))


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
    if found.program:
        return ()
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


def planned(plan: Plan | None) -> Size | None:
    """What the dry run counted is what counts."""
    if plan is None or plan.error or (plan.affected is None and not plan.targets):
        return None
    if plan.affected is None:
        return Size(records=len(plan.targets))
    return Size(records=plan.affected, noun=plan.unit)


def told_of(deeds: tuple[Deed, ...]) -> Iterator[Size]:
    """What is only read does not count beside what is changed."""
    only_reads = all(deed.verb.kind is Kind.READ for deed in deeds)
    for deed in deeds:
        if deed.records is not None and (only_reads or deed.verb.kind is not Kind.READ):
            yield Size(records=deed.records, noun=deed.noun, span=deed.span)


def listed_in(found: Payload, tool: str) -> Iterator[Size]:
    """Without the bounds of what is only shown, and what is only made for oneself."""
    if not found.tallies or makes_for_itself(tool, found):
        return iter(())
    bounds = counts_bounds(tool)
    told = (tally for tally in found.tallies if bounds or not tally.bound)
    return (Size(records=tally.records, noun=tally.noun) for tally in told)


def claimed(claim: IntentClaim) -> Iterator[Size]:
    """What the agent itself says."""
    if claim.scope and claim.scope.records > 0:
        yield Size(records=claim.scope.records, noun=claim.scope.type)


def largest(sizes: tuple[Size, ...]) -> Size | None:
    """The first of the largest; what it is may come from the first that says."""
    most = max(sizes, key=lambda size: size.records, default=None)
    if most is None or most.noun:
        return most
    noun = next((size.noun for size in sizes if size.noun), "")
    return Size(records=most.records, noun=noun, span=most.span)
