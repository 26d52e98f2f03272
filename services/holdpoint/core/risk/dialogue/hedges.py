"""Where a text hedges: guesses, evidence that is missing, unreadable or at odds with itself."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

import re2

from holdpoint.core.risk.automaton import AutomatonError, CompiledStore, Marks, automaton
from holdpoint.core.risk.dialogue.deeds import Deed
from holdpoint.core.risk.dialogue.doubtful import OUTSPOKEN
from holdpoint.core.risk.dialogue.doubts import is_grave, is_harmless, looks_further
from holdpoint.core.risk.dialogue.presumed import LOW_FIGURES, PRESUMED
from holdpoint.core.risk.dialogue.unsure import GENERAL
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.prefilter import prefilter
from holdpoint.core.risk.wording import Form, Kind
from holdpoint.core.risk.words import word_set


class Phrases:
    """Patterns that are looked for together: one pass says which of them are there.

    Wherever a line has an apostrophe, it may be missing: `don't` is also `dont`.
    """

    def __init__(self, lines: str, *more: str) -> None:
        whole = re2.sub(r"'([^?\]])", r"'?\1", re2.sub(r"\n    ", "", lines)).splitlines()
        words = [rf"\b(?:{line})\b" for line in whole if line and line[0] != "#"]
        self._regexes = [re2.compile(pattern) for pattern in (*words, *more)]
        known = re2.Filter()
        for regex in self._regexes:
            known.Add(regex.pattern)
        known.Compile()
        self._there: Marks = lambda text: known.Match(text) or ()

    def make_fast(self, store: CompiledStore | None = None) -> None:
        """Put an automaton in the filter's place, once that is made, if there can be one."""
        with suppress(AutomatonError):
            self._there = automaton(tuple(regex.pattern for regex in self._regexes), store)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Every place of every pattern, pattern by pattern."""
        for one in self._there(text):
            yield from (match.span() for match in self._regexes[one].finditer(text))


_outspoken = Phrases(
    OUTSPOKEN, r"(?:^|[.!?;:\n] ?)(?:might|may|could) (?:be|have|not|or may not|well)\b"
)
_general = Phrases(GENERAL)
_presumed = Phrases(PRESUMED, *LOW_FIGURES)


def make_fast(store: CompiledStore | None = None) -> None:
    """Look for hedges by automata from now on; they take a part of a second to make."""
    for phrases in (_outspoken, _general, _presumed):
        phrases.make_fast(store)


def doubted(deeds: Sequence[Deed], text: str, told: Sequence[Sentence]) -> tuple[int, int] | None:
    """Place of a hedge beside something that is done all the same."""
    acting = [one for one in deeds if one.verb.kind is not Kind.READ and not is_harmless(one)]
    if not acting:
        return None
    looks = [one.span[0] for one in deeds if looks_further(one, text)]
    acts = [one.span[0] for one in acting if is_grave(one) or _is_under_way(one)]
    done = [one.span[0] for one in acting if not _settles(one, text)]
    return _hedge_in(text, told, done=done, acts=acts, looks=looks)


def _settles(deed: Deed, text: str) -> bool:
    """`I'll go with a bar chart`: what is chosen by it is not done yet."""
    return deed.verb.base == "go" and text.startswith((" with ", " for "), deed.span[1])


def _is_under_way(deed: Deed) -> bool:
    """`I'm shipping it`, `out it goes`."""
    return deed.verb.form is Form.ING or deed.verb.base == "goes"


def _hedge_in(
    text: str,
    told: Sequence[Sentence],
    *,
    done: Sequence[int],
    acts: Sequence[int],
    looks: Sequence[int],
) -> tuple[int, int] | None:
    """Where a text hedges, if it does; who looks further has reason to say so in mild words.

    `acts` and `looks` say where it does so: who acts right there, and looks elsewhere, has none.
    `done` says where anything is done: what is only presumed counts beside it alone.
    """
    for phrases in (_outspoken, _general):
        found = [span for span in phrases.spans(text) if not _is_case(text, *span)]
        if found and looks and phrases is _general:
            found = [span for span in found if _acts_on(span[0], told, acts, looks)]
        if found:
            return min(found)
    if presumed := _presumed_in(text, done):
        return min(_at_hand(presumed, told, done, looks), default=None)
    return None if looks else next(filter(None, map(_wavers, told)), None)


def _presumed_in(text: str, done: Sequence[int]) -> list[tuple[int, int]]:
    """What is presumed beside something that is done: `give or take` itself gives nothing."""
    found = (span for span in _presumed.spans(text) if not _is_case(text, *span))
    return [(start, end) for start, end in found if any(not start <= at < end for at in done)]


def _at_hand(
    presumed: list[tuple[int, int]],
    told: Sequence[Sentence],
    done: Sequence[int],
    looks: Sequence[int],
) -> Iterator[tuple[int, int]]:
    """What is presumed where it acts; `I'm counting it as a yes` itself looks at nothing."""
    for start, end in presumed:
        further = [at for at in looks if not start <= at < end]
        if not further or _acts_on(start, told, done, further, _FURTHER):
            yield start, end


_FURTHER = 2
"""Sentences behind what is presumed: `Confidence: low. Charging the card.` are three."""


def _acts_on(
    at: int, told: Sequence[Sentence], acts: Sequence[int], looks: Sequence[int], behind: int = 1
) -> bool:
    """Whether this sentence acts, or else one beside it, and nothing is looked into there."""
    here = next((place for place, one in enumerate(told) if one.has(at)), None)
    if here is None or _has(told[here], looks):
        return False
    beside = () if _has(told[here], acts) else told[max(0, here - 1) : here + 1 + behind]
    return not beside or any(_has(one, acts) and not _has(one, looks) for one in beside)


def _has(sentence: Sentence, places: Sequence[int]) -> bool:
    return any(map(sentence.has, places))


def _wavers(sentence: Sentence) -> tuple[int, int] | None:
    """`Seven or nineteen?`: a question that nobody else is asked."""
    words = sentence.words
    if sentence.end != "?" or "or" not in words or not _TO_OTHERS.isdisjoint(words):
        return None
    return sentence.span(0)[0], sentence.span(len(words) - 1)[1]


_TO_OTHERS = word_set("you your you'd you'll which what would shall anyone anybody please")


def _is_case(text: str, start: int, end: int) -> bool:
    """`if I cannot see it, …` is a plan for what may come, no doubt about what is done now.

    `I can't wait to …` and `I didn't want to, but …` doubt nothing.
    """
    if text.startswith(" able", end) or _is_wish(text[end : end + _FOLLOWS]):
        return True
    return not {"if", "when", "unless"}.isdisjoint(text[max(0, start - 16) : start].split())


_FOLLOWS = 24
_is_wish = prefilter(
    r"\A (?:wait to|(?:really |ever )?want (?:to|it|this|that)(?: do (?:it|this|that))?"
    r"(?: ?[,;.]| but))"
)
"""What follows a denial that says what somebody wishes, and not what they do not know."""
