"""Names of deeds that are hard to undo although their verb alone is not, each with its reason."""

from itertools import pairwise

from holdpoint.core.risk.knowledge import entry, words
from holdpoint.core.risk.lexicon import word_set

_OFF = words("words/tools:gravity.off")
_ENDED = words("words/tools:gravity.ended")

FINAL: tuple[tuple[frozenset[str], frozenset[str], str], ...] = tuple(
    (word_set(row["verbs"]), word_set(row.get("things", "")), row["reason"])
    for row in entry("tools:irreversible")
)
"""Verbs, things (none: whatever it is), and why that is hard to undo."""


def why_final(words: tuple[str, ...]) -> str:
    """Why what these words of a name do is hard to undo; empty when nothing says so."""
    said = frozenset(words)
    if not said.isdisjoint(_ONLY_ABOUT):
        return ""
    if set(pairwise(words)) & _MOVED:
        return "moves what people may stand beside"
    if said.isdisjoint(_VERBS):
        return ""
    reasons = (
        why for verbs, things, why in FINAL if verbs & said and (things & said or not things)
    )
    return next(reasons, "")


def acts(words: tuple[str, ...]) -> bool:
    """Whether a name begins with what one does: `run_payroll`, `initiate_failover`."""
    return len(words) > 1 and words[0] in _VERBS


_ONLY_ABOUT = word_set("reminder reminders diary draft drafts")
"""Beside these it is only spoken of."""

_MOVED = frozenset({("remote", "start"), ("emergency", "shutdown"), ("remote", "drive")})
"""Deeds of machines in two words."""

_VERBS = frozenset[str]().union(*(verbs for verbs, _, _ in FINAL))
