"""The policy's patterns: one RE2 set finds which fire, then each says where. Always linear."""

from functools import lru_cache
from typing import Any

import msgspec
import re2

from holdpoint.core.risk.text import Folded
from holdpoint.messages.policy import Pattern

MAX_MEMORY = 64 * 1024 * 1024
"""Bytes that RE2 may use for one automaton before it falls back to a slower linear search."""


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """A pattern that fired, and where in the folded text."""

    pattern: Pattern
    span: tuple[int, int]


class BadPatternError(ValueError):
    """RE2 refuses a pattern; the text says which and why."""


class Matcher(msgspec.Struct, frozen=True, kw_only=True):
    """Compiled patterns: made once for each policy, by `matcher`."""

    patterns: tuple[Pattern, ...]
    regexes: tuple[Any, ...]
    prefilter: Any

    def hits(self, text: Folded) -> tuple[Hit, ...]:
        """Every pattern that fires, with its first place, in the policy's order."""
        found = ((one, self.regexes[one].search(text.folded)) for one in self._candidates(text))
        return tuple(
            Hit(pattern=self.patterns[one], span=match.span()) for one, match in found if match
        )

    def _candidates(self, text: Folded) -> list[int]:
        """Those that may fire.

        The set's last pattern is empty and always fires: when it is missing, the set ran out of
        memory, and each pattern is asked singly.
        """
        marked = self.prefilter.Match(text.folded) or []
        sentinel = len(self.patterns)
        if sentinel not in marked:
            return list(range(sentinel))
        return sorted(one for one in marked if one != sentinel)


@lru_cache(maxsize=16)
def matcher(patterns: tuple[Pattern, ...]) -> Matcher:
    """Compile them, ignoring case."""
    options = _options()
    prefilter = re2.Set.SearchSet(options)
    regexes = tuple(compiled(pattern) for pattern in patterns)
    for pattern in patterns:
        prefilter.Add(pattern.pattern)
    prefilter.Add("")
    _compile_set(prefilter)
    return Matcher(patterns=patterns, regexes=regexes, prefilter=prefilter)


def compiled(pattern: Pattern) -> Any:
    """One pattern as RE2 runs it, ignoring case."""
    try:
        return re2.compile(pattern.pattern, _options())
    except re2.error as error:
        raise BadPatternError(f"pattern {pattern.id}: RE2 refuses it: {error}") from None


def _compile_set(prefilter: Any) -> None:
    try:
        prefilter.Compile()
    except re2.error:
        raise BadPatternError("the patterns together need more memory than RE2 may use") from None


def _options() -> Any:
    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    options.max_mem = MAX_MEMORY
    return options
