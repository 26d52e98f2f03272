"""What an agent asks back before it acts, and what it only doubts as a fact."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import re2

from holdpoint.core.risk.dialogue.deeds import Deed
from holdpoint.core.risk.dialogue.glances import shared
from holdpoint.core.risk.dialogue.harmless import HARMLESS
from holdpoint.core.risk.dialogue.mild import NOTES, PAGES, READINGS, TRIALS, TRIES
from holdpoint.core.risk.dialogue.targets import concerns_the_act
from holdpoint.core.risk.dialogue.verbs import NOMINALS, SPOKEN
from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.wording import Form, Kind
from holdpoint.core.risk.words import word_set

_back: Any = re2.compile(
    r"(?:[.!?,;:)\n-]|\bthen|\bso) ?(?:is (?:that|this) (?:right|correct|ok|okay|fine|alright|"
    r"all right|what you (?:want|wish|meant|mean|would like|'d like)|acceptable|agreed|it)|right|"
    r"correct|ok|okay|agreed|alright|confirm(?:ed)?|deal|yes|(?:does|would) that (?:work|be (?:ok|"
    r"okay|fine)|sound (?:right|good|ok|okay|fine))(?: for you)?|sounds? (?:good|right|ok|okay)|"
    r"(?:do|did) i (?:have|get|understand) (?:that|this|it|you) (?:right|correctly)|are you sure|"
    r"(?:do you want|would you like|want|shall|should|may) (?:me to|i) (?:now )?(?:do|process|"
    r"submit|execute|arrange) (?:that|this|it|so)(?: now| for you)?)\s*\?|"
    r"\(? ?(?:yes|y) ?(?:/|or) ?(?:no|n)\b ?\)?|[.!?] ?please confirm ?[.!]|"
    r"\b(?:do|would) you (?:still )?(?:wish|want|like|prefer)(?: me)? to (?:proceed|go ahead|"
    r"continue|"
    r"go on|have (?:it|this|that|them) \w+)\b[^.?!]{0,40}\?|\bready (?:for me )?to (?:do|go|"
    r"proceed|"
    r"have)\b[^.?!]{0,40}\?"
)
_asks = shared(_back.pattern)

_presses_on = shared(
    r"\b(?:proceed|continu|carry(?:ing)? on|press(?:ing)? on|go(?:ing)? (?:on|ahead|with|for)|"
    r"rather not|anyway|regardless|nonetheless|nevertheless|all the same|"
    r"either way|supposed to|what to do|(?:so|,) (?:i'?m |i am |i'?ll |i will |just )*"
    r"(?:pick|choos|tak|select|settl|us)(?:e|ing|ting|ling)? (?:on |for |with )?(?:the )?"
    r"(?:first|second|third|last|former|latter|one|either|any|whichever|older|oldest|newer|"
    r"newest|latest|larger|smaller|bigger|left|right|upper|lower|top|bottom|other)(?: one)?)\b"
)
_about_harm = shared(
    r"\b(?:mixed up|confused|(?:about|of) (?:this|it|that)\b"
    r"(?: (?:one|command|call|step|query|statement|change|request|\d+))?(?: ?[.!,;]|$)|"
    r"(?:account|invoice|order|ticket|customer|user|record|row|payment|contract) (?:no\.? |#)?\d|"
    r"(?:wrong|right|correct) (?:one|table|account|branch|server|file|folder|cluster|bucket|key|"
    r"database|environment|customer|id|place|project|repo\w*|tenant|record)\b|"
    r"(?:break|damage|corrupt|destroy|erase|wipe|delete|lose|disrupt)s?\b|"
    r"(?:safe|production|prod|staging|backups?|originals|payee|recipient)\b|"
    r"the (?:amount|account|invoice|payment)\b|migration|tenant|bucket|"
    r"live (?:environment|system|site|one)\b|"
    r"which (?:\w+ )?(?:environment|database|table|account|server|cluster|customer|client|file|"
    r"order|record|user|branch|folder|invoice|project|instance)\b|"
    r"(?:approved|agreed|authori[sz]ed) (?:this|it|that)\b|"
    r"(?:server|database|account|cluster|host) is (?:live|ours|used|in use)\b)"
)
_HARMLESS = word_set("generate write reply note draft copy make clone add append think paste")
"""Verbs that make something new: to doubt beside them harms nobody."""


def asks_back(text: str, told: Sequence[Sentence]) -> tuple[int, int] | None:
    """Where it asks for a yes to something that takes away or pays, if it does."""
    found = _back.search(text) if _asks(text) else None
    if found and any(map(_offers, told)):
        return found.start(), found.end()
    if "?" not in text:
        return None
    return next(filter(None, map(_question, [one for one in told if one.end == "?"])), None)


def left_to_you(text: str, told: Sequence[Sentence]) -> tuple[int, int] | None:
    """`Shall I?`: asked of whatever was said before it."""
    if "?" not in text:
        return None
    asked = (one for one in told[1:] if one.end == "?" and _is_elliptic(one))
    return next(map(_span, asked), None)


def _is_elliptic(sentence: Sentence) -> bool:
    words = sentence.words
    return words[0] in _MAY and words[1:2] in _ME and words[2:] in _NO_MORE


_MAY = word_set("shall should may can could")
_ME = (["i"], ["we"])
_NO_MORE: tuple[list[str], ...] = ([], ["now"], ["then"])


def _span(sentence: Sentence) -> tuple[int, int]:
    return sentence.starts[0], sentence.span(len(sentence.words) - 1)[1]


def _question(sentence: Sentence) -> tuple[int, int] | None:
    """`Are you certain that it should be emptied?`: asked before something is taken away."""
    words = sentence.words
    fronts = (0, *(at for at in sentence.commas if 0 < at <= _FRONT and at < len(words)))
    if not any(_opens(words[at : at + 2]) for at in fronts):
        return None
    for place in range(len(words)):
        if place in sentence.quoted:
            continue
        if _takes_away(words, place) and _REPORTED.isdisjoint(words[max(0, place - 4) : place]):
            return sentence.span(0)[0], sentence.span(place)[1]
    return None


def _opens(words: list[str]) -> bool:
    return tuple(words) in _OPENERS or words[0] in {"should", "shall"} or _is_base(words[0])


_FRONT = 4
"""Words that may stand before a question's own: `so, can I …`, `as you know, may I …`."""

