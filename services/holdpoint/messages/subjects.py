"""Subjects, streams and types, spelled only here; `subject_parts.py` takes subjects apart."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from holdpoint.messages import (
    answer,
    ask,
    call,
    card,
    envelope,
    erasure,
    hold,
    reading,
    request,
    run,
    state,
)
from holdpoint.messages.base import TYPE_PREFIX, Message
from holdpoint.messages.catalog import HOST_DOMAIN

NO_DOMAIN = "none"
"""The last token of a hold fact on which no worker is to act."""

FOR_GATE = "gate"
FOR_NOBODY = "none"
"""The last token of a run's fact: whether the gate has to act on it. Most runs were let go at once,
and nobody but their agent and the audit waits for those."""

CALLS = "CALLS"
HOLDS = "HOLDS"
CARDS = "CARDS"
ANSWERS = "ANSWERS"
RUNS = "RUNS"
ADMIN = "ADMIN"
STATE = "STATE"
READS = "READS"
ERASURES = "ERASURES"
TIMERS = "TIMERS"
TALLIES = "TALLIES"
KINDS = (CALLS, HOLDS, CARDS, ANSWERS, RUNS, ADMIN, STATE, READS, ERASURES, TIMERS, TALLIES)
AUDITED = (CALLS, HOLDS, CARDS, ANSWERS, RUNS, ADMIN, STATE, READS, ERASURES)

TYPES: dict[type[Message], str] = {
    call.Propose: f"{TYPE_PREFIX}.propose",
    call.Intent: f"{TYPE_PREFIX}.intent",
    call.Withdraw: f"{TYPE_PREFIX}.withdraw",
    call.Trace: f"{TYPE_PREFIX}.trace",
    hold.Passed: f"{TYPE_PREFIX}.passed",
    hold.Witnessed: f"{TYPE_PREFIX}.witnessed",
    hold.Denied: f"{TYPE_PREFIX}.denied",
    hold.Halted: f"{TYPE_PREFIX}.halt",
    hold.Rendered: f"{TYPE_PREFIX}.render",
    hold.Answered: f"{TYPE_PREFIX}.answered",
    hold.Parked: f"{TYPE_PREFIX}.parked",
    hold.Reminded: f"{TYPE_PREFIX}.reminded",
    hold.Escalated: f"{TYPE_PREFIX}.escalated",
    hold.Extended: f"{TYPE_PREFIX}.extended",
    hold.Resolved: f"{TYPE_PREFIX}.resolve",
    hold.Resumed: f"{TYPE_PREFIX}.resume",
    hold.Refused: f"{TYPE_PREFIX}.refused",
    card.Card: f"{TYPE_PREFIX}.card",
    answer.Answer: f"{TYPE_PREFIX}.answer",
    run.Started: f"{TYPE_PREFIX}.started",
    run.Finished: f"{TYPE_PREFIX}.finished",
    run.Barred: f"{TYPE_PREFIX}.barred",
    run.Lapsed: f"{TYPE_PREFIX}.lapsed",
    run.Reconciled: f"{TYPE_PREFIX}.reconciled",
    state.Kill: f"{TYPE_PREFIX}.kill",
    state.AdoptPolicy: f"{TYPE_PREFIX}.adopt_policy",
    state.EnrolTotp: f"{TYPE_PREFIX}.enrol_totp",
    state.EnrolPasskey: f"{TYPE_PREFIX}.enrol_passkey",
    state.RemoveStepUp: f"{TYPE_PREFIX}.remove_step_up",
    state.Delegate: f"{TYPE_PREFIX}.delegate",
    state.DelegationState: f"{TYPE_PREFIX}.delegation_state",
    state.DenialState: f"{TYPE_PREFIX}.denial_state",
    state.RevokePermission: f"{TYPE_PREFIX}.revoke_permission",
    state.SetFlag: f"{TYPE_PREFIX}.set_flag",
    state.FlagState: f"{TYPE_PREFIX}.flag_state",
    state.KillState: f"{TYPE_PREFIX}.kill_state",
    state.PolicyState: f"{TYPE_PREFIX}.policy_state",
    state.PolicyBody: f"{TYPE_PREFIX}.policy_body",
    state.StepUpState: f"{TYPE_PREFIX}.step_up_state",
    state.PermissionState: f"{TYPE_PREFIX}.permission_state",
    state.AttentionState: f"{TYPE_PREFIX}.attention_state",
    state.Alarm: f"{TYPE_PREFIX}.alarm",
    reading.LedgerRead: f"{TYPE_PREFIX}.ledger_read",
    erasure.Erased: f"{TYPE_PREFIX}.ledger_erased",
    erasure.LegalHold: f"{TYPE_PREFIX}.ledger_legal_hold",
    erasure.Lifted: f"{TYPE_PREFIX}.ledger_lifted",
    erasure.Retention: f"{TYPE_PREFIX}.ledger_retention",
    erasure.ErasureRefused: f"{TYPE_PREFIX}.ledger_refused",
    ask.AskHold: f"{TYPE_PREFIX}.ask_hold",
    ask.AskAnswer: f"{TYPE_PREFIX}.ask_answer",
    ask.AskTools: f"{TYPE_PREFIX}.ask_tools",
    ask.ToolsAnswer: f"{TYPE_PREFIX}.tools_answer",
    ask.AskOrder: f"{TYPE_PREFIX}.ask_order",
    ask.AskPlan: f"{TYPE_PREFIX}.ask_plan",
    ask.PlanAnswer: f"{TYPE_PREFIX}.plan_answer",
    ask.AskGrant: f"{TYPE_PREFIX}.ask_grant",
    ask.GrantAnswer: f"{TYPE_PREFIX}.grant_answer",
    envelope.Envelope: f"{TYPE_PREFIX}.envelope",
    request.AgentRequest: f"{TYPE_PREFIX}.agent_request",
    request.AgentResponse: f"{TYPE_PREFIX}.agent_response",
}
CLASSES: dict[str, type[Message]] = {name: kind for kind, name in TYPES.items()}

FACT_WORDS: dict[type[Message], str] = {
    hold.Passed: "passed",
    hold.Witnessed: "witnessed",
    hold.Denied: "denied",
    hold.Halted: "halted",
    hold.Rendered: "rendered",
    hold.Answered: "answered",
    hold.Parked: "parked",
    hold.Reminded: "reminded",
    hold.Escalated: "escalated",
    hold.Extended: "extended",
    hold.Resolved: "resolved",
    hold.Resumed: "resumed",
    run.Started: "started",
    run.Finished: "finished",
    run.Barred: "barred",
    run.Lapsed: "lapsed",
    run.Reconciled: "reconciled",
}
"""The fact's token in its subject: halt stands on `halted`."""


