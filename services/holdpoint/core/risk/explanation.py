"""Why this level: each signal in one short sentence, with the words that fired and their place."""

from collections.abc import Iterable, Iterator, Mapping

import msgspec
import re2
from msgspec.structs import replace

from holdpoint.core.redaction.display import one_line, visible
from holdpoint.core.risk.case import Case, read
from holdpoint.core.risk.context import Context, Sentence
from holdpoint.core.risk.dialogue.announcement import read_dialogue
from holdpoint.core.risk.dialogue.layout import flowing
from holdpoint.core.risk.heuristics import MAX_EVIDENCE
from holdpoint.core.risk.intents.classifier import reader
from holdpoint.core.risk.intents.judgement import heard
from holdpoint.core.risk.pattern_scan import Scan, listed_in
from holdpoint.core.risk.patterns import BadPatternError, Hit, matcher
from holdpoint.core.risk.sentence_reader import SUPPRESSIONS
from holdpoint.core.risk.sql.analyzer import without_data
from holdpoint.core.text import CUT, beginning
from holdpoint.messages.action import Action
from holdpoint.messages.policy import Pack, Policy, VerdictKind
from holdpoint.messages.risk import Assessment, Environment, Heuristic, RiskLevel, Signal

MAX_REASON = 90
"""Characters of a reason: it fits on one line of a card or a terminal."""

ROOM = 16
"""Characters that the words which fired get, however long the policy's own reason is."""

SHORTEST = 8
"""Characters below which words before a reason would tell nothing."""

SAME = 3
"""Characters that a quotation must share with the words: fewer are there by chance."""

_quotation = re2.compile("[“`]([^”`]+?)…?[”`]")


class Aside(msgspec.Struct, frozen=True, kw_only=True):
    """A rule whose words stand there, and which says nothing about them."""

    rule: str
    reason: str
    """Why it was left aside, in one sentence."""

    span: tuple[int, int]
    """Where `text` has the words, in characters."""

    evidence: str
    """The words, at most 200 characters."""

    pack: str = ""
    """The pack that the rule comes from, with its version; empty for what is not a pack's."""


class Why(msgspec.Struct, frozen=True, kw_only=True):
    """One signal, for a person."""

    rule: str
    heuristic: Heuristic
    level: RiskLevel
    decides: bool
    """Whether the final level is this one's."""

    reason: str
    """One sentence of at most 90 characters; it names the words that fired, if they are known."""

    words: str = ""
    """What fired, as it stands in the text, at most 200 characters; empty for what was counted."""

    start: int | None = None
    """Where `text` has the words, in characters; null when the engine cannot say."""

    end: int | None = None
    span: tuple[int, int] | None = None
    """Both, as `assess` has them."""

    evidence: str = ""
    """The words, as `assess` calls them."""

    pack: str = ""
    """The pack that the rule comes from, with its version; empty for what is not a pack's."""


class Sounds(msgspec.Struct, frozen=True, kw_only=True):
    """How dangerous a sentence sounds to the learned reader, from 0 to 1."""

    score: float
    part_score: float
    """Of its most dangerous part by itself; 0 where it has only one."""

    raises_at: float
    vetoes_below: float


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """Why a subject has its risk level."""

    id: str | int = ""
    level: RiskLevel
    risk_level: RiskLevel
    """The same, as `assess` calls it."""

    verdict: VerdictKind
    """What the gate would do with it, whatever the agent: by its risk and its tool's level."""

    tool: str = ""
    """The tool of the catalog that it calls; empty where risk alone decided."""

    operation_level: int = 0
    """The level that the verdict is of: the tool's, raised by risk."""

    environment: Environment
    target: str
    """What it lands on, as far as it is known: `crm`; the environment is that of all targets."""

    text: str
    """What was assessed, in Unicode's NFKC: of a call every text in it, one on each line, with
    three points for each that is no order."""

    signals: tuple[Why, ...]
    sounds: Sounds | None = None
    """Null for a call, and where the policy or this machine has no reader."""

    left_aside: tuple[Aside, ...] = ()
    """Rules whose words stand there, and which say nothing about them, each with why."""

    made_again: tuple[str, ...] = ()
    """Build products that it deletes, by the policy's list, which made its level lower."""


def explain(  # noqa: PLR0913  # each is one thing that is told
    subject: Action | Sentence,
    context: Context,
    policy: Policy,
    *,
    found: Assessment,
    verdict: VerdictKind,
    tool: str = "",
    operation_level: int = 0,
    line_id: str | int = "",
) -> Explanation:
    """Say why a subject was assessed so, and which rules were left aside."""
    case = read(subject, context, policy)
    text = case.text.nfkc
    return Explanation(
        id=line_id,
        level=found.level,
        risk_level=found.level,
        verdict=verdict,
        tool=tool,
        operation_level=operation_level,
        environment=found.environment,
        target=found.target,
        text=text,
        signals=why(found, text, policy.packs),
        sounds=_sounds(subject, policy),
        left_aside=left_aside(case, found, policy),
        made_again=tuple(dict.fromkeys(_made_again(subject, context, policy, case))),
    )


def _made_again(
    subject: Action | Sentence, context: Context, policy: Policy, case: Case
) -> Iterator[str]:
    """Yield what the findings named that there would be without the policy's build products."""
    if case.regenerable and case.place.target:
        yield case.place.target
    bare = read(subject, context, replace(policy, build_products=()))
    for finding in bare.programs.findings:
        if finding not in case.programs.findings:
            yield from (target.partition(":")[2] for target in finding.targets)


