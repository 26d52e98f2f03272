"""Where an agent says itself that there is no way back from what it does."""

from collections.abc import Sequence
from typing import Any

import re2

from holdpoint.core.risk.dialogue.words import Sentence
from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.lexicon import word_set

_BACK = (
    r"undone|reversed|reverted|rolled back|called back|taken back|brought back|got back|put back|"
    r"retrieved|recovered|restored|recoverable|reversible|retrievable|recalled|unsent|revoked"
)
_final: Any = re2.compile(
    r"\b(?:"
    r"(?:gone|lost) (?:forever|for ever|once and for all)|for good|without (?:a )?trace|"
    r"(?:can'?t|cannot|can not|could not|couldn'?t|won'?t|will not|not|never|no longer) "
    rf"(?:ever |then |later )?be (?:{_BACK})|"
    r"(?:no one|nobody|nothing|none of us|you|we|i|they|anyone) (?:else )?"
    r"(?:can'?t|cannot|can|will|could|won'?t) (?:ever |then |later )?(?:be able to )?"
    r"(?:take|bring|get|call|undo|reverse|recover|restore|roll)\b[^.!?;]{0,30}\bback|"
    r"no (?:going|turning|coming|getting|way) back|point of no return|"
    r"(?:past|beyond) (?:recall|recovery|repair)|"
    r"no (?:copy|copies|backups?|trace) (?:is |are |will be |being )?(?:kept|left|made|taken)|"
    r"(?:without|with no|no) (?:any )?(?:a )?(?:backups?|way back|copy|copies|safety net)|"
    r"(?:will|would) (?:then |all )?be (?:lost|gone|unreadable|unrecoverable)|"
    r"(?:legally|forever|permanently|finally) (?:binding|binds?|bound)|"
    r"(?:can'?t|cannot|never) (?:be read|come back|return) again"
    r")\b"
)
_has_final = glance(_final.pattern)
_STEPS = word_set("once when after if from then as")
_SPOKEN_OF = word_set("i i've i'm i'll we we've done run started this it that through")
_PAST = word_set("was were had did already ago yesterday last")


def no_way_back(text: str, told: Sequence[Sentence], *, acts: bool) -> tuple[int, int] | None:
    """Where it says that nothing brings back what it does, or is about to do."""
    if not _has_final(text):
        return None
    found = _final.search(text)
    if found is None:
        return None
    steps = any(
        _is_a_step(one)
        for one in told
        if one.starts[0] <= found.end() and found.start() <= one.span(len(one.words) - 1)[1]
    )
    return found.span() if acts or steps else None


def _is_a_step(sentence: Sentence) -> bool:
    """`Once I run it`, `when it's done`: said of what comes next, and of nobody's past."""
    words = sentence.words
    if not _PAST.isdisjoint(words):
        return False
    return any(
        word in _STEPS and not _SPOKEN_OF.isdisjoint(words[at + 1 : at + 4])
        for at, word in enumerate(words)
    )
