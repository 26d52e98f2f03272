"""Rolling sums, without a broker: what is added, which buckets are summed, and what is said."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdpoint.core import tallies
from holdpoint.core.risk import assess, running_sums
from holdpoint.core.risk import context as context_module
from holdpoint.core.risk.context import Context, Tallied
from holdpoint.core.tallies import resource_key
from holdpoint.messages.action import Action
from holdpoint.messages.base import MAX_SAFE_INTEGER
from holdpoint.messages.catalog import Agent, Repeat, Tool
from holdpoint.messages.policy import Measure, Policy, TallyBy, TallyRule, Thresholds
from holdpoint.messages.risk import Assessment, Heuristic, RiskLevel

DAY_S = 24 * 60 * 60
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
MONEY = TallyRule(
    id="amount-agent", of=Measure.AMOUNT, by=(TallyBy.AGENT,), window_s=DAY_S, limit="1000.00"
)
RECORDS = TallyRule(
    id="records-agent", of=Measure.RECORDS, by=(TallyBy.AGENT,), window_s=3600, limit="500"
)
PAY = Tool(
    name="pay", domain="till", level=2, description="Pay.", schema={}, schema_sha256="",
    template="pay", repeat=Repeat.MANUAL,
)  # fmt: skip
POLICY = Policy(
    version="1",
    levels={},
    risk_levels={},
    thresholds=Thresholds(rates={"EUR": "1.08"}),
    tallies=(MONEY, RECORDS),
)


def payment(**changes: str) -> Action:
    said: dict[str, Any] = {
        "agent": "robot",
        "on_behalf_of": "ann",
        "domain": "till",
        "tool": "pay",
        **changes,
    }
    return Action(tenant="acme", tool_schema_sha256="", arguments={"amount": 9}, **said)


def found(
    value: str = "", currency: str = "USD", affected: int | None = None, kind: str = ""
) -> Assessment:
    amount = {"value": value, "currency": currency} if value else None
    return Assessment(level=RiskLevel.LOW, amount=amount, affected=affected, action_type=kind)


def added(assessment: Assessment, tool: Tool = PAY) -> dict[str, int]:
    due = tallies.due(payment(), Context(tool=tool), assessment, POLICY)
    return {each.rule.id: each.amount for each in due}


@pytest.mark.parametrize(
    ("assessment", "adds"),
    [
        (found("999.00"), {"amount-agent": 99_900}),
        (found("999"), {"amount-agent": 99_900}),
        (found("100.00", "EUR"), {"amount-agent": 10_800}),
        (found("0.001"), {"amount-agent": 1}),
        (found("0.00"), {}),
        (found("5.00", "XAU"), {}),
        (found("unreadable"), {}),
        (found("999999999999999999"), {"amount-agent": MAX_SAFE_INTEGER}),
        (found(affected=12), {"records-agent": 12}),
        (found("1.00", affected=2), {"amount-agent": 100, "records-agent": 2}),
        (found(affected=0), {}),
        (found(), {}),
        (found(kind="create"), {}),
        (found(kind="delete"), {}),
        (found(kind="create", affected=0), {}),
        (found(kind="create", affected=150), {"records-agent": 150}),
        (found("1.00", kind="payment"), {"amount-agent": 100}),
        (found(kind="run_command"), {}),
    ],
)
def test_what_an_action_adds(assessment: Assessment, adds: dict[str, int]) -> None:
    assert added(assessment) == adds


def test_what_only_reads_adds_nothing() -> None:
    assert added(found("999.00", affected=7), msgspec.structs.replace(PAY, level=1)) == {}


def key(
    rule: TallyRule, action: Action, target: str = "", currency: str = "USD", tree: str = "robot"
) -> str:
    assessment = msgspec.structs.replace(found("1.00"), target=target)
    return tallies.tally_key(rule, action, assessment, Thresholds(currency=currency), tree)


def test_a_key_is_one_token_and_tells_whose_sum_it_is() -> None:
    every = msgspec.structs.replace(MONEY, by=tuple(TallyBy))
    mine = key(every, payment(), "crm.leads")

    assert mine.isalnum()
    assert mine == key(every, payment(), ' "CRM.Leads" ')
    others = {
        key(every, payment(agent="rival"), "crm.leads"),
        key(every, payment(on_behalf_of="ben"), "crm.leads"),
        key(every, payment(on_behalf_of=""), "crm.leads"),
        key(every, payment(tool="refund"), "crm.leads"),
        key(every, payment(), "crm.people"),
        key(every, payment(), "crm.leads", "EUR"),
        key(every, payment(), "crm.leads", tree="lead"),
        key(msgspec.structs.replace(every, id="other"), payment(), "crm.leads"),
    }
    assert len(others - {mine}) == 8


def test_whoever_acts_for_nobody_is_summed_alone() -> None:
    people = msgspec.structs.replace(MONEY, by=(TallyBy.PERSON,))

    assert key(people, payment()) == key(people, payment(agent="rival"))
    assert key(people, payment(on_behalf_of="")) != key(
        people, payment(agent="rival", on_behalf_of="")
    )


def trees_of(name: str = "helper", tree: str = "lead", group_id: str = "") -> tuple[str, ...]:
    return context_module.trees_of(Agent(name=name, tools=(), tree=tree), group_id)


def tree_keys(trees: tuple[str, ...], agent: str = "helper") -> set[str]:
    by_tree = msgspec.structs.replace(MONEY, by=(TallyBy.TREE,))
    policy = msgspec.structs.replace(POLICY, tallies=(by_tree,))
    context = Context(tool=PAY, trees=trees)
    added = tallies.due(payment(agent=agent), context, found("1.00"), policy)
    assert {one.amount for one in added} == {100}
    return {one.key for one in added}


def test_whoever_was_started_is_summed_with_the_root_of_its_tree() -> None:
    root = tree_keys(trees_of("lead", ""), "lead")

    assert tree_keys(trees_of()) == tree_keys(trees_of("other")) == root
    assert tree_keys(trees_of("stranger", "")) != root
    assert tree_keys((), "lead") == root, "whoever knows of no tree counts the agent itself"


@given(st.text(max_size=30), st.sampled_from(["", "lead"]))
def test_no_group_that_an_agent_names_takes_it_out_of_its_own_sum(group: str, tree: str) -> None:
    own = tree_keys(trees_of(tree=tree))

    assert tree_keys(trees_of(tree=tree, group_id=group)) >= own


def test_agents_that_name_one_group_share_a_sum_beside_their_own() -> None:
    mine = tree_keys(trees_of("a", "", "lead"), "a")
    theirs = tree_keys(trees_of("b", "", "lead"), "b")

    assert len(mine & theirs) == 1
    assert not mine & tree_keys(trees_of("lead", ""), "lead"), "a group is no agent"


def test_a_resource_is_the_same_in_any_dress() -> None:
    dresses = ("crm.leads", "CRM.LEADS", "`crm.leads`", ' "crm.leads" ', "\uff43\uff52\uff4d.leads")

    assert {resource_key("database", it) for it in dresses} == {"database:crm.leads"}
    assert resource_key("database", "crm.leads") != resource_key("shell", "crm.leads")
    assert resource_key("shell", "/srv/a") != resource_key("shell", "/srv/b")
    assert resource_key("shell", "") == "shell:"


moments = st.integers(0, 10 * 365 * DAY_S).map(lambda it: NOW + timedelta(seconds=it))


@given(moments, st.integers(60, 7 * DAY_S), st.floats(0, 1))
def test_a_sum_covers_its_window_and_at_most_a_quarter_more(
    now: datetime, window_s: int, ago: float
) -> None:
    size = tallies.bucket_s(msgspec.structs.replace(MONEY, window_s=window_s))
    buckets = tallies.covered(now, now, size)

    assert tallies.bucket_of(now - timedelta(seconds=window_s * ago), size) in buckets
    assert tallies.bucket_of(now - timedelta(seconds=size * 5 + 1), size) not in buckets
    assert len(buckets) == 6


@given(moments, st.integers(60, 7 * DAY_S), st.integers(-15, 8 * DAY_S))
def test_of_two_calls_at_least_the_second_sees_the_first(
    at: datetime, window_s: int, late_s: int
) -> None:
    """Whatever waited for how long, and though clocks differ by a bucket of the least window."""
    size = tallies.bucket_s(msgspec.structs.replace(MONEY, window_s=window_s))
    now = at + timedelta(seconds=late_s)
    mine = tallies.counts_at(at, now, size)
    fresh = tallies.counts_at(now, now, size)

    for one, other in ((mine, fresh), (fresh, mine)):
        assert tallies.bucket_of(one, size) in tallies.covered(other, now, size)


def test_a_call_counts_at_its_own_time_unless_that_is_long_ago() -> None:
    assert tallies.counts_at(NOW, NOW + timedelta(minutes=5), 900) == NOW
    late = NOW + timedelta(minutes=16)
    assert tallies.counts_at(NOW, late, 900) == late


def test_a_bucket_is_a_token_of_its_size_and_number() -> None:
    assert tallies.window_of(tallies.bucket_of(NOW, 900), 900) == "900-1969296"


MAKES = "counting what waits, this makes"


def too_much(rule: TallyRule, total: int | None, currency: str = "USD", person: str = "ann") -> str:
    return running_sums.why_too_much(Tallied(rule=rule, total=total, person=person), currency)


@pytest.mark.parametrize(
    ("rule", "total", "said"),
    [
        (MONEY, 100_000, ""),
        (
            MONEY,
            199_800,
            f"{MAKES} 1,998.00 USD in 24 h by this agent; the limit is 1,000.00 USD",
        ),
        (RECORDS, 500, ""),
        (
            RECORDS,
            501,
            f"{MAKES} 501 records in 1 h by this agent; the limit is 500",
        ),
        (MONEY, None, running_sums.UNREADABLE),
        (
            msgspec.structs.replace(MONEY, by=tuple(TallyBy), window_s=90 * 60),
            100_001,
            f"{MAKES} 1,000.01 USD in 90 min; the limit is 1,000.00 USD",
        ),
        (
            msgspec.structs.replace(MONEY, window_s=61, limit="1000000000000000.000000000"),
            10**30,
            f"{MAKES} more in 61 s than the policy allows",
        ),
        (
            msgspec.structs.replace(RECORDS, limit="many"),
            1,
            f"{MAKES} 1 records in 1 h by this agent; the limit is many",
        ),
    ],
)
def test_the_sentence(rule: TallyRule, total: int | None, said: str) -> None:
    assert too_much(rule, total) == said
    assert len(said) <= running_sums.LONGEST_SUM


def test_a_sum_above_its_limit_is_a_high_risk_and_one_below_is_none() -> None:
    def signals(total: int | None) -> list[tuple[str, Heuristic, RiskLevel]]:
        context = Context(tool=PAY, tallies=(Tallied(rule=MONEY, total=total, person="ann"),))
        known = msgspec.structs.replace(payment(), arguments={"amount": "1.00"})
        judged = assess(known, context, POLICY)
        return [(it.rule, it.heuristic, it.level) for it in judged.signals]

    fired = [("tally.amount-agent", Heuristic.TALLY, RiskLevel.HIGH)]
    assert signals(100_000) == []
    assert signals(100_001) == signals(None) == fired


PERSON = msgspec.structs.replace(MONEY, id="amount-person", by=(TallyBy.PERSON,))


def test_a_sum_says_truly_whose_it_is() -> None:
    of_ann = too_much(PERSON, 160_000)
    of_nobody = too_much(PERSON, 160_000, person="")

    assert of_ann == (
        f"{MAKES} 1,600.00 USD in 24 h for the person it acts for; the limit is 1,000.00 USD"
    )
    assert of_nobody == (
        f"{MAKES} 1,600.00 USD in 24 h by this agent alone; the limit is 1,000.00 USD"
    )


def test_a_sum_of_nobody_is_not_told_twice() -> None:
    """Where it is no other than the agent's or its tree's; else both are told, and always one."""
    tree = msgspec.structs.replace(MONEY, by=(TallyBy.TREE,))
    wide = msgspec.structs.replace(tree, limit="900.00")

    def told(person: str, other: TallyRule, total: int | None, own: int | None) -> list[str]:
        given = (
            Tallied(rule=other, total=total, person=person),
            Tallied(rule=PERSON, total=own, person=person),
        )
        judged = assess(payment(), Context(tool=PAY, tallies=given), POLICY)
        return [it.rule for it in judged.signals if it.heuristic is Heuristic.TALLY]

    both = ["tally.amount-agent", "tally.amount-person"]
    for case, wanted in (
        (("", tree, 160_000, 160_000), both[:1]),
        (("", MONEY, 160_000, 160_000), both[:1]),
        (("ann", tree, 160_000, 160_000), both),
        (("", tree, 300_000, 160_000), both),
        (("", wide, 160_000, 160_000), both),
        (("", tree, None, None), both),
        (("", tree, 90_000, 160_000), both[1:]),
    ):
        assert sorted(told(*case)) == wanted, case
