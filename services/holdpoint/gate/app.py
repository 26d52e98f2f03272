"""The gate as a process: its lanes, its questions, its sweep."""

import asyncio
from collections.abc import Iterator
from functools import partial
from importlib import import_module

import structlog
from nats.aio.client import Client
from nats.errors import Error as NatsError

from holdpoint.core.agent_tools import with_tools
from holdpoint.core.catalog import Catalog
from holdpoint.core.digest import policy_digest
from holdpoint.gate import call_chains, delegations, host_runs, safety_net
from holdpoint.gate.admin_orders import on_order
from holdpoint.gate.answers import on_answer
from holdpoint.gate.batch_passing import pass_together
from holdpoint.gate.budgets import Budgets
from holdpoint.gate.calls import on_call
from holdpoint.gate.cards import on_run
from holdpoint.gate.context import Gate
from holdpoint.gate.fact_cache import Seen
from holdpoint.gate.policy import OnDisk, check_in_force, on_disk, prepare
from holdpoint.gate.runs import EVERY_S, MOST_AT_ONCE, sweep
from holdpoint.gate.safety_net import on_alarm
from holdpoint.gate.status_queries import Questions
from holdpoint.gate.step_up_orders import keep_knowing
from holdpoint.gate.tool_catalog import ToolCatalog
from holdpoint.gate.tool_search import on_tools
from holdpoint.gate.worker_lanes import WorkerLanes
from holdpoint.messages import subjects
from holdpoint.messages.catalog import Agent, Tool
from holdpoint.messages.policy import Policy, PolicyRef
from holdpoint.runtime.broker.connection import Login, jetstream, login
from holdpoint.runtime.broker.faststream_broker import subscribe
from holdpoint.runtime.broker.lanes import Lane
from holdpoint.runtime.broker.pulls import pull
from holdpoint.runtime.broker.request_reply import Pool, Responder
from holdpoint.runtime.broker.storage import StorageWatch
from holdpoint.runtime.broker.streams import GATE, GATE_OPEN, GATES
from holdpoint.runtime.broker.wire import wire_of
from holdpoint.runtime.config.catalog_files import CATALOG_FOLDER
from holdpoint.runtime.config.mcp_servers import McpFiles
from holdpoint.runtime.config.registry import AGENTS_FILE, Registry, load_registry
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import HoldpointError, SetupError
from holdpoint.runtime.process.service import Job, Service, connected
from holdpoint.runtime.security.keys import GATE as ROLE
from holdpoint.runtime.security.keys import Keyset, Signer, load_unsealer
from holdpoint.runtime.store.compiled_patterns import CompiledFiles
from holdpoint.runtime.store.history import Holds, Runs, Tallies, Timers
from holdpoint.runtime.store.journal import Journal
from holdpoint.runtime.store.state import States

log = structlog.get_logger(__name__)

MATRIX = "holdpoint.core.access_matrix"
ANY = "*"
CALLS_AT_ONCE = 128
"""Of one agent: each has a queue of its own, so that nobody waits for another's calls."""

CALLS_OPEN_S = 10.0
"""Many agents are silent for long, and a request for each of them is to cost next to nothing; one
that is lost with the broker that had it is missed as late as this."""

SIDE_BY_SIDE = 64
PUSHED = (
    (subjects.ANSWERS, SIDE_BY_SIDE, on_answer),
    (subjects.ADMIN, 1, on_order),
    (subjects.RUNS, SIDE_BY_SIDE, on_run),
    (subjects.TIMERS, SIDE_BY_SIDE, on_alarm),
)
"""What people pace, and how much of it is handled side by side: FastStream's subscribers."""

WRITTEN = (subjects.HOLDS, subjects.CARDS, subjects.RUNS)
"""Where every agent's calls lead: nothing goes on while one of these is full."""

AGENTS_QUESTIONS = 20_000
"""Open at once: more than any agents' shares, so that only memory is the limit."""

OTHERS_QUESTIONS = 4_000
"""Of people, and as many of workers: whatever agents ask."""

WORKERS_EACH = 1_000
"""Of one domain's workers, who all ask under its name."""


async def build(settings: Settings, tools: tuple[Tool, ...]) -> Service:
    """Wire a gate to the broker; where no policy is that it could keep to, it is refused here."""
    catalog = ToolCatalog(tools, settings.config_dir / CATALOG_FOLDER, mcp=McpFiles.of(settings))
    registry = load_registry(settings.config_dir)
    draft = on_disk(settings, registry)
    who = login(settings, GATE)
    broker, client = await connected(who)
    gate = wired(settings, catalog, registry, draft, client, who)
    try:
        if draft.fault:
            await check_in_force(gate, draft.fault)
        await prepare(gate)
    except HoldpointError:
        await client.close()
        raise
    for kind, batch, handler in PUSHED:
        lane = Lane(stream=subjects.stream(settings.tenant, kind), durable=GATES, batch=batch)
        subscribe(broker, wire_of(client), lane, partial(handler, gate))
    responder = Responder(client=client)
    shared = tuple(subjects.stream(settings.tenant, kind) for kind in WRITTEN)
    storage = StorageWatch(
        client=client, jetstream=gate.jetstream, streams=shared, servers=settings.servers
    )
    await _answer_questions(gate, responder)
    return Service(
        name="gate",
        broker=broker,
        client=client,
        jobs=(
            *_drawing(gate, who, registry),
            partial(_sweep_for_ever, gate),
            gate.budgets.keep_telling,
            partial(keep_knowing, gate),
            partial(delegations.keep_knowing, gate),
            storage.run,
            catalog.keep_fresh,
        ),
        at_end=(responder.close,),
        problem=lambda: storage.problem() or gate.lanes.problem(),
    )


