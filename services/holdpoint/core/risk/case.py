"""What is read off a subject before anything is judged: one `Case`, which every heuristic sees."""

from collections.abc import Iterator
from decimal import Decimal

import msgspec

from holdpoint.core.risk.context import Context, Sentence
from holdpoint.core.risk.dialogue.announcement import gravest
from holdpoint.core.risk.dialogue.layout import spoken
from holdpoint.core.risk.dialogue.stated_actions import StatedAction
from holdpoint.core.risk.environment import Place, place, takes_only_build_products
from holdpoint.core.risk.extract.arguments import Payload, payload
from holdpoint.core.risk.extract.money import Money, worth
from holdpoint.core.risk.extract.payload import (
    arguments_of,
    bounded,
    bounded_action,
    declared,
    strings,
)
from holdpoint.core.risk.extract.recipients import sent_outside
from holdpoint.core.risk.http.analyzer import as_sent, requested, searched
from holdpoint.core.risk.inert_arguments import with_kept, without_inert
from holdpoint.core.risk.pattern_scan import Scan, only_with, scan, without_commands, without_told
from holdpoint.core.risk.policy_commands import policy_findings
from holdpoint.core.risk.programs import Programs, dialect_of, one_command, programs, sent_in
from holdpoint.core.risk.quoted_programs import NOTHING_TOLD, Told, instructed
from holdpoint.core.risk.sentence_reader import loss_in_call, loss_said, read_sentence
from holdpoint.core.risk.shell.local_changes import changes_little
from holdpoint.core.risk.tools.analyzer import (
    counts_bounds,
    makes_for_itself,
    read_call,
    read_orders,
)
from holdpoint.core.risk.tools.command_lines import lone_command
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
from holdpoint.core.risk.words import SHELL_KEYS, word_set
from holdpoint.core.risk.written_text import files_in
from holdpoint.core.text import Folded, fold
from holdpoint.messages.action import Action, Plan
from holdpoint.messages.catalog import READ_LEVEL, UNLEVELLED
from holdpoint.messages.policy import Policy
from holdpoint.messages.risk import Environment, IntentClaim, Signal

Within = tuple[tuple[Inner, ...], tuple[Order, ...]]


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

    changes_little: bool = False
    """Whether what it runs is proven to lose nothing of its working folder."""

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
        """Return whether nothing is changed, by the catalog or by the gravest verb announced."""
        if self.level is not None:
            return self.rehearsed or self.level == READ_LEVEL
        return self.verb is not None and self.verb.kind is Kind.READ

    @property
    def runs_only_reads(self) -> bool:
        """Return whether all that a call runs is proven to only read."""
        return self.level is not None and self.programs.complete and self.programs.reads_only

    @property
    def undoable(self) -> bool:
        """Return whether the worker or the catalog knows a way back."""
        plan, tool = self.context.plan, self.context.tool
        if plan and plan.reversible is not None:
            return plan.reversible
        return bool(tool and tool.undo)

    @property
    def deletes(self) -> bool:
        """Return whether its verb takes something away."""
        takes = self.verb is not None and self.verb.kind is Kind.DELETE
        return not self.rehearsed and (takes or bool(self.loss))

    @property
    def environment(self) -> Environment:
        """Environment it lands in: statements that lead elsewhere (`USE crm`) are in no sandbox."""
        leads = self.level is not None and self.programs.statements and not self.programs.stays
        return Environment.PRODUCTION if leads else self.place.environment

    @property
    def in_sandbox(self) -> bool:
        """Return whether a call acts in a configured sandbox, with no command that may leave it."""
        placed = self.place.known and self.place.environment is Environment.SANDBOX
        ran = self.programs
        inside = (ran.stays or not ran.statements) and not ran.commands
        return self.level is not None and placed and inside

    @property
    def is_batch(self) -> bool:
        """Return whether it touches several things."""
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
    uttered = read_sentence(text, alone, policy)
    told = uttered.told
    confidences = [one for one in (said.confidence, context.confidence) if one is not None]
    action = gravest(told.actions)
    beside = programs("", detail.leaves, detail.objects, "") if detail.leaves else Programs()
    beside_it = listed_in(detail, "update") if detail.tallies else ()
    return Case(
        context=context,
        text=text,
        scan=uttered.scan,
        place=_sentence_place(said, context, policy),
        found=(*uttered.signals, *_by_policy(beside, policy).signals),
        whole=told.whole and detail.whole and fits,
        verb=action.verb if action else None,
        loss=loss_said(
            gravest(tuple(one for one in told.actions if one.verb.kind is Kind.DELETE)), text
        ),
        size=largest((*told_of(told.actions), *beside_it, *claimed(said.claim))),
        wide=any(one.wide for one in told.actions if one.verb.kind is not Kind.READ),
        money=_dearest((*told.amounts, *detail.amounts), policy),
        percents=(*told.percents, *detail.percents),
        claim=said.claim,
        confidence=min(confidences, default=None),
    )


