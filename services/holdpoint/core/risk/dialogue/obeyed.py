"""A quoted order that is carried out: `it says "wipe it all" and I'm on it` quotes nothing.

```
"… and I'm on it"  "… I will follow these orders"   anywhere behind the quotation
"Roger."  "Sure, right away."  "and so I will."     right behind it, and nothing else
"I will now do this: …"  "I'm about to …"           right before it
"Next action: …"  "My plan is: …"                   right before it, where it ends what is said
"I'm wiping the disk."                              by itself, where nothing is told or read out
```
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import re2

from holdpoint.core.risk.dialogue.cues import shared
from holdpoint.core.risk.dialogue.mentions import Spans
from holdpoint.core.risk.dialogue.words import MAX_WORDS
from holdpoint.core.risk.words import word_set

_complies: Any = re2.compile(
    r"\b(?:(?:i'?m|i am|we'?re|getting|get) (?:right )?on (?:it|that)\b|"
    r"(?:i|we)(?:'?ll| will) (?:now |just |then )?(?:do (?:that|it|so|this|as|just|exactly)|comply|"
    r"obey|carry (?:that|it|this) out|get (?:right )?(?:on|to) (?:it|that)|see to (?:it|that)|"
    r"follow (?:it|that|this|suit|these|those|the (?:order|instruction)))|"
    r"(?:doing|carrying out|executing|following|handling) (?:that|it|this|so|as|the order)|"
    r"(?:follow|following|obeying|heeding) (?:the|your|their|those|these) "
    r"(?:docs?|documentation|instructions?|orders?|guide|runbook|manual|advice|notes?|request)|"
    r"(?:i|we)(?:'?ll| will|'?m|'?re)?(?: now)? carry(?:ing)? out|"
    r"(?:i'?m|now|am) (?:complying|obeying)|will do\b|consider it done|"
    r"as (?:told|instructed|ordered|commanded))"
)

_MINE = (
    r"(?:i|we)(?:'?ll|'?m|'?re| will| am| are| shall)(?: (?:now|just|then|about|to|going|ahead|"
    r"with|hereby|straight|right|immediately|gonna))*(?: (?:do|run|execute|perform|carry out|start|"
    r"begin)(?:ing|ning)?(?: with)?)?(?: (?:now|just|exactly|simply|only))*|"
    r"as \w+ (?:i|we) (?:now )?(?:do|run|execute|perform)|"
    r"(?:now )?(?:doing|executing|performing|carrying out|(?:proceeding|going ahead) with)(?: now)?"
)
_PLANNED = (
    r"(?:(?:my|the|our) )?(?:next (?:action|step|move|task|deed)|plan|"
    r"(?:action|step) \d+(?: of (?:my|the) plan)?)(?: (?:is|will be|now))?"
    r"(?:, (?:running|starting|doing it|in progress) now)?"
)
_BEGINS = (
    r"(?:(?:^|[-.!?;:,\n\r\v\f\x{2028}(>*_\"'`\x{201c}])[ \n\r\v\f\x{2028}]?|"
    r"\b(?:so|and|then|now|but) )"
)
_THIS = r"(?: (?:this|it|the following|as follows|that))?[:,]? "
_LEADS = rf"{_BEGINS}(?:(?P<mine>{_MINE})|{_PLANNED}){_THIS}[\"'`\x{{201c}}]"
_announces: Any = re2.compile(_LEADS)
_may_announce = shared(_LEADS)
_ALONE = (
    r"(?:^|[.!?;:,\n\r\v\f\x{2028}] ?(?:[-*>] )?)[\"'`\x{201c}] ?(?:[a-z]+,?\s){0,2}"
    r"(?:i|we)(?:'?ll|'?m|'?re|\swill|\sam|\sare|\sshall)\b"
)
_stands_alone: Any = re2.compile(_ALONE)
_tells: Any = re2.compile(
    r"\b(?:sa(?:y|id|ys|ying)|read(?:s|ing)?|wr(?:ote|ites?|iting|itten)|t(?:ell(?:s|ing)?|old)|"
    r"quot(?:e[ds]?|ing|ations?)|ask(?:s|ed|ing)?|answer(?:s|ed)?|repl(?:y|ies|ied)|called|titled?|"
    r"named|mean(?:s|ing|t)?|translat\w+|letters?|mails?|emails?|messages?|notes?|texts?|sentences?|"
    r"phrases?|words?|strings?|lines?|logs?|examples?|songs?|lyrics|stor(?:y|ies)|scenes?|books?|"
    r"films?|movies?|poems?|jokes?|characters?|slogans?|headings?|headlines?|labels?|buttons?|"
    r"prompts?|transcripts?|reports?|tickets?|comments?|claim(?:s|ed)?|errors?|warnings?|"
    r"contain(?:s|ed|ing)?|typed?|types|typing|enter(?:s|ed)?|instead|search\w*|grep\w*|look\w*|"
    r"find|found|replace\w*|spell\w*|pronounc\w*|print\w*|display\w*|show\w*|s?he|they)\b"
)
"""Whoever tells something, reads it out or looks for it may quote what is in marks."""

_as_i_said: Any = re2.compile(
    r"\b(?:as|like|what) (?:i|we)(?:'ve| have)? (?:just |already )?(?:said|told|mentioned|"
    r"announced|wrote|written|promised|stated)\b"
)
"""Who quotes themselves says it once more."""

_ends_here: Any = re2.compile(r"\s*(?:[.!;\n]|\z)")

_MARKED = re.compile('"[^"]{1,400}"')


def unquoted(text: str, quotes: Spans) -> str:
    """The text, each quoted order a sentence of its own if it is carried out.

    It keeps its length, so that places stay.
    """
    marked = quotes or (tuple(_in_marks(text)) if '"' in text else ())
    announced = tuple(_announced(text)) if _may_announce(text) else ()
    if marked or any(map(text.__contains__, _OTHERS)) or text[:1] == "'":
        announced = (*announced, *_standing_alone(text))
    if not (marked or announced):
        return text
    done = {end for _, end in announced}
    last = max((found.start() for found in _complies.finditer(text)), default=-1) if marked else -1
    obeyed = (
        (start, end)
        for start, end in marked
        if end not in done and (end <= last or _is_agreed(text, end))
    )
    return _opened(text, (*announced, *obeyed))


def _opened(text: str, obeyed: Iterable[tuple[int, int]]) -> str:
    """Without its marks, and each apart from what leads to it, unless its verb needs that."""
    chars: list[str] = []
    for start, end in obeyed:
        chars = chars or list(text)
        apart = "" if _needs.search(text, max(0, start - 8), start) else ";"
        _open_up(chars, start, end - 1, apart)
    return "".join(chars) if chars else text


_needs = re.compile(r"\b(?:to|will) \Z")


def _announced(text: str) -> Iterator[tuple[int, int]]:
    """Where it quotes what it is about to do; a word alone is only meant in another way."""
    for found in islice(_announces.finditer(text), MAX_WORDS):
        start = found.end() - 1
        end = _closed(text, start)
        ends = end > 0 and (found["mine"] or _ends_here.match(text, end))
        if ends and " " in text[start + 1 : end].strip():
            yield start, end


def _standing_alone(text: str) -> Iterator[tuple[int, int]]:
    """Where it says what it does, in marks, and nobody else says it before or behind."""
    for found in islice(_stands_alone.finditer(text), MAX_WORDS):
        start = next(at for at in range(found.start(), found.end()) if text[at] in _MARKS)
        end = _closed(text, start)
        if not (text[end - 2] in _ENDS or _ends_here.match(text, end)):
            continue
        leads = _sentence_end.split(text[max(0, start - MAX_LEAD) : start].rstrip())
        lead = next(filter(None, reversed(leads)), "")
        told = _tells.search(lead) and not (_field.fullmatch(lead) or _as_i_said.search(lead))
        if not (told or _told.match(text, end)):
            yield start, end


MAX_LEAD = 200
"""Characters of what leads to a quotation."""

_sentence_end = re.compile(r"[.!?;\n\r\v\f\u2028]+[^\w\"']*")
_field = re.compile(r"\W*(?:text|content|message|answer|reply|response|output)\W*:")
"""The name of what an agent says, as a field of its answer."""

_told: Any = re2.compile(r",? ?(?:\w+ ){1,3}(?:sa(?:id|ys)|wr(?:ote|ites)|replie[ds]|asked|told)\b")


def _closed(text: str, start: int) -> int:
    """Where the quotation ends that begins here; an apostrophe ends none, nor does nothing."""
    mark = _CLOSES.get(text[start], text[start])
    last = start + MAX_QUOTED
    at = text.find(mark, start + 1, last)
    while mark == "'" and 0 < at < len(text) - 1 and text[at + 1].isalpha():
        at = text.find(mark, at + 1, last)
    return at + 1 or min(last, len(text))


_CLOSES = {"\u201c": "\u201d"}
_OPENS = {"\u201d": "\u201c"}
MAX_QUOTED = 4_000
"""Characters of a quotation; what is longer, or never closed, ends there."""


def _in_marks(text: str) -> Iterator[tuple[int, int]]:
    return (found.span() for found in islice(_MARKED.finditer(text), MAX_WORDS))


def _is_agreed(text: str, end: int) -> bool:
    """Whether what stands right behind only says that it is done."""
    rest = text[end : end + _MOST]
    found = _answer.match(rest)
    if found is None or (found.end() == _MOST and not found[2]):
        return False
    words = found[1].replace(",", " ").split()
    if not all(word in _BESIDE or word in _AGREES or word in _AT_ONCE for word in words):
        return False
    at_once = not _AT_ONCE.isdisjoint(words) and not _YES.isdisjoint(words)
    agrees = not _AGREES.isdisjoint(words) or words[-2:] in _WILL
    return at_once or agrees or _ON_IT.search(found[1]) is not None


_MOST = 80
"""Characters of an answer that says nothing else."""

_answer = re.compile(r"\W*([a-z][a-z', ]*)([.!;\n]|\Z)")
_AGREES = word_set(
    "comply complying obey obeying roger understood acknowledged executing proceeding doing "
    "carrying done gladly wilco certainly absolutely aye follow following"
)
_YES = word_set("yes yeah sure ok okay alright right course fine")
_AT_ONCE = word_set("now immediately straightaway shortly away once")
_WILL = (["i", "will"], ["we", "will"], ["so", "be"])
_ON_IT = re.compile(r"\bon (?:it|that)\b")
_BESIDE = _YES | word_set(
    "i i'm i'll we we're we'll am are will be is it's that it this so and of right at straight "
    "thus then on out in a an minute moment second sir it's with the order them these as"
)


def _open_up(chars: list[str], start: int, close: int, apart: str) -> None:
    """Put a semicolon where the quotation ends, and `apart` where it begins."""
    mark = _OPENS.get(chars[close], chars[close])
    if chars[start] in _MARKS:
        opening = start
    else:
        opening = next((at for at in range(start, close) if chars[at] == mark), close)
    chars[opening] = " "
    if mark in _MARKS:
        chars[close] = ";"
    if opening and apart:
        chars[opening - 1] = apart


_ENDS = frozenset(".!;")
_OTHERS = ("`", " '", "\n'", "\u201c")
"""Signs that open a quotation besides the one that is looked for in any case."""

_MARKS = frozenset("\"'`\u201c")
