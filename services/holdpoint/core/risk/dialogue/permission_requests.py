"""Requests for permission: `Is it fine if I wipe it?`, `Permission to wipe it?`, `I wipe it, ok?`.

```
"Thumbs up for the rollout?"  "Mind if I rebook them?"  "shall i rebook them"     an action
"Is it fine if I answer in English?"  "Mind if I take a guess?"                   harms nobody
```
Whatever nobody knows to be harmless is an action.
"""

from collections.abc import Iterator, Sequence

from holdpoint.core.risk.dialogue.clause import FILLERS
from holdpoint.core.risk.dialogue.cues import cue
from holdpoint.core.risk.dialogue.mild_verbs import TEXTS, is_mild
from holdpoint.core.risk.dialogue.verb_places import verb_at
from holdpoint.core.risk.dialogue.verbs import NOMINALS, SPOKEN
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.wording import Form, Kind
from holdpoint.core.risk.words import ARTICLES, word_set

_ME = word_set("i we")
_MINE = word_set("me us my our")
_FINE = words("words/dialogue:permission_requests.fine")
"""Words that call an action fine: `fine by you if I …?`."""

_PERMISSION = words("words/dialogue:permission_requests.leave")
"""What one gives who lets somebody do it: `permission to …?`, `thumbs up for …?`."""

_LETS = words("words/dialogue:permission_requests.lets")
"""What `you` do, or are, if you let me: `do you allow me to …?`."""

_OPENS = _FINE | _PERMISSION | _LETS
_ALLOWS = cue(_OPENS)
_MODALS = words("words/dialogue:permission_requests.modals")
_BETWEEN = FILLERS | _MODALS | _MINE | words("words/dialogue:permission_requests.between")
_ASIDE = word_set("which what who whom whose where when why how whether")
_INVERTED = word_set("shall should may must will can could might")
_NEED_MORE = word_set("will might must")
_NOW = word_set("go now then just")
_MOST = 7
"""Words between what permission is asked with and who is to act."""


def harmless_requests(told: Sequence[Sentence]) -> Iterator[tuple[int, int]]:
    """Place of each sentence that asks for permission to do what harms nobody."""
    for sentence in told:
        if sentence.end != "?" and not _may_ask(sentence):
            continue
        place = _asked_for(sentence)
        if place is not None and _is_harmless(sentence, place):
            yield sentence.starts[0], sentence.span(len(sentence.words) - 1)[1]


def _may_ask(sentence: Sentence) -> bool:
    return bool(sentence.cues & _WONDERS) or sentence.words[0] in _BEGINS


def _is_harmless(sentence: Sentence, place: int) -> bool:
    """Whether the action here is harmless, and so is each beside it: `if I look and delete it`."""
    others = (at for at in range(len(sentence.words)) if at != place)
    return is_mild(sentence.words, place) and not any(_acts(sentence, at) for at in others)


def _asked_for(sentence: Sentence) -> int | None:
    """The place of the action, if permission is asked for one."""
    words = sentence.words
    if sentence.end != "?" and words[0] not in _INVERTED:
        return _wondered(sentence)
    opened = None if 0 in sentence.quoted else _opened(words)
    if opened is not None and not _is_permission(words, opened):
        return opened if _is_meant(words, opened) else None
    return _offered(sentence)


def _opened(words: list[str]) -> int | None:
    """Action behind the beginning: `shall I wipe`, `what if I wipe`, `proceed with the wipe`."""
    if words[0] in _INVERTED and words[1:2] != [] and words[1] in _ME:
        return _next(words, 2)
    if tuple(words[:2]) in _HOW_ABOUT and words[2:3] != [] and words[2] in _ME:
        return _next(words, 3)
    if words[0] in _GOES and words[-1] in NOMINALS and _AHEAD_WITH.issuperset(words[1:-1]):
        return len(words) - 1
    return None


_GOES = word_set("proceed continue go going carry press start begin")
_AHEAD_WITH = ARTICLES | word_set("ahead on with now then full planned")
"""`Proceed with the wipe?`: what leads to an action that is a noun."""


def _offered(sentence: Sentence) -> int | None:
    """Action behind the first word of the request: `fine`, `permission`, `you let`."""
    if not sentence.cues & _ALLOWS:
        return None
    words = sentence.words
    for place, word in enumerate(words):
        if word in _ASIDE:
            return None
        found = _handed(words, place) if word in _OPENS else None
        if found is not None and place not in sentence.quoted:
            return found
    return None


_HOW_ABOUT = frozenset({("how", "about"), ("what", "if"), ("what", "about"), ("why", "don't")})


