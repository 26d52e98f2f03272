"""The policy's patterns: one automaton marks which may fire, then RE2 says where. Always linear."""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import msgspec
import re2

from holdpoint.core.automaton import AutomatonError, CompiledStore, Marks, automaton, options
from holdpoint.core.text import Folded
from holdpoint.messages.policy import Pattern


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """A pattern that fired, and where in the folded text."""

    pattern: Pattern
    span: tuple[int, int]
    """Behind its end where it fired on a command as it is run, which is written otherwise."""

    regex: Any
    text: str

    def behind(self) -> "Hit | None":
        """The next one of this pattern that begins behind this one's beginning."""
        found = self.regex.search(self.text, self.span[0] + 1)
        return msgspec.structs.replace(self, span=found.span()) if found else None


class BadPatternError(ValueError):
    """RE2 refuses a pattern, or a scan failed; the text says which and why."""


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
        hits: list[Hit] = []
        for one in marked:
            regex, pattern = self.regexes[one], self.patterns[one]
            if match := regex.search(text.folded):
                hits.append(Hit(pattern=pattern, span=match.span(), regex=regex, text=text.folded))
        return tuple(hits)


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
    """Made once for each policy, which takes seconds unless it is ready; or `BadPatternError`."""
    known = _known(patterns) or _keep(patterns, _fast)
    if known.made is None:
        raise BadPatternError(known.error)
    return known.made


def is_ready(patterns: tuple[Pattern, ...]) -> bool:
    """Return whether `matcher` answers at once."""
    return _known(patterns) is not None


def make_ready(patterns: tuple[Pattern, ...]) -> None:
    """Make a matcher without an automaton: at once, with the same hits, and slower to run.

    Afterwards it is also known what cannot be run.
    """
    _keep(patterns, _slow)


def make_fast(patterns: tuple[Pattern, ...], store: CompiledStore | None = None) -> None:
    """Put one with an automaton in its place, once that is made or taken from the store."""
    _keep(patterns, _fast if store is None else partial(_with_automaton, store=store))


def _known(patterns: tuple[Pattern, ...]) -> Compiled | None:
    known = _kept.get(id(patterns))
    return known if known is not None and known.patterns is patterns else None


def _keep(
    patterns: tuple[Pattern, ...], make: Callable[[tuple[Pattern, ...]], Matcher]
) -> Compiled:
    try:
        made = Compiled(patterns=patterns, made=make(patterns))
    except BadPatternError as error:
        made = Compiled(patterns=patterns, made=None, error=str(error))
    if len(_kept) >= MAX_KEPT:
        _kept.clear()
    _kept[id(patterns)] = made
    return made


@lru_cache(maxsize=MAX_KEPT)
def _fast(patterns: tuple[Pattern, ...]) -> Matcher:
    return _with_automaton(patterns, store=None)


def _with_automaton(patterns: tuple[Pattern, ...], *, store: CompiledStore | None) -> Matcher:
    """Each pattern ignores case. What no automaton takes is searched for one by one."""
    made = _slow(patterns)
    try:
        marks = automaton(tuple(pattern.pattern for pattern in patterns), store)
    except AutomatonError:
        return made
    return msgspec.structs.replace(made, marks=marks)


def _slow(patterns: tuple[Pattern, ...]) -> Matcher:
    every = range(len(patterns))
    regexes = tuple(compiled(pattern) for pattern in patterns)
    return Matcher(patterns=patterns, regexes=regexes, marks=lambda _text: every)


def compiled(pattern: Pattern) -> Any:
    """One pattern as RE2 runs it, ignoring case."""
    try:
        return re2.compile(pattern.pattern, options())
    except re2.error as error:
        why = error.args[0] if error.args else ""
        said = why.decode(errors="replace") if isinstance(why, bytes) else str(why)
        raise BadPatternError(f"pattern {pattern.id}: RE2 refuses it: {said}") from None
