"""Bytes to messages and back: strict with what others send, exact with what we send."""

import json
import math
import re
from datetime import datetime
from functools import cache
from typing import NoReturn, TypeVar, cast

import msgspec

from holdpoint.messages.base import (
    CONTENT_TYPE,
    MAX_DEPTH,
    MAX_MESSAGE_BYTES,
    MAX_SAFE_INTEGER,
    SPEC_VERSION,
    Event,
    Message,
)
from holdpoint.messages.call import Intent, Propose, Trace, Withdraw
from holdpoint.messages.duplicate_names import Known, Pairs, objects
from holdpoint.messages.subjects import CLASSES, TYPES

M = TypeVar("M", bound=Message)

_encoder = msgspec.json.Encoder()
_events = msgspec.json.Decoder(Event)


class UnreadableError(ValueError):
    """The bytes are no message of ours; `code` is stable, the text says what to change."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


def encode(message: Message) -> bytes:
    """The message's JSON."""
    return _encoder.encode(message)


def encode_event(  # the CloudEvents attributes, each once
    message: Message, *, event_id: str, source: str, subject: str, at: datetime, salt: str
) -> bytes:
    """One CloudEvents document around the message."""
    event = Event(
        specversion=SPEC_VERSION,
        id=event_id,
        type=TYPES[type(message)],
        source=source,
        subject=subject,
        time=at,
        datacontenttype=CONTENT_TYPE,
        data=msgspec.Raw(_encoder.encode(message)),
        salt=salt,
    )
    return _encoder.encode(event)


def decode_event(raw: bytes) -> Event:
    """The CloudEvents frame; its data stays raw."""
    try:
        event = _events.decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise UnreadableError("bad_event", f"Not a CloudEvents document: {_plain(error)}") from None
    if event.specversion != SPEC_VERSION:
        raise UnreadableError("bad_event", "`specversion` must be 1.0.")
    return event


def decode(raw: bytes, kind: type[M]) -> M:
    """A bare message of a known type."""
    try:
        return cast("M", _decoder(kind).decode(raw))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        what = f" as {TYPES[kind]}" if kind in TYPES else ""
        text = f"The message cannot be read{what}: {_plain(error)}"
        raise UnreadableError("bad_data", text) from None


def _plain(error: Exception) -> str:
    """Say what is wrong without the regular expression that found it."""
    return _regex.sub("a name of up to 64 letters, digits, `_` and `-`", str(error))


_regex = re.compile(r"`str` matching regex '[^']*'")

_SENT = ", ".join(TYPES[kind] for kind in (Propose, Intent, Withdraw, Trace))


def decode_data(event: Event) -> Message:
    """The message inside an event, by the event's type."""
    kind = CLASSES.get(event.type)
    if kind is None:
        text = f"`{event.type}` is no type of ours. Agents send: {_SENT}."
        raise UnreadableError("unknown_type", text)
    return decode(bytes(event.data), kind)


def message_in(raw: bytes, kind: type[M]) -> M:
    """The message inside an event that must be of this type."""
    event = decode_event(raw)
    if event.type != TYPES[kind]:
        raise UnreadableError("unknown_type", f"Expected {TYPES[kind]}, got `{event.type}`.")
    return decode(bytes(event.data), kind)


def check_strict(raw: bytes) -> None:
    """Refuse what two readers could read differently.

    Duplicate keys, NaN and infinities, integers of 2^53 and more, lone surrogates, nesting deeper
    than 32, anything over 256 KiB. For what comes from outside; our own facts skip it.
    """
    if len(raw) > MAX_MESSAGE_BYTES:
        raise UnreadableError("too_large", f"A message has at most {MAX_MESSAGE_BYTES} bytes.")
    if not is_as_written(raw):
        _check_thoroughly(raw)


def is_as_written(raw: bytes) -> bool:
    """Return whether these are exactly the bytes that `encode` would write of what they say.

    Then no key stands twice and every number is finite. A document that may be nested too deep,
    or may hold a number of too many digits, does not count: it is looked at thoroughly.
    """
    if raw.count(b"{") + raw.count(b"[") >= MAX_DEPTH:
        return False
    if MANY_DIGITS in raw.translate(_DIGITS_AS_ZEROS):
        return False
    try:
        return _encoder.encode(_anything.decode(raw)) == raw
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return False


MANY_DIGITS = b"0" * 16
"""Integers of 2^53 and more have as many."""

_DIGITS_AS_ZEROS = bytes.maketrans(b"123456789", b"000000000")
_anything = msgspec.json.Decoder()


def _check_thoroughly(raw: bytes) -> None:
    try:
        value = _strict.decode(raw.decode())
    except RecursionError:
        raise UnreadableError("too_deep", f"At most {MAX_DEPTH} levels of nesting.") from None
    except UnreadableError:
        raise
    except ValueError:
        raise UnreadableError("bad_json", "The message is not JSON in UTF-8.") from None
    _check_value(value, MAX_DEPTH)


@cache
def _decoder(kind: type[Message]) -> msgspec.json.Decoder[Message]:
    return msgspec.json.Decoder(kind)


def _no_twins(_pairs: Pairs, _known: Known) -> NoReturn:
    raise UnreadableError("duplicate_key", "An object names the same key twice.")


def _no_constant(word: str) -> NoReturn:
    raise UnreadableError("not_finite", f"{word} is no number that JSON knows.")


_strict = json.JSONDecoder(object_pairs_hook=objects(_no_twins), parse_constant=_no_constant)


def _check_value(value: object, depth: int) -> None:
    if depth == 0:
        raise UnreadableError("too_deep", f"At most {MAX_DEPTH} levels of nesting.")
    match value:
        case dict():
            for key, part in value.items():
                _check_text(key)
                _check_value(part, depth - 1)
        case list():
            for part in value:
                _check_value(part, depth - 1)
        case _:
            _check_leaf(value)


def _check_leaf(value: object) -> None:
    match value:
        case str():
            _check_text(value)
        case int() if abs(value) > MAX_SAFE_INTEGER:
            raise UnreadableError("integer_too_large", "Integers of 2^53 and more: send a string.")
        case float() if math.isinf(value):
            raise UnreadableError("not_finite", "A number is too large to be exact.")
        case _:
            pass


def _check_text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise UnreadableError("bad_unicode", "A string holds half a surrogate pair.") from None
