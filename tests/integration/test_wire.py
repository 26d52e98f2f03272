"""The wire against a real server, through a proxy that holds bytes back or cuts a connection."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import pytest
from nats.errors import (
    BadSubjectError,
    ConnectionClosedError,
    MaxPayloadError,
    NoRespondersError,
    OutboundBufferLimitError,
)
from nats.errors import TimeoutError as NatsTimeoutError
from tests.waiting import eventually

from holdpoint.runtime.broker import connection
from holdpoint.runtime.broker.connection import Login, Requests
from holdpoint.runtime.broker.nats_conf import ANY_PORT
from holdpoint.runtime.broker.server import NatsServer
from holdpoint.runtime.broker.wire import WireClient
from holdpoint.runtime.config.settings import LOOPBACK
from holdpoint.runtime.errors import UnknownOutcomeError
from holdpoint.runtime.process import clock

pytestmark = pytest.mark.nats

CONFIG = """
port: {port}
ports_file_dir: "{run_dir}"
max_payload: 65536
max_pending: 2097152
write_deadline: "2s"
ping_interval: "200ms"
authorization: {{
  users: [{{user: a, password: a, permissions: {{publish: ">", subscribe: ["ok.>"]}}}}]
}}
"""
NEVER = -1
HELD_BACK_S = 0.5

Come: TypeAlias = Callable[..., Awaitable[WireClient]]


@dataclass(eq=False)
class Proxy:
    """Between a client and the server: forwards at most so many bytes, then cuts or holds back."""

    target: int
    port: int = 0
    cut_after: int = NEVER
    """Bytes from the server that still go through on the open connection."""

    may_flow: asyncio.Event = field(default_factory=asyncio.Event)
    said: bytearray = field(default_factory=bytearray)
    """What the clients sent."""

    async def start(self) -> asyncio.Server:
        self.may_flow.set()
        server = await asyncio.start_server(self._on_client, LOOPBACK, 0)
        self.port = server.sockets[0].getsockname()[1]
        return server

    async def _on_client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            from_server, to_server = await asyncio.open_connection(LOOPBACK, self.target)
        except OSError:
            writer.close()
            return
        there = asyncio.create_task(self._note(reader, to_server))
        try:
            await self._forward(from_server, writer)
        finally:
            there.cancel()
            writer.transport.abort()
            to_server.close()

    async def _note(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            self.said += data
            writer.write(data)
        writer.close()

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(4096):
            await self.may_flow.wait()
            if self.cut_after != NEVER:
                data, is_over = data[: self.cut_after], len(data) >= self.cut_after
                self.cut_after = NEVER if is_over else self.cut_after - len(data)
                if is_over:
                    writer.write(data)
                    await writer.drain()
                    return
            writer.write(data)
            await writer.drain()


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[NatsServer]:
    config, run_dir = tmp_path / "nats.conf", tmp_path / "run"
    config.write_text(CONFIG.format(port=ANY_PORT, run_dir=run_dir))
    server = NatsServer(config=config, run_dir=run_dir, port=ANY_PORT)
    await server.start()
    config.write_text(CONFIG.format(port=server.port, run_dir=run_dir))
    yield server
    server.kill()


@pytest.fixture
async def proxy(server: NatsServer) -> AsyncIterator[Proxy]:
    proxy = Proxy(target=server.port)
    async with await proxy.start():
        yield proxy


async def closed(client: WireClient) -> None:
    """In a task of its own: a connection that is lost meanwhile cancels only that."""
    await asyncio.wait({asyncio.ensure_future(client.close())})


@pytest.fixture
async def come() -> AsyncIterator[Come]:
    """Connects clients, and closes what it connected."""
    async with AsyncExitStack() as stack:

        async def connect(port: int, login: Login | None = None) -> WireClient:
            client = WireClient()

            async def on_loss() -> None:
                for lost in login.lost if login else []:
                    lost()

            async def on_error(_error: Exception) -> None:
                return

            await client.connect(
                f"nats://a:a@{LOOPBACK}:{port}",
                reconnect_time_wait=0,
                max_reconnect_attempts=-1,
                pending_size=0,
                disconnected_cb=on_loss,
                error_cb=on_error,
            )
            stack.push_async_callback(closed, client)
            return client

        yield connect


@dataclass(eq=False)
class Ear:
    """Keeps the bodies that it hears."""

    bodies: list[bytes] = field(default_factory=list)

    def __call__(self, _subject: str, _reply: str, _headers: bytes, body: bytes) -> None:
        self.bodies.append(body)

    async def hears(self, body: bytes) -> None:
        async def heard() -> bool:
            return body in self.bodies

        await eventually(heard)


def a_login() -> Login:
    return Login(user="ok", seed="", url="")


def answering(client: WireClient) -> None:
    def answer(_subject: str, reply: str, _headers: bytes, body: bytes) -> None:
        client.wire.publish(reply, body)

    client.wire.subscribe("ok.echo", answer)


def requests_of(client: WireClient, login: Login) -> Requests:
    """On an inbox that the server lets it have."""
    count = itertools.count()
    client.new_inbox = lambda: f"ok.inbox{next(count)}"  # type: ignore[method-assign]
    return Requests(client, login)


async def back(client: WireClient, times: int = 1) -> None:
    async def is_back() -> bool:
        return client.is_connected and client.stats["reconnects"] >= times

    await eventually(is_back)


async def test_a_subscription_hears_the_answer_to_what_is_sent_in_the_same_turn(
    server: NatsServer, come: Come
) -> None:
    echo, client = await come(server.port), await come(server.port)
    answering(echo)
    await echo.flush()
    ear = Ear()

    for number in range(200):
        inbox = f"ok.inbox.{number}"
        client.wire.subscribe(inbox, ear)
        client.wire.publish("ok.echo", b"%d" % number, inbox)

    async def all_answered() -> bool:
        return len(ear.bodies) == 200

    await eventually(all_answered)
    assert ear.bodies == [b"%d" % number for number in range(200)]


async def test_who_only_listens_is_subscribed_again_after_a_reconnect(
    server: NatsServer, come: Come
) -> None:
    listener, sender, ear = await come(server.port), await come(server.port), Ear()
    listener.wire.subscribe("ok.news", ear)
    ended = listener.wire.subscribe("ok.news", ended_ear := Ear())
    ended.close()

    server.kill()
    await server.start()
    await asyncio.gather(back(listener), back(sender))

    await listener.flush()
    sender.wire.publish("ok.news", b"after")
    await ear.hears(b"after")
    assert ended_ear.bodies == []


async def test_a_subscription_made_while_the_server_is_away_counts_once_it_is_back(
    server: NatsServer, come: Come
) -> None:
    client, ear = await come(server.port), Ear()
    server.kill()

    async def is_away() -> bool:
        return not client.is_connected

    await eventually(is_away)
    client.wire.subscribe("ok.news", ear)
    with pytest.raises(OutboundBufferLimitError):
        client.wire.publish("ok.news", b"never")
    await server.start()
    await back(client)

    client.wire.publish("ok.news", b"now")
    await ear.hears(b"now")
    assert ear.bodies == [b"now"]


@pytest.mark.parametrize("cut_after", [1, 5, 30, 100, 4096, 30_000])
async def test_a_connection_that_breaks_within_a_frame_goes_on_with_whole_ones(
    cut_after: int, server: NatsServer, proxy: Proxy, come: Come
) -> None:
    """Whether it was a frame of ours or of nats-py's."""
    listener, sender = await come(proxy.port), await come(server.port)
    ours, theirs = Ear(), asyncio.Queue[bytes]()

    async def on_msg(msg: object) -> None:
        theirs.put_nowait(getattr(msg, "data", b""))

    listener.wire.subscribe("ok.ours", ours)
    await listener.subscribe("ok.theirs", cb=on_msg)
    await listener.flush()
    large = b"x" * 40_000

    proxy.cut_after = cut_after
    for subject in ("ok.ours", "ok.theirs"):
        sender.wire.publish(subject, large)
    await back(listener)
    await listener.flush()
    sender.wire.publish("ok.ours", b"ours")
    sender.wire.publish("ok.theirs", b"theirs")

    await ours.hears(b"ours")
    assert set(ours.bodies) <= {large, b"ours"}
    async with asyncio.timeout(10):
        while (heard := await theirs.get()) != b"theirs":
            assert heard == large


