"""Lists of English words that sentences are read with."""

from functools import lru_cache


@lru_cache(maxsize=2048)
def word_set(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


PASSIVE = word_set("be being get getting")
"""What makes a past participle an announcement: `will be deleted`."""

ARTICLES = word_set("the a an this your my our their its his her")
"""Before a verb's base form they make it a noun: `your transfer`."""

WIDE = word_set("all every each everything everyone these those them multiple")
"""What names more than one thing without a number."""

MEASURES = word_set(
    "% percent second seconds minute minutes min mins hour hours day days week weeks month months "
    "year years ms gb mb kb tb gib mib kib byte bytes px am pm degrees times th st nd rd star "
    "stars point points km miles meters"
)
"""What a number measures rather than counts."""

SKIPPED = word_set("of the these those my your our their all other different more individual")
"""What may stand between a number and its noun."""

ADJECTIVES = word_set(
    "old stale inactive unused expired duplicate temporary remaining selected obsolete outdated "
    "orphaned archived new active existing matching unverified"
)
"""What says which things, not what things."""

STOPS = word_set(
    "a about across after again also an and are as at because before but by can could during for "
    "from has have if in inside into is it now of on once or over permanently please should since "
    "so than that then there they this through to under until via was we were when where which "
    "while will with within without would you"
)
"""What ends a noun phrase."""
