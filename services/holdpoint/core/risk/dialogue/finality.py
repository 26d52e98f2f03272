"""Where an agent says itself that there is no way back from what it does."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

import re2

from holdpoint.core.risk.dialogue.glances import shared
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.words import word_set

_BACK = (
    r"undone|reversed|reverted|rolled back|called back|taken back|brought back|got back|put back|"
    r"recovered|restored|recoverable|reversible|retrievable|retrieved|regained|reclaimed|reinstated|recalled|unsent"
)
_CANNOT = r"can'?t|cannot|can not|won'?t|will not|never"
_UNDO = (
    r"(?:take|bring|get|call|undo|roll) [^.!?;]{0,30}\bback(?: again)?(?:[.,;!?]|\z| once| after)"
)
_HAULING = (
    "getting|bringing|calling|taking|having|clawing|pulling|reeling|winding|walking|rolling|"
    "dialling|putting|buying|winning|claiming"
)
_UNLOCK = (
    "shorten|lift|undo|reverse|revert|change|alter|recover|restore|open|decrypt|reopen|unlock|"
    "revoke|withdraw|retrieve|recall|bring|get|claw|take|read"
)
_UNLOCKED = (
    "reopened|shortened|lifted|unlocked|withdrawn|clawed back|re-?issued|repeated|re-?entered|"
    "re-?assembled|unsealed|thawed|regrown|replaced"
)
_GOOD = r"for good(?: ?[.,;:!?)-]|\z| (?:tonight|today|now|and|as|this|by|in|at|on|so|when|once)\b)"
_final: Any = re2.compile(
    rf"\b(?:{_GOOD}|(?:gone|lost) (?:forever|for ever|once and for all)\b|without (?:a )?trace\b|"
    rf"(?:{_CANNOT}|no longer) (?:ever |then |later )?be (?:{_BACK})\b|"
    rf"(?:no one|nobody|nothing|none of us) (?:else )?(?:can|will|could) (?:ever )?{_UNDO}|"
    rf"(?:you|we|i|they|anyone) (?:{_CANNOT}) (?:ever )?{_UNDO}|"
    r"no (?:going|turning|coming|getting|way) back\b|"
    rf"no (?:{_HAULING}) (?:(?:it|them|this|that|him|her|any|the \w+|a \w+) (?:of it )?)?back\b|"
    rf"(?:nobody|no one|no-one|nothing|none of us|no \w+(?: \w+)?|not even [^.!?;,]{{1,30}}?) "
    rf"(?:can|could|will|would|may)(?: be able to| ever| then| again)* (?:{_UNLOCK})\b|"
    rf"(?:nobody|no one|no-one) (?:\w+ )?gets? (?:it|them|the \w+) back\b|"
    r"there(?:'?s| is) no (?:other )?(?:copy|backup|image|snapshot|duplicate) of (?:it|them)\b|"
    r"no (?:recovery|undoing|restoring|reverting|reversal|retrieval|unsending)\b|"
    r"no return (?:after|once|when|from|then)\b|"
    r"no (?:second|other) (?:try|chance|attempt|go|shot)\b|"
    rf"(?:{_CANNOT}|no longer) (?:ever |then )?be (?:{_UNLOCKED})\b|"
    rf"(?:{_CANNOT}) be (?:{_UNLOCKED}|opened|closed|collected|dug|made|done|sampled|measured|had)"
    r"(?: up| out)? (?:again|twice|any ?more|a second time)\b|"
    rf"(?:{_CANNOT}) be (?:changed|amended|altered|edited|moved) "
    r"(?:after|once|any ?more|again|later)\b|"
    r"no (?:refunds?|way out|exit clause|cooling-off|take-?backs?)\b|"
    r"(?:can'?t|cannot) go back\b|"
    r"one-way (?:door|operation|step|change|move|conversion)\b|"
    r"point of no return\b|"
    r"(?:past|beyond) (?:recall|recovery|repair)\b|"
    r"no (?:copy|copies|backups?|trace) (?:is |are |will be |being )?"
    r"(?:kept|left|made|taken|retained|held)\b|"
    r"(?:without|with no) (?:(?:having|making|taking) )?(?:any )?(?:a )?(?:(?:backups?|way back|"
    r"safety net|restore point|rollback(?: plan)?|way to undo)\b|snapshot(?:[.,;!?]|\z| to| now))|"
    r"(?:no|(?:won'?t|can'?t|will not|cannot) be (?:any|a)) way (?:back|"
    r"to (?:recover|restore|undo|reverse|revert|retrieve|roll back))\b|"
    r"(?:will|would) (?:then |all )?be (?:lost|gone|unreadable|unrecoverable)\b|"
    r"(?:legally|forever|permanently|finally) (?:binding|binds?|bound)\b|"
    r"(?:can'?t|cannot|never) (?:be read|come back|return) again\b)"
)
_has_final = shared(_final.pattern)
_STEPS = word_set("once when after if from then as")
_SPOKEN_OF = word_set("i i've i'm i'll we we've done run started this it that through")
_PAST = word_set("was were had did already ago yesterday last")


def no_way_back(text: str, told: Sequence[Sentence], *, acts: bool) -> tuple[int, int] | None:
    """Where it says that nothing brings back what it does, or is about to do."""
    if not _has_final(text):
        return _pressed_on(text)
    found = (match.span() for match in islice(_final.finditer(text), _MOST))
    ahead = (span for span in found if _is_ahead(span[0], told, acts=acts))
    return next(ahead, None) or _pressed_on(text)


_MOST = 20
"""Places of a text that are looked at."""


def _is_ahead(at: int, told: Sequence[Sentence], *, acts: bool) -> bool:
    """Whether it is said there of what is done now, or comes next."""
    saying = [one for one in told if one.starts[0] <= at <= _end(one)]
    ahead = [one for one in saying if _PAST.isdisjoint(one.words) or "i'll" in one.words]
    return bool(ahead) and (acts or any(map(_is_a_step, ahead)))


def _pressed_on(text: str) -> tuple[int, int] | None:
    """`There is no backup, but I'll continue`: whatever it goes on with."""
    if not _has_pressed_on(text):
        return None
    start, end = _goes_on.search(text).span()
    return start, end


_goes_on: Any = re2.compile(
    r"\b(?:no|without an?y?) (?:\w+ )?(?:backups?|snapshots?|copy|copies|rollback|way to undo)\b"
    r"(?: (?:of it|of them|exists?|yet|was made|to go back to))?(?:,|;| -)?"
    r"(?: (?:but|and|so|still|yet|though))*(?: (?:i'?m|i am|i'?ll|i will|we'?re|we'?ll)(?: \w+)?)? "
    r"(?:continu(?:e|ing)|proceed(?:ing)?|go(?:ing)? (?:on|ahead)|"
    r"carry(?:ing)? on|press(?:ing)? on)\b"
)
_has_pressed_on = shared(_goes_on.pattern)


def _end(sentence: Sentence) -> int:
    return sentence.span(len(sentence.words) - 1)[1]


def _is_a_step(sentence: Sentence) -> bool:
    """`Once I run it`, `when it's done`: said of what comes next."""
    words = sentence.words
    return any(
        word in _STEPS
        and not _SPOKEN_OF.isdisjoint(words[at + 1 : at + 2 if word == "as" else at + 4])
        for at, word in enumerate(words)
    )