def _depth_bound(registry: Registry, settings: Settings) -> int:
    """Check that no agents call each other without end. Matrices load slowly: where there are no
    calls there is nothing to check.
    """
    if not any(agent.may_call for agent in registry.agents):
        return 0
    matrix = import_module(MATRIX)
    try:
        return int(matrix.matrix_of(registry.agents).depth_bound)
    except matrix.CyclicError as error:
        raise SetupError(f"{settings.config_dir / AGENTS_FILE}: {error}") from None


def _drawing(gate: Gate, who: Login, registry: Registry) -> Iterator[Job]:
    """Return the jobs that draw from streams: each agent's calls, and holds that are open."""
    judge, together = partial(on_call, gate), partial(pass_together, gate)
    for lane in _calls(gate.tenant, registry):
        yield partial(pull, gate.client, who, lane, judge, together)
    net = Lane(
        stream=subjects.stream(gate.tenant, subjects.HOLDS),
        durable=GATE_OPEN,
        batch=safety_net.SIDE_BY_SIDE,
        every_s=safety_net.EVERY_S,
    )
    yield partial(pull, gate.client, who, net, partial(safety_net.on_open_hold, gate))


def _calls(tenant: str, registry: Registry) -> Iterator[Lane]:
    """Yield what each agent says."""
    for agent in registry.agents:
        yield Lane(
            stream=subjects.stream(tenant, subjects.calls_of(agent.name)),
            durable=GATE,
            batch=CALLS_AT_ONCE,
            open_s=CALLS_OPEN_S,
        )


def _agents(registry: Registry, catalog: ToolCatalog) -> dict[str, Agent]:
    """Return the agents by name, with the tools that the catalog gives them as it changes."""
    agents: dict[str, Agent] = {}

    def name_tools(known: Catalog) -> None:
        agents.update((it.name, it) for it in with_tools(registry.agents, known))

    name_tools(catalog.current)
    catalog.on_change = name_tools
    return agents


def _ref_of(policy: Policy) -> PolicyRef:
    return PolicyRef(version=policy.version, digest=policy_digest(policy))


def wired(  # the parts, each once
    settings: Settings,
    catalog: ToolCatalog,
    registry: Registry,
    draft: OnDisk,
    client: Client,
    who: Login,
) -> Gate:
    """Make a gate's parts, which hear nothing yet."""
    signer = Signer(settings.keys_dir, ROLE, Keyset(settings.keys_dir))
    journal = Journal(client, who, settings.tenant, f"holdpoint/{ROLE}", signer)
    agents = _agents(registry, catalog)
    holds, policy = Holds(journal), draft.policy
    return Gate(
        tenant=settings.tenant,
        policy=policy,
        policy_ref=_ref_of(policy) if policy else None,
        tool_catalog=catalog,
        agents=agents,
        people={person.name: person for person in registry.people},
        client=client,
        jetstream=(api := jetstream(client, who)),
        lanes=WorkerLanes(tenant=settings.tenant, jetstream=api, login=who),
        journal=journal,
        holds=holds,
        runs=Runs(journal),
        states=States(journal),
        tallies=Tallies(journal.reader),
        timers=Timers(journal),
        seen=Seen(client=client),
        budgets=Budgets(agents=agents, holds=holds),
        depth_bound=_depth_bound(registry, settings),
        unsealer=load_unsealer(settings.keys_dir),
        keys_dir=settings.keys_dir,
        passkey_from_level=settings.passkey_from_level,
        console_url=lambda: settings.console_origin or settings.console_url,
        compiled=CompiledFiles(settings.compiled_dir),
    )


async def _answer_questions(gate: Gate, responder: Responder) -> None:
    questions = Questions(gate=gate)
    agents, people = Pool(most=AGENTS_QUESTIONS), Pool(most=OTHERS_QUESTIONS)
    workers = Pool(most=OTHERS_QUESTIONS, each=WORKERS_EACH)
    served = (
        (subjects.ask_hold_subject, questions.on_hold, agents),
        (subjects.ask_tools_subject, partial(on_tools, gate), agents),
        (subjects.ask_answer_subject, questions.on_answer, people),
        (subjects.ask_order_subject, questions.on_order, people),
        (subjects.ask_grant_subject, questions.on_grant, workers),
    )
    for subject_of, respond, pool in served:
        await responder.serve(subject_of(gate.tenant, ANY), GATE, respond, pool)


async def _sweep_for_ever(gate: Gate) -> None:
    while True:
        try:
            await sweep(gate, MOST_AT_ONCE)
            await host_runs.sweep(gate, MOST_AT_ONCE)
            await call_chains.sweep(gate)
            await safety_net.measure(gate)
        except (HoldpointError, NatsError) as error:
            log.warning("sweep_failed", error=repr(error))
        await asyncio.sleep(EVERY_S)
