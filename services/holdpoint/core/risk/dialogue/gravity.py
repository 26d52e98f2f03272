"""How grave announced deeds are beyond their counts: what is lost, let in, given away, asked."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from holdpoint.core.risk.dialogue.begun import is_head
from holdpoint.core.risk.dialogue.countersigned import wants_a_look
from holdpoint.core.risk.dialogue.deeds import Deed
from holdpoint.core.risk.dialogue.doubts import (
    asks_back,
    is_grave,
    is_harmless,
    left_to_you,
    looks_further,
)
from holdpoint.core.risk.dialogue.finality import no_way_back
from holdpoint.core.risk.dialogue.hedges import hedge_in
from holdpoint.core.risk.dialogue.leave import Leave, asks_for_a_deed
from holdpoint.core.risk.dialogue.light import BORROWS
from holdpoint.core.risk.dialogue.mood import Mood
from holdpoint.core.risk.dialogue.pairing import LOSS, NEAR, POWER, SIZE, Pairing
from holdpoint.core.risk.dialogue.pairings import BY_VERB
from holdpoint.core.risk.dialogue.production import in_production
from holdpoint.core.risk.dialogue.reasons import (
    all_said,
    filled_in,
    final_said,
    unsure_said,
    verb_said,
    what_goes,
)
from holdpoint.core.risk.dialogue.undecided import undecided
from holdpoint.core.risk.dialogue.undertaken import undertaken
from holdpoint.core.risk.dialogue.verbs import NOMINALS, PRECIOUS, STRONG
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.wording import Form, Kind, gerund, third_person
from holdpoint.core.risk.words import word_set
from holdpoint.messages.risk import Heuristic, RiskLevel


class Remark(msgspec.Struct, frozen=True, kw_only=True):
    """What is remarked on, where the folded text says so."""

    rule: str
    heuristic: Heuristic
    level: RiskLevel
    reason: str
    span: tuple[int, int]


def _alone(deed: Deed, near: frozenset[str]) -> Iterator[tuple[str, Heuristic, str]]:
    """What the verb says by its kind: something of value goes, nothing is left, all is changed."""
    base, kind, told = deed.verb.base, deed.verb.kind, verb_said(deed.verb.base)
    kept = PRECIOUS & near if kind is Kind.DELETE else None
    shown_anew = base in {"format", "reformat"} and near.isdisjoint(_FORMATTED)
    if kept and not shown_anew:
        yield "deed.precious", LOSS, f"{gerund(told)} {what_goes(kept, deed)} cannot be undone"
    if kind is Kind.DELETE and _is_the_only(deed.objects):
        yield "deed.only", LOSS, f"after “{told}” no other one is left"
    if (base in STRONG and not shown_anew) or _empties_it(base, deed.objects) or _is_loss(deed):
        yield "deed.final", LOSS, final_said(base)
    gathers = base in _GATHERS and not _TOGETHER.isdisjoint(near)
    two = base in _PLACES and "both" in deed.objects[:NEAR]
    takes_all = deed.whole and kind in _CHANGES and not (gathers or two)
    if takes_all and not is_harmless(deed):
        yield "deed.all", SIZE, all_said(deed)
    if kind is Kind.UPDATE and in_production(deed.objects):
        yield "deed.production", POWER, f"it {third_person(told)} what runs in production"
    if base == "put-live" and _ON_AIR.isdisjoint(near) and deed.objects[:1] != ("its",):
        yield "deed.live", POWER, "what goes live is used by people at once"
    lent = deed.verb is BORROWS or (base == "apply" and "loan" in near)
    if lent and not any(map(_is_sum, deed.objects)):
        yield "deed.loan", SIZE, "a loan binds somebody, and no sum is named"


def _empties_it(base: str, objects: tuple[str, ...]) -> bool:
    """`Wipe it`: whatever it is, it keeps nothing; not `wipe it clean`."""
    direct = objects[objects[:1] == (base,) :]
    return base in _EMPTIES and direct[:1] in _IT and _RUBBED.isdisjoint(objects[:NEAR])


_ON_AIR = word_set(
    "stream show podcast twitch youtube webinar air camera tv channel radio concert interview talk "
    "session panel stage"
)
"""What is live is only shown there."""


def _is_loss(deed: Deed) -> bool:
    """`Commence the purge`: nothing is left of whatever it is; not `the purge setting`."""
    named = (at for at, one in enumerate(deed.objects[:NEAR]) if NOMINALS.get(one) is deed.verb)
    at = next(named, -1)
    return at >= 0 and deed.objects[at] in _LOSSES and is_head(deed.objects, at)


_LOSSES = word_set("purge wipe teardown erasure decommissioning demolition liquidation")
_EMPTIES = word_set("wipe purge erase delete drop")
_IT = (("it",), ("them",), ("this",), ("that",))
_RUBBED = word_set("down clean off dry with cloth sponge board")
_CHANGES = frozenset({Kind.UPDATE, Kind.PAYMENT})
_GATHERS = word_set("put set lay line proceed")
_PLACES = word_set("put set lay mock")
_TOGETHER = word_set("together side next with")
"""`Put them side by side`, `go on with all of it`: laid out, or nothing by itself."""


def _is_the_only(objects: tuple[str, ...]) -> bool:
    """`the only copy`, `the last original`."""
    return any(one in _SOLE and two in _ONES for one, two in pairwise(objects[:NEAR]))


_SOLE = word_set("only last sole single")
_ONES = word_set(
    "copy backup original originals specimen master key record existing remaining admin "
    "administrator owner negative"
)
_FORMATTED = word_set(
    "recorder disk disks drive drives volume volumes partition usb stick card cards phone device "
    "devices machine server servers tablet laptop computer console camera filesystem everything all"
)
"""What loses everything when it is formatted; a file or a report only looks another way."""


def _is_sum(word: str) -> bool:
    return word[0] in "$€£¥₹0123456789"


def _paired(deed: Deed, near: frozenset[str]) -> Iterator[tuple[str, Heuristic, str]]:
    """What the verb and its object are together."""
    for pairing in BY_VERB.get(deed.verb.base, ()):
        around = near if _is_close(pairing) else frozenset(deed.objects)
        things = pairing.things & around
        if things and _fits(pairing, deed, near, things, around):
            reason = filled_in(pairing.reason, deed.verb.base, min(things), deed.objects)
            yield pairing.rule, pairing.heuristic, reason


def _fits(
    pairing: Pairing,
    deed: Deed,
    near: frozenset[str],
    things: frozenset[str],
    around: frozenset[str],
) -> bool:
    """Whether nothing makes it harmless, and what must stand beside its things does."""
    if pairing.unless & near or (pairing.whole and not deed.whole):
        return False
    if pairing.uncounted and deed.records is not None:
        return False
    beside = pairing.beside & around
    return not pairing.beside or (bool(beside) and len(beside | things) > 1)


def within(span: tuple[int, int], places: Sequence[tuple[int, int]]) -> bool:
    """Whether it begins in one of these places."""
    return any(start <= span[0] < end for start, end in places)


def _is_close(pairing: Pairing) -> bool:
    return pairing.heuristic is not SIZE and pairing.reach == NEAR


def remarks(
    deeds: tuple[Deed, ...], text: str, told: Sequence[Sentence], leaves: Sequence[Leave]
) -> Iterator[Remark]:
    """What is grave about each deed; and doubt, when something is done all the same."""
    mild = [one.span for one in leaves if one.mild]
    acting = [deed for deed in deeds if deed.verb.kind is not Kind.READ]
    known: set[Remark] = set()
    for deed in acting:
        yield from _grave(deed, known)
        if deed.mood is Mood.ASKED and not within(deed.span, mild):
            asks = f"the agent asks whether it may {verb_said(deed.verb.base)}"
            yield _remark("doubt.asks-deed", Heuristic.UNCERTAINTY, asks, deed.span)
    asked = [
        deed.span for deed in acting if deed.mood is Mood.ASKED and not within(deed.span, mild)
    ]
    wished = [one for one in filter(asks_for_a_deed, leaves) if not _is_said(one.span, asked)]
    for leave in wished:
        asks = f"the agent asks for leave: may it {leave.deed}?"
        yield _remark("doubt.asks-for-leave", Heuristic.UNCERTAINTY, asks, leave.span)
    looks = [one.span[0] for one in deeds if looks_further(one, text)]
    doubted = [deed for deed in acting if not is_harmless(deed)]
    back = no_way_back(text, told, acts=bool(doubted))
    if back and not within(back, mild):
        yield _remark("deed.no-way-back", LOSS, "the agent says that there is no way back", back)
    leave_asked = bool(asked or wished)
    for remark in _doubting(doubted, text, told, looks=looks):
        again = leave_asked and remark.rule == "doubt.asks-back"
        if not (again or within(remark.span, mild)):
            yield remark


def _grave(deed: Deed, known: set[Remark]) -> Iterator[Remark]:
    """What is grave about a deed, unless it is known of the same words."""
    if deed.edits:
        return
    near = frozenset(deed.objects[-NEAR:] if _is_passive(deed) else deed.objects[:NEAR])
    for told in (*_alone(deed, near), *_paired(deed, near)):
        remark = _remark(*told, deed.span)
        if remark not in known:
            known.add(remark)
            yield remark


def _without(looks: list[int], doubted: list[Deed]) -> list[int]:
    """Where it looks further, without what is an act beside a doubt."""
    acts = [deed.span[0] for deed in doubted]
    return [at for at in looks if at not in acts]


def _is_said(place: tuple[int, int], asked: Sequence[tuple[int, int]]) -> bool:
    """Whether leave for a deed in this sentence was remarked on."""
    return any(place[0] <= start < place[1] for start, _ in asked)


def _doubting(
    acting: list[Deed], text: str, told: Sequence[Sentence], *, looks: list[int]
) -> Iterator[Remark]:
    """What is done although it is doubted, or put as a question."""
    if not acting and (acting := undertaken(text, told)):
        looks = _without(looks, acting)
    if hedge := _hedge(acting, text, told, looks=looks):
        why = unsure_said(acting, text[slice(*hedge)])
        yield _remark("doubt.acts", Heuristic.UNCERTAINTY, why, hedge)
    looked = hedge or any(not text.startswith("looks", place) for place in looks)
    unsettled = None if looked else undecided(told)
    if unsettled:
        why = "the agent is not sure of what its next step hangs on"
        yield _remark("doubt.undecided", Heuristic.UNCERTAINTY, why, unsettled)
    question = asks_back(text, told) or (left_to_you(text, told) if acting else None)
    if question := question or wants_a_look(text, told):
        why = "the agent asks for confirmation before it goes on"
        yield _remark("doubt.asks-back", Heuristic.UNCERTAINTY, why, question)


def _hedge(
    acting: list[Deed], text: str, told: Sequence[Sentence], *, looks: list[int]
) -> tuple[int, int] | None:
    """Where it hedges beside what it does."""
    if not acting:
        return None
    acts = [deed.span[0] for deed in acting if is_grave(deed) or _is_under_way(deed)]
    done = [deed.span[0] for deed in acting if not _settles(deed, text)]
    return hedge_in(text, told, done=done, acts=acts, looks=looks)


def _settles(deed: Deed, text: str) -> bool:
    """`I'll go with a bar chart`: what is chosen by it is not done yet."""
    return deed.verb.base == "go" and text.startswith((" with ", " for "), deed.span[1])


def _is_under_way(deed: Deed) -> bool:
    """`I'm shipping it`, `out it goes`."""
    return deed.verb.form is Form.ING or deed.verb.base == "goes"


def _is_passive(deed: Deed) -> bool:
    return deed.verb.form is Form.PAST


def _remark(rule: str, heuristic: Heuristic, reason: str, span: tuple[int, int]) -> Remark:
    return Remark(rule=rule, heuristic=heuristic, level=RiskLevel.HIGH, reason=reason, span=span)
