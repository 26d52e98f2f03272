"""How much a deed takes: several things or all of something, or only parts of a text."""

from holdpoint.core.risk.words import WIDE, word_set

_ALL = WIDE | word_set(
    "any both entire whole half most rest completely everybody anything hundreds thousands dozens "
    "full whatever whichever whoever others complete lot remainder remaining em everyone's"
)


def is_wide(objects: list[str]) -> bool:
    """Return True if the object is several things, or all of something."""
    first = next((word for word in objects if word not in {"and", "then", "the", "of"}), "")
    return not is_in_text(objects) and (first in _ALL or not _ALL.isdisjoint(objects[:4]))


def is_in_text(objects: list[str]) -> bool:
    """`all spaces`, `the last line`: parts of a text that flows by, and not files or rows."""
    near = [word.removesuffix("'s") for word in objects[:6]]
    found = [place for place, word in enumerate(near) if word.rpartition("-")[2] in _UNITS]
    if not _PARTLY.isdisjoint(near[1:4]):
        return True
    if not found or not _KEPT.isdisjoint(near[: found[0]]) or not _TABLES.isdisjoint(objects):
        return False
    return any(near[one] not in _ONE_OF or _is_placed(near, one) for one in found)


def _is_placed(near: list[str], place: int) -> bool:
    """`the first line`, `blank lines`, `the word "x"`: `a line` may also be one of a telephone."""
    before, after = near[max(0, place - 2) : place], near[place + 1 : place + 2]
    return not _PLACED.isdisjoint(before) or not _WITHIN.isdisjoint(after)


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
