"""Receivers outside that answer with anything at all: each is away, and no service ends of it."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from holdpoint.api import webhooks
from holdpoint.audit.forward_targets import to_webhook
from holdpoint.audit.publishing import witness_of
from holdpoint.console import openid
from holdpoint.runtime.config.witness_files import WitnessEntry
from holdpoint.runtime.errors import UnavailableError

ODD = {
    "no HTTP": b"nonsense\r\n\r\n",
    "a header without end": b"HTTP/1.1 200 OK\r\nX: " + b"x" * 70_000,
    "too many headers": b"HTTP/1.1 200 OK\r\n" + b"X: x\r\n" * 200 + b"\r\n",
    "nothing": b"",
}
SENDERS: dict[str, Callable[[str], None]] = {
    "webhook": lambda url: webhooks.post(url, b"secret", b"{}", "robot"),
    "ledger": lambda url: to_webhook(url, b"secret")([]),
    "witness": lambda url: witness_of(WitnessEntry(name="w", url=url), "acme").publish("note"),
}


@pytest.fixture(params=ODD)
def odd(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a receiver that answers so."""
    listening = socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        with listening, closing(listening.accept()[0]) as line:
            line.recv(65_536)
            line.sendall(ODD[request.param])

    thread = threading.Thread(target=answer)
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    thread.join()


@pytest.mark.parametrize("kind", SENDERS)
def test_a_receiver_that_answers_no_http_is_away(odd: str, kind: str) -> None:
    with pytest.raises(UnavailableError):
        SENDERS[kind](odd)


async def test_a_provider_that_answers_no_http_lets_nobody_in(odd: str) -> None:
    with pytest.raises(openid.OpenIdError):
        await openid._fetched(odd)


def test_what_is_secret_in_an_address_is_in_no_error() -> None:
    with pytest.raises(UnavailableError) as away:
        to_webhook("http://user:hush@127.0.0.1:9/in/hush?key=hush", b"secret")([])
    assert "hush" not in str(away.value)
    assert "127.0.0.1" in str(away.value)
