"""A list of people and of what each is paid, in one text: `Hollis 480; Varga 395`."""

import re2

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.text import whole_characters

MAX_LIST = 600
"""Characters of such a list."""

PAID = word_set(
    "payments payouts transfers salaries bonuses refunds donations payees disbursements"
)
"""Keys under which one may stand."""

_between = re2.compile(r";|,\s+")
_paid = re2.compile(r"\pL.*?[ :=-]+((?:[$€£] ?)?\d[\d.,]*)")


def each_paid(text: str) -> list[dict[str, str]] | None:
    """Names and amounts; None where it is no such list, or too long for one."""
    if len(text) > MAX_LIST or "\n" in text or not (";" in text or "," in text):
        return None
    parts = [part.strip() for part in _between.split(whole_characters(text)) if part.strip()]
    found = [(part, pair[1]) for part in parts if (pair := _paid.fullmatch(part))]
    if len(found) < 2 or len(found) < len(parts):  # noqa: PLR2004  # one alone is a sum in words
        return None
    return [{"name": part, "amount": amount} for part, amount in found]
