"""Form of a sentence: whether it asks for something to be done, or only about it."""

import functools
import re

from msgspec.structs import replace

from holdpoint.coordinator.intent_table import table
from holdpoint.coordinator.words import Sentence, any_of


def is_told(words: str) -> bool:
    """Return whether a sentence asks about something or reports it, and requests nothing."""
    it = table()
    begins = any(words.startswith(f" {first} ") for first in it.question_words)
    is_done = any_of(words, it.told) and not _is_wished(words)
    return begins or is_done or any_of(words, it.reports)


def without_name(sentence: Sentence) -> Sentence:
    """Set the name of a task that is to be deleted aside: it is no question and no doubt."""
    verb, _, rest = sentence.words.strip().removeprefix("please ").partition(" ")
    if not any_of(f" {verb} ", table().words["delete"]):
        return sentence
    joints = "|".join(map(re.escape, table().another))
    about = rf"(?<=task )(about|called|named) (?:(?!(?:{joints}) ).)+"
    rest = re.sub(r"^(the|my) (?:(?!task )\S+ ){1,4}(?=task )", r"\1 <name> ", f"{rest} ")
    rest = re.sub(about, r"\1 <name> ", rest)
    return replace(sentence, words=f" {verb} {rest}")


def _is_wished(words: str) -> bool:
    """Return whether a verb asks for what another one would only report."""
    it = table()
    verbs = [verb for verb in it.words["delete"] if not any_of(f" {verb} ", it.told)]
    rest = functools.reduce(lambda left, form: left.replace(f" {form} ", " "), it.told, words)
    rest = " ".join(word for word in rest.split() if not any_of(f" {word} ", it.told))
    return any_of(words, it.wishes) or any_of(f" {rest} ", verbs)
