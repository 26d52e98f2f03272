"""ERASURES: what was erased from the ledger, and what a legal hold keeps in it.

The ledger says the same of itself. The stream keeps it apart from the ledger, so that one that is
lost and filled again takes nothing back.
"""

from typing import TypeAlias

from holdpoint.messages.base import Message, Moment


class Erased(Message, frozen=True, kw_only=True, omit_defaults=True):
    """Bodies that are gone."""

    by: str
    why: str
    basis: str
    """The law or contract that asks for it."""

    spans: tuple[tuple[int, int], ...] = ()
    """First and last of each row of neighbouring events, as the ledger numbered them that day."""

    sources: tuple[tuple[str, int, int], ...] = ()
    """The same messages where they came from: stream, first and last sequence."""


class LegalHold(Message, frozen=True, kw_only=True, omit_defaults=True):
    """Bodies that stay until it is lifted: of one hold, or of a range of time."""

    name: str
    by: str
    why: str
    hold_id: str = ""
    since: Moment | None = None
    until: Moment | None = None
    """Exclusive."""


class Lifted(Message, frozen=True, kw_only=True, omit_defaults=True):
    """The end of a legal hold."""

    name: str
    by: str
    why: str


Kept: TypeAlias = Erased | LegalHold | Lifted
WORDS: dict[type[Message], str] = {Erased: "erased", LegalHold: "legal_hold", Lifted: "lifted"}
"""Their tokens in a subject."""
