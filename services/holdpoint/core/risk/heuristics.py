"""The reasons to worry: one small heuristic each, which looks at a case and yields its signals."""

from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from operator import attrgetter

from msgspec.structs import replace

from holdpoint.core.card_reasons import NO_TAKING_BACK, RUNS, UNCOUNTED
from holdpoint.core.grouped_digits import grouped
from holdpoint.core.redaction.display import one_line, visible
from holdpoint.core.risk.case import Case
from holdpoint.core.risk.environment import lessened
from holdpoint.core.risk.extract.money import Money, is_large, worth
from holdpoint.core.risk.running_sums import each_once, why_too_much
from holdpoint.core.risk.seed import ASKS, SEED_PACK
from holdpoint.core.risk.sentence_reader import SOMETHING
from holdpoint.core.risk.shell.analyzer import MAX_REASON
from holdpoint.core.risk.shell.unknown_programs import UNREAD_SCRIPT
from holdpoint.core.risk.taint import content_came_in, declared_taint
from holdpoint.core.risk.wording import CHANGES, Kind, third_person
from holdpoint.core.text import TOO_LONG, Folded, beginning, whereabouts
from holdpoint.messages.action import Plan
from holdpoint.messages.catalog import UNLEVELLED, Tool
from holdpoint.messages.policy import Policy, Thresholds
from holdpoint.messages.risk import Environment, Heuristic, RiskLevel, Signal

MAX_NAME = 40
"""Characters of a name in a reason: the sentence stays under ninety."""

MAX_DESCRIPTION = 60
"""Characters of a tool's description in a reason: most first sentences are shorter."""

MAX_EVIDENCE = 200
"""Characters of the text that a signal quotes."""

IRREVERSIBLE_LEVEL = 5
CHANGES_LEVEL = 3
"""From this operation level on, a tool touches what exists already."""

LISTED = "it cannot be undone"
NO_LEVEL = "nobody has set a level for this tool, so it counts as one that cannot be undone"

Signals = Iterable[Signal]


def patterns_fired(case: Case, _policy: Policy) -> Iterator[Signal]:
    """The policy's patterns, over every text in the subject; in words for a read they are mild."""
    for hit in case.scan.hits:
        pattern = hit.pattern
        seeds = pattern.id.startswith(SEED_PACK)
        mild = case.scan.mild and not seeds
        level = min(pattern.level, RiskLevel.MEDIUM) if mild else pattern.level
        yield _signal(pattern.id, pattern.heuristic, level, pattern.reason, case.text, hit.span)


def readers_found(case: Case, _policy: Policy) -> Iterator[Signal]:
    """What the readers found; in a configured sandbox what cannot be undone counts one less."""
    plan = case.context.plan
    is_shown = plan is not None and bool(plan.files) and all(plan.files.values())
    for signal in case.found:
        placed = case.in_sandbox and signal.rule.startswith(_PLACED)
        unread = is_shown and signal.reason.endswith(UNREAD_SCRIPT)
        told = signal.reason.removesuffix(UNREAD_SCRIPT)
        seen = replace(signal, reason=f"{told}{SHOWN_SCRIPT}") if unread else signal
        yield lessened(seen) if placed else seen


SHOWN_SCRIPT = "runs a script: read its text on this card"

_PLACED = ("call.", "http.", "sql.")
"""Rules of readers that see the whole action, and with it every place that it reaches."""


def high_risk_command(case: Case, _policy: Policy) -> Iterator[Signal]:
    """A fragment that seed 002 calls critical wherever it stands."""
    for fragment, at in case.scan.fragments:
        reason = f"the policy lists “{fragment}” as a high-risk command"
        span = (at, at + len(fragment.casefold()))
        yield _signal(
            "command.high_risk",
            Heuristic.IRREVERSIBILITY,
            RiskLevel.CRITICAL,
            reason,
            case.text,
            span,
        )


def irreversible_tool(case: Case, _policy: Policy) -> Iterator[Signal]:
    """The catalog says that nobody can take it back, or does not know the tool."""
    if case.level is not None and case.context.tool is None:
        reason = f"no catalog lists this tool, so it counts as level {UNLEVELLED}"
        yield _signal("tool.unknown", Heuristic.IRREVERSIBILITY, RiskLevel.CRITICAL, reason)
    elif case.level is not None and case.level >= IRREVERSIBLE_LEVEL:
        reason = _why_final(case.context.tool)
        yield _signal("tool.irreversible", Heuristic.IRREVERSIBILITY, RiskLevel.CRITICAL, reason)


