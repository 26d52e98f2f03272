"""The HTTP server: on loopback, on a port that it keeps when it is started again."""

import asyncio
import contextlib
import socket
from collections.abc import Iterator
from dataclasses import dataclass

import uvicorn
from starlette.types import ASGIApp

from holdpoint.console.patience import Connection
from holdpoint.runtime import files
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.health import LOOPBACK
from holdpoint.runtime.settings import Settings

PORTS_TRIED = 100
STOPS_WITHIN_S = 2.0
"""How long pages that are being sent may take when the console stops; they come back by itself."""

MOST_CONNECTIONS = 512
ANY_PORT = 0


@dataclass(frozen=True, kw_only=True)
class Listening:
    """A socket that accepts, and where people find it."""

    socket: socket.socket

    @property
    def port(self) -> int:
        """The port it got."""
        return int(self.socket.getsockname()[1])

    @property
    def url(self) -> str:
        """By name: passkeys know no numbers."""
        return f"http://localhost:{self.port}"


def listen(settings: Settings) -> Listening:
    """Take the port it had, else the one that was asked for, else the next free one."""
    for port in _candidates(settings):
        taken = _bound(port)
        if taken is not None:
            listening = Listening(socket=taken)
            files.private_folder(settings.run_dir)
            files.replace(settings.console_file, listening.url.encode(), files.PUBLIC)
            return listening
    raise SetupError(f"No port is free from {settings.console_port} on: set HP_CONSOLE_PORT.")


async def serve_http(app: ASGIApp, listening: Listening) -> None:
    """Serve until cancelled; then let what is under way finish."""
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        http=Connection,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=1,
    )
    server = _Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listening.socket]))
    try:
        await asyncio.shield(serving)
    finally:
        server.should_exit = True
        await asyncio.wait([serving], timeout=STOPS_WITHIN_S)


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals are the service's business."""
        yield


def _candidates(settings: Settings) -> Iterator[int]:
    last = settings.console_url.rpartition(":")[2]
    if last.isdecimal():
        yield int(last)
    wanted = settings.console_port
    yield from range(wanted, wanted + PORTS_TRIED) if wanted != ANY_PORT else (ANY_PORT,)


def _bound(port: int) -> socket.socket | None:
    tried = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        tried.bind((LOOPBACK, port))
        tried.listen()
    except (OSError, OverflowError):
        tried.close()
        return None
    return tried
