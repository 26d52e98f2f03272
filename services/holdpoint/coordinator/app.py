"""The coordinator as a process: requests of people, answered with tools that the gate judges."""

import os
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import structlog
from faststream.nats import NatsBroker
from faststream.nats.message import NatsMessage

from holdpoint.client import Holdpoint
from holdpoint.coordinator.flags import FlagReader
from holdpoint.coordinator.requests import BadRequestError, request_of
from holdpoint.coordinator.under_way import UnderWay
from holdpoint.coordinator.workflows import ModelSettings, load_workflows
from holdpoint.messages.base import Value
from holdpoint.messages.codec import encode
from holdpoint.messages.request import AgentResponse
from holdpoint.messages.subjects import ask_coordinator_subject, asker_of
from holdpoint.runtime.broker.connection import login
from holdpoint.runtime.broker.request_reply import Pool
from holdpoint.runtime.config.registry import AGENTS_FILE, load_agents
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import HoldpointError, SetupError
from holdpoint.runtime.process.service import Service, connected
from holdpoint.runtime.security.credentials import COORDINATOR
from holdpoint.runtime.security.keys import Keyset

log = structlog.get_logger(__name__)

QUEUE = "coordinators"
AT_ONCE = 32
EACH = 4
"""Requests of one person at once."""

HEARD = 5 * AT_ONCE
"""The same with those that come again while they are answered: each up to five times."""

MISSING = (
    "The coordinator needs LangGraph, which is not installed: pip install 'holdpoint[coordinator]'"
)
NO_MODEL = (
    "coordinator.yaml names a model, which needs pydantic-ai: "
    "pip install 'holdpoint[coordinator-model]'"
)
BUSY = "Several of your requests are under way. Send this one again in a moment."
FAILED = "This could not be finished. Send the same request again: nothing is done twice."


class Asked(Value, frozen=True, kw_only=True):
    """A request as it came: who asks is in its subject, which the broker enforces."""

    user_id: str
    body: bytes


async def build(settings: Settings) -> Service:
    """Wire the coordinator; SetupError where its extra or its agent is missing."""
    if not is_installed():
        raise SetupError(MISSING)
    for variable in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2"):
        os.environ[variable] = "false"  # requests are sent to nobody else
    who = login(settings, COORDINATOR)
    broker, client = await connected(who)
    flags = FlagReader.on(client, who, settings.tenant, Keyset(settings.keys_dir))
    party = Party(settings=settings, flags=flags)
    hear(broker, settings.tenant, party)
    return Service(
        name=COORDINATOR,
        broker=broker,
        client=client,
        at_start=(party.connect,),
        at_end=(party.leave,),
    )


def is_installed() -> bool:
    """Return whether the extra is there."""
    return find_spec("langgraph") is not None


@dataclass(eq=False, kw_only=True)
class Party:
    """The coordinator and the agents that it may call, each with a credential of its own."""

    settings: Settings
    flags: FlagReader
    coordinator: Any = None
    _stack: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def connect(self) -> None:
        """Log everybody in, and make the graph."""
        agents = {it.name: it for it in load_agents(self.settings.config_dir / AGENTS_FILE)}
        if COORDINATOR not in agents:
            text = f"{AGENTS_FILE} has no agent `{COORDINATOR}`: add it, then holdpoint provision."
            raise SetupError(text)
        here = {}
        for name in _reachable(agents):
            agent = Holdpoint.connect(name, self.settings, on_cancel="leave")
            here[name] = await self._stack.enter_async_context(agent)
        graph = import_module("holdpoint.coordinator.graph")
        nodes = import_module("holdpoint.coordinator.nodes")
        file = load_workflows(self.settings.config_dir)
        answerer = _answerer(file.model) or nodes.agent_answer
        self.coordinator = graph.LangGraphCoordinator(
            here[COORDINATOR],
            nodes.CoordinatorNodes(agents=here, file=file, answerer=answerer),
            self.flags.now,
        )

    async def leave(self) -> None:
        """Log everybody out."""
        await self._stack.aclose()


def _answerer(model: ModelSettings | None) -> Any:
    """The agent with a language model; None where none is configured."""
    if model is None:
        return None
    if find_spec("pydantic_ai") is None:
        raise SetupError(NO_MODEL)
    return import_module("holdpoint.coordinator.model_agent").ModelAgent.on(model).answer


def _reachable(agents: Any) -> tuple[str, ...]:
    """The coordinator, and every agent that it may call, directly or through another one."""
    found = [COORDINATOR]
    for name in found:
        found += [it for it in agents[name].may_call if it not in found]
    return tuple(found)


def hear(broker: NatsBroker, tenant: str, party: Party) -> None:
    """Answer requests, each with a response of its own."""
    pool, under_way = Pool(most=AT_ONCE, each=EACH), UnderWay()

    async def asked(message: NatsMessage) -> Asked:
        raw = message.raw_message
        return Asked(user_id=asker_of(raw.subject), body=raw.data)

    @broker.subscriber(
        ask_coordinator_subject(tenant, "*"), queue=QUEUE, decoder=asked, max_workers=HEARD
    )
    async def on_request(request: Asked) -> bytes:
        return await under_way.answer(request, partial(answer, request))

    async def answer(request: Asked) -> bytes:
        if not pool.take(request.user_id):
            return encode(AgentResponse(message=BUSY, success=False, request_id=""))
        try:
            return encode(await answered(party, request))
        finally:
            pool.give_back(request.user_id)


async def answered(party: Party, asked: Asked) -> AgentResponse:
    """Return the response to a request, whatever is wrong with it."""
    try:
        request = request_of(asked.user_id, asked.body)
    except BadRequestError as why:
        return why.response
    try:
        response: AgentResponse = await party.coordinator.invoke(request)
    except HoldpointError as error:
        log.warning("request_failed", request_id=request.request_id, why=repr(error))
        return AgentResponse(message=FAILED, success=False, request_id=request.request_id)
    return response
