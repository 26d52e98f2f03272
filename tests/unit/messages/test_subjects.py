"""Subjects, both ways: what is written where, and what a reader takes from it."""

import re

import pytest
from msgspec.structs import replace
from tests.builders import (
    METADATA,
    a_bar,
    a_finish,
    a_halted_hold,
    a_hold,
    a_lapse,
    a_leave,
    a_pass,
    a_passed_hold,
    a_start,
)

from holdpoint.messages import subject_parts, subjects
from holdpoint.messages.hold import (
    Answered,
    Denied,
    Halted,
    HoldFact,
    Outcome,
    Rendered,
    Resolved,
    Resumed,
    Witnessed,
)
from holdpoint.messages.run import RunFact, RunStatus
from holdpoint.messages.subject_parts import Place
from holdpoint.messages.subjects import FACT_WORDS, NO_DOMAIN

GRANT = a_pass().grant

HOLD_FACTS: dict[str, HoldFact] = {
    "hp.acme.hold.crm-agent.h1.passed.database": a_pass(),
    "hp.acme.hold.crm-agent.h1.witnessed.database": Witnessed(
        hold=a_passed_hold(), cause="CALLS:1", grant=GRANT
    ),
    "hp.acme.hold.crm-agent.h1.witnessed.none": Witnessed(
        hold=a_passed_hold(action=None), cause="CALLS:1"
    ),
    "hp.acme.hold.crm-agent.h1.passed.none": replace(a_pass(), grant=None),
    "hp.acme.hold.crm-agent.h1.denied.none": Denied(hold=a_passed_hold(), cause="CALLS:1"),
    "hp.acme.hold.crm-agent.h1.halted.none": Halted(
        hold=a_halted_hold(), cause="CALLS:1", metadata=METADATA
    ),
    "hp.acme.hold.crm-agent.h1.rendered.none": Rendered(hold=a_hold(), cause="HOLDS:2"),
    "hp.acme.hold.crm-agent.h1.answered.none": Answered(hold=a_hold(), cause="ANSWERS:3", by="ann"),
    "hp.acme.hold.crm-agent.h1.resolved.none": Resolved(
        hold=a_hold(), cause="ANSWERS:3", outcome=Outcome.CONFIRMED
    ),
    "hp.acme.hold.crm-agent.h1.resumed.database": a_leave(),
    "hp.acme.hold.crm-agent.h1.resumed.none": Resumed(
        hold=a_hold(), cause="HOLDS:8", confirmed=False
    ),
}
RUN_FACTS: dict[str, RunFact] = {
    "hp.acme.run.database.crm-agent.h1.started.none": a_start(),
    "hp.acme.run.database.crm-agent.h1.started.gate": replace(a_start(), held=True),
    "hp.acme.run.database.crm-agent.h1.finished.none": a_finish(RunStatus.FAILED),
    "hp.acme.run.database.crm-agent.h1.finished.gate": a_finish(RunStatus.PRECONDITION_FAILED),
    "hp.acme.run.database.crm-agent.h1.barred.gate": a_bar(),
    "hp.acme.run.database.crm-agent.h1.lapsed.gate": a_lapse(),
}


def covers(pattern: str, subject: str) -> bool:
    """Whether a NATS wildcard covers a subject."""
    escaped = re.escape(pattern).replace(r"\*", r"[^.]+")
    return re.fullmatch(escaped.replace(">", ".+"), subject) is not None


@pytest.mark.parametrize(("subject", "fact"), HOLD_FACTS.items(), ids=HOLD_FACTS)
def test_a_hold_s_fact_stands_here(subject: str, fact: HoldFact) -> None:
    address = subjects.at_hold(fact)

    assert address.subject == subjects.hold_subject(fact) == subject
    assert address.kind == subjects.HOLDS
    assert covers(address.guard, subject)
    place = subject_parts.hold_place(subject)
    assert (place.agent, place.hold_id, place.word) == ("crm-agent", "h1", FACT_WORDS[type(fact)])


@pytest.mark.parametrize(("subject", "fact"), HOLD_FACTS.items(), ids=HOLD_FACTS)
def test_the_domain_stands_only_where_a_worker_is_to_act(subject: str, fact: HoldFact) -> None:
    grant = getattr(fact, "grant", None)
    acts = grant is not None and fact.hold.action is not None

    assert (subject_parts.hold_place(subject).domain != NO_DOMAIN) == acts
    lanes = subjects.granted_facts("acme", "database")
    assert any(covers(lane, subject) for lane in lanes) == acts


@pytest.mark.parametrize(("subject", "fact"), RUN_FACTS.items(), ids=RUN_FACTS)
def test_a_run_s_fact_stands_here(subject: str, fact: RunFact) -> None:
    address = subjects.at_run("acme", "database", "crm-agent", fact)

    assert address.subject == subject
    assert address.kind == subjects.RUNS
    assert address.guard == subjects.run_facts("acme", "database", "crm-agent", "h1")
    assert covers(address.guard, subject)
    assert subject_parts.run_place(subject) == Place(
        agent="crm-agent", hold_id="h1", word=FACT_WORDS[type(fact)], domain="database"
    )


def test_one_guard_covers_one_hold_only() -> None:
    guard = subjects.at_hold(HOLD_FACTS["hp.acme.hold.crm-agent.h1.rendered.none"]).guard

    assert not covers(guard, "hp.acme.hold.crm-agent.h2.rendered.none")
    assert not covers(guard, "hp.other.hold.crm-agent.h1.rendered.none")
    assert not covers(guard, "hp.acme.refusal.crm-agent.CALLS-1")


