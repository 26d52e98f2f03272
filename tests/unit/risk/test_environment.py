"""Where an action lands: only configuration makes a sandbox."""

import pytest

from holdpoint.core.risk.context import Context
from holdpoint.core.risk.environment import glob, place
from holdpoint.messages.action import Plan
from holdpoint.messages.policy import EnvironmentRule
from holdpoint.messages.risk import Environment

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


def test_a_production_flag_beats_every_list() -> None:
    flagged = place({"database": "scratch"}, Context(facts={"production": True}), RULES)

    assert flagged.environment is PRODUCTION
    assert flagged.stated


def test_a_glob_is_no_regular_expression() -> None:
    assert glob("path:/a.b/?")("path:/a.b/c")
    assert not glob("path:/a.b/?")("path:/axb/c")
