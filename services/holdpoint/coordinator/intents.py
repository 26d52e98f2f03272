"""Classification of a sentence: one intent, or a question back. It guesses nothing.

Rules and seed 003's table of keywords stand in `intents.yaml`.
"""

import re
from collections.abc import Collection
from enum import StrEnum

import msgspec

from holdpoint.coordinator.intent_table import Answer, Rule, known_words, table
from holdpoint.coordinator.others_data import NOT_YOURS, names_somebody_else
from holdpoint.coordinator.plain_text import plain
from holdpoint.coordinator.request_form import is_told, without_name
from holdpoint.coordinator.words import Sentence, any_of, has, mend, sentence_of
from holdpoint.core.risk import in_english

STATEMENT = re.compile(
    r"\b(?:delete from|drop table|truncate table|alter table|insert into)"
    r" (?!my\b|our\b|the\b|this\b|that\b|your\b)[\w.]+"
)
NO_STATEMENTS = "I run no SQL. An agent with a database tool does, and a person is asked first."
NOUNS = re.compile(r"(?<= )(?:my|the|task|todo|to-do|do) list(?= )")
"""`list` as a thing and no order."""

STILL_WAITS = (
    "Something of yours waits for an answer: to take that back, choose Cancel on its card. "
    "To delete a task instead, name it, for example: “delete task 4”."
)
VERB_WORDS = 2
"""Words of a sentence among which the one is that announces a task."""

CLARIFY = "CLARIFY"
UNKNOWN = "UNKNOWN"
AGENT = "AGENT"
CREATE_TASK = "CREATE_TASK"
DELETE_TASK = "DELETE_TASK"
UPDATE_TASK = "UPDATE_TASK"
COMPLETE_TASK = "COMPLETE_TASK"
LIST_TASKS = "LIST_TASKS"
TRANSFER = "TRANSFER"
ABOUT_ANYBODY = frozenset({CREATE_TASK, "OPEN_TICKET", "DISPUTE"})
"""Intents whose words may name what belongs to somebody else."""

IS_TOLD = "That sounds like a question or a report, and no request."
CHANGES = frozenset({COMPLETE_TASK, UPDATE_TASK, DELETE_TASK})
"""Intents that change one task."""


class UserIntent(StrEnum):
    """Intents of seed 003; those of other domains are named by their workflows."""

    CREATE_TASK = "CREATE_TASK"
    LIST_TASKS = "LIST_TASKS"
    COMPLETE_TASK = "COMPLETE_TASK"
    UPDATE_TASK = "UPDATE_TASK"
    DELETE_TASK = "DELETE_TASK"
    CLARIFY = "CLARIFY"
    UNKNOWN = "UNKNOWN"


class Classified(msgspec.Struct, frozen=True, kw_only=True):
    """Intent of a sentence, and why."""

    intent: str
    why: str = ""
    """Of CLARIFY: what is unclear, for the question back. Of UNKNOWN: the answer to small talk."""

    title: str = ""
    """Of CREATE_TASK: what the task is to say, as it was said."""

    by_keyword: bool = False
    """Whether only the table of keywords decided."""

    by_name: bool = False
    """True if nothing but the name of a thing was said, which may answer a question of ours."""


def classify(text: str, *, open_holds: bool = False, keyword_routing: bool = True) -> Classified:
    """Return the one intent of a sentence.

    `open_holds`: whether something of this person waits for an answer, so that "cancel" may mean
    that. Two intents, a negation or a doubt around a change ask back.
    """
    sentence = without_name(sentence_of(text, known_words()))
    answer = NO_STATEMENTS if STATEMENT.search(sentence.plain) else small_talk(text)
    if answer is not None:
        return Classified(intent=UNKNOWN, why=answer)
    announced = _announced_title(sentence)
    if announced is not None:
        return announced
    if (refusal := _refusal(sentence)) is not None:
        return Classified(intent=CLARIFY, why=refusal)
    found = _classified(sentence, open_holds=open_holds, keyword_routing=keyword_routing)
    if found.intent in ABOUT_ANYBODY:
        return found
    only_tasks = found.intent in CHANGES | {CLARIFY}
    is_others = names_somebody_else(sentence.text, only_tasks=only_tasks)
    return Classified(intent=CLARIFY, why=NOT_YOURS) if is_others else found


