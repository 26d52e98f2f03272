"""What a sentence only talks about: words that are searched for or reported, edits of a text."""

from itertools import islice
from typing import Any

import re2

from holdpoint.core.risk.dialogue.deeds import Deed
from holdpoint.core.risk.dialogue.doubts import is_harmless

Spans = tuple[tuple[int, int], ...]
MAX_MENTIONS = 20
"""Quotations of one text that are looked at."""

MAX_MENTION = 350
"""Characters of a quotation, with the words that lead to it; what is longer is no mention."""

_quoted: Any = re2.compile(
    r"\b(?:contain(?:s|ing)?|include[sd]?|including|strings?|words?|phrases?|patterns?|texts?|regex|"
    r"expression|terms?|for|about|of|named|called|titled|labell?ed|match(?:es|ing)?|grep|says?|said|saying|"
    r"reads|reading|wrote|written|writes|asks?|asked|asking|what|why|how|message|warning|error|dialogs?|button|"
    r"note|label|poster|quoting|docs|log|line|comment|title|heading)[ :,]{1,3}(?:the |an? |this )?"
    r"(?:\w+ ){0,2}(?:\"[^\"\n]+\"|`[^`\n]+`|'[^'\n]+')"
)
_OPENINGS = tuple(f"{before}{quote}" for before in " :," for quote in "\"'`")
"""What stands before such a quotation, and its first mark."""


def only_mentioned(quotes: Spans, deeds: tuple[Deed, ...]) -> Spans:
    """Where a text only quotes what it looks for or reports, or edits the words that flow by.

    Quotations count for nothing as soon as the words around them do something themselves.
    """
    edits = tuple(deed.span for deed in deeds if deed.edits)
    acts = any(not is_harmless(deed) for deed in deeds)
    return edits if acts else (*edits, *quotes)


def quotations(text: str) -> Spans:
    """Where it quotes what it looks for, or what somebody said."""
    if not any(opening in text for opening in _OPENINGS):
        return ()
    found = (match.span() for match in islice(_quoted.finditer(text), MAX_MENTIONS))
    return tuple((start, end) for start, end in found if end - start <= MAX_MENTION)
