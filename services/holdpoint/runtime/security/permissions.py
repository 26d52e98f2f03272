"""Permissions of every user on the bus, and nothing else is allowed.

Allow-lists only. Each trust domain is an account of its own, so that no reply subject, pull
request or header can reach another's streams; JetStream and its streams live in CORE, where
besides them only the gate and the provisioner are.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from holdpoint.messages import subjects
from holdpoint.messages.answer import CLIENT_FORM
from holdpoint.messages.catalog import (
    AGENTS_DOMAIN,
    HOST_DOMAIN,
    Person,
    audiences,
    may_answer,
    may_erase,
)
from holdpoint.messages.erasure import RETENTION, WORDS, Erased, ErasureRefused
from holdpoint.messages.state import CURRENT
from holdpoint.runtime.broker import streams
from holdpoint.runtime.broker.connection import CORE_API, IMPORTED_API
from holdpoint.runtime.broker.storage import HEALTH
from holdpoint.runtime.broker.streams import ANY, Tenant
from holdpoint.runtime.security.credentials import (
    API,
    AUDIT,
    CONSOLE,
    COORDINATOR,
    ERASER,
    GATE,
    PROVISIONER,
    READER,
    SLACK,
    SYSTEM,
    agent_user,
    client_user,
    http_user,
    person_user,
    slack_user,
    sso_user,
    view_user,
    worker_user,
)

CORE = "CORE"
SYS = "SYS"

FLAG = "flag"
"""The piece of STATE that the coordinator reads."""

TOTP = "totp"
PERMISSION = "permission"
PASSKEY = "passkey"
DELEGATE = "delegate"
"""The orders that everybody may give: about their own step-up, and who answers in their place."""

TERMINAL = "terminal"
CLI = "cli"
"""Surface of commands that read the ledger."""

CHANNELS = (TERMINAL, "console")
"""Through which a person answers, always under their own user."""

UNLIMITED = -1
AGENTS_CONNECTIONS = 10_000
"""Of all agents: one that leaves connections open keeps no person out. A server takes 65,536."""

ASK_LIVES_S = 70
"""Time that the gate may still reply: longer than the longest wait of an `ask`, 55 s."""

PLAN_LIVES_S = 5
NO_REPLIES = 0


@dataclass(frozen=True, kw_only=True)
class Grant:
    """Everything one user may do, in the subjects that CORE knows; nothing else is allowed."""

    user: str
    account: str
    publish: tuple[str, ...] = ()
    subscribe: tuple[str, ...] = ()
    """Besides the user's own inbox."""

    hears: tuple[str, ...] = ()
    """Of CORE's own copies."""

    replies_s: int = NO_REPLIES
    """Time that it may answer a request it received, once; 0 means never."""

    connections: int = UNLIMITED
    """Of all users of its account together."""

    @property
    def local_publish(self) -> tuple[str, ...]:
        """The subjects as the user's own account names them."""
        return tuple(local(self.account, subject) for subject in self.publish)


def local(account: str, subject: str) -> str:
    """The subject's name in the account: outside CORE the API has another one."""
    outside = account not in {CORE, SYS}
    return subject.replace(CORE_API, IMPORTED_API, 1) if outside else subject


def service_users(tenant: Tenant) -> tuple[str, ...]:
    """Every user whose nkey lies in a file: all but the people who answer."""
    people = {person_user(person.name) for person in tenant.people}
    return tuple(grant.user for grant in grants(tenant) if grant.user not in people)


def grants(tenant: Tenant) -> tuple[Grant, ...]:
    """Return what every user may do."""
    t = tenant.name
    return (
        _of_the_gate(tenant),
        _of_the_audit(tenant),
        Grant(user=PROVISIONER, account=CORE, publish=(f"{CORE_API}.>",)),
        Grant(user=SYSTEM, account=SYS, publish=_DESCRIBING),
        *(_of_an_agent(t, agent.name) for agent in tenant.agents),
        *(_of_a_view(t, person) for person in tenant.people if person.groups),
        _of_a_reader(t, CONSOLE, (CONSOLE,), subjects.read_subject(t, CONSOLE, ANY)),
        *(_of_a_reader(t, it, (it,)) for it in tenant.readers),
        Grant(user=READER, account=_people(t), publish=(subjects.read_subject(t, CLI, ANY),)),
        _of_the_eraser(t),
        _of_the_coordinator(t),
        *(_at_a_terminal(t, person) for person in tenant.people),
        *(_of_sso(t, person) for person in tenant.people if person.email or person.subject),
        *(_of_slack(t, it) for it in tenant.people if it.slack and SLACK in tenant.readers),
        *(_of_a_client(t, it) for it in tenant.people if it.mcp_clients and may_answer(it)),
        *(_of_workers(t, domain) for domain in tenant.domains),
        *((_of_the_api(tenant),) if tenant.served or tenant.askers else ()),
        *(_of_http(t, person) for person in tenant.askers),
    )


