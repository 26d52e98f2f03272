"""Where an action lands: only configuration makes a sandbox."""

import msgspec
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.unit.risk.builders import a_tool, an_action, judged, the_policy

from holdpoint.core.risk import assess
from holdpoint.core.risk.context import Context, Sentence
from holdpoint.core.risk.environment import glob, place
from holdpoint.messages.action import Plan
from holdpoint.messages.policy import TARGET_KINDS, EnvironmentRule
from holdpoint.messages.risk import Assessment, Environment

PRODUCTION, SANDBOX = Environment.PRODUCTION, Environment.SANDBOX
RULES = (
    EnvironmentRule(match="database:scratch*", environment=SANDBOX),
    EnvironmentRule(match="path:*/scratch/*", environment=SANDBOX),
    EnvironmentRule(match="host:*.test", environment=SANDBOX),
    EnvironmentRule(match="env:*", environment=SANDBOX),
    EnvironmentRule(match="database:scratch_live", environment=PRODUCTION),
)


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        ({}, PRODUCTION),
        ({"database": "crm"}, PRODUCTION),
        ({"db": "Scratch_7"}, SANDBOX),
        ({"database": "scratch_7", "host": "db1"}, PRODUCTION),
        ({"database": "scratch_live"}, PRODUCTION),
        ({"path": "/srv/scratch/x"}, SANDBOX),
        ({"path": "/srv/scratch/../etc"}, PRODUCTION),
        ({"url": "https://api.test/x"}, SANDBOX),
        ({"url": "https://api.example/x"}, PRODUCTION),
        ({"url": "https://[broken"}, PRODUCTION),
        ({"url": "mailto:x"}, PRODUCTION),
        ({"env": "dev"}, SANDBOX),
        ({"env": "prod"}, PRODUCTION),
        ({"database": 7}, PRODUCTION),
        ({"db": "scratch_7", "host": ["db1"]}, PRODUCTION),
        ({"db": "scratch_7", "host": ["a.test", "b.test"]}, SANDBOX),
        ({"db": "scratch_7", "host": {"name": "db1"}}, PRODUCTION),
        ({"db": "scratch_7", "host": {"name": "a.test"}}, SANDBOX),
        ({"db": "scratch_7", "options": {"connection": [{"Host": "db1"}]}}, PRODUCTION),
        ({"db": "scratch_7", "options": '{"host": "db1"}'}, PRODUCTION),
        ({"db": "scratch_7", "account": 7}, PRODUCTION),
        ({"db": "scratch_7", "rows": [{"name": "db1"}], "host": None}, SANDBOX),
        ({"db": "scratch_7"} | {f"x{at}": at for at in range(500)} | {"host": "db1"}, PRODUCTION),
        ({"db": "scratch_7"} | {f"x{at}": at for at in range(5000)}, PRODUCTION),
        ({"options": {"host": "a.test"}}, PRODUCTION),
        ({"url": r"https://evil.example\@a.test/x"}, PRODUCTION),
        ({"url": "https://a.test\n@evil.example/x"}, PRODUCTION),
        ({"url": "https://evil.example@a.test/x"}, SANDBOX),
        ({"url": "https://a.test@evil.example/x"}, PRODUCTION),
        ({"url": "file:///srv/scratch/%2e%2E/etc"}, PRODUCTION),
        ({"path": "/srv/scratch/%2e%2e/x"}, PRODUCTION),
    ],
)
def test_every_target_must_be_listed(
    arguments: dict[str, object], environment: Environment
) -> None:
    assert place(arguments, Context(), RULES).environment is environment


def test_targets_come_from_plan_keys_and_facts() -> None:
    plan = Plan(environment_keys=("database:scratch_1",))
    known = Context(plan=plan, environment_keys=("path:/a/scratch/b",), facts={"host": "x.test"})
    listed = place({}, known, RULES)

    assert listed.environment is SANDBOX
    assert listed.target == "scratch_1"


def test_an_argument_that_the_tool_does_not_declare_makes_no_sandbox() -> None:
    runs = Context(tool=a_tool(schema={"properties": {"command": {"type": "string"}}}))
    said = {"command": "rm -rf /srv/data", "host": "a.test"}

    assert place(said, runs, RULES).environment is PRODUCTION
    assert place(said, Context(), RULES).environment is SANDBOX


