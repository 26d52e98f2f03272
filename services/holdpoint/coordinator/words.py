"""Sentences as words: without case and accents, quoted text set aside, typos mended."""

import re
import unicodedata
from collections.abc import Iterable

import msgspec

QUOTED = re.compile(r"[\"“„«](.{1,200}?)[\"”“»]|(?<!\w)'(.{2,200}?)'(?!\w)")
TRANSACTION = re.compile(r"\bTXN-[A-Z0-9-]{3,60}\b", re.IGNORECASE)
MONEY = re.compile(
    r"(?:[$€£¥]|\b(?:usd|eur|gbp|chf|us\$)\b)\s*\d[\d.,' ]*\d?|"
    r"\b\d[\d.,' ]*(?:[$€£¥]|(?:usd|eur|gbp|chf|dollars?|bucks|euros?|pounds?|dolares|dollar)\b)",
    re.IGNORECASE,
)
NUMBER = re.compile(r"\b\d+\b|#\d+")
WORD = re.compile(r"<[a-z]+>|[\w'-]+")
ELISION = re.compile(r"\b(?:[cdjlmnst]|qu)'")
"""A French word that has lost its vowel: `n'efface` is two words."""

SHORTEST_SLIP = 5
"""Letters: a shorter word is near to too many others."""


class Sentence(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence in several forms."""

    text: str
    """As it was said, on one line."""

    plain: str
    """Without case and accents."""

    words: str
    """A space, each word and a space: ` transfer <money> to savings `."""


def plain(text: str) -> str:
    """Return the text without case and accents, its apostrophes alike."""
    folded = unicodedata.normalize("NFKD", text.replace("\u2019", "'").replace("`", "'"))
    return "".join(it for it in folded if not unicodedata.combining(it)).casefold()


def sentence_of(text: str, known: frozenset[str], plain_words: frozenset[str]) -> Sentence:
    """Read a sentence; `known` are the words that a typo may have been."""
    line = " ".join(text.split())
    marked = plain(QUOTED.sub(" <quoted> ", line))
    marked = TRANSACTION.sub(" <transaction> ", marked)
    marked = MONEY.sub(" <money> ", marked)
    marked = NUMBER.sub(" <number> ", marked)
    found = (it.strip("-'") for it in WORD.findall(ELISION.sub(r"\g<0> ", marked)))
    mended = (mend(it, known, plain_words) for it in found if it)
    return Sentence(text=line, plain=plain(line), words=f" {' '.join(mended)} ")


def has(words: str, phrase: str) -> bool:
    """Return whether a phrase stands in the words: whole, or the part before or behind a `*`."""
    if phrase.endswith("*"):
        return f" {phrase[:-1]}" in words
    return f"{phrase[1:]} " in words if phrase.startswith("*") else f" {phrase} " in words


def any_of(words: str, phrases: Iterable[str]) -> bool:
    """Return whether one of the phrases stands in the words."""
    return any(has(words, it) for it in phrases)


def mend(word: str, known: frozenset[str], plain_words: frozenset[str]) -> str:
    """Return the only known word that one slip away; else the word itself."""
    if word in known or word in plain_words or not word.isalpha() or len(word) < SHORTEST_SLIP - 1:
        return word
    if any_of(f" {word} ", (it for it in known if it.endswith("*"))):
        return word
    near = {it for it in known if abs(len(it) - len(word)) <= 1 and _one_slip(word, it)}
    return near.pop() if len(near) == 1 else _commonest(near, word)


def _commonest(near: set[str], word: str) -> str:
    """Of several that are near, the one that only has a letter more: `complet` is `complete`."""
    longer = sorted(it for it in near if it.startswith(word) or word.startswith(it))
    return longer[-1] if longer else word


def _one_slip(typed: str, meant: str) -> bool:
    """One letter more, less or other, or two that changed places; the first one is right."""
    if typed[:1] != meant[:1] or max(len(typed), len(meant)) < SHORTEST_SLIP - 1:
        return False
    if len(typed) == len(meant):
        wrong = [at for at, (a, b) in enumerate(zip(typed, meant, strict=True)) if a != b]
        swapped = len(wrong) == 2 and wrong[1] == wrong[0] + 1  # noqa: PLR2004  # a pair
        crossed = (
            swapped and typed[wrong[0]] == meant[wrong[1]] and typed[wrong[1]] == meant[wrong[0]]
        )
        return crossed or (len(wrong) == 1 and len(typed) >= SHORTEST_SLIP)
    short, long = sorted((typed, meant), key=len)
    return any(long[:at] + long[at + 1 :] == short for at in range(len(long)))
