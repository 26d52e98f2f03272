"""Every stream and consumer, as data: what `holdpoint provision` makes and services bind to.

A stream's subjects have exactly as many tokens as its messages: what is longer or shorter is
stored nowhere.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

from holdpoint.messages import subjects
from holdpoint.messages.base import MAX_MESSAGE_BYTES
from holdpoint.messages.catalog import Agent, Person, audiences
from holdpoint.runtime.broker.connection import inbox_prefix

Config: TypeAlias = dict[str, Any]
"""A stream's or consumer's configuration in the words and units of the JetStream API."""

ANY = "*"
NANOSECONDS = 1_000_000_000
DAY_S = 24 * 60 * 60
KEPT_S = 30 * DAY_S
"""Time that the bus remembers; the ledger remembers for ever."""

ORDERS_KEPT_S = 365 * DAY_S
FOR_EVER_S = 0
MAX_STORED_BYTES = MAX_MESSAGE_BYTES + 64 * 1024
"""A message and its headers: signature, compare-and-set, time to live."""

DUPLICATE_WINDOW_NS = 100_000_000
"""The least the server takes. Any writer of a stream can use up another's Nats-Msg-Id within it, so
that header is sent only where one party alone writes: by an agent in its own calls, and by the gate
to counters and to name a fact for the one behind it. Idempotency is the hold's id."""

CALLS_RECOGNISED_S = 2 * 60
"""Time that an agent's stream knows a call that its client repeats: above the client's patience."""

RECOGNISED_S = 10 * 60
"""Time that a counter knows what it counted by its Nats-Msg-Id: only the gate writes there."""

NEVER_ALLOWED = (
    "allow_atomic", "allow_batched", "allow_direct", "allow_msg_counter", "allow_msg_schedules",
    "allow_msg_ttl", "allow_rollup_hdrs", "discard_new_per_subject", "mirror", "no_ack",
    "persist_mode", "republish", "sealed", "sources", "subject_transform",
)  # fmt: skip
"""Unless a stream says otherwise: each would let a writer move, remove or lose messages."""

DIRECT: Config = {"allow_direct": True}
"""So that the audit reads a stream without a consumer. A read from a replica may be behind: who
needs the last word asks the leader."""

_CALLS: Config = {**DIRECT, "duplicate_window": CALLS_RECOGNISED_S * NANOSECONDS}
_ALARMS: Config = {
    "discard": "old",
    "deny_purge": False,
    "allow_msg_ttl": True,
    "allow_msg_schedules": True,
    "allow_rollup_hdrs": True,  # the server's own doing for a stream that schedules
}
_COUNTERS: Config = {
    "discard": "old",  # a stream of counters takes no other
    "max_msgs_per_subject": 1,
    "duplicate_window": RECOGNISED_S * NANOSECONDS,
    "allow_msg_counter": True,
}

ACK_WAIT_S = 12
"""Longest time until a message comes again that a dead broker had in hand for somebody."""

OPEN_HOLDS = 10_000
IN_FLIGHT = 1_000
GRANTS_IN_FLIGHT = 50_000
"""More than agents' budgets let wait at a worker: what waits there for its turn keeps no other."""

PUSHED_AT_ONCE = 256
"""Of what people pace: few enough that none waits in a process until it is delivered again."""

ONE_AT_A_TIME = 1
"""Orders: what was said last holds, also after a redelivery."""

GATE = "gate"
GATES = "gates"
"""To one of all gates."""

GATE_OPEN = "gate_open"
CONSOLE = "console"
TIMER_SET = "set"
TIMER_DUE = "due"


class Ack(StrEnum):
    """Acknowledgement of a consumer's messages."""

    EXPLICIT = "explicit"
    """Each one by itself: an acknowledgement never speaks for a message still in hand."""

    NONE = "none"
    """Nobody: the reader starts again from the beginning whenever it likes."""