class _Call(msgspec.Struct, frozen=True, kw_only=True):
    """A call without what does nothing by itself, and what all of its readers need."""

    action: Action
    context: Context
    policy: Policy
    found: Payload
    level: int

    @property
    def reads(self) -> bool:
        """Return whether the catalog lists it as a mere read."""
        return self.level == READ_LEVEL


def _read_command(action: Action, command: str, context: Context, policy: Policy) -> Case:
    """A call that is one command: what the shell's reader says of it is all that there is."""
    text, name = fold(command), tool_name(action.tool)
    where = place(action.arguments, context, policy.environments, (action.arguments,))
    placed = None if where.stated else policy
    ran = _by_policy(one_command(command, dialect_of(context.facts), placed), policy)
    return Case(
        context=context,
        text=text,
        scan=scan(text, context.reasoning, policy, ran, reads=name.tells),
        place=where,
        found=ran.signals,
        programs=ran,
        level=_level(context),
        changes_little=_changes_little(action, context, policy),
        domain=action.domain,
        verb=name.verb,
        money=_dearest(ran.amounts, policy) if ran.amounts else None,
        confidence=context.confidence,
        calls=tuple(sent_in(ran, ())) if ran.requests else (),
    )


def _level(context: Context) -> int:
    return context.tool.level if context.tool else UNLEVELLED


def _by_policy(ran: Programs, policy: Policy) -> Programs:
    """With what the policy's own rules say of the commands."""
    own = policy_findings(ran, policy) if policy.commands or policy.sql else ()
    if not own:
        return ran
    return msgspec.structs.replace(ran, findings=(*ran.findings, *own), reads_only=False)


def _read_action(proposed: Action, context: Context, policy: Policy) -> Case:
    runs = _level(context) != READ_LEVEL and context.plan is None
    if runs and (command := lone_command(proposed)):
        return _read_command(proposed, command, context, policy)
    bound, fits = bounded_action(proposed)
    action, kept = without_inert(bound, context)
    found = payload(action.arguments, action.tool)
    call = _Call(action=action, context=context, policy=policy, found=found, level=_level(context))
    text = fold(found.text)
    where = place(action.arguments, context, policy.environments, found.objects)
    ran, seen = _scanned(call, text, where)
    wanted = frozenset[str]() if call.reads else requested(found.objects)
    asks = only_asks(action, context, ran)
    searches = asks and not wanted and searched(found.objects)
    told, within = _ordered(call, wanted)
    verb, loss = _action(call, within)
    held_back = is_rehearsed(action, context)
    called, rehearsed = _called(
        call, with_kept(found, kept), wanted, within, searches=searches, rehearsed=held_back
    )
    planted = files_in(action.tool, proposed.arguments)
    return Case(
        context=context,
        text=text,
        scan=msgspec.structs.replace(seen, mild=True) if searches else seen,
        place=where,
        found=(*ran.signals, *called, *told.signals, *_sent(call, rehearsed), *planted),
        programs=ran,
        whole=found.whole and fits,
        level=call.level,
        regenerable=bool(loss and policy.build_products)
        and takes_only_build_products(action, context.tool, found.leaves, policy.build_products),
        changes_little=_changes_little(proposed, context, policy),
        rehearsed=rehearsed or asks,
        domain=action.domain,
        verb=verb,
        loss=loss,
        size=planned(context.plan) or largest(tuple(listed_in(found, action.tool))),
        money=_dearest((*ran.amounts, *_sums(call, told)), policy),
        percents=found.percents,
        confidence=context.confidence,
        calls=() if held_back else _inner(call, ran, within[0]),
    )


