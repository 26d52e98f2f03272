"""Rules about tool calls that are data: words of the tool's name, and what an argument says.

`data/rules/tools.toml` lists them; its head explains the fields. One matcher reads them all.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import msgspec

from holdpoint.core.risk.extract.payload import Leaf, words_of
from holdpoint.core.risk.knowledge import Phrase, WordSet, entry, row_of

MAX_CODE = 2
"""Parts of a telephone number that is only a code: `+1 911`."""


class Argument(msgspec.Struct, frozen=True, kw_only=True):
    """What one argument must be."""

    key: WordSet = WordSet()
    key_end: WordSet = WordSet()
    key_start_not: WordSet = WordSet()
    key_is: tuple[Phrase, ...] = ()
    key_ends: tuple[Phrase, ...] = ()
    value: WordSet = WordSet()
    value_not: WordSet = WordSet()
    says: WordSet = WordSet()
    value_is: WordSet = WordSet()
    value_is_not: WordSet = WordSet()
    value_starts: tuple[str, ...] = ()
    code: WordSet = WordSet()
    kind: str = "text"
    most: int = 0

    def is_met_by(self, leaf: Leaf) -> bool:
        """Return whether this argument is one."""
        return self._is_named(leaf.words) and self._is_said(leaf)

    def _is_named(self, key: tuple[str, ...]) -> bool:
        if self.key_start_not and key and key[0] in self.key_start_not:
            return False
        if not self.key.isdisjoint(key) or not self.key_end.isdisjoint(key[-1:]):
            return True
        if not (self.key_is or self.key_ends):
            return False
        return key in self.key_is or any(key[-len(end) :] == end for end in self.key_ends)

    def _is_said(self, leaf: Leaf) -> bool:
        value = leaf.value
        if not _KINDS[self.kind](value) or (self.most and len(str(value)) > self.most):
            return False
        said = value.strip().lower() if isinstance(value, str) else str(value).lower()
        if self.value_is and said not in self.value_is:
            return False
        if said in self.value_is_not or not said.startswith(self.value_starts or ""):
            return False
        return self._has_words(leaf, said) and (not self.code or _is_code(said, self.code))

    def _has_words(self, leaf: Leaf, said: str) -> bool:
        if not (self.value or self.value_not or self.says):
            return True
        words = frozenset(words_of(leaf.value if isinstance(leaf.value, str) else said))
        if not self.value_not.isdisjoint(words) or (self.value and self.value.isdisjoint(words)):
            return False
        return not self.says or not self.says.isdisjoint(words.union(leaf.words))


_OFF = frozenset({"", "none", "off", "no", "false", "disabled"})
_KINDS: dict[str, Callable[[Any], bool]] = {
    "text": lambda value: isinstance(value, str),
    "given": lambda value: (
        isinstance(value, str | int) and not isinstance(value, bool) and bool(value)
    ),
    "number": lambda value: isinstance(value, str | int),
    "true": lambda value: value is True,
    "off": lambda value: value is None or value is False or str(value).lower() in _OFF,
}
"""Kinds of values; the fields of a rule are asked of those of its kind only."""


def _is_code(said: str, codes: WordSet) -> bool:
    """Return whether it is such a number, with a country's code or without one."""
    digits = [part for part in said.replace("-", " ").split() if part.strip("+")]
    return digits[-1:] != [] and digits[-1] in codes and len(digits) <= MAX_CODE


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    """One rule: every group of its name must be met, and every argument by some argument."""

    reason: str
    name: tuple[WordSet, ...]
    name_not: WordSet = WordSet()
    key_not: WordSet = WordSet()
    arguments: tuple[Argument, ...] = ()

    def fires(self, named: frozenset[str], leaves: tuple[Leaf, ...]) -> bool:
        """Return whether it fires on a call; `named`: the words of the tool's name."""
        if any(map(named.isdisjoint, self.name)) or not self.name_not.isdisjoint(named):
            return False
        if not self.key_not.isdisjoint(word for leaf in leaves for word in leaf.words):
            return False
        return all(any(map(one.is_met_by, leaves)) for one in self.arguments)


def reasons(group: str, named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """The reasons of the rules of a group that fire, in their order."""
    begins, rules = _rules(group)
    if not begins.isdisjoint(named):
        yield from (rule.reason for rule in rules if rule.fires(named, leaves))


@cache
def begins(group: str) -> frozenset[str]:
    """Words of a tool's name without one of which no rule of this group fires."""
    return _rules(group)[0]


@cache
def _rules(group: str) -> tuple[frozenset[str], tuple[Rule, ...]]:
    found = tuple(row_of(Rule, row) for row in entry(f"rules/tools:{group}"))
    return frozenset[str]().union(*(rule.name[0] for rule in found)), found
