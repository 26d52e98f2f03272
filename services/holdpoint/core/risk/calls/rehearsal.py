"""Whether a call only rehearses: a dry run that the tool's own schema knows."""

from collections.abc import Mapping
from typing import Any

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.remembered import remembered

_REHEARSES = word_set(
    "dryrun simulate simulation simulateonly preview previewonly validateonly checkonly planonly "
    "whatif noop testmode testrun estimateonly quoteonly priceonly rehearse"
)
"""Flags that keep a deed from being done, without their underscores."""

_DOES = word_set("commit execute apply")
"""Flags without which nothing is done."""

_MODES = word_set("dryrun simulate simulation preview validate plan rehearsal whatif test")
_FLAGS = _REHEARSES | _DOES | {"mode"}
_FIRST = frozenset(flag[:2] for flag in _FLAGS)
"""How such a flag begins, which most arguments do not."""

MAX_KEY = 40
_YES = frozenset({"true", "yes", "1", "all", "server", "on"})


def rehearses(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> bool:
    """Only a flag that the schema declares counts: any other the tool may never look at."""
    known = schema.get("properties")
    if not isinstance(known, Mapping):
        return False
    return any(
        _holds_back(_bare(key), value)
        for key, value in arguments.items()
        if key[:2].lower() in _FIRST and len(key) <= MAX_KEY and key in known
    )


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