def _changes_little(action: Action, context: Context, policy: Policy) -> bool:
    by_risk = context.tool is not None and context.tool.by_risk
    return by_risk and changes_little(action.arguments, policy.build_products)


def _is_alone(found: Payload) -> bool:
    """Return whether a call is one program, with nothing beside it that could say where it runs."""
    beside = [leaf for leaf in found.leaves if leaf.key not in SHELL_KEYS]
    return len(found.leaves) == len(beside) + 1 and _BESIDE.issuperset(one.key for one in beside)


_BESIDE = word_set("description explanation timeout timeout_ms timeout_s run_in_background")


def _scanned(call: _Call, text: Folded, where: Place) -> tuple[Programs, Scan]:
    """Return what its programs do, and what the patterns find, also without words that run nowhere.

    Those are what a read only looks for, and what is written down for people.
    """
    action, found, policy = call.action, call.found, call.policy
    if call.reads:
        leaves = without_sought(action, found.leaves)
    else:
        leaves = without_noted(action.tool, found.leaves, found.objects)
    dialect = dialect_of(call.context.facts)
    placed = policy if not where.stated and _is_alone(found) else None
    ran = programs(action.domain, leaves, found.objects, dialect, action.tool, placed)
    ran = _by_policy(ran, policy)
    reads = call.reads or tool_name(action.tool).tells
    seen = scan(text, call.context.reasoning, policy, ran, reads=reads)
    if ran.parsed and any(hit.pattern.commands for hit in seen.hits):
        beside = tuple(leaf for leaf in found.leaves if leaf.value not in ran.parsed)
        around = scan(fold("\n".join(strings(beside))), "", policy, Programs(), reads=True)
        seen = without_commands(seen, around)
    if leaves is found.leaves:
        return ran, seen
    rest = scan(fold("\n".join(strings(leaves))), "", policy, ran, reads=True)
    return ran, (only_with if call.reads else without_told)(seen, rest)


def _ordered(call: _Call, wanted: frozenset[str]) -> tuple[Told, Within]:
    """What its texts tell somebody to do, and the calls within it; one program has neither."""
    tool, found = call.action.tool, call.found
    if found.program:
        return NOTHING_TOLD, ((), ())
    ordered = orders_despite if call.reads or tool_name(tool).reads else orders_in
    orders = ordered(tool, found.leaves, arguments_of(call.context.tool))
    within = (() if call.reads else calls_in(tool, found.objects), orders)
    return instructed(found, tool, wanted), within


def _action(call: _Call, within: Within) -> tuple[Verb | None, str]:
    """Return what the call does, by its dry run or by its words, and what it takes away."""
    action, plan = call.action, call.context.plan
    said, verb = gravest_verb(action.tool, call.found.leaves, *within)
    verb = (verb_in(plan.verb.casefold()) if plan else None) or verb
    sends = action.domain == "http" and said != action.tool
    return verb, loss_in_call("a request" if sends else action.tool, said, verb)