def calls_of(agent: str) -> str:
    """The source of what one agent says, which has a stream of its own: `CALLS@robot`."""
    return f"{CALLS}@{agent}"


def sources(kinds: Iterable[str], agents: Iterable[str]) -> tuple[str, ...]:
    """The streams of these kinds: CALLS has one for each agent."""
    names = tuple(map(calls_of, agents))
    return tuple(chain.from_iterable(names if kind == CALLS else (kind,) for kind in kinds))


def stream(tenant: str, source: str) -> str:
    """The stream's name: `HP_HOLDS_acme`, or `HP_CALLS_acme@robot`."""
    kind, at, agent = source.partition("@")
    return f"HP_{kind}_{tenant}{at}{agent}"


@lru_cache(maxsize=4096)
def kind_of(stream_name: str) -> str:
    """`HP_CALLS_acme@robot` -> `CALLS`."""
    return stream_name.split("_", 2)[1]


def tenant_of(stream_name: str) -> str:
    """`HP_CALLS_acme@robot` -> `acme`."""
    return stream_name.split("_", 2)[2].partition("@")[0]


def source_of(stream_name: str) -> str:
    """`HP_CALLS_acme@robot` -> `CALLS@robot`."""
    _, at, agent = stream_name.partition("@")
    return f"{kind_of(stream_name)}{at}{agent}"


def command_id(stream_name: str, seq: int) -> str:
    """The broker-given id of a message: `HOLDS:17`, or `CALLS@robot:17`."""
    return f"{source_of(stream_name)}:{seq}"


def thousand_of(command: str) -> str:
    """The id under which calls are refused together: of `CALLS@robot:17042`, `CALLS@robot:17k`."""
    source, _, seq = command.partition(":")
    return f"{source}:{int(seq) // 1000}k"


def call_place(command: str) -> tuple[str, int] | None:
    """The source and sequence of the call that this id names; None when it names no call."""
    source, _, seq = command.partition(":")
    is_call = source.partition("@")[0] == CALLS and seq.isdecimal()
    return (source, int(seq)) if is_call else None


def call_subject(tenant: str, agent: str, word: str) -> str:
    """Return where an agent speaks: word is propose, intent, withdraw or trace."""
    return f"hp.{tenant}.call.{agent}.{word}"


