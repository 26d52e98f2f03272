"""Other languages, read word by word in English: the learned reader knows hardly anything else.

`data/reader/glossary` has a file for each language: a word and its English, a line each. A sentence
is of the language that knows most of its words, if that knows enough of them.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from operator import itemgetter

from holdpoint.core.risk.text import fold

LEAST_SHARE = 0.4
"""Words of a sentence that a language has to know."""

_FOLDER = files("holdpoint.core.risk") / "data" / "reader" / "glossary"
_words = re.compile(r"[^\W\d_]+")
_elided = re.compile(r"(?<=\w)['\u2019](?=\w)")


def in_english(text: str) -> str:
    """Return a folded text word by word in English; empty if it is English, or in no known one."""
    apart = _elided.sub("' ", text)
    words = _words.findall(apart)
    known = {name: sum(word in glossary for word in words) for name, glossary in _all().items()}
    language = max(known, key=known.__getitem__, default="")
    least = max(1, LEAST_SHARE * len(words))
    if not language or known[language] < least or known[language] <= _english(words):
        return ""
    glossary = _all()[language]
    return _words.sub(lambda found: glossary.get(found[0], found[0]), apart)


def is_unknown(text: str) -> bool:
    """Return whether a folded text is in a language that neither English nor a glossary reads."""
    letters = [one for one in text if one.isalpha()]
    foreign = sum(not one.isascii() for one in letters)
    return foreign * 2 > len(letters) and not in_english(text)


def _english(words: list[str]) -> int:
    """Return how many of the words are among the most common ones of English."""
    return sum(word in _common() for word in words)


@cache
def _all() -> Mapping[str, Mapping[str, str]]:
    """Return each language's words, folded as sentences are."""
    named = ((file.name.partition(".")[0], file) for file in _FOLDER.iterdir())
    return {
        language: dict(_pair(line) for line in file.read_text("utf-8").splitlines())
        for language, file in sorted(named, key=itemgetter(0))
        if language != ENGLISH
    }


def _pair(line: str) -> tuple[str, str]:
    word, _, english = line.partition("\t")
    return fold(word).folded, english


@cache
def _common() -> frozenset[str]:
    return frozenset((_FOLDER / f"{ENGLISH}.tsv").read_text("utf-8").split())


ENGLISH = "en"
