"""Who may say and hear what: one list of grants, from which the configuration is made.

Allow-lists only. Each trust domain is an account of its own, so that no reply subject, pull
request or header can reach another's streams; JetStream and its streams live in CORE, where
besides them only the gate and the provisioner are.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from holdpoint.messages import subjects
from holdpoint.runtime import streams
from holdpoint.runtime.connection import CORE_API, IMPORTED_API
from holdpoint.runtime.credentials import (
    AUDIT,
    CONSOLE,
    GATE,
    PROVISIONER,
    SYSTEM,
    agent_user,
    person_user,
    view_user,
    worker_user,
)
from holdpoint.runtime.streams import ANY, Tenant

CORE = "CORE"
SYS = "SYS"

TERMINAL = "terminal"
CHANNELS = (TERMINAL, "console")
"""Through which a person answers, always under their own user."""

ASK_LIVES_S = 70
"""How long the gate may still reply: longer than the longest wait of an `ask`, 55 s."""

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
    """How long it may answer a request it received, once; 0 means never."""

    @property
    def local_publish(self) -> tuple[str, ...]:
        """The subjects as the user's own account names them."""
        return tuple(local(self.account, subject) for subject in self.publish)


def local(account: str, subject: str) -> str:
    """The subject's name in the account: outside CORE the API has another one."""
    outside = account not in {CORE, SYS}
    return subject.replace(CORE_API, IMPORTED_API, 1) if outside else subject


def agents_account(tenant: str) -> str:
    """The account of the tenant's agents."""
    return f"{tenant.upper()}_AGENTS"


def people_account(tenant: str) -> str:
    """The account of the tenant's people."""
    return f"{tenant.upper()}_PEOPLE"


def work_account(tenant: str, domain: str) -> str:
    """The account of one domain's workers.

    Workers listen for dry runs. In one account, a worker of another domain could place messages
    of its choice there, as replies to itself.
    """
    return f"{tenant.upper()}_WORK_{domain}"


def audit_account(tenant: str) -> str:
    """The account of the audit: inside CORE, its reads could name a fact's subject as their
    reply, and the server would store what it reads there.
    """
    return f"{tenant.upper()}_AUDIT"


def service_users(tenant: Tenant) -> tuple[str, ...]:
    """Every user whose nkey lies in a file: all but the people who answer."""
    people = {person_user(person.name) for person in tenant.people}
    return tuple(grant.user for grant in grants(tenant) if grant.user not in people)


def grants(tenant: Tenant) -> tuple[Grant, ...]:
    """Return what every user may do."""
    return (
        _of_the_gate(tenant),
        _of_the_audit(tenant),
        Grant(user=PROVISIONER, account=CORE, publish=(f"{CORE_API}.>",)),
        _of_the_system(),
        *_of_agents(tenant),
        *_of_views(tenant),
        _of_the_console(tenant.name),
        *_of_people(tenant),
        *_of_workers(tenant),
    )


def _of_the_gate(tenant: Tenant) -> Grant:
    t = tenant.name
    holds = subjects.stream(t, subjects.HOLDS)
    return Grant(
        user=GATE,
        account=CORE,
        publish=(
            *_facts_of_the_gate(t),
            *(subjects.ask_plan_subject(t, domain) for domain in tenant.domains),
            *_reading(streams.gate_consumers(tenant)),
            *(_api("CONSUMER.INFO", holds, streams.worker_durable(d)) for d in tenant.domains),
            *(
                _api("STREAM.MSG.GET", subjects.stream(t, source))
                for source in subjects.sources(_GATE_LOADS, tenant.agent_names)
            ),
            *(_api("STREAM.INFO", subjects.stream(t, kind)) for kind in _GATE_WATCHES),
            _api("STREAM.PURGE", subjects.stream(t, subjects.TIMERS)),
        ),
        subscribe=(
            subjects.ask_hold_subject(t, ANY),
            subjects.ask_answer_subject(t, ANY),
            subjects.ask_order_subject(t, ANY),
            subjects.ask_grant_subject(t, ANY),
            subjects.seen(t),
        ),
        replies_s=ASK_LIVES_S,
    )


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
_GATE_WATCHES = (subjects.TIMERS, subjects.CARDS)


