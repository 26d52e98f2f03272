"""Deeds whose name says too little, and an argument upon what: a drug, a disk, who is called."""

from collections.abc import Iterator

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.lexicon import word_set

_GIVES = word_set("dispense administer inject infuse")
_DRUGS = word_set("drug drugs medication medicine medicines dose substance insulin opioid")
_CUTS = word_set("partition repartition")
_DISKS = word_set("disk device drive")
_CALLS = word_set("call phone dial telephone")
_NO_CALLS = word_set("api function tool method procedure log list")
_NUMBERS = word_set("number phone to telephone tel callee")
_EMERGENCY = frozenset({"911", "112", "999", "000", "110", "119", "995", "997", "998"})
_SKIPS = word_set("skip bypass ignore without no")
_CHECKS = word_set("test tests check checks review reviews ci approval approvals")
_ROLLS = word_set("deploy release publish merge push ship promote")
_FORCED = word_set("force merge")
_INDEX = word_set("index indices segments elasticsearch opensearch lucene shard")


def done_upon(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Why it is hard to undo; `named`: the words of the tool's name."""
    if UPON.isdisjoint(named):
        return
    if named >= _FORCED and _INDEX.isdisjoint(named) and not _has(_INDEX, leaves):
        yield "takes in what nobody agreed to"
    if not (_SKIPS.isdisjoint(named) or _CHECKS.isdisjoint(named)) and _rolls(named, leaves):
        yield "lets out what nobody has looked at"
    if not _GIVES.isdisjoint(named) and _has(_DRUGS, leaves):
        yield "is something that somebody will take"
    if not _CUTS.isdisjoint(named) and (_DISKS & named or _has(_DISKS, leaves)):
        yield "loses what is there now"
    if not _CALLS.isdisjoint(named) and _NO_CALLS.isdisjoint(named) and any(map(_helps, leaves)):
        yield "calls those who come at once"


UPON = _GIVES | _CUTS | _CALLS | _SKIPS | {"force"}


def _rolls(named: frozenset[str], leaves: tuple[Leaf, ...]) -> bool:
    if not _ROLLS.isdisjoint(named):
        return True
    return any(leaf.value is True and not _ROLLS.isdisjoint(words_of(leaf.key)) for leaf in leaves)


def _has(things: frozenset[str], leaves: tuple[Leaf, ...]) -> bool:
    return any(
        isinstance(leaf.value, str) and not things.isdisjoint(words_of(leaf.key)) for leaf in leaves
    )


def _helps(leaf: Leaf) -> bool:
    """Whether it is the number of an emergency service, with a country's code or without one."""
    if not isinstance(leaf.value, str | int) or _NUMBERS.isdisjoint(words_of(leaf.key)):
        return False
    digits = [part for part in str(leaf.value).replace("-", " ").split() if part.strip("+")]
    return digits[-1:] != [] and digits[-1] in _EMERGENCY and len(digits) <= 2  # noqa: PLR2004  # `+1 911`
