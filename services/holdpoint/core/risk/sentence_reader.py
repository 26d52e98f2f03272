"""What a sentence says as laid out, as it runs on, and in plain spelling: all of it counts."""

from bisect import bisect_left
from collections.abc import Callable
from itertools import islice, pairwise

import msgspec
import re2

from holdpoint.core.risk.dialogue.announcement import Announcement, read_dialogue
from holdpoint.core.risk.dialogue.layout import flowing, unbroken
from holdpoint.core.risk.dialogue.spelling import respelt
from holdpoint.core.risk.dialogue.stated_actions import StatedAction
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.pattern_scan import (
    ASKS_PERMISSION,
    Scan,
    asked_once,
    scan,
    with_more,
    without,
    without_doubts,
    without_within,
)
from holdpoint.core.risk.programs import Programs
from holdpoint.core.risk.quoted_programs import said_programs, unmentioned, unsure
from holdpoint.core.risk.wording import VERBS, Form, Kind, Verb, third_person
from holdpoint.core.risk.words import ARTICLES, word_set
from holdpoint.core.text import CUT, Folded, beginning
from holdpoint.messages.policy import Policy
from holdpoint.messages.risk import Heuristic, Signal


class SentenceReading(msgspec.Struct, frozen=True, kw_only=True):
    """What was heard, in places of the text as it is laid out."""

    told: Announcement
    scan: Scan
    signals: tuple[Signal, ...]


def read_sentence(text: Folded, alone: Folded, policy: Policy) -> SentenceReading:
    """Read it; and what was said alone once more, as it may be meant otherwise."""
    whole_lines = flowing(text)
    told = read_dialogue(whole_lines.folded)
    found = _suppressed(scan(text, "", policy, Programs(), reads=False), text, told)
    if whole_lines.folded != text.folded:
        more = scan(whole_lines, "", policy, Programs(), reads=False)
        found = with_more(found, _suppressed(more, whole_lines, told))
    programs = tuple(said_programs(text))
    said = SentenceReading(told=told, scan=found, signals=_signals(told, text, programs))
    if told.whole:
        for other in _otherwise(alone, told):
            said = _with(said, _once_more(other, text, programs, policy))
    return said


def _otherwise(alone: Folded, told: Announcement) -> tuple[Folded, ...]:
    """Without line breaks where no sentence ends, in plain spelling, or both."""
    runs_on, plain = unbroken(alone), respelt(alone, told.sentences)
    if plain is None:
        return () if runs_on is None else (runs_on,)
    ways = (runs_on, flowing(plain), unbroken(plain))
    return tuple(one for one in ways if one is not None)


def _once_more(
    other: Folded, text: Folded, programs: tuple[Signal, ...], policy: Policy
) -> SentenceReading:
    """Return what it says in this way, in places of the text as it is laid out."""
    told = read_dialogue(other.folded)
    found = _suppressed(scan(other, "", policy, Programs(), reads=False), other, told)
    actions = (
        msgspec.structs.replace(action, span=_placed(action.span, other, text))
        for action in told.actions
    )
    hits = (msgspec.structs.replace(hit, span=_placed(hit.span, other, text)) for hit in found.hits)
    fragments = ((one, _placed((at, at + 1), other, text)[0]) for one, at in found.fragments)
    return SentenceReading(
        told=msgspec.structs.replace(told, actions=tuple(actions)),
        scan=msgspec.structs.replace(found, hits=tuple(hits), fragments=tuple(fragments)),
        signals=_signals(told, other, programs),
    )


def _signals(told: Announcement, text: Folded, programs: tuple[Signal, ...]) -> tuple[Signal, ...]:
    return (*unsure(told, text), *unmentioned(programs, told.mentioned))


def _placed(span: tuple[int, int], other: Folded, text: Folded) -> tuple[int, int]:
    """Return where this stands in the text as it is laid out."""
    start, end = other.span(*span)
    if text.origin is None:
        return start, end
    return bisect_left(text.origin, start), bisect_left(text.origin, end - 1) + 1


def _with(said: SentenceReading, more: SentenceReading) -> SentenceReading:
    """With what only this reading finds; how much was read, the first one says."""
    known = {(signal.rule, signal.level) for signal in said.signals}
    new = (one for one in more.signals if (one.rule, one.level) not in known)
    told = msgspec.structs.replace(
        said.told,
        actions=(*said.told.actions, *more.told.actions),
        amounts=(*said.told.amounts, *more.told.amounts),
        percents=(*said.told.percents, *more.told.percents),
    )
    scan = with_more(said.scan, more.scan)
    return SentenceReading(told=told, scan=scan, signals=(*said.signals, *new))


def _suppressed(found: Scan, text: Folded, told: Announcement) -> Scan:
    """Without what is only quoted, asked for in passing or denied."""
    for _, suppress in SUPPRESSIONS:
        if not found.hits:
            break
        found = suppress(found, text, told)
    return found


def _denied(found: Scan, _text: Folded, told: Announcement) -> Scan:
    """Without production that is only talked about in the very sentence that denies something.

    And without a loss that it says did not come: `nothing irreversible happened`.
    """
    if told.acts:
        return found
    critical, denied = Heuristic.CRITICALITY, told.denied()
    return without(
        found,
        lambda hit: (
            (denied and hit.pattern.heuristic is critical and told.denies(hit.span))
            or (
                hit.pattern.id == _NO_WAY_BACK
                and _none.search(told.text[: hit.span[0]]) is not None
            )
        ),
    )


_NO_WAY_BACK = "loss.no-undo"

