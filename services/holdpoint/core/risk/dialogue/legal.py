"""Clauses of a contract or a licence: what parties shall do some day, not what an agent does now."""

from collections.abc import Iterator

from holdpoint.core.risk.dialogue.deeds import Deed
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.lexicon import word_set

Told = list[tuple[Sentence, list[Deed]]]

_LEGAL = word_set(
    "herein hereof hereto hereunder hereinafter thereof therein thereto whereas notwithstanding "
    "pursuant licensor licensee licensed license licence licenses sublicense licensable warranty "
    "warranties liability liable indemnify indemnity indemnification merchantability contributor "
    "lessor lessee tenant landlord party parties shall provisions clause governing jurisdiction "
    "infringement copyright entity covenant severability"
)
_ENOUGH = 5
"""Different words of this kind that no mere announcement has."""

_SPEAKS = word_set("i i'm i'll i've i'd we'll we're me let's now today tonight going")


def without_clauses(told: Told) -> Told:
    """Without what the clauses of such a text say; a sentence in plain words still counts."""
    if not any(deeds for _, deeds in told) or not is_legal(sentence for sentence, _ in told):
        return told
    return [(one, [] if _is_clause(one) else deeds) for one, deeds in told]


def clauses(told: tuple[Sentence, ...]) -> Iterator[tuple[int, int]]:
    """Where they stand."""
    if is_legal(iter(told)):
        for one in filter(_is_clause, told):
            yield one.starts[0], one.span(len(one.words) - 1)[1]


def is_legal(told: Iterator[Sentence]) -> bool:
    """Whether a text is a contract, a licence or the like."""
    found: set[str] = set()
    for sentence in told:
        found |= _LEGAL.intersection(sentence.words)
        if len(found) >= _ENOUGH:
            return True
    return False


def _is_clause(sentence: Sentence) -> bool:
    return _SPEAKS.isdisjoint(sentence.words) and not _LEGAL.isdisjoint(sentence.words)
