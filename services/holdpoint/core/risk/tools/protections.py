"""Protections that a call switches off, weakens or bypasses."""

from collections.abc import Iterator
from typing import Any

from holdpoint.core.risk.extract.counts import number_in
from holdpoint.core.risk.extract.payload import Leaf, words_of
from holdpoint.core.risk.http.request import request_in
from holdpoint.core.risk.knowledge import ordered_words, phrases, words
from holdpoint.core.risk.lexicon import word_set

MAX_SAID = 60

_GUARDS = words("words/tools:protections.guards")
_STRONG = _GUARDS - word_set("review reviews signature signatures logging monitoring sandbox")
_HELD = words("words/tools:protections.held")
_OVER = word_set("override bypass disable ignore defeat skip suppress without evade circumvent")
_WHOLE = _STRONG - word_set("alarm alarms safety security protection detector signature limiter")
"""Protections that a tool's name may be about."""

_LOOSE = word_set("force deletion deletions insecure unsafe unverified untrusted unsigned")
"""What is allowed by a protection that is none any more."""

_DEFEATS = word_set("override bypass defeat disable circumvent suppress")
_SENSED = word_set("check checks sensor sensors stop stops warning warnings")
"""What is looked at, by a machine or by people: to skip it may be ordinary, to defeat it is not."""

_LIMITS = words("words/tools:protections.limits")

_CHANGES = words("words/tools:protections.changes")
_NAMES = ordered_words("words/tools:protections.names")  # fmt: skip

_LEAST = word_set("required min minimum require needed mandatory")
_STATES = words("words/tools:protections.states")
_OFF = frozenset(phrases("words/tools:protections.off"))  # fmt: skip
FLAGS = word_set("flag flags feature features toggle toggles killswitch experiment")


def unguards(leaf: Leaf, words: tuple[str, ...], named: frozenset[str]) -> str:
    """What it switches off or passes over, as a person would write it; empty when nothing.

    `words` are those of its key, `named` those of the tool's name.
    """
    if leaf.value is False and words in _HOLD_WHEN_TRUE:
        return f"{leaf.key}: false"
    if not words or (_CLIENTS.issuperset(words) and request_in(leaf.siblings)):
        return ""
    changes = not _CHANGES.isdisjoint(named)
    if leaf.value is True or (isinstance(leaf.value, str) and leaf.value.lower() == "true"):
        passed = _passes_over(words, changes=changes) or _overrules(words, named)
        return leaf.key if passed else ""
    return _switched_off(leaf, words, named) if changes else ""


_HOLD_WHEN_TRUE = (("disable", "api", "termination"), ("disable", "api", "stop"))
"""Switches whose name says the other way round that nobody can end it."""

_CLIENTS = words("words/tools:protections.clients")


def _passes_over(words: tuple[str, ...], *, changes: bool) -> bool:
    """`bypass_interlock`; `allow_force_pushes` where something is changed."""
    over = words[0] in _OVER and not (_STRONG | _LIMITS).isdisjoint(words[1:])
    over = over or (words[0] in _DEFEATS and not _SENSED.isdisjoint(words[1:]))
    return over or (changes and words[0] == "allow" and not _LOOSE.isdisjoint(words))


def _overrules(words: tuple[str, ...], named: frozenset[str]) -> bool:
    """`admin_override`, whatever is done; `skip_checks` where something goes in or out."""
    at_end = words[-1] in _OVERRULES
    if at_end and not _RULERS.isdisjoint(words):
        return True
    if named.isdisjoint(_GATED):
        return False
    return at_end or (words[0] in _PASSES and not _GATES.isdisjoint(words[1:]))


_OVERRULES = word_set("override bypass")
_PASSES = _OVER | {"no"}
_RULERS = word_set("admin administrator owner root sudo superuser emergency security policy")
_GATED = word_set("merge deploy release publish promote approve rollout push")
"""What others check before it is done."""

_GATES = words("words/tools:protections.gates")