_DESCRIBING = ("$SYS.REQ.SERVER.PING.VARZ", "$SYS.REQ.SERVER.PING.JSZ", HEALTH)
"""What the check of the server's durability settings asks."""

_GATE_LOADS = (
    subjects.CALLS,
    subjects.HOLDS,
    subjects.RUNS,
    subjects.CARDS,
    subjects.STATE,
    subjects.TIMERS,
    subjects.ANSWERS,
    subjects.TALLIES,
)
_GATE_WATCHES = (subjects.TIMERS, subjects.CARDS, subjects.HOLDS, subjects.RUNS)


def _of_the_gate(tenant: Tenant) -> Grant:
    t = tenant.name
    workers = tuple(map(streams.worker_durable, tenant.domains))
    return Grant(
        user=GATE,
        account=CORE,
        publish=(
            subjects.hold_filter(t, ANY, ANY),
            subjects.refusal_subject(t, ANY, ANY),
            subjects.card_subject(t, ANY, ANY),
            subjects.state_subject(t, ANY, ANY),
            subjects.timer_subject(t, streams.TIMER_SET, ANY, ANY, ANY),
            subjects.tally_subject(t, ANY, ANY),
            subjects.run_filter(t, ANY, "barred"),
            subjects.run_filter(t, ANY, "lapsed"),
            subjects.run_filter(t, ANY, "reconciled"),
            subjects.run_filter(t, AGENTS_DOMAIN, "finished"),
            subjects.run_filter(t, HOST_DOMAIN, "started"),
            subjects.run_filter(t, HOST_DOMAIN, "finished"),
            *(subjects.ask_plan_subject(t, domain) for domain in tenant.domains),
            *_reading(streams.gate_consumers(tenant)),
            *(_api("CONSUMER.INFO", subjects.stream(t, subjects.HOLDS), it) for it in workers),
            *_on_streams("STREAM.MSG.GET", t, subjects.sources(_GATE_LOADS, tenant.agent_names)),
            *_on_streams("STREAM.INFO", t, _GATE_WATCHES),
            *_on_streams("STREAM.PURGE", t, (subjects.TIMERS,)),
            HEALTH,
        ),
        subscribe=(
            subjects.ask_hold_subject(t, ANY),
            subjects.ask_tools_subject(t, ANY),
            subjects.ask_answer_subject(t, ANY),
            subjects.ask_order_subject(t, ANY),
            subjects.ask_grant_subject(t, ANY),
            subjects.seen(t),
        ),
        replies_s=ASK_LIVES_S,
    )


def _of_the_audit(tenant: Tenant) -> Grant:
    """In an account of its own: inside CORE, its reads could name a fact's subject as their
    reply, and the server would store what it reads there.
    """
    t = tenant.name
    audited = subjects.sources(subjects.AUDITED, tenant.agent_names)
    return Grant(
        user=AUDIT,
        account=f"{t.upper()}_AUDIT",
        publish=(*_on_streams("DIRECT.GET", t, audited), *_on_streams("STREAM.INFO", t, audited)),
    )


def _of_an_agent(t: str, agent: str) -> Grant:
    return Grant(
        user=agent_user(agent),
        account=f"{t.upper()}_AGENTS",
        publish=(
            subjects.call_subject(t, agent, ANY),
            subjects.ask_hold_subject(t, agent),
            subjects.ask_tools_subject(t, agent),
        ),
        hears=(subjects.results_seen(t, agent), subjects.claims_seen(t, agent)),
        connections=AGENTS_CONNECTIONS,
    )


def _of_the_coordinator(t: str) -> Grant:
    """In an account of its own, as a worker is; it calls tools as an agent of the same name."""
    return Grant(
        user=COORDINATOR,
        account=f"{t.upper()}_COORDINATOR",
        publish=(
            _api(
                "DIRECT.GET",
                subjects.stream(t, subjects.STATE),
                subjects.state_subject(t, FLAG, CURRENT),
            ),
        ),
        subscribe=(subjects.ask_coordinator_subject(t, ANY),),
        replies_s=ASK_LIVES_S,
    )


def _of_a_reader(t: str, user: str, durables: tuple[str, ...], *more: str) -> Grant:
    """Return who reads cards and answers none: people answer as themselves, also in the console."""
    name = subjects.stream(t, subjects.CARDS)
    verbs = ("CONSUMER.MSG.NEXT", "CONSUMER.INFO", "CONSUMER.RESET")
    reading = tuple(_api(verb, name, it) for it in durables for verb in verbs)
    return Grant(user=user, account=_people(t), publish=(*reading, *more))


def _of_the_eraser(t: str) -> Grant:
    """Return who says what the daily run erased, and nothing in a person's name."""
    said = subjects.erasure_subject(t, WORDS[Erased], RETENTION)
    return Grant(user=ERASER, account=_people(t), publish=(said,))


