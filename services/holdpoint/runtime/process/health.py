"""`/metrics`, `/healthz` and `/readyz` of a service, on loopback."""

import asyncio
import contextlib
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from socket import SHUT_RDWR, socket
from socketserver import ThreadingMixIn
from typing import Any
from urllib.parse import urlsplit
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import make_wsgi_app

LOOPBACK = "127.0.0.1"
TRIES, STEP = 10, 10
"""A port that is taken gives way to the one that is ten further."""

READY, NOT_READY = "ready", "not ready"
HEALTH_ENDING = ".health"

NO_BROKER = "the broker does not answer"
"""The problem of a service that only waits for it."""

BROKER_ANSWERS_S = 2.0
"""Within which the broker answers a service that asks it."""

ASKS_WITHIN_S = 5.0
"""Time that who connects has for its request, which is one line."""

MOST_WAITING = 32
"""Connections without a request; beside these the one that has waited longest is closed."""

ANSWERS_S = 3.0
"""Within which a service says whether it is ready: it asks the broker first."""


def health_file(run_dir: Path, name: str) -> Path:
    """Return where a service writes down the address of its health."""
    return run_dir / f"{name}{HEALTH_ENDING}"


def forget_others(run_dir: Path, services: Sequence[str]) -> None:
    """Remove the addresses that services of an earlier run left, which are not run any more."""
    for path in run_dir.glob(f"*{HEALTH_ENDING}"):
        if path.name.removesuffix(HEALTH_ENDING) not in services:
            path.unlink(missing_ok=True)


@dataclass(frozen=True, kw_only=True)
class Readiness:
    """Readiness of a service, as it reports it."""

    is_ready: bool
    problem: str = ""
    """Why it does not do its work although it listens."""


@dataclass(frozen=True, kw_only=True)
class Health:
    """Serves a service's state over HTTP from a thread of its own."""

    service: str
    readiness: Callable[[], Readiness]
    """Asked at each request, in a thread of that request."""

    _metrics: Any = field(default_factory=make_wsgi_app)

    def start(self, port: int) -> WSGIServer:
        """Listen on this port, or on the next free one (`server_port` tells which); 0 is any."""
        server = self._listening(port)
        threading.Thread(target=server.serve_forever, name="health", daemon=True).start()
        return server

    def _listening(self, port: int) -> WSGIServer:
        """The ports in between are those of other services."""
        for wanted in range(port, port + TRIES * STEP, STEP) if port else ():
            with contextlib.suppress(OSError):
                return self._server(wanted)
        return self._server(0)

    def _server(self, port: int) -> WSGIServer:
        return make_server(LOOPBACK, port, self._page, _Threads, _Quiet)

    def _page(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        match environ.get("PATH_INFO"):
            case "/metrics":
                pages: Iterable[bytes] = self._metrics(environ, start_response)
                return pages
            case "/healthz":
                return _say(start_response, "200 OK", "alive")
            case "/readyz":
                return self._readiness(start_response)
            case _:
                return _say(start_response, "404 Not Found", "/metrics /healthz /readyz")

    def _readiness(self, start_response: Any) -> list[bytes]:
        said = self.readiness()
        if said.is_ready:
            return _say(start_response, "200 OK", READY)
        text = f"{NOT_READY}: {said.problem}" if said.problem else NOT_READY
        return _say(start_response, "503 Service Unavailable", text)


def _say(start_response: Any, status: str, text: str) -> list[bytes]:
    start_response(status, [("Content-Type", "text/plain; charset=utf-8")])
    return [f"{text}\n".encode()]


async def is_ready(address: str) -> bool:
    """Return whether the service at this address says that it is ready."""
    return (await readiness(address)).is_ready


async def readiness(address: str) -> Readiness:
    """Ask the service at this address; one that breaks off or is silent is not ready.

    Empty: it never came to tell where it listens.
    """
    place = urlsplit(address)
    if place.hostname is None:
        return Readiness(is_ready=False)
    try:
        async with asyncio.timeout(ANSWERS_S):
            reader, writer = await asyncio.open_connection(place.hostname, place.port)
            with contextlib.closing(writer):
                writer.write(b"GET /readyz HTTP/1.0\r\n\r\n")
                answer = await reader.read()
    except (OSError, TimeoutError):
        return Readiness(is_ready=False)
    status, _, _ = answer.partition(b"\r\n")
    _, _, text = answer.partition(b"\r\n\r\n")
    _, _, problem = text.decode(errors="replace").strip().partition(f"{NOT_READY}: ")
    return Readiness(is_ready=b" 200 " in status, problem=problem)


class _Threads(ThreadingMixIn, WSGIServer):
    """A thread for each request: one that waits for the broker holds up no other."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, *args: Any) -> None:
        self._waiting: dict[socket, None] = {}
        super().__init__(*args)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Begin its thread; whoever has waited longest ends where there are too many."""
        self._waiting[request] = None
        for oldest in list(self._waiting)[:-MOST_WAITING]:
            self.go_on(oldest)
            with contextlib.suppress(OSError):
                oldest.shutdown(SHUT_RDWR)
        super().process_request(request, client_address)

    def go_on(self, request: Any) -> None:
        """It has asked, or it ended."""
        self._waiting.pop(request, None)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report what failed; that somebody said nothing or broke off is no news."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """End a connection."""
        self.go_on(request)
        super().shutdown_request(request)


class _Quiet(WSGIRequestHandler):
    timeout = ASKS_WITHIN_S
    server: _Threads

    def parse_request(self) -> bool:
        """Read the rest of a request."""
        is_one = super().parse_request()
        self.server.go_on(self.request)
        return is_one

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the parent's name
        """Requests to one's own health are no news."""
