"""Counters on TALLIES: add to one, read one. Sums are made of them, and nothing else is.

A counter is read from the stream's leader: one that lags behind would tell less than was spent.
"""

import msgspec
from nats.errors import Error as NatsError

from holdpoint.messages.subjects import TALLIES, stream
from holdpoint.runtime import crash
from holdpoint.runtime.errors import (
    RefusedByBrokerError,
    UnavailableError,
    UnknownOutcomeError,
)
from holdpoint.runtime.reading import Reader
from holdpoint.runtime.requests import PUBLISH_TIMEOUT_S, Fault

INCREMENT = "Nats-Incr"
MESSAGE_ID = "Nats-Msg-Id"


class _Counted(msgspec.Struct):
    """The server's acknowledgement; a repeat comes without a value."""

    stream: str = ""
    val: str = ""
    error: Fault | None = None


class _Value(msgspec.Struct):
    val: str


_acknowledgements = msgspec.json.Decoder(_Counted)
_values = msgspec.json.Decoder(_Value)


class Tallies:
    """The counters of one tenant."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._stream = stream(reader.tenant, TALLIES)

    async def add(self, subject: str, amount: int, once: str) -> None:
        """Add to a counter, or take from it: once, however often it is said by this id.

        RefusedByBrokerError when it was not counted, UnknownOutcomeError when nobody knows.
        """
        crash.passing("publish", "tally", "before")
        headers = {INCREMENT: f"{amount:+d}", MESSAGE_ID: once}
        try:
            raw = await self._reader.requests.send(subject, b"", PUBLISH_TIMEOUT_S, headers)
            told = _acknowledgements.decode(raw)
        except (NatsError, msgspec.DecodeError) as error:
            raise UnknownOutcomeError(f"{subject}: {error!r}") from error
        if told.error is not None:
            text = f"{self._stream} refused: {told.error.description}"
            raise RefusedByBrokerError(text, told.error.err_code)
        if told.stream != self._stream:
            raise UnknownOutcomeError(f"{subject}: {told.stream or 'nobody'} answered.")
        crash.passing("publish", "tally", "after")

    async def value(self, subject: str) -> int:
        """How far a counter has come; 0 when it was never begun."""
        stored = await self._reader.last(TALLIES, subject)
        if stored is None:
            return 0
        try:
            return int(_values.decode(stored.data).val)
        except (msgspec.DecodeError, ValueError) as error:
            raise UnavailableError(f"{subject} holds no number: {error}") from error
