"""Other languages, read word by word in English: the learned reader knows hardly anything else.

`data/reader/glossary` has a file for each language: a word and its English, a line each. A sentence
is of the language that knows most of its words, if that knows enough of them.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

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


def _english(words: list[str]) -> int:
    """Return how many of the words are among the most common ones of English."""
    return sum(word in _common() for word in words)


@cache
def _all() -> Mapping[str, Mapping[str, str]]:
    found = {}
    for file in sorted(_FOLDER.iterdir(), key=lambda it: it.name):
        lines = fold(file.read_text("utf-8")).folded.splitlines()
        found[file.name.partition(".")[0]] = dict(line.split("\t", 1) for line in lines if line)
    return {name: words for name, words in found.items() if name != ENGLISH}


@cache
def _common() -> frozenset[str]:
    return frozenset((_FOLDER / f"{ENGLISH}.tsv").read_text("utf-8").split())


ENGLISH = "en"
