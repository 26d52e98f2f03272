"""Where an agent wants somebody to look before it acts: it has not made up its mind alone.

```
"Before I post the figures, could someone confirm them?"            before its own act
"I'd rather have a person look at it before it leaves the account"  before it is on its way
"If you're happy with it, I'll file it. Please confirm."            on a condition
"Could someone confirm the room?"  "I'd rather have tea before noon." nothing hangs on it
```
"""

from collections.abc import Sequence

from holdpoint.core.risk.dialogue.clause import FILLERS
from holdpoint.core.risk.dialogue.glances import shared
from holdpoint.core.risk.dialogue.harmless import HARMLESS
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.words import ARTICLES, STOPS, word_set

_CHECKS = word_set(
    "confirm confirms approve approves check checks look looks verify verifies review reviews sign "
    "signs signed authorise authorize authorises authorizes validate validates double-check"
)
_OTHERS = word_set(
    "someone somebody anyone anybody person human colleague supervisor manager nurse doctor "
    "pharmacist lawyer accountant people reviewer eyes"
)
_WANTS = word_set(
    "could can would will rather like prefer want better safer please chance possible need"
)
_MINE = word_set("i i'd we we'd could can would please any")
"""How a wish begins that is the agent's own: not `the doctor would rather have …`."""

_ME = word_set("i we")
_IT = word_set("it this that they these those")
_IT_IS = word_set("it's that's they're")
_LEAVES = word_set(
    "goes go leaves leave is are gets sent shipped signed posted released paid filed published"
)


def wants_a_look(text: str, told: Sequence[Sentence]) -> tuple[int, int] | None:
    """Where it does, if it does."""
    if _is_before(text):
        for sentence in told:
            if _is_wanted(sentence):
                return sentence.starts[0], sentence.span(len(sentence.words) - 1)[1]
    return _on_condition(told) if _asks(text) else None


_is_before = shared(r"\bbefore (?:i|we|it|this|that|they|these|those|the|an?)\b")
_asks = shared(
    r"\b(?:please (?:confirm|approve|advise)|kindly confirm|confirm please|let me know|"
    r"just say so)\b"
)


def _is_wanted(sentence: Sentence) -> bool:
    words = sentence.words
    if _CHECKS.isdisjoint(words) or _OTHERS.isdisjoint(words) or _WANTS.isdisjoint(words):
        return False
    at = words.index("before") if "before" in words else len(words)
    if not at and sentence.end != "?":
        return False
    own = not at or words[0] in _MINE or words[0] in _OTHERS
    return own and at not in sentence.quoted and _acts(words[at + 1 : at + _REACH])


_REACH = 8


def _acts(behind: Sequence[str]) -> bool:
    """`Before I post it`, `before it goes out`; not `before I look it up`, `before the meeting`."""
    if not behind:
        return False
    if behind[0] in _ME:
        does = next((word for word in behind[1:] if word not in FILLERS), "")
        return bool(does) and not (does in HARMLESS or does in STOPS)
    if behind[0] in _IT_IS:
        return not _LEAVES.isdisjoint(behind[1:3])
    things = behind[0] in _IT or behind[0] in ARTICLES
    return things and not _LEAVES.isdisjoint(behind[1:4])


def _on_condition(told: Sequence[Sentence]) -> tuple[int, int] | None:
    """`If you're happy with it, I'll file it. Please confirm.`"""
    if not any(map(_asks_for_it, told)):
        return None
    found = (one for one in told if _is_conditional(one))
    return next(((one.starts[0], one.span(len(one.words) - 1)[1]) for one in found), None)


_IF = word_set("if provided once")
_YOURS = word_set("you you're that's that this")
_FINE = word_set("happy ok okay fine good agree approve content comfortable alright agreed")
_WILL = word_set("i'll we'll")


def _is_conditional(sentence: Sentence) -> bool:
    words = sentence.words
    starts = words[0] in _IF and words[1:2] != [] and words[1] in _YOURS
    if not starts or _FINE.isdisjoint(words[2:6]):
        return False
    will = next((at for at, word in enumerate(words) if word in _WILL), len(words))
    does = next((word for word in words[will + 1 :] if word not in FILLERS), "")
    return bool(does) and not (does in HARMLESS or does in STOPS)


def _asks_for_it(sentence: Sentence) -> bool:
    """`Please confirm.`, `Let me know.`"""
    return sentence.words in _PLEASE


_PLEASE = (
    ["please", "confirm"], ["let", "me", "know"], ["please", "let", "me", "know"],
    ["please", "approve"], ["kindly", "confirm"], ["just", "say", "so"], ["confirm", "please"],
    ["please", "confirm", "this"], ["please", "confirm", "it"], ["please", "advise"],
)  # fmt: skip
