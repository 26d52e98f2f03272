"""Where a text hedges: guesses, evidence that is missing, unreadable or at odds with itself."""

from collections.abc import Iterator, Sequence
from contextlib import suppress

import re2

from holdpoint.core.risk.automaton import AutomatonError, Marks, automaton
from holdpoint.core.risk.dialogue.doubtful import OUTSPOKEN
from holdpoint.core.risk.dialogue.unsure import GENERAL
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.lexicon import word_set


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

    def make_fast(self) -> None:
        """Put an automaton in the filter's place, once that is made, if there can be one."""
        with suppress(AutomatonError):
            self._there = automaton(tuple(regex.pattern for regex in self._regexes))

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Every place of every pattern, pattern by pattern."""
        for one in self._there(text):
            yield from (match.span() for match in self._regexes[one].finditer(text))


_outspoken = Phrases(
    OUTSPOKEN, r"(?:^|[.!?;:\n] ?)(?:might|may|could) (?:be|have|not|or may not|well)\b"
)
_general = Phrases(GENERAL)


def make_fast() -> None:
    """Look for hedges by automata from now on; they take a part of a second to make."""
    for phrases in (_outspoken, _general):
        phrases.make_fast()


def hedge_in(text: str, told: Sequence[Sentence], *, looks: bool) -> tuple[int, int] | None:
    """Where a text hedges, if it does; who looks further has reason to say so in mild words."""
    said = (_outspoken,) if looks else (_outspoken, _general)
    for phrases in said:
        found = [span for span in phrases.spans(text) if not _is_case(text, *span)]
        if found:
            return min(found)
    return None if looks else next(filter(None, map(_wavers, told)), None)


def _wavers(sentence: Sentence) -> tuple[int, int] | None:
    """`Seven or nineteen?`: a question that nobody else is asked."""
    words = sentence.words
    if sentence.end != "?" or "or" not in words or not _TO_OTHERS.isdisjoint(words):
        return None
    return sentence.span(0)[0], sentence.span(len(words) - 1)[1]


_TO_OTHERS = word_set("you your you'd you'll which what would shall anyone anybody please")


def _is_case(text: str, start: int, end: int) -> bool:
    """`if I cannot see it, …` is a plan for what may come, no doubt about what is done now."""
    if text.startswith(" able", end):
        return True
    return not {"if", "when", "unless"}.isdisjoint(text[max(0, start - 16) : start].split())
