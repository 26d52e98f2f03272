"""`read_dialogue`: what a text of an agent's announces."""

from collections.abc import Iterator
from decimal import Decimal

import msgspec

from holdpoint.core.risk.dialogue.counts import counted
from holdpoint.core.risk.dialogue.cues import shared
from holdpoint.core.risk.dialogue.hedges import doubted
from holdpoint.core.risk.dialogue.permission_requests import harmless_requests
from holdpoint.core.risk.dialogue.products import products_in
from holdpoint.core.risk.dialogue.quotations import Spans, only_mentioned, quotations
from holdpoint.core.risk.dialogue.stated_actions import StatedAction, actions_in, is_tangled
from holdpoint.core.risk.dialogue.sums import bare_sums_in, shares_in, sums_in
from holdpoint.core.risk.dialogue.words import Sentence, sentences, too_long
from holdpoint.core.risk.extract.money import Money
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.wording import Kind
from holdpoint.core.risk.words import word_set

_ABOUT_MONEY = words("words/dialogue:announcement.about_money")


MOST_ACTIONS = 120
"""Actions of one text that are looked at."""


class Announcement(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a text announces; what only matters to what patterns find comes last."""

    actions: tuple[StatedAction, ...] = ()
    amounts: tuple[Money, ...] = ()
    """An empty currency: none was named."""

    percents: tuple[Decimal, ...] = ()
    sentences: tuple[Sentence, ...] = ()
    """All that it says, also where nothing is announced."""

    mentioned: tuple[tuple[int, int], ...] = ()
    """Where it only talks of something: quotations, edits of a text."""

    harmless: tuple[tuple[int, int], ...] = ()
    """Places in which it only asks for permission to do what harms nobody."""

    doubted: tuple[int, int] | None = None
    """Place of a doubt in a text that says something is done all the same."""

    whole: bool = True
    """False when there were more words than are read."""

    text: str = ""
    """As it was read: each quoted order that is carried out stands by itself."""

    @property
    def acts(self) -> bool:
        """Whether it announces more than reading."""
        return any(map(_acts, self.actions))

    def denied(self) -> bool:
        """Whether it announces nothing, and denies something."""
        return not self.acts and _denies(self.text)

    def denies(self, span: tuple[int, int]) -> bool:
        """Whether it denies what stands here: in every part of a sentence that this concerns."""
        parts = [
            (start, end)
            for sentence in self.sentences
            for start, end in sentence.parts()
            if start < span[1] and span[0] < end
        ]
        return bool(parts) and all(_denies(self.text[start:end]) for start, end in parts)


def read_dialogue(text: str) -> Announcement:
    """Read a case-folded text.

    Sums count where something is done, and everywhere once the text speaks of paying.
    """
    said = tuple(sentences(text))
    quotes = quotations(text)
    told = list(_told(said, quotes))
    every = tuple([action for _, actions in told for action in actions])
    pays, acts = any(map(_pays, every)), any(map(_acts, every))
    listed = _with_their_lists(told) if pays or acts else ()
    acting = [one for one, does in listed if pays or does]
    paying = [one for one in acting if pays or not _ABOUT_MONEY.isdisjoint(one.words)]
    harmless = tuple(harmless_requests(said))
    doubt = doubted(every, text, said)
    return Announcement(
        actions=every,
        doubted=None if doubt and _within(doubt, harmless) else doubt,
        amounts=(
            *_sums(acting, pays=pays),
            *(money for one in paying for money in bare_sums_in(one)),
        ),
        percents=tuple(share for one in acting for share in shares_in(one)),
        mentioned=only_mentioned(quotes, every),
        sentences=said,
        harmless=harmless,
        whole=len(told) == len(said) and not too_long(text) and not any(map(is_tangled, said)),
        text=text,
    )


def _within(span: tuple[int, int], places: Spans) -> bool:
    return any(start <= span[0] < end for start, end in places)


def _told(
    said: tuple[Sentence, ...], quotes: Spans
) -> Iterator[tuple[Sentence, list[StatedAction]]]:
    """Each sentence with its actions, until there are more than anybody announces."""
    before, found = None, 0
    for sentence in said:
        if found > MOST_ACTIONS:
            return
        actions = _recalled(_said(actions_in(sentence), quotes), before)
        found += len(actions)
        if len(sentence.words) > 1 or not sentence.words[0].isdecimal():  # `1.` of a list
            before = sentence
        yield sentence, actions


def _with_their_lists(
    told: list[tuple[Sentence, list[StatedAction]]],
) -> Iterator[tuple[Sentence, bool]]:
    """Each sentence, and whether it does something or lists what the one before it does."""
    before = False
    for sentence, actions in told:
        does = before or (bool(actions) and any(map(_acts, actions)))
        yield sentence, does
        before = does and sentence.end == ":"


def _recalled(actions: list[StatedAction], before: Sentence | None) -> list[StatedAction]:
    """With what the sentence before counted, where they take up its things: `delete the lot`."""
    if before is None or not any(map(_takes_up, actions)):
        return actions
    records, noun = counted(before)
    return [
        msgspec.structs.replace(action, records=records, noun=noun, wide=True)
        if records > 1
        and _takes_up(action)
        and (_PRONOUNS & set(action.objects[:4]) or _named(noun, action))
        else action
        for action in actions
    ]


def _takes_up(action: StatedAction) -> bool:
    return action.records is None and action.verb.kind is not Kind.READ and not action.edits


def _named(noun: str, action: StatedAction) -> bool:
    return noun.rpartition("_")[2] in action.objects


_PRONOUNS = word_set("them these those em lot")


def _said(actions: list[StatedAction], quotes: Spans) -> list[StatedAction]:
    """Without those that stand in a quotation."""
    if not quotes:
        return actions
    return [action for action in actions if not any(a <= action.span[0] < b for a, b in quotes)]


def _sums(acting: list[Sentence], *, pays: bool) -> Iterator[Money]:
    for one in acting:
        sums = sums_in(one)
        yield from sums
        yield from products_in(one, sums, pays=pays)


def _pays(action: StatedAction) -> bool:
    return action.verb.kind is Kind.PAYMENT or action.verb.base in _BUYS


_BUYS = word_set("book reserve subscribe")
"""What is paid for, though the words do not say so."""


def _acts(action: StatedAction) -> bool:
    return action.verb.kind is not Kind.READ


_denies = shared(r"\b(?:not|nothing|never|without|\w+n't|no longer)\b")


def gravest(actions: tuple[StatedAction, ...]) -> StatedAction | None:
    """The action that the whole text is about: the worst kind, then the most records."""
    return max(actions, key=_gravity, default=None)


def _gravity(action: StatedAction) -> tuple[int, int, bool]:
    return (_ORDER.index(action.verb.kind), action.records or 0, action.wide)


_ORDER = tuple(Kind)
