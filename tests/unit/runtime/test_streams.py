"""The plan of streams and consumers keeps its promises before any server sees it."""

from dataclasses import replace

import pytest

from holdpoint.client.holdpoint import PATIENCE_S
from holdpoint.messages.catalog import Agent, Person
from holdpoint.messages.subjects import AUDITED, KINDS, sources, stream
from holdpoint.runtime.broker.connection import PUBLISH_TIMEOUT_S, inbox_prefix
from holdpoint.runtime.broker.streams import NANOSECONDS, Ack, Limits, Plan, Stream, Tenant, plan

TENANT = Tenant(
    name="acme",
    agents=(Agent(name="robot", tools=()),),
    people=(Person(name="ann", groups=("operators", "finance")), Person(name="loner")),
    domains=("shell", "database"),
)


@pytest.fixture
def planned() -> Plan:
    return plan(TENANT, Limits(max_bytes=2**30, replicas=1))


def test_each_kind_has_its_stream(planned: Plan) -> None:
    assert [it.name for it in planned.streams] == [
        stream("acme", it) for it in sources(KINDS, ("robot",))
    ]


def test_nothing_can_be_removed_from_an_audited_stream(planned: Plan) -> None:
    for it in planned.streams:
        config = it.config()
        if it.name != stream("acme", "TIMERS"):
            assert (config["deny_delete"], config["deny_purge"]) == (True, True)
            assert (config["discard"] == "new") is (it.name != stream("acme", "TALLIES"))
            assert not config["allow_rollup_hdrs"]
        assert not config["persist_mode"]
        assert config["max_bytes"] > 0


def test_only_timers_schedule_and_only_facts_expire_one_by_one(planned: Plan) -> None:
    def having(field: str) -> list[str]:
        return [_kind(it) for it in planned.streams if it.config()[field]]

    assert having("allow_msg_schedules") == ["TIMERS"]
    assert having("allow_msg_ttl") == ["HOLDS", "RUNS", "TIMERS"]
    assert having("allow_direct") == list(AUDITED)
    assert having("republish") == ["HOLDS", "RUNS"]


def test_only_counters_count_and_know_their_repeats_for_ten_minutes(planned: Plan) -> None:
    counters = [it.config() for it in planned.streams if it.config()["allow_msg_counter"]]

    assert [it["name"] for it in counters] == [stream("acme", "TALLIES")]
    assert counters[0]["max_msgs_per_subject"] == 1
    assert counters[0]["duplicate_window"] == 600 * 1_000_000_000


def test_a_call_is_known_for_longer_than_a_client_repeats_it(planned: Plan) -> None:
    calls = [it for it in planned.streams if _kind(it).startswith("CALLS")]

    assert len(calls) == 1
    for it in calls:
        known_s = it.config()["duplicate_window"] / NANOSECONDS
        assert known_s > PATIENCE_S + PUBLISH_TIMEOUT_S


def test_the_audit_has_no_consumer(planned: Plan) -> None:
    assert "audit" not in {it.durable for it in planned.consumers}


def test_a_worker_reads_only_what_makes_its_domain_act(planned: Plan) -> None:
    it = next(it for it in planned.consumers if it.durable == "worker_shell")

    assert it.filters == tuple(
        f"hp.acme.hold.*.*.{word}.shell" for word in ("passed", "witnessed", "resumed")
    )


def test_the_gate_reads_every_lane_of_the_agents_so_that_nothing_is_said_unheard(
    planned: Plan,
) -> None:
    it = next(it for it in planned.consumers if it.stream == stream("acme", "CALLS@robot"))

    assert it.filters == ()


def test_a_person_reads_the_cards_of_their_groups_and_no_groups_are_no_cards(
    planned: Plan,
) -> None:
    views = {it.durable: it for it in planned.consumers if it.durable.startswith("view_")}

    assert list(views) == ["view_ann"]
    assert views["view_ann"].ack is Ack.NONE
    assert views["view_ann"].filters == (
        "hp.acme.card.operators.*",
        "hp.acme.card.finance.*",
        "hp.acme.card.@ann.*",
    )


def test_only_what_people_pace_is_pushed_and_to_the_gates_own_inbox(planned: Plan) -> None:
    pushed = {it.stream: it.config() for it in planned.consumers if it.deliver_to}

    assert {*pushed} == {stream("acme", it) for it in ("ANSWERS", "RUNS", "ADMIN", "TIMERS")}
    for config in pushed.values():
        assert config["deliver_subject"].startswith(f"{inbox_prefix('gate')}.")
        assert config["deliver_group"] == config["durable_name"] == "gates"


def test_every_consumer_is_durable_and_never_gives_up(planned: Plan) -> None:
    for it in planned.consumers:
        config = it.config()
        assert config["durable_name"]
        assert it.ack is Ack.NONE or config["max_deliver"] == -1


def _kind(it: Stream) -> str:
    return it.name.split("_")[1]


def test_what_rings_for_a_webhook_tells_nothing_and_comes_in_order() -> None:
    subscribed = replace(TENANT, served=("robot",), subscribed=("robot",))
    rings = [
        it
        for it in plan(subscribed, Limits(max_bytes=2**30, replicas=1)).consumers
        if it.durable == "webhook_robot"
    ]

    assert [it.stream for it in rings] == [stream("acme", "HOLDS"), stream("acme", "RUNS")]
    for it in rings:
        config = it.config()
        assert (config["headers_only"], config["max_ack_pending"]) == (True, 1)
        assert (config["deliver_policy"], config["max_deliver"]) == ("new", -1)
        assert all(".robot." in subject for subject in config["filter_subjects"])