_OPENERS = frozenset(
    (one, other)
    for one, others in (
        ("are", "you we"), ("is", "it this that"), ("am", "i"), ("do", "i we"), ("may", "i we"),
        ("would", "now it this you"), ("so", "you i you'd i'm you're"), ("just", "checking"),
        ("can", "i"), ("any", "objection objections reason"), ("do", "you"), ("want", "me"),
    )
    for other in others.split()
)  # fmt: skip
"""How a question begins that leaves a deed to the other."""

_REPORTED = word_set(
    "was were been has have had did able possible how why when what where did know offer have "
    "reason policy fee"
)


def _takes_away(words: list[str], place: int) -> bool:
    verb = None if _is_said_of_it(words, place) else SPOKEN.get(words[place])
    if verb is None or (verb.form is Form.PAST and "be" not in words[max(0, place - 3) : place]):
        return False
    pays = verb.kind is Kind.PAYMENT and verb.base != "order" and not words[place].endswith("s")
    return pays or verb.kind is Kind.DELETE or verb.base in _HALTS


def _is_said_of_it(words: list[str], place: int) -> bool:
    """`Is that clear?`: it is understood, and nothing is cleared."""
    last = words[place] in _ALSO_SAID and place + 1 == len(words)
    return last and words[place - 1] in _SAID_OF


_ALSO_SAID = word_set("clear close empty")
_SAID_OF = word_set("that this it everything all so now more perfectly")
_HALTS = word_set("restart reboot stop shut disable merge deploy rollback overwrite reset")


def _is_base(word: str) -> bool:
    verb = SPOKEN.get(word)
    return verb is not None and verb.base == word and verb.kind is Kind.DELETE


def _offers(sentence: Sentence) -> bool:
    """Whether it names a grave deed that is not done yet: `I can cancel it`, `you want it gone`."""
    return any(
        _is_grave(word) and not _AHEAD.isdisjoint(sentence.words[max(0, place - 6) : place + 1])
        for place, word in enumerate(sentence.words)
    )


_AHEAD = word_set(
    "can could will would may should shall to want like i'll we'll i'd cancel delete remove close "
    "cancellation deletion removal refund payment closure termination be you'd pay so"
)


def _is_grave(word: str) -> bool:
    verb = SPOKEN.get(word) or NOMINALS.get(word)
    return verb is not None and verb.kind in {Kind.DELETE, Kind.PAYMENT}


def is_grave(deed: Deed) -> bool:
    """Whether it takes something away, pays, or halts what runs."""
    return deed.verb.kind in {Kind.DELETE, Kind.PAYMENT} or deed.verb.base in _HALTS


def is_harmless(deed: Deed) -> bool:
    """Whether nothing is lost by the deed: it reads, or makes something new."""
    base = deed.verb.base
    opens = base == "open" and not PAGES.isdisjoint(deed.objects[:4]) and not _lets_in(deed.objects)
    tries = base in TRIES and not TRIALS.isdisjoint(deed.objects[:4]) and not _hands_in(deed)
    makes = base in _HARMLESS and _RUNS_ON.isdisjoint(deed.objects[:_NEAR])
    leaves = base == "approve" and (not deed.objects or deed.objects[0] in _GOODBYE)
    quiet = deed.verb.kind is Kind.READ or deed.edits or _only_notes(deed) or _begins_to_read(deed)
    quiet = quiet or _only_spells(deed)
    return quiet or makes or opens or tries or leaves


