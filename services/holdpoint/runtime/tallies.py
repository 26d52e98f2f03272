"""Counters on TALLIES: add to one, read one. Sums are made of them, and nothing else is.

A counter is read from the stream's leader: one that lags behind would tell less than was spent.
"""

import msgspec

from holdpoint.messages.subjects import TALLIES, stream
from holdpoint.runtime import crash
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.reading import Reader
from holdpoint.runtime.requests import INCREMENT

MESSAGE_ID = "Nats-Msg-Id"


class _Value(msgspec.Struct):
    val: str


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
        await self._reader.requests.publish(subject, b"", self._stream, headers)
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
