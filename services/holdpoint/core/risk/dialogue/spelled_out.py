"""Words that somebody spelled out with gaps: `d e l e t e`, `w-i-p-e`, `d.r.o.p`."""

import re

import msgspec

from holdpoint.core.risk.dialogue.cues import shared
from holdpoint.core.risk.dialogue.verbs import SPOKEN
from holdpoint.core.risk.text import Folded

_LEAST = 4
"""Letters of a word that is read through its gaps."""

_MOST = max(map(len, SPOKEN))

_spaced_out = shared(r"\b[a-z][ .*_-][a-z][ .*_-][a-z][ .*_-][a-z](?:\b|_)")
_letters = re.compile(r"(?<![^\W_])[a-z]([ .*_-])[a-z](?:\1[a-z]){2,}(?![^\W_])")


def closed_words(text: Folded) -> Folded:
    """The text with its spelled-out verbs as words; places are kept."""
    folded = text.folded
    if not _spaced_out(folded):
        return text
    gaps = {at for found in _letters.finditer(folded) for at in _gaps(found)}
    if not gaps:
        return text
    return without(text, folded, gaps)


def without(text: Folded, folded: str, gaps: set[int]) -> Folded:
    """The text in these letters, as many as it has, without those at these places."""
    kept = [at for at in range(len(folded)) if at not in gaps]
    origin = text.origin
    return msgspec.structs.replace(
        text,
        folded="".join(folded[at] for at in kept),
        origin=tuple(kept) if origin is None else tuple(origin[at] for at in kept),
    )


def _gaps(found: re.Match[str]) -> list[int]:
    """The gaps to close: all but the one behind the verb, if more letters follow."""
    length = _verb_length(found[0][::2])
    behind = found.start() + 2 * length - 1
    return [at for at in range(found.start() + 1, found.end(), 2) if length and at != behind]


def _verb_length(letters: str) -> int:
    """How many of these letters are the longest verb that they begin with; 0: they are none."""
    lengths = range(min(len(letters), _MOST), _LEAST - 1, -1)
    return next((length for length in lengths if letters[:length] in SPOKEN), 0)