def _classified(sentence: Sentence, *, open_holds: bool, keyword_routing: bool) -> Classified:
    if len(commands := _commands(sentence)) > 1:
        return Classified(intent=CLARIFY, why=_several(commands))
    if found := _by_rules(sentence):
        return _checked(sentence, found, open_holds=open_holds, by_keyword=False)
    if keyword_routing and (found := _by_keywords(sentence)):
        return _checked(sentence, found, open_holds=open_holds, by_keyword=True)
    return _otherwise(sentence, keyword_routing=keyword_routing)


def _otherwise(sentence: Sentence, *, keyword_routing: bool) -> Classified:
    """Understand what no rule and no keyword does: a thing by itself, or another language."""
    if (thing := _thing(sentence)) is not None:
        return Classified(intent=thing, by_name=True)
    english = sentence_of(in_english(sentence.plain), known_words())
    if not _is_negated(sentence) and (found := _by_rules(english)):
        if found <= {DELETE_TASK, TRANSFER} and is_told(sentence.words):
            return Classified(intent=CLARIFY, why=IS_TOLD)
        return _checked(english, found, open_holds=False, by_keyword=False)
    if not keyword_routing:
        return Classified(intent=CLARIFY, why="I am not sure what you mean.")
    names = [name for names in table().things.values() for name in names]
    is_ours = _commanded(sentence.words) is not None or any_of(sentence.words, names)
    is_denied = _is_negated(sentence) and is_ours
    why = "You said that something is not to be done."
    return Classified(intent=CLARIFY, why=why) if is_denied else Classified(intent=UNKNOWN)


def _thing(sentence: Sentence) -> str | None:
    """Return the intent that reads the one thing named, where nothing else of weight is said."""
    it = table()
    found = [intent for intent, names in it.things.items() if any_of(sentence.words, names)]
    if len(found) != 1 or _is_negated(sentence):
        return None
    names = {word for phrase in it.things[found[0]] for word in phrase.split()}
    known = [*names, *it.fillers, "<number>"]
    others = [word for word in sentence.words.split() if not any_of(f" {word} ", known)]
    return None if others else found[0]


def _checked(
    sentence: Sentence, found: frozenset[str], *, open_holds: bool, by_keyword: bool
) -> Classified:
    """One intent that is meant; else a question back."""
    if has(sentence.words, "cancel") and open_holds and found <= {DELETE_TASK}:
        return Classified(
            intent=CLARIFY,
            why=STILL_WAITS,
        )
    if len(found) > 1:
        return Classified(intent=CLARIFY, why=_several(found))
    (intent,) = found
    if intent not in table().reads and (why := _doubt(sentence, intent)):
        return Classified(intent=CLARIFY, why=why)
    return Classified(intent=intent, by_keyword=by_keyword)


def small_talk(text: str) -> str | None:
    """Return the answer to what asks for nothing; None where something else is said."""
    said = _alone(text)
    return next((it.says for it in table().small_talk if said in it.words), None)


def is_assent(text: str) -> bool:
    """Return whether a text is a yes and nothing else."""
    return _alone(text) in table().assents


def is_call_off(text: str) -> bool:
    """Return whether a text calls something off and does not say what."""
    return _alone(text) in table().call_offs


def _alone(text: str) -> str:
    return " ".join(plain(text).replace(",", " ").strip(" .!?").split())


def is_doubtful(text: str) -> bool:
    """Return whether a reply takes something back, or is not sure."""
    sentence, it = sentence_of(text, known_words()), table()
    return (
        _is_negated(sentence) or any_of(sentence.words, it.hedges) or has(sentence.words, "cancel")
    )


def reports(text: str) -> bool:
    """Return whether a text asks about something or tells of it, and requests nothing."""
    return is_told(sentence_of(text, known_words()).words)


def _refusal(sentence: Sentence) -> str | None:
    """Return what is answered at once to something that cannot be done."""
    return next((it.says for it in table().answers if _fires(sentence.words, it)), None)


def _is_negated(sentence: Sentence) -> bool:
    """Return whether something is denied, beyond phrases that only sound so."""
    it = table()
    return any_of(_without(sentence.words, it.no_negations), it.negations)


def _without(words: str, phrases: Collection[str]) -> str:
    for phrase in phrases:
        words = words.replace(f" {phrase} ", " ")
    return words


def _doubt(sentence: Sentence, intent: str) -> str:
    it = table()
    rule = it.rules.get(intent)
    if _is_negated(sentence) and not (rule and rule.denies):
        return "You said that something is not to be done."
    if any_of(_without(sentence.words, it.polite), it.hedges):
        return "You do not sound sure."
    if intent in {DELETE_TASK, TRANSFER} and is_told(sentence.words):
        return IS_TOLD
    if intent in CHANGES and _is_of_several(sentence.words):
        return "I change one task at a time."
    if rule and rule.now and any_of(sentence.words, it.later):
        return "I can only do this now."
    return ""


