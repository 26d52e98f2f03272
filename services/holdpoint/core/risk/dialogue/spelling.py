"""A text as it was meant where it is spelt with accents, figures or slips that hide its words.

```
"I'll wípe áll disks"                 accents of no language
"I w1ll d3l3te all acc0unts"          figures for letters
"I wil delte all customer acounts"    letters left out, doubled or swapped
```
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import chain, product
from types import MappingProxyType

import msgspec

from holdpoint.core.risk.dialogue.cues import CUES, cue, shared
from holdpoint.core.risk.dialogue.verbs import GUARDS, PRECIOUS
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.words import ARTICLES, STOPS
from holdpoint.core.text import Folded


def respelt(text: Folded, told: Sequence[Sentence]) -> Folded | None:
    """The text in plain spelling, with its places kept; None where it is spelt so already."""
    plain = text.folded
    if not plain.isascii():
        plain = _unaccented(plain)
    if _is_mixed(plain):
        plain = _in_letters(plain)
    if plain is not text.folded:
        return _corrected(text, plain)
    for sentence in told:
        if sentence.cues & _SLIPS:
            return _corrected(text, plain)
    return None


_LEAST = 2
"""Letters of a word that tells by itself that a text was meant otherwise."""


def _base(letter: str) -> str:
    return unicodedata.normalize("NFKD", letter)[0]


_ACCENTED = (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))
_PLAIN_LETTERS = str.maketrans(
    {
        chr(code): _base(chr(code))
        for code in _ACCENTED
        if _base(chr(code)) in "abcdefghijklmnopqrstuvwxyz"
    }
    | dict(zip("øłđħıŧɨɇ", "oldhitie", strict=True))
)
_word = re.compile(r"[^\W\d_]+")


def _unaccented(folded: str) -> str:
    """Without accents, if some word is an English one without them; else it is as it stands."""
    plain = folded.translate(_PLAIN_LETTERS)
    if plain == folded:
        return folded
    words = zip(_word.findall(folded), _word.findall(plain), strict=False)
    hides = any(one != other and _is_word(other) and one not in CUES for one, other in words)
    return plain if hides else folded


def _is_word(word: str) -> bool:
    return len(word) >= _LEAST and (word in CUES or word in _MORE)


_MORE = PRECIOUS | GUARDS | STOPS | ARTICLES


_is_mixed = shared(r"[a-z][013-578@$][a-z]|[013-578@$][a-z][a-z]|[a-z]1[1l]|[a-z]11")
_mixed = re.compile(r"(?<![\w@$.])(?=[a-z]*[013-578@$])[013-578@$]*[a-z][a-z013-578@$]*(?![\w@$])")
_FIGURES = str.maketrans("034578@$", "oeastbas")
_ONES = 3
"""Figures of a word that may be either of two letters, at most."""

_LONGEST = 20
"""Signs of such a word, at most."""


def _in_letters(plain: str) -> str:
    """With letters for figures, if some word then is an English one."""
    mixed = (word for word in _mixed.findall(plain) if len(word) <= _LONGEST)
    if not any(map(_is_word, chain.from_iterable(map(_meant, mixed)))):
        return plain
    return _mixed.sub(lambda found: _likeliest(found[0]), plain)


def _meant(word: str) -> Iterator[str]:
    """What a word may be: a one is an `i` or an `l`, where there are few of them."""
    parts = word.translate(_FIGURES).split("1")
    if len(parts) <= _ONES + 1:
        for signs in product("il", repeat=len(parts) - 1):
            yield "".join(chain.from_iterable(zip(parts, (*signs, ""), strict=True)))


def _likeliest(word: str) -> str:
    said = [*_meant(word)] if len(word) <= _LONGEST else []
    return next(filter(_is_word, said), said[0] if said else word)


_GRAVEST = words("words/dialogue:spelling.gravest")
_BESIDE = words("words/dialogue:spelling.beside")
"""What is said together with them: of people, things and time."""

_OTHER_WORDS = words("words/dialogue:spelling.other_words")
"""Slips that are words of their own."""


def _slips(word: str) -> Iterator[str]:
    """With one letter left out, doubled or swapped with the next; the first one stays."""
    for at in range(1, len(word)):
        yield word[:at] + word[at + 1 :]
        yield word[:at] + word[at] + word[at:]
        yield word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :]


_MOST_OFTEN = 3
"""Letters of a slip, at least: shorter ones are anything."""

_MEANT = MappingProxyType(
    {
        slip: word
        for word in sorted(_GRAVEST | _BESIDE)
        for slip in _slips(word)
        if len(slip) >= _MOST_OFTEN and slip not in _OTHER_WORDS and slip not in CUES
    }
)
_SLIPS = cue(_MEANT)


def _corrected(text: Folded, plain: str) -> Folded:
    """Each slip as the word it was meant to be; each letter stands where the slip has it."""
    parts: list[str] = []
    kept: list[int] = []
    at = 0
    for found in _word.finditer(plain):
        meant = _MEANT.get(found[0])
        if meant is None:
            continue
        start, end = found.span()
        parts += (plain[at:start], meant)
        kept += range(at, start)
        kept += (min(start + place, end - 1) for place in range(len(meant)))
        at = end
    kept += range(at, len(plain))
    origin = text.origin
    return msgspec.structs.replace(
        text,
        folded="".join((*parts, plain[at:])),
        origin=tuple(kept) if origin is None else tuple(origin[one] for one in kept),
    )
