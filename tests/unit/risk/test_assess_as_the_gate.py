"""`holdpoint assess` beside a gate: the same tool, the same schema, the same verdict."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace
from tests.unit.risk.builders import policy_with_reader

from holdpoint.cli.domains import find_tool
from holdpoint.core.risk import Context, assess
from holdpoint.core.verdict import Facts, judge
from holdpoint.messages.action import Action
from holdpoint.messages.catalog import Agent
from holdpoint.policy_lab.assess import assess_line
from holdpoint.policy_lab.gate_view import FindTool
from holdpoint.runtime.config.settings import Settings


@cache
def finder() -> FindTool:
    return find_tool(Settings())


def told(tool: str, args: Mapping[str, Any]) -> dict[str, Any]:
    line = {"id": "1", "kind": "tool_call", "payload": {"tool": tool, "args": args}}
    answer: dict[str, Any] = json.loads(
        assess_line(json.dumps(line).encode(), policy_with_reader(), finder())
    )
    return answer


def command(text: str) -> dict[str, Any]:
    line = json.dumps({"id": "1", "kind": "shell", "text": text}).encode()
    answer: dict[str, Any] = json.loads(assess_line(line, policy_with_reader(), finder()))
    return answer


@pytest.mark.parametrize(
    "added",
    [
        {"dry_run": True},
        {"validate_only": "yes"},
        {"mode": "preview"},
        {"host": "localhost"},
        {"database": "scratch_1"},
        {"target": "label"},
    ],
)
def test_what_a_listed_tool_does_not_declare_lowers_nothing(added: dict[str, Any]) -> None:
    assert told("delete_task", {"id": "c1"})["risk_level"] == "high"
    assert told("delete_task", {"id": "c1"} | added)["risk_level"] == "high"


@pytest.mark.parametrize(
    ("sql", "elsewhere", "in_sandbox"),
    [
        ("DELETE FROM customers", "high", "medium"),
        ("DELETE FROM customers;", "high", "medium"),
        ("UPDATE customers SET plan = 1 WHERE true", "high", "medium"),
        ("ALTER TABLE customers DROP COLUMN plan", "high", "medium"),
        ("TRUNCATE logs", "high", "medium"),
        ("DELETE FROM notes WHERE id < 9", "high", "medium"),
        ("DELETE FROM notes WHERE id = 9", "medium", "low"),
        ("DROP TABLE customers", "critical", "critical"),
    ],
)
def test_a_declared_sandbox_counts_in_whatever_order(
    sql: str, elsewhere: str, in_sandbox: str
) -> None:
    """Seed 002's list of commands stays what it is; a pattern says no more than the parse."""
    for database, level in (("crm", elsewhere), ("scratch_1", in_sandbox)):
        args = {"sql": sql, "database": database}
        for given in (args, dict(reversed(args.items()))):
            assert told("execute_sql", given)["risk_level"] == level, given


def test_a_statement_that_was_parsed_hides_no_command_beside_it() -> None:
    args = {"sql": "DELETE FROM notes WHERE id = 9", "database": "x; git push --force origin main"}
    for given in (args, dict(reversed(args.items()))):
        assert told("execute_sql", given)["risk_level"] == "high", given


@pytest.mark.parametrize(
    ("text", "little"),
    [
        ("rm -rf build", True),
        ("rm -rf build/", True),
        ("rm -fr ./build", True),
        ("rm --recursive --force build", True),
        ("rm -rf -- build", True),
        ("rm -rf node_modules/", True),
        ("git add a.py", True),
        ("rm -rf src", False),
        ("rm -rf -- src", False),
        ("rm -rf build -- ../src", False),
        ("rm -rf build*", False),
    ],
)
def test_a_command_that_changes_little_is_told_so(text: str, little: bool) -> None:
    for answer in (command(text), told("run_command", {"command": text})):
        assert answer["changes_little"] is little
        assert answer["verdict"] == ("pass" if little else "hold")


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("run_command", {"command": "ls -l"}),
        ("run_command", {"command": "rm -rf build"}),
        ("run_command", {"command": "rm -rf /srv"}),
        ("run_command", {"command": "pytest -q"}),
        ("run_command", {"command": "touch a", "cwd": "/"}),
        ("execute_sql", {"sql": "SELECT 1"}),
        ("execute_sql", {"sql": "DELETE FROM customers", "database": "scratch_1"}),
        ("execute_sql", {"database": "scratch_1", "sql": "DELETE FROM customers"}),
        ("execute_sql", {"sql": "DELETE FROM customers", "database": "crm"}),
        ("delete_task", {"id": "c1"}),
        ("delete_task", {"id": "c1", "dry_run": True}),
        ("list_tasks", {}),
    ],
)
def test_the_verdict_is_that_of_the_gate(tool: str, args: dict[str, Any]) -> None:
    """The gate's side as `gate.proposals` puts it together, with a dry run that finds nothing."""
    entry = finder()(tool)
    assert entry is not None, tool
    action = Action(
        tenant="acme", agent="bot", on_behalf_of="ann", domain=entry.domain, tool=entry.name,
        tool_schema_sha256=entry.schema_sha256, arguments=args,
    )  # fmt: skip
    policy = policy_with_reader()
    found = assess(action, Context(tool=replace(entry, plans=False)), policy)
    agent = Agent(name="bot", tools=(entry.name,))
    facts = Facts(agent=agent, tool=entry, assessment=found, planned=True)
    answer = told(tool, args)
    assert answer["verdict"] == judge(facts, policy).kind.value
    assert answer["changes_little"] == found.changes_little
    assert answer["reads_only"] == found.reads_only
