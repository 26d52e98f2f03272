"""Edits of a program's text: statements, imports and loops, and what it holds in memory.

```
"removing the console.log statements"  "deleting the unused imports"     words of a program
"terminating the loop when i equals 10"                                  how it runs
"dropping the null rows from the dataframe"                              what it holds in memory
"removing the bank statements"  "deleting the imports bucket"            what is kept
```
"""

from itertools import pairwise

from holdpoint.core.risk.dialogue.verbs import SPOKEN
from holdpoint.core.risk.words import STOPS, word_set

_WORDS = word_set(
    "import imports semicolon semicolons docstring docstrings decorator decorators loop loops "
    "boilerplate todo todos argument arguments assertion assertions typo typos indentation "
    "linebreak comment comments parenthesis brace braces"
)
"""What a program is made of; one of them ends what is named."""

_PARTS = word_set(
    "statement statements call calls line lines branch branches clause block blocks code variable "
    "variables constant constants hint hints annotation annotations"
)
_OF_CODE = word_set(
    "print debug console console.log log logging import if else elif switch try catch except "
    "return break assert dead unused unreachable local inline temporary type goto case"
)
"""Beside one of these it is a part of a program: `print statements`, `dead code`."""

_KEPT = word_set(
    "bank account customer customers data database bucket table tables user users file files "
    "environment production prod audit server servers access backup git feature release"
)
_HELD = word_set("array dataframe tuple dict in-memory")
_STORES = word_set("database databases db store cache redis table tables bucket disk")


def is_source(objects: list[str]) -> bool:
    """Whether what is taken away are words of a program, or values that it holds in memory.

    All of it: `the print statements and the customers table` is not.
    """
    at = next((at for at, word in enumerate(objects) if word in _AND), len(objects))
    rest = objects[at + 1 :]
    return _is_source(objects[:at]) and (not rest or rest[0] in SPOKEN or is_source(rest))


_AND = word_set("and & plus")


def _is_source(objects: list[str]) -> bool:
    named = _named(objects)
    if not named or not _KEPT.isdisjoint(named):
        return False
    if named[-1] in _WORDS:
        return True
    if named[-1] in _PARTS and not _OF_CODE.isdisjoint(named[:-1]):
        return True
    return _is_held(objects)


def _named(objects: list[str]) -> list[str]:
    """The words before the first that ends a name: of `the loop when i is 10` it is the loop."""
    found: list[str] = []
    for word in objects[:_NEAR]:
        if word in STOPS and word not in _NO_STOPS:
            break
        found.append(word)
    return found


_NO_STOPS = word_set("the a an this that if")
_NEAR = 6


def _is_held(objects: list[str]) -> bool:
    if not _STORES.isdisjoint(objects):
        return False
    return not _HELD.isdisjoint(objects) or ("in", "memory") in pairwise(objects)
