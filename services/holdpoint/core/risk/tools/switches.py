"""Options of a call that take something away or hurry it past its checks."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from holdpoint.core.risk.extract.counts import number_in
from holdpoint.core.risk.extract.payload import Leaf, key_above, words_of
from holdpoint.core.risk.knowledge import by_word, words
from holdpoint.core.risk.tools.hazards import is_live
from holdpoint.core.risk.tools.protections import FLAGS, is_flag_off
from holdpoint.core.risk.words import LIVE, PLAIN_REMOVALS, word_set

MAX_SAID = 60
_ROLLS = words("words/tools:rollouts.rolls")
_SKIPS = word_set("skip no bypass ignore without disable force omit")
_CHECKS = words("words/tools:rollouts.checks")
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
    live = not named.isdisjoint(LIVE) or any(map(is_live, leaves))
    for leaf in leaves:
        words = leaf.words
        if rolls and (
            (live and _skips(leaf, words))
            or (leaf.value is True and words in _AUTO and "apply" in named)
        ):
            yield leaf.key
        elif live and is_flag_off(leaf, words, named):
            yield f"{leaf.key}: off"


_NEW = word_set("create clone")
"""A feature that is new is used by nobody yet."""

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


SWITCHES_MAX_SAID = 24
"""Characters of a value that may name a manner."""

DAY = 86_400
"""Seconds: what is kept no longer than this is as good as not kept."""


def turned(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Each, as a person would write it; `named`: the words of the tool's name."""
    for leaf in leaves:
        value, words = leaf.value, leaf.words
        if isinstance(value, bool):
            yield from _flagged(leaf, words, named)
        elif isinstance(value, str):
            yield from (*_told(leaf, words, named), *_option(leaf))
        elif value is not None:
            yield from _numbered(leaf, words, named)


def _option(leaf: Leaf) -> Iterator[str]:
    """An option of an unknown program that takes something away: `args: ["--purge-all"]`."""
    text = leaf.value
    if not text.startswith("--") or leaf.words[-1:] == () or leaf.words[-1] not in _OPTIONS:
        return
    option = words_of(text[: SWITCHES_MAX_SAID * 2].partition("=")[0].partition(" ")[0])
    if option[:1] and option[0] in _TAKES and _WHOLE.issuperset(option[1:2]):
        yield text


_OPTIONS = word_set("args argv arguments flags flag options option opts params")
_WHOLE = word_set("all everything data existing force database volumes now")


def _flagged(leaf: Leaf, words: tuple[str, ...], named: frozenset[str]) -> Iterator[str]:
    said = set(words)
    if not leaf.value:
        if _KEEPS & said and _KEPT & said:
            yield f"{leaf.key}: false"
        return
    forces = (_FORCED & said and _PUSHES & named) or (words[:1] == _OVER and _LOADS & named)
    for_good = words in _FOR_GOOD and _ASIDE & named
    if forces or for_good or _takes_away(words, leaf):
        yield leaf.key


