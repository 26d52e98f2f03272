"""Yes or no: RE2 finds a pattern in a text. A fifth of the price of asking where.

Most texts hold nothing of what is looked for, and a place costs several calls.
"""

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import re2

Prefilter = Callable[[str], bool]


def _quiet() -> Any:
    chosen = re2.Options()
    chosen.log_errors = False
    return chosen


QUIET = _quiet()
"""Options with which RE2 refuses a pattern without a line on standard error."""


def prefilter(pattern: str) -> Prefilter:
    """Return a function that says yes or no for a text, always as a search would."""
    return PrefilterSet().add(pattern)


class PrefilterSet:
    """Patterns that are asked for one by one, each of the same texts: one pass answers for all.

    It costs no more than the pass for one of them. The answers for the last text are kept.
    Patterns are compiled when the first text comes.
    """

    def __init__(self) -> None:
        self._patterns: list[str] = []
        self._found: Callable[[str], list[int] | None] | None = None

    def add(self, pattern: str) -> Prefilter:
        """Return a function that says yes or no for a text, always as a search would."""
        place = len(self._patterns)
        self._patterns.append(pattern)
        self._found = None

        def fires(text: str) -> bool:
            if self._found is None:
                self._found = _pass(tuple(self._patterns))
            found = self._found(text)
            return place in found if found is not None else _searches(pattern)(text)

        return fires


def _pass(patterns: tuple[str, ...]) -> Callable[[str], list[int] | None]:
    """Return which of these a text has; None when one pass cannot tell."""
    known = re2.Set.SearchSet()
    for pattern in (*patterns, ""):
        known.Add(pattern)
    known.Compile()

    @lru_cache(maxsize=1)
    def found(text: str) -> list[int] | None:
        marked: list[int] = known.Match(text) or []
        # The empty pattern is missing when the set ran out of memory.
        return marked if len(patterns) in marked else None

    return found


@cache
def _searches(pattern: str) -> Any:
    search = re2.compile(pattern).search
    return lambda text: search(text) is not None