def hold_subject(fact: hold.HoldFact) -> str:
    """Return where a hold's fact stands; the domain only where a worker is to act."""
    it = fact.hold
    acts = isinstance(fact, hold.Passed | hold.Witnessed | hold.Resumed) and fact.grant is not None
    domain = it.action.domain if acts and it.action is not None else NO_DOMAIN
    return f"hp.{it.tenant}.hold.{it.agent}.{it.hold_id}.{FACT_WORDS[type(fact)]}.{domain}"


def hold_facts(tenant: str, agent: str, hold_id: str) -> str:
    """Every fact of one hold: what its compare-and-set covers."""
    return f"hp.{tenant}.hold.{agent}.{hold_id}.>"


def refusal_subject(tenant: str, principal: str, cause: str) -> str:
    """A refusal's own lane: one subject for each refused message."""
    return f"hp.{tenant}.refusal.{principal}.{cause.replace(':', '-')}"


def card_subject(tenant: str, group: str, hold_id: str) -> str:
    """Return where a group's card of one hold stands."""
    return f"hp.{tenant}.card.{group}.{hold_id}"


def answer_subject(tenant: str, channel: str, person: str, agent: str, hold_id: str) -> str:
    """Return where one person answers one hold through one channel."""
    return f"hp.{tenant}.answer.{channel}.{person}.{agent}.{hold_id}"


def run_subject(tenant: str, domain: str, agent: str, fact: run.RunFact) -> str:
    """Return where a run's fact stands."""
    whom = FOR_GATE if _concerns_gate(fact) else FOR_NOBODY
    return f"hp.{tenant}.run.{domain}.{agent}.{fact.hold_id}.{FACT_WORDS[type(fact)]}.{whom}"


def _concerns_gate(fact: run.RunFact) -> bool:
    """People see what they were asked about, and what is in doubt; what did not run is given back
    to the tallies.
    """
    ran = isinstance(fact, run.Started) or (
        isinstance(fact, run.Finished)
        and fact.status not in {run.RunStatus.PRECONDITION_FAILED, run.RunStatus.IN_DOUBT}
    )
    extends = isinstance(fact, run.Started) and fact.extended
    return (fact.held and not extends) or not ran


def run_facts(tenant: str, domain: str, agent: str, hold_id: str) -> str:
    """Every fact of one run: the first one takes the claim."""
    return f"hp.{tenant}.run.{domain}.{agent}.{hold_id}.>"


def halted_facts(tenant: str, agent: str) -> str:
    """The facts that holds of an agent began to wait with."""
    return f"{hold_facts(tenant, agent, '*').removesuffix('>')}halted.{NO_DOMAIN}"


def hold_filter(tenant: str, word: str, domain: str) -> str:
    """One kind of fact of all holds: `domain` is a domain, `none`, or `*`."""
    return f"{hold_facts(tenant, '*', '*').removesuffix('>')}{word}.{domain}"


def endings_of(tenant: str, agent: str) -> tuple[str, ...]:
    """The facts of one agent's holds that begin or end a wait."""
    words = ("denied", "halted", "resolved")
    return tuple(f"hp.{tenant}.hold.{agent}.*.{word}.*" for word in words)


def runs_ended_of(tenant: str, agent: str) -> tuple[str, ...]:
    """The facts that end a run of one agent's."""
    words = ("finished", "barred", "lapsed", "reconciled")
    return tuple(f"hp.{tenant}.run.*.{agent}.*.{word}.*" for word in words)


def run_filter(tenant: str, domain: str, word: str, whom: str = "*") -> str:
    """One kind of fact of all runs of a domain: `whom` is `gate`, `none`, or `*`."""
    return f"{run_facts(tenant, domain, '*', '*').removesuffix('>')}{word}.{whom}"


def admin_subject(tenant: str, person: str, word: str) -> str:
    """Return where a person orders something: word is kill, policy, delegate …"""
    return f"hp.{tenant}.admin.{person}.{word}"


def state_subject(tenant: str, kind: str, key: str) -> str:
    """Subject of one piece of state: `kill`, `policy` and `denial` as `current`, `policy_body`
    by its digest, `step_up` and `delegation` by their person.
    """
    return f"hp.{tenant}.state.{kind}.{key}"


def read_subject(tenant: str, surface: str, person: str) -> str:
    """Return where it is noted that a person read the ledger: surface is console or cli."""
    return f"hp.{tenant}.read.{surface}.{person}"


def erasure_subject(tenant: str, word: str, person: str) -> str:
    """Return where a person's erasure, legal hold, or its end outlives the ledger."""
    return f"hp.{tenant}.erasure.{word}.{person}"


def timer_subject(tenant: str, lane: str, agent: str, hold_id: str, kind: str) -> str:
    """A timer, set or due."""
    return f"hp.{tenant}.timer.{lane}.{agent}.{hold_id}.{kind}"


