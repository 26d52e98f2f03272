"""Requests that Slack sends, read up to a limit and then verified by Bolt."""

import asyncio

from slack_bolt.adapter.starlette.async_handler import (
    to_async_bolt_request,
    to_starlette_response,
)
from slack_bolt.async_app import AsyncApp
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

PATH = "/slack/events"
LARGEST_BYTES = 1024 * 1024
SENT_WITHIN_S = 10.0


def application(app: AsyncApp) -> Starlette:
    """Return the one address that Slack posts everything to."""

    async def hear(request: Request) -> Response:
        content = bytearray()
        try:
            async with asyncio.timeout(SENT_WITHIN_S):
                async for chunk in request.stream():
                    content += chunk
                    if len(content) > LARGEST_BYTES:
                        return PlainTextResponse("This is too large.", 413)
            asked = to_async_bolt_request(request, bytes(content))
        except (TimeoutError, ClientDisconnect, UnicodeDecodeError):
            return PlainTextResponse("This request cannot be read.", 400)
        told = await app.async_dispatch(asked)
        return to_starlette_response(told)

    return Starlette(routes=[Route(PATH, hear, methods=["POST"])])
