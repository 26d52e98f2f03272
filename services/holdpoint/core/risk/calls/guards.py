"""Protections that an argument switches off or passes over: `mfa_required: false`."""

from collections.abc import Iterator, Mapping
from typing import Any

from holdpoint.core.risk.calls.leaf import Leaf, words_of
from holdpoint.core.risk.lexicon import word_set

MAX_SAID = 60

_GUARDS = word_set(
    "alarm alarms mfa fa totp authentication auth authorization authorisation antivirus edr "
    "encryption encrypted waf guardrail guardrails interlock interlocks safety security protection "
    "smoke sprinkler sprinklers firewall audit auditing tls verification signature signatures "
    "failsafe detector csrf dmarc spf dkim captcha lockout moderation approval approvals reviews "
    "review backup backups versioning retention logging monitoring failover quarantine limiter "
    "fraud kyc aml sanctions admins ratelimit sandbox"
)
_STRONG = _GUARDS - word_set("review reviews signature signatures logging monitoring sandbox")
_HELD = word_set(
    "enabled required requires require enforce enforced enforcement enable active protection "
    "protected on needed mandatory"
)
_OVER = word_set("override bypass disable ignore defeat skip suppress without evade circumvent")
_WHOLE = _STRONG - word_set("alarm alarms safety security protection detector signature limiter")
"""Protections that a tool's name may be about."""

_LOOSE = word_set("force deletion deletions insecure unsafe unverified untrusted unsigned")
"""What is allowed by a protection that is none any more."""

_LIMITS = word_set(
    "limit limits lockouts tripwire tripwires trips gate gates policy policies rules"
)
"""What is passed over as a protection is, and says little where it is switched."""

_CHANGES = word_set(
    "set update put patch change edit modify configure toggle switch control write apply save "
    "manage call enforce policy settings setting config configuration"
)
_NAMES = ("setting", "name", "key", "property", "option", "feature", "flag", "parameter",
          "attribute", "field", "policy", "control", "protection", "toggle", "label", "id",
          "device", "rule", "service")  # fmt: skip
"""Keys of what is set, where its value stands beside it."""

_STATES = word_set("value enabled state on active status mode setting enable enforced power level")
_OFF = frozenset({"false", "off", "disabled", "disable", "none", "no", "inactive", "bypass"})
FLAGS = word_set("flag flags feature features toggle toggles killswitch experiment")


def unguards(leaf: Leaf, words: tuple[str, ...], named: frozenset[str]) -> str:
    """What it switches off or passes over, as a person would write it; empty when nothing.

    `words` are those of its key, `named` those of the tool's name.
    """
    if leaf.value is True:
        over = words[:1] and words[0] in _OVER and not (_STRONG | _LIMITS).isdisjoint(words[1:])
        allows = words[:1] == ("allow",) and not _LOOSE.isdisjoint(words)
        return leaf.key if over or (allows and not _CHANGES.isdisjoint(named)) else ""
    if not words or not _is_off(leaf.value) or _CHANGES.isdisjoint(named):
        return ""
    said = f"{leaf.key}: {str(leaf.value).lower()}"
    if not _GUARDS.isdisjoint(words) and _is_held(words, named):
        return said
    if words[-1] not in _STATES:
        return ""
    about = next(_about(leaf.siblings), "") or next(iter(sorted(_WHOLE & named)), "")
    return f"{about}: off" if about else ""


def _is_off(value: Any) -> bool:
    return value is False or (isinstance(value, str) and value[:MAX_SAID].lower() in _OFF)


def _is_held(words: tuple[str, ...], named: frozenset[str]) -> bool:
    """Whether the key says that it is on or asked for, or no more than what it is."""
    return not _HELD.isdisjoint(words) or (len(words) == 1 and not named.isdisjoint(_SETS))


_SETS = word_set("set update configure toggle switch settings setting config policy")


def _about(siblings: Mapping[str, Any]) -> Iterator[str]:
    """Each protection that is named beside a state."""
    said = (siblings.get(name) for name in _NAMES)
    texts = (one for one in said if isinstance(one, str) and len(one) <= MAX_SAID)
    return (one for one in texts if not _GUARDS.isdisjoint(words_of(one)))


def is_flag_off(leaf: Leaf, words: tuple[str, ...], named: frozenset[str]) -> bool:
    """Whether it takes a feature from those who use it."""
    return bool(words) and words[-1] in _STATES and _is_off(leaf.value) and bool(FLAGS & named)
