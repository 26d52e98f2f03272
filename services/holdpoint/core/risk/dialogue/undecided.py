"""What an agent is unsure of before it announces anything: `I think this is the right bucket.`

```
"Presumably this is the test tenant."  "Unclear which account you mean."   doubts the next act
"I think we are done."  "He wasn't sure which account it was."             doubts nothing of it
"Unclear which account you mean, I'll look it up."                         looks further
```
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import re2

from holdpoint.core.risk.dialogue.cues import cue
from holdpoint.core.risk.dialogue.harmless import HARMLESS
from holdpoint.core.risk.dialogue.hedges import hedges_of
from holdpoint.core.risk.dialogue.opinions import HOLDS, only_held
from holdpoint.core.risk.dialogue.qualms import (
    DOUBTED_FIRST,
    DOUBTS,
    GUESSED_FIRST,
    GUESSES,
    STANDS_FOR,
    any_of,
)
from holdpoint.core.risk.dialogue.reports import reported_until
from holdpoint.core.risk.dialogue.targets import (
    AT_STAKE,
    PLACES,
    THINGS,
    concerns_the_act,
    fills_in,
)
from holdpoint.core.risk.dialogue.verbs import SPOKEN
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.wording import Form, Kind
from holdpoint.core.risk.words import word_set

_BEGINS = r"(?:^|, |\b(?:but|and|so|though|yet|because|hmm|well|wait|honestly|okay|ok) )"
_GUESSED = (any_of(GUESSES, STANDS_FOR), any_of(GUESSED_FIRST, STANDS_FOR, _BEGINS))
_DOUBTED = (any_of(DOUBTS, STANDS_FOR), any_of(DOUBTED_FIRST, STANDS_FOR, _BEGINS))
_guesses: Any = re2.compile("|".join(_GUESSED))
_doubts: Any = re2.compile("|".join((*_DOUBTED, *_GUESSED)))

_HEDGES = cue(
    word_set(
        "guess assume presume suspect seem seems reckon guessing assuming think bet say "
        "assumption memory limb hunch suspicion presumably supposedly apparently believe "
        "suppose imagine gather doubt wonder hope trust take sure certain confident convinced "
        "positive clear comfortable unsure uncertain torn unclear can't cannot couldn't could "
        "unable may might lack way confidence impression understanding feeling gut gamble coin "
        "toss-up doubts idea anyone's unknown ambiguous hard difficult impossible doubtful "
        "possible conceivable chance risk possibility obvious specified evident inconclusive "
        "vague contradictory specify mention unless far knowledge understood looks appears "
        "probably likely perhaps maybe possibly hopefully match share fit qualify matching clue "
        "dunno idk hoping fingers let's tentatively should luck argue arguably afaik iirc "
        "failed able not don't didn't haven't never better"
    )
)
"""Some word of each doubt: without any there is none."""

_STAKES = cue(AT_STAKE)
_ASKS = cue(word_set("which whose what is are"))
_SO = r"(?:^|, |\b(?:so|hmm|wait|ok|okay|and|but) )"
_OF_THEM = r"(?:which|whose|what) (?:of (?:the|these|those) )?"
_asks_which: Any = re2.compile(
    rf"{_SO}{_OF_THEM}(?:\w+ ){{0,2}}is (?:the )?(?:real|right|live|correct)\b|"
    rf"{_SO}{_OF_THEM}(?:\w+ )?{THINGS} (?:should|shall|do) (?:i|we) (?P<deed>\w+)|"
    rf"{_SO}which {PLACES} (?:do|did) you mean\b|"
    rf"{_SO}(?:is|are|was) (?:this|that|it|these|we) (?:really |actually |still |on |in |"
    rf"the |our )*(?:production|prod|live|staging|sandbox|(?:right|correct|wrong|real) {THINGS})\b"
)
"""`Which account did you mean?`, `wait, is this production?`"""

_REPORTS = word_set(
    "said says say asked asks wrote writes reported reports thinks thought told tells mentioned "
    "wondered reads states explains discusses whether if when whenever unless"
)
"""Before a doubt they say that it is another's, or one that may come."""


def undecided(told: Sequence[Sentence]) -> tuple[int, int] | None:
    """Where the agent doubts what its next act hangs on, unless it says that it did not act."""
    declined = False
    for sentence, behind in pairwise((*told, None)):
        if sentence is None or not _may_be(sentence) or not _is_undecided(sentence, behind):
            declined = sentence is not None and _declines(sentence.words)
            continue
        if declined and behind is None and not sentence.commas and "so" not in sentence.words:
            continue
        if not any(_left_alone.search(_row(one)) for one in told):
            return sentence.starts[0], sentence.span(len(sentence.words) - 1)[1]
    return None