def _of_a_view(t: str, person: Person) -> Grant:
    durables = streams.view_durable(person.name), streams.inbox_durable(person.name)
    cards = _cards_of(t, audiences(person))
    return _of_a_reader(t, view_user(person.name), durables, *cards)


def _of_a_person(t: str, person: Person) -> Grant:
    words = (ANY,) if person.admin else (TOTP, PASSKEY, DELEGATE, PERMISSION)
    channels = CHANNELS if may_answer(person) else ()
    return Grant(
        user=person_user(person.name),
        account=_people(t),
        publish=(
            *(subjects.answer_subject(t, it, person.name, ANY, ANY) for it in channels),
            subjects.ask_answer_subject(t, person.name),
            *_cards_of(t, audiences(person)),
            *(subjects.admin_subject(t, person.name, word) for word in words),
            subjects.ask_order_subject(t, person.name),
            subjects.ask_coordinator_subject(t, person.name),
        ),
    )


def _at_a_terminal(t: str, person: Person) -> Grant:
    """Return the permissions of a person with a password: also what they erase and keep."""
    own = _of_a_person(t, person)
    word = ANY if may_erase(person) else WORDS[ErasureRefused]
    return replace(own, publish=(*own.publish, subjects.erasure_subject(t, word, person.name)))


def _of_sso(t: str, person: Person) -> Grant:
    """Return the permissions of a person whom an identity provider vouches for at the console."""
    return replace(_of_a_person(t, person), user=sso_user(person.name))


def _of_slack(t: str, person: Person) -> Grant:
    """Return what the Slack service's key of a person may do: answer and request, order nothing."""
    answers = (subjects.answer_subject(t, SLACK, person.name, ANY, ANY),)
    return Grant(
        user=slack_user(person.name),
        account=_people(t),
        publish=(
            *(answers if may_answer(person) else ()),
            subjects.ask_answer_subject(t, person.name),
            subjects.ask_coordinator_subject(t, person.name),
        ),
    )


def _of_a_client(t: str, person: Person) -> Grant:
    """Return what the key at a person's MCP client may do: see and answer its agents' holds."""
    agents = person.mcp_clients
    return Grant(
        user=client_user(person.name),
        account=_people(t),
        publish=(
            *(subjects.answer_subject(t, CLIENT_FORM, person.name, it, ANY) for it in agents),
            subjects.ask_answer_subject(t, person.name),
            *_cards_of(t, audiences(person)),
        ),
    )


def _of_http(t: str, person: str) -> Grant:
    """With a key that the HTTP API has: requests to the coordinator, and nothing else at all."""
    asking = (subjects.ask_coordinator_subject(t, person),)
    return Grant(user=http_user(person), account=_people(t), publish=asking)


def _of_workers(t: str, domain: str) -> Grant:
    """One account for each domain: in a common one, a worker of another domain could place
    messages of its choice where this one listens for dry runs, as replies to itself.
    """
    runs = subjects.stream(t, subjects.RUNS)
    return Grant(
        user=worker_user(domain),
        account=f"{t.upper()}_WORK_{domain}",
        publish=(
            *_reading((streams.worker_consumer(t, domain),)),
            subjects.run_filter(t, domain, "started"),
            subjects.run_filter(t, domain, "finished"),
            _api("DIRECT.GET", runs, subjects.run_facts(t, domain, ANY, ANY)),
            subjects.ask_grant_subject(t, domain),
        ),
        subscribe=(subjects.ask_plan_subject(t, domain),),
        replies_s=PLAN_LIVES_S,
    )


def _of_the_api(tenant: Tenant) -> Grant:
    """Return who hears that a served agent has news, and reads and says nothing itself: the HTTP
    API speaks with its agents' own credentials.
    """
    return Grant(
        user=API,
        account=f"{tenant.name.upper()}_API",
        publish=tuple(_reading(streams.webhook_consumers(tenant))),
    )


def _people(t: str) -> str:
    return f"{t.upper()}_PEOPLE"


def _reading(consumers: Iterable[streams.Consumer]) -> Iterator[str]:
    """Reading from these consumers, and acknowledging."""
    for it in consumers:
        if not it.deliver_to:
            yield _api("CONSUMER.MSG.NEXT", it.stream, it.durable)
        yield _api("CONSUMER.INFO", it.stream, it.durable)
        yield f"$JS.ACK.{it.stream}.{it.durable}.>"


def _cards_of(t: str, groups: Iterable[str]) -> tuple[str, ...]:
    cards = subjects.stream(t, subjects.CARDS)
    return tuple(_api("DIRECT.GET", cards, subjects.card_subject(t, it, ANY)) for it in groups)


def _on_streams(verb: str, t: str, sources: Iterable[str]) -> tuple[str, ...]:
    return tuple(_api(verb, subjects.stream(t, source)) for source in sources)


def _api(verb: str, *names: str) -> str:
    return ".".join((CORE_API, verb, *names))
