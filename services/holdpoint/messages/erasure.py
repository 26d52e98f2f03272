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


class Retention(Message, frozen=True, kw_only=True, omit_defaults=True):
    """Age from which bodies are erased; the newest one counts, and the daily run goes by it."""

    days: int
    """0: they are kept for ever."""

    by: str
    why: str
    basis: str = ""


class Lifted(Message, frozen=True, kw_only=True, omit_defaults=True):
    """The end of a legal hold."""

    name: str
    by: str
    why: str


class ErasureRefused(Message, frozen=True, kw_only=True, omit_defaults=True):
    """A command of a person who may not give it; nothing was changed."""

    by: str
    command: str
    """The command, in words for people."""

    reason: str
    """Why it was refused."""


Kept: TypeAlias = Erased | LegalHold | Lifted | Retention
"""Messages that become events of the ledger too."""

WORDS: dict[type[Message], str] = {
    Erased: "erased",
    LegalHold: "legal_hold",
    Lifted: "lifted",
    Retention: "retention",
    ErasureRefused: "refused",
}
"""Their tokens in a subject."""

RETENTION = "retention"
"""The name that the daily run erases under: no person's."""
