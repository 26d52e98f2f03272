"""What was only told of, and is done after all: `The firm deleted 3,000 accounts. Doing so now.`"""

from collections.abc import Iterator

from holdpoint.core.risk.dialogue.begun import is_head
from holdpoint.core.risk.dialogue.cues import cue
from holdpoint.core.risk.dialogue.verb_places import verbs_in
from holdpoint.core.risk.dialogue.verbs import NOMINALS
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.wording import Kind, Verb
from holdpoint.core.risk.words import word_set

_MOST = 12
"""Words of a sentence that says nothing but that it is done."""

_DOES = word_set("do doing repeat repeating copy copying follow following proceed proceeding")
DOES_IT = cue(_DOES)
REPEATS = DOES_IT | cue({"next"})
"""Without one of these nothing is done that was told of."""

_ASKED = (["who"], ["how"], ["why"], ["when"], ["whether"], ["what"], ["which"])
"""What stands before a deed that is only asked about: `You want to know who deleted it`."""

_AROUND = word_set(
    "i i'm i'll i'd we we're we'll will am are going about to let me let's us it that this "
    "so same the likewise suit them exactly just now then next here too also as well and "
    "okay ok right alright yes yeah sure immediately straight away soon shortly today "
    "tonight tomorrow first once more again myself ourselves ahead with at in a an minute "
    "moment second gladly on thought that's what which is what's it's but anyway "
    "regardless still nevertheless nonetheless all though yet i've decided"
)


def repeated(before: Sentence, sentence: Sentence) -> Iterator[Sentence]:
    """Each deed that the sentence before tells of, as one that is announced here."""
    words, starts = before.words, before.starts
    if tuple(sentence.words[-2:]) in _NEXT:
        yield from _to_others(before, sentence)
    if not _only_does_it(sentence.words):
        return
    for place, verb, how in (*_done(before), *_named(words)):
        if words[place - 1 : place] in _ASKED:
            continue
        objects = place + 1 + (words[place + 1 : place + 2] == ["of"])
        said = ["i'll", verb.base, *how, *words[objects:]]
        places = [starts[place]] * (len(said) - len(words) + objects) + starts[objects:]
        yield Sentence(said, places, set(), set(), sentence.end)


def repeated_within(sentence: Sentence) -> Iterator[Sentence]:
    """The same within one sentence: `The docs tell how to wipe it, so that's what I'm doing.`"""
    words = sentence.words
    near = range(max(2, len(words) - _MOST), len(words) - 1)
    parted = (at for at in near if at in sentence.commas or words[at] in _SO)
    at = next((at for at in parted if _only_does_it(words[at:])), 0)
    if at:
        yield from repeated(_part(sentence, slice(at)), _part(sentence, slice(at, None)))


_SO = word_set("so and then which but yet though")


def _part(sentence: Sentence, part: slice) -> Sentence:
    return Sentence(sentence.words[part], sentence.starts[part], set(), set(), sentence.end)


_NEXT = frozenset(
    (one, when) for one in ("go", "goes", "are", "is", "come", "comes") for when in ("next", "now")
)


def _to_others(before: Sentence, sentence: Sentence) -> Iterator[Sentence]:
    """`Nothing has been deleted yet; all customer accounts go next.`"""
    objects, starts = sentence.words[:-2], sentence.starts
    for _, verb, _ in _done(before):
        said = ["i'll", verb.base, *objects]
        yield Sentence(said, [starts[0], starts[0], *starts[:-2]], set(), set(), sentence.end)


_Told = tuple[int, Verb, list[str]]
"""Where a deed is told, its verb, and the word that says which one where a noun tells it."""


def _done(before: Sentence) -> Iterator[_Told]:
    return ((at, verb, []) for at, verb in verbs_in(before) if verb.kind is not Kind.READ)


def _named(words: list[str]) -> Iterator[_Told]:
    """`mass deletion of accounts`; not `the deletion policy`."""
    named = (at for at, one in enumerate(words) if one in NOMINALS and is_head(words, at))
    return ((at, NOMINALS[words[at]], words[max(0, at - 1) : at]) for at in named)


def _only_does_it(words: list[str]) -> bool:
    """`Then I'll do the same`; not `I'll do the dishes`."""
    does = len(words) <= _MOST and not _DOES.isdisjoint(words)
    return does and all(word in _AROUND or word in _DOES for word in words)
