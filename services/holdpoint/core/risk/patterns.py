"""The policy's patterns: one automaton marks which may fire, then RE2 says where. Always linear."""

from functools import lru_cache
from typing import Any

import msgspec
import re2

from holdpoint.core.risk.automaton import AutomatonError, Marks, automaton, options
from holdpoint.core.risk.text import Folded
from holdpoint.messages.policy import Pattern


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """A pattern that fired, and where in the folded text."""

    pattern: Pattern
    span: tuple[int, int]


class BadPatternError(ValueError):
    """RE2 refuses a pattern, or an automaton gave up; the text says which and why."""


class Matcher(msgspec.Struct, frozen=True, kw_only=True):
    """Compiled patterns: made once for each policy, by `matcher`."""

    patterns: tuple[Pattern, ...]
    regexes: tuple[Any, ...]
    marks: Marks

    def hits(self, text: Folded) -> tuple[Hit, ...]:
        """Every pattern that fires, with its first place, in the policy's order."""
        try:
            marked = self.marks(text.folded)
        except AutomatonError as error:
            raise BadPatternError(str(error)) from None
        found = ((one, self.regexes[one].search(text.folded)) for one in marked)
        return tuple(
            Hit(pattern=self.patterns[one], span=match.span()) for one, match in found if match
        )


MAX_KEPT = 16
"""Policies whose matchers are kept by identity: hashing a policy's patterns takes longer than
running them."""

_kept: dict[int, Matcher] = {}


def matcher(patterns: tuple[Pattern, ...]) -> Matcher:
    """Made once for each policy; raises `BadPatternError`."""
    known = _kept.get(id(patterns))
    if known is not None and known.patterns is patterns:
        return known
    made = _made(patterns)
    if made.patterns is patterns:
        if len(_kept) >= MAX_KEPT:
            _kept.clear()
        _kept[id(patterns)] = made
    return made


@lru_cache(maxsize=MAX_KEPT)
def _made(patterns: tuple[Pattern, ...]) -> Matcher:
    """Compile them, ignoring case."""
    regexes = tuple(compiled(pattern) for pattern in patterns)
    try:
        marks = automaton(tuple(pattern.pattern for pattern in patterns))
    except AutomatonError as error:
        raise BadPatternError(str(error)) from None
    return Matcher(patterns=patterns, regexes=regexes, marks=marks)


def compiled(pattern: Pattern) -> Any:
    """One pattern as RE2 runs it, ignoring case."""
    try:
        return re2.compile(pattern.pattern, options())
    except re2.error as error:
        raise BadPatternError(f"pattern {pattern.id}: RE2 refuses it: {error}") from None
