"""What the learned reader adds to the rules' signals on a sentence, and which it tones down."""

import re
from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from holdpoint.core.risk.dialogue.phrasal_verbs import PHRASES
from holdpoint.core.risk.dialogue.verbs import SPOKEN
from holdpoint.core.risk.intents.classifier import (
    MAX_CHARACTERS,
    Heard,
    Reader,
    ReaderError,
    check_files,
    reader,
)
from holdpoint.core.risk.intents.glossary import (
    in_english,
    is_foreign,
    is_surely_english,
    is_unknown,
)
from holdpoint.core.risk.intents.plain_text import has_added_accents, plain, sentences
from holdpoint.core.risk.knowledge import any_of
from holdpoint.core.risk.wording import Form, Kind
from holdpoint.core.text import Folded, fold
from holdpoint.messages.risk import Assessment, Heuristic, RiskLevel, Signal

SOUNDS, UNREAD, UNHEARD = "intents.sounds", "intents.unread", "intents.no-reader"

LASTING_HARM = "what the agent announces may do lasting harm"

DESTROYS, DOUBTS = "verb.destructive", "doubt.acts"
"""Rules that read words alone: only these ask nobody where the reader hears no danger.

Counts, sums, places, programs, the agent's own word and the policy's patterns always count."""

MAX_TRIES = 12
"""Parts of a sentence that are left out in turn, to find the wording that raised it."""

STEPS = 3
"""Words that are left out together."""

_stood_down: list[str] = []


def stand_down(why: str) -> None:
    """Judge by rules alone in this process, and more strictly."""
    _stood_down[:] = [why]


def why_incomplete() -> str:
    """Return why the reader's files are not as they should be; empty where they are. Loads none."""
    try:
        check_files()
    except ReaderError as error:
        return str(error)
    return ""


def why_unusable() -> str:
    """Return why the reader cannot be used in this process; empty where it can. Loads it."""
    if not _stood_down:
        try:
            reader()
        except ReaderError as error:
            stand_down(str(error))
    return next(iter(_stood_down), "")


def is_loaded() -> bool:
    """Return whether nothing is left to load in this process."""
    return bool(_stood_down) or reader.cache_info().currsize > 0


def heard(text: str) -> Heard | None:
    """Return how dangerous a sentence sounds; None without a reader."""
    if why_unusable():
        return None
    found = reader().hear(as_read(text))
    is_clear = fold(text).readable and not has_added_accents(text)
    return found if is_clear else replace(found, whole=False)


def as_read(text: str) -> str:
    """Return a text as the model is given it: plain, and in English where a glossary knows it."""
    said = plain(text)
    read, unread = said[:MAX_CHARACTERS], said[MAX_CHARACTERS:]
    return (in_english(read) or read) + unread


def with_reader(
    said: str, text: Folded, found: Sequence[Signal], *, announces: bool
) -> list[Signal]:
    """Return the signals with what the reader says; `text` is what they have their places in."""
    sounds = heard(said)
    if sounds is None:
        return without_reader(said, found, announces=announces)
    card = reader().card
    if sounds.most >= card.raises_at:
        if _only_asks(sounds, found, card.raises_at):
            return list(found)
        return [*found, _signal(SOUNDS, RiskLevel.HIGH, LASTING_HARM, _place(sounds.part, text))]
    if reason := _unread(said, sounds):
        return [*found, _signal(UNREAD, _worst(found).raised(), reason)]
    if sounds.most >= card.vetoes_below or not _speaks_of_itself(plain(said)):
        return list(found)
    vetoed = (DOUBTS,) if _orders(said) else (DOUBTS, DESTROYS)
    return [_toned_down(one) if one.rule in vetoed else one for one in found]


def _only_asks(sounds: Heard, found: Sequence[Signal], raises_at: float) -> bool:
    """Return whether only a request for permission sounds dangerous, and a rule raised it too."""
    asking = (one for one in found if one.level >= RiskLevel.HIGH and one.rule.startswith(_ASKING))
    asked = {plain(one.evidence).rstrip("?") for one in asking}
    is_rest_mild = sounds.whole and sounds.other_score < raises_at
    return is_rest_mild and sounds.part.rstrip("?") in asked


_ASKING = ("seed-002.asks", "leave.", "doubt.asks-")
"""Begin the ids of patterns for an agent that asks for permission."""


