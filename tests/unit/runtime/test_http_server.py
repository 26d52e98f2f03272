"""The server's connections: nobody is locked out by somebody who connects and says nothing."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from tests.waiting import eventually

from holdpoint.runtime.process import connection_limits
from holdpoint.runtime.process.http_server import serve_http
from holdpoint.runtime.process.listening import Listening

MANY = 400
ASKED = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
SOON_S = 5.0
ESTABLISHED = "01"
"""As /proc/net/tcp writes the state of a connection."""
LARGE = b"x" * 32 * 1024 * 1024


async def answer(request: Request) -> Response:
    return PlainTextResponse(await request.body() or b"hello")


async def stream(request: Request) -> Response:
    _ = request

    async def beats() -> AsyncIterator[bytes]:
        for _ in range(8):
            yield b"beat"
            await asyncio.sleep(0.1)
        yield b"bye"

    return StreamingResponse(beats())


async def large(request: Request) -> Response:
    _ = request
    return PlainTextResponse(LARGE)


@pytest.fixture
async def port(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[int]:
    monkeypatch.setattr(connection_limits, "ASKS_WITHIN_S", 0.4)
    monkeypatch.setattr(connection_limits, "READS_WITHIN_S", 0.4)
    listening = Listening(socket=socket.create_server(("127.0.0.1", 0)))
    pages = [Route("/", answer, methods=["GET", "POST"]), Route("/live", stream)]
    app = Starlette(routes=[*pages, Route("/large", large)])
    serving = asyncio.create_task(serve_http(app, listening))
    yield listening.port
    serving.cancel()
    with suppress(asyncio.CancelledError):
        await serving


@pytest.fixture
async def idle(port: int) -> AsyncIterator[list[socket.socket]]:
    with ExitStack() as opened:
        yield [
            opened.enter_context(
                await asyncio.to_thread(socket.create_connection, ("127.0.0.1", port))
            )
            for _ in range(MANY)
        ]


async def said(port: int, *pieces: bytes) -> bytes:
    """What comes back for these pieces, until the server closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    heard = asyncio.create_task(read(reader))
    try:
        for piece in pieces:
            writer.write(piece)
            await asyncio.sleep(0.1)
        return await asyncio.wait_for(heard, SOON_S)
    finally:
        writer.close()


async def read(reader: asyncio.StreamReader) -> bytes:
    heard = b""
    with suppress(ConnectionError):
        while piece := await reader.read(1024):
            heard += piece
    return heard


async def test_idle_sockets_lock_nobody_out_and_are_closed(
    port: int, idle: list[socket.socket]
) -> None:
    assert b"hello" in await said(port, ASKED)

    loop = asyncio.get_running_loop()
    async with asyncio.timeout(SOON_S):
        for each in idle:
            each.setblocking(False)
            assert await loop.sock_recv(each, 1) == b""


async def test_a_request_that_never_ends_is_not_waited_for(port: int) -> None:
    assert await said(port, *[b"GET / HTTP/1.1\r\n", *[b"X: y\r\n"] * 6]) == b""
    begun = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n"
    assert b"hello" not in await said(port, begun, *[b"x"] * 6)


async def test_what_an_answered_browser_sends_next_has_to_come_soon(port: int) -> None:
    assert b"hello" in await said(port, ASKED, *[b"GET", b" ", b"/", b"x", b"y", b"z"])


async def test_a_slow_request_that_comes_whole_is_answered(port: int) -> None:
    assert b"hello" in await said(port, ASKED[:9], ASKED[9:])
    begun = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n"
    assert b"ok" in await said(port, begun, b"o", b"k")
    assert (await said(port, ASKED + ASKED)).count(b"hello") == 2


async def test_a_stream_lasts_as_long_as_it_is_read(port: int) -> None:
    assert b"bye" in await said(port, ASKED.replace(b"/ ", b"/live ", 1))


async def _is_given_up(port: int) -> bool:
    """Whether the server holds no connection any more: Linux says so of each socket."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return all(row[1] != f"0100007F:{port:04X}" or row[3] != ESTABLISHED for row in rows)


async def test_what_is_never_read_is_not_kept(port: int) -> None:
    with await asyncio.to_thread(socket.create_connection, ("127.0.0.1", port)) as unread:
        unread.sendall(ASKED.replace(b"/ ", b"/large ", 1))
        await eventually(lambda: _is_given_up(port))
        unread.setblocking(False)
        loop, size = asyncio.get_running_loop(), 0
        with suppress(ConnectionError):
            while piece := await loop.sock_recv(unread, 1024 * 1024):
                size += len(piece)
    assert size < len(LARGE)
