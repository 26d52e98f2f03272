"""Whether a call only rehearses: a dry run that the tool's own schema knows."""

from collections.abc import Mapping
from itertools import chain
from typing import Any

from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.remembered import remembered

_REHEARSES = words("words/tools:rehearsal.rehearses")

_DOES = word_set("commit execute apply")
"""Flags without which nothing is done."""

_SENDS = words("words/tools:rehearsal.sends")

_LESS = ("no", "not", "skip", "disable", "without", "bypass", "ignore", "never")
"""What turns the name of such a flag around: `no_dry_run`, `skip_preview`."""

_MODES = word_set("dryrun simulate simulation preview validate plan rehearsal whatif test")
_FLAGS = _REHEARSES | _DOES | {"mode"}
_FIRST = frozenset(flag[:2] for flag in _FLAGS)
"""How such a flag begins, which most arguments do not."""

MAX_KEY = 40
_YES = frozenset({"true", "yes", "1", "all", "server", "on"})
_NO = frozenset({"false", "no", "0", "none", "off"})


def rehearses(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> bool:
    """Only a flag that the schema declares counts: any other the tool may never look at.

    Of two that contradict each other the graver one counts, whoever declares it.
    """
    known = schema.get("properties")
    if not isinstance(known, dict):
        return False
    if not any(
        _holds_back(_bare(key), value)
        for key, value in arguments.items()
        if key[:2].lower() in _FIRST and len(key) <= MAX_KEY and key in known
    ):
        return False
    beside = (one.items() for one in arguments.values() if isinstance(one, Mapping))
    return not any(_lets_go(_bare(key), value) for key, value in chain(arguments.items(), *beside))


def may_rehearse(key: str) -> bool:
    """Whether an argument of this name may say that nothing is done."""
    return _bare(key) in _FLAGS


@remembered(1024)
def _bare(key: str) -> str:
    return key[:MAX_KEY].lower().replace("_", "").replace("-", "")


def _holds_back(bare: str, value: Any) -> bool:
    if bare not in _FLAGS:
        return False
    said = _bare(value) if isinstance(value, str) else ""
    if bare in _REHEARSES:
        return value is True or said in _YES
    return (bare in _DOES and value is False) or (bare == "mode" and said in _MODES)


def _lets_go(bare: str, value: Any) -> bool:
    """`dryRun: false`, `apply: true`: what a flag says that it is done."""
    said = _bare(value) if isinstance(value, str) else ""
    if bare in _REHEARSES:
        return value is False or value == 0 or said in _NO
    orders = bare in _DOES | _SENDS or (bare.startswith(_LESS) and _is_turned(bare))
    return orders and (value is True or value == 1 or said in _YES)


def _is_turned(bare: str) -> bool:
    return any(bare.removeprefix(less) in _REHEARSES for less in _LESS)
