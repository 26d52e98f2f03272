"""Changes to production that skip what should be looked at first, or take a feature away."""

from collections.abc import Iterator

from holdpoint.core.risk.calls.guards import FLAGS, is_flag_off
from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set

MAX_SAID = 60

_LIVE = word_set("prod production live prd")
_WHERE = words("words/tools:live.where")
_ROLLS = words("words/tools:live.rolls")
_SKIPS = word_set("skip no bypass ignore without disable force omit")
_CHECKS = words("words/tools:live.checks")
_ASKED = word_set("confirm approval approvals review checks tests canary validate verify wait")
_AUTO = frozenset({("auto", "approve"), ("auto", "confirm"), ("auto", "approved"),
                   ("autoapprove",), ("auto", "apply"), ("autoapply",), ("auto", "merge"),
                   ("no", "confirm"), ("yes",)})  # fmt: skip


def hurried(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Each switch by which production changes unseen; `named`: the words of the tool's name."""
    rolls = not _ROLLS.isdisjoint(named)
    flags = not named.isdisjoint(FLAGS) and _NEW.isdisjoint(named)
    if not (rolls or flags):
        return
    live = not named.isdisjoint(_LIVE) or any(map(_is_live, leaves))
    for leaf in leaves:
        words = words_of(leaf.key)
        if rolls and (
            (live and _skips(leaf, words))
            or (leaf.value is True and words in _AUTO and "apply" in named)
        ):
            yield leaf.key
        elif live and is_flag_off(leaf, words, named):
            yield f"{leaf.key}: off"


def _is_live(leaf: Leaf) -> bool:
    value = leaf.value
    if not isinstance(value, str) or len(value) > MAX_SAID or _WHERE.isdisjoint(words_of(leaf.key)):
        return False
    words = words_of(value)
    return not _LIVE.isdisjoint(words) and _BEFORE.isdisjoint(words)


_NEW = word_set("create clone")
"""A feature that is new is used by nobody yet."""

_BEFORE = word_set("pre non not preprod staging test")


_STAGED = word_set("staged phased gradual progressive")
_MANNERS = (("rollout",), ("strategy",), ("release",))
_AT_ONCE = word_set("immediate immediately all_at_once allatonce big_bang bigbang")
"""How it reaches everybody before anybody sees whether it works."""

_NEVER = word_set("never none off false")
_YES = (True, "true", "yes", "on")


def _skips(leaf: Leaf, words: tuple[str, ...]) -> bool:
    if leaf.value is False or (isinstance(leaf.value, str) and leaf.value.lower() in _NEVER):
        return not (_ASKED | _STAGED).isdisjoint(words)
    if words[-1:] in _MANNERS and isinstance(leaf.value, str):
        return leaf.value.lower().replace("-", "_") in _AT_ONCE
    said = leaf.value.lower() if isinstance(leaf.value, str) else leaf.value
    if said not in _YES or not words:
        return False
    skips = words[0] in _SKIPS and not _CHECKS.isdisjoint(words[1:])
    return words in _AUTO or skips or words == ("force",)
