"""Where a text hedges: guesses, evidence that is missing, unreadable or at odds with itself."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

import re2

from holdpoint.core.automaton import AutomatonError, CompiledStore, Marks, automaton
from holdpoint.core.prefilter import prefilter
from holdpoint.core.risk.dialogue.doubts import is_grave, is_harmless, looks_further
from holdpoint.core.risk.dialogue.stated_actions import StatedAction
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.knowledge import phrases
from holdpoint.core.risk.wording import Form, Kind


class Phrases:
    """Patterns that are looked for together: one pass says which of them are there."""

    def __init__(self, patterns: Iterable[str], *more: str) -> None:
        words = [rf"\b(?:{_without_apostrophes(one)})\b" for one in patterns]
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


def _without_apostrophes(pattern: str) -> str:
    """Let each apostrophe be missing: `don't` is also `dont`."""
    return str(re2.sub(r"'([^?\]])", r"'?\1", pattern))


_outspoken = Phrases(
    phrases("words/doubts:outspoken"),
    r"(?:^|[.!?;:\n] ?)(?:might|may|could) (?:be|have|not|or may not|well)\b",
)
_general = Phrases(phrases("words/doubts:general"))


def make_fast(store: CompiledStore | None = None) -> None:
    """Look for hedges by automata from now on; they take a part of a second to make."""
    for known in (_outspoken, _general):
        known.make_fast(store)


def doubted(
    actions: Sequence[StatedAction], text: str, told: Sequence[Sentence]
) -> tuple[int, int] | None:
    """Place of a hedge beside something that is done all the same."""
    acting = [one for one in actions if one.verb.kind is not Kind.READ and not is_harmless(one)]
    if not acting:
        return None
    looks = [one.span[0] for one in actions if looks_further(one, text)]
    acts = [one.span[0] for one in acting if is_grave(one) or _is_under_way(one)]
    return _hedge_in(text, told, acts=acts, looks=looks)


def _is_under_way(action: StatedAction) -> bool:
    """`I'm shipping it`, `out it goes`."""
    return action.verb.form is Form.ING or action.verb.base == "goes"


def _hedge_in(
    text: str, told: Sequence[Sentence], *, acts: Sequence[int], looks: Sequence[int]
) -> tuple[int, int] | None:
    """Where a text hedges, if it does; who looks further has reason to say so in mild words.

    `acts` and `looks` say where it does so: who acts right there, and looks elsewhere, has none.
    """
    for known in (_outspoken, _general):
        found = [span for span in known.spans(text) if not _is_case(text, *span)]
        if found and looks and known is _general:
            found = [span for span in found if _acts_on(span[0], told, acts, looks)]
        if found:
            return min(found)
    return None


def _acts_on(at: int, told: Sequence[Sentence], acts: Sequence[int], looks: Sequence[int]) -> bool:
    """Whether this sentence acts, or else one beside it, and nothing is looked into there."""
    here = next((place for place, one in enumerate(told) if one.has(at)), None)
    if here is None or _has(told[here], looks):
        return False
    beside = () if _has(told[here], acts) else told[max(0, here - 1) : here + 2]
    return not beside or any(_has(one, acts) and not _has(one, looks) for one in beside)


def _has(sentence: Sentence, places: Sequence[int]) -> bool:
    return any(map(sentence.has, places))


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
