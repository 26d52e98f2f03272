"""Which readers a sentence may concern: a bit for each, from one look-up of each word.

A reader that finds nothing without certain words declares them beside itself, `DENIES = cue(_NOT)`,
and looks at a sentence only where `sentence.cues & DENIES`. What is missing there is proven to be
missing; a bit that is set proves nothing, so who reads with every bit set finds the same.
"""

import re
from collections.abc import Callable, Iterable
from itertools import count

from holdpoint.core.prefilter import PrefilterSet

shared = PrefilterSet().add
"""Adds a pattern that every text is put through: one pass answers for all of them."""

ANY = -1
"""Every cue: of a sentence whose words nobody has looked up."""

FIGURE = 1 << 0
"""Some word begins with no letter: a number, a sum, a sign."""

HYPHEN = 1 << 1
"""Some word has one."""

_bits = count(2)
CUES: dict[str, int] = {}
"""By word: the readers that look for it. `cue` alone writes it, while modules are loaded."""

known: Callable[[str], int | None] = CUES.get
"""The cues of a word that somebody looks for; None for any other one."""

_word = re.compile(r"&|\d+|[^\W\d_]+(?:\d\w*|['_-](?=\w)\w+)*")
"""What is one word wherever it stands between blanks; `console.log` is two."""


def cue(words: Iterable[str]) -> int:
    """A bit for whoever looks for any of these words."""
    bit = 1 << next(_bits)
    for word in filter(_word.fullmatch, words):
        CUES[word] = CUES.get(word, shape(word)) | bit
    return bit


def shape(word: str) -> int:
    """What a word shows that nobody looks for by name."""
    return (0 if word[0].isalpha() else FIGURE) | (HYPHEN if "-" in word else 0)


def cues_of(words: Iterable[str]) -> int:
    """Those of a row of words."""
    found = 0
    for word in words:
        told = known(word)
        found |= shape(word) if told is None else told
    return found