def _unread(said: str, sounds: Heard) -> str:
    """Return why the reader may have missed a danger, if it may."""
    if has_added_accents(said):
        return "its letters have more accents than those of any language"
    if not sounds.whole:
        return "it is longer than the learned reader reads"
    if is_unknown(plain(said)[:MAX_CHARACTERS]):
        return "it is in a language that the learned reader does not know"
    return ""


def without_reader(said: str, found: Sequence[Signal], *, announces: bool) -> list[Signal]:
    """Return the signals one level higher: each sentence that announces a change asks people.

    So does each that is not plainly English: nobody knows what it announces.
    """
    is_in_doubt = announces or _is_foreign(said)
    least = RiskLevel.MEDIUM if is_in_doubt else RiskLevel.LOW
    up = max(_worst(found), least).raised()
    reason = "no learned reader is at hand, so what is said counts one level more"
    return [*found, _signal(UNHEARD, up, reason)]


def _is_foreign(said: str) -> bool:
    text = fold(said).folded
    if len(text) <= MAX_CHARACTERS and is_surely_english(text):
        return False
    return is_foreign(plain(said)[:MAX_CHARACTERS])


def with_wording(found: Assessment, said: str) -> Assessment:
    """Quote of a sentence that the reader raised only the words that raised it.

    That takes some twelve times as long as the assessment: it is for what people are asked about.
    """
    raised = next((one for one in found.signals if one.rule == SOUNDS), None)
    sounds = heard(said) if raised else None
    place = _place(_wording(reader(), sounds), fold(said)) if sounds else None
    if raised is None or place is None:
        return found
    worded = replace(raised, span=place[:2], evidence=place[2])
    return replace(found, signals=tuple(worded if one is raised else one for one in found.signals))


_speaks_of_itself = re.compile(rf"^\w+ing\b|\b(?:{any_of('words/english:first_person')})\b").search

_terms = re.compile(r"[\w'-]+")


def _orders(said: str) -> bool:
    """Return whether it is a plain order to take something away: of those the model knows little.

    What the agent says of itself is none, in the same sentence: `I'll find and remove it`.
    """
    return any(
        _is_ordered(found[0], found.start()) and not _speaks_of_itself(sentence[: found.start()])
        for sentence in sentences(plain(said))
        for found in _terms.finditer(sentence)
    )


def _is_ordered(word: str, place: int) -> bool:
    """Return whether a word takes something away, or begins an order of any kind."""
    verb = SPOKEN.get(word)
    if verb is None or verb.form is not Form.BASE:
        return place == 0 and word in PHRASES
    return place == 0 or verb.kind is Kind.DELETE


def _toned_down(one: Signal) -> Signal:
    return replace(one, level=min(one.level, RiskLevel.MEDIUM))


def _wording(model: Reader, sounds: Heard) -> str:
    """Return the words without which the text sounds least dangerous."""
    words = list(_words.finditer(sounds.part))
    size = max(STEPS, -(-len(words) // MAX_TRIES))
    cuts = [*range(0, len(words), size), len(words)]
    spans = [(words[start].start(), words[end - 1].end()) for start, end in pairwise(cuts)]
    if len(spans) < MIN_TRIES:
        return sounds.part
    part = sounds.part
    scores = [model.score(f"{part[:start]} {part[end:]}") for start, end in spans]
    start, end = spans[min(range(len(spans)), key=scores.__getitem__)]
    return part[start:end]


MIN_TRIES = 2
_words = re.compile(r"\S+")


def _place(words: str, text: Folded) -> tuple[int, int, str] | None:
    at = text.folded.find(words)
    if at < 0 or not words:
        return None
    start, end = text.span(at, at + len(words))
    return start, end, text.nfkc[start:end][:MAX_EVIDENCE]


MAX_EVIDENCE = 200


def _worst(found: Sequence[Signal]) -> RiskLevel:
    return max((one.level for one in found), default=RiskLevel.LOW)


def _signal(
    rule: str, level: RiskLevel, reason: str, place: tuple[int, int, str] | None = None
) -> Signal:
    span, evidence = (place[:2], place[2]) if place else (None, "")
    return Signal(
        rule=rule,
        heuristic=Heuristic.IRREVERSIBILITY,
        level=level,
        reason=reason,
        span=span,
        evidence=evidence,
    )