def _facts_of_the_gate(t: str) -> tuple[str, ...]:
    return (
        subjects.hold_filter(t, ANY, ANY),
        subjects.refusal_subject(t, ANY, ANY),
        subjects.card_subject(t, ANY, ANY),
        subjects.state_subject(t, ANY, ANY),
        subjects.timer_subject(t, streams.TIMER_SET, ANY, ANY, ANY),
        subjects.tally_subject(t, ANY, ANY),
        subjects.run_filter(t, ANY, "barred"),
        subjects.run_filter(t, ANY, "lapsed"),
    )


def _of_the_audit(tenant: Tenant) -> Grant:
    t = tenant.name
    audited = subjects.sources(subjects.AUDITED, tenant.agent_names)
    return Grant(
        user=AUDIT,
        account=audit_account(t),
        publish=(
            *(_api("DIRECT.GET", subjects.stream(t, source)) for source in audited),
            *(_api("STREAM.INFO", subjects.stream(t, source)) for source in audited),
        ),
    )


def _of_the_system() -> Grant:
    """What the check of the server's durability settings asks."""
    return Grant(
        user=SYSTEM,
        account=SYS,
        publish=("$SYS.REQ.SERVER.PING.VARZ", "$SYS.REQ.SERVER.PING.JSZ"),
    )


def _of_agents(tenant: Tenant) -> tuple[Grant, ...]:
    t = tenant.name
    return tuple(
        Grant(
            user=agent_user(agent.name),
            account=agents_account(t),
            publish=(
                subjects.call_subject(t, agent.name, ANY),
                subjects.ask_hold_subject(t, agent.name),
            ),
            hears=(subjects.results_seen(t, agent.name),),
        )
        for agent in tenant.agents
    )


def _of_views(tenant: Tenant) -> tuple[Grant, ...]:
    """Who only reads cards; a person without groups has none to read."""
    t = tenant.name
    cards = subjects.stream(t, subjects.CARDS)
    return tuple(
        Grant(
            user=view_user(person.name),
            account=people_account(t),
            publish=(
                *(_api(verb, cards, streams.view_durable(person.name)) for verb in _VIEWING),
                *_cards_of(t, person.groups),
            ),
        )
        for person in tenant.people
        if person.groups
    )


def _of_the_console(t: str) -> Grant:
    """It reads every group's cards and says nothing: people answer through it as themselves."""
    cards = subjects.stream(t, subjects.CARDS)
    return Grant(
        user=CONSOLE,
        account=people_account(t),
        publish=tuple(_api(verb, cards, streams.CONSOLE) for verb in _VIEWING),
    )


_VIEWING = ("CONSUMER.MSG.NEXT", "CONSUMER.INFO", "CONSUMER.RESET")


def _of_people(tenant: Tenant) -> tuple[Grant, ...]:
    t = tenant.name
    return tuple(
        Grant(
            user=person_user(person.name),
            account=people_account(t),
            publish=(
                *(subjects.answer_subject(t, it, person.name, ANY, ANY) for it in CHANNELS),
                subjects.ask_answer_subject(t, person.name),
                *_cards_of(t, person.groups),
                *(_orders_of(t, person.name) if person.admin else ()),
            ),
        )
        for person in tenant.people
    )


def _orders_of(t: str, admin: str) -> tuple[str, ...]:
    return subjects.admin_subject(t, admin, ANY), subjects.ask_order_subject(t, admin)


def _of_workers(tenant: Tenant) -> tuple[Grant, ...]:
    t = tenant.name
    runs = subjects.stream(t, subjects.RUNS)
    return tuple(
        Grant(
            user=worker_user(domain),
            account=work_account(t, domain),
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
        for domain in tenant.domains
    )


def _reading(consumers: Iterable[streams.Consumer]) -> tuple[str, ...]:
    """Reading from these consumers, and acknowledging."""
    return tuple(
        subject
        for it in consumers
        for subject in (
            *((_api("CONSUMER.MSG.NEXT", it.stream, it.durable),) if not it.deliver_to else ()),
            _api("CONSUMER.INFO", it.stream, it.durable),
            f"$JS.ACK.{it.stream}.{it.durable}.>",
        )
    )


def _cards_of(t: str, groups: tuple[str, ...]) -> tuple[str, ...]:
    cards = subjects.stream(t, subjects.CARDS)
    return tuple(
        _api("DIRECT.GET", cards, subjects.card_subject(t, group, ANY)) for group in groups
    )


def _api(verb: str, *names: str) -> str:
    return ".".join((CORE_API, verb, *names))
