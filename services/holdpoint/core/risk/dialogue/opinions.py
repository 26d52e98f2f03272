"""What is only held, weighed or looked back on: others' opinions, talk about talk, what it cost.

```
"The article argues that banks should wipe out old debts."     nobody here does it
"We talked about whether the archive should be deleted."       it is talked of
"Deleting the wrong branch set us back a week."                it is over
"I read that the council plans to demolish the bridge."        others do it
```
"""

from itertools import pairwise

from holdpoint.core.risk.dialogue.cues import cue
from holdpoint.core.risk.dialogue.verbs import SPOKEN
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.wording import Form
from holdpoint.core.risk.words import word_set

_HOLDERS = word_set(
    "article articles author authors book books essay essays column columnist editorial op-ed "
    "paper papers study studies novel film documentary podcast speaker critic critics expert "
    "experts activist activists economist economists researcher researchers scholar scholars "
    "historian historians commentator commentators pundits opponents proponents panel "
    "review reviewer blogger survey philosopher senator minister lobby campaigners petition"
)
_HOLD = word_set(
    "argue argues argued claim claims claimed say says said suggest suggests suggested think "
    "thinks thought believe believes believed propose proposes proposed urge urges urged "
    "recommend recommends recommended demand demands demanded call calls called insist insists "
    "want wants wanted contend contends maintain maintains"
)
_ARGUED = _HOLD - word_set(
    "say says said call calls called maintain maintains claim claims claimed"
)
_WISHES = word_set("should ought must shouldn't mustn't")
"""One of these at least tells an opinion from news of what is coming."""

_OPENING = 6
_HOLDS = cue(_HOLD)
_OURS = word_set(
    "i we i'll we'll i'm we're i'd my our me us let's let you your please now today tonight soon "
    "tomorrow immediately will going it this so then therefore hence"
)
"""Beside these it may be what the agent is to do."""

_TALKED = word_set("talked discussed debated argued asked voted disagreed wondered spoke")
_TALK = word_set("talk talking discuss discussing debate debating weigh")
_TALKS = cue(_TALKED | _TALK)
_WHETHER = word_set("whether if")
_I = word_set("i we i'll we'll i'd")
_ON = word_set("so then but and while whereas because")
"""Behind these another part begins."""

_PAST_VERBS = word_set("cost took caused taught gave set")
_PAST = cue(_PAST_VERBS)
_WHOM = word_set("us me them the everyone everybody our him her a an")
_WHICH = word_set("that which who it we they i")
_STILL = _OURS - word_set("us me our my it this we")


_LEARNED = word_set("read heard saw learned learnt noticed")
_LEARNS = cue(_LEARNED)

HOLDS = _HOLDS | _TALKS | _PAST | _LEARNS


def only_held(sentence: Sentence) -> tuple[int, int] | None:
    """From where to where it only holds, weighs or looks back; None where it does more.

    None as well where another part of the sentence begins behind it: that may be a deed.
    """
    words = sentence.words
    first = -1
    opines = sentence.cues & _HOLDS and _is_opinion(words)
    if opines or (sentence.cues & _PAST and _looks_back(words)):
        first = 0
    elif sentence.cues & _LEARNS and _is_learned(words):
        first = _SAYS_THAT
    elif sentence.cues & _TALKS:
        first = _talked_of(words) or -1
    if first < 0:
        return None
    behind = range(first + 1, len(words))
    if any(at in sentence.commas or words[at] in _ON for at in behind):
        return None
    return sentence.starts[first], sentence.span(len(words) - 1)[1]


def _is_opinion(words: list[str]) -> bool:
    """Somebody of them holds it, and nothing says that it concerns us, or comes now."""
    said = {held for one, held in pairwise(words[:_OPENING]) if one in _HOLDERS}
    advised = _WISHES.isdisjoint(words) and _ARGUED.isdisjoint(said)
    return not (_HOLD.isdisjoint(said) or advised) and _OURS.isdisjoint(words)


def _is_learned(words: list[str]) -> bool:
    """`I heard that they plan to …`: nothing says that it concerns us, or comes now."""
    if len(words) <= _SAYS_THAT or words[0] not in _I or words[1] not in _LEARNED:
        return False
    return words[2] == "that" and _OURS.isdisjoint(words[_SAYS_THAT:])


_SAYS_THAT = len(("i", "read", "that"))


def _looks_back(words: list[str]) -> bool:
    """A deed as the subject of what it cost; not one that is done to what cost so much."""
    first = SPOKEN.get(words[0])
    named = first.form is Form.ING if first else words[0].endswith("ing")
    at = next((at for at, word in enumerate(words) if word in _PAST_VERBS), 0)
    if not named or not at or words[at - 1] in _WHICH or not _STILL.isdisjoint(words):
        return False
    if words[at] == "set":
        return words[at + 2 : at + 3] == ["back"]
    return not _WHOM.isdisjoint(words[at + 1 : at + 2])


def _talked_of(words: list[str]) -> int:
    """Where the question begins that is talked of; asking for leave is no talk."""
    for at in range(2, len(words) - 1):
        if words[at] not in _WHETHER:
            continue
        before = words[:at]
        if not _TALKED.isdisjoint(before):
            return at
        return 0 if _TALK.isdisjoint(before) or not _I.isdisjoint(words[at:]) else at
    return 0