def _only_spells(deed: Deed) -> bool:
    """`I'll fix the typo in the word "drop"`: it is about letters."""
    fixes = deed.verb.base in _FIXES and not _TYPOS.isdisjoint(deed.objects[:4])
    return fixes and not _WRITTEN.isdisjoint(deed.objects) and _RUNS_ON.isdisjoint(deed.objects)


def _hands_in(deed: Deed) -> bool:
    """`Submitting the expense report` hands it to somebody who decides by it."""
    return deed.verb.base == "submit" and "report" in deed.objects[1:4]


_FIXES = word_set("fix fixing correct correcting")
_TYPOS = word_set("typo typos spelling misspelling hyphen capitalisation capitalization grammar")
_WRITTEN = word_set("word words sentence phrase heading title paragraph caption label slide essay")


def _lets_in(objects: tuple[str, ...]) -> bool:
    """`Open up the folder to him`: it is not opened to be read."""
    return any(one in {"to", "for"} and two in _THEM for one, two in pairwise(objects))


_THEM = word_set("him her them everyone everybody anyone the all outsiders contractors")


def _only_notes(deed: Deed) -> bool:
    """`I'll put the two side by side in a local note`, `I'd put it at half`: it is only shown."""
    if deed.verb.base == "put" and deed.objects[:2] == ("it", "at"):
        return True
    if deed.verb.base == "run" and deed.objects[:1] and deed.objects[0] in _LASTS:
        return not any(map(str.isdigit, "".join(deed.objects)))
    if deed.verb.base == "set" and not _REMINDERS.isdisjoint(deed.objects[:_NEAR]):
        return True
    places = deed.verb.base in _LAYS and not NOTES.isdisjoint(deed.objects)
    return places and _RUNS_ON.isdisjoint(deed.objects)


_LASTS = word_set("over late long short out until past")
"""`The meeting will run over` is nobody's deed."""

_REMINDERS = word_set("reminder reminders alarm timer countdown stopwatch")
_LAYS = word_set("put set paste lay")


def _begins_to_read(deed: Deed) -> bool:
    """`I'll start with the manual`, `start by looking at two dictionaries`."""
    if deed.verb.base not in _BEGINS or deed.objects[:1] not in _BY:
        return False
    reads = READINGS if deed.objects[0] == "with" else HARMLESS
    return not reads.isdisjoint(deed.objects[1:_NEAR])


_BEGINS = word_set("start proceed")
_BY = (("with",), ("by",))


_GOODBYE = word_set("for now here with until today tonight then and at")
"""`I'll sign off now`: nothing is approved."""

_NEAR = 6
_RUNS_ON = word_set(
    "controller controllers device register registers registry plc pump valve firmware bios "
    "production prod ledger"
)
"""What does something else as soon as one writes into it."""


def doubts_facts(text: str, deeds: tuple[Deed, ...]) -> bool:
    """Whether a text that is unsure only looks further, or is unsure of a mere fact.

    As soon as it goes on, or does what nobody knows the word for, the doubt stands.
    """
    if not all(map(is_harmless, deeds)) or _presses_on(text) or _wavers(text):
        return False
    looks = any(looks_further(deed, text) for deed in deeds)
    return looks or not (_about_harm(text) or concerns_the_act(text))


def looks_further(deed: Deed, text: str) -> bool:
    """Whether it is to look further, and not only in passing; `I read it` has been done."""
    if deed.verb.kind is not Kind.READ or deed.verb.base in _IN_PASSING:
        return False
    if deed.verb.base == "look" and text.startswith("looks like", deed.span[0]):
        return False
    return not (deed.verb.base == "read" and text[: deed.span[0]].endswith(_HAS_READ))


_IN_PASSING = word_set(
    "think guess assume believe suppose wonder consider see test retry print plot display"
)
"""What looks no further: `I think it is the right one`, `and see who complains`."""

_HAS_READ = ("i ", "we ", "you ")


def _wavers(text: str) -> bool:
    """`Not sure which of the two to restore`: unsure of a deed, though none is announced."""
    found = (SPOKEN.get(match.group(1)) for match in _what_to.finditer(text))
    return any(verb and verb.form is Form.BASE and verb.base not in HARMLESS for verb in found)


_what_to: Any = re2.compile(
    r"\b(?:(?:which|what|whether|how|who|whom|when|where)\b[^.?!;,]{0,60}?\bto|(?:whether|if) "
    r"(?:i|we) (?:should|may|can|must|shall)) ([a-z-]+)"
)
