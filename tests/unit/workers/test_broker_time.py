"""The broker's time, as far as its messages tell it to a worker whose clock is wrong."""

from datetime import timedelta

import pytest

from holdpoint.runtime.process import clock
from holdpoint.workers.broker_time import BrokerTime

MINUTE = timedelta(minutes=1)
T0 = clock.now()


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> BrokerTime:
    """As of a process whose clock says T0, and so always."""
    monkeypatch.setattr(clock, "now", lambda: T0)
    monkeypatch.setattr(clock, "monotonic", lambda: 100.0)
    return BrokerTime()


def test_it_is_the_clocks_time_where_no_message_is_from_later(time: BrokerTime) -> None:
    time.hear(T0 - MINUTE)

    assert time.now() == T0


def test_it_goes_on_from_the_newest_message(
    time: BrokerTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    time.hear(T0 + 3 * MINUTE)
    monkeypatch.setattr(clock, "monotonic", lambda: 160.0)
    time.hear(T0 + 2 * MINUTE)

    assert time.now() == T0 + 4 * MINUTE
