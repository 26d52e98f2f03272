"""A price in words, of which one is paid several times: `€229 per room per night`, `$80/unit`."""

import re2

from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.money import CURRENCIES
from holdpoint.core.risk.text import whole_characters

_CODE = f"(?:{'|'.join(sorted(map(str.upper, CURRENCIES)))}|[$€£¥₹])"
_is_rate = glance(
    rf"^(?:{_CODE} ?\d[\d.,]*|\d[\d.,]* ?{_CODE}) ?(?:/ ?|per |each |an? )\pL[\pL /]{{0,40}}$"
)
_things = re2.compile(r"(?:/ ?|\b(?:per|each|an?) )(\pL+)")
_SIZES = words("words/money:rates.sizes")


def per_in(text: str) -> tuple[str, ...]:
    """The words of a key that would say the same, `per room per night`; none for another text."""
    first = text[0]
    if not (first.isdigit() or first.isupper() or first in "$€£¥₹") or not text[-1].isalpha():
        return ()
    text = whole_characters(text.strip())
    things = [one.lower() for one in _things.findall(text)] if _is_rate(text) else []
    if not _SIZES.isdisjoint(things):
        return ()
    return tuple(word for thing in things for word in ("per", thing))
