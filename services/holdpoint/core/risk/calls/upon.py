"""Deeds whose name says too little, and an argument upon what: a drug, a disk, who is called."""

from collections.abc import Iterator

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.knowledge import words
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
_SIGNS = word_set("sign countersign esign cosign")
_BINDING = words("words/tools:upon.binding")
_DOCUMENTS = word_set("document doc file contract agreement envelope deed lease nda title")
_STOPS = word_set("shutdown poweroff halt")
_ASKS = word_set("check status test plan log report reminder history handler hook")
"""Beside these a stop is only asked about."""

_MACHINES = word_set("host hosts hostname server servers machine node nodes")
_TRIED = words("words/tools:upon.tried")
_SUMMONS = word_set("dispatch call summon request send")
_HELPERS = word_set("ambulance police firefighters paramedics swat")
_ISSUES = word_set("publish release")
_REGISTRIES = word_set("npm pypi crates rubygems nuget maven packagist dockerhub hex")
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

    yield from _by_thing(named, leaves)


def _by_thing(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """A contract that is signed, a server that is shut down, a package that everybody gets."""
    if not _SIGNS.isdisjoint(named) and _names(_DOCUMENTS, _BINDING, leaves):
        yield "binds somebody"
    if not _STOPS.isdisjoint(named) and _ASKS.isdisjoint(named) and any(map(_is_server, leaves)):
        yield "stops what others may be working on"
    if not _SUMMONS.isdisjoint(named) and not _HELPERS.isdisjoint(named):
        yield "calls those who come at once"
    if not _MOVES.isdisjoint(named) and any(map(_is_nowhere, leaves)):
        yield "loses it: nothing is kept where it goes"
    if not _SETS_OFF.isdisjoint(named) and any(map(_is_armed, leaves)):
        yield "cannot be called back"
    if not _ISSUES.isdisjoint(named) and _names(_REGISTRY, _REGISTRIES, leaves):
        yield "reaches everybody who uses it"
    yield from _in_earnest(named, leaves)


def _in_earnest(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """A filing that is final, a valve of a plant that runs."""
    if not _FILES_IN.isdisjoint(named) and not _FILINGS.isdisjoint(named) and _is_final(leaves):
        yield "is held to what it says"
    if not _VALVES.isdisjoint(named) and any(map(_is_live_plant, leaves)):
        yield "moves what flows in a plant that runs"


_REGISTRY = word_set("registry repository index target destination to")
_MOVES = word_set("move mv rename relocate")
_WHITHER = word_set("dst dest destination to target new path")
_NOWHERE = frozenset({"/dev/null", "nul", "/dev/zero", "\\\\.\\nul"})
_SETS_OFF = word_set("launch fire deploy arm")
UPON = _GIVES | _CUTS | _CALLS | _SKIPS | _SIGNS | _STOPS | _HELPERS | _ISSUES | {"force"}
_FILES_IN = word_set("submit file lodge")
_FILINGS = word_set("filing filings return returns tax declaration petition")
_VALVES = word_set("valve valves pump pumps breaker breakers sluice damper compressor turbine")
UPON |= _MOVES | _SETS_OFF | _FILES_IN | _VALVES


def _is_final(leaves: tuple[Leaf, ...]) -> bool:
    return any(leaf.value is True and words_of(leaf.key)[-1:] == ("final",) for leaf in leaves)


def _is_live_plant(leaf: Leaf) -> bool:
    """`plant: live`, `environment: production`."""
    if not isinstance(leaf.value, str) or _SITES.isdisjoint(words_of(leaf.key)):
        return False
    return leaf.value.strip().lower() in _LIVE


_SITES = word_set("plant site environment env mode system loop")
_LIVE = word_set("live production prod")


def _is_nowhere(leaf: Leaf) -> bool:
    """`{"dst": "/dev/null"}`."""
    if not isinstance(leaf.value, str) or _WHITHER.isdisjoint(words_of(leaf.key)):
        return False
    return leaf.value.strip().lower() in _NOWHERE


def _is_armed(leaf: Leaf) -> bool:
    """`armed: true`, `live_fire: true`."""
    return leaf.value is True and words_of(leaf.key) in _ARMED


_ARMED = (("armed",), ("weapon", "armed"), ("live", "fire"), ("warhead",), ("weapons", "free"))


def _rolls(named: frozenset[str], leaves: tuple[Leaf, ...]) -> bool:
    if not _ROLLS.isdisjoint(named):
        return True
    return any(leaf.value is True and not _ROLLS.isdisjoint(words_of(leaf.key)) for leaf in leaves)


def _names(keys: frozenset[str], things: frozenset[str], leaves: tuple[Leaf, ...]) -> bool:
    """Whether an argument of these says one of these things."""
    return any(
        isinstance(leaf.value, str)
        and not keys.isdisjoint(words_of(leaf.key))
        and not things.isdisjoint((*words_of(leaf.key), *words_of(leaf.value)))
        for leaf in leaves
    )


def _is_server(leaf: Leaf) -> bool:
    """Whether it names a machine, and not one to try things on."""
    if not isinstance(leaf.value, str) or _MACHINES.isdisjoint(words_of(leaf.key)):
        return False
    return _TRIED.isdisjoint(words_of(leaf.value))


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
