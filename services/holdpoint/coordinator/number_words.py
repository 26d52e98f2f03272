"""Numbers as words of several languages."""

from functools import cache

from num2words import num2words

from holdpoint.coordinator.plain_text import plain

LANGUAGES = ("en", "de", "es", "fr")
HUNDREDS = range(1100, 10_000, 100)
NO_NUMBERS = frozenset({"once"})
"""Words of one language that mean something else in another: eleven in Spanish."""


@cache
def numbers() -> dict[str, int]:
    """Return numbers by their words in every language, read once."""
    found: dict[str, int] = {}
    for language in LANGUAGES:
        for value in (*range(1, 1001), *HUNDREDS):
            words = plain(num2words(value, lang=language)).replace("-", " ").replace(",", "")
            found.setdefault(words, value)
            found.setdefault(words.replace(" and ", " "), value)
    return found


@cache
def single_number_words() -> frozenset[str]:
    """Return the words that are a number above one by themselves."""
    found = {it for it, value in numbers().items() if " " not in it and value > 1}
    return frozenset(found - NO_NUMBERS)