def _why_final(tool: Tool | None) -> str:
    """Return what is final about it, in its owner's words where there are any."""
    if tool is None or tool.levelled:
        return f"it {tool.effect}, which cannot be undone" if tool and tool.effect else LISTED
    said = _described(tool)
    return f"{said}, and nobody has set a level for it, so it counts as final" if said else NO_LEVEL


def _described(tool: Tool) -> str:
    """Quote the first words of its description; nothing of them is taken for true."""
    words = one_line(visible(tool.description.strip().partition("\n")[0])).rstrip(" .")
    return f"its description says “{beginning(words, MAX_DESCRIPTION)}”" if words else ""


def irreversible_plan(case: Case, _policy: Policy) -> Iterator[Signal]:
    """The dry run says that there is no way back; what is made anew needs none."""
    if case.changes_little and not case.place.stated:
        return
    plan = case.context.plan
    if plan and plan.reversible is False:
        reason = f"{_change_of(plan)}, and no way back is known"
        yield _signal("plan.irreversible", Heuristic.IRREVERSIBILITY, RiskLevel.HIGH, reason)


def _change_of(plan: Plan) -> str:
    """Return what a dry run found: `it deletes 40 rows`, `it adds column z to crm.leads`."""
    does = third_person(plan.verb or "change")
    if plan.affected is None and plan.summary:
        verb, _, what = plan.summary.partition(" ")
        return f"it {third_person(verb)} {beginning(what, MAX_NAME)}"
    if plan.affected is None:
        return f"it {does} {beginning(next(iter(plan.targets), 'something'), MAX_NAME)}"
    unit = plan.unit or "items"
    if plan.affected == 0:
        return f"it {does} {unit}, none of which are there now"
    return f"it {does} {plan.affected:,} {unit.removesuffix('s') if plan.affected == 1 else unit}"


def destructive_verb(case: Case, _policy: Policy) -> Iterator[Signal]:
    """It takes something away, and nobody named a way back."""
    if not case.deletes or case.undoable or (case.regenerable and not case.place.stated):
        return
    level = RiskLevel.MEDIUM if case.in_sandbox else RiskLevel.HIGH
    reason = f"{_loss_of(case)}, and no way back is known"
    yield _signal("verb.destructive", Heuristic.IRREVERSIBILITY, level, reason)


def _loss_of(case: Case) -> str:
    """Return what it takes away; where no object is named, how many there are."""
    nameless = case.loss.removesuffix(SOMETHING)
    if nameless == case.loss or case.size is None or not case.size.noun:
        return case.loss
    things = beginning(case.size.noun.replace("_", " "), MAX_NAME)
    count = case.size.records
    return f"{nameless}{count:,} {things.removesuffix('s') if count == 1 else things}"


def many_records(case: Case, policy: Policy) -> Iterator[Signal]:
    """Strictly more things than the threshold."""
    limit = policy.thresholds.records
    if case.size and case.size.records > limit:
        critical = case.deletes and not case.undoable
        level = RiskLevel.CRITICAL if critical else _unless_reading(case)
        things = beginning(case.size.noun.replace("_", " "), MAX_NAME) or "records"
        reason = _over(f"{case.size.records:,} {things} are", f"{limit:,}")
        yield _signal(
            "magnitude.records", Heuristic.MAGNITUDE, level, reason, case.text, case.size.span
        )


def large_amount(case: Case, policy: Policy) -> Iterator[Signal]:
    """Strictly more money than the threshold, in any currency."""
    if case.money and is_large(case.money, policy.thresholds):
        reason = _why_large(case.money, policy.thresholds)
        yield _signal("magnitude.amount", Heuristic.MAGNITUDE, _unless_reading(case), reason)


def _why_large(money: Money, thresholds: Thresholds) -> str:
    limit = f"{grouped(thresholds.amount)} {thresholds.currency}"
    if money.value is None:
        return f"an amount not stated, or not to be read, may be more than {limit}"
    tenths = money.value.as_tuple().exponent == -1  # 1500.00 for 1500.0, as people write it
    shown = money.value.quantize(_CENT) if tenths else money.value
    said = beginning(f"{shown:,f} {money.currency}", MAX_NAME)
    value = worth(money, thresholds)
    if not value.is_finite():
        return f"nobody can compare {said} with the limit of {limit}"
    if money.currency != thresholds.currency and value < _COUNTABLE:
        said = f"{said}, about {value.quantize(_CENT):,f} {thresholds.currency},"
    return _over(f"{said} is", limit)


