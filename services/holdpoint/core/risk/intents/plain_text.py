"""A text as the learned reader is given it, and its sentences.

What changes no meaning is taken off before the model sees it, in training as at run time: marks of
lists and quotations, tags, pictures, names of speakers, repeats, the last full stop, letters that
only look like those around them.
"""

import re
from collections import Counter
from functools import lru_cache
from unicodedata import normalize

from holdpoint.core.text import LATIN_LOOKS, fold

_tags = re.compile(r"</?(?:a|b|i|u|p|em|strong|br|hr|div|span|code|pre|ul|ol|li|h[1-6])\s*/?>")
_pictures = re.compile(r"[\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\ufe0f\U0001f000-\U0001faff]")
_marks = re.compile(
    r"(?=[*_#~`|<>=])(?:[*_#~`|<>=]{2,}|(?<!\w)[*_`](?=\w)|(?<=[\w.!?])[*_`](?!\w))"
)
"""The first look is only for speed: nearly no character is a mark."""

_openings = re.compile(
    r"^(?:\s*(?:[-*+>#\u2022]+|\(?\d{1,2}[.)]|(?:assistant|agent|bot|ai|then|plan):)(?=\s))+",
    re.MULTILINE,
)
_repeated = re.compile(r"\b(\w++)(?:\W+\1\b){3,}")
_blanks = re.compile(r"[^\S\n ][^\S\n]*| [^\S\n]+")
"""All but one blank, which stays what it is."""

_lines = re.compile(r"\s*\n\s*")
_ends = re.compile(r"((?<=[.!?;])\s+|(?<=。)|\n+)")
_ascii_ends = re.compile(r"(\s(?:(?<=[.!?;]\s)\s*|(?<=\n)\n*))")
"""The same in ASCII: each end begins with a blank, so only blanks are tried."""


_letters = re.compile(r"[^\W\d_]+")
_latin = re.compile("[a-z]")
_native = re.compile("[бвгджзйклмнптфцчшщъыьэюя]")
"""Letters of Cyrillic that look like none of Latin."""

_vowels = re.compile("[aeiouy]")
_accents = re.compile("(?<=[aeiouy])[\u0300-\u036f]")
FEW_ACCENTS = 3
CYRILLIC_LOOKS = str.maketrans("aeopcyxijsh", "аеорсухіјѕһ")  # noqa: RUF001  # what they imitate

JUST_READ = 8
"""Texts that are kept: while one is judged it is asked for four times."""

WORDS_OF_A_LINE = 2
"""Words that the lines of a text have on average, or else their ends are no ends of sentences."""


@lru_cache(maxsize=JUST_READ)
def plain(said: str) -> str:
    """Return a text folded, without marks and repeats."""
    bare = _marks.sub(" ", _pictures.sub(" ", _tags.sub(" ", _unmasked(fold(said).folded))))
    bare = _blanks.sub(" ", _openings.sub("", bare.strip())).strip()
    if "\n" in bare:
        bare = _lines.sub("\n", bare)
        if len(bare.split()) < WORDS_OF_A_LINE * (bare.count("\n") + 1):
            bare = bare.replace("\n", " ")
    return _once(_repeated.sub(lambda found: found[1], bare))


def _unmasked(text: str) -> str:
    """Return a folded text whose letters are of the script around them."""
    if text.isascii():
        return text
    return "".join(_bare(_in_one_script(one)) for one in _parts(text))


def _in_one_script(sentence: str) -> str:
    """Return a sentence in which no word hides in letters of another script.

    A word whose letters all look Latin is Latin if more words around it are; a word with letters
    that only Cyrillic has is Cyrillic.
    """
    words = _letters.findall(sentence)
    native = sum(bool(_native.search(word)) for word in words)
    is_latin = sum(bool(_latin.search(word)) for word in words) > native

    def told(found: re.Match[str]) -> str:
        if _native.search(found[0]):
            return found[0].translate(CYRILLIC_LOOKS)
        return found[0].translate(LATIN_LOOKS) if is_latin else found[0]

    return _letters.sub(told, sentence)


def has_added_accents(text: str) -> bool:
    """Return whether a sentence of a text has more accents than its language, which are left out.

    A word's own accents go with them, so a reader that knows words by their accents may miss it.
    """
    said = fold(text).folded
    return not said.isascii() and any(map(_added_accents, _parts(said)))


def _bare(sentence: str) -> str:
    """Return a sentence without the accents that were added to it."""
    if not (added := _added_accents(sentence)):
        return sentence
    apart = normalize("NFD", sentence)
    return normalize("NFC", "".join(one for one in apart if one not in added))


def _added_accents(sentence: str) -> set[str]:
    """Return the frequent accents of a sentence that has more than any language has."""
    apart = normalize("NFD", sentence)
    accents, vowels = Counter(_accents.findall(apart)), len(_vowels.findall(apart))
    if accents.total() < FEW_ACCENTS or accents.total() * 2 <= vowels:
        return set()
    return {mark for mark, count in accents.items() if count * 8 > vowels}


def _parts(text: str) -> list[str]:
    """Return sentences, and between them what ends them."""
    return (_ascii_ends if text.isascii() else _ends).split(text)


def sentences(text: str) -> list[str]:
    """Return the sentences of a plain text."""
    return [one for part in _parts(text) if (one := part.strip(CLOSING))]


def around(text: str) -> tuple[str, ...]:
    """Return a plain text without its first and without its last sentence, if two stay."""
    parts = _parts(text)
    if len(parts) < PARTS_AROUND:
        return ()
    return "".join(parts[2:]).strip(CLOSING), "".join(parts[:-2]).strip(CLOSING)


PARTS_AROUND = 5
"""Three sentences, and what stands between them."""


def _once(text: str) -> str:
    """Leave out sentences that stood before, and what closes the last one."""
    parts = [*_parts(text), ""]
    kept = dict(zip(reversed(parts[::2]), reversed(parts[1::2]), strict=True))
    return "".join(f"{one}{kept[one]}" for one in dict.fromkeys(parts[::2])).strip(CLOSING)


CLOSING = " .!\n"
