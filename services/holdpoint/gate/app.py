"""The gate as a process: its lanes, its questions, its sweep."""

import asyncio
from functools import partial

import structlog
from nats.aio.client import Client
from nats.js import JetStreamContext

from holdpoint.core.catalog import Catalog
from holdpoint.core.digest import policy_digest
from holdpoint.core.risk.check import check_policy
from holdpoint.gate.alarms import on_alarm
from holdpoint.gate.answers import on_answer
from holdpoint.gate.calls import on_call
from holdpoint.gate.cards import on_run
from holdpoint.gate.orders import on_order
from holdpoint.gate.parts import Gate
from holdpoint.gate.questions import Questions, Waiters
from holdpoint.gate.story import on_hold, on_open_hold
from holdpoint.gate.sweep import EVERY_S, sweep
from holdpoint.messages import subjects
from holdpoint.messages.policy import Policy, PolicyRef
from holdpoint.runtime.asks import Responder
from holdpoint.runtime.connection import jetstream, login
from holdpoint.runtime.errors import HoldpointError, SetupError
from holdpoint.runtime.history import Holds, Runs
from holdpoint.runtime.journal import Journal
from holdpoint.runtime.keys import GATE as ROLE
from holdpoint.runtime.keys import Keyset, Signer, load_unsealer
from holdpoint.runtime.lanes import Lane, listen, pull
from holdpoint.runtime.policy import load_policy
from holdpoint.runtime.registry import Registry, groups_of, load_registry
from holdpoint.runtime.service import Service, connected
from holdpoint.runtime.settings import Settings
from holdpoint.runtime.state import States
from holdpoint.runtime.streams import GATE, GATE_OPEN
from holdpoint.runtime.timers import Timers

log = structlog.get_logger(__name__)

ANY = "*"

CALLS_AT_ONCE = 128
SIDE_BY_SIDE = 64
ONE_BY_ONE = 1
"""For orders: the last one is what holds."""

HANDLERS = (
    (subjects.HOLDS, GATE, on_hold),
    (subjects.HOLDS, GATE_OPEN, on_open_hold),
    (subjects.ANSWERS, GATE, on_answer),
    (subjects.RUNS, GATE, on_run),
    (subjects.ADMIN, GATE, on_order),
    (subjects.TIMERS, GATE, on_alarm),
)
"""What the gate hears at a person's pace, and who handles it."""


async def build(settings: Settings, catalog: Catalog) -> Service:
    """Wire a gate to the broker; a policy that it could not keep to is refused here."""
    registry = load_registry(settings.config_dir)
    policy = checked_policy(settings, registry)
    who = login(settings, GATE)
    broker, client = await connected(who)
    js = jetstream(client, who)
    gate = _gate(settings, catalog, registry, policy, client, js)
    calls = Lane(
        stream=subjects.stream(settings.tenant, subjects.CALLS), durable=GATE, batch=CALLS_AT_ONCE
    )
    for kind, durable, handler in HANDLERS:
        batch = ONE_BY_ONE if kind == subjects.ADMIN else SIDE_BY_SIDE
        lane = Lane(stream=subjects.stream(settings.tenant, kind), durable=durable, batch=batch)
        listen(broker, lane, partial(handler, gate), who.inbox_prefix)
    responder = Responder(client=client)
    await _answer_questions(gate, responder)
    return Service(
        name="gate",
        broker=broker,
        client=client,
        jobs=(partial(pull, js, calls, partial(on_call, gate)), partial(_sweep_for_ever, gate)),
        at_end=(responder.close,),
    )


def checked_policy(settings: Settings, registry: Registry) -> Policy:
    """The policy on disk, if it is one that this gate can keep to."""
    policy = load_policy(settings.config_dir, groups_of(registry))
    if problems := check_policy(policy):
        raise SetupError("The policy cannot be used:\n" + "\n".join(problems))
    return policy


def _gate(  # the parts, each once
    settings: Settings,
    catalog: Catalog,
    registry: Registry,
    policy: Policy,
    client: Client,
    js: JetStreamContext,
) -> Gate:
    keyset = Keyset(settings.keys_dir)
    signer = Signer(settings.keys_dir, ROLE, keyset)
    journal = Journal(js, settings.tenant, f"holdpoint/{ROLE}", signer)
    return Gate(
        tenant=settings.tenant,
        policy=policy,
        policy_ref=PolicyRef(version=policy.version, digest=policy_digest(policy)),
        catalog=catalog,
        agents={agent.name: agent for agent in registry.agents},
        people={person.name: person for person in registry.people},
        client=client,
        jetstream=js,
        journal=journal,
        holds=Holds(journal),
        runs=Runs(journal),
        states=States(journal),
        timers=Timers(journal),
        keyset=keyset,
        unsealer=load_unsealer(settings.keys_dir),
    )


async def _answer_questions(gate: Gate, responder: Responder) -> None:
    waiters = Waiters()
    questions = Questions(gate=gate, waiters=waiters)
    tenant = gate.tenant
    await gate.client.subscribe(subjects.seen(tenant), cb=waiters.on_seen)
    await responder.serve(subjects.ask_hold_subject(tenant, ANY), GATE, questions.on_hold)
    await responder.serve(subjects.ask_answer_subject(tenant, ANY), GATE, questions.on_answer)
    await responder.serve(subjects.ask_grant_subject(tenant, ANY), GATE, questions.on_grant)


async def _sweep_for_ever(gate: Gate) -> None:
    while True:
        try:
            await sweep(gate)
        except HoldpointError as error:
            log.warning("sweep_failed", error=str(error))
        await asyncio.sleep(EVERY_S)