def _switched_off(leaf: Leaf, words: tuple[str, ...], named: frozenset[str]) -> str:
    guards = not _GUARDS.isdisjoint(words)
    if leaf.value == 0 and leaf.value is not False:
        return f"{leaf.key}: 0" if guards and not _LEAST.isdisjoint(words) else ""
    if not _is_off(leaf.value):
        return ""
    if guards and (_is_held(words, named) or _is_mode(words)):
        return f"{leaf.key}: {str(leaf.value).lower()}"
    if words[-1] in _STATES:
        about = _about(leaf, named)
    else:
        about = (_around(leaf) or _named(named)) if _ASKS_FOR.issuperset(words) else ""
    return f"{about}: off" if about else ""


def _is_off(value: Any) -> bool:
    return value is False or (isinstance(value, str) and value[:MAX_SAID].lower() in _OFF)


def _is_mode(words: tuple[str, ...]) -> bool:
    """`mfa_mode`, `firewall_state`."""
    return words[-1] in _MODES and not _WHOLE.isdisjoint(words)


_MODES = word_set("mode state status policy setting")


def _is_held(words: tuple[str, ...], named: frozenset[str]) -> bool:
    """Whether the key says that it is on or asked for, or no more than what it is."""
    return (
        words[0] in _FACTORS
        or not _HELD.isdisjoint(words)
        or (len(words) == 1 and not named.isdisjoint(_SETS))
    )


_FACTORS = word_set("mfa otp totp fa")
_SETS = word_set("set update configure toggle switch settings setting config policy")


def _about(leaf: Leaf, named: frozenset[str]) -> str:
    """The protection that is named beside a state or around it, or by the tool."""
    siblings = leaf.siblings
    said = [leaf.path.split("/")[-2], *[siblings[name] for name in _NAMES if name in siblings]]
    texts = (one for one in said if isinstance(one, str) and len(one) <= MAX_SAID)
    beside = (one for one in texts if not _GUARDS.isdisjoint(words_of(one)))
    return next(beside, "") or next(iter(sorted(_WHOLE & named)), "")


def _around(leaf: Leaf) -> str:
    """The protection whose object it stands in: `mfa` of `{"mfa": {"required": false}}`."""
    above = leaf.path.split("/")[-2]
    return above if not _STRONG.isdisjoint(words_of(above)) else ""


def _named(named: frozenset[str]) -> str:
    """The protection that the tool's name is about, where it is about nothing else."""
    about = named - _CHANGES - _HELD - _ASKS_FOR
    return min(about) if about and about <= _WHOLE else ""


_ASKS_FOR = word_set("required require requires is needed mandatory enforce enforced enforcement")


def is_flag_off(leaf: Leaf, words: tuple[str, ...], named: frozenset[str]) -> bool:
    """Whether it takes a feature from those who use it."""
    return bool(words) and words[-1] in _STATES and _is_off(leaf.value) and bool(FLAGS & named)


SHORTEST = 8
"""Characters of a password: NIST SP 800-63B allows no fewer."""

_WEAKENED_CHANGES = word_set("set update configure change edit modify put patch apply enforce")
_RULES = word_set("policy policies rule rules requirements settings config")
_ASKED = word_set("complexity history lockout uppercase symbols digits special")
_TRIES = word_set("lockout attempts tries history")

_OF = words("words/tools:weaker_rules.of")

_WEAKENED_STATES = word_set("is enabled state status on active enforced mode enforcement")
_WEAKENED_OFF = frozenset({"false", "off", "disabled", "disable", "none", "inactive"})

_MOVES = words("words/tools:weaker_rules.moves")
_KEEPS = word_set("geofence geofencing collision obstacle avoidance airbag abs brakes safety rth")


