"""Doubts about facts alone, and deeds that harm nothing."""

from itertools import pairwise
from typing import Any

import re2

from holdpoint.core.risk.dialogue.cues import shared
from holdpoint.core.risk.dialogue.deeds import Deed
from holdpoint.core.risk.dialogue.harmless import HARMLESS
from holdpoint.core.risk.dialogue.mild import NOTES, PAGES, READINGS, TRIALS, TRIES
from holdpoint.core.risk.dialogue.targets import concerns_the_act
from holdpoint.core.risk.dialogue.verbs import SPOKEN
from holdpoint.core.risk.wording import Form, Kind
from holdpoint.core.risk.words import word_set

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


def is_grave(deed: Deed) -> bool:
    """Whether it takes something away, pays, or halts what runs."""
    return deed.verb.kind in {Kind.DELETE, Kind.PAYMENT} or deed.verb.base in _HALTS


_HALTS = word_set("restart reboot stop shut disable merge deploy rollback overwrite reset")


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