@pytest.mark.parametrize(
    "arguments",
    [
        {"payload": '{"name": "kill_switch", "env": "prod"}'},
        {"items": [{"name": "kill_switch", "environment": "production"}]},
        {"request": {"body": {"params": {"env": "prod"}}}},
        {"first": {}, "second": {"env": "prod"}, "urgent": False},
    ],
)
def test_production_is_stated_also_by_the_object_that_holds_the_arguments(
    arguments: dict[str, object],
) -> None:
    assert place(arguments, Context(), RULES).stated
    assert not place(arguments | {"other": {"a": 1}}, Context(), RULES).stated
    assert place({"body": {"env": "dev"}}, Context(), RULES).environment is PRODUCTION


@pytest.mark.parametrize(
    ("sql", "environment"),
    [
        ("DELETE FROM customers", SANDBOX),
        ("USE crm; DELETE FROM customers", PRODUCTION),
        ("DELETE FROM crm.customers", PRODUCTION),
    ],
)
def test_a_statement_that_leads_elsewhere_is_shown_in_no_sandbox(
    sql: str, environment: Environment
) -> None:
    action = an_action(tool="database.query", database="scratch_1", sql=sql)
    context = Context(tool=a_tool(schema={"properties": {"database": {}, "sql": {}}}))

    assert assess(action, context, the_policy()).environment is environment


def test_a_production_flag_beats_every_list() -> None:
    flagged = place({"database": "scratch"}, Context(facts={"production": True}), RULES)

    assert flagged.environment is PRODUCTION
    assert flagged.stated


def test_a_glob_is_no_regular_expression() -> None:
    assert glob("path:/a.b/?")("path:/a.b/c")
    assert not glob("path:/a.b/?")("path:/axb/c")


KEYS = ("database", "DB", "host", "path", "url", "env", "account", "cluster", "note", "production")
NAMES = ("scratch_1", "crm", "a.test", "/srv/scratch/x", "/etc", "https://a.test/", "dev", "prod")
GLOBS = ("database:*", "host:*.test", "path:/srv/*", "url:*", "env:*", "*:prod")
values = st.sampled_from(NAMES) | st.booleans() | st.none() | st.integers(0, 9)
anything = st.recursive(
    values,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner),
    max_leaves=6,
)
said = st.dictionaries(st.sampled_from(KEYS), anything, max_size=5)
listed = st.lists(
    st.builds(
        EnvironmentRule,
        match=st.sampled_from(GLOBS),
        environment=st.sampled_from([PRODUCTION, SANDBOX]),
    ),
    max_size=4,
).map(tuple)


@pytest.mark.slow
@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.filter_too_much])
@given(said, said, said, listed)
def test_no_word_turns_production_into_a_sandbox(
    arguments: dict[str, object],
    facts: dict[str, object],
    more: dict[str, object],
    rules: tuple[EnvironmentRule, ...],
) -> None:
    """Where a target is known and is no sandbox, nothing that is said beside it makes it one."""
    before = place(arguments, Context(facts=facts), rules)
    assume(before.target and before.environment is PRODUCTION)

    beside = place(more | arguments, Context(facts=facts), rules)
    around = place(arguments, Context(facts=more | facts), rules)

    assert (beside.environment, around.environment) == (PRODUCTION, PRODUCTION)


@pytest.mark.parametrize("many", [3, 3_000])
def test_a_house_may_have_as_many_rules_as_it_likes(many: int) -> None:
    more = (
        EnvironmentRule(match=f"host:db{number}.example", environment=SANDBOX)
        for number in range(many)
    )
    rules = (*RULES, *more, EnvironmentRule(match="host:db1.*", environment=PRODUCTION))
    found = {
        host: place({"host": host}, Context(), rules) for host in ("db1.example", "db2.example")
    }
    assert found["db1.example"].stated
    assert found["db2.example"].environment is SANDBOX


