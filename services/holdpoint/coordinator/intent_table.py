"""Rules and words of intents, as they stand in `intents.yaml`."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
import yaml

from holdpoint.coordinator.number_words import single_number_words


class Rule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rule of one intent."""

    any: list[list[list[str]]]
    unless: list[str] = []
    denies: bool = False
    """True where a negation is part of what is said."""

    now: bool = False
    """True where it can only be done at once, and only once."""


class Answer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that cannot be done as it was asked for, and what can."""

    any: list[list[list[str]]]
    unless: list[str] = []
    says: str


class SmallTalk(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something said by itself that asks for nothing, and its answer."""

    words: list[str]
    says: str


class Table(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Content of `intents.yaml`."""

    keywords: dict[str, list[str]]
    reads: list[str]
    negations: list[str]
    no_negations: list[str]
    hedges: list[str]
    polite: list[str]
    """Phrases with such a word that are no doubt."""

    later: list[str]
    question_words: list[str]
    """Words that begin a question about something, and no request."""

    reports: list[str]
    """Words of what is told as done, or is to be undone."""

    told: list[str]
    """Forms of verbs that tell of a deletion."""

    wishes: list[str]
    """Words behind which such a form is wished for: `I want it deleted`."""

    answers: list[Answer]

    another: list[str]
    titles: list[str]
    words: dict[str, list[str]]
    """Words of one meaning, by the name that rules know them by."""

    rules: dict[str, Rule]
    specific: list[str]
    things: dict[str, list[str]]
    """Things that may be named alone, by the intent that reads them."""

    plurals: list[str]
    between: list[str]
    commands: dict[str, list[str]]
    """Words that begin a second command, by its intent."""

    little: list[str]
    called: dict[str, list[str]]
    """Words of people for a thing, by the word that tools have for it."""

    beside_charges: list[str]
    """Words around a charge that say nothing about which one it is."""

    fillers: list[str]
    small_talk: list[SmallTalk]
    assents: list[str]
    """A yes by itself: it confirms nothing, and does not tell which."""

    call_offs: list[str]
    """A cancel by itself."""


@cache
def table() -> Table:
    """Return the rules, read once."""
    raw = files("holdpoint.coordinator").joinpath("intents.yaml").read_text("utf-8")
    found = yaml.safe_load(raw)
    for part in ("rules", "things", "commands", "fillers", "answers", "called"):
        found[part] = _spelled_out(found[part], found["words"])
    return msgspec.convert(found, Table)


def _spelled_out(part: Any, words: Mapping[str, list[str]]) -> Any:
    """Return a part of the rules with every `@name` replaced by its words."""
    if isinstance(part, dict):
        return {name: _spelled_out(it, words) for name, it in part.items()}
    if not isinstance(part, list):
        return part
    return [
        _as_read(word) if isinstance(word, str) else _spelled_out(word, words)
        for it in part
        for word in (words[it[1:]] if str(it).startswith("@") else [it])
    ]


def _as_read(phrase: str) -> str:
    """Return a phrase as a sentence is read: `dos veces` is `<number> veces`."""
    numbers = single_number_words()
    return " ".join("<number>" if it in numbers else it for it in phrase.split())


@cache
def known_words() -> frozenset[str]:
    """Return the words that a typo may have been."""
    it = table()
    groups = [*it.keywords.values(), *it.things.values(), *it.commands.values(), it.negations]
    groups += [group for rule in it.rules.values() for way in rule.any for group in way]
    words = {word for group in groups for phrase in group for word in phrase.split()}
    return frozenset(word for word in words if word.rstrip("*").isalpha())
