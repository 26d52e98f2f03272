"""Rules that are made weaker: how long a password is, who may come in, where a machine may go."""

from collections.abc import Iterator
from typing import Any

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.calls.many import number_in
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set

SHORTEST = 8
"""Characters of a password: NIST SP 800-63B allows no fewer."""

_CHANGES = word_set("set update configure change edit modify put patch apply enforce")
_RULES = word_set("policy policies rule rules requirements settings config")
_ASKED = word_set("complexity history lockout uppercase symbols digits special")
_TRIES = word_set("lockout attempts tries history")

_OF = words("words/tools:weakened.of")

_STATES = word_set("is enabled state status on active enforced mode enforcement")
_OFF = frozenset({"false", "off", "disabled", "disable", "none", "inactive"})

_MOVES = words("words/tools:weakened.moves")
_KEEPS = word_set("geofence geofencing collision obstacle avoidance airbag abs brakes safety rth")


def weakened(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Each, as a person would write it; `named`: the words of the tool's name."""
    changes = not _CHANGES.isdisjoint(named)
    passwords = changes and "password" in named and not _RULES.isdisjoint(named)
    guards = changes and _guards(named)
    moves = not _MOVES.isdisjoint(named)
    if not (passwords or guards or moves):
        return
    for leaf in leaves:
        words = frozenset(words_of(leaf.key))
        if passwords and _asks_less(words, leaf.value):
            yield f"{leaf.key}: {str(leaf.value).lower()}"
        elif _is_off(leaf.value) and ((guards and words <= _STATES) or (moves and words & _KEEPS)):
            yield f"{leaf.key}: off"


def _guards(named: frozenset[str]) -> bool:
    """`set_branch_protection`, `conditional_access_update`."""
    protects = "protection" in named and not _OF.isdisjoint(named)
    defaults = named >= {"security", "defaults"}
    return protects or defaults or named >= {"conditional", "access"}


def _asks_less(words: frozenset[str], value: Any) -> bool:
    if value is False:
        return not _ASKED.isdisjoint(words)
    if "length" in words and "max" not in words:
        length = number_in(value)
        return length is not None and length < SHORTEST
    return value == 0 and not _TRIES.isdisjoint(words)


def _is_off(value: Any) -> bool:
    return value is False or (isinstance(value, str) and value.lower() in _OFF)
