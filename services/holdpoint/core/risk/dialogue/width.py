"""How wide a deed is: one thing, several, a bare plural, or all of something."""

from itertools import pairwise

from holdpoint.core.risk.lexicon import ARTICLES, MEASURES, STOPS, WIDE, word_set
from holdpoint.core.risk.wording import Kind, Verb

_ALL = WIDE | word_set(
    "any entire whole half most rest completely everybody anything hundreds thousands dozens full"
)
_WHOLE = word_set(
    "all every each both everything everyone everybody entire whole half most full hundreds "
    "thousands"
)
_SINGULAR = word_set("a an one single this it")


def is_whole(objects: list[str]) -> bool:
    """Whether it names all of something: `all`, `every`, `the entire`, `half of the`."""
    if _of_all(objects):
        return True
    named = _WHOLE & {word.removesuffix("'s") for word in objects[:4]}
    return bool(named) and not _within_text(objects)


def is_wide(objects: list[str], *, passive: bool, verb: Verb) -> bool:
    """Whether the object is several things, all of something, or a bare plural."""
    if passive:
        return bool(_ALL & set(objects[:4])) or (bool(objects) and objects[0] in _ALL)
    if _within_text(objects):
        return False
    first = next((word for word in objects if word not in {"and", "then", "the", "of"}), "")
    if first in _ALL or _ALL & set(objects[:4]) or _of_all(objects):
        return True
    return verb.kind is Kind.DELETE and (_bare_plural(objects) or _for_a_time(objects))


def _within_text(objects: list[str]) -> bool:
    """`all spaces`, `duplicate lines`: parts of a text that flows by."""
    return bool(_UNITS & set(objects[:5])) and not _FILES & set(objects)


def _of_all(objects: list[str]) -> bool:
    """`a third of the …`, `the bin of the whole department`."""
    if "of" not in objects and "for" not in objects:
        return False
    shares = pairwise(objects)
    part = any(other == "of" and one.rpartition("-")[2] in _PARTS for one, other in shares)
    link = next((place for place, one in enumerate(objects[:6]) if one in {"of", "for"}), -1)
    behind = objects[link + 1 :][:3] if link >= 0 else []
    return part or not _TOGETHER.isdisjoint(behind)


_UNITS = word_set(
    "space spaces newline newlines line lines character characters word words occurrence "
    "occurrences comma commas tab tabs column columns string strings whitespace digits letters"
)
"""What a text is made of: to replace all of it in a stream changes nothing that is kept."""

_FILES = word_set("file files directory directories folder folders table tables database")
_PARTS = word_set("third thirds quarter quarters fifth majority bulk percent rest remainder half")
_TOGETHER = word_set("whole entire complete all every everyone")


def _for_a_time(objects: list[str]) -> bool:
    """`the last six months of orders`: everything from then."""
    places = (place for place, word in enumerate(objects[:-1]) if word in MEASURES)
    return any(objects[place + 1] == "of" for place in places)


def _bare_plural(objects: list[str]) -> bool:
    """A plural before any article or preposition: `old log files`, `directories`."""
    start = 2 if objects[:1] == ["and"] else 0  # `delete and count files`
    for word in objects[start : start + 4]:
        if word in ARTICLES or word in _SINGULAR or word in STOPS:
            return False
        if word.endswith("s") and not word.endswith(("ss", "us", "is", "'s")):
            return True
    return False