def _wondered(sentence: Sentence) -> int | None:
    """`Say whether I may wipe it`, `I want to ask if I can wipe it`, `a nod and I'll wipe it`."""
    words = sentence.words
    for at, word in enumerate(words[:-2]):
        if word in _IF and words[at + 1] in _YOU:
            me = _wished(words, at)
            if me and not _SAYS.isdisjoint(words[max(0, at - _MOST) : at]):
                return _next(words, me)
        if word not in _IF or words[at + 1] not in _SELF:
            continue
        ahead = words[max(0, at - _MOST) : at]
        if word == "and":
            gives = words[0] in _GIVES and not _SIGNS.isdisjoint(ahead)
        else:
            gives = not _SAYS.isdisjoint(ahead) and words[at + 2] in _INVERTED | {"am"}
        found = _next(words, at + 2) if gives else None
        if found is not None and _does(sentence, found):
            return found
    return None


_YOU = word_set("you you'd")
_SELF = _ME | word_set("i'll we'll i'm i'd we'd")


def _wished(words: list[str], at: int) -> int:
    """Behind `if you'd like me to`; 0 where it says nothing of the kind."""
    near = range(at + 2, min(at + _MOST, len(words) - 1))
    return next((one + 2 for one in near if words[one : one + 2] == ["me", "to"]), 0)


def _does(sentence: Sentence, start: int) -> bool:
    """Whether a verb that is listed stands here or further on."""
    known = verb_at(sentence.words, start) is not None
    return known or any(_acts(sentence, at) for at in range(start, len(sentence.words)))


_IF = word_set("if whether and")
_WONDERS = cue(_IF - {"and"})
_SAYS = words("words/dialogue:permission_requests.says")
_GIVES = word_set("give say just send drop nod")
_BEGINS = _INVERTED | _GIVES
"""How a sentence begins that asks for permission, though it is no question."""

_SIGNS = words("words/dialogue:permission_requests.signs")


def _is_permission(words: list[str], place: int) -> bool:
    """`May I have the permission to …`: what is asked for stands further on."""
    return words[place] in {"have", "get"} and not _PERMISSION.isdisjoint(words[place : place + 4])


def _is_meant(words: list[str], place: int) -> bool:
    """`Will I go ahead and rebook them` asks for permission, `will we survive` does not."""
    told = words[0] not in _NEED_MORE or not _NOW.isdisjoint(words[2:place])
    return told or words[place] in SPOKEN


def _handed(words: list[str], place: int) -> int | None:
    """Action behind `fine`, `permission`, `you let`: `if I wipe`, `for me to wipe`, `to wipe`."""
    for at in range(place + 1, min(place + 1 + _MOST, len(words))):
        if words[at] in _ME or words[at] in _MINE:
            return _next(words, at + 1)
        if words[place] in _LETS or at != place + 1 + (words[place + 1] in {"up", "not"}):
            continue
        found = _linked(words, at) if words[at] in _LINKS else None
        if found is not None:
            return found
    return None


_LINKS = word_set("to against for with")


def _linked(words: list[str], at: int) -> int | None:
    """`ok to wipe it`, `cool with me wiping it`, `thumbs up for the wipe`."""
    if words[at] in {"for", "with"} and _MINE.isdisjoint(words[at + 1 : at + 2]):
        return _named(words, at + 1, _DONE if words[at] == "for" else ("ing",))
    yours = words[at] in {"to", "against"} and "you" in words[:at]
    return None if yours else _next(words, at + 1)


def _named(words: list[str], start: int, endings: tuple[str, ...]) -> int | None:
    """What is done, as a noun: `for the deployment`, `for publishing it`."""
    near = range(start, min(start + 4, len(words)))
    return next((at for at in near if _is_named(words[at], endings)), None)


def _is_named(word: str, endings: tuple[str, ...]) -> bool:
    return word in NOMINALS or word in SPOKEN or word in TEXTS or word.endswith(endings)


_DONE = ("ing", "tion", "ment", "sion")


def _next(words: list[str], at: int) -> int | None:
    """The first word from here on that says what would be done."""
    while at < len(words) and (words[at] in _BETWEEN or words[at].endswith("ly")):
        at += 1
    return at if at < len(words) and words[at][0].isalpha() else None


def _acts(sentence: Sentence, at: int) -> bool:
    """Whether something is done by this word."""
    words = sentence.words
    verb = SPOKEN.get(words[at]) or NOMINALS.get(words[at])
    if verb is None or verb.kind is Kind.READ or at in sentence.quoted:
        return False
    noun = at > 0 and (words[at - 1] in ARTICLES or words[at - 1] in _JOINED)
    done = verb.form is Form.PAST and words[at] not in NOMINALS
    return not (noun or done or is_mild(words, at))


_JOINED = word_set("of for about on each every any another")
