"""Clauses of a contract or a licence: what parties shall do, not what an agent does now."""

from collections.abc import Iterator

from holdpoint.core.risk.dialogue.deeds import Deed
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.words import word_set

Told = list[tuple[Sentence, list[Deed]]]

_LEGAL = word_set(
    "herein hereof hereto hereunder hereinafter thereof therein thereto whereas notwithstanding "
    "pursuant licensor licensee licensed license licence licenses sublicense licensable warranty "
    "warranties liability liable indemnify indemnity indemnification merchantability contributor "
    "lessor lessee tenant landlord party parties shall provisions clause governing jurisdiction "
    "infringement copyright entity covenant severability"
)
_ENOUGH = 7
"""Different words of this kind that no mere announcement has."""

_SENTENCES = 3
"""Fewer of them are no such text."""

_SPEAKS = word_set(
    "i i'm i'll i've i'd we'll we're me let's now today tonight going next following command "
    "script step job"
)


def without_clauses(told: Told) -> Told:
    """Without what the clauses of such a text say; what is told to do, or said by me, counts."""
    ended = ["."] + [one.end for one, _ in told]
    return [
        (one, _told_by_me(one, deeds, begins=bool(end)))
        for end, (one, deeds) in zip(ended, told, strict=False)
    ]


def _told_by_me(sentence: Sentence, deeds: list[Deed], *, begins: bool) -> list[Deed]:
    """All of them in the first person; else those that begin a sentence, not a mere line."""
    if not _SPEAKS.isdisjoint(sentence.words):
        return deeds
    if not begins:
        return []
    return [
        deed
        for deed in deeds
        if deed.span[0] == sentence.starts[0] and _LEGAL.isdisjoint(deed.objects[:_NEAR])
    ]


_NEAR = 4
"""Words behind a verb that make it a heading: `Grant of Copyright License`."""


def clauses(told: tuple[Sentence, ...]) -> Iterator[tuple[int, int]]:
    """Where they stand."""
    for one in told:
        if _SPEAKS.isdisjoint(one.words):
            yield one.starts[0], one.span(len(one.words) - 1)[1]


def is_legal(text: str, told: tuple[Sentence, ...]) -> bool:
    """Whether a text is a contract, a licence or the like."""
    if len(told) < _SENTENCES or not ("shall" in text or "licen" in text):
        return False
    found: set[str] = set()
    for sentence in told:
        found |= _LEGAL.intersection(sentence.words)
        if len(found) >= _ENOUGH:
            return True
    return False
