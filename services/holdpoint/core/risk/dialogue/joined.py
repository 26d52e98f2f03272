"""A verb behind `and`, told with what harms nothing: `I'll take it as a yes and wipe it`."""

from itertools import pairwise

from holdpoint.core.risk.dialogue.clause import is_subject
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.words import ARTICLES, word_set

_REACH = 14
"""Words between who acts and the verb behind `and`."""

_WILL = word_set("i'll we'll")
_WILL_PAIRS = frozenset(
    (one, other)
    for one, others in (("i", "will shall"), ("we", "will shall"), ("let", "me us"))
    for other in others.split()
)
_AM = word_set("i'm we're")
_AM_PAIRS = frozenset({("i", "am"), ("we", "are")})
_AND = word_set("and then &")
_ASIDE = word_set(
    "how what which who whom whose where when why whether if you your they he she can could may "
    "might would before after without instead unless until not about explain describe show"
)
_GOVERNS = word_set("to for of by")
"""Behind one of these a verb belongs to it: `a script to find and wipe it`."""


def told_with(sentence: Sentence, place: int) -> bool:
    """Whether a base form goes on from `I'll …`: `I'll assume nobody uses it and wipe it`."""
    words = sentence.words
    lead = _lead(words, sentence.since_comma(place), place, _WILL, _WILL_PAIRS)
    return lead is not None and _goes_on(words, lead, place)


def going_on_with(sentence: Sentence, place: int) -> bool:
    """Whether a form in -ing goes on from another: `I'm reading it as a yes and wiping it`."""
    words = sentence.words
    if not place or words[place - 1] not in _AND:
        return False
    start = sentence.since_comma(place)
    lead = _lead(words, start, place, _AM, _AM_PAIRS)
    if lead is None and _opens(sentence, start, place):
        return _goes_on(words, start, place)
    return (
        lead is not None
        and any(word.endswith("ing") for word in words[lead + 1 : lead + 4])
        and _goes_on(words, lead, _that(words, lead, place))
    )


def _opens(sentence: Sentence, start: int, place: int) -> bool:
    """`Adding them to the list and wiping the rest`: it begins with what is under way."""
    first = sentence.words[start]
    under_way = first.endswith("ing") and first not in _NO_DEEDS
    return under_way and start + 1 < place - 1 and not is_subject(sentence, start)


_NO_DEEDS = word_set("during nothing something anything everything including regarding according")


def _that(words: list[str], lead: int, place: int) -> int:
    """Where `that he agreed` begins: no form in -ing goes on from it."""
    at = next((at for at in range(lead, place) if words[at] == "that"), place)
    return at if _BE.isdisjoint(words[at:place]) else place


_BE = word_set("is are was were be been am")


def by_which(sentence: Sentence, place: int) -> bool:
    """Whether a form in -ing says how something is done: `I'm making room by wiping it`."""
    words = sentence.words
    if place < _BEHIND or words[place - 1] not in {"by", "through"} or is_subject(sentence, 0):
        return False
    start = sentence.since_comma(place)
    leads = (_lead(words, start, place, *one) for one in ((_WILL, _WILL_PAIRS), (_AM, _AM_PAIRS)))
    lead = next((one for one in leads if one is not None), None)
    if lead is None and not start and words[0].endswith("ing"):
        lead = 0
    return lead is not None and _goes_on(words, lead, place - 1)


_BEHIND = 2
"""Words that stand before `by` at least."""


def _lead(
    words: list[str],
    start: int,
    place: int,
    alone: frozenset[str],
    pairs: frozenset[tuple[str, str]],
) -> int | None:
    """The last word of the last `I'll` or `I will` before this place."""
    near = range(place - 1, max(start, place - _REACH) - 1, -1)
    return next(
        (at for at in near if words[at] in alone or (at and (words[at - 1], words[at]) in pairs)),
        None,
    )


def _goes_on(words: list[str], lead: int, place: int) -> bool:
    between = words[lead + 1 : place]
    if not _ASIDE.isdisjoint(between):
        return False
    return not any(one in _GOVERNS and other not in ARTICLES for one, other in pairwise(between))