def tally_subject(tenant: str, key: str, window: str) -> str:
    """The counter of one tally's key over one bucket of time."""
    return f"hp.{tenant}.tally.{key}.{window}"


def asker_of(ask_subject: str) -> str:
    """Return the asker's name from the subject, which the broker enforces."""
    return ask_subject.split(".", 4)[3]


def ask_hold_subject(tenant: str, agent: str) -> str:
    """Return where an agent asks how its hold stands."""
    return f"hp.{tenant}.ask.{agent}.hold"


def ask_tools_subject(tenant: str, agent: str) -> str:
    """Return where an agent searches the catalog."""
    return f"hp.{tenant}.ask.{agent}.tools"


def ask_coordinator_subject(tenant: str, person: str) -> str:
    """Return where a person asks for something in plain words."""
    return f"hp.{tenant}.ask.{person}.coordinator"


def ask_answer_subject(tenant: str, person: str) -> str:
    """Return where a person asks whether their answer counted."""
    return f"hp.{tenant}.ask.{person}.answer"


def ask_order_subject(tenant: str, person: str) -> str:
    """Return where a person asks whether their order was carried out."""
    return f"hp.{tenant}.ask.{person}.order"


def ask_plan_subject(tenant: str, domain: str) -> str:
    """Return where the gate asks a domain for a dry run."""
    return f"hp.{tenant}.ask.{domain}.plan"


def ask_grant_subject(tenant: str, domain: str) -> str:
    """Return where a domain's worker asks for a fresh grant."""
    return f"hp.{tenant}.ask.{domain}.grant"


def seen(tenant: str) -> str:
    """Return where the server repeats stored hold and run facts, to wake who waits."""
    return f"hp.{tenant}.seen.>"


def hold_seen(tenant: str, agent: str, hold_id: str) -> tuple[str, ...]:
    """The part of it that tells how one hold stands."""
    return (
        f"hp.{tenant}.seen.hold.{agent}.{hold_id}.>",
        f"hp.{tenant}.seen.run.*.{agent}.{hold_id}.>",
    )


def refusal_seen(tenant: str, principal: str, cause: str) -> tuple[str, ...]:
    """The part of it that tells whether one message was refused."""
    return (refusal_subject(tenant, principal, cause).replace(".refusal.", ".seen.refusal.", 1),)


def claims_seen(tenant: str, agent: str) -> str:
    """The part of it that tells an agent of claims of runs in its own process."""
    return f"hp.{tenant}.seen.run.{HOST_DOMAIN}.{agent}.*.started.*"


def results_seen(tenant: str, agent: str) -> str:
    """The part of it that an agent may hear itself: the results of its own calls."""
    return f"hp.{tenant}.seen.run.*.{agent}.*.finished.*"


@dataclass(frozen=True, kw_only=True)
class Address:
    """Subject of a message, and the scope of its compare-and-set: built together, always."""

    kind: str
    subject: str
    guard: str


def at_hold(fact: hold.HoldFact) -> Address:
    """A hold's fact: guarded by all facts of that hold."""
    it = fact.hold
    guard = hold_facts(it.tenant, it.agent, it.hold_id)
    return Address(kind=HOLDS, subject=hold_subject(fact), guard=guard)


def at_run(tenant: str, domain: str, agent: str, fact: run.RunFact) -> Address:
    """A run's fact: guarded by all facts of that run, so that the first one takes the claim."""
    subject = run_subject(tenant, domain, agent, fact)
    return Address(kind=RUNS, subject=subject, guard=run_facts(tenant, domain, agent, fact.hold_id))


def at_refusal(tenant: str, principal: str, cause: str) -> Address:
    """A refusal: once for each refused message."""
    subject = refusal_subject(tenant, principal, cause)
    return Address(kind=HOLDS, subject=subject, guard=subject)


def at_card(tenant: str, group: str, hold_id: str) -> Address:
    """A group's card of one hold."""
    subject = card_subject(tenant, group, hold_id)
    return Address(kind=CARDS, subject=subject, guard=subject)


def at_state(tenant: str, kind: str, key: str) -> Address:
    """One piece of state."""
    subject = state_subject(tenant, kind, key)
    return Address(kind=STATE, subject=subject, guard=subject)


def granted_facts(tenant: str, domain: str) -> tuple[str, ...]:
    """The lanes on which a domain's workers find their grants."""
    words = ("passed", "witnessed", "resumed")
    return tuple(f"hp.{tenant}.hold.*.*.{word}.{domain}" for word in words)