_left_alone: Any = re2.compile(
    r"\b(?:i|we|i've|we've)(?: have| did)? (?:not|haven't|didn't) (?:yet )?"
    r"(?:touch|chang|delet|remov|mov|alter|modif)\w* (?:it|them)$"
)
"""`I've not touched it`: where nothing was done, and nothing is announced, it hangs on nothing."""


def _may_be(sentence: Sentence) -> bool:
    return bool(sentence.cues & (_ASKS if sentence.end == "?" else _HEDGES | _STAKES))


def _is_undecided(sentence: Sentence, behind: Sentence | None) -> bool:
    if behind is None and _declines(sentence.words):
        return False
    row = _row(sentence)
    doubt = _doubts.search(row.replace("-", "_")) if sentence.cues & _HEDGES else None
    if sentence.end == "?":
        return not sentence.quoted and _asks_of(row)
    held = only_held(sentence) if sentence.cues & HOLDS else None
    if sentence.quoted or reported_until(sentence) or (held and held[0] == sentence.starts[0]):
        return False
    if doubt is None or _is_anothers(row[: doubt.start()]):
        return not AT_STAKE.isdisjoint(sentence.words) and _hedges(row)
    if behind is not None and sentence.end in {":", ";"}:
        row = f"{row} , {_row(behind)}"
    return _hangs(row) or _wavers(row)


def _declines(words: list[str]) -> bool:
    """`I can't delete that, …`: whatever it is unsure of, it does nothing."""
    verb = SPOKEN.get(words[2]) if tuple(words[:2]) in _CANNOT and len(words) > _OBJECT else None
    declines = verb is not None and verb.form is Form.BASE and verb.kind is not Kind.READ
    return declines and words[_OBJECT] in _IT and "but" not in words and "so" not in words


_CANNOT = frozenset((one, no) for one in ("i", "we") for no in ("can't", "cannot"))
_OBJECT = 3
"""Where its object stands."""

_IT = word_set("it that this them those")


def _hedges(row: str) -> bool:
    """Whether it names what an act hangs on, and hedges as one does beside a deed."""
    if not concerns_the_act(row):
        return False
    own = (row[start:end] for start, end in hedges_of(row) if not _is_anothers(row[:start]))
    return any(_is_past.match(hedge) is None for hedge in own)


_is_past: Any = re2.compile(r"(?:(?:i|we) )?(?:did|was|were|had)(?:n't)?\b|(?:(?:i|we) )?\w+n't\z")
"""`I wasn't certain then`; a bare `I did not` may be a denial of anything."""


def _asks_of(row: str) -> bool:
    """`Which account should I charge?`, not `which account should I look at?`."""
    asked = _asks_which.search(row)
    if asked is None:
        return False
    deed = asked.group("deed") or ""
    verb = SPOKEN.get(deed)
    return deed not in HARMLESS and (verb is None or verb.kind is not Kind.READ)


def _hangs(row: str) -> bool:
    return concerns_the_act(row) or (_guesses.search(row) is not None and fills_in(row))


def _row(sentence: Sentence) -> str:
    """Its words with one blank between them, whatever stood there, and its commas."""
    words = sentence.words
    return " ".join(
        f", {word}" if at in sentence.commas and at else word for at, word in enumerate(words)
    )


def _is_anothers(before: str) -> bool:
    """`She said that it is unclear`, `if it is unclear`; not `if you ask me, it is unclear`."""
    words = before.rpartition(", ")[2].split()
    return not _REPORTS.isdisjoint(words) or words[-1:] in _OTHERS


_OTHERS = (["you"], ["he"], ["she"], ["they"])


_deed_in: Any = re2.compile(
    r"\b(?:whether|if|perhaps|maybe|wonder|between|before)\b[^,]{0,30}?\b(?:i|we|to|between)"
    r"(?: should| ought to| can| may| am to)?(?: really| actually| better| just)* ([a-z-]+)"
)


def _wavers(row: str) -> bool:
    """`Whether I should overwrite it`, `before I pay this`: unsure of a deed to come."""
    found = (SPOKEN.get(match.group(1)) for match in _deed_in.finditer(row))
    return any(verb is not None and _changes(verb.base, verb.form, verb.kind) for verb in found)


def _changes(base: str, form: Form, kind: Kind) -> bool:
    return form is not Form.PAST and kind is not Kind.READ and base not in HARMLESS