async def test_a_consumer_that_was_too_slow_is_let_in_again_and_hears(
    server: NatsServer, proxy: Proxy, come: Come
) -> None:
    slow, sender, ear = await come(proxy.port), await come(server.port), Ear()
    slow.wire.subscribe("ok.flood", ear)
    await slow.flush()
    proxy.may_flow.clear()

    async def was_cut_off() -> bool:
        for _ in range(100):
            sender.wire.publish("ok.flood", b"x" * 60_000)
        await sender.flush()
        return b"Slow Consumer" in server.log.read_bytes()

    await eventually(was_cut_off)
    proxy.may_flow.set()
    await back(slow)
    await slow.flush()
    sender.wire.publish("ok.flood", b"again")
    await ear.hears(b"again")
    assert set(ear.bodies) == {b"x" * 60_000, b"again"}


async def test_the_servers_pings_are_answered_and_what_it_forbids_is_told(
    proxy: Proxy, come: Come
) -> None:
    client, ear = await come(proxy.port), Ear()
    client.wire.subscribe("forbidden", ear)
    client.wire.publish("forbidden", b"x")
    await client.flush()

    async def pinged() -> bool:
        return b"PONG\r\n" in proxy.said

    await eventually(pinged)
    assert "permissions violation" in str(client.last_error).lower()
    assert client.is_connected
    assert ear.bodies == []