def _over(said: str, limit: str) -> str:
    """Return that it is more than the policy allows without a person."""
    reason = f"{said} more than the policy's limit of {limit}"
    return reason if len(reason) <= MAX_REASON else f"{said} more than the limit of {limit}"


_COUNTABLE = Decimal(10) ** 12
"""Beyond it a sum is no more than large, and its cents would fill the line."""

_CENT = Decimal("0.01")


def large_share(case: Case, policy: Policy) -> Iterator[Signal]:
    """Strictly more percent of a whole than the threshold."""
    if not case.percents:
        return
    most, verb = max(case.percents), case.verb
    changes = verb and (verb.kind in {Kind.UPDATE, Kind.DELETE} or verb.base in _PARTS_WITH)
    if changes and most > policy.thresholds.percent:
        reason = _over(f"{most:f} % is", f"{policy.thresholds.percent} %")
        yield _signal("magnitude.percent", Heuristic.MAGNITUDE, _unless_reading(case), reason)


_PARTS_WITH = frozenset({"sell", "withdraw", "transfer"})
"""Payments whose share is one of what somebody has."""


def running_sum(case: Case, policy: Policy) -> Iterator[Signal]:
    """Together with what went before it is more than a tally allows, or nobody can tell."""
    for tallied in each_once(case.context.tallies):
        if reason := why_too_much(tallied, policy.thresholds.currency):
            rule = f"tally.{tallied.rule.id}"
            yield _signal(rule, Heuristic.TALLY, RiskLevel.HIGH, reason)


def production_touched(case: Case, _policy: Policy) -> Iterator[Signal]:
    """It changes what exists in production; for words alone somebody must have said production."""
    may_change = case.level is not None and case.level >= CHANGES_LEVEL
    spared = case.changes_little and not case.place.stated
    by_level = may_change and not (case.reads_only or case.runs_only_reads or spared)
    by_verb = case.place.stated and case.verb is not None and case.verb.kind in CHANGES
    if case.place.environment is Environment.PRODUCTION and (by_level or by_verb):
        reason = _why_production(case)
        yield _signal("environment.production", Heuristic.CRITICALITY, RiskLevel.HIGH, reason)


def _why_production(case: Case) -> str:
    """Return the place, as far as it is known; of a known effect, that instead."""
    where = whereabouts(case.place.target, MAX_NAME)
    pays = case.verb is not None and case.verb.kind is Kind.PAYMENT
    tool = case.context.tool
    effect = tool.effect if tool and tool.level < IRREVERSIBLE_LEVEL else ""
    is_gone = case.money and pays and not case.undoable
    if not case.place.stated and (effect or (case.money and pays)):
        return f"it {effect or 'moves money'}" + (f", {NO_TAKING_BACK}" if is_gone else "")
    if not where:
        return "it runs in production" if case.place.stated else _why_unlisted(tool)
    plan = case.context.plan
    does = "runs in" if plan and plan.error and plan.verb == RUNS else "changes"
    listed = (
        "is production"
        if case.place.stated
        else "is not listed as a sandbox, so it counts as production"
    )
    return f"it {does} {where}" + ("" if where in _SAYS_SO else f", which {listed}")


def _why_unlisted(tool: Tool | None) -> str:
    """Return that the place is unknown; of one fixed thing that it does, in its owner's words."""
    is_said = tool is not None and tool.levelled and tool.level < IRREVERSIBLE_LEVEL
    if tool is None or tool.by_risk or not is_said or not (said := _described(tool)):
        return UNLISTED
    return f"{said}, and it counts as production"


UNLISTED = "it does not run in a listed sandbox, so it counts as production"
"""The reason where nobody knows the place."""

_SAYS_SO = frozenset({"production", "prod"})


def low_confidence(case: Case, policy: Policy) -> Iterator[Signal]:
    """The agent puts a low number on its own judgement."""
    if case.confidence is not None and not case.confidence >= policy.confidence_below:
        reason = f"the agent's confidence is {case.confidence}, under {policy.confidence_below}"
        yield _signal(
            "uncertainty.confidence", Heuristic.UNCERTAINTY, _unless_reading(case), reason
        )


