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


class Compiled(msgspec.Struct, frozen=True, kw_only=True):
    """What became of these very patterns; the error where they cannot be run."""

    patterns: tuple[Pattern, ...]
    made: Matcher | None
    error: str = ""


_kept: dict[int, Compiled] = {}


def matcher(patterns: tuple[Pattern, ...]) -> Matcher:
    """Made once for each policy, which may take seconds; raises `BadPatternError`."""
    known = make_ready(patterns)
    if known.made is None:
        raise BadPatternError(known.error)
    return known.made


def make_ready(patterns: tuple[Pattern, ...]) -> Compiled:
    """Compile them unless that was done; also what cannot be run is known afterwards."""
    known = _kept.get(id(patterns))
    if known is None or known.patterns is not patterns:
        known = _tried(patterns)
        if len(_kept) >= MAX_KEPT:
            _kept.clear()
        _kept[id(patterns)] = known
    return known


def is_ready(patterns: tuple[Pattern, ...]) -> bool:
    """Whether `matcher` answers at once."""
    known = _kept.get(id(patterns))
    return known is not None and known.patterns is patterns


def _tried(patterns: tuple[Pattern, ...]) -> Compiled:
    try:
        return Compiled(patterns=patterns, made=_made(patterns))
    except BadPatternError as error:
        return Compiled(patterns=patterns, made=None, error=str(error))


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
