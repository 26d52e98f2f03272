"""The console's outermost layer, against pages of other addresses and programs that lie of size."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import closing, suppress
from itertools import product

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from holdpoint.console.context import fields_of
from holdpoint.console.security_headers import Guard
from holdpoint.runtime.process.http_server import serve_http
from holdpoint.runtime.process.listening import Listening

CHUNKS, CHUNK = 100, b"a=" + b"x" * 998


async def answer(request: Request) -> Response:
    form = await fields_of(request)
    return PlainTextResponse(f"read {sum(map(len, form.values()))}")


@pytest.fixture
async def port() -> AsyncIterator[int]:
    listening = Listening(socket=socket.create_server(("127.0.0.1", 0)))
    app = Starlette(routes=[Route("/", answer, methods=["GET", "POST"])])
    serving = asyncio.create_task(serve_http(Guard(app, listening.port), listening))
    yield listening.port
    serving.cancel()
    with suppress(asyncio.CancelledError):
        await serving


async def told(port: int, method: str, *headers: str, body: bytes = b"") -> str:
    """Return the status of the answer."""
    lines = (f"{method} / HTTP/1.1", f"Host: localhost:{port}", "Connection: close", *headers)
    reading, writing = await asyncio.open_connection("127.0.0.1", port)
    with closing(writing):
        writing.write("\r\n".join((*lines, "", "")).encode() + body)
        reply = (await reading.read()).decode()
    return reply.partition("\r\n")[0].removeprefix("HTTP/1.1 ")[:3]


async def test_a_form_in_chunks_is_refused_whatever_length_it_claims(port: int) -> None:
    """Chunks go before a length, and nothing would count them."""
    ours = f"Origin: http://localhost:{port}"
    form = "Content-Type: application/x-www-form-urlencoded"
    chunk = b"%x\r\n%s\r\n" % (len(CHUNK), CHUNK)
    body = chunk * CHUNKS + b"0\r\n\r\n"
    chunked = ("Transfer-Encoding: chunked", "Content-Length: 10")

    assert await told(port, "POST", ours, form, *chunked, body=body) == "411"
    assert await told(port, "POST", ours, form, "Content-Length: 3", body=b"a=b") == "200"


async def test_another_addresss_page_loads_nothing(port: int) -> None:
    """Cookies go along from every port of this machine: a load would count as the person's look."""
    loads = [("no-cors", "image"), ("cors", "empty"), ("navigate", "iframe"), ("no-cors", "script")]
    for site, (mode, dest) in product(("same-site", "cross-site"), loads):
        sent = (f"Sec-Fetch-Site: {site}", f"Sec-Fetch-Mode: {mode}", f"Sec-Fetch-Dest: {dest}")
        assert await told(port, "GET", *sent) == "403", sent


async def test_links_from_anywhere_and_our_own_pages_are_answered(port: int) -> None:
    for site in ("same-site", "cross-site", "none", "same-origin"):
        sent = (f"Sec-Fetch-Site: {site}", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document")
        assert await told(port, "GET", *sent) == "200", sent
    for dest in ("script", "style", "image", "empty"):
        load = ("Sec-Fetch-Site: same-origin", f"Sec-Fetch-Dest: {dest}")
        assert await told(port, "GET", *load) == "200", load
    assert await told(port, "GET") == "200"