def doubts_beside(case: Case, _policy: Policy) -> Iterator[Signal]:
    """The agent's reasoning beside the call expresses doubt."""
    for hit in case.scan.doubts:
        level = min(hit.pattern.level, _unless_reading(case))
        reason = f"beside its call: {hit.pattern.reason}"
        yield _signal(hit.pattern.id, Heuristic.UNCERTAINTY, level, reason)


def agents_claim(case: Case, _policy: Policy) -> Iterator[Signal]:
    """Yield what the agent's own metadata says: it adds and raises."""
    if case.claim.risk_level is not RiskLevel.LOW:
        reason = f"the agent itself calls it {case.claim.risk_level.value}"
        yield _signal("agent.risk_level", Heuristic.AGENT, case.claim.risk_level, reason)
    if case.claim.confirmation_required:
        yield _signal(ASKS, Heuristic.AGENT, RiskLevel.LOW, "the agent asks for a confirmation")


def unplanned(case: Case, _policy: Policy) -> Iterator[Signal]:
    """No dry run could be made; the verdict counts the action as one operation level riskier."""
    plan, tool = case.context.plan, case.context.tool
    reason = f"{UNCOUNTED}{plan.error}" if plan and plan.error else ""
    proven = case.runs_only_reads or (case.changes_little and not case.place.stated)
    if tool is not None and tool.by_risk and proven:
        return
    if plan is None and tool is not None and tool.plans:
        silent = f"the worker for {case.domain} did not answer"
        reason = f"{silent}, so what it would change is not known"
    if reason:
        yield _signal("plan.missing", Heuristic.MAGNITUDE, RiskLevel.MEDIUM, reason)


def unreadable(case: Case, level: RiskLevel) -> Iterator[Signal]:
    """A text too long or too tangled, or a pattern that cannot be run: up, and a person looks."""
    reason = case.scan.error
    if not reason and not (case.text.readable and case.whole):
        reason = case.text.unread or TOO_LONG
    elif not reason and case.programs.unreadable:
        reason = f"it cannot be read: {case.programs.unreadable}"
    if reason:
        up = max(level.raised(), RiskLevel.HIGH)
        yield _signal("text.unreadable", Heuristic.UNCERTAINTY, up, reason)


HEURISTICS: tuple[tuple[Callable[[Case], object], Callable[[Case, Policy], Signals]], ...] = tuple(
    (attrgetter(part), worry)
    for part, worry in (
        ("scan.hits", patterns_fired),
        ("found", readers_found),
        ("scan.fragments", high_risk_command),
        ("level", irreversible_tool),
        ("context.plan", irreversible_plan),
        ("context", destructive_verb),
        ("size", many_records),
        ("money", large_amount),
        ("percents", large_share),
        ("context.tallies", running_sum),
        ("context", declared_taint),
        ("context.brought", content_came_in),
        ("place", production_touched),
        ("context", low_confidence),
        ("scan.doubts", doubts_beside),
        ("claim", agents_claim),
        ("context", unplanned),
    )
)
"""Every reason to worry, behind the part of a case without which it has nothing to say."""


def worries(case: Case, policy: Policy) -> list[Signal]:
    """Return the signals of every heuristic that has something to look at."""
    found: list[Signal] = []
    for part, worry in HEURISTICS:
        if part(case):
            found += worry(case, policy)
    return found


def _unless_reading(case: Case) -> RiskLevel:
    """HIGH asks a person; a mere read, however large or doubtful, is only remarked on."""
    return RiskLevel.MEDIUM if case.reads_only else RiskLevel.HIGH


def _signal(
    rule: str,
    heuristic: Heuristic,
    level: RiskLevel,
    reason: str,
    text: Folded | None = None,
    span: tuple[int, int] | None = None,
) -> Signal:
    """A signal; with a span of the folded text it quotes the text as assessed, not behind it."""
    if text is None or span is None or span[1] > len(text.folded):
        return Signal(rule=rule, heuristic=heuristic, level=level, reason=reason)
    start, end = text.span(*span)
    evidence = text.nfkc[start:end][:MAX_EVIDENCE]
    return Signal(
        rule=rule,
        heuristic=heuristic,
        level=level,
        reason=reason,
        span=(start, end),
        evidence=evidence,
    )
