"""`read_dialogue`: what a text of an agent's announces, and what is grave about it."""

from decimal import Decimal

import msgspec

from holdpoint.core.risk.dialogue.deeds import Deed, deeds_in
from holdpoint.core.risk.dialogue.gravity import Remark, remarks
from holdpoint.core.risk.dialogue.sums import bare_sums_in, shares_in, sums_in
from holdpoint.core.risk.dialogue.words import Sentence, sentences, too_long
from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.money import Money
from holdpoint.core.risk.wording import Kind

_ABOUT_MONEY = word_set(
    "payment premium rent loan invoice transfer deposit withdrawal refund bill fee price "
    "money funds transaction purchase donation salary bonus tip budget reimbursement"
)


class Announcement(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a text announces."""

    deeds: tuple[Deed, ...] = ()
    amounts: tuple[Money, ...] = ()
    """An empty currency: none was named."""

    percents: tuple[Decimal, ...] = ()
    remarks: tuple[Remark, ...] = ()
    whole: bool = True
    """False when there were more words than are read."""


def read_dialogue(text: str) -> Announcement:
    """Read a case-folded text.

    Sums count where something is done, and everywhere once the text speaks of paying.
    """
    told = [(sentence, deeds_in(sentence)) for sentence in sentences(text)]
    every = tuple(deed for _, deeds in told for deed in deeds)
    pays = any(deed.verb.kind is Kind.PAYMENT for deed in every)
    acting = [one for one, deeds in told if pays or any(_acts(deed) for deed in deeds)]
    paying = [one for one in acting if pays or _ABOUT_MONEY & set(one.words)]
    return Announcement(
        deeds=every,
        amounts=(*_sums(acting), *(money for one in paying for money in bare_sums_in(one))),
        percents=tuple(share for one in acting for share in shares_in(one)),
        remarks=tuple(remarks(every, text)),
        whole=not too_long(text),
    )


def _sums(acting: list[Sentence]) -> list[Money]:
    return [money for one in acting for money in sums_in(one)]


def _acts(deed: Deed) -> bool:
    return deed.verb.kind is not Kind.READ


_denied = glance(r"\b(?:not|never|without|\w+n't|no longer)\b")


def denies(text: str) -> bool:
    """Whether something in it is denied."""
    return _denied(text)


def gravest(deeds: tuple[Deed, ...]) -> Deed | None:
    """The deed that the whole text is about: the worst kind, then the most records."""
    return max(deeds, key=_gravity, default=None)


def _gravity(deed: Deed) -> tuple[int, int, bool]:
    return (_ORDER.index(deed.verb.kind), deed.records or 0, deed.wide)


_ORDER = tuple(Kind)
