"""Requests for somebody else's data, which nobody but its owner gets.

What stands where an owner is named has to be known as nobody else (`others_data.toml`).
"""

import re
import tomllib
from functools import cache
from importlib.resources import files

import msgspec

from holdpoint.coordinator.plain_text import plain
from holdpoint.core.risk import foreign_words, ordinary_words

NOT_YOURS = "I only look at and change your own accounts, tasks and data, nobody else's."
_WORD = re.compile(r"[\w<>'-]+")
_BETWEEN = 2
"""Words that may stand between an owner and what is theirs: `Ben's joint savings balance`."""


class _Owners(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Content of `others_data.toml`."""

    nouns: frozenset[str]
    tasks: frozenset[str]
    states: frozenset[str]
    genitive: frozenset[str]
    english: frozenset[str]
    personal: frozenset[str]
    of: frozenset[str]
    have: frozenset[str]
    inverted: frozenset[str]
    customers: tuple[str, ...]
    his: frozenset[str]
    mine: frozenset[str]
    people: frozenset[str]
    harmless: frozenset[str]


@cache
def _owners() -> _Owners:
    """Return the data, read once."""
    raw = files("holdpoint.coordinator").joinpath("others_data.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(raw), _Owners)


def names_somebody_else(text: str, *, only_tasks: bool = False) -> bool:
    """Return whether data in a sentence is said to be somebody else's.

    `only_tasks`: in the name of a task, `Ben's account` is nothing that is asked for.
    """
    said = _WORD.findall(text.replace("\u2019", "'"))
    words, it = [plain(word) for word in said], _owners()
    nouns = it.tasks if only_tasks else it.nouns | it.tasks
    return any(
        _is_owned(words, at, nouns) or _is_owner(words, said, at, nouns) for at in range(len(words))
    )


def _is_owned(words: list[str], at: int, nouns: frozenset[str]) -> bool:
    """Return whether an owner stands before what is theirs: `Ben's`, `Bens`, `his`."""
    it, word = _owners(), words[at]
    behind = words[at + 1 : at + 2 + _BETWEEN]
    if behind and behind[0] in it.inverted and word.isalpha() and word not in it.harmless:
        return bool(nouns & set(words))
    while behind and behind[0] in it.states:
        behind = behind[1:]
    if not behind or not (behind[0] in nouns or (nouns - it.tasks) & set(behind)):
        return False
    if word.endswith("'s"):
        is_name_of_task = behind[0] in it.tasks and at > 0 and words[at - 1] in {"the", "a", "an"}
        return word.removesuffix("'s") not in it.harmless and not is_name_of_task
    return behind[0] in nouns and (word in it.his or _is_genitive(word, behind[0]))


def _is_owner(words: list[str], said: list[str], at: int, nouns: frozenset[str]) -> bool:
    """Return whether an owner is named behind something: `balance of Ben`, `how much has Ben`."""
    it, word = _owners(), words[at]
    before = next((it for it in reversed(words[:at]) if not it.isdecimal()), "")
    behind = words[at + 1 : at + 2]
    if word in it.of and behind and behind[0].startswith(it.customers):
        return bool(nouns & set(words[:at]))
    if not behind or not behind[0].isalpha() or behind[0] in it.harmless:
        return False
    if word in it.mine:
        return behind[0] in it.people and before in it.of | it.have | it.personal
    if behind[0] in it.mine:
        return False
    if word in it.have:
        return behind[0] not in nouns and bool(nouns & set(words))
    is_named = before in it.personal or (before in nouns and said[at + 1][:1].isupper())
    ends_with_owner = word == "of" and before in it.tasks and at + 2 == len(words)
    return ends_with_owner or (word in it.of and is_named)


def _is_genitive(word: str, noun: str) -> bool:
    """Return whether an owner without an apostrophe stands before a noun: `Bens Kontostand`."""
    it = _owners()
    is_name = word.endswith("s") and not word.endswith("ss") and word not in foreign_words()
    if noun in it.english:
        is_name = is_name and word not in ordinary_words() and word[:-1] not in it.harmless
    return noun in it.genitive | it.english and is_name and word not in it.harmless
