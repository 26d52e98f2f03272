"""What is denied and done all the same: later, to something else, or until nothing is left.

```
"I didn't wipe it yet, but I will now"  "not wiped so far; I'm about to"      later
"I won't wipe the copy but the original"                                      to something else
"I won't rest until all of it is wiped"                                       to the end
```
"""

from holdpoint.core.risk.dialogue.cues import cue, cues_of
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.wording import Form
from holdpoint.core.risk.words import ARTICLES, word_set

_REACH = 12
"""Words between a denial and what takes it back."""


def done_after_all(sentence: Sentence, place: int, form: Form) -> bool:
    """Whether the verb here is announced by what stands around its denial."""
    words = sentence.words
    if form is Form.PAST and _to_the_end(words, place):
        return True
    if _cannot_but(words, place, form):
        return True
    if form is not Form.PAST and not _DO.isdisjoint(words) and _as_said(words, place):
        return True
    if form is Form.ING and words[max(0, place - 2) : place] == ["but", "now"]:
        return True
    if _DENIALS.isdisjoint(words[max(0, place - _NEAR) : place]):
        return False
    return _later(words, place) or (form is not Form.PAST and _something_else(words, place))


def taken_up(before: Sentence, sentence: Sentence) -> Sentence:
    """`I didn't wipe it. I will now.` as one sentence; any other stays by itself."""
    words = sentence.words
    at = 1 if words[0] in _ON else 0
    length = _resumes(words, at) if at < len(words) <= _REACH else 0
    if not length or not _ends(words, at + length):
        return sentence
    return Sentence(
        [*before.words, "so", *sentence.words],
        [*before.starts, sentence.starts[0], *sentence.starts],
        before.commas,
        before.quoted,
        sentence.end,
        before.cues | sentence.cues | cues_of(["so"]),
    )


def _cannot_but(words: list[str], place: int, form: Form) -> bool:
    """`I can't wait to wipe it`, `I have no choice but to wipe it`; not `you have no choice …`."""
    before = words[max(0, place - _NEAR) : place]
    if before[-2:] in _EAGER or before[-1:] == ["resist"]:
        return not _NO_OTHER.isdisjoint(before)
    at = place - 1 - (before[-1:] == ["to"])
    only = at > 0 and words[at] == "but" and form is not Form.PAST
    ahead = words[max(0, at - _REACH // 2) : at] if only else []
    return not _NO_OTHER.isdisjoint(ahead) and "you" not in ahead


_EAGER = (["wait", "to"], ["hesitate", "to"], ["afraid", "to"])
"""Behind a denial: whoever cannot wait to do it does it."""

_NO_OTHER = word_set("can't cannot couldn't don't didn't won't nothing no not")
_NEAR = 4
_DENIALS = word_set(
    "not never haven't hasn't hadn't didn't don't doesn't wasn't weren't won't isn't aren't "
    "couldn't wouldn't yet"
)


def _later(words: list[str], place: int) -> bool:
    """`…, but I will now`: nothing follows that would be another deed."""
    starts = range(place + 1, len(words) - 1)
    return any(
        words[at] in _ON and (length := _resumes(words, at + 1)) and _ends(words, at + 1 + length)
        for at in starts
    )


_ON = word_set("but so and yet though however now")


def _as_said(words: list[str], place: int) -> bool:
    """`I lean towards wiping it, and I'm doing that`: what was only spoken of is done."""
    return any(
        (words[at] in _LEADS or words[at] == "i")
        and words[at - 1] in _ON
        and tuple(words[at + 1 : at + 3]) in _DOING
        and _ends(words, at + 3)
        for at in range(place + 2, len(words) - 2)
    )


_DO = word_set("do doing")
_DOING = frozenset((one, other) for one in _DO for other in ("it", "that", "so", "them"))


def _resumes(words: list[str], at: int) -> int:
    """How many words say `I will`, `I'm about to`, `I'll do it`; 0 when none do."""
    lead = 1 if words[at] in _LEADS else 2 if tuple(words[at : at + 2]) in _PAIRS else 0
    if not lead:
        return 0
    behind = tuple(words[at + lead : at + lead + 2])
    if behind in _GOES:
        return lead + 2
    if behind[:1] in _DOES:
        return lead + 1
    return lead if words[at + lead - 1] == "will" else 0


_LEADS = word_set("i'm we're i'll we'll")
_PAIRS = frozenset({("i", "will"), ("we", "will"), ("i", "am"), ("we", "are")})
RESUMES = cue(_LEADS | {other for _, other in _PAIRS})
"""Without one of these a sentence takes up nothing."""

_GOES = frozenset({("about", "to"), ("going", "to")})
_DOES = frozenset({("do",), ("doing",)})


def _ends(words: list[str], at: int) -> bool:
    behind = words[at:]
    until = next((place for place, word in enumerate(behind) if word in _BY_WHEN), None)
    if until is not None and _ANSWERS.isdisjoint(behind):
        behind = behind[:until]
    return len(behind) <= _REACH // 2 and all(word in _NOW for word in behind)


_BY_WHEN = word_set("before after by at during over on in")
"""What follows says only when: `I'll do that before lunch`."""

_ANSWERS = word_set("you your you've he she they it's confirm confirms confirmed approval yes")


_NOW = word_set(
    "now soon today tonight tomorrow then anyway shortly next immediately in a minute moment "
    "second right away directly do so it that this just straight at once later noon all them one by"
)


def _something_else(words: list[str], place: int) -> bool:
    """`I won't wipe the copy but the original`: a thing follows, and no clause of its own."""
    ahead = words[max(0, place - _NEAR) : place]
    if "but" not in words[place + 2 : place + _REACH] or _AHEAD.isdisjoint(ahead):
        return False
    at = words.index("but", place + 2) + 1
    while at < len(words) and words[at] in _RATHER:
        at += 1
    named = at < len(words) and words[at] in _THINGS
    return named and _CLAUSE.isdisjoint(words[at : at + _REACH])


_AHEAD = word_set("will won't going shall i'm we're i'll we'll")
_RATHER = word_set("rather instead only also just")
_THINGS = ARTICLES | word_set("all every everything each both those these half")
_CLAUSE = word_set(
    "is are was were will won't can can't has have had should may must stays remains needs who it "
    "i i'll i'm we you they he she"
)


def _to_the_end(words: list[str], place: int) -> bool:
    """`I won't rest until each one is wiped`."""
    near = range(max(0, place - _REACH), place)
    until = next((at for at in near if words[at] == "until"), 0)
    ahead = words[max(0, until - _NEAR) : until]
    rests = not _RESTS.isdisjoint(ahead) and not _DENIALS.isdisjoint(ahead)
    return rests and not _DONE_TO.isdisjoint(words[until:place])


AFTER_ALL = cue(_DENIALS | _DO | word_set("wait until but resist hesitate afraid"))
"""Without one of these nothing is denied and done all the same."""

_RESTS = word_set("stop rest quit finish finished cease sleep done pause halt")
_DONE_TO = word_set("is are get gets been being")
