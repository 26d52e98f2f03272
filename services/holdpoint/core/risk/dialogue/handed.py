"""What many are about to get, as a deed of whoever gives it.

```
"everyone gets the coupon tonight"  "ten thousand letters go out now"     many get or lose it
"it goes to half the customer base within the hour"                       it reaches many
"Starting the bulk edit: 1,850 contacts get a new owner"                  what was set going does it
```
"""

from collections.abc import Iterable, Iterator
from itertools import islice

from holdpoint.core.risk.dialogue.cues import cue
from holdpoint.core.risk.dialogue.denied import exemplary, negated, subordinate
from holdpoint.core.risk.dialogue.told_to_go import GONE, told_to_go
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.extract.numbers import number_places
from holdpoint.core.risk.wording import Form, Kind, Verb
from holdpoint.core.risk.words import word_set

GIVES = Verb(base="give", kind=Kind.UPDATE, form=Form.PAST)
REACHES = Verb(base="send", kind=Kind.UPDATE, form=Form.BASE)

_GETS = word_set("get gets receive receives")
_GETTING = word_set("getting receiving")
_GOES = word_set("go goes")
_SUFFERS = word_set("lose loses see sees")
_BECOMES = word_set("become becomes change changes switch switches move moves have")
_REACHES = word_set(
    "goes reaches lands hits fires arrives go reach land hit going reaching landing hitting"
)
_WORDS = _GETS | _GETTING | _GOES | _SUFFERS | _REACHES
HANDS = cue(_WORDS | GONE)
"""Without one of these nothing is handed out, unless it is told what comes of a deed."""

_MANY = word_set(
    "every all each everyone everybody tens dozens hundreds thousands millions third thirds half "
    "most quarter quarters majority percent"
)
_PEOPLE = word_set(
    "customer customers client clients user users subscriber subscribers member members tenant "
    "tenants parents parent patients patient staff employees workforce households residents "
    "voters donors buyers shoppers passengers readers guests students pupils drivers riders "
    "suppliers contacts accounts inbox inboxes phones devices list base team company "
    "owner owners viewers listeners sellers citizens families faculty department "
    "audience community investors shareholders members' subscribers' customers' users' "
    "alumni attendees invitees registrants applicants contacts recipients"
)
"""Whom, or whose things, something reaches."""

_SOON = word_set(
    "today tonight now noon midnight tomorrow minute minutes shortly immediately hour hours "
    "evening afternoon"
)
_MINE = word_set("i'm i'll me we'll we're")
_DENIED = word_set("can may might could should must if would")
_OPENING = 4
"""Words in front among which it says that they are many."""


def handed_out(sentence: Sentence, *, going: bool) -> Iterable[tuple[int, Verb]]:
    """Where many get something, soon or by whoever speaks, or where something is told to go.

    `going`: as what was said does it.
    """
    return (*islice(_handed_out(sentence, going=going), _MOST), *told_to_go(sentence))


def _handed_out(sentence: Sentence, *, going: bool) -> Iterator[tuple[int, Verb]]:
    words = sentence.words
    mine = going or _set_going(words)
    if not mine and _SOON.isdisjoint(words) and _MINE.isdisjoint(words):
        return
    for place, word in enumerate(words):
        if word not in _WORDS and not (going and word in _BECOMES):
            continue
        if _to_many(words, place):
            verb = REACHES
        elif _hands(words, place, mine=mine, going=going) and _by_many(sentence, place):
            verb = GIVES
        else:
            continue
        if not _is_idle(sentence, place):
            yield place, verb


def _hands(words: list[str], place: int, *, mine: bool, going: bool) -> bool:
    word = words[place]
    suffers = word in _SUFFERS or (going and word in _BECOMES)
    gets = word in _GETS or (word in _GETTING and words[place + 1 : place + 2] in _THINGS)
    return gets or (mine and suffers) or _leaves(words, place)


_THINGS = (["a"], ["an"], ["the"], ["this"], ["these"], ["our"], ["their"], ["new"])


def _to_many(words: list[str], place: int) -> bool:
    """`It goes out to half the customer base`, `which lands in all of our members' inboxes`."""
    if not place or words[place] not in _REACHES:
        return False
    behind = words[place + 1 : place + _FAR]
    if words[place] in _WHERE and behind[:1] not in _WHERE[words[place]]:
        return False
    many = not _MANY.isdisjoint(behind) or bool(number_places(behind))
    return many and not _PEOPLE.isdisjoint(behind)


_OUT = (["out"], ["live"])
_WHERE = {"go": _OUT, "going": _OUT, "goes": (*_OUT, ["to"], ["into"])}
"""What makes it reach somebody."""

_MOST = 20
"""Deeds of one sentence that are looked for."""

_FAR = 10
"""Words behind what goes out among which it says to whom."""


def _set_going(words: list[str]) -> bool:
    """`…, once I save it`, `as soon as I confirm`."""
    if _WHEN.isdisjoint(words):
        return False
    return any(
        one in _WHEN and two in _ME and three in _PRESSES
        for one, two, three in zip(words, words[1:], words[2:], strict=False)
    )


_WHEN = word_set("when once as moment")
_ME = word_set("i we")
_PRESSES = word_set(
    "save push press confirm hit send publish submit apply merge deploy flip click release commit "
    "start trigger launch enable switch run"
)


def _leaves(words: list[str], place: int) -> bool:
    """`A thousand invoices go out`."""
    return words[place] in _GOES and words[place + 1 : place + 2] == ["out"]


def _by_many(sentence: Sentence, place: int) -> bool:
    start = sentence.since_comma(place)
    if start == place:
        start = 0
    subject = sentence.words[start : min(place, start + _OPENING)]
    if not _MINE.isdisjoint(subject) or sentence.words[place - 1] in _OF_A_WORK:
        return False
    if not _WHOLE.isdisjoint(subject) and not _PEOPLE.isdisjoint(subject):
        return True
    return not _MANY.isdisjoint(subject) or bool(number_places(subject))


_WHOLE = word_set("whole entire full complete")


_OF_A_WORK = word_set(
    "test tests case cases file page pages section chapter paragraph slide figure suite module"
)
"""What gets something when a work is made, and is nobody: `every test gets its own folder`."""


def _is_idle(sentence: Sentence, place: int) -> bool:
    before = sentence.words[max(0, place - _OPENING) : place]
    taken_back = negated(sentence, place) or subordinate(sentence, place)
    return taken_back or exemplary(sentence, place) or not _DENIED.isdisjoint(before)