def _is_of_several(words: str) -> bool:
    """Return whether a command is about several tasks, none of which it names."""
    it = table()
    for plural in it.plurals:
        before, found, _ = words.partition(f" {plural} ")
        said = before.split()
        while found and said and said[-1] in {*it.fillers, *it.between}:
            said.pop()
        if found and said and _commanded(said[-1]) in CHANGES:
            return True
    return False


def _several(found: Collection[str]) -> str:
    if AGENT in found:
        return "I do one thing at a time, and I see two."
    named = " and ".join(sorted({it.lower().replace("_", " ") for it in found}))
    return f"I do one thing at a time, and I see {named if len(set(found)) > 1 else 'two'}."


def _by_rules(sentence: Sentence) -> frozenset[str]:
    found = _by_rules_alone(sentence.words)
    verbs = _by_keywords(sentence)
    if found & {CREATE_TASK, LIST_TASKS, COMPLETE_TASK, UPDATE_TASK, DELETE_TASK}:
        found |= verbs - _states(sentence) if LIST_TASKS in found else verbs
    return frozenset(found)


def _by_rules_alone(words: str) -> set[str]:
    it = table()
    found = {name for name, rule in it.rules.items() if _fires(words, rule)}
    return found - {AGENT} if found & set(it.specific) else found


def _states(sentence: Sentence) -> frozenset[str]:
    """What stands in a question about tasks as their state: `which tasks are done?`"""
    marks = any_of(sentence.words, ("mark", "i'm done", "im done", "complete"))
    return frozenset({LIST_TASKS} if marks else {LIST_TASKS, COMPLETE_TASK})


def _fires(words: str, rule: Rule | Answer) -> bool:
    if any_of(words, rule.unless):
        return False
    return any(all(any_of(words, group) for group in way) for way in rule.any)


def _by_keywords(sentence: Sentence) -> frozenset[str]:
    """Seed 003's table. After a word that lists, `done tasks` says which ones."""
    found = _by_keywords_alone(sentence.words)
    if LIST_TASKS in found and COMPLETE_TASK in found:
        status = re.search(
            r" (?:done|finished|complete) (?:task|tasks|todos|ones) ", sentence.words
        )
        if status and any_of(sentence.words, ("show", "list", "what are")):
            found -= {COMPLETE_TASK}
    return frozenset(found)


def _by_keywords_alone(words: str) -> set[str]:
    words = NOUNS.sub(" ", words)
    return {name for name, keywords in table().keywords.items() if any_of(words, keywords)}


def _commands(sentence: Sentence) -> tuple[str, ...]:
    """Return the intent of each command, where an `and` joins several; else none."""
    joints = "|".join(map(re.escape, table().another))
    first, *others = re.split(rf" (?:{joints})(?= )", sentence.words)
    behind = tuple(filter(None, (_commanded(it, at_once=True) for it in others)))
    if not behind:
        return ()
    before = _by_rules_alone(first) or _by_keywords_alone(first)
    return (*sorted(before)[:1], *behind)


def _commanded(words: str, *, at_once: bool = False) -> str | None:
    """Return the intent of a word that commands; `at_once`: only of one that begins the clause."""
    for intent, verbs in table().commands.items():
        for word in words.split()[: 1 if at_once else None]:
            if any_of(f" {word} ", verbs):
                return intent
    return None


def _announced_title(sentence: Sentence) -> Classified | None:
    """A task to come, with its title; None where none is announced, even with a typo mended."""
    typed = sentence.text.rstrip(" .!?")
    return _titled(typed) or _titled(_with_verb_mended(typed))


def _titled(text: str) -> Classified | None:
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


def _with_verb_mended(text: str) -> str:
    """Return the text with a typo in its first words mended; the title stays as it was typed."""
    words = text.split(" ")
    for at, word in enumerate(words[:VERB_WORDS]):
        meant = mend(plain(word), known_words())
        words[at] = word if meant == plain(word) else meant
    return " ".join(words)


def _holds_another_command(title: str) -> bool:
    """Whether behind an `and` in a title a command about tasks begins."""
    joints = "|".join(map(re.escape, table().another))
    clauses = re.split(rf" (?:{joints}) |[;,.] ", f" {title}")[1:]
    return any(_commanded(clause, at_once=True) for clause in clauses)
