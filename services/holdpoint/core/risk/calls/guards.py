"""Protections that an argument switches off or passes over: `mfa_required: false`."""

from typing import Any

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.http.request import request_in
from holdpoint.core.risk.knowledge import ordered_words, phrases, words
from holdpoint.core.risk.lexicon import word_set

MAX_SAID = 60

_GUARDS = words("words/tools:guards.guards")
_STRONG = _GUARDS - word_set("review reviews signature signatures logging monitoring sandbox")
_HELD = words("words/tools:guards.held")
_OVER = word_set("override bypass disable ignore defeat skip suppress without evade circumvent")
_WHOLE = _STRONG - word_set("alarm alarms safety security protection detector signature limiter")
"""Protections that a tool's name may be about."""

_LOOSE = word_set("force deletion deletions insecure unsafe unverified untrusted unsigned")
"""What is allowed by a protection that is none any more."""

_DEFEATS = word_set("override bypass defeat disable circumvent suppress")
_SENSED = word_set("check checks sensor sensors stop stops warning warnings")
"""What is looked at, by a machine or by people: to skip it may be ordinary, to defeat it is not."""

_LIMITS = words("words/tools:guards.limits")

_CHANGES = words("words/tools:guards.changes")
_NAMES = ordered_words("words/tools:guards.names")  # fmt: skip

_LEAST = word_set("required min minimum require needed mandatory")
_STATES = words("words/tools:guards.states")
_OFF = frozenset(phrases("words/tools:guards.off"))  # fmt: skip
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

_CLIENTS = words("words/tools:guards.clients")


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

_GATES = words("words/tools:guards.gates")


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
