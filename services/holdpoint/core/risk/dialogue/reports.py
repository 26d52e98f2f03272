"""What a text only retells: what others do in a tutorial, what a log says was done."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from holdpoint.core.risk.dialogue.cues import cue
from holdpoint.core.risk.dialogue.deeds import Deed
from holdpoint.core.risk.dialogue.opinions import HOLDS, only_held
from holdpoint.core.risk.dialogue.verbs import SPOKEN
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.wording import Form, Kind
from holdpoint.core.risk.words import word_set

_SOURCES = word_set(
    "tutorial tutorials docs documentation article articles book books guide guides manual manuals "
    "paper papers blog post course lesson video videos story novel film movie report reports "
    "changelog log logs minutes readme chapter newspaper transcript lecture podcast postmortem "
    "wiki thread letter essay textbook handbook talk slides author's author example history archive"
)
_TOLD = word_set(
    "in according as per says say said shows show showed describes describe described explains "
    "explain explained reports reported tells told mentions mentioned states stated writes wrote "
    "reads recalls recounts demonstrates how author author's"
)
OURS = word_set(
    "i we i'll we'll i'm we're i'd my our me us let's let you your please now today tonight soon "
    "will shall must should going tomorrow immediately"
)
_IS_OURS = cue(OURS)
_WENT = word_set("went succeeded finished completed failed")
_LONG_AGO = word_set("yesterday ago last earlier previously back")
_BACK_THEN = _LONG_AGO | {"once"}


def reported(told: Sequence[Sentence]) -> Iterator[tuple[int, int]]:
    """Where something is retold: `the author deploys`, `the job removed`, `the book says …`."""
    for sentence in told:
        if sentence.cues & HOLDS and (held := only_held(sentence)):
            yield held
        elif sentence.cues & _RETELLS:
            yield from _retold_in(sentence)


def _retold_in(sentence: Sentence) -> Iterator[tuple[int, int]]:
    if sentence.end == "?" or speaks_for_itself(sentence):
        yield from _looked_into(sentence)
        return
    words = sentence.words
    quoted = not _SPEAKERS.isdisjoint(words)
    if quoted and (end := reported_until(sentence)):
        yield sentence.starts[0], end
    if not _WENT.isdisjoint(words) and not _LONG_AGO.isdisjoint(words):
        yield sentence.starts[0], sentence.span(len(words) - 1)[1]
        return
    if (sentence.cues & _IS_OVER) and _is_over(words):
        yield sentence.starts[0], sentence.span(len(words) - 1)[1]
        return
    sourced = quoted and not (_SOURCES.isdisjoint(words) or _TOLD.isdisjoint(words))
    if sourced or not _BACK_THEN.isdisjoint(words):
        yield from (
            sentence.span(at)
            for at, word in enumerate(words)
            if at and word in SPOKEN and _is_retold(words, at, sourced=sourced)
        )
    if sourced or _defines(words):
        yield from _said_final(sentence)


def _is_over(words: list[str]) -> bool:
    """`The deploy to production finished successfully`: nothing else is said in the sentence."""
    at = next((at for at, word in enumerate(words) if word in _WENT), 0)
    named = words[0] in _THE and _STILL_AHEAD.isdisjoint(words[:at])
    behind = words[at + 1 :]
    return at > 0 and named and bool(behind) and _HOW_IT_WENT.issuperset(behind)


_THE = word_set("the a an")
_STILL_AHEAD = word_set(
    "starts begins waits runs goes is are once when whenever if after before until unless while "
    "as because and then so or that which what"
)
_HOW_IT_WENT = word_set(
    "successfully cleanly smoothly fine well without errors error warnings issues problems any "
    "and with no"
)


def _said_final(sentence: Sentence) -> Iterator[tuple[int, int]]:
    """Where it says of whatever it tells that there is no way back; `this` may be the deed."""
    if _HERE.isdisjoint(sentence.words):
        yield from (sentence.span(at) for at, word in enumerate(sentence.words) if word in _FINAL)


def _defines(words: list[str]) -> bool:
    """`An irreversible reaction is one that …`."""
    return words[0] in _ANY and any(
        one in _MEANS and other in _ONE for one, other in pairwise(words)
    )


_ANY = word_set("a an any")
_MEANS = word_set("is means")
_ONE = word_set("one a an any when something that")
_HERE = word_set("this it these those next following follows")
_FINAL = word_set(
    "irreversible irreversibly irrevocable irrevocably irrecoverable cannot can't could never no"
)
"""How it is said that there is no way back, also in a book."""


def speaks_for_itself(sentence: Sentence) -> bool:
    """Whether it says what I, we or you do, or what comes now."""
    return bool(sentence.cues & _IS_OURS) and not OURS.isdisjoint(sentence.words)


def _looked_into(sentence: Sentence) -> Iterator[tuple[int, int]]:
    """`I'll check whether the script deletes production data`: from there to the next deed."""
    words = sentence.words
    at = next((at for at, word in enumerate(words) if word in _WHETHER), 0)
    looks = (SPOKEN.get(word) for word in words[max(0, at - 4) : at])
    if sentence.end != "?" and any(verb and verb.kind is Kind.READ for verb in looks):
        behind = range(at + 1, len(words))
        ends = (one for one in behind if words[one] in _ON or one in sentence.commas)
        yield sentence.starts[at], sentence.span(next(ends, len(words)) - 1)[1]


_WHETHER = word_set("whether why how what which")


def reported_until(sentence: Sentence) -> int:
    """Where it ends to tell what others say of others; 0 when it tells nothing, or orders.

    `The minutes say the council decided to …`, not `the ticket says to …` or `…, so wipe it`.
    """
    words = sentence.words
    if sentence.cues & _ALONE and _by_themselves(words):
        return sentence.span(len(words) - 1)[1]
    if not sentence.cues & _SAYS:
        return 0
    if sentence.commas and _attributed(sentence):
        return sentence.span(len(words) - 1)[1]
    if _SAY.isdisjoint(words[:_OPENING]):
        return 0
    says = range(1, min(_OPENING, len(words) - 1))
    at = next((at for at in says if words[at] in _SAY and words[at - 1] in _SPEAKERS), 0)
    if not at or words[at + 1] == "to" or not OURS.isdisjoint(words):
        return 0
    behind = range(at + 1, len(words))
    last = next((one for one in behind if words[one] in _ON or one in sentence.commas), len(words))
    return sentence.span(last - 1)[1]


def without_others(deeds: list[Deed], sentence: Sentence) -> list[Deed]:
    """Without what others say of others; a form in -ing may be under way all the same."""
    if sentence.cues & HOLDS and (held := only_held(sentence)):
        return [deed for deed in deeds if not held[0] <= deed.span[0] < held[1]]
    end = reported_until(sentence)
    if not end:
        return deeds
    return [deed for deed in deeds if deed.span[0] > end or deed.verb.form is Form.ING]


_THEMSELVES = word_set("herself himself themselves")
_ALONE = cue(_THEMSELVES)
"""Who does it by themselves does not need the agent."""

_SPEAKS = word_set("i we i'll we'll i'm we're i'd me us my our let's please")


def _by_themselves(words: list[str]) -> bool:
    return not _THEMSELVES.isdisjoint(words) and _SPEAKS.isdisjoint(words)


def _attributed(sentence: Sentence) -> bool:
    """`Bids close at noon, the notice says`, `…, says the site`."""
    words = sentence.words
    last = words[max(sentence.commas) :]
    if len(last) > _OPENING or _SAY_SO.isdisjoint(last[:1] + last[-1:]):
        return False
    if last[0] == "say" and not last[-1].endswith("s"):  # who says so are many: `say the docs`
        return False
    return not _SPEAKERS.isdisjoint(last) and OURS.isdisjoint(words)


_SAY_SO = word_set("say says said writes wrote reads notes shows explains argues reports claims")
_ON = word_set("so then and but")
_OPENING = 5
_SAY = word_set(
    "say says said show shows report reports reported states state explains recounts define "
    "defines defined describes describe illustrates means lists calls argues claims notes teaches"
)
_SPEAKERS = _SOURCES | word_set(
    "notice site page listing reviewer critic professor plaque label menu timetable schedule law "
    "statute leaflet brochure textbook standard poem novel poster sign clause definition term "
    "word phrase spokesman spokeswoman spokesperson glossary dictionary press diagram encyclopedia"
)
_SAYS = cue(_SAY | _SAY_SO)
_IS_OVER = cue(_WENT)
_RETELLS = cue(_WENT | _SPEAKERS | _BACK_THEN | _WHETHER | _FINAL)


def _is_retold(words: list[str], at: int, *, sourced: bool) -> bool:
    """Past, or what a third one does: `deployed`, `deploys`; never `deploying`."""
    verb = SPOKEN[words[at]]
    if verb.kind is Kind.READ:
        return False
    told = sourced and verb.form is Form.BASE
    return verb.form is Form.PAST or (told and _by_others(words, at))


def _by_others(words: list[str], at: int) -> bool:
    """`the author deploys`, `they deploy`, `how teams deploy`; not `deploy`."""
    before = words[at - 1]
    if words[at] != SPOKEN[words[at]].base:
        return True
    return before == "they" or (before.endswith("s") and "how" in words[:at])
