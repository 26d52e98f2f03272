"""The HTTP server on a listening socket: the console's, and the HTTP API's."""

import asyncio
import contextlib
from collections.abc import Iterator

import uvicorn
from starlette.types import ASGIApp

from holdpoint.runtime.process.connection_limits import Connection
from holdpoint.runtime.process.listening import Listening

STOPS_WITHIN_S = 2.0
"""Time that answers that are being sent may take when the service stops."""

MOST_CONNECTIONS = 512


async def serve_http(
    app: ASGIApp, listening: Listening, most_connections: int = MOST_CONNECTIONS
) -> None:
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
        limit_concurrency=most_connections,
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
