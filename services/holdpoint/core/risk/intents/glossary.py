"""Other languages, read word by word in English: the learned reader knows hardly anything else.

`data/reader/glossary` has a file for each language: a word and its English, a line each. A sentence
is of the language that knows most of its words, if that knows enough of them.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from operator import itemgetter
from unicodedata import combining, normalize

from holdpoint.core.text import fold

LEAST_SHARE = 0.4
"""Words of a sentence that a language has to know."""

_READER = files("holdpoint.core.risk") / "data" / "reader"
_FOLDER = _READER / "glossary"
_words = re.compile(r"(?:[^\W\d_]|[\u0300-\u036f])+")
_ascii_words = re.compile("[a-zA-Z]+")
"""The same words of a text in ASCII, ten times as quick."""

_ends = re.compile(r"(\s(?:(?<=[.!?;]\s)\s*|(?<=\n)\n*))")
"""Blanks behind a sentence, and line breaks; it begins with a blank, so only blanks are tried."""

_elided = re.compile(r"(?<=\w)['\u2019](?=\w)")


def in_english(text: str) -> str:
    """Return a folded text word by word in English, each sentence from its own language.

    Empty where nothing of it is in a language that a glossary knows.
    """
    parts = _ends.split(text)
    read = [_glossed(part) or part for part in parts]
    return "".join(read) if read != parts else ""


def language_of(sentence: str) -> str:
    """Return the language of one folded sentence; empty if it is English, or in no known one."""
    words = _words_in(sentence)
    if sentence.isascii() and _only_foreign().isdisjoint(words):
        return ""
    known = {name: sum(bool(_in(it, word)) for word in words) for name, it in _all().items()}
    language = max(known, key=known.__getitem__, default="")
    least = max(1, LEAST_SHARE * len(words))
    if not language or known[language] < least or known[language] <= _english(words):
        return ""
    return language


def _words_in(text: str) -> list[str]:
    return (_ascii_words if text.isascii() else _words).findall(text)


def _glossed(sentence: str) -> str:
    """Return one sentence in English; empty if it is English, or in no known language."""
    language = language_of(sentence)
    if not language:
        return ""
    glossary = _all()[language]
    apart = _elided.sub("' ", sentence)
    return _words.sub(lambda found: _in(glossary, found[0]) or found[0], apart)


def _in(glossary: Mapping[str, str], word: str) -> str:
    """Return a word's English; as it is written, or else without accents."""
    return glossary.get(word) or ("" if word.isascii() else glossary.get(bare(word), ""))


def bare(word: str) -> str:
    """Return a word without its accents: who writes fast leaves them out."""
    return "".join(one for one in normalize("NFD", word) if not combining(one))


def is_unknown(text: str) -> bool:
    """Return whether a folded text is in a language that neither English nor a glossary reads."""
    if text.isascii():
        return False
    letters = [one for one in text if one.isalpha()]
    foreign = sum(not one.isascii() for one in letters)
    return foreign * 2 > len(letters) and not in_english(text)


def is_foreign(text: str) -> bool:
    """Return whether a folded text is not plainly English, whatever else it is."""
    words = _words_in(text)
    return bool(in_english(text)) or _english(words) * COMMON_AT_LEAST < len(words)


def is_surely_english(text: str) -> bool:
    """Return whether a folded text is not foreign, however often each of its words is counted.

    So it need not be made plain first, which takes out nothing but marks, names of tags and of
    speakers, and what stood before. False says nothing.
    """
    if not text.isascii() or "<" in text or ":" in text:
        return False
    words = _words_in(text)
    different = set(words)
    is_common = len(different & _common()) * COMMON_AT_LEAST >= len(words)
    return is_common and different.isdisjoint(_only_foreign())


COMMON_AT_LEAST = 4
"""Of so many words of an English text at least one is common."""


def _english(words: list[str]) -> int:
    """Return how many of the words are among the most common ones of English."""
    return sum(word in _common() or bare(word) in _common() for word in words)


@cache
def ordinary_words() -> frozenset[str]:
    """Return the words of English that the learned reader knows as a whole."""
    return frozenset((_READER / "vocabulary.txt").read_text("utf-8").split())


@cache
def foreign_words() -> frozenset[str]:
    """Return the words of all glossaries, without their accents."""
    return frozenset(bare(word) for words in _all().values() for word in words)


@cache
def _only_foreign() -> frozenset[str]:
    """Return the words in ASCII that a glossary knows and English does not.

    A sentence without any is in no other language: that would have to know more of it than English.
    """
    known = (word for words in _all().values() for word in words if word.isascii())
    return frozenset(known) - _common()


@cache
def _all() -> Mapping[str, Mapping[str, str]]:
    """Return each language's words, folded as sentences are."""
    named = ((file.name.partition(".")[0], file) for file in _FOLDER.iterdir())
    return {
        language: _words_of(file.read_text("utf-8"))
        for language, file in sorted(named, key=itemgetter(0))
        if language != ENGLISH
    }


def _words_of(lines: str) -> dict[str, str]:
    """Return each word's English, and that of the word without its accents where that is none."""
    words = dict(_pair(line) for line in lines.splitlines())
    return {bare(word): english for word, english in words.items()} | words


def _pair(line: str) -> tuple[str, str]:
    word, _, english = line.partition("\t")
    return fold(word).folded, english


@cache
def _common() -> frozenset[str]:
    return frozenset((_FOLDER / f"{ENGLISH}.tsv").read_text("utf-8").split())


ENGLISH = "en"
