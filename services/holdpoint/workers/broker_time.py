"""The broker's time as far as a worker knows it: its own slow clock gives no grant more time."""

from datetime import UTC, datetime, timedelta

from holdpoint.runtime.process import clock


class BrokerTime:
    """The later of this process's clock and of the least that the broker's can be by now."""

    def __init__(self) -> None:
        self._heard, self._since = datetime.min.replace(tzinfo=UTC), clock.monotonic()

    def hear(self, stored_at: datetime) -> None:
        """Take the broker's time of a message that came: its clock is there, or further."""
        if stored_at > self._least():
            self._heard, self._since = stored_at, clock.monotonic()

    def now(self) -> datetime:
        """Aware, in UTC."""
        return max(clock.now(), self._least())

    def _least(self) -> datetime:
        return self._heard + timedelta(seconds=clock.monotonic() - self._since)
