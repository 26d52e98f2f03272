"""What a sentence only talks about: words that are searched for or reported, edits of a text."""

from itertools import islice
from typing import Any

import re2

from holdpoint.core.risk.dialogue.cues import shared
from holdpoint.core.risk.dialogue.doubts import is_harmless
from holdpoint.core.risk.dialogue.stated_actions import StatedAction

Spans = tuple[tuple[int, int], ...]
MAX_MENTIONS = 20
"""Quotations of one text that are looked at."""

MAX_MENTION = 350
"""Characters of a quotation, with the words that lead to it; what is longer is no mention."""

_quoted: Any = re2.compile(
    r"\b(?:contain(?:s|ing)?|include[sd]?|including|strings?|words?|phrases?|patterns?|texts?|regex|"
    r"expression|terms?|for|about|of|named|called|titled|labell?ed|match(?:es|ing)?|grep|says?|said|saying|"
    r"reads|reading|wrote|written|writes|asks?|asked|asking|what|why|how|message|warning|error|dialogs?|button|"
    r"note|label|poster|quoting|docs|log|line|comment|title|heading|sentences?|headlines?|slogan|quote|"
    r"proverb|example|translat(?:e|es|ing)|pronounc(?:e|ing)|spell(?:ing)?|rephras(?:e|ing))"
    r"[ :,]{1,3}(?:the |an? |this )?"
    r"(?:\w+ ){0,2}(?:\"[^\"\n]+\"|`[^`\n]+`|'[^'\n]+')"
)
_pressed: Any = re2.compile(
    r"(?:^|[ (])((?:\"[^\"\n]+\"|`[^`\n]+`|'[^'\n]+') (?:button|option|menu|dialog|link|tab|icon|"
    r"entry|setting)) (?:is|was|has|had|stays|sits|did|does|can|moved|shows|opens|needs|should)\b"
)
"""`The "Delete all" button is red`: what a page offers, until somebody presses it."""

_presses = shared(
    r"\b(?:click|press|hit|tap|push|select|choos|us(?:e|ing)|toggl|tick|activat|trigger|follow|"
    r"open(?:ing)?|go(?:ing)? (?:to|for)|i|we|let)\b|\bi'|\b(?:click|press|hitt|tapp|push)\w"
)
_MARKS = "\"'`"
_BEFORE = " :,"
"""Signs that open such a quotation, and what stands before them."""


def only_mentioned(quotes: Spans, actions: tuple[StatedAction, ...]) -> Spans:
    """Where a text only quotes what it looks for or reports, or edits the words that flow by.

    Quotations count for nothing as soon as the words around them do something themselves.
    """
    edits = tuple(action.span for action in actions if action.edits)
    acts = any(not is_harmless(action) for action in actions)
    return edits if acts else (*edits, *quotes)


def quotations(text: str) -> Spans:
    """Return where it quotes what it looks for, or what somebody said."""
    marks = [mark for mark in _MARKS if mark in text]
    if not any(f"{before}{mark}" in text for mark in marks for before in _BEFORE):
        return ()
    named = (match.span() for match in islice(_quoted.finditer(text), MAX_MENTIONS))
    idle = () if _presses(text) else islice(_pressed.finditer(text), MAX_MENTIONS)
    pressed = (match.span(1) for match in idle)
    return tuple((start, end) for start, end in (*named, *pressed) if end - start <= MAX_MENTION)
