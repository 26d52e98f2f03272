"""`read_dialogue`: what a text of an agent's announces."""

from collections.abc import Iterator
from decimal import Decimal

import msgspec

from holdpoint.core.risk.dialogue.antecedent import TAKES_UP, named_before
from holdpoint.core.risk.dialogue.counts import counted
from holdpoint.core.risk.dialogue.cues import shared
from holdpoint.core.risk.dialogue.declined import denied_places, passed_on, without_declined
from holdpoint.core.risk.dialogue.deeds import Deed, deeds_in, is_tangled
from holdpoint.core.risk.dialogue.excepted import EXCEPTS, excepted
from holdpoint.core.risk.dialogue.hedges import doubted
from holdpoint.core.risk.dialogue.leave import harmless_requests
from holdpoint.core.risk.dialogue.legal import clauses, is_legal, without_clauses
from holdpoint.core.risk.dialogue.mentions import (
    Spans,
    advised_against,
    commented,
    described,
    only_mentioned,
    quotations,
    talked_of,
    tells_of,
    titled,
    wondered,
)
from holdpoint.core.risk.dialogue.news import tells_news
from holdpoint.core.risk.dialogue.obeyed import unquoted
from holdpoint.core.risk.dialogue.products import products_in
from holdpoint.core.risk.dialogue.repeated import DOES_IT, REPEATS, repeated, repeated_within
from holdpoint.core.risk.dialogue.reports import reported, speaks_for_itself, without_others
from holdpoint.core.risk.dialogue.resumed import RESUMES, taken_up
from holdpoint.core.risk.dialogue.sums import bare_sums_in, shares_in, sums_in
from holdpoint.core.risk.dialogue.words import Sentence, sentences, too_long
from holdpoint.core.risk.extract.money import Money
from holdpoint.core.risk.wording import Kind
from holdpoint.core.risk.words import word_set

_ABOUT_MONEY = word_set(
    "payment premium rent loan invoice transfer deposit withdrawal refund bill fee price "
    "money funds transaction purchase donation salary bonus tip budget reimbursement spend "
    "spending cost costs contract tuition mortgage payroll wages claim settlement bail "
    "standing debit retainer prize reward stipend allowance pension"
)


MOST_DEEDS = 120
"""Deeds of one text that are looked at."""


