"""Doubts about facts alone, and actions that harm nothing."""

from typing import Any

import re2

from holdpoint.core.risk.dialogue.cues import shared
from holdpoint.core.risk.dialogue.harmless_verbs import HARMLESS
from holdpoint.core.risk.dialogue.mild_verbs import PAGES, TRIALS, TRIES
from holdpoint.core.risk.dialogue.stated_actions import StatedAction
from holdpoint.core.risk.dialogue.verbs import SPOKEN
from holdpoint.core.risk.knowledge import words
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
_HARMLESS = words("words/dialogue:doubts.harmless")
"""Verbs that make something new: to doubt beside them harms nobody."""


def is_grave(action: StatedAction) -> bool:
    """Whether it takes something away, pays, or halts what runs."""
    return action.verb.kind in {Kind.DELETE, Kind.PAYMENT} or action.verb.base in _HALTS


_HALTS = word_set("restart reboot stop shut disable merge deploy rollback overwrite reset")


def is_harmless(action: StatedAction) -> bool:
    """Return whether nothing is lost by the action: it reads, or makes something new."""
    base = action.verb.base
    opens = base == "open" and not PAGES.isdisjoint(action.objects[:4])
    tries = base in TRIES and not TRIALS.isdisjoint(action.objects[:4])
    makes = base in _HARMLESS and _RUNS_ON.isdisjoint(action.objects[:_NEAR])
    return action.verb.kind is Kind.READ or action.edits or makes or opens or tries


_NEAR = 6
_RUNS_ON = words("words/dialogue:doubts.runs_on")
"""What does something else as soon as one writes into it."""


def doubts_facts(text: str, actions: tuple[StatedAction, ...]) -> bool:
    """Whether a text that is unsure only looks further, or is unsure of a mere fact.

    As soon as it goes on, or does what nobody knows the word for, the doubt stands.
    """
    if not all(map(is_harmless, actions)) or _presses_on(text) or _wavers(text):
        return False
    looks = any(looks_further(action, text) for action in actions)
    return looks or not _about_harm(text)


def looks_further(action: StatedAction, text: str) -> bool:
    """Whether it is to look further, and not only in passing; `I read it` has been done."""
    if action.verb.kind is not Kind.READ or action.verb.base in _IN_PASSING:
        return False
    if action.verb.base == "look" and text.startswith("looks like", action.span[0]):
        return False
    return not (action.verb.base == "read" and text[: action.span[0]].endswith(_HAS_READ))


_IN_PASSING = words("words/dialogue:doubts.in_passing")
"""What looks no further: `I think it is the right one`, `and see who complains`."""

_HAS_READ = ("i ", "we ", "you ")


def _wavers(text: str) -> bool:
    """`Not sure which of the two to restore`: unsure of an action, though none is announced."""
    found = (SPOKEN.get(match.group(1)) for match in _what_to.finditer(text))
    return any(verb and verb.form is Form.BASE and verb.base not in HARMLESS for verb in found)


_what_to: Any = re2.compile(
    r"\b(?:(?:which|what|whether|how|who|whom|when|where)\b[^.?!;,]{0,60}?\bto|(?:whether|if) "
    r"(?:i|we) (?:should|may|can|must|shall)) ([a-z-]+)"
)
