"""A server that speaks Slack's API as it is documented: methods, limits, signatures, triggers.

https://docs.slack.dev: Block Kit's limits, rate limits (429 with Retry-After), request signatures
(v0, HMAC-SHA256 over `v0:time:body`), triggers that open one form, retried events, Socket Mode's
envelopes. A trigger expires when a test says so: on a busy machine three seconds are too short.
"""

import asyncio
import hashlib
import hmac
import itertools
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from aiohttp import WSMsgType, web

from holdpoint.runtime.process import clock

BOT_TOKEN, APP_TOKEN, SIGNING_SECRET = "xoxb-of-a-test", "xapp-of-a-test", "c0ffee" * 5
TEAM, CHANNEL = "T0TEAM", "C0OPERATORS"
LIMITS = {"header": 150, "section": 3000, "button": 75, "value": 2000, "context": 2000}
MOST_BLOCKS, MOST_BUTTONS, MOST_TEXT = 50, 25, 40_000


@dataclass(eq=False)
class Slack:
    """One workspace with one channel and one app."""

    port: int = 0
    app_url: str = ""
    """Where the app hears requests over HTTP."""

    messages: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By `ts`, as they stand."""

    updates: list[str] = field(default_factory=list)
    whispers: list[dict[str, Any]] = field(default_factory=list)
    views: list[dict[str, Any]] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    limited: dict[str, int] = field(default_factory=dict)
    """How many calls of a method get a 429 next."""

    tries: list[tuple[str, float]] = field(default_factory=list)
    is_down: bool = False
    are_triggers_expired: bool = False
    acks: list[str] = field(default_factory=list)
    """Envelopes of Socket Mode that the app acknowledged."""

    _triggers: set[str] = field(default_factory=set)
    _ids: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    _socket: web.WebSocketResponse | None = None
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)
    _thread: threading.Thread = field(init=False)
    _runner: web.AppRunner = field(init=False)
    _ready: threading.Event = field(default_factory=threading.Event)

    def start(self) -> "Slack":
        """Serve in a thread of its own."""
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def stop(self) -> None:
        """Stop serving."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.run_until_complete(self._runner.cleanup())
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/api/"

    @property
    def has_socket(self) -> bool:
        """Whether an app listens in Socket Mode."""
        return self._socket is not None and not self._socket.closed

    def about(self, hold_id: str, channel: str = CHANNEL) -> dict[str, Any] | None:
        """The message about a hold in a channel, as it stands."""
        here = (it for it in list(self.messages.values()) if it["channel"] == channel)
        return next((it for it in here if hold_id in json.dumps(it["blocks"])), None)

    def press(self, message: Mapping[str, Any], action_id: str, user: str, **more: Any) -> int:
        """Somebody presses a button; the app's status."""
        return self.send(self.pressed(message, action_id, user, **more))

    def pressed(
        self, message: Mapping[str, Any], action_id: str, user: str, **more: Any
    ) -> dict[str, Any]:
        """The payload of a press."""
        button = buttons_of(message)[action_id]
        team = more.pop("team", TEAM)
        return {
            "type": "block_actions",
            "user": {"id": user, "username": "somebody", "team_id": team},
            "team": {"id": team, "domain": "acme"},
            "container": {
                "type": "message",
                "message_ts": message["ts"],
                "channel_id": message["channel"],
            },
            "channel": {"id": message["channel"], "name": "operators"},
            "trigger_id": self.trigger(),
            "actions": [
                {
                    "type": "button",
                    "action_id": action_id,
                    "block_id": "holdpoint",
                    "value": more.pop("value", button["value"]),
                    "action_ts": f"{clock.now().timestamp():.6f}",
                }
            ],
            **more,
        }

    def submit(self, view: Mapping[str, Any], user: str, reason: str, team: str = TEAM) -> int:
        """Somebody sends a form."""
        said = {"reason": {"said": {"type": "plain_text_input", "value": reason or None}}}
        payload = {
            "type": "view_submission",
            "user": {"id": user, "team_id": team},
            "team": {"id": team},
            "trigger_id": self.trigger(),
            "view": {**view, "id": "V1", "state": {"values": said}},
        }
        return self.send(payload)

    def written(self, text: str, user: str, kind: str = "message", **more: Any) -> dict[str, Any]:
        """The event of a message that somebody writes."""
        event = {
            "type": kind,
            "user": user,
            "text": text,
            "channel": more.pop("channel", CHANNEL),
            "channel_type": more.pop("channel_type", "channel"),
            "ts": self._ts(),
            "team": TEAM,
        }
        return {
            "type": "event_callback",
            "team_id": TEAM,
            "event_id": f"Ev{next(self._ids):08d}",
            "event": event,
            **more,
        }

    def trigger(self) -> str:
        """A new trigger, which opens one form."""
        name = f"{next(self._ids)}.trigger"
        self._triggers.add(name)
        return name

    def send(self, payload: Mapping[str, Any], **signed: Any) -> int:
        """Deliver a payload; the status that the app answers with."""
        if self.has_socket:
            return self._deliver(payload)
        body, kind = encoded(payload)
        return self.post(body, {"Content-Type": kind, **signature(body, **signed)})

    def post(self, body: bytes, headers: Mapping[str, str]) -> int:
        """Post raw bytes to the app."""
        request = urllib.request.Request(self.app_url, body, dict(headers))  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=10) as reply:  # noqa: S310
                return int(reply.status)
        except urllib.error.HTTPError as error:
            return error.code

    def _deliver(self, payload: Mapping[str, Any]) -> int:
        assert self._socket is not None
        kind = "events_api" if payload["type"] == "event_callback" else "interactive"
        envelope = {
            "envelope_id": f"env-{next(self._ids)}",
            "type": kind,
            "accepts_response_payload": kind == "interactive",
            "payload": payload,
        }
        sending = self._socket.send_str(json.dumps(envelope))
        asyncio.run_coroutine_threadsafe(sending, self._loop).result(10)
        return 200

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._listen())
        self._ready.set()
        self._loop.run_forever()

    async def _listen(self) -> None:
        app = web.Application()
        app.router.add_post("/api/{method}", self._method)
        app.router.add_get("/socket", self._open_socket)
        self._runner = web.AppRunner(app, shutdown_timeout=0.5)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self.port).start()
        self.port = int(self._runner.addresses[0][1])

    async def _method(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"]
        self.tries.append((method, clock.monotonic()))
        if self.is_down:
            return web.Response(status=503, text="upstream connect error")
        if self.limited.get(method, 0):
            self.limited[method] -= 1
            headers = {"Retry-After": "1"}
            return web.json_response(
                {"ok": False, "error": "ratelimited"}, status=429, headers=headers
            )
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        wanted = APP_TOKEN if method == "apps.connections.open" else BOT_TOKEN
        if token != wanted:
            return web.json_response({"ok": False, "error": "invalid_auth"})
        said = await self._said(request)
        told = getattr(self, "_" + method.replace(".", "_"))(said)
        if not told["ok"]:
            self.refused.append(f"{method}: {told['error']}")
        return web.json_response(told)

    async def _said(self, request: web.Request) -> dict[str, Any]:
        if request.content_type == "application/json":
            return dict(await request.json())
        said: dict[str, Any] = dict(await request.post())
        for name in ("blocks", "view"):
            if isinstance(said.get(name), str):
                said[name] = json.loads(said[name])
        return said

    def _auth_test(self, _: Mapping[str, Any]) -> dict[str, Any]:
        return {"ok": True, "team_id": TEAM, "user_id": "U0BOT", "bot_id": "B0BOT", "url": "x"}

    def _apps_connections_open(self, _: Mapping[str, Any]) -> dict[str, Any]:
        return {"ok": True, "url": f"ws://127.0.0.1:{self.port}/socket"}

    def _chat_postMessage(self, said: Mapping[str, Any]) -> dict[str, Any]:  # noqa: N802
        if why := fault_of(said):
            return {"ok": False, "error": why}
        ts, channel = self._ts(), said["channel"]
        if channel.startswith("U"):  # a direct message has a channel of its own
            channel = f"D{channel[1:]}"
        self.messages[ts] = {**said, "channel": channel, "ts": ts}
        return {"ok": True, "channel": channel, "ts": ts, "message": {}}

    def _chat_update(self, said: Mapping[str, Any]) -> dict[str, Any]:
        if why := fault_of(said):
            return {"ok": False, "error": why}
        if said["ts"] not in self.messages:
            return {"ok": False, "error": "message_not_found"}
        self.messages[said["ts"]] |= said
        self.updates.append(said["ts"])
        return {"ok": True, "channel": said["channel"], "ts": said["ts"], "text": ""}

    def _chat_postEphemeral(self, said: Mapping[str, Any]) -> dict[str, Any]:  # noqa: N802
        self.whispers.append(dict(said))
        return {"ok": True, "message_ts": self._ts()}

    def _views_open(self, said: Mapping[str, Any]) -> dict[str, Any]:
        trigger = said["trigger_id"]
        if self.are_triggers_expired or trigger not in self._triggers:
            return {"ok": False, "error": "expired_trigger_id"}
        self._triggers.remove(trigger)
        self.views.append(said["view"])
        return {"ok": True, "view": {"id": "V1"}}

    async def _open_socket(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_str(json.dumps({"type": "hello", "num_connections": 1}))
        self._socket = socket
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                self.acks.append(str(json.loads(message.data).get("envelope_id", "")))
        return socket

    def _ts(self) -> str:
        return f"{int(clock.now().timestamp())}.{next(self._ids):06d}"


def encoded(payload: Mapping[str, Any]) -> tuple[bytes, str]:
    """A payload as Slack sends it: events as JSON, presses and forms as a form."""
    text = json.dumps(payload)
    if payload["type"] == "event_callback":
        return text.encode(), "application/json"
    return urlencode({"payload": text}).encode(), "application/x-www-form-urlencoded"


def signature(body: bytes, *, secret: str = SIGNING_SECRET, age_s: int = 0) -> dict[str, str]:
    """The headers that prove who sent a body, and when."""
    at = int(clock.now().timestamp()) - age_s
    digest = hmac.new(secret.encode(), b"v0:%d:%s" % (at, body), hashlib.sha256).hexdigest()
    return {"X-Slack-Request-Timestamp": str(at), "X-Slack-Signature": f"v0={digest}"}


def buttons_of(message: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The buttons of a message, by their action."""
    return {
        it["action_id"]: it
        for block in message["blocks"]
        if block["type"] == "actions"
        for it in block["elements"]
    }


def text_of(message: Mapping[str, Any]) -> str:
    """Everything that a message shows."""
    return "\n".join(_texts(message["blocks"]))


def _texts(part: Any) -> list[str]:
    if isinstance(part, dict):
        own = [part["text"]] if isinstance(part.get("text"), str) else []
        return own + [text for it in part.values() for text in _texts(it)]
    return [text for it in part for text in _texts(it)] if isinstance(part, list) else []


def fault_of(message: Mapping[str, Any]) -> str:
    """Slack's error for a message that breaks a documented limit; empty when none is broken."""
    blocks = message.get("blocks") or []
    if len(blocks) > MOST_BLOCKS or len(str(message.get("text", ""))) > MOST_TEXT:
        return "invalid_blocks"
    return "" if all(map(_is_fine, blocks)) else "invalid_blocks"


def _is_fine(block: Mapping[str, Any]) -> bool:
    match block["type"]:
        case "header" | "section":
            return 0 < len(block["text"]["text"]) <= LIMITS[block["type"]]
        case "context":
            texts = [it["text"] for it in block["elements"]]
            return len(texts) <= 10 and all(0 < len(it) <= LIMITS["context"] for it in texts)
        case "actions":
            return len(block["elements"]) <= MOST_BUTTONS and all(
                map(_is_button, block["elements"])
            )
        case "rich_text":
            return all(text for text in _texts(block))
        case _:
            return False


def _is_button(it: Mapping[str, Any]) -> bool:
    sure = it.get("confirm")
    short = sure is None or (len(sure["title"]["text"]) <= 100 and len(sure["text"]["text"]) <= 300)
    label = 0 < len(it["text"]["text"]) <= LIMITS["button"]
    return label and len(it.get("value", "")) <= LIMITS["value"] and bool(short)
