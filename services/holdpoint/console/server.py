"""The HTTP server on the console's socket."""

import asyncio
import contextlib
from collections.abc import Iterator

import uvicorn
from starlette.types import ASGIApp

from holdpoint.console.connection_limits import Connection
from holdpoint.runtime.process.console_socket import Listening

STOPS_WITHIN_S = 2.0
"""Time that pages that are being sent may take when the console stops; they come back by itself."""

MOST_CONNECTIONS = 512


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
