"""Words that name what is made: `migration new drop_users`, `branch create orders drop-old`."""

from collections.abc import Sequence

from holdpoint.core.risk.lexicon import word_set


def is_name(words: Sequence[str], place: int) -> bool:
    """Whether a word names what the words before it make.

    A verb that is a word of its own is none, unless a generator of code gets it.
    """
    word, before = words[place], words[place - 1]
    if "migra" in before and ":" in before:
        return before.rpartition(":")[2] in _MAKES_FILES and word.isidentifier()
    if before == "add":
        return place > 1 and words[place - 2] in _MIGRATIONS
    if place > 1 and words[0] in _GENERATES:
        return True
    return not (word.isalpha() and word.islower()) and not _MAKES.isdisjoint(words[:place])


_MIGRATIONS = word_set("migration migrations")
_GENERATES = frozenset({"generate", "g"})
_MAKES_FILES = word_set("make create generate new add")
_MAKES = word_set("new create")