class Announcement(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a text announces; what only matters to what patterns find comes last."""

    deeds: tuple[Deed, ...] = ()
    amounts: tuple[Money, ...] = ()
    """An empty currency: none was named."""

    percents: tuple[Decimal, ...] = ()
    sentences: tuple[Sentence, ...] = ()
    """All that it says, also where nothing is announced."""

    mentioned: tuple[tuple[int, int], ...] = ()
    """Where it only talks of something: quotations, edits of a text."""

    harmless: tuple[tuple[int, int], ...] = ()
    """Where it only asks for leave to do what harms nobody."""

    doubted: tuple[int, int] | None = None
    """Place of a doubt in a text that says something is done all the same."""

    whole: bool = True
    """False when there were more words than are read."""

    text: str = ""
    """As it was read: each quoted order that is carried out stands by itself."""

    legal: bool = False
    """Whether it is a contract, a licence or the like."""

    @property
    def acts(self) -> bool:
        """Whether it announces more than reading."""
        return any(map(_acts, self.deeds))

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

    def _is_denial(self, sentence: Sentence) -> bool:
        return any(_denies(self.text[start:end]) for start, end in sentence.parts())

    def retold(self) -> Spans:
        """Where verbs stand that it only retells, while it announces nothing itself."""
        if self.acts:
            return ()
        said = self.sentences
        legal = clauses(said) if self.legal else ()
        denied = denied_places(filter(self._is_denial, said)) if self.denied() else ()
        return (*reported(said), *legal, *denied)


def read_dialogue(text: str) -> Announcement:
    """Read a case-folded text.

    Sums count where something is done, and everywhere once the text speaks of paying.
    """
    found = quotations(text)
    plain = unquoted(text, found)
    said = tuple(sentences(plain))
    quotes = _told_of(plain, said, found if plain is text else ())
    text, legal = plain, is_legal(plain, said)
    told = without_declined(list(_told(said, quotes)))
    told = without_clauses(told) if legal else told
    every = tuple([deed for _, deeds in told for deed in deeds])
    pays, acts = any(map(_pays, every)), any(map(_acts, every))
    listed = _with_their_lists(told) if pays or acts else ()
    acting = [one for one, does in listed if pays or does]
    paying = [one for one in acting if pays or not _ABOUT_MONEY.isdisjoint(one.words)]
    harmless = tuple(harmless_requests(said))
    doubt = doubted(every, text, said)
    return Announcement(
        deeds=every,
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
        legal=legal,
    )


def _within(span: tuple[int, int], places: Spans) -> bool:
    return any(start <= span[0] < end for start, end in places)


def _told_of(text: str, said: tuple[Sentence, ...], quotes: Spans) -> Spans:
    """With what it passes on, the topics of pages, and what it only describes."""
    if ":" in text:
        quotes = (*quotes, *passed_on(said))
    if " called " in text or "titled " in text:
        quotes = (*quotes, *titled(text))
    if " about " in text:
        quotes = (*quotes, *talked_of(text), *(commented(text) if len(said) == 1 else ()))
    if len(said) == 1 and " against" in text:
        quotes = (*quotes, *advised_against(said))
    if "?" in text:
        quotes = (*quotes, *wondered(said))
    if '"' in text or "`" in text:
        found = tuple(described(text))
        quotes = (*quotes, *found) if found and not any(map(speaks_for_itself, said)) else quotes
    return quotes


def _told(said: tuple[Sentence, ...], quotes: Spans) -> Iterator[tuple[Sentence, list[Deed]]]:
    """Each sentence with its deeds, until there are more than anybody announces."""
    before, found, acted, going = None, 0, False, False
    for sentence in said:
        if found > MOST_DEEDS:
            return
        resumes = before is not None and sentence.cues & RESUMES
        whole = taken_up(before, sentence) if before and resumes else sentence
        deeds = deeds_in(whole, going=going)
        if deeds:
            deeds = without_others(_recalled(_said(deeds, quotes), before), whole)
            deeds = [] if len(said) == 1 and tells_news(sentence) else deeds
            if before and sentence.cues & TAKES_UP:
                deeds = [*deeds, *named_before(deeds, before)]
        if sentence.cues & _AGAIN and (again := _once_more(sentence, None if acted else before)):
            deeds = [*deeds, *again]
        found += len(deeds)
        if len(sentence.words) > 1 or not sentence.words[0].isdecimal():  # `1.` of a list
            before, acted = sentence, any(map(_acts, deeds))
            going = acted and sentence.end == ":"
        yield sentence, deeds


_AGAIN = REPEATS | EXCEPTS


def _once_more(sentence: Sentence, before: Sentence | None) -> list[Deed]:
    """What was only told of or denied, here or before, and is done after all."""
    told = [*excepted(sentence)] if sentence.cues & EXCEPTS else []
    if sentence.cues & DOES_IT:
        told += repeated_within(sentence)
    if before and sentence.cues & REPEATS:
        told += repeated(before, sentence)
    return [deed for one in told for deed in deeds_in(one, going=False)]


def _with_their_lists(
    told: list[tuple[Sentence, list[Deed]]],
) -> Iterator[tuple[Sentence, bool]]:
    """Each sentence, and whether it does something or lists what the one before it does."""
    before = False
    for sentence, deeds in told:
        does = before or (bool(deeds) and any(map(_does, deeds)))
        yield sentence, does
        before = does and sentence.end == ":"


def _does(deed: Deed) -> bool:
    return _acts(deed) and not tells_of(deed)


def _recalled(deeds: list[Deed], before: Sentence | None) -> list[Deed]:
    """With what the sentence before counted, where they take up its things: `delete the lot`."""
    if before is None or not any(map(_takes_up, deeds)):
        return deeds
    records, noun = counted(before)
    return [
        msgspec.structs.replace(deed, records=records, noun=noun, wide=True)
        if records > 1
        and _takes_up(deed)
        and (_PRONOUNS & set(deed.objects[:4]) or _named(noun, deed))
        else deed
        for deed in deeds
    ]


def _takes_up(deed: Deed) -> bool:
    return deed.records is None and deed.verb.kind is not Kind.READ and not deed.edits


def _named(noun: str, deed: Deed) -> bool:
    return noun.rpartition("_")[2] in deed.objects


_PRONOUNS = word_set("them these those em lot")


def _said(deeds: list[Deed], quotes: Spans) -> list[Deed]:
    """Without those that stand in a quotation."""
    if not quotes:
        return deeds
    return [deed for deed in deeds if not any(a <= deed.span[0] < b for a, b in quotes)]


def _sums(acting: list[Sentence], *, pays: bool) -> Iterator[Money]:
    for one in acting:
        sums = sums_in(one)
        yield from sums
        yield from products_in(one, sums, pays=pays)


def _pays(deed: Deed) -> bool:
    return deed.verb.kind is Kind.PAYMENT or deed.verb.base in _BUYS


_BUYS = word_set("book reserve subscribe")
"""What is paid for, though the words do not say so."""


def _acts(deed: Deed) -> bool:
    return deed.verb.kind is not Kind.READ


_denies = shared(r"\b(?:not|nothing|never|without|\w+n't|no longer)\b")


def gravest(deeds: tuple[Deed, ...]) -> Deed | None:
    """The deed that the whole text is about: the worst kind, then the most records."""
    return max(deeds, key=_gravity, default=None)


def _gravity(deed: Deed) -> tuple[int, int, bool]:
    return (_ORDER.index(deed.verb.kind), deed.records or 0, deed.wide)


_ORDER = tuple(Kind)
