"""READS: who read the ledger, as its own event in it."""

from collections.abc import Mapping

from holdpoint.messages.base import Message

LONGEST_ASKED = 200
"""Characters that are kept of a filter."""


class LedgerRead(Message, frozen=True, kw_only=True, omit_defaults=True):
    """One reading of the ledger; who read, and where, stands in its subject."""

    what: str
    """The page or command: `ledger`, `hold`, `query`, `export` …"""

    asked: dict[str, str] = {}
    """Filters, or the hold, as they were given."""


def read_of(what: str, asked: Mapping[str, str]) -> LedgerRead:
    """Return what is noted of a reading: filters that are empty do not matter."""
    given = {name: value[:LONGEST_ASKED] for name, value in asked.items() if value}
    return LedgerRead(what=what, asked=given)
