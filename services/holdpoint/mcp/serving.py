"""Serving a gateway: over standard input and output, or over streamable HTTP."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from mcp.server.stdio import stdio_server

from holdpoint.client import Holdpoint
from holdpoint.mcp.gateway import OPTIONS, Gateway, Offer, server_of
from holdpoint.runtime.config.settings import Settings

VERSION = "1"


@asynccontextmanager
async def opened(hp: Holdpoint, settings: Settings, offer: Offer) -> AsyncIterator[Gateway]:
    """A gateway that knows its tools, and follows them while the block lasts."""
    gateway = Gateway(hp=hp, offer=offer, review_url=_review_url(settings, hp.agent))
    gateway.tools = await offer()
    following = asyncio.create_task(gateway.follow())
    try:
        yield gateway
    finally:
        following.cancel()


def _review_url(settings: Settings, agent: str) -> Callable[[str], str]:
    def url(hold_id: str) -> str:
        origin = settings.console_origin or settings.console_url
        return f"{origin.rstrip('/')}/holds/{agent}/{hold_id}" if origin else ""

    return url


async def serve_stdio(gateway: Gateway, name: str) -> None:
    """Serve one client until it closes standard input."""
    server = server_of(gateway, name, VERSION)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options(OPTIONS))
