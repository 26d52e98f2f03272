"""A quoted order that is carried out: `it says "wipe it all" and I'm on it` quotes nothing.

```
"… and I'm on it"  "… I will follow these orders"   anywhere behind the quotation
"Roger."  "Sure, right away."  "and so I will."     right behind it, and nothing else
```
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import re2

from holdpoint.core.risk.dialogue.mentions import Spans
from holdpoint.core.risk.dialogue.words import MAX_WORDS
from holdpoint.core.risk.lexicon import word_set

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

_MARKED = re.compile('"[^"]{1,400}"')


def unquoted(text: str, quotes: Spans) -> str:
    """The text, each quoted order a sentence of its own if it is carried out.

    It keeps its length, so that places stay.
    """
    marked = quotes or (tuple(_in_marks(text)) if '"' in text else ())
    if not marked:
        return text
    last = max((found.start() for found in _complies.finditer(text)), default=-1)
    obeyed = [(start, end) for start, end in marked if end <= last or _is_agreed(text, end)]
    if not obeyed:
        return text
    chars = list(text)
    for start, end in obeyed:
        _open_up(chars, start, end - 1)
    return "".join(chars)


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


def _open_up(chars: list[str], start: int, close: int) -> None:
    """Put a semicolon where the quotation begins, and where it ends."""
    mark = chars[close]
    opening = next((at for at in range(start, close) if chars[at] == mark), close)
    chars[opening], chars[close] = " ", ";"
    if opening:
        chars[opening - 1] = ";"