_none = re2.compile(r"\b(?:nothing|no|not|none of it|without)(?: \w+ly| at all| was| is)? \z")
"""`Nothing irreversible`, `no irreversible step`."""

Suppress = Callable[[Scan, Folded, Announcement], Scan]

SUPPRESSIONS: tuple[tuple[str, Suppress], ...] = (
    (
        "it is only talked of there, and nobody says that it is done",
        lambda found, _text, told: without_within(found, told.mentioned, bool),
    ),
    (
        "permission is asked only for what harms nobody",
        lambda found, _text, told: without_within(
            found, told.harmless, ASKS_PERMISSION.__contains__
        ),
    ),
    (
        "another pattern tells of the same question",
        lambda found, _text, _told: asked_once(found),
    ),
    (
        "the doubt is about a mere fact: no next step hangs on it",
        lambda found, text, told: without_doubts(found, text, told.actions),
    ),
    ("the sentence says that it is not done", _denied),
)
"""What a sentence takes back, in this order; each with why, for whoever asks."""

MAX_THING = 39
"""Characters of a thing, so that the reason stays under ninety."""

MAX_NAME = 34
MAX_NEAR = 400
"""Characters beside a verb in which its thing is looked for."""

MAX_SKIPPED = 3
"""Words between a verb and its thing: `get rid of`."""

_ENDS = ".,;:!?)"
_MARKS = "\"'`([{<>}]).,;:!?*_"
_QUOTES = "\"'`*_"
_BEHIND = words("words/actions:taken.behind")

_ASKED = word_set("whether if about want wants need you")
"""Behind these begins what is asked, and with it what is taken: `whether the accounts are …`."""

_LOOSE = words("words/actions:taken.loose")
_NOTHING = word_set("it this that them those these one so")
"""Words that name nothing to whoever does not see the rest."""

_PASSIVE = words("words/actions:taken.passive")


def loss_in_call(tool: str, said: str, verb: Verb | None) -> str:
    """`“files: rm” takes something away`."""
    if verb is None or verb.kind is not Kind.DELETE:
        return ""
    shown = f"{tool}: {said}" if said and said != tool else tool
    return f"“{beginning(shown, MAX_NAME)}” takes something away"


def loss_said(action: StatedAction | None, text: Folded) -> str:
    """`it deletes the flag for user 7`."""
    if action is None or action.verb.kind is not Kind.DELETE:
        return ""
    passive = action.verb.form is Form.PAST
    found = _before(action, text) if passive else _behind(action, text)
    verb = third_person(_IN_TWO_WORDS.get(action.verb.base, action.verb.base))
    return f"it {verb} {found or SOMETHING}"


SOMETHING = "something"
"""Stands in a reason for an object that a sentence does not name."""


_IN_TWO_WORDS = {
    "give-away": "give away",
    "log-out": "log out",
    "rm": "remove",
    "write-off": "write off",
}
"""Verbs of the lists as people write them."""


def _behind(action: StatedAction, text: Folded) -> str:
    """From its first object until something else begins."""
    start = action.span[0]
    pieces = _pieces(text, start, start + MAX_NEAR)
    named = next(iter(action.objects), "")
    near = enumerate(islice(pieces, MAX_SKIPPED + 1))
    first = next((at for at, (_, word) in near if named and word.startswith(named)), -1)
    if first < 0:
        return ""
    if first == 0:  # a noun: `the removal of the account`
        first = 2 if pieces[1:2] and pieces[1][1] == "of" else 1
    return _until_more(pieces[first:])


def _until_more(pieces: list[tuple[str, str]]) -> str:
    first, second = [*(word for _, word in pieces[:2]), "", ""][:2]
    if first in _NOTHING and second != "from":  # `it`, `them all`; not `it from the list`
        return ""
    kept: list[str] = []
    for (raw, word), (_, after) in pairwise([*pieces, ("", "")]):
        verb = VERBS.get(after)
        if word in _BEHIND or (word == "and" and verb is not None and verb.form is Form.BASE):
            break
        if len(" ".join([*kept, raw])) > MAX_THING:
            return f"{_trimmed(kept)}{CUT}" if kept else ""
        kept.append(raw)
        if raw[-1] in _ENDS:
            break
    return _trimmed(kept)


def _before(action: StatedAction, text: Folded) -> str:
    """Return what stands before `will be deleted`, back to where the clause begins."""
    start = action.span[0]
    pieces = _pieces(text, max(start - MAX_NEAR, 0), start)[-len(action.objects) :]
    while pieces and pieces[-1][1] in _PASSIVE:
        pieces.pop()
    kept: list[str] = []
    for raw, word in reversed(pieces):
        if word in _BEHIND | _ASKED or raw[-1] in _ENDS or len(" ".join([raw, *kept])) > MAX_THING:
            break
        kept.insert(0, word if word in ARTICLES else raw)
    return _trimmed(kept)


def _pieces(text: Folded, start: int, end: int) -> list[tuple[str, str]]:
    """Return what stands between blanks, as it is written, and as a word."""
    first, last = text.span(start, min(end, len(text.folded))) if end > start else (start, start)
    raw = text.nfkc[first:last].split()
    return [(one, one.strip(_MARKS).casefold()) for one in raw]


def _trimmed(kept: list[str]) -> str:
    while kept and kept[-1].strip(_MARKS).casefold() in _LOOSE:
        kept.pop()
    said = " ".join(one.strip(_QUOTES) for one in kept).strip(_MARKS + " ")
    return "" if said.casefold() in _NOTHING else said