async def test_what_the_protocol_cannot_carry_is_refused_before_it_is_sent(
    proxy: Proxy, come: Come
) -> None:
    client = await come(proxy.port)
    for subject in ("", "a b", "a\r\nPUB b 0", " a"):
        with pytest.raises(BadSubjectError):
            client.wire.publish(subject, b"")
        with pytest.raises(BadSubjectError):
            client.wire.subscribe(subject, Ear())
    with pytest.raises(BadSubjectError):
        client.wire.publish("ok.a", b"", reply="a b")
    with pytest.raises(MaxPayloadError):
        client.wire.publish("ok.a", b"x" * 65_537)
    await client.flush()

    assert b"PUB" not in proxy.said
    assert client.stats["reconnects"] == 0


async def test_a_server_that_takes_nothing_is_not_written_to_for_ever(
    server: NatsServer, come: Come
) -> None:
    client = await come(server.port)

    def publish_for_ever() -> None:
        """In one turn of the loop nothing leaves but what the socket takes."""
        while True:
            client.wire.publish("ok.a", b"x" * 65_000)

    with pytest.raises(OutboundBufferLimitError):
        publish_for_ever()


async def test_a_lost_connection_ends_open_requests_at_once(server: NatsServer, come: Come) -> None:
    login = a_login()
    silent, client = await come(server.port), await come(server.port, login)
    silent.wire.subscribe("ok.silent", Ear())
    await silent.flush()
    requests, began = requests_of(client, login), clock.monotonic()
    asking = asyncio.create_task(requests.send("ok.silent", b"", 60))
    await client.flush()

    server.kill()

    with pytest.raises(ConnectionClosedError):
        await asking
    assert clock.monotonic() - began < 10
    await server.start()


async def test_requests_end_in_time_answered_or_not(server: NatsServer, come: Come) -> None:
    login = a_login()
    other, client = await come(server.port), await come(server.port, login)
    answering(other)
    other.wire.subscribe("ok.silent", Ear())
    await other.flush()
    requests = requests_of(client, login)

    answers = await asyncio.gather(
        *(requests.send("ok.echo", b"%d" % number, 10) for number in range(100)),
        requests.send("ok.silent", b"", HELD_BACK_S),
        requests.send("ok.nobody", b"", 10),
        return_exceptions=True,
    )

    assert answers[:100] == [b"%d" % number for number in range(100)]
    assert isinstance(answers[100], NatsTimeoutError)
    assert isinstance(answers[101], NoRespondersError)
    assert await requests.send("ok.echo", b"later", 10) == b"later"


