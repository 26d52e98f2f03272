"""Classification of a sentence: one intent, or a question back. It guesses nothing.

Rules and seed 003's table of keywords stand in `intents.yaml`.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
import yaml

from holdpoint.coordinator.words import Sentence, any_of, has, plain, sentence_of

NOUNS = re.compile(r"(?<= )(?:my|the|task|todo|to-do|do) list(?= )")
"""`list` as a thing and no order."""

CLARIFY = "CLARIFY"
UNKNOWN = "UNKNOWN"
AGENT = "AGENT"
CREATE_TASK = "CREATE_TASK"
DELETE_TASK = "DELETE_TASK"
UPDATE_TASK = "UPDATE_TASK"
COMPLETE_TASK = "COMPLETE_TASK"
LIST_TASKS = "LIST_TASKS"


class UserIntent(StrEnum):
    """Intents of seed 003; those of other domains are named by their workflows."""

    CREATE_TASK = "CREATE_TASK"
    LIST_TASKS = "LIST_TASKS"
    COMPLETE_TASK = "COMPLETE_TASK"
    UPDATE_TASK = "UPDATE_TASK"
    DELETE_TASK = "DELETE_TASK"
    CLARIFY = "CLARIFY"
    UNKNOWN = "UNKNOWN"


class Rule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rule of one intent."""

    any: list[list[list[str]]]
    unless: list[str] = []
    denies: bool = False
    """True where a negation is part of what is said."""

    now: bool = False
    """True where it can only be done at once, and only once."""


