"""The HTTP API for tests: agents with keys, their requests, and a webhook's receiver."""

import asyncio
import json
import threading
import urllib.error
import urllib.request
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message as EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from joserfc import jwt
from joserfc.jwk import OKPKey
from tests.running_system import fresh

from holdpoint.runtime.process import clock

ISSUER, AUDIENCE = "holdpoint-agents", "holdpoint"
ANSWERS_WITHIN_S = 70.0


@dataclass(frozen=True, kw_only=True)
class Reply:
    """An answer of the HTTP API."""

    status: int
    headers: EmailMessage
    body: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class HttpAgent:
    """An agent that speaks HTTP, with its own key."""

    name: str
    kid: str
    key: OKPKey = field(default_factory=lambda: OKPKey.generate_key("Ed25519"))

    def token(self, header: Mapping[str, Any] | None = None, **claims: Any) -> str:
        """A token of now; what is given stands in it instead."""
        now = int(clock.now().timestamp())
        usual = {"iss": ISSUER, "aud": AUDIENCE, "sub": self.name, "iat": now, "exp": now + 600}
        said = {name: it for name, it in (usual | claims).items() if it is not None}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            every = {"alg": "EdDSA", "kid": self.kid, **(header or {})}
            head = {name: it for name, it in every.items() if it is not None}
            return jwt.encode(head, said, self.key, ["EdDSA"])

    def public(self) -> bytes:
        """Its public key, as the configuration has it."""
        return self.key.as_pem(private=False)


@dataclass(frozen=True, kw_only=True)
class Http:
    """One address, asked as one agent."""

    url: str
    agent: HttpAgent

    async def post(self, path: str, body: Any, key: str = "", **headers: str) -> Reply:
        """Make a call; each has a key of its own unless one is given."""
        keyed = {"Idempotency-Key": key or fresh("key"), **headers}
        return await self.ask("POST", path, body, **keyed)

    async def propose(self, tool: str, arguments: Mapping[str, Any], key: str = "") -> Reply:
        """Propose a tool call."""
        return await self.post("/v1/actions", {"tool": tool, "arguments": arguments}, key)

    async def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        """Ask for anything, with the agent's token unless another one is given."""
        said = {"Authorization": f"Bearer {self.agent.token()}", **headers}
        return await asked(method, self.url + path, body, said)


async def asked(method: str, url: str, body: Any, headers: Mapping[str, str]) -> Reply:
    """Ask, and read the answer to its end."""
    raw = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    said = {"Content-Type": "application/json", **headers}
    request = urllib.request.Request(url, raw, said, method=method)  # noqa: S310
    return await asyncio.to_thread(_answered, request)


def _answered(request: urllib.request.Request) -> Reply:
    try:
        with urllib.request.urlopen(request, timeout=ANSWERS_WITHIN_S) as reply:  # noqa: S310
            return Reply(status=reply.status, headers=reply.headers, body=json.loads(reply.read()))
    except urllib.error.HTTPError as error:
        with error:
            return Reply(status=error.code, headers=error.headers, body=json.loads(error.read()))


@dataclass(frozen=True, kw_only=True)
class Taken:
    """A webhook as its receiver took it."""

    signature: str
    body: bytes

    @property
    def event(self) -> dict[str, Any]:
        """Its content."""
        event: dict[str, Any] = json.loads(self.body)
        return event


@dataclass(eq=False, kw_only=True)
class Receiver:
    """A webhook's receiver on a fixed port, which comes and goes."""

    port: int
    taken: list[Taken] = field(default_factory=list)
    tries: list[int] = field(default_factory=list)
    answers: int = 200

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Take what comes while the block lasts."""
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.tries.append(receiver.answers)
                if receiver.answers == 200:
                    signature = self.headers["Holdpoint-Signature"]
                    receiver.taken.append(Taken(signature=signature, body=body))
                self.send_response(receiver.answers)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            server.server_close()
            thread.join()

    def statuses(self, hold_id: str) -> list[str]:
        """What was told of a hold, each news once."""
        told = [it.event["type"] for it in self.taken if it.event["data"]["hold_id"] == hold_id]
        return list(dict.fromkeys(told))


def api_yaml(config_dir: Path, *agents: tuple[HttpAgent, str]) -> None:
    """Write api.yaml with each agent's key and webhook."""
    lines = ["agents:"]
    for agent, webhook in agents:
        (config_dir / f"{agent.kid}.pem").write_bytes(agent.public())
        hook = f', webhook: "{webhook}"' if webhook else ""
        lines.append(f"  - {{agent: {agent.name}, keys: {{{agent.kid}: {agent.kid}.pem}}{hook}}}")
    (config_dir / "api.yaml").write_text("\n".join(lines) + "\n")


def people_yaml(config_dir: Path, *people: HttpAgent) -> None:
    """Write api.yaml with each person's key, and no agent."""
    lines = ["people:"]
    for person in people:
        (config_dir / f"{person.kid}.pem").write_bytes(person.public())
        lines.append(f"  - {{person: {person.name}, keys: {{{person.kid}: {person.kid}.pem}}}}")
    (config_dir / "api.yaml").write_text("\n".join(lines) + "\n")
