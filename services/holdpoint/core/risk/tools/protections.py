"""Protections that a call switches off, weakens or passes over."""

from collections.abc import Iterator
from typing import Any

from holdpoint.core.risk.extract.counts import number_in
from holdpoint.core.risk.extract.payload import Leaf, words_of
from holdpoint.core.risk.http.request import request_in
from holdpoint.core.risk.knowledge import ordered_words, phrases, words
from holdpoint.core.risk.words import word_set

MAX_SAID = 60
SHORTEST = 8
"""Characters of a password: NIST SP 800-63B allows no fewer."""

_GUARDS = words("words/tools:protections.guards")
_STRONG = _GUARDS - word_set("review reviews signature signatures logging monitoring sandbox")
_HELD = words("words/tools:protections.held")
_WHOLE = _STRONG - word_set("alarm alarms safety security protection detector signature limiter")
"""Protections that a tool's name may be about."""

_LIMITS = words("words/tools:protections.limits")
_CHANGES = words("words/tools:protections.changes")
_NAMES = ordered_words("words/tools:protections.names")
_STATES = words("words/tools:protections.states")
_OFF = frozenset(phrases("words/tools:protections.off"))
_YES = (True, 1, "true", "1", "yes", "on")
FLAGS = word_set("flag flags feature features toggle toggles killswitch experiment")


