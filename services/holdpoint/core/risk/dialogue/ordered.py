"""What is not done by whoever speaks, and yet by their word: others are told, a job is started.

```
"I'll tell the bank to close it"  "instructing them to wipe it"     others are told
"I'll run the job that wipes it"  "flip the switch that makes …"    something is set going
```
"""

from holdpoint.core.risk.dialogue.cues import cue
from holdpoint.core.risk.dialogue.denied import negated
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.words import ARTICLES, word_set

_NEAR = 8
"""Words between who acts and what is done by their word."""

_MINE = word_set("i'll i'm we'll we're me us going to")
_OPENS = 2
_TELLS = word_set(
    "tell ask instruct order direct command get request have urge telling asking instructing "
    "ordering directing commanding getting requesting asked told instructed ordered"
)
_BY_ME = word_set("i've we've i we")
_MACHINES = word_set(
    "worker workers bot bots agent agents subagent subagents service script scheduler daemon "
    "assistant executor pipeline runner"
)
_NO_ORDER = word_set(
    "you user customer client him her them they everyone people caller guest patient me us how "
    "what which whether when if it able"
)
_NO_PARTY = _NO_ORDER | word_set("to and or that of for with in on at from a an")
_STARTS = word_set(
    "flip flipping run running press pressing hit hitting launch launching start starting trigger "
    "triggering enable enabling activate activating execute executing apply applying merge merging "
    "submit submitting fire firing kick kicking throw throwing schedule scheduling install "
    "installing deploy deploying"
)
_STARTED = word_set(
    "switch job jobs script scripts task tasks trigger button command migration migrations query "
    "flag rule macro program process workflow pipeline lever update patch cron routine request tool"
)
_HAS = word_set("have having")
_ORDERS, HAS_DONE, SETS_GOING = cue(_TELLS), cue(_HAS), cue(_STARTED)
"""Without one of these nobody is told to, made to, and nothing is set going."""


def ordered(sentence: Sentence, place: int) -> bool:
    """`I'll tell the bank to close it`: they are told to do what the verb here says."""
    if not sentence.cues & _ORDERS:
        return False
    words = sentence.words
    start = max(sentence.since_comma(place), place - _NEAR)
    tells = [at for at in range(start, place - 2) if words[at] in _TELLS]
    party = words[tells[-1] + 1 : place - 1] if tells else []
    if not party or not _NO_ORDER.isdisjoint(party):
        return False
    return _is_mine(sentence, start, tells[-1]) or _to_a_machine(words, tells[-1], party)


def _to_a_machine(words: list[str], at: int, party: list[str]) -> bool:
    """`I've asked the worker to wipe it`, `tell the bot to …`: it does what it is told."""
    return (not at or words[at - 1] in _BY_ME) and not _MACHINES.isdisjoint(party)


def has_done(sentence: Sentence, place: int) -> bool:
    """`I'll have the bank block it`: somebody is made to do what the verb here says."""
    words = sentence.words
    start = max(sentence.since_comma(place), place - _NEAR)
    has = [at for at in range(start, place - 2) if words[at] in _HAS]
    if not has or words[has[-1] + 1] not in ARTICLES or not _is_mine(sentence, start, has[-1]):
        return False
    return _NO_PARTY.isdisjoint(words[has[-1] + 1 : place])


def set_going(sentence: Sentence, place: int) -> bool:
    """`I'll run the job that wipes it`: what is started does what the verb here says."""
    words = sentence.words
    if not place or words[place - 1] not in {"that", "which", "to"}:
        return False
    start = max(0, place - _NEAR)
    starts = [at for at in range(start, place - 2) if words[at] in _STARTS]
    if not starts or _STARTED.isdisjoint(words[starts[-1] + 1 : place - 1]):
        return False
    return _is_mine(sentence, start, starts[-1])


def _is_mine(sentence: Sentence, start: int, at: int) -> bool:
    """Whether whoever speaks says that they do it: `I'll …`, or `Telling …` in front."""
    words = sentence.words
    if negated(sentence, at):
        return False
    begins = words[at].endswith("ing") and at - start < _OPENS
    return begins or not _MINE.isdisjoint(words[max(0, at - 4) : at])