class Table(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Content of `intents.yaml`."""

    keywords: dict[str, list[str]]
    reads: list[str]
    negations: list[str]
    hedges: list[str]
    later: list[str]
    another: list[str]
    titles: list[str]
    words: dict[str, list[str]]
    """Words of one meaning, by the name that rules know them by."""

    rules: dict[str, Rule]
    specific: list[str]
    plain: list[str]
    little: list[str]


class Classified(msgspec.Struct, frozen=True, kw_only=True):
    """Intent of a sentence, and why."""

    intent: str
    why: str = ""
    """Of CLARIFY: what is unclear, for the question back."""

    title: str = ""
    """Of CREATE_TASK: what the task is to say, as it was said."""

    by_keyword: bool = False
    """Whether only the table of keywords decided."""


@cache
def table() -> Table:
    """Return the rules, read once."""
    raw = files("holdpoint.coordinator").joinpath("intents.yaml").read_text("utf-8")
    found = yaml.safe_load(raw)
    found["rules"] = _spelled_out(found["rules"], found["words"])
    return msgspec.convert(found, Table)


def _spelled_out(part: Any, words: Mapping[str, list[str]]) -> Any:
    """Return a part of the rules with every `@name` replaced by its words."""
    if isinstance(part, dict):
        return {name: _spelled_out(it, words) for name, it in part.items()}
    if not isinstance(part, list):
        return part
    return [
        word
        for it in part
        for word in (words[it[1:]] if str(it).startswith("@") else [_spelled_out(it, words)])
    ]


@cache
def _known() -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that a typo may have been, and those that are none."""
    it = table()
    phrases = [*(word for words in it.keywords.values() for word in words)]
    phrases += [
        word for rule in it.rules.values() for way in rule.any for group in way for word in group
    ]
    known = {word for phrase in phrases for word in phrase.split() if word.rstrip("*").isalpha()}
    return frozenset(known), frozenset(it.plain) - known


def classify(text: str, *, open_holds: bool = False, keyword_routing: bool = True) -> Classified:
    """Return the one intent of a sentence.

    `open_holds`: whether something of this person waits for an answer, so that "cancel" may mean
    that. Two intents, a negation or a doubt around a change ask back.
    """
    sentence = sentence_of(text, *_known())
    announced = _announced_title(sentence)
    if announced is not None:
        return announced
    found = _by_rules(sentence)
    if not found:
        if not keyword_routing:
            return Classified(intent=CLARIFY, why="I am not sure what you mean.")
        found = _by_keywords(sentence)
        if not found:
            return Classified(intent=UNKNOWN)
        return _checked(sentence, found, open_holds=open_holds, by_keyword=True)
    return _checked(sentence, found, open_holds=open_holds, by_keyword=False)


def _checked(
    sentence: Sentence, found: frozenset[str], *, open_holds: bool, by_keyword: bool
) -> Classified:
    """One intent that is meant; else a question back."""
    if has(sentence.words, "cancel") and open_holds and found <= {DELETE_TASK}:
        return Classified(
            intent=CLARIFY,
            why="Something of yours waits for an answer. Shall I take that back, or delete a task?",
        )
    if len(found) > 1:
        return Classified(
            intent=CLARIFY, why=f"I do one thing at a time, and I see {_named(found)}."
        )
    (intent,) = found
    if intent not in table().reads and (why := _doubt(sentence, intent)):
        return Classified(intent=CLARIFY, why=why)
    return Classified(intent=intent, by_keyword=by_keyword)


def is_doubtful(text: str) -> bool:
    """Return whether a reply takes something back, or is not sure."""
    words, it = sentence_of(text, *_known()).words, table()
    return any_of(words, it.negations) or any_of(words, it.hedges) or has(words, "cancel")


def _doubt(sentence: Sentence, intent: str) -> str:
    it = table()
    rule = it.rules.get(intent)
    if any_of(sentence.words, it.negations) and not (rule and rule.denies):
        return "You said that something is not to be done."
    if any_of(sentence.words, it.hedges):
        return "You do not sound sure."
    if rule and rule.now and any_of(sentence.words, it.later):
        return "I can only do this now."
    return ""


def _named(found: frozenset[str]) -> str:
    return " and ".join(sorted(it.lower().replace("_", " ") for it in found))


def _by_rules(sentence: Sentence) -> frozenset[str]:
    it = table()
    found = {name for name, rule in it.rules.items() if _fires(sentence.words, rule)}
    if found & set(it.specific):
        found -= {AGENT}
    verbs = _by_keywords(sentence)
    if found & {CREATE_TASK, LIST_TASKS, COMPLETE_TASK, UPDATE_TASK, DELETE_TASK}:
        found |= verbs - _states(sentence) if LIST_TASKS in found else verbs
    elif found and AGENT not in found:
        found |= _second_clause(sentence)
    return frozenset(found)


def _states(sentence: Sentence) -> frozenset[str]:
    """What stands in a question about tasks as their state: `which tasks are done?`"""
    marks = any_of(sentence.words, ("mark", "i'm done", "im done", "complete"))
    return frozenset({LIST_TASKS} if marks else {LIST_TASKS, COMPLETE_TASK})


def _fires(words: str, rule: Rule) -> bool:
    if any_of(words, rule.unless):
        return False
    return any(all(any_of(words, group) for group in way) for way in rule.any)


def _by_keywords(sentence: Sentence) -> frozenset[str]:
    """Seed 003's table. After a word that lists, `done tasks` says which ones."""
    it = table()
    words = NOUNS.sub(" ", sentence.words)
    found = {name for name, keywords in it.keywords.items() if any_of(words, keywords)}
    if LIST_TASKS in found and COMPLETE_TASK in found:
        status = re.search(
            r" (?:done|finished|complete) (?:task|tasks|todos|ones) ", sentence.words
        )
        if status and any_of(sentence.words, ("show", "list", "what are")):
            found -= {COMPLETE_TASK}
    return frozenset(found)


def _second_clause(sentence: Sentence) -> frozenset[str]:
    """The command that an `and` begins."""
    it = table()
    for joint in it.another:
        _, _, rest = sentence.words.partition(f" {joint} ")
        first = rest.split(" ", 1)[0]
        for name, words in it.keywords.items():
            if first in words:
                return frozenset({name})
    return frozenset()


def _announced_title(sentence: Sentence) -> Classified | None:
    """A task to come, with its title; None where none is announced."""
    text = sentence.text.rstrip(" .!?")
    folded = plain(text)
    aligned = text if len(folded) == len(text) else folded
    for pattern in table().titles:
        match = re.search(rf"(?:^|[ ,.!?]){pattern}$", folded)
        if match is None:
            continue
        before = f" {folded[: match.start()]} "
        start, end = match.span("title")
        title = aligned[start:end].strip(" \"'“”„«»")
        if not title or any_of(before, table().negations) or any_of(before, table().hedges):
            return Classified(intent=CLARIFY, why="I am not sure that you want a task.")
        if _holds_another_command(plain(title)):
            why = "I do one thing at a time, and I see two."
            return Classified(intent=CLARIFY, why=why)
        return Classified(intent=CREATE_TASK, title=title)
    return None


def _holds_another_command(title: str) -> bool:
    """Whether behind an `and` in a title a command about tasks begins."""
    it = table()
    verbs = {word for words in it.keywords.values() for word in words}
    joints = "|".join(map(re.escape, it.another))
    clauses = re.split(rf" (?:{joints}) |[;,.] ", f" {title}")[1:]
    return any(clause.split(" ", 1)[0].strip() in verbs for clause in clauses)