def _sounds(subject: Action | Sentence, policy: Policy) -> Sounds | None:
    if not isinstance(subject, Sentence) or not policy.intents.reader:
        return None
    told = heard(subject.text)
    if told is None:
        return None
    card = reader().card
    return Sounds(
        score=round(told.score, 3),
        part_score=round(told.part_score, 3),
        raises_at=card.raises_at,
        vetoes_below=card.vetoes_below,
    )


def why(found: Assessment, text: str, packs: Iterable[Pack]) -> tuple[Why, ...]:
    """Explain each signal of an assessment of this text (NFKC), the gravest first."""
    sources = packs_of(packs)
    told = [_told(signal, found.level, text, sources) for signal in found.signals]
    return tuple(sorted(told, key=lambda one: -one.level.rank))


def _told(signal: Signal, level: RiskLevel, text: str, sources: Mapping[str, str]) -> Why:
    there = signal.span and text[slice(*signal.span)].startswith(signal.evidence)
    span = signal.span if there else None
    words = signal.evidence or (text[slice(*span)] if span else "")
    return Why(
        rule=signal.rule,
        heuristic=signal.heuristic,
        level=signal.level,
        decides=signal.level is level,
        reason=_sentence(signal.reason, one_line(visible(words)).strip()),
        words=words,
        start=span[0] if span else None,
        end=span[1] if span else None,
        span=span,
        evidence=words,
        pack=sources.get(signal.rule, ""),
    )


def _sentence(reason: str, words: str) -> str:
    """The reason, with the words before it unless it quotes them, or at length what they run.

    Of words and danger, the danger is the one that is not cut.
    """
    room = MAX_REASON - len(reason) - len("“”: ")
    if not words or _names(reason, words) or (room < SHORTEST and reason.startswith("`")):
        return beginning(reason, MAX_REASON)
    return beginning(
        f"“{beginning(words, ROOM if room < SHORTEST else room)}”: {reason}", MAX_REASON
    )


def _names(reason: str, words: str) -> bool:
    said, fired = reason.casefold(), words.casefold()
    quoted = _quotation.findall(said)
    parts = (part for one in quoted for part in one.split(CUT))
    return fired in said or any(len(part) >= SAME and part in fired for part in parts)


LISTED = "command.high_risk"
"""The rule of what stands on the list of high-risk commands."""

READS = "what is run there only reads"
PARSED = "it was parsed, and what it does decides in place of this rule"
STORED = "it stands only in what a statement stores"
RUNS_NOT = "what is run there was read, and it is no such danger"
NOTED = "what runs was judged in its place; nobody runs what is looked for or written down"
SAYS_NOT = "read in its sentence, it says nothing of the kind"


def left_aside(case: Case, found: Assessment, policy: Policy) -> tuple[Aside, ...]:
    """Every rule of the policy that fires on the text as it stands, and has no signal."""
    counted = {signal.rule for signal in found.signals}
    try:
        fired = matcher(policy.patterns).hits(case.text)
    except BadPatternError:
        return ()
    hits = tuple(hit for hit in fired if hit.pattern.id not in counted)
    gone = dict(_in_sentence(fired, case)) if case.level is None else {}
    told = [_aside(hit.pattern.id, hit.span, gone.get(hit.pattern.id, ""), case, hit)
            for hit in hits]  # fmt: skip
    packs = packs_of(policy.packs)
    named = (replace(one, pack=packs.get(one.rule, "")) for one in told)
    listed = () if LISTED in counted else listed_in(case.text.folded, policy)
    return (*named, *(_aside(LISTED, span, "", case, None) for span in listed))


def packs_of(packs: Iterable[Pack]) -> Mapping[str, str]:
    """The pack that each rule comes from, as people know it."""
    return {rule: pack_name(pack) for pack in packs for rule in pack.rules}


def pack_name(pack: Pack) -> str:
    """`seed-002 1`, as people know it."""
    return " ".join(part for part in (pack.name, pack.version) if part)


def _aside(rule: str, span: tuple[int, int], reason: str, case: Case, hit: Hit | None) -> Aside:
    start, end = case.text.span(*span)
    why = reason or (SAYS_NOT if case.level is None else _in_programs(span, case, hit))
    words = case.text.nfkc[start:end][:MAX_EVIDENCE]
    return Aside(rule=rule, reason=why, span=(start, end), evidence=words)


def _in_sentence(fired: tuple[Hit, ...], case: Case) -> Iterator[tuple[str, str]]:
    """Each rule that a sentence takes back, with what took it back."""
    told, left = read_dialogue(flowing(case.text).folded), Scan(hits=fired)
    for reason, suppress in SUPPRESSIONS:
        before = {hit.pattern.id for hit in left.hits}
        left = suppress(left, case.text, told) if left.hits else left
        for rule in before - {hit.pattern.id for hit in left.hits}:
            yield rule, reason


def _in_programs(span: tuple[int, int], case: Case, hit: Hit | None) -> str:
    """The same of what is run, as `scan` leaves it aside."""
    ran = case.programs
    if not ran.complete:
        return NOTED
    if ran.reads_only:
        return READS
    if hit is not None and hit.pattern.commands:
        return PARSED
    data = without_data(case.text.folded) if ran.sql else case.text.folded
    return STORED if case.text.folded[slice(*span)] not in data else RUNS_NOT
