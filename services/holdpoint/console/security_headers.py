"""The outermost layer: who may talk to the console at all, and what every answer carries.

A page of somebody else, in the same browser or on another port of this machine, must neither read
nor press anything here.
"""

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from holdpoint.messages.base import Value

NAMES = ("localhost", "127.0.0.1", "[::1]")
"""What this machine is called from itself; any other name may be another site's (DNS rebinding)."""

MOST_BYTES = 64 * 1024
"""A form here is a password or a reason."""

SAFE = frozenset({"GET", "HEAD"})
SAME = "same-origin"
NO_ORIGIN = "null"
ELSEWHERE = "This did not come from a page of this console.\n"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Refusal(Value, frozen=True, kw_only=True):
    """Why a request goes no further."""

    status: int
    text: str


class Guard:
    """Wraps the application of one address."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        self._hosts = frozenset(f"{name}:{port}" for name in NAMES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let it in, or say why not."""
        if scope["type"] != "http":
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refusal = self._refusal(scope["method"], Headers(scope=scope))
        if refusal is None:
            await self._app(scope, receive, sent)
        else:
            await PlainTextResponse(refusal.text, refusal.status)(scope, receive, sent)

    def _refusal(self, method: str, headers: Headers) -> Refusal | None:
        if headers.get("host", "") not in self._hosts:
            return Refusal(status=421, text="This console answers to localhost only.\n")
        if method in SAFE:
            return None if _may_load(headers) else Refusal(status=403, text=ELSEWHERE)
        if not self._is_ours(headers):
            return Refusal(status=403, text=ELSEWHERE)
        return _too_large(headers)

    def _is_ours(self, headers: Headers) -> bool:
        """Return whether the browser says that a page of this very address sent it.

        A form of a page without referrer has the origin `null`, and then the site must be told.
        """
        origin, site = headers.get("origin", NO_ORIGIN), headers.get("sec-fetch-site", "")
        if origin == NO_ORIGIN:
            return site == SAME
        return origin == f"http://{headers['host']}" and site in {"", SAME}


def _may_load(headers: Headers) -> bool:
    """Return whether a browser shows it to a person, or a page of ours asked for it.

    Cookies go along from every port of this machine: what another page loads would count as read
    by the person, and its streams would take the places of theirs.
    """
    is_shown = headers.get("sec-fetch-dest") == "document"
    return is_shown or headers.get("sec-fetch-site", "") in {"", SAME, "none"}


def _too_large(headers: Headers) -> Refusal | None:
    """Return why it is not read; chunks go before a length, so that nothing would count them."""
    length = headers.get("content-length", "")
    if not length.isdecimal() or "transfer-encoding" in headers:
        return Refusal(status=411, text="Say how long it is.\n")
    if int(length) > MOST_BYTES:
        return Refusal(status=413, text="That is more than any form here has.\n")
    return None
