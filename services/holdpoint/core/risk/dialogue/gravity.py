"""How grave announced deeds are beyond their counts: what is lost, let in, given away, asked."""

from collections.abc import Iterator
from typing import Any

import msgspec
import re2

from holdpoint.core.risk.dialogue.deeds import Deed
from holdpoint.core.risk.dialogue.mood import Mood
from holdpoint.core.risk.dialogue.pairings import BY_VERB, LOSS, SIZE
from holdpoint.core.risk.dialogue.verbs import PRECIOUS, STRONG
from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.wording import Form, Kind
from holdpoint.messages.risk import Heuristic, RiskLevel

NEAR = 6
"""Words after a verb among which its object is."""

_doubt: Any = re2.compile(
    r"\b(?:"
    r"probabl[ey]|presumably|hopefully|unclear|not clear|uncertain|unsure|hesita\w+|"
    r"(?:i |best )guess|"
    r"(?:pretty|fairly|almost|reasonably|somewhat|half) (?:sure|certain|confident|unsure)|"
    r"(?:can'?t|cannot) say\b|supposedly|allegedly|apparently|seemingly|reportedly|"
    r"unless i'?m mistaken|unless i am mistaken|"
    r"there (?:may|might|could) be (?:other|another|more|some|someone|somebody)|"
    r"assum(?:e|ed|ing) (?:that|the|it|this|nobody|no one|they|these|those|you|we)|"
    r"may be wrong|might be wrong|could be wrong|it's (?:ok|okay|fine) to|no idea|pick one|"
    r"no way (?:to tell|of (?:telling|knowing|checking))|"
    r"if i (?:understood|understand|remember|recall)|a feeling|doubts?|dubious|maybe|perhaps|"
    r"not (?:\w+ )?(?:positive|clear|convinced)|"
    r"(?:seems|looks|appears) (?:like |to be )?(?:the right|unused|right|fine|ok|okay|safe|"
    r"correct)\b|"
    r"(?:can'?t|cannot) be (?:\w+ )?(?:certain|sure)|gut feeling|risky|on a hunch|"
    r"(?:might|may|could) (?:not |also |still )?be (?:a |an |the )?(?:duplicates?|wrong|right|"
    r"stale|unused|outdated|related|needed|used|important|someone|somebody|in use|live|"
    r"production|test)|"
    r"(?:can'?t|cannot|could ?n[o']t|couldn't|could not|unable to) (?:tell|confirm|verify|"
    r"be sure)|"
    r"(?:have|has|had) not been able to|haven't been able to|"
    r"(?:have ?n[o']t|haven't|have not|did not|didn't|without) (?:yet |actually |"
    r"really )?(?:double-)?(?:verif\w+|confirm\w*|check\w*|test\w*|validat\w+)|"
    r"should be (?:fine|ok|okay|safe)|"
    r"i (?:think|believe|suspect|suppose) (?:this|it|that|they|these|the)|fingers crossed"
    r")\b"
)

_doubts = glance(_doubt.pattern)


class Remark(msgspec.Struct, frozen=True, kw_only=True):
    """What is remarked on, where the folded text says so."""

    rule: str
    heuristic: Heuristic
    level: RiskLevel
    reason: str
    span: tuple[int, int]


def _alone(deed: Deed, near: frozenset[str]) -> Iterator[tuple[str, Heuristic, str]]:
    """What the verb says by its kind: something of value goes, nothing is left, all is changed."""
    base, kind = deed.verb.base, deed.verb.kind
    kept = PRECIOUS & near if kind is Kind.DELETE else None
    if kept:
        yield "deed.precious", LOSS, f"to {base} the {min(kept)} cannot simply be undone"
    if base in STRONG:
        yield "deed.final", LOSS, f"after “{base}” nothing is left"
    if deed.whole and (kind is Kind.UPDATE or kind is Kind.PAYMENT):
        yield "deed.all", SIZE, f"to {base} all of something is a large step"
    if base == "apply" and "loan" in near and not any(map(_is_sum, deed.objects)):
        yield "deed.loan", SIZE, "a loan binds somebody, and no sum is named"


def _is_sum(word: str) -> bool:
    return word[0] in "$€£¥₹0123456789"


def _paired(deed: Deed, near: frozenset[str]) -> Iterator[tuple[str, Heuristic, str]]:
    """What the verb and its object are together."""
    for pairing in BY_VERB.get(deed.verb.base, ()):
        things = pairing.things & (near if pairing.heuristic is not SIZE else set(deed.objects))
        if things and not pairing.unless & near and (deed.whole or not pairing.whole):
            reason = pairing.reason.format(verb=deed.verb.base, thing=min(things))
            yield pairing.rule, pairing.heuristic, reason


def remarks(deeds: tuple[Deed, ...], text: str) -> Iterator[Remark]:
    """What is grave about each deed; and doubt, when something is done all the same."""
    acting = [deed for deed in deeds if deed.verb.kind is not Kind.READ]
    for deed in acting:
        near = frozenset(deed.objects[-NEAR:] if _is_passive(deed) else deed.objects[:NEAR])
        for rule, heuristic, reason in (*_alone(deed, near), *_paired(deed, near)):
            yield _remark(rule, heuristic, reason, deed.span)
        if deed.mood is Mood.ASKED:
            asks = f"the agent asks whether it may {deed.verb.base}"
            yield _remark("doubt.asks-deed", Heuristic.UNCERTAINTY, asks, deed.span)
    hedge = _doubt.search(text) if acting and _doubts(text) else None
    if hedge:
        why = f"it will {acting[0].verb.base} although it is not sure"
        yield _remark("doubt.acts", Heuristic.UNCERTAINTY, why, hedge.span())


def _is_passive(deed: Deed) -> bool:
    return deed.verb.form is Form.PAST


def _remark(rule: str, heuristic: Heuristic, reason: str, span: tuple[int, int]) -> Remark:
    return Remark(rule=rule, heuristic=heuristic, level=RiskLevel.HIGH, reason=reason, span=span)
