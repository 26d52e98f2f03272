"""A page of your own with <holdpoint-card>: one person's cards, answered with that person's key.

HP_PERSON=ann python examples/embedding/server.py
"""

import asyncio
import getpass
import hmac
import os
import secrets
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from holdpoint.client import SetupError
from holdpoint.console.rendering import STATIC
from holdpoint.messages.answer import Choice
from holdpoint.messages.card import Card
from holdpoint.runtime.broker.connection import Login
from holdpoint.runtime.broker.person_connection import Person, cards
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.security import credentials as keys

HERE, SESSION = Path(__file__).parent, secrets.token_urlsafe(32)
POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'"
FILES = {"/": HERE / "page.html", "/page.js": HERE / "page.js"}
FILES["/holdpoint-card.js"] = STATIC / "holdpoint-card.js"
BEAT_S = 1.0
shown: dict[str, Card] = {}


async def file(request: Request) -> Response:
    """The page, its script and the component; nothing else may run there."""
    return FileResponse(FILES[request.url.path], headers={"Content-Security-Policy": POLICY})


def is_session(request: Request) -> bool:
    """Whether the page was opened with the address that this program printed."""
    said = request.headers.get("authorization", "")
    return hmac.compare_digest(said.encode(), f"Bearer {SESSION}".encode())


async def follow(request: Request) -> Response:
    """Each card as a line of JSON, and an empty line as a beat."""
    return StreamingResponse(lines()) if is_session(request) else Response(status_code=401)


async def lines() -> AsyncIterator[bytes]:
    """What the page has not been sent yet."""
    sent: dict[str, int] = {}
    while True:
        for card in [it for it in shown.values() if sent.get(it.hold_id, -1) < it.revision]:
            sent[card.hold_id] = card.revision
            yield msgspec.json.encode(card) + b"\n"
        yield b"\n"
        await asyncio.sleep(BEAT_S)


async def answer(request: Request) -> Response:
    """Answer exactly the card that the page showed, as the person."""
    if not is_session(request):
        return JSONResponse({"text": "Open the page with the address that was printed."}, 401)
    said = await request.json()
    card = shown.get(said["hold_id"])
    if card is None or said["render_digest"] != card.render_digest:
        return JSONResponse({"text": "The card has changed. Read it again.", "tone": "bad"})
    seconds = float(said["seconds_shown"])
    told = await person.answer(card, Choice(said["answer"]), seconds_shown=seconds)
    counts = told.status.value != "refused"
    text = "Your answer counts." if counts else f"It does not count. {told.reason}"
    return JSONResponse({"text": text, "tone": "good" if counts else "bad"})


async def main(name: str, seed: str, its: Settings) -> None:
    """Serve the page until it is stopped."""
    global person  # noqa: PLW0603  # one program, one person
    login = Login(user=keys.person_user(name), seed=seed, url=its.broker_url)
    person = await Person.connect(name, its.tenant, "terminal", login)
    routes = [Route(path, file) for path in FILES] + [Route("/cards", follow)]
    app = Starlette(routes=[*routes, Route("/answer", answer, methods=["POST"])])
    listening = socket.create_server(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{listening.getsockname()[1]}/#{SESSION}", flush=True)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    serving = asyncio.create_task(server.serve([listening]))
    seen = keys.read_seed(its.credentials_dir, keys.view_user(name))
    view = Login(user=keys.view_user(name), seed=seen, url=its.broker_url)
    async for card in cards(its.tenant, name, view):
        shown[card.hold_id] = card
        if serving.done():
            return


if __name__ == "__main__":
    me, ours = os.environ["HP_PERSON"], Settings()
    try:
        opened = keys.unlock_person_key(ours.people_dir, me, getpass.getpass(f"Password of {me}: "))
    except SetupError as wrong:
        raise SystemExit(str(wrong)) from None
    asyncio.run(main(me, opened, ours))