@dataclass(frozen=True, kw_only=True)
class Tenant:
    """A tenant: its streams and users follow from this."""

    name: str
    agents: tuple[Agent, ...]
    people: tuple[Person, ...]
    domains: tuple[str, ...]
    served: tuple[str, ...] = ()
    """The agents that the HTTP API serves."""

    subscribed: tuple[str, ...] = ()
    """Those of them that have a webhook."""

    readers: tuple[str, ...] = ()
    """Services besides the console that read the cards of every group: Slack, notices."""

    askers: tuple[str, ...] = ()
    """The people who ask the coordinator over HTTP."""

    @property
    def agent_names(self) -> tuple[str, ...]:
        """Each of them has a stream of its own."""
        return tuple(agent.name for agent in self.agents)


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Limits of streams that an operator may choose."""

    max_bytes: int
    replicas: int


@dataclass(frozen=True, kw_only=True)
class Stream:
    """A stream and what it keeps."""

    name: str
    subjects: tuple[str, ...]
    limits: Limits
    kept_s: int
    extra: Config

    def config(self) -> Config:
        """As the JetStream API wants it."""
        return (
            {
                "name": self.name,
                "subjects": list(self.subjects),
                "retention": "limits",
                "storage": "file",
                "discard": "new",
                "max_bytes": self.limits.max_bytes,
                "max_age": self.kept_s * NANOSECONDS,
                "max_msgs": -1,
                "max_msgs_per_subject": -1,
                "max_msg_size": MAX_STORED_BYTES,
                "num_replicas": self.limits.replicas,
                "duplicate_window": DUPLICATE_WINDOW_NS,
                "deny_delete": True,
                "deny_purge": True,
            }
            | dict.fromkeys(NEVER_ALLOWED)
            | self.extra
        )


@dataclass(frozen=True, kw_only=True)
class Consumer:
    """A durable consumer."""

    stream: str
    durable: str
    filters: tuple[str, ...]
    """Empty means every message of the stream."""

    ack: Ack = Ack.EXPLICIT
    max_ack_pending: int = IN_FLIGHT
    since_made: bool = False
    """True if it begins where its stream is when it is made, and not at the stream's beginning."""

    headers_only: bool = False
    """True if no content is delivered, only that a message is there, and its subject."""

    deliver_to: str = ""
    """The subject it is pushed to, to one of those who listen; empty where it is pulled."""

    def config(self) -> Config:
        """As the JetStream API wants it."""
        config: Config = {
            "durable_name": self.durable,
            "name": self.durable,
            "deliver_policy": "new" if self.since_made else "all",
            "replay_policy": "instant",
            "ack_policy": str(self.ack),
            "filter_subjects": list(self.filters),
        }
        if self.headers_only:
            config["headers_only"] = True
        if self.deliver_to:
            config["deliver_subject"] = self.deliver_to
            config["deliver_group"] = self.durable
        if self.ack is Ack.EXPLICIT:
            config["ack_wait"] = ACK_WAIT_S * NANOSECONDS
            config["max_deliver"] = -1
            config["max_ack_pending"] = self.max_ack_pending
        return config


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Everything that is to exist in JetStream."""

    streams: tuple[Stream, ...]
    consumers: tuple[Consumer, ...]


def plan(tenant: Tenant, limits: Limits) -> Plan:
    """Return every stream and consumer of the tenant."""
    workers = tuple(worker_consumer(tenant.name, domain) for domain in tenant.domains)
    read = (*card_consumers(tenant), *webhook_consumers(tenant))
    consumers = (*gate_consumers(tenant), *workers, *read)
    return Plan(streams=_streams(tenant, limits), consumers=consumers)


def worker_durable(domain: str) -> str:
    """The consumer of HOLDS that a domain's workers share."""
    return f"worker_{domain}"


def webhook_durable(agent: str) -> str:
    """The consumers of HOLDS and RUNS that one agent's webhook follows."""
    return f"webhook_{agent}"


def view_durable(person: str) -> str:
    """The consumer of CARDS that one person's terminal reads."""
    return f"view_{person}"


def inbox_durable(person: str) -> str:
    """The consumer of CARDS that one person's open inbox follows."""
    return f"inbox_{person}"


def _streams(tenant: Tenant, limits: Limits) -> tuple[Stream, ...]:
    """Each agent's calls have a stream: what one says neither fills nor delays another's.

    Alarms and counters are not audited: what they led to stands in the facts.
    """
    t = tenant.name
    told: Config = {**DIRECT, "allow_msg_ttl": True, "republish": _repeated(t)}
    facts = (subjects.hold_filter(t, ANY, ANY), subjects.refusal_subject(t, ANY, ANY))

    def stream(source: str, *lanes: str, extra: Config = DIRECT, kept_s: int = KEPT_S) -> Stream:
        name = subjects.stream(t, source)
        return Stream(name=name, subjects=lanes, limits=limits, kept_s=kept_s, extra=extra)

    return (
        *(
            stream(subjects.calls_of(agent), subjects.call_subject(t, agent, ANY), extra=_CALLS)
            for agent in tenant.agent_names
        ),
        stream(subjects.HOLDS, *facts, extra=told),
        stream(subjects.CARDS, subjects.card_subject(t, ANY, ANY)),
        stream(subjects.ANSWERS, subjects.answer_subject(t, ANY, ANY, ANY, ANY)),
        stream(subjects.RUNS, subjects.run_filter(t, ANY, ANY), extra=told),
        stream(subjects.ADMIN, subjects.admin_subject(t, ANY, ANY), kept_s=ORDERS_KEPT_S),
        stream(subjects.STATE, subjects.state_subject(t, ANY, ANY), kept_s=FOR_EVER_S),
        stream(subjects.READS, subjects.read_subject(t, ANY, ANY)),
        stream(subjects.ERASURES, subjects.erasure_subject(t, ANY, ANY), kept_s=FOR_EVER_S),
        stream(
            subjects.TIMERS,
            subjects.timer_subject(t, ANY, ANY, ANY, ANY),
            extra=_ALARMS,
            kept_s=FOR_EVER_S,
        ),
        stream(subjects.TALLIES, subjects.tally_subject(t, ANY, ANY), extra=_COUNTERS),
    )


