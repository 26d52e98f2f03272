"""Sentences as words: without case and accents, quoted text set aside, typos mended."""

import re
from collections.abc import Iterable, Sequence
from functools import cache

import msgspec

from holdpoint.coordinator.number_words import single_number_words
from holdpoint.coordinator.plain_text import plain
from holdpoint.core.risk import foreign_words, ordinary_words

QUOTED = re.compile(r"[\"“„«](.{1,200}?)[\"”“»]|(?<!\w)'(.{2,200}?)'(?!\w)")
TRANSACTION = re.compile(r"\bTXN-[A-Z0-9-]{3,60}\b", re.IGNORECASE)
MONEY = re.compile(
    r"(?:[$€£¥]|\b(?:usd|eur|gbp|chf|us\$)\b)\s*\d[\d.,' ]*\d?|"
    r"\b\d[\d.,' ]*(?:[$€£¥]|(?:usd|eur|gbp|chf|dollars?|bucks|euros?|pounds?|dolares|dollar)\b)",
    re.IGNORECASE,
)
ACCOUNT_ID = re.compile(r"\bACC-[A-Z0-9]{3,24}\b", re.IGNORECASE)
NUMBER = re.compile(r"\b\d+\b|#\d+")
WORD = re.compile(r"<[a-z]+>|->|[\w'-]+")
ELISION = re.compile(r"\b(?:[cdjlmnst]|qu)'")
"""A French word that has lost its vowel: `n'efface` is two words."""

UNMARKED = (
    (re.compile(r"\b(do|does|did|is|are|was|have|has|had|ca|wo|should|could|would)nt\b"), r"\1n't"),
    (re.compile(r"\b(what|that|where|how|who|it)s\b"), r"\1's"),
    (re.compile(r"\bi(m|ve)\b"), r"i'\1"),
    (re.compile(r"\btodos(?= (?:mis|los)\b)"), "todas"),
)  # fmt: skip
"""Words typed without their apostrophe, and a Spanish word that is an English one too."""

SHORTEST_SLIP = 4
"""Letters: a shorter word is near to too many others."""

OTHER_ORDER, MISSING, SPARE, OTHER_LETTER = range(4)
"""Kinds of slips, the likeliest first."""

TWO_SLIPS = 8
"""Letters from which a word may be meant by one with two slips."""


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence in several forms."""

    text: str
    """As it was said, on one line."""

    plain: str
    """Without case and accents."""

    words: str
    """A space, each word and a space: ` transfer <money> to savings `."""


def sentence_of(text: str, known: frozenset[str]) -> Sentence:
    """Read a sentence; `known` are the words that a typo may have been."""
    line = " ".join(text.split())
    marked = plain(QUOTED.sub(" <quoted> ", line))
    marked = TRANSACTION.sub(" <transaction> ", marked)
    marked = ACCOUNT_ID.sub(" <account> ", marked)
    marked = MONEY.sub(" <money> ", marked)
    marked = NUMBER.sub(" <number> ", marked)
    for typed, meant in UNMARKED:
        marked = typed.sub(meant, marked)
    marked = ELISION.sub(r"\g<0> ", marked)
    found = (it if it == "->" else it.strip("-'") for it in WORD.findall(marked))
    words = " ".join(_read(it, known) for it in found if it)
    return Sentence(text=line, plain=plain(line), words=f" {words} ")


def has(words: str, phrase: str) -> bool:
    """Return whether a phrase stands in the words: whole, or the part before or behind a `*`."""
    if phrase.endswith("*"):
        return f" {phrase[:-1]}" in words
    return f"{phrase[1:]} " in words if phrase.startswith("*") else f" {phrase} " in words


def any_of(words: str, phrases: Iterable[str]) -> bool:
    """Return whether one of the phrases stands in the words."""
    return any(has(words, it) for it in phrases)


def words_beside(text: str, known: Sequence[str]) -> str:
    """Return the words of a text that are none of these, nor a typo of one, as they were said."""
    marked = MONEY.sub(" ", plain(QUOTED.sub(r" \1\2 ", text)))
    for typed, meant in UNMARKED:
        marked = typed.sub(meant, marked)
    typos = frozenset(it for it in known if it.isalpha())
    words = [it.strip("-'") for it in WORD.findall(ELISION.sub(" ", marked))]
    return " ".join(it for it in words if it and not any_of(f" {mend(it, typos)} ", known))


def _read(word: str, known: frozenset[str]) -> str:
    return "<number>" if word in single_number_words() else mend(word, known)


def mend(word: str, known: frozenset[str]) -> str:
    """Return the known word that a typo was meant to be; an ordinary word is no typo.

    A word of another language is only one where just the order or the number of letters is wrong.
    """
    if len(word) < SHORTEST_SLIP or not word.isalpha() or word in known or word in ordinary_words():
        return word
    if any_of(f" {word} ", _stems(known)):
        return word
    near = {it: found for it in known if (found := _nearness(word, it)) is not None}
    if word in foreign_words():
        near = {it: found for it, found in near.items() if found[1] != OTHER_LETTER}
    best = sorted(it for it in near if near[it] == min(near.values()))
    longer = [it for it in best if it.startswith(word) or word.startswith(it)]
    return best[0] if len(best) == 1 else (longer or [word])[-1]


@cache
def _stems(known: frozenset[str]) -> tuple[str, ...]:
    return tuple(it for it in known if it.endswith("*"))


def _nearness(typed: str, meant: str) -> tuple[int, int] | None:
    """Return how many slips lie between two words, and how likely they are; None for too many.

    The first letter is right. Letters that changed places are likeliest, then one too many or few.
    """
    if typed[:1] != meant[:1] or not meant.isalpha():
        return None
    most = 2 if len(meant) >= TWO_SLIPS else 1
    if abs(len(typed) - len(meant)) > most:
        return None
    slips, kind = _slips(typed, meant), _kind(typed, meant)
    is_short = min(len(typed), len(meant)) <= SHORTEST_SLIP
    return None if slips > most or (is_short and kind == OTHER_LETTER) else (slips, kind)


def _kind(typed: str, meant: str) -> int:
    if sorted(typed) == sorted(meant):
        return OTHER_ORDER
    if len(typed) != len(meant):
        return MISSING if len(typed) < len(meant) else SPARE
    return OTHER_LETTER


def _slips(typed: str, meant: str) -> int:
    """Count letters more, less or other, and pairs that changed places."""
    before: list[int] = []
    row = list(range(len(meant) + 1))
    for at, letter in enumerate(typed, 1):
        two_before, before, row = before, row, [at]
        for to, wanted in enumerate(meant, 1):
            change = before[to - 1] + (letter != wanted)
            best = min(before[to] + 1, row[to - 1] + 1, change)
            if at > 1 and to > 1 and (letter, typed[at - 2]) == (meant[to - 2], wanted):
                best = min(best, two_before[to - 2] + 1)
            row.append(best)
    return row[-1]