@settings(deadline=None)
@given(said, said)
def test_what_no_line_lists_is_production(
    arguments: dict[str, object], facts: dict[str, object]
) -> None:
    only_production = (EnvironmentRule(match="database:crm", environment=PRODUCTION),)

    for rules in ((), only_production):
        assert place(arguments, Context(facts=facts), rules).environment is PRODUCTION


@settings(deadline=None)
@given(said, st.sampled_from(NAMES), st.floats(0, 1), listed)
def test_a_sentence_lands_where_configuration_says_whatever_it_claims(
    detail: dict[str, object], text: str, confidence: float, rules: tuple[EnvironmentRule, ...]
) -> None:
    policy = msgspec.structs.replace(the_policy(), environments=rules)
    sentence = Sentence(text=f"On {text} now.", action_detail=detail, confidence=confidence)

    assert assess(sentence, Context(reasoning=text), policy).environment is PRODUCTION


def test_a_command_that_only_reads_changes_nothing_in_production() -> None:
    folder = Plan(verb="run", error="no dry run", environment_keys=("path:/srv/shop",))
    shell = a_tool(name="shell.run", domain="shell", level=3, plans=True)
    commands = ("ls -la", "cat a.txt | sort", "git log", "touch a", "ls > a", "unknown-one")
    judgements = {
        command: judged(an_action("shell.run", command=command), tool=shell, plan=folder)
        for command in commands
    }
    changing = [
        command
        for command, found in judgements.items()
        if any(signal.rule == "environment.production" for signal in found.signals)
    ]

    assert changing == ["touch a", "ls > a", "unknown-one"]


def _why(found: Assessment) -> list[str]:
    return [it.reason for it in found.signals if it.rule == "environment.production"]


def test_a_command_whose_effect_nobody_knows_is_only_said_to_run_there() -> None:
    folder = Plan(verb="run", error="no dry run", environment_keys=("path:/srv/shop",))
    shell = a_tool(name="shell.run", domain="shell", level=3, plans=True)
    found = judged(an_action("shell.run", command="kubectl scale a"), tool=shell, plan=folder)
    deletes = Plan(verb="delete", affected=3, environment_keys=("path:/srv/shop/a",))
    counted = judged(an_action("shell.run", command="rm -r a"), tool=shell, plan=deletes)

    assert _why(found) == [
        "it runs in /srv/shop, which is not listed as a sandbox, so it counts as production"
    ]
    assert _why(counted) == [
        "it changes /srv/shop/a, which is not listed as a sandbox, so it counts as production"
    ]


def test_a_tool_whose_effect_the_catalog_names_says_it_instead_of_the_place() -> None:
    dispute = a_tool(name="dispute", domain="bank", level=3, effect="disputes a charge")
    invest = a_tool(name="buy_bonds", domain="bank", level=4, effect="invests money")
    sum_paid = {"value": "10.00", "currency": "USD"}

    assert _why(judged(an_action("dispute", id="1"), tool=dispute)) == ["it disputes a charge"]
    assert _why(judged(an_action("buy_bonds", amount=sum_paid), tool=invest)) == [
        "it invests money, which the agent cannot take back"
    ]


def test_a_transfer_says_that_it_moves_money() -> None:
    pay = a_tool(name="transfer_funds", domain="bank", level=4)
    money = {"amount": {"value": "150.00", "currency": "USD"}, "to_account": "ACC-1"}
    action = an_action("transfer_funds", **money)

    assert _why(judged(action, tool=pay)) == ["it moves money, which the agent cannot take back"]
    assert _why(judged(action, tool=msgspec.structs.replace(pay, undo="refund it"))) == [
        "it moves money"
    ]


def test_what_names_a_target_is_of_a_kind_that_a_rule_may_name() -> None:
    named = {key: place({key: "x"}, Context(), RULES).target for key in ("db", "k8s_context")}
    kinds = {f"{kind}:x" for kind in TARGET_KINDS}
    rules = tuple(EnvironmentRule(match=one, environment=PRODUCTION) for one in kinds)

    assert named == {"db": "x", "k8s_context": "x"}
    assert all(place({key: "x"}, Context(), rules).stated for key in ("db", "k8s_context", "dir"))