async def test_what_may_be_repeated_is_until_the_first_reply(
    server: NatsServer, come: Come, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever led the stream took the first one along; only what is said to repeat comes again."""
    monkeypatch.setattr(connection, "AGAIN_S", 0.0)
    login, heard = a_login(), list[bytes]()
    other, client = await come(server.port), await come(server.port, login)

    def answer_the_second(_subject: str, reply: str, _headers: bytes, body: bytes) -> None:
        heard.append(body)
        if heard.count(body) == 2:
            other.wire.publish(reply, b"told")

    other.wire.subscribe("ok.leader", answer_the_second)
    await other.flush()
    requests = requests_of(client, login)

    repeated, once = await asyncio.gather(
        requests.send("ok.leader", b"read", 10, repeats=True),
        requests.send("ok.leader", b"write", HELD_BACK_S),
        return_exceptions=True,
    )

    assert repeated == b"told"
    assert isinstance(once, NatsTimeoutError)
    assert heard.count(b"write") == 1


async def test_a_refused_repeat_says_nothing_of_the_first_and_a_guarded_one_is_not_sent(
    server: NatsServer, come: Come, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guard would find the first one, and tell of somebody else who wrote."""
    monkeypatch.setattr(connection, "AGAIN_S", 0.0)
    monkeypatch.setattr(connection, "PUBLISH_TIMEOUT_S", HELD_BACK_S)
    login, heard = a_login(), list[bytes]()
    other, client = await come(server.port), await come(server.port, login)

    def refuse_the_second(_subject: str, reply: str, _headers: bytes, body: bytes) -> None:
        heard.append(body)
        if heard.count(body) == 2:
            other.wire.publish(reply, b'{"error": {"err_code": 10077, "description": "full"}}')

    other.wire.subscribe("ok.stream", refuse_the_second)
    await other.flush()
    requests, named = requests_of(client, login), {connection.MESSAGE_ID: "one"}

    told = await asyncio.gather(
        requests.publish("ok.stream", b"call", "S", named),
        requests.publish("ok.stream", b"fact", "S", named | {connection.GUARD: "0"}),
        return_exceptions=True,
    )

    assert [type(it) for it in told] == [UnknownOutcomeError, UnknownOutcomeError]
    assert "full" in str(told[0])
    assert heard.count(b"fact") == 1


async def test_a_call_that_is_given_up_is_not_repeated(
    server: NatsServer, come: Come, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "AGAIN_S", 0.0)
    login, heard = a_login(), list[bytes]()
    other, client = await come(server.port), await come(server.port, login)
    other.wire.subscribe("ok.stream", lambda _s, _r, _h, body: heard.append(body))
    other.wire.subscribe("ok.silent", lambda *_: None)
    await other.flush()
    requests = requests_of(client, login)

    given_up = asyncio.ensure_future(
        requests.publish("ok.stream", b"call", "S", {connection.MESSAGE_ID: "one"})
    )
    await asyncio.sleep(0)  # it is sent
    given_up.cancel()
    with pytest.raises(asyncio.CancelledError):
        await given_up
    with pytest.raises(NatsTimeoutError):
        await requests.send("ok.silent", b"", HELD_BACK_S)

    assert len(heard) <= 1


async def test_a_flush_asks_behind_all_that_was_sent_before_it(proxy: Proxy, come: Come) -> None:
    client = await come(proxy.port)
    before = len(proxy.said)

    await client.subscribe("ok.flushed")
    await client.publish("ok.flushed", b"first")
    await client.flush()

    commands = [line.split()[0] for line in bytes(proxy.said[before:]).splitlines() if line]
    assert commands[:4] == [b"SUB", b"PUB", b"first", b"PING"]


async def test_what_is_sent_last_leaves_before_the_connection_closes(
    server: NatsServer, come: Come
) -> None:
    listener, sender, ear = await come(server.port), await come(server.port), Ear()
    listener.wire.subscribe("ok.news", ear)
    await listener.flush()

    sender.wire.publish_later("ok.news", b"later")
    sender.wire.publish("ok.news", b"now")
    await sender.close()

    await ear.hears(b"now")
    assert ear.bodies == [b"later", b"now"]
    with pytest.raises(ConnectionClosedError):
        sender.wire.publish("ok.news", b"")


async def test_a_client_closes_quietly_while_the_server_is_away(
    server: NatsServer, come: Come
) -> None:
    """Also with a subscription that nats-py could not send any more."""
    client = await come(server.port)
    server.kill()

    async def is_away() -> bool:
        return client.is_reconnecting

    await eventually(is_away)
    await client.subscribe("ok.late")

    await client.close()

    assert client.is_closed
    await server.start()
