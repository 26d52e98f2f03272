"""An error of the broker's client is told in words, without a name of the code's."""

import pytest
from nats.errors import ConnectionClosedError, OutboundBufferLimitError
from nats.errors import TimeoutError as NatsTimeoutError
from nats.js.errors import NotFoundError

from holdpoint.runtime.broker.nats_errors import in_words


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OutboundBufferLimitError(), "the connection to it is lost"),
        (ConnectionClosedError(), "the connection to it is closed"),
        (NatsTimeoutError(), "no answer in time"),
    ],
)
def test_an_error_is_told_in_words(error: Exception, told: str) -> None:
    assert in_words(error) == told


def test_an_error_of_the_broker_keeps_what_the_broker_said() -> None:
    assert "stream not found" in in_words(NotFoundError(description="stream not found"))
