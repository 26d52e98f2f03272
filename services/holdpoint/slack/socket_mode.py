"""Socket Mode: we open the socket, so that Slack needs no address of ours."""

import asyncio

import structlog
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.errors import SlackApiError

from holdpoint.slack.errors import AWAY, said

log = structlog.get_logger(__name__)

AGAIN_S = 5.0


async def listen(app: AsyncApp, app_token: str) -> None:
    """Hear Slack until cancelled; while the socket is closed nothing counts."""
    handler = AsyncSocketModeHandler(app, app_token, web_client=app.client)
    try:
        while not await _connected(handler):
            await asyncio.sleep(AGAIN_S)
        await asyncio.Event().wait()
    finally:
        await handler.close_async()  # type: ignore[no-untyped-call]


async def _connected(handler: AsyncSocketModeHandler) -> bool:
    try:
        await handler.connect_async()  # type: ignore[no-untyped-call]
    except (SlackApiError, *AWAY) as error:
        log.warning("slack_socket_closed", why=said(error))
        return False
    return True
