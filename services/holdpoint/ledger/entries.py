"""Entries from the broker, and what the ledger reads off them before it is stored.

What cannot be read is an entry all the same: its type is `unreadable`, and its bytes are kept.
"""

import hashlib
from datetime import datetime
from typing import Any, TypeVar, cast

import msgspec

from holdpoint.core.leaf import leaf
from holdpoint.messages import erasure, subjects
from holdpoint.messages.base import TYPE_PREFIX, Event, Message, is_id
from holdpoint.messages.call import Withdraw
from holdpoint.messages.codec import UnreadableError, decode, decode_event
from holdpoint.messages.hold import Refused
from holdpoint.messages.subjects import CLASSES, TYPES

M = TypeVar("M", bound=Message)

UNREADABLE = "unreadable"
LEDGER = "LEDGER"
"""The stream of what the ledger says itself (`own_events.py`); it is at no broker."""

REFILLED, ORIGIN = "refilled", "origin"
LEDGER_TYPES = {
    word: f"{TYPE_PREFIX}.ledger_{word}" for word in (*erasure.WORDS.values(), REFILLED, ORIGIN)
}
GATE = "gate"


class Refilled(msgspec.Struct, frozen=True, kw_only=True):
    """A ledger that was begun although its streams held what people and agents had done."""

    messages: int


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """The time at which a stream was made that the ledger reads, in the broker's words."""

    stream: str
    created: str


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One stored message of a stream, as the broker handed it over."""

    stream: str
    seq: int
    subject: str
    at: datetime
    """The broker's time."""

    body: bytes
    signature: str | None = None
    """The header as it came; None when there was none."""

    @property
    def kind(self) -> str:
        """`HP_CALLS_acme@robot` -> `CALLS`."""
        return subjects.kind_of(self.stream)

    @property
    def body_sha256(self) -> str:
        """Of the bytes as they are stored; hex."""
        return hashlib.sha256(self.body).hexdigest()

    @property
    def cause(self) -> str:
        """Return what facts call this message: `CALLS@robot:17`."""
        return subjects.command_id(self.stream, self.seq)


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Fields of a subject, as far as its stream's subjects say it."""

    tenant: str = ""
    agent: str | None = None
    principal: str | None = None
    """Whose message it is, or (for a refusal) whose message was refused."""

    hold_id: str | None = None
    word: str = ""
    domain: str = ""


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """An entry with its place in the ledger and what could be read off it."""

    seq: int
    entry: Entry
    place: Place
    event: Event | None
    type_name: str
    hold_id: str | None
    decoded: dict[type[Message], Message | None] = msgspec.field(default_factory=dict)
    """What `message` has read: each table that follows from the event asks for it again."""

    def message(self, kind: type[M]) -> M | None:
        """Return the message if it is one of this kind and can be read."""
        if self.event is None or self.type_name != TYPES[kind]:
            return None
        if kind not in self.decoded:
            self.decoded[kind] = _decoded(self.event, kind)
        return cast("M | None", self.decoded[kind])


def _decoded(event: Event, kind: type[M]) -> M | None:
    try:
        return decode(bytes(event.data), kind)
    except UnreadableError:
        return None


def record_of(seq: int, entry: Entry) -> Record:
    """Read what the ledger needs to know; never fails."""
    entry = _storable(entry)
    place = place_of(entry.subject)
    event = _event_in(entry)
    made = Record(
        seq=seq,
        entry=entry,
        place=place,
        event=event,
        type_name=event.type if event else UNREADABLE,
        hold_id=place.hold_id,
    )
    return msgspec.structs.replace(made, hold_id=_said_hold(made)) if _says_hold(made) else made


def without_nul(text: str) -> str:
    """Return the text with U+FFFD in place of each NUL, which not every database can hold."""
    return text.replace("\x00", "\ufffd") if "\x00" in text else text


def _storable(entry: Entry) -> Entry:
    """Return the entry with texts as every database keeps them, so that its leaf is of these."""
    subject, signature = entry.subject, entry.signature
    if "\x00" not in subject and "\x00" not in (signature or ""):
        return entry
    return msgspec.structs.replace(
        entry,
        subject=without_nul(subject),
        signature=without_nul(signature) if signature is not None else None,
    )


def row_of(record: Record) -> dict[str, Any]:
    """Return the row of `events`, with its leaf."""
    entry = record.entry
    row: dict[str, Any] = {
        "seq": record.seq,
        "src_stream": entry.stream,
        "src_seq": entry.seq,
        "subject": entry.subject,
        "type": record.type_name,
        "time": entry.at,
        "hold_id": record.hold_id,
        "agent": record.place.agent,
        "principal": record.place.principal,
        "signature": entry.signature,
        "body_sha256": entry.body_sha256,
    }
    row["leaf"] = leaf(row)
    return row


def place_of(subject: str) -> Place:
    """Take a subject apart by the rules of its stream; an odd one yields an empty place."""
    match subject.split("."):
        case ["hp", tenant, root, *rest] if len(rest) == len(_LAYOUTS.get(root, ())) > 0:
            said = dict(zip(_LAYOUTS[root], rest, strict=True))
            said.pop("", None)
            return Place(tenant=tenant, principal=_principal(root, said), **said)
        case _:
            return Place()


_LAYOUTS = {
    "call": ("agent", "word"),
    "hold": ("agent", "hold_id", "word", "domain"),
    "refusal": ("refused", ""),
    "card": ("", "hold_id"),
    "answer": ("", "person", "agent", "hold_id"),
    "run": ("domain", "agent", "hold_id", "word", ""),
    "admin": ("person", "word"),
    "state": ("word", ""),
    "read": ("", "person"),
    "erasure": ("word", "person"),
}
"""What the tokens after `hp.<tenant>.<root>` are; what the ledger needs no column for is empty."""


def _principal(root: str, said: dict[str, str]) -> str:
    """Take who speaks out of what was said."""
    match root:
        case "call":
            return said["agent"]
        case "refusal":
            return said.pop("refused")
        case "answer" | "admin" | "read" | "erasure":
            return said.pop("person")
        case "run" if said["word"] not in {"barred", "lapsed"}:
            return f"domain:{said['domain']}"
        case _:
            return GATE


def _event_in(entry: Entry) -> Event | None:
    try:
        event = decode_event(entry.body)
    except UnreadableError:
        return None
    is_own = entry.kind in {LEDGER, subjects.ERASURES}
    known = LEDGER_TYPES.values() if is_own else CLASSES
    return event if event.type in known else None


def _says_hold(record: Record) -> bool:
    """Return whether the hold stands in the body only: withdrawals and refusals."""
    return record.type_name in {TYPES[Withdraw], TYPES[Refused]} and record.hold_id is None


def _said_hold(record: Record) -> str | None:
    said = record.message(Withdraw) or record.message(Refused)
    return said.hold_id if said is not None and is_id(said.hold_id) else None
