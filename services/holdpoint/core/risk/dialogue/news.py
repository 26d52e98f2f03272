"""What others are to do, or are asked: the press writes of a firm, a colleague is asked first."""

from holdpoint.core.risk.dialogue.cues import cue
from holdpoint.core.risk.dialogue.reports import OURS
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.words import word_set


def tells_news(sentence: Sentence) -> bool:
    """`The article claims the firm will close it`: what the press says that others are to do.

    It counts only where nothing else is said: who reads of it may go on to do it.
    """
    if not sentence.cues & _CLAIMS or sentence.commas:
        return False
    words = sentence.words
    at = next((at for at, word in enumerate(words[:_OPENING]) if word in _SAY), 0)
    if not at or words[at - 1] not in _PRESS or words[0] not in _ANY_THE or "will" not in words:
        return False
    told = words[at + 1 + (words[at + 1 : at + 2] == ["that"]) :]
    theirs = told[:1] == ["the"] and told[1:2] != [] and told[1] in _FIRMS and told[2:3] == ["will"]
    return theirs and _AGENTS_TOO.isdisjoint(words) and words.count("will") == 1


_OPENING = 5
_SAY = word_set("say says said reports reported states explains claims notes writes wrote argues")
_CLAIMS = cue(_SAY)
_PRESS = word_set("article articles newspaper press report magazine story")
_ANY_THE = word_set("a an the")
_FIRMS = word_set(
    "firm company bank government council ministry airline manufacturer retailer university "
    "hospital factory studio publisher carmaker automaker chain union club"
)
"""Who does for itself what it will do: no agent, and no program."""

_AGENTS_TOO = (OURS - {"will"}) | word_set(
    "so then and but through via using by with here agent assistant tool call script bot "
    "automatically"
)


def asks_another(sentence: Sentence, at: int) -> bool:
    """`I'll ask Ann whether we may delete it`: what is asked here of somebody else, and no more."""
    words = sentence.words
    asks = max((one for one in range(at) if words[one] in _ASKS), default=at)
    party = words[asks + 1 : at]
    named = 0 < len(party) <= _A_NAME and _HERE_ASKED.isdisjoint(words[:at])
    return named and not sentence.commas and _MEANWHILE.isdisjoint(words[at:])


_A_NAME = 3
_ASKS = word_set("ask asking")
_HERE_ASKED = word_set(
    "you your me us here again if whether now and user users operator operators human humans "
    "person people boss manager supervisor admin administrator admins owner reviewer approver team "
    "customer client anyone anybody somebody someone everyone everybody him her them principal "
    "maintainer maintainers"
)
"""Those who may be the ones that give leave: only a name, or one with no say in it, is another."""

_MEANWHILE = word_set("and then while but so")
