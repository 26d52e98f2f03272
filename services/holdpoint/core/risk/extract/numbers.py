"""Numbers as people write them: 500, 1,000, 1.5k, five hundred, two million."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal

import msgspec

from holdpoint.core.risk.knowledge import entry

_SMALL: str = entry("units:numbers.small")
_TENS: str = entry("units:numbers.tens")
_UNITS = (
    {word: number for number, word in enumerate(_SMALL.split())}
    | {word: 10 * number for number, word in enumerate(_TENS.split(), start=2)}
    | {"couple": 2}
)
_SCALES: dict[str, int] = entry("units:sentence_scales")
_SHORT: dict[str, int] = entry("units:short_scales")
"""Scales only behind a number: `ten k`, `2.5 mio`."""

_BEHIND = _SCALES | _SHORT
_SUFFIXES = {"": 1, "k": 1000, "m": 1_000_000, "b": 1_000_000_000}
_FRACTIONS = {"quarter": Decimal("0.25"), "half": Decimal("0.5")}
_PART_OF = {
    f"{part}-{scale}": share * size
    for part, share in _FRACTIONS.items()
    for scale, size in _SCALES.items()
}
"""`half-million`, `quarter-billion`."""

_AND_A_HALF = ["and", "a", "half"]
_GLUE = frozenset({"a", "an", "and", "of"})
_VAGUE = frozenset({"several", "few", "many"})
_SEVERAL = 3
"""The least that `several hundred` can mean."""

_STARTS = frozenset(_UNITS) | frozenset(_SCALES)
STARTS = _STARTS | frozenset(_FRACTIONS)
"""Of any number in words one of these is a part, or a word with a hyphen."""

_OF_SCALES = frozenset({"a", "an"}) | frozenset(_FRACTIONS)
"""What may begin a number whose scale stands further on."""

_BEGINS = _STARTS | _OF_SCALES
_FIGURES = frozenset("0123456789$€£¥₹₿₩₽₺₫฿₴₦₱₪৳")
_digits = re.compile(r"(\d{1,3}(?:,\d{3})+|\d{1,15})(\.\d{1,9})?([kmb])?", re.ASCII)
_huge = re.compile(r"\d[\d,]*(\.\d+)?", re.ASCII)
_group = re.compile(r"[1-9]\d{0,2}", re.ASCII)
_thousand = re.compile(r"\d{3}", re.ASCII)
MAX_GROUPS = 4
"""Groups of three digits, with a blank between them, that are one number: `1 500 000`."""

_apart = re.compile(r"\d{1,3}(?:[_'\u2019]\d{3})+(?:[.,]\d{1,2})?", re.ASCII)
_unparted = re.compile("[_'\u2019]")
_power = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(?:e|\^|\*\*)(\d{1,2})", re.ASCII)
"""`1e6`, and `10^6`, where the first number is itself raised."""

_comma = re.compile(r"\d{1,3},\d{1,2}[kmb]", re.ASCII)
_pointed = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+(?:,\d{1,2})?|\d{1,3}(?:\.\d{3})*,\d{2}", re.ASCII)
"""As much of the world writes it: 9.999,00."""

MAX_DIGITS = 15

MAX_WORDS = 12
"""Words that one number may take: enough for people, and no arithmetic without end."""

HUGE = Decimal(10) ** 15
"""What stands for a number too long to read."""


class Number(msgspec.Struct, frozen=True, kw_only=True):
    """A number in a row of words, and how many words it took."""

    value: Decimal
    words: int


def number_places(words: Sequence[str]) -> list[int]:
    """Return where a number could begin: cheap, asked of every sentence."""
    return [
        place
        for place, word in enumerate(words)
        if (word in _BEGINS or not word.isalpha()) and _may_begin(words, place)
    ]


def _may_begin(words: Sequence[str], place: int) -> bool:
    word = words[place]
    if word[0] in _FIGURES or word in _STARTS:
        return True
    in_parts = "-" in word and (word in _PART_OF or bool(_parts(word)))
    return in_parts or (word in _OF_SCALES and _scaled_next(words, place))


def _scaled_next(words: Sequence[str], place: int) -> bool:
    at = place + 1 + _half_a(words, place)
    return at < len(words) and (
        words[at] in _STARTS or (words[place] in _FRACTIONS and words[at] in _SHORT)
    )


def _half_a(words: Sequence[str], place: int) -> int:
    """Return how many words stand between the two of `half a million`."""
    return int(words[place] in _FRACTIONS and words[place + 1 : place + 2] in _AN)


_AN = (["a"], ["an"])


def number_at(words: Sequence[str], start: int) -> Number | None:
    """The number that begins at this word, its scale words included (`2 million`)."""
    word = words[start]
    value = _FRACTIONS.get(word) or _PART_OF.get(word) or written(word)
    if value is None:
        spelled = _spelled(words, start)
        return _by_gross(words, start, _with_fraction(words, start, spelled)) if spelled else None
    end = start + 1 + _half_a(words, start)
    if end < len(words) and _thousand.fullmatch(words[end]) and _group.fullmatch(words[start]):
        while end < min(len(words), start + MAX_GROUPS) and _thousand.fullmatch(words[end]):
            value = value * 1000 + int(words[end])
            end += 1
    value, end = _multiplied(words, start, end, value)
    return _by_gross(words, start, Number(value=value, words=end - start))


def _multiplied(words: Sequence[str], start: int, end: int, value: Decimal) -> tuple[Decimal, int]:
    """The number times the scales that follow it, and where they end."""
    while end < min(len(words), start + MAX_WORDS) and words[end] in _BEHIND:
        value, end = value * _BEHIND[words[end]], end + 1
    return value, end


def _with_fraction(words: Sequence[str], start: int, whole: Number) -> Number:
    """`nine point one million`: the figures behind the point, and then what multiplies them."""
    at = start + whole.words
    if words[at : at + 1] != ["point"] or words[at - 1] in _SCALES:
        return whole
    end, value, place = at + 1, whole.value, Decimal(1)
    while end < min(len(words), start + MAX_WORDS) and words[end] in _FIGURE:
        place /= 10
        value += _FIGURE[words[end]] * place
        end += 1
    if end == at + 1:
        return whole
    value, end = _multiplied(words, start, end, value)
    return Number(value=value.normalize() + 0, words=end - start)


_FIGURE = {word: number for word, number in _UNITS.items() if number < 10} | {"oh": 0}  # noqa: PLR2004  # one figure


def _by_gross(words: Sequence[str], start: int, number: Number) -> Number:
    """`Nine gross of the pens`: twelve dozen each; `5,000 gross` is a salary."""
    end = start + number.words
    if end >= len(words) or words[end] != "gross" or words[end + 1 : end + 2] != ["of"]:
        return number
    return Number(value=number.value * _GROSS, words=number.words + 1)


_GROSS = 144


def is_pointed(word: str) -> bool:
    """Return whether points may stand between its thousands: of two readings the larger counts."""
    return _pointed.fullmatch(word) is not None


def written(word: str) -> Decimal | None:
    """The number that a word of digits writes; None when it is no number."""
    if word.isdecimal() and len(word) <= MAX_DIGITS:
        return Decimal(word)
    if not word[:1].isdigit():
        return None
    word = _exactly(word)
    if is_pointed(word):
        return Decimal(word.replace(".", "").replace(",", "."))
    raised = _power.fullmatch(word)
    if raised:
        base, power = Decimal(raised[1]), int(raised[2])
        return min(base * Decimal(10) ** power if "e" in word else base**power, HUGE)
    plain = _unparted.sub("", word) if _apart.fullmatch(word) else word
    match = _digits.fullmatch(plain.replace(",", ".") if _comma.fullmatch(word) else plain)
    if match:
        whole, fraction, suffix = match.groups()
        digits = whole.replace(",", "") + (fraction or "")
        return Decimal(digits) * _SUFFIXES[suffix or ""]
    return HUGE if _huge.fullmatch(word) else None


def _exactly(word: str) -> str:
    """`three hundred-odd`, `four hundred-some`, `200-plus`, without that it is only roughly so."""
    return word.removesuffix("-odd").removesuffix("-some").removesuffix("-plus")


def _parts(word: str, scales: Mapping[str, int] = _SCALES) -> list[str]:
    """`twenty-five` as its words; nothing when one of them is no number."""
    parts = _exactly(word).split("-")[:MAX_WORDS]
    known = all(part in _UNITS or part in scales or part == "and" for part in parts)
    return parts if known else []


def _spelled(words: Sequence[str], start: int) -> Number | None:
    end, total, part, any_number = start, 0, 0, False
    if start and words[start - 1] in _VAGUE and words[start] in _SCALES:
        part = _SEVERAL
    while end < min(len(words), start + MAX_WORDS):
        word = words[end]
        if words[end : end + 3] == _AND_A_HALF:
            total, end = _and_a_half(words, end + 3, total, part)
            part = 0
            continue
        known = _parts(word, _BEHIND if any_number else _SCALES) if word not in _GLUE else []
        for one in known:
            if one in _UNITS:
                part += _UNITS[one]
            elif one in _BEHIND:
                total, part = _scaled(total, part, _BEHIND[one])
        if not known and (word not in _GLUE or not _goes_on(words, end)):
            break
        any_number = any_number or word not in _GLUE
        end += 1
    return Number(value=Decimal(total + part), words=end - start) if any_number else None


def _and_a_half(words: Sequence[str], at: int, total: int, part: int) -> tuple[int, int]:
    """`two and a half million`, `a grand and a half`: half of the scale, and where it ends."""
    scale = _BEHIND.get(words[at], 0) if at < len(words) else 0
    if scale:
        return total + part * scale + scale // 2, at + 1
    said = next((_BEHIND[word] for word in words[at - 4 : at - 3] if word in _BEHIND), 0)
    return total + part + said // 2, at


def _scaled(total: int, part: int, scale: int) -> tuple[int, int]:
    """Hundreds multiply what was said last; thousands and more close it."""
    if scale < 1000:  # noqa: PLR2004  # a thousand is where English starts anew
        return total, max(part, 1) * scale
    if part == 0 and total:
        return total * scale, 0
    return total + max(part, 1) * scale, 0


def _goes_on(words: Sequence[str], at: int) -> bool:
    follows = words[at + 1] if at + 1 < len(words) else ""
    return follows in _SCALES if words[at] != "and" else follows in _UNITS
