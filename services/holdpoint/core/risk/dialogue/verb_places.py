"""Which words of a sentence are verbs that do something, also those that say so only together."""

from collections.abc import Iterator
from itertools import takewhile

import re2

from holdpoint.core.risk.dialogue.cues import HYPHEN, cue
from holdpoint.core.risk.dialogue.phrasal_verbs import PHRASES
from holdpoint.core.risk.dialogue.verbal_nouns import begun_at, is_head
from holdpoint.core.risk.dialogue.verbs import NOMINALS, OTHERWISE, SPOKEN
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.wording import Form, Kind, Verb
from holdpoint.core.risk.words import STOPS, word_set


def verbs_in(sentence: Sentence) -> Iterator[tuple[int, Verb]]:
    """Each verb that may do something, and its place; what is quoted does nothing."""
    if not sentence.cues & SAYS:
        return
    left, hyphens = MOST_SAYING, sentence.cues & HYPHEN
    for place, word in enumerate(sentence.words):
        if not (word in _SAYING or (hyphens and "-" in word)):
            continue
        if word in _PLAIN:
            verb = None if place in sentence.quoted else _PLAIN[word]
        else:
            verb = _in_company(sentence, place) if left > 0 else None
            left -= 1
        if verb:
            yield place, verb


def says_much(sentence: Sentence) -> bool:
    """Whether it has more words that may be verbs than are looked at."""
    words = sentence.words
    return (
        len(words) > MOST_SAYING
        and sum(word in _SAYING or "-" in word for word in words) > MOST_SAYING
    )


MOST_SAYING = 400
"""Words of one sentence of which others tell whether they are verbs: nobody says more."""


def _in_company(sentence: Sentence, place: int) -> Verb | None:
    """What a word does that needs others to say it, or that others make another word."""
    words, word = sentence.words, sentence.words[place]
    tells = word in _TELLING or ("-" in word and word.rpartition("-")[2] in SPOKEN)
    beside = word in _MARKS
    if word in _DOES or not tells:
        return _beside(sentence, place) if beside else None
    verb = verb_at(words, place) or (_beside(sentence, place) if beside else None)
    taken_back = place in sentence.quoted or _other(words, place)
    return None if taken_back else verb


def _beside(sentence: Sentence, place: int) -> Verb | None:
    """What a word does by those around it: `use the tool`, `I need a loan`."""
    words, word = sentence.words, sentence.words[place]
    if word in _LIGHT:
        return _light(words, place)
    return BORROWS if _is_wished(sentence, place) else None


def _light(words: list[str], place: int) -> Verb | None:
    """A verb that says little, by what follows: `process the refund`, `use the PayBill tool`."""
    word = words[place]
    if word in _DOES:
        near = [*takewhile(_still_near, words[place + 1 : place + 6])]
        named = (at for at, one in enumerate(near) if one in NOMINALS and not _other(near, at))
        return next((NOMINALS[near[at]] for at in named), None)
    return next(filter(None, map(named_tool, words[place + 1 : place + 4])), None)


_DOES = words("words/dialogue:verb_places.does")
USES = word_set("use using call calling invoke invoking utilize utilise via with")
_LIGHT = _DOES | USES
_TOOL = re2.compile(
    r"(\w*?)(withdraw|transfer|delete|remove|terminate|cancel|purge|revoke|disable|destroy)(\w*)"
)
_A_WORD = 4
"""Letters that make a word of their own in a tool's name: `cancelorder`, not `cancels`."""

_A_NAME = len("purge") + _A_WORD

_ENDINGS = word_set("able lation lations ence")


def named_tool(word: str) -> Verb | None:
    """What a tool's name says it does, beside another word in it."""
    match = None if len(word) < _A_NAME or word in SPOKEN else _TOOL.fullmatch(word)
    if match is None or match[3] in _ENDINGS or max(len(match[1]), len(match[3])) < _A_WORD:
        return None
    return SPOKEN[match[2]] if len(match[3]) in {0, *range(_A_WORD, len(word))} else None


BORROWS = Verb(base="borrow", kind=Kind.PAYMENT, form=Form.ING)
"""What a wish for a loan announces."""

LOANS = word_set("loan loans advance mortgage overdraft lease financing")


def _is_wished(sentence: Sentence, place: int) -> bool:
    """`get me a loan of`, `I need a loan`; not `what loans are there`, `my loan application`."""
    words = sentence.words
    after = words[place + 1 : place + 2]
    before = words[max(0, place - 6) : place]
    return (
        not _WISHES.isdisjoint(before)
        and not _LENT_TO.isdisjoint(before)
        and (not after or after[0] in STOPS or after[0] in {"of", "for", "worth", "top-up"})
        and sentence.end != "?"
    )


_WISHES = words("words/dialogue:verb_places.wishes")
_LENT_TO = word_set("a an another")


def _is_done(words: list[str], place: int) -> bool:
    """`go on with the deletion`, `starting the deletion`, `the deletion starts now`."""
    leads = not _LEADS.isdisjoint(words[max(0, place - 4) : place])
    return leads or not _BEGINS.isdisjoint(words[place + 1 : place + 8])


_LEADS = word_set("with starting beginning commencing")
_BEGINS = word_set("starts begins commences")
_TELLING = frozenset((*SPOKEN, *PHRASES, *NOMINALS))
_MARKS = _LIGHT | LOANS
_SAYING = _TELLING | _LIGHT | LOANS
_PLAIN = {
    word: verb
    for word, verb in SPOKEN.items()
    if word not in {*_MARKS, *PHRASES, *NOMINALS, *OTHERWISE}
}
"""Verbs that say what they do by themselves, whatever stands around them."""

SAYS = cue(_SAYING) | HYPHEN
"""Without one of these, or a word with a hyphen, no list knows an action of a sentence."""


_ONLY_TRIED = word_set("dry-running dry-run dry-runs dry-ran")
"""It only shows what it would do."""


def verb_at(words: list[str], place: int) -> Verb | None:
    """The verb here, with its particle (`turn … off`), or as a noun (`with the cancellation`)."""
    word = words[place]
    if word in NOMINALS and (_is_done(words, place) or begun_at(words, place) >= 0):
        return NOMINALS[word]
    second = PHRASES.get(word)
    if second and (word, *words[place + 1 : place + 2]) not in _LET_ME:
        near = list(takewhile(_still_near, words[place + 2 : place + 2 + _APART]))
        far = [
            one
            for at, one in enumerate(near)
            if one not in _ADJACENT or is_head(words, place + 2 + at)
        ]
        last = "-".join(words[place + 2 + len(near) :][:2])
        said = (one for one in (*words[place + 1 : place + 2], *far, last) if one in second)
        return next((second[one] for one in said), SPOKEN.get(word))
    plain = SPOKEN.get(word) or SPOKEN.get(word.replace("-", ""))
    return plain or (None if word in _ONLY_TRIED else SPOKEN.get(word.rpartition("-")[2]))


_ADJACENT = word_set("live")
"""Also says what kind of thing it is: `a list of live shows`."""

_APART = 7
"""Words between a verb and its particle, at most: `turn the lamps in the whole hall off`."""

_LET_ME = frozenset({("let", "me"), ("let", "us"), ("letting", "me"), ("letting", "us")})
"""`Let me go through it` lets nobody go."""


def _still_near(word: str) -> bool:
    return word not in {"to", "and", "or"}


def _other(words: list[str], place: int) -> bool:
    """Whether what looks like a verb is another word here: `close variants`, `a set of`."""
    after = words[place + 1] if place + 1 < len(words) else ""
    return after in OTHERWISE.get(words[place], ())