@pytest.mark.parametrize(
    ("made", "subject"),
    [
        (subjects.call_subject("acme", "crm-agent", "propose"), "hp.acme.call.crm-agent.propose"),
        (subjects.at_card("acme", "finance", "h1").subject, "hp.acme.card.finance.h1"),
        (
            subjects.answer_subject("acme", "console", "ann", "crm-agent", "h1"),
            "hp.acme.answer.console.ann.crm-agent.h1",
        ),
        (subjects.admin_subject("acme", "ada", "kill"), "hp.acme.admin.ada.kill"),
        (subjects.at_state("acme", "policy", "current").subject, "hp.acme.state.policy.current"),
        (
            subjects.timer_subject("acme", "set", "crm-agent", "h1", "expire"),
            "hp.acme.timer.set.crm-agent.h1.expire",
        ),
        (subjects.ask_hold_subject("acme", "crm-agent"), "hp.acme.ask.crm-agent.hold"),
        (subjects.ask_answer_subject("acme", "ann"), "hp.acme.ask.ann.answer"),
        (subjects.ask_plan_subject("acme", "database"), "hp.acme.ask.database.plan"),
        (subjects.ask_grant_subject("acme", "database"), "hp.acme.ask.database.grant"),
        (subjects.seen("acme"), "hp.acme.seen.>"),
        (
            subjects.at_refusal("acme", "crm-agent", "CALLS:17").subject,
            "hp.acme.refusal.crm-agent.CALLS-17",
        ),
    ],
)
def test_every_other_subject(made: str, subject: str) -> None:
    assert made == subject


@pytest.mark.parametrize(
    "address",
    [
        subjects.at_card("acme", "finance", "h1"),
        subjects.at_state("acme", "kill", "current"),
        subjects.at_refusal("acme", "crm-agent", "CALLS:17"),
    ],
    ids=lambda it: it.kind,
)
def test_what_stands_alone_guards_itself(address: subjects.Address) -> None:
    assert address.guard == address.subject


def test_a_timer_s_subject_is_taken_apart() -> None:
    assert subject_parts.timer_place("hp.acme.timer.due.crm-agent.h1.resume") == Place(
        agent="crm-agent", hold_id="h1", word="resume", domain=NO_DOMAIN
    )


@pytest.mark.parametrize("kind", subjects.KINDS)
@pytest.mark.parametrize("tenant", ["acme", "a_b", "a-b", "_"])
def test_streams_and_ids_name_their_kind(tenant: str, kind: str) -> None:
    name = subjects.stream(tenant, kind)

    assert name == f"HP_{kind}_{tenant}"
    assert subjects.kind_of(name) == kind
    assert subjects.command_id(name, 17) == f"{kind}:17"


@pytest.mark.parametrize("tenant", ["acme", "a_b", "a-b", "_"])
@pytest.mark.parametrize("agent", ["robot", "a_b", "a-b", "_"])
def test_each_agents_calls_have_a_stream_and_ids_of_their_own(tenant: str, agent: str) -> None:
    name = subjects.stream(tenant, subjects.calls_of(agent))

    assert name == f"HP_CALLS_{tenant}@{agent}"
    assert (subjects.kind_of(name), subjects.tenant_of(name)) == ("CALLS", tenant)
    assert subjects.command_id(name, 17) == f"CALLS@{agent}:17"
    assert subjects.call_place(f"CALLS@{agent}:17") == (f"CALLS@{agent}", 17)


@pytest.mark.parametrize("command", ["", "HOLDS:17", "CALLS@robot", "CALLS@robot:x", "CALLSX:1"])
def test_what_names_no_call_has_no_place_among_them(command: str) -> None:
    assert subjects.call_place(command) is None


def test_a_stream_name_tells_its_source() -> None:
    assert subjects.sources(["CALLS", "HOLDS"], ["a", "b"]) == ("CALLS@a", "CALLS@b", "HOLDS")


def test_what_is_audited_is_everything_but_alarms_and_counters() -> None:
    assert set(subjects.KINDS) - set(subjects.AUDITED) == {subjects.TIMERS, subjects.TALLIES}


def test_a_counters_subject_is_its_key_and_its_window() -> None:
    subject = subjects.tally_subject("acme", "k1", "900-7")

    assert subject == "hp.acme.tally.k1.900-7"
    assert (subject_parts.tally_key(subject), subject_parts.tally_window(subject)) == (
        "k1",
        "900-7",
    )


def copied(subject: str) -> str:
    """Where the server repeats what is stored on a subject."""
    return subject.replace("hp.acme.", "hp.acme.seen.", 1)


def refused(principal: str) -> str:
    return subjects.at_refusal("acme", principal, "CALLS:17").subject


def test_how_a_hold_stands_is_heard_and_no_other_s() -> None:
    own = subjects.hold_seen("acme", "crm-agent", "h1")
    others = [
        subjects.hold_seen("acme", "rival", "h1"),
        subjects.hold_seen("acme", "crm-agent", "h2"),
    ]
    for subject in (*HOLD_FACTS, *RUN_FACTS):
        assert sum(covers(lane, copied(subject)) for lane in own) == 1
        assert not any(covers(lane, copied(subject)) for lanes in others for lane in lanes)


def test_the_refusal_of_one_message_is_heard_and_no_other_s() -> None:
    (lane,) = subjects.refusal_seen("acme", "ann", "CALLS:17")

    assert covers(lane, copied(refused("ann")))
    assert not covers(lane, copied(refused("bob")))
    assert not covers(lane, copied(subjects.refusal_subject("acme", "ann", "CALLS:18")))