def weakened(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Each, as a person would write it; `named`: the words of the tool's name."""
    changes = not _WEAKENED_CHANGES.isdisjoint(named)
    passwords = changes and "password" in named and not _RULES.isdisjoint(named)
    guards = changes and _guards(named)
    moves = not _MOVES.isdisjoint(named)
    if not (passwords or guards or moves):
        return
    for leaf in leaves:
        words = frozenset(leaf.words)
        if passwords and _asks_less(words, leaf.value):
            yield f"{leaf.key}: {str(leaf.value).lower()}"
        elif _is_switched_off(leaf.value) and (
            (guards and words <= _WEAKENED_STATES) or (moves and words & _KEEPS)
        ):
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


def _is_switched_off(value: Any) -> bool:
    return value is False or (isinstance(value, str) and value.lower() in _WEAKENED_OFF)


ENDPOINTS_MAX_SAID = 40

_KEEPERS = words("words/tools:endpoints.keepers")

_ENDPOINTS_CHANGES = words("words/tools:endpoints.changes")
_WATCHED = words("words/tools:endpoints.watched")
_WATCHES = words("words/tools:endpoints.watches")
_TAKES = word_set("disable off exclude stop bypass")
_SPARED = word_set(
    "exclusion exclusions exclude excluded allowlist whitelist ignore excludepath exclusionpath"
)
_EVERYWHERE = words("words/tools:endpoints.everywhere")

_ENDPOINTS_OFF = frozenset(
    {"false", "off", "disabled", "disable", "none", "no", "inactive", "audit"}
)
_YES = (True, 1, "true", "1", "yes", "on")


def blinded(named: frozenset[str], leaves: tuple[Leaf, ...]) -> Iterator[str]:
    """Each, as a person would write it; `named`: the words of the tool's name."""
    keeps = not _KEEPERS.isdisjoint(named) and not _ENDPOINTS_CHANGES.isdisjoint(named)
    walls = keeps or not (_WALLS.isdisjoint(named) or _ENDPOINTS_CHANGES.isdisjoint(named))
    for leaf in leaves:
        words = leaf.words
        if leaf.value in _YES and (_disables(words) or _disables(_named_beside(leaf, words))):
            yield leaf.key
        elif keeps and _is_disabled(leaf) and not _WATCHES.isdisjoint(words):
            yield f"{leaf.key}: off"
        elif walls and words[-1:] in _ENDPOINTS_MODES and _only_watches(leaf.value):
            yield f"{leaf.key}: {leaf.value}"
        elif keeps and _spares_all(words, leaf, named):
            yield f"exclude {leaf.value}"


_WALLS = word_set("waf ips ids dlp")
_ENDPOINTS_MODES = (("mode",), ("action",), ("enforcement",))
_LETS_BY = words("words/tools:endpoints.lets_by")


def _only_watches(value: object) -> bool:
    return isinstance(value, str) and value[:ENDPOINTS_MAX_SAID].lower() in _LETS_BY


def _named_beside(leaf: Leaf, words: tuple[str, ...]) -> tuple[str, ...]:
    """The setting whose value it is: `{"name": "DisableAntiSpyware", "value": 1}`."""
    said = leaf.siblings.get("name") if words in _VALUES else None
    return words_of(said) if isinstance(said, str) and len(said) <= ENDPOINTS_MAX_SAID else ()


_VALUES = (("value",), ("data",))


def _disables(words: tuple[str, ...]) -> bool:
    """`DisableRealtimeMonitoring`, `disable_behavior_monitoring`."""
    if len(words) < 3 or words[0] not in _TAKES:  # noqa: PLR2004  # three words
        return False
    return words[-1] in _WATCHES and not _WATCHED.isdisjoint(words[1:-1])


def _is_disabled(leaf: Leaf) -> bool:
    value = leaf.value
    return value is False or (
        isinstance(value, str) and value[:ENDPOINTS_MAX_SAID].lower() in _ENDPOINTS_OFF
    )


def _spares_all(words: tuple[str, ...], leaf: Leaf, named: frozenset[str]) -> bool:
    """An exclusion that takes in a whole disk."""
    spares = not _SPARED.isdisjoint(words) or not _SPARED.isdisjoint(named)
    value = leaf.value
    return (
        spares
        and isinstance(value, str)
        and value[:ENDPOINTS_MAX_SAID].strip().lower() in _EVERYWHERE
    )
