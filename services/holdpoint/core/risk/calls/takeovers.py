"""Ways in that a call makes for somebody: a password that is set, a key that is added."""

from collections.abc import Iterator

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set

WAYS_IN = words("words/tools:takeovers.ways_in")
"""Words of a tool's name without one of which nobody is given a way in."""

_SHELLS = word_set("ssh authorized")
_KEYS = word_set("key keys")
_ADDS = word_set("add append put set import upload install register insert")
_CHANGES = words("words/tools:takeovers.changes")
_MAKES = word_set("create register signup add invite verify check validate login signin")
_PASSWORDS = word_set("password passwd passcode pwd")
_OLD = word_set("old current existing previous hint policy reset")
_WHOSE = words("words/tools:takeovers.whose")
_OWN = word_set("me self myself @me")


def taken_over(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """What the call does; `named`: the words of the tool's name. A link by mail sets none."""
    if not _SHELLS.isdisjoint(named) and not _KEYS.isdisjoint(named) and _ADDS & named:
        yield "lets whoever holds a key come in"
    if not _OWNERS.isdisjoint(named) and not _HANDS.isdisjoint(named):
        yield from ("makes it somebody else's" for leaf in leaves[:1] if _has_new(named, leaves))
    if not _SECRETS.isdisjoint(named) and not _ROTATES.isdisjoint(named):
        yield from ("locks out whatever uses them" for leaf in leaves if _is_of_all(leaf))
    if _CHANGES.isdisjoint(named) or not _MAKES.isdisjoint(named):
        return
    if any(map(_is_set, leaves)) and any(map(_is_somebody, leaves)):
        yield "sets somebody's password"


def _is_set(leaf: Leaf) -> bool:
    words = words_of(leaf.key)
    named = words[-1:] != () and words[-1] in _PASSWORDS and words[0] not in _OLD
    named = named or words == ("new",)
    return named and isinstance(leaf.value, str) and bool(leaf.value)


def _is_somebody(leaf: Leaf) -> bool:
    if isinstance(leaf.value, bool) or not isinstance(leaf.value, str | int) or not leaf.value:
        return False
    return not _WHOSE.isdisjoint(words_of(leaf.key)) and str(leaf.value).lower() not in _OWN


_OWNERS = word_set("owner ownership")
_HANDS = word_set("change transfer set reassign move give replace update")
_NEW = word_set("new to target recipient owner next successor")
_WORK = words("words/tools:takeovers.work")


def _has_new(named: frozenset[str], leaves: tuple[Leaf, ...]) -> bool:
    """Whether it names who owns it from now on, and what is no piece of work."""
    if not _WORK.isdisjoint(named):
        return False
    keys = {word for leaf in leaves for word in words_of(leaf.key)}
    whom = any(
        isinstance(leaf.value, str) and leaf.value and not _NEW.isdisjoint(words_of(leaf.key))
        for leaf in leaves
    )
    return whom and _WORK.isdisjoint(keys)


_SECRETS = word_set("keys secrets credentials tokens")
_ROTATES = word_set("rotate regenerate roll reset reissue")
_SCOPES = word_set("scope level target which range for")
_WHOLE = word_set("org organization organisation global company tenant all account everything root")


def _is_of_all(leaf: Leaf) -> bool:
    said = isinstance(leaf.value, str) and leaf.value.strip().lower() in _WHOLE
    return said and not _SCOPES.isdisjoint(words_of(leaf.key))
