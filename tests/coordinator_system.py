"""A road with the coordinator, the bank and the tasks: chat is proof enough at every level."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from nats.errors import Error as NatsError
from tests.actors import PersonVoice
from tests.bank_system import NO_LEVEL, by_chat
from tests.running_system import AMPLE, COORDINATOR, LONG_S, OWN, TENANT, Road, running
from tests.waiting import eventually

from holdpoint.messages.codec import decode
from holdpoint.messages.request import AgentResponse
from holdpoint.messages.subjects import ask_coordinator_subject
from holdpoint.runtime.process import clock

CLOUD = {"cloud": Path(__file__).parent / "cloud_domain.py"}
BUDGET = f"    budget: {{{AMPLE}}}\n"
AGENTS_YAML = (Path(__file__).parents[1] / "deploy" / "config" / "agents.yaml").read_text().replace(
    "customers, agents]", "customers, agents, database]"
).replace(
    "    acts_for: [ann, ben]\n", f"    acts_for: [ann, ben]\n{BUDGET}"
) + "  - {name: asker, tools: [ask], acts_for: [ann]}\n"


@asynccontextmanager
async def coordinated(
    folder: Path, own: Mapping[str, Path] = OWN, **options: Any
) -> AsyncIterator[Road]:
    """Broker, gate, audit, coordinator, and workers for the bank, the tasks and `own`."""
    others = frozenset({"worker-shell", "worker-database"})
    options.setdefault("later", others)
    options.setdefault("others", (COORDINATOR,))
    async with running(
        folder,
        by_chat,
        own=own,
        agents_yaml=AGENTS_YAML,
        bank=True,
        passkey_from_level=NO_LEVEL,
        **options,
    ) as road:
        yield road


@dataclass(frozen=True, kw_only=True)
class Asking:
    """A person who types requests."""

    person: PersonVoice

    async def ask(self, message: Any, request_id: str = "", **more: Any) -> AgentResponse:
        """Send a request, and hear the answer."""
        raw = {
            "message": message,
            "conversation_history": [],
            "request_id": request_id or clock.new_id(),
            **more,
        }
        return await self.ask_raw(msgspec.json.encode(raw))

    async def ask_raw(self, body: bytes) -> AgentResponse:
        """Send any bytes as a request."""
        subject = ask_coordinator_subject(TENANT, self.person.name)
        reply = await self.person.client.request(subject, body, timeout=LONG_S)
        return decode(reply.data, AgentResponse)

    async def patiently(self, message: str, request_id: str) -> AgentResponse:
        """The same request until somebody answers it."""

        async def told() -> AgentResponse:
            try:
                return await self.ask(message, request_id)
            except (NatsError, TimeoutError) as error:
                raise AssertionError(f"nobody answers: {error!r}") from None

        return await eventually(told, LONG_S)
