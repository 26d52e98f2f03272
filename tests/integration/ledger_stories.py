"""Builders: what the streams hold after whole stories, told with the real hold machine."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from tests.integration.ledger_bus import AGENT, DOMAIN, RENDER, SIGNED, TENANT, Bus

from holdpoint.core import commands
from holdpoint.core.digest import action_digest, sentence_digest
from holdpoint.core.hold import begin, decide
from holdpoint.ledger.entries import Entry
from holdpoint.messages import answer, call, hold, run, state
from holdpoint.messages.action import Action
from holdpoint.messages.card import ActionDetail, ConfirmationUI
from holdpoint.messages.catalog import Delegation
from holdpoint.messages.hold import Hold
from holdpoint.messages.policy import Method, PolicyRef, VerdictKind, Voices
from holdpoint.messages.risk import Assessment, IntentMetadata, RiskLevel
from holdpoint.messages.subjects import admin_subject, refusal_subject, state_subject


def a_proposal(key: str = "k") -> call.Propose:
    return call.Propose(
        tool="sql_execute",
        arguments={"sql": f"DROP TABLE users -- {key}", "password": "hunter2-secret"},
        idempotency_key=key,
        reasoning=f"Nobody needs these any more: {key}.\nI checked twice.",
    )


def an_intent(key: str = "k") -> call.Intent:
    return call.Intent(
        text="I'm about to delete these 500 user accounts. Should I proceed?",
        action_detail={"type": "batch_delete"},
        idempotency_key=key,
        reasoning="They were asked to go.",
    )


def an_action(key: str = "k") -> Action:
    return Action(
        tenant=TENANT,
        agent=AGENT,
        on_behalf_of="alice",
        domain=DOMAIN,
        tool="oci_database_execute",
        tool_schema_sha256="5" * 64,
        arguments=a_proposal(key).arguments,
        preconditions={"affected": 412},
    )


def a_hold(key: str, proposal: Entry, action: Action | None) -> Hold:
    says = a_proposal(key).reasoning if action else an_intent(key).text
    claim = {} if action else an_intent(key).action_detail
    digest = action_digest(action) if action else sentence_digest(TENANT, AGENT, "alice", claim)
    return Hold(
        hold_id=f"hold{key}"[:64],
        tenant=TENANT,
        agent=AGENT,
        on_behalf_of="alice",
        stage=hold.Stage.HALTED,
        level=3,
        digest=digest,
        call_digest=digest,
        policy=PolicyRef(version="2026-02", digest="9" * 64),
        assessment=Assessment(level=RiskLevel.CRITICAL),
        metadata=IntentMetadata(
            confirmation_required=True, risk_level=RiskLevel.CRITICAL, action_type="batch_delete"
        ),
        proposed_at=proposal.at,
        action=action,
        says=says,
        claim=claim,
        requirement=hold.Requirement(
            level=3,
            all_of=(Voices(group="dba", voices=1),),
            proofs=(Method.CHAT,),
            approvers={"dba": ("bob", "carol")},
        ),
        expires_at=proposal.at + timedelta(seconds=900),
        valid_for_s=900,
        grant_s=300,
        causes=(proposal.cause,),
    )


def halted(bus: Bus, key: str = "k", *, on_sentence: bool = False) -> Hold:
    """A proposal (or an intent) that was halted and shown."""
    proposal = (
        bus.call(an_intent(key), "intent") if on_sentence else bus.call(a_proposal(key), "propose")
    )
    about = a_hold(key, proposal, None if on_sentence else an_action(key))
    opened = commands.Begin(
        cause=proposal.cause, hold=about, verdict=VerdictKind.HOLD, nonce="", at=bus.now
    )
    waiting = bus.fact(begin(opened))
    ui = ConfirmationUI(
        message=about.says,
        action=ActionDetail(type="batch_delete"),
        risk_level=RiskLevel.CRITICAL,
        show_details=True,
    )
    shown = commands.Render(cause=bus.last_cause, ui=ui, title="batch delete", render_digest=RENDER)
    return step(bus, waiting, shown)


def step(bus: Bus, about: Hold, command: commands.Command, now: datetime | None = None) -> Hold:
    fact = decide(about, command, now or bus.now)
    assert not isinstance(fact, commands.Objected), fact
    return bus.fact(fact)


def approved(bus: Bus, key: str = "k", *, on_sentence: bool = False) -> Hold:
    """Bob said yes, and it was resumed."""
    about = halted(bus, key, on_sentence=on_sentence)
    cause = bus.answer(about, "bob", answer.Choice.PROCEED).cause
    yes = commands.Proceed(
        cause=cause, by="bob", method=Method.CHAT, digest=about.digest, render_digest=RENDER
    )
    return resumed(bus, step(bus, about, yes))


def resumed(bus: Bus, about: Hold) -> Hold:
    return step(bus, about, commands.Resume(cause=bus.last_cause, nonce="n" * 32, at=bus.now))


def confirmed(bus: Bus, key: str = "k") -> Hold:
    about = approved(bus, key)
    executed(bus, about)
    return about


def executed(
    bus: Bus, about: Hold, status: run.RunStatus = run.RunStatus.DONE, domain: str = DOMAIN
) -> None:
    cause, digest, nonce = bus.last_cause, about.digest, "n" * 32
    bus.run(
        run.Started(
            hold_id=about.hold_id,
            digest=digest,
            cause=cause,
            nonce=nonce,
            owner="worker-1",
            lease_until=bus.now + timedelta(seconds=60),
        ),
        domain,
    )
    done = {"tool": "oci_database_execute", "arguments": {"password": "•••"}}
    bus.run(
        run.Finished(
            hold_id=about.hold_id,
            digest=digest,
            cause=cause,
            nonce=nonce,
            status=status,
            executed=done if status is run.RunStatus.DONE else None,
        ),
        domain,
    )


def delegated(bus: Bus, key: str = "k") -> Hold:
    """Bob is away, and Eve said yes in his place."""
    until = bus.now + timedelta(hours=1)
    asked = admin_subject(TENANT, "bob", "delegate")
    order = bus.say("ADMIN", asked, state.Delegate(to="eve", until=until), None)
    told = state.DelegationState(
        delegations=(Delegation(to="eve", since=order.at, until=until),),
        by="bob",
        cause=order.cause,
    )
    bus.say("STATE", state_subject(TENANT, "delegation", "bob"), told, SIGNED)
    about = halted(bus, key)
    cause = bus.answer(about, "eve", answer.Choice.PROCEED, "bob").cause
    yes = commands.Proceed(
        cause=cause,
        by="eve",
        on_behalf_of="bob",
        method=Method.CHAT,
        digest=about.digest,
        render_digest=RENDER,
    )
    return resumed(bus, step(bus, about, yes))


def refused_answer(bus: Bus, about: Hold, person: str, seat: str = "") -> None:
    """A yes that the gate did not count."""
    cause = bus.answer(about, person, answer.Choice.PROCEED, seat).cause
    told = hold.Refused(
        principal=person, cause=cause, code="not_a_delegate", text="Not in their place.",
        hold_id=about.hold_id,
    )  # fmt: skip
    bus.say("HOLDS", refusal_subject(TENANT, person, cause), told, SIGNED)


def refused(bus: Bus, said: str) -> Entry:
    """A call that was refused, with a text that its refusal quotes."""
    call = bus.store("CALLS", f"hp.{TENANT}.call.{AGENT}.propose", f"no JSON: {said}".encode())
    told = hold.Refused(principal=AGENT, cause=call.cause, code="bad_json", text=f"{said}?")
    bus.say("HOLDS", refusal_subject(TENANT, AGENT, call.cause), told, SIGNED)
    return call


def cancelled(bus: Bus, key: str = "k") -> Hold:
    about = halted(bus, key)
    cause = bus.answer(about, "carol", answer.Choice.CANCEL).cause
    no = commands.Cancel(
        cause=cause, by="carol", digest=about.digest, render_digest=RENDER, reason="Not today."
    )
    return resumed(bus, step(bus, about, no))


def expired(bus: Bus, key: str = "k") -> Hold:
    about = halted(bus, key)
    late = about.proposed_at + timedelta(seconds=900)
    ended = step(bus, about, commands.Expire(cause="TIMERS:1"), late)
    resume = commands.Resume(cause=bus.last_cause, nonce="", at=late)
    return step(bus, ended, resume, late)


def killed(bus: Bus, key: str = "k") -> Hold:
    about = halted(bus, key)
    stop = commands.Kill(cause="ADMIN:1", by="ann", reason="Out of hand.")
    return resumed(bus, step(bus, about, stop))


def withdrawn(bus: Bus, key: str = "k") -> Hold:
    about = halted(bus, key)
    said = bus.call(call.Withdraw(hold_id=about.hold_id, reason="Found another way."), "withdraw")
    back = commands.Withdraw(cause=said.cause, by=AGENT, reason="Found another way.")
    return resumed(bus, step(bus, about, back))


def denied(bus: Bus, key: str = "k") -> Hold:
    proposal = bus.call(a_proposal(key), "propose")
    about = a_hold(key, proposal, an_action(key))
    verdict = commands.Begin(
        cause=proposal.cause, hold=about, verdict=VerdictKind.DENY, nonce="", at=bus.now
    )
    return bus.fact(begin(verdict))


def passed(bus: Bus, key: str = "k") -> Hold:
    proposal = bus.call(a_proposal(key), "propose")
    verdict = commands.Begin(
        cause=proposal.cause,
        hold=a_hold(key, proposal, an_action(key)),
        verdict=VerdictKind.PASS,
        nonce="n" * 32,
        at=bus.now,
    )
    about = bus.fact(begin(verdict))
    executed(bus, about)
    return about


def a_call_tree(bus: Bus, group: str = "session") -> None:
    """Two cycles: a root with two tool calls under it (one by another agent), then a lone root."""
    for agent, trace_id, parent, fn in (
        (AGENT, "root", "", "chat"),
        (AGENT, "first", "root", "dispatch"),
        ("helper", "inner", "first", "lookup"),
        (AGENT, "second", "root", "sql_execute"),
        (AGENT, "next", "", "chat"),
    ):
        bus.call(a_trace(trace_id, call.Phase.OPENED, parent, fn, group), "trace", agent)
    for trace_id in ("first", "second", "root"):
        bus.call(a_trace(trace_id, call.Phase.CLOSED, "", "chat", group), "trace")


def a_trace(
    trace_id: str, phase: call.Phase, parent: str, fn: str, group: str = "session"
) -> call.Trace:
    opened = phase is call.Phase.OPENED
    return call.Trace(
        trace_id=trace_id,
        group_id=group,
        fn=fn,
        phase=phase,
        parent=parent,
        input={"q": trace_id} if opened else {},
        output={} if opened else {"r": trace_id},
        prompt_versions={"system": "7"} if opened else {},
        app_version="1.2" if opened else "",
    )


TOLD: tuple[Callable[[Bus, str], Hold], ...] = (
    confirmed,
    cancelled,
    expired,
    withdrawn,
    denied,
    passed,
)


def every_story(times: int = 1) -> list[Entry]:
    """All stories, one after the other."""
    bus = Bus()
    for number in range(times):
        for tell in TOLD:
            tell(bus, f"{tell.__name__}{number}")
        approved(bus, f"sentence{number}", on_sentence=True)
        a_call_tree(bus, f"session{number}")
        bus.store("CALLS", f"hp.{TENANT}.call.{AGENT}.propose", b"\xff not json")
    return bus.entries


def by_stream(entries: list[Entry]) -> dict[str, list[Entry]]:
    streams: dict[str, list[Entry]] = {}
    for entry in entries:
        streams.setdefault(entry.stream, []).append(entry)
    return streams


def batches(entries: list[Entry], size: int) -> Iterator[list[Entry]]:
    for first in range(0, len(entries), size):
        yield entries[first : first + size]
