"""Why this level: each signal in one short sentence, with the words that fired and their place."""

from collections.abc import Iterable, Mapping

import msgspec
import re2

from holdpoint.core.risk.aside import Aside, left_aside, packs_of
from holdpoint.core.risk.context import Context, Sentence
from holdpoint.core.risk.excerpt import CUT, beginning
from holdpoint.core.risk.reading import read
from holdpoint.core.sanitise import one_line, visible
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


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """Why a subject has its risk level."""

    id: str | int = ""
    level: RiskLevel
    risk_level: RiskLevel
    """The same, as `assess` calls it."""

    verdict: VerdictKind
    """What its risk alone leads to, whatever the tool and the agent."""

    environment: Environment
    target: str
    """What it lands on, as far as it is known: `crm`; the environment is that of all targets."""

    text: str
    """What was assessed, in Unicode's NFKC: of a call every text in it, one on each line, with
    three points for each that is no order."""

    signals: tuple[Why, ...]
    left_aside: tuple[Aside, ...] = ()
    """Rules whose words stand there, and which say nothing about them, each with why."""


def explain(
    subject: Action | Sentence,
    context: Context,
    policy: Policy,
    *,
    found: Assessment,
    verdict: VerdictKind,
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
        environment=found.environment,
        target=found.target,
        text=text,
        signals=why(found, text, policy.packs),
        left_aside=left_aside(case, found, policy),
    )


def why(found: Assessment, text: str, packs: Iterable[Pack]) -> tuple[Why, ...]:
    """Explain each signal of an assessment of this text (NFKC), the gravest first."""
    sources = packs_of(packs)
    told = [_told(signal, found.level, text, sources) for signal in found.signals]
    return tuple(sorted(told, key=lambda one: -one.level.rank))


def _told(signal: Signal, level: RiskLevel, text: str, sources: Mapping[str, str]) -> Why:
    span = _span(signal, text)
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


def _span(signal: Signal, text: str) -> tuple[int, int] | None:
    """Its place, if what the signal quotes does stand there."""
    if signal.span is None or not text[slice(*signal.span)].startswith(signal.evidence):
        return None
    return signal.span


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