def unguarded(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Each, as a person would write it; `named`: the words of the tool's name."""
    changes = not _CHANGES.isdisjoint(named)
    passwords = changes and "password" in named and not _RULES.isdisjoint(named)
    guards = changes and _is_about_guards(named)
    moves = not _MOVES.isdisjoint(named)
    keeps = not (_KEEPERS.isdisjoint(named) or _SETTINGS.isdisjoint(named))
    walls = keeps or not (_WALLS.isdisjoint(named) or _SETTINGS.isdisjoint(named))
    for leaf in leaves:
        key = leaf.words
        off = _is_off(leaf.value)
        if why := _unguards(leaf, key, named, changes=changes):
            yield why
        elif passwords and _asks_less(frozenset(key), leaf.value):
            yield f"{leaf.key}: {str(leaf.value).lower()}"
        elif off and (
            (guards and (_STATES | {"is"}).issuperset(key))
            or (moves and not _KEEPS.isdisjoint(key))
            or (keeps and not _WATCHES.isdisjoint(key))
        ):
            yield f"{leaf.key}: off"
        elif walls and key[-1:] in _MODES_OF_WALLS and _says(leaf.value, _LETS_BY):
            yield f"{leaf.key}: {leaf.value}"
        elif keeps and not _SPARED.isdisjoint((*key, *named)) and _says(leaf.value, _EVERYWHERE):
            yield f"exclude {leaf.value}"


def _unguards(leaf: Leaf, key: tuple[str, ...], named: frozenset[str], *, changes: bool) -> str:
    """Return what a switch passes over or turns off; empty when nothing."""
    if leaf.value is False and key in _HOLD_WHEN_TRUE:
        return f"{leaf.key}: false"
    if not key or (_CLIENTS.issuperset(key) and request_in(leaf.siblings)):
        return ""
    if leaf.value in _YES and (_disables(key) or _disables(_named_beside(leaf, key))):
        return leaf.key
    if leaf.value is True or (isinstance(leaf.value, str) and leaf.value.lower() == "true"):
        return leaf.key if _passes_over(key, named, changes=changes) else ""
    return _switched_off(leaf, key, named) if changes else ""


_HOLD_WHEN_TRUE = (("disable", "api", "termination"), ("disable", "api", "stop"))
"""Switches whose name says the other way round that nobody can end it."""

_CLIENTS = words("words/tools:protections.clients")


def _disables(key: tuple[str, ...]) -> bool:
    """`DisableRealtimeMonitoring`, `disable_behavior_monitoring`."""
    if key[1:2] == key[-1:] or key[:1] not in _TAKES:
        return False
    return key[-1] in _WATCHES and not _WATCHED.isdisjoint(key[1:-1])


_TAKES = (("disable",), ("off",), ("exclude",), ("stop",), ("bypass",))
_WATCHED = words("words/tools:endpoints.watched")
_WATCHES = words("words/tools:endpoints.watches")


def _named_beside(leaf: Leaf, key: tuple[str, ...]) -> tuple[str, ...]:
    """The setting whose value it is: `{"name": "DisableAntiSpyware", "value": 1}`."""
    said = leaf.siblings.get("name") if key in (("value",), ("data",)) else None
    return words_of(said) if isinstance(said, str) and len(said) <= MAX_SAID else ()


def _passes_over(key: tuple[str, ...], named: frozenset[str], *, changes: bool) -> bool:
    """`bypass_interlock`, `admin_override`; `skip_checks` where something goes in or out."""
    first, last = key[0], key[-1]
    if first in _OVER and not (_STRONG | _LIMITS).isdisjoint(key[1:]):
        return True
    if first in _DEFEATS and not _SENSED.isdisjoint(key[1:]):
        return True
    if changes and first == "allow" and not _LOOSE.isdisjoint(key):
        return True
    if last in _OVERRULES and not _RULERS.isdisjoint(key):
        return True
    skips = first in _OVER | {"no"} and not _GATES.isdisjoint(key[1:])
    return (skips or last in _OVERRULES) and not named.isdisjoint(_GATED)


_OVER = word_set("override bypass disable ignore defeat skip suppress without evade circumvent")
_DEFEATS = word_set("override bypass defeat disable circumvent suppress")
_SENSED = word_set("check checks sensor sensors stop stops warning warnings")
"""What is looked at, by a machine or by people: to skip it may be ordinary, to defeat it is not."""

_LOOSE = word_set("force deletion deletions insecure unsafe unverified untrusted unsigned")
"""What is allowed by a protection that is none any more."""

_OVERRULES = word_set("override bypass")
_RULERS = word_set("admin administrator owner root sudo superuser emergency security policy")
_GATED = word_set("merge deploy release publish promote approve rollout push")
"""What others check before it is done."""

_GATES = words("words/tools:protections.gates")


def _switched_off(leaf: Leaf, key: tuple[str, ...], named: frozenset[str]) -> str:
    guards = not _GUARDS.isdisjoint(key)
    if leaf.value == 0 and leaf.value is not False:
        return f"{leaf.key}: 0" if guards and not _LEAST.isdisjoint(key) else ""
    if not _is_off(leaf.value):
        return ""
    if guards and _is_held(key, named):
        return f"{leaf.key}: {str(leaf.value).lower()}"
    above = leaf.path.split("/")[-2]
    if key[-1] in _STATES:
        said = (above, *(leaf.siblings.get(name) for name in _NAMES))
        texts = (one for one in said if isinstance(one, str) and len(one) <= MAX_SAID)
        beside = (one for one in texts if not _GUARDS.isdisjoint(words_of(one)))
        about = next(beside, "") or min(_WHOLE & named, default="")
    elif _ASKS_FOR.issuperset(key):
        about = above if not _STRONG.isdisjoint(words_of(above)) else _named(named)
    else:
        return ""
    return f"{about}: off" if about else ""


_LEAST = word_set("required min minimum require needed mandatory")
_ASKS_FOR = word_set("required require requires is needed mandatory enforce enforced enforcement")


def _is_off(value: Any) -> bool:
    return value is False or _says(value, _OFF)


def _says(value: Any, said: frozenset[str]) -> bool:
    return isinstance(value, str) and value[:MAX_SAID].strip().lower() in said


def _is_held(key: tuple[str, ...], named: frozenset[str]) -> bool:
    """Whether a key says that it is on or asked for, how it is, or no more than what it is."""
    if key[0] in _FACTORS or not _HELD.isdisjoint(key):
        return True
    alone = len(key) == 1 and not named.isdisjoint(_SETS)
    return alone or (key[-1] in _MODES and not _WHOLE.isdisjoint(key))


_FACTORS = word_set("mfa otp totp fa")
_SETS = word_set("set update configure toggle switch settings setting config policy")
_MODES = word_set("mode state status policy setting")


def _named(named: frozenset[str]) -> str:
    """The protection that the tool's name is about, where it is about nothing else."""
    about = named - _CHANGES - _HELD - _ASKS_FOR
    return min(about) if about and about <= _WHOLE else ""


def is_flag_off(leaf: Leaf, key: tuple[str, ...], named: frozenset[str]) -> bool:
    """Return whether it takes a feature from those who use it."""
    return bool(key) and key[-1] in _STATES and _is_off(leaf.value) and bool(FLAGS & named)


_RULES = word_set("policy policies rule rules requirements settings config")
_ASKED = word_set("complexity history lockout uppercase symbols digits special")
_TRIES = word_set("lockout attempts tries history")
_OF = words("words/tools:weaker_rules.of")
_MOVES = words("words/tools:weaker_rules.moves")
_KEEPS = word_set("geofence geofencing collision obstacle avoidance airbag abs brakes safety rth")


def _is_about_guards(named: frozenset[str]) -> bool:
    """`set_branch_protection`, `conditional_access_update`."""
    protects = "protection" in named and not _OF.isdisjoint(named)
    return protects or named >= {"security", "defaults"} or named >= {"conditional", "access"}


def _asks_less(key: frozenset[str], value: Any) -> bool:
    if value is False:
        return not _ASKED.isdisjoint(key)
    if "length" in key and "max" not in key:
        length = number_in(value)
        return length is not None and length < SHORTEST
    return value == 0 and not _TRIES.isdisjoint(key)


_KEEPERS = words("words/tools:endpoints.keepers")
_SETTINGS = words("words/tools:endpoints.changes")
_SPARED = word_set(
    "exclusion exclusions exclude excluded allowlist whitelist ignore excludepath exclusionpath"
)
_EVERYWHERE = words("words/tools:endpoints.everywhere")
_WALLS = word_set("waf ips ids dlp")
_MODES_OF_WALLS = (("mode",), ("action",), ("enforcement",))
_LETS_BY = words("words/tools:endpoints.lets_by")