def _called(
    call: _Call,
    whole: Payload,
    wanted: frozenset[str],
    within: Within,
    *,
    searches: bool,
    rehearsed: bool,
) -> tuple[tuple[Signal, ...], bool]:
    """Return what is grave about the call and its orders, and whether it is only rehearsed.

    Of a request by itself, what was sent is named.
    """
    action, found = call.action, call.found
    reads = call.reads or rehearsed or searches
    called = read_call(action.tool, whole, reads=reads, beside=wanted).signals
    if called and action.domain == "http":
        called = as_sent(called, action.tool, whole.objects)
    if is_told_to_read(action, call.context, found, within):
        called, rehearsed = grave_in_a_read(called), True
    ordered = () if rehearsed else (one.signal() for one in read_orders(within[1]))
    return (*called, *ordered), rehearsed


def _sent(call: _Call, rehearsed: bool) -> Iterator[Signal]:
    own, reads = call.policy.own_domains, call.reads or rehearsed
    return sent_outside(call.action.tool, call.found.leaves, own, reads=reads)


def _inner(call: _Call, ran: Programs, within: tuple[Inner, ...]) -> tuple[Inner, ...]:
    """The calls to judge by themselves: what it means, what it holds, what it sends."""
    action, found = call.action, call.found
    means = meant(action.tool, found.leaves, action.arguments)
    return (*means, *within, *sent_in(ran, found.objects if call.reads else ()))


def _sums(call: _Call, told: Told) -> tuple[Money, ...]:
    """Its sums, also as they are without what the tool does not know: a unit, a currency."""
    action, tool = call.action, call.context.tool
    if call.found.program or tool_name(action.tool).tells:
        return ()
    known = declared(action.arguments, tool.schema) if tool else action.arguments
    bare = () if known is action.arguments else payload(known, action.tool).amounts
    return (*call.found.amounts, *bare, *told.amounts)


def _sentence_place(said: Sentence, context: Context, policy: Policy) -> Place:
    """Configuration says where; what the agent says can only make it production."""
    known = place({}, context, policy.environments)
    if not said.action_detail:
        return known
    claimed = place(said.action_detail, context, policy.environments)
    if not claimed.stated:
        return known
    return Place(environment=Environment.PRODUCTION, stated=True, target=claimed.target)


def _dearest(amounts: tuple[Money, ...], policy: Policy) -> Money | None:
    """An amount without a currency is taken to be in the policy's."""
    known = [
        money if money.currency else Money(value=money.value, currency=policy.thresholds.currency)
        for money in amounts
    ]
    return max(known, key=lambda money: worth(money, policy.thresholds), default=None)


def planned(plan: Plan | None) -> Size | None:
    """Return the size that the dry run counted."""
    if plan is None or plan.error or (plan.affected is None and not plan.targets):
        return None
    if plan.affected is None:
        return Size(records=len(plan.targets))
    return Size(records=plan.affected, noun=plan.unit)


def told_of(actions: tuple[StatedAction, ...]) -> Iterator[Size]:
    """Yield what is changed, or, where nothing is, what is read."""
    only_reads = all(action.verb.kind is Kind.READ for action in actions)
    for action in actions:
        if action.records is not None and (only_reads or action.verb.kind is not Kind.READ):
            yield Size(records=action.records, noun=action.noun, span=action.span)


def listed_in(found: Payload, tool: str) -> Iterator[Size]:
    """Without the bounds of what is only shown, and what is only made for oneself."""
    if not found.tallies or makes_for_itself(tool, found):
        return iter(())
    bounds = counts_bounds(tool)
    told = (tally for tally in found.tallies if bounds or not tally.bound)
    return (Size(records=tally.records, noun=tally.noun) for tally in told)


def claimed(claim: IntentClaim) -> Iterator[Size]:
    """Yield what the agent itself says."""
    if claim.scope and claim.scope.records > 0:
        yield Size(records=claim.scope.records, noun=claim.scope.type)


def largest(sizes: tuple[Size, ...]) -> Size | None:
    """The first of the largest; what it is may come from the first that says."""
    most = max(sizes, key=lambda size: size.records, default=None)
    if most is None or most.noun:
        return most
    noun = next((size.noun for size in sizes if size.noun), "")
    return Size(records=most.records, noun=noun, span=most.span)
