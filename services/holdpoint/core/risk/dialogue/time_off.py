"""Leave that one asks for oneself: `Please approve my vacation request`. It harms nobody."""

from holdpoint.core.risk.dialogue.cues import cue
from holdpoint.core.risk.dialogue.verbs import NOMINALS, SPOKEN
from holdpoint.core.risk.words import word_set


def is_time_off(words: list[str]) -> bool:
    """Whether time off is all that is to be approved."""
    if _APPROVES.isdisjoint(words):
        return False
    mine = next((at for at, word in enumerate(words) if word in {"my", "our"}), len(words))
    return not _TIME_OFF.isdisjoint(words[mine + 1 : mine + 3]) and all(
        word in _OF_LEAVE or not (word in SPOKEN or word in NOMINALS) for word in words
    )


_APPROVES = word_set("approve authorise authorize grant sign")
APPROVES = cue(_APPROVES)
"""Without one of these nothing is to be approved."""

_TIME_OFF = word_set("vacation holiday holidays leave pto time-off annual parental sick sabbatical")
_OF_LEAVE = _TIME_OFF | _APPROVES | word_set("request requests application next end start")