def _repeated(tenant: str) -> Config:
    """Repeat what was stored, to wake who waits for it: facts, runs and refusals."""
    return {"src": f"hp.{tenant}.>", "dest": subjects.seen(tenant)}


def gate_consumers(tenant: Tenant) -> tuple[Consumer, ...]:
    """Return what the gates read: each agent's calls, what people pace, and holds that are open."""

    def pushed(kind: str, *filters: str, at_once: int = PUSHED_AT_ONCE) -> Consumer:
        return Consumer(
            stream=subjects.stream(tenant.name, kind),
            durable=GATES,
            filters=filters,
            max_ack_pending=at_once,
            deliver_to=f"{inbox_prefix(GATE)}.{kind.lower()}",
        )

    return (
        *(
            Consumer(stream=subjects.stream(tenant.name, it), durable=GATE, filters=())
            for it in map(subjects.calls_of, tenant.agent_names)
        ),
        pushed(subjects.ANSWERS),
        pushed(subjects.RUNS, subjects.run_filter(tenant.name, ANY, ANY, subjects.FOR_GATE)),
        pushed(subjects.ADMIN, at_once=ONE_AT_A_TIME),
        pushed(subjects.TIMERS, subjects.timer_subject(tenant.name, TIMER_DUE, ANY, ANY, ANY)),
        Consumer(
            stream=subjects.stream(tenant.name, subjects.HOLDS),
            durable=GATE_OPEN,
            filters=(subjects.halted_facts(tenant.name, ANY),),
            max_ack_pending=OPEN_HOLDS,
        ),
    )


def worker_consumer(tenant: str, domain: str) -> Consumer:
    """Return what a domain's workers share: the facts that make them act."""
    acts = ("passed", "witnessed", "resumed")
    return Consumer(
        stream=subjects.stream(tenant, subjects.HOLDS),
        durable=worker_durable(domain),
        filters=tuple(subjects.hold_filter(tenant, word, domain) for word in acts),
        max_ack_pending=GRANTS_IN_FLIGHT,
    )


def webhook_consumers(tenant: Tenant) -> tuple[Consumer, ...]:
    """Return what tells that an agent has news, in order and without saying which: what became of
    its call, the agent's own question tells.
    """

    def doorbell(agent: str, source: str, filters: tuple[str, ...]) -> Consumer:
        return Consumer(
            stream=subjects.stream(tenant.name, source),
            durable=webhook_durable(agent),
            filters=filters,
            max_ack_pending=ONE_AT_A_TIME,
            since_made=True,
            headers_only=True,
        )

    t = tenant.name
    return tuple(
        it
        for agent in tenant.subscribed
        for it in (
            doorbell(agent, subjects.HOLDS, subjects.endings_of(t, agent)),
            doorbell(agent, subjects.RUNS, subjects.runs_ended_of(t, agent)),
        )
    )


def card_consumers(tenant: Tenant) -> tuple[Consumer, ...]:
    """Return the consumers of cards; each is reset by its reader, so it delivers all."""
    services = dict.fromkeys((CONSOLE, *tenant.readers), (ANY,))
    views = {
        durable(it.name): audiences(it)
        for it in tenant.people
        if it.groups
        for durable in (view_durable, inbox_durable)
    }
    return tuple(
        Consumer(
            stream=subjects.stream(tenant.name, subjects.CARDS),
            durable=durable,
            filters=tuple(subjects.card_subject(tenant.name, it, ANY) for it in groups),
            ack=Ack.NONE,
        )
        for durable, groups in {**services, **views}.items()
    )
