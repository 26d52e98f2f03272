"""How wide a deed is: one thing, several, a bare plural, or all of something."""

import re
from itertools import pairwise

from holdpoint.core.risk.extract.numbers import number_places
from holdpoint.core.risk.wording import Kind, Verb
from holdpoint.core.risk.words import ARTICLES, MEASURES, STOPS, WIDE, word_set

_half = re.compile(r"(?:[5-9]\d|100)(?:[.,]\d+)?%")
_ALL = WIDE | word_set(
    "any both entire whole half most rest completely everybody anything hundreds thousands dozens "
    "full whatever whichever whoever others complete lot remainder remaining em everyone's"
)
_WHOLE = word_set(
    "all every each both everything everyone everybody entire whole half most full hundreds "
    "thousands complete lot"
)
_SINGULAR = word_set("a an one single this it")


def is_whole(objects: list[str]) -> bool:
    """Whether it names all of something: `all`, `every`, `the entire`, `half of the`."""
    if _of_all(objects) or _most_of(objects) or _and_everything(objects):
        return True
    named = _WHOLE & {word.removesuffix("'s") for word in objects[:4]}
    if named == _HALF and _is_a_number(objects):
        return False
    return bool(named) and not is_in_text(objects)


def _is_a_number(objects: list[str]) -> bool:
    """`half a million dollars`: so many, and half of nothing."""
    at = objects.index("half") if "half" in objects else len(objects)
    return objects[at + 1 : at + 2] == ["a"] and not _SCALES.isdisjoint(objects[at + 2 : at + 3])


_HALF = frozenset({"half"})
_SCALES = word_set("hundred thousand million billion grand dozen mil")


def is_wide(objects: list[str], *, passive: bool, verb: Verb) -> bool:
    """Whether the object is several things, all of something, or a bare plural."""
    if passive and verb.kind is Kind.DELETE and _for_a_time(objects):
        return True
    if passive:
        return bool(_ALL & set(objects[:4])) or (bool(objects) and objects[0] in _ALL)
    if is_in_text(objects):
        return False
    first = next((word for word in objects if word not in {"and", "then", "the", "of"}), "")
    if first in _ALL or _ALL & set(objects[:4]) or _of_all(objects):
        return True
    return verb.kind is Kind.DELETE and (_bare_plural(objects) or _for_a_time(objects))


def is_in_text(objects: list[str]) -> bool:
    """`all spaces`, `the last line`: parts of a text that flows by, and not files or rows."""
    near = [word.removesuffix("'s") for word in objects[:6]]
    found = [place for place, word in enumerate(near) if word.rpartition("-")[2] in _UNITS]
    if not _PARTLY.isdisjoint(near[1:4]):
        return True
    if not found or not _KEPT.isdisjoint(near[: found[0]]) or not _TABLES.isdisjoint(objects):
        return False
    return any(near[one] not in _ONE_OF or _is_placed(near, one) for one in found)


def _and_everything(objects: list[str]) -> bool:
    """`the portal and everything in it`."""
    return "everything" in objects and any(
        one in _WITH and two == "everything" for one, two in pairwise(objects)
    )


_WITH = word_set("and with plus including")


def _is_placed(near: list[str], place: int) -> bool:
    """`the first line`, `blank lines`, `the word "x"`: `a line` may also be one of a telephone."""
    before, after = near[max(0, place - 2) : place], near[place + 1 : place + 2]
    return not _PLACED.isdisjoint(before) or not _WITHIN.isdisjoint(after)


def _of_all(objects: list[str]) -> bool:
    """`a third of the …`, `the bin of the whole department`."""
    if _LINKS.isdisjoint(objects):
        return False
    part = "of" in objects and any(
        other == "of" and one.rpartition("-")[2] in _PARTS for one, other in pairwise(objects)
    )
    link = next((place for place, one in enumerate(objects[:6]) if one in _LINKS), -1)
    behind = objects[link + 1 :][:3] if link >= 0 else []
    return part or not _TOGETHER.isdisjoint(behind)


_UNITS = word_set(
    "space spaces newline newlines line lines character characters char chars word words "
    "occurrence occurrences comma commas tab tabs column columns string strings whitespace "
    "whitespaces digit digits letter letters vowels consonants returns prefix suffix extension "
    "extensions zeros zeroes blank blanks field fields punctuation quotes bracket brackets "
    "parentheses slash slashes hyphens dashes dots accents indentation markup html xml ansi "
    "colour color escape substring tags linebreaks breaks eol bom diacritics emojis semicolon "
    "semicolons colon colons underscores"
)
"""What a text is made of: to replace all of it in a stream changes nothing that is kept."""

_KEPT = word_set(
    "file files directory directories folder folders table tables database drive disk device user "
    "account photo photos image images document documents email emails message messages"
)
_TABLES = word_set(
    "table tables database databases schema customers account accounts insurance queue queues topic"
)
_ONE_OF = word_set(
    "line word column string letter letters field blank blanks tags breaks extension extensions "
    "space columns fields zeros zeroes returns colour color escape prefix suffix"
)
"""Words that also name other things."""

_PARTLY = word_set("part portion component variable alias path ending")
"""`the directory part`, `the path from each name`: of a name, not of what it names."""

_PLACED = word_set(
    "first last final second third every each blank empty trailing leading duplicate repeated "
    "comment extra carriage html xml decimal nth matching only line file"
)
_WITHIN = word_set("from in of that which containing matching starting ending number codes with")
_LINKS = word_set("of for to across throughout onto")
_PARTS = word_set("third thirds quarter quarters fifth majority bulk percent rest remainder half")
_TOGETHER = word_set("whole entire complete full all every everyone")


def _most_of(objects: list[str]) -> bool:
    """`nine (out) of ten`, `90 % of the water`, `400 tonnes of it`, `a decade's worth`."""
    near = objects[:8]
    if not _BULK.isdisjoint(near) and number_places(near):
        return True
    if not _AGES.isdisjoint(near):
        return True
    if _OUT_OF.isdisjoint(near):
        return False
    near = [word for word in near if word != "out"]
    if any(two == "of" and _half.fullmatch(one) for one, two in pairwise(near)):
        return True
    return any(
        two in _OUT_OF and number_places([one]) and number_places([three])
        for one, two, three in zip(near, near[1:], near[2:], strict=False)
    )


_OUT_OF = word_set("in of")


_BULK = word_set(
    "tb tib pb terabyte terabytes petabyte petabytes ton tons tonne tonnes acre acres hectare "
    "hectares barrel barrels gallons litres liters megawatts mw truckloads containers"
)
"""Units of which even one is much."""

_AGES = word_set("decade decades decade's century")


def _for_a_time(objects: list[str]) -> bool:
    """`the last six months of orders`: everything from then."""
    places = (place for place, word in enumerate(objects[:-1]) if word in MEASURES)
    return any(objects[place + 1] == "of" for place in places)


def _bare_plural(objects: list[str]) -> bool:
    """A plural before any article or preposition: `old log files`, `directories`."""
    start = 2 if objects[:1] == ["and"] else 0  # `delete and count files`
    start += objects[start : start + 1] in (["the"], ["those"], ["my"], ["our"], ["your"])
    for word in objects[start : start + 4]:
        if word in ARTICLES or word in _SINGULAR or word in STOPS:
            return False
        if word.endswith("s") and not word.endswith(("ss", "us", "is", "'s", "ias")):
            return True
    return False