def ordered_of_a_read(leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Yield what even a tool that only looks things up is not told: `purge: true`."""
    for leaf in leaves:
        if leaf.value is True and leaf.words in _NEVER_READ and not _is_list(leaf):
            yield leaf.key


_NEVER_READ = frozenset(
    {("purge",), ("wipe",), ("erase",), ("hard", "delete"), ("delete", "after", "read")}
)


def _takes_away(words: tuple[str, ...], leaf: Leaf) -> bool:
    words = words[1:] if words[:1] in _ASKING else words
    if words == ("destroy",) and _is_planned(leaf.siblings):
        return False
    if words in _WHOLLY:
        return True
    if len(words) == 1:
        return words[0] in _ALONE and not _is_list(leaf)
    if not words or words[1] in {"after", "on", "when", "if"}:
        return False
    cleared = words[0] in _CLEARS and not _THERE.isdisjoint(words)
    return (
        words[0] in _TAKES
        or cleared
        or (words[0] in _SWITCHES_SKIPS and not _SAVED.isdisjoint(words))
    )


def _is_planned(beside: Mapping[str, Any]) -> bool:
    """`{"command": "plan", "destroy": true}`: it is only told what would go."""
    return any(beside.get(key) == "plan" for key in ("command", "subcommand", "action"))


def _is_list(leaf: Leaf) -> bool:
    """Return whether it stands among rights, where `delete` is one that somebody has."""
    return not _RIGHTS.isdisjoint(leaf.siblings)


_ASKING = (("is",), ("do",), ("run",), ("should",), ("will",))
"""What may stand before a flag: `is_destroy`."""

_ALONE = words("words/tools:switches.alone")
_WHOLLY = frozenset({
    ("disburse", "now"), ("disburse", "funds"), ("disburse", "all"), ("host", "pid"),
    ("host", "network"), ("host", "ipc"),
})  # fmt: skip
"""Flags that pay at once, or let a container out into its machine."""

_RIGHTS = word_set("read write create update view edit insert select get list")
_TAKES = word_set("delete purge destroy wipe erase truncate")
_CLEARS = word_set("remove drop discard clear")
_THERE = word_set("existing all previous")
_SWITCHES_SKIPS = word_set("skip no without bypass ignore override")
_SAVED = word_set("trash snapshot backup backups safety approval approvals")
_KEEPS = word_set("protection protected")
_KEPT = word_set("deletion delete termination branch destroy")
_OVER = ("overwrite",)
_FORCED = word_set("force forced")
_PUSHES = word_set("push unlock detach failover merge release")
_FOR_GOOD = (("permanently",), ("permanent",), ("irreversible",), ("irreversibly",), ("forever",))
_ASIDE = words("words/tools:switches.aside")

_LOADS = word_set(
    "restore sync synchronize synchronise import migrate load ingest mirror replicate"
)


def _told(leaf: Leaf, words: tuple[str, ...], named: frozenset[str]) -> Iterator[str]:
    said = leaf.value[:SWITCHES_MAX_SAID].strip().lower()
    if said in _NO_TIME and _leaves_none(leaf, words, named):
        yield f"{leaf.key}: 0"
    elif _is_unlimited(leaf.value) or (said in _NO_END and _ALLOWS & named):
        yield "no limit at all"
    elif (said in _BACKWARDS and _MIGRATES & named) or (said in _REPLACES and named & _LOADS):
        yield f"{leaf.key}: {said}"
    elif said[:1] == "+" and words[:1] in {("refspec",), ("refspecs",)}:
        yield f"push {said}"
    elif words and words[-1] in _LASTS:
        yield from _soon_gone(leaf, words, named)


def _numbered(leaf: Leaf, words: tuple[str, ...], named: frozenset[str]) -> Iterator[str]:
    if leaf.value == 0 and _leaves_none(leaf, words, named):
        yield f"{leaf.key}: 0"
    elif len(words) == 1 and words[0] in PLAIN_REMOVALS and _counts(leaf.value):
        yield f"{leaf.key}: {leaf.value}"
    if words and words[-1] in _LASTS:
        yield from _soon_gone(leaf, words, named)


def _counts(value: object) -> bool:
    """Return whether it is how many things a plan takes away: `{"add": 1, "destroy": 12}`."""
    return isinstance(value, int) and value > 0


def _leaves_none(leaf: Leaf, words: tuple[str, ...], named: frozenset[str]) -> bool:
    if words in _SCALED and "scale" in named and named.isdisjoint(_DRAWN):
        return True
    return leaf.key.lower() in _COPIES or words[:1] in _LEFT or words[:2] == ("older", "than")


def _soon_gone(leaf: Leaf, words: tuple[str, ...], named: frozenset[str]) -> Iterator[str]:
    """A lifecycle or a retention of a day or less."""
    above = words_of(key_above(leaf.path))
    near = {*words, *above, *named}
    if near.isdisjoint(_LIFE) or near.isdisjoint(_STORED):
        return
    lasts = number_in(leaf.value)
    if lasts is not None and lasts * _LASTS[words[-1]] <= DAY:
        yield f"{leaf.key}: {lasts:f}"


_LIFE = word_set("retention retain lifecycle expiration expire expires expiry ttl")
_STORED = words("words/tools:switches.stored")

_LASTS: MappingProxyType[str, Decimal] = MappingProxyType(
    {word: Decimal(seconds) for word, seconds in by_word("units:span").items()}
)
"""Seconds in the unit that a key ends with."""

_MIGRATES = word_set("migrate migrates migration migrations alembic flyway liquibase")
_BACKWARDS = word_set("down base zero reset rollback fresh refresh clean 0")
_REPLACES = word_set(
    "overwrite replace replace_all truncate write_truncate wipe full_replace mirror drop_existing"
)
_NO_END = word_set("unlimited infinite max maxuint256 max_uint256 uint256_max uint256.max")
_ALLOWS = word_set("approve allowance permit setapproval")
_LEFT = (("keep",), ("retention",), ("retain",))
_SCALED = tuple((one,) for one in ("to", "count", "size", "instances", "nodes", "pods", "capacity"))
_DRAWN = word_set("image picture video chart axis font logo")
_NO_TIME = frozenset({"0", "0d", "0h", "0s"})
_COPIES = word_set("replicas desired_count desiredcount desired_capacity desiredcapacity")


def _is_unlimited(text: str) -> bool:
    """The largest number that a contract knows."""
    return len(text) in {66, 77, 78} and (text[:8] == "0x" + "f" * 6 or text[:5] == "11579")
