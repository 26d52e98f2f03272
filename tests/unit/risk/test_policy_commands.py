"""Command rules that a policy brings along: they add to the engine's, and are checked like them."""

import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.unit.risk.builders import CONFIG, GROUPS, a_tool, an_action, the_policy

from holdpoint.core.policy_check import check_policy
from holdpoint.core.risk import assess
from holdpoint.core.risk.context import Context
from holdpoint.messages.command_rules import CommandRule, RuleDanger, ToolRules
from holdpoint.messages.policy import Policy
from holdpoint.messages.risk import Assessment, RiskLevel
from holdpoint.messages.sql_rules import SqlDanger, SqlRule
from holdpoint.policy_lab.diff import changes
from holdpoint.runtime.config.policy import load_policy, located, policy_files
from holdpoint.runtime.errors import SetupError

GONE = RuleDanger(id="acme.gone", level=RiskLevel.CRITICAL, reason="removes a customer for good")
OFFBOARD = CommandRule(
    subcommands=("tenants offboard",), danger=GONE, fires=("acmectl tenants offboard shop",)
)
PACK = """
commands:
  acmectl:
    rules:
      - subcommands: [tenants offboard]
        danger: {id: acme.gone, level: critical, reason: removes a customer for good}
        fires: [acmectl tenants offboard shop]
"""


def with_rules(*rules: CommandRule, **fields: object) -> Policy:
    """The shipped policy, with rules for `acmectl`."""
    tool = ToolRules(rules=rules, **fields)  # type: ignore[arg-type]
    return msgspec.structs.replace(the_policy(), commands={"acmectl": tool})


def assessed(command: str, policy: Policy) -> Assessment:
    """As an agent's shell tool would run it."""
    known = Context(tool=a_tool(name="shell.run"))
    return assess(an_action("shell.run", command=command), known, policy)


@pytest.mark.parametrize(
    "command",
    [
        "acmectl tenants offboard shop",
        "sudo -u ops acmectl tenants offboard shop",
        "echo shop | xargs acmectl tenants offboard",
        "ssh web-1 'acmectl tenants offboard shop'",
        "/usr/bin/acme tenants offboard shop",
    ],
)
def test_a_rule_of_the_policy_counts_however_its_program_is_started(command: str) -> None:
    found = assessed(command, with_rules(OFFBOARD, also=("acme",)))

    assert found.level is RiskLevel.CRITICAL
    assert "acme.gone" in {signal.rule for signal in found.signals}


def test_a_rule_says_nothing_of_another_command_of_its_program() -> None:
    quiet = assessed("acmectl tenants list", with_rules(OFFBOARD))
    dry = assessed("acmectl tenants offboard shop --plan", with_rules(OFFBOARD, dry_run="--plan"))

    assert "acme.gone" not in {signal.rule for one in (quiet, dry) for signal in one.signals}


def test_rules_only_add_to_what_the_engine_says() -> None:
    mild = RuleDanger(id="acme.mild", level=RiskLevel.LOW, reason="does little")
    rule = CommandRule(subcommands=("*",), danger=mild, fires=("rm x",))
    policy = msgspec.structs.replace(the_policy(), commands={"rm": ToolRules(rules=(rule,))})

    assert assessed("rm -rf /", policy).level is RiskLevel.CRITICAL


@pytest.mark.parametrize(
    ("rule", "problem"),
    [
        (CommandRule(subcommands=("x",), fires=("acmectl x",)), "without a danger"),
        (msgspec.structs.replace(OFFBOARD, fires=()), "at least one `fires` line"),
        (msgspec.structs.replace(OFFBOARD, fires=("acmectl x",)), "does not fire on its own line"),
        (msgspec.structs.replace(OFFBOARD, silent=OFFBOARD.fires), "fires on its own silent line"),
        (msgspec.structs.replace(OFFBOARD, patterns=("(",)), "not RE2's syntax"),
        (
            msgspec.structs.replace(OFFBOARD, danger=msgspec.structs.replace(GONE, id="shell.x")),
            "the engine's own rules have such ids",
        ),
    ],
)
def test_a_rule_that_cannot_be_meant_is_refused(rule: CommandRule, problem: str) -> None:
    (found,) = check_policy(with_rules(rule))

    assert found.startswith("commands.acmectl")
    assert problem in found


def test_a_pattern_that_nobody_checked_makes_its_program_wait() -> None:
    broken = with_rules(msgspec.structs.replace(OFFBOARD, patterns=("(",)))

    assert assessed("acmectl tenants offboard shop", broken).level is RiskLevel.HIGH


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A folder with the shipped policy, to which a test adds packs."""
    shutil.copytree(CONFIG / "policy", tmp_path / "policy")
    shutil.copy(CONFIG / "environments.yaml", tmp_path)
    return tmp_path


def test_a_pack_brings_rules_and_signals_name_it(config: Path) -> None:
    (config / "policy" / "acme.yaml").write_text(PACK)
    policy = load_policy(config, GROUPS)

    assert check_policy(policy) == []
    assert {pack.name: pack.rules for pack in policy.packs}["acme"] == ("acme.gone",)
    assert assessed("acmectl tenants offboard shop", policy).level is RiskLevel.CRITICAL


def test_two_packs_with_rules_for_one_tool_are_refused(config: Path) -> None:
    (config / "policy" / "acme.yaml").write_text(PACK)
    (config / "policy" / "more.yaml").write_text(PACK)

    with pytest.raises(SetupError, match=r"more\.yaml:3: commands\.acmectl: acme\.yaml has rules"):
        load_policy(config, GROUPS)


def test_a_problem_of_a_rule_stands_at_its_line(config: Path) -> None:
    pack = config / "policy" / "acme.yaml"
    pack.write_text(PACK.replace("fires: [acmectl tenants", "fires: [acmectl people"))
    problems = check_policy(load_policy(config, GROUPS))

    (told,) = located(problems, policy_files(config / "policy"))
    assert told.startswith(f"{pack}:7: commands.acmectl: acme.gone does not fire")


@pytest.mark.parametrize(
    ("command", "level"),
    [
        ("acmectl tenants list", RiskLevel.LOW),
        ("acme tenants list --json", RiskLevel.LOW),
        ("acmectl --help", RiskLevel.LOW),
        ("acmectl people list", RiskLevel.MEDIUM),
        ("acmectl tenants list $(other)", RiskLevel.MEDIUM),
        ("other tenants list", RiskLevel.MEDIUM),
    ],
)
def test_what_a_pack_calls_silent_is_no_unknown_program(command: str, level: RiskLevel) -> None:
    policy = with_rules(OFFBOARD, also=("acme",), silent=("acmectl tenants list",))

    assert assessed(command, policy).level is level


PACK_WITH_MISTAKES = """
commands:
  acmectl:
    rules:
      - subcommands: [tenants offboard]
        danger: {id: acme.gone, level: critical, reason: removes a customer for good}
        fires:
          - acmectl tenants offboard shop
          - acmectl people offboard shop
      - subcommands: [tenants wipe]
        danger: {id: acme.wiped, level: critical, reason: wipes a customer}
        fires: [acmectl tenants wipe shop]
sql:
  - verbs: RETIRE
    match: [RETIRE LEDGER]
    danger: {id: acme.wiped, level: high, reason: closes a ledger}
    fires:
      - retire ledger main
      - retire book main
  - verbs: RETIRE
    match:
      - RETIRE LEDGER
      - 'RETIRE ('
    danger: {id: acme.two, level: high, reason: closes a ledger}
    fires: [retire ledger main]
"""


def test_every_mistake_stands_at_its_own_line(config: Path) -> None:
    pack = config / "policy" / "acme.yaml"
    pack.write_text(PACK_WITH_MISTAKES)
    problems = check_policy(load_policy(config, GROUPS))

    told = located(problems, policy_files(config / "policy"))
    assert [one.removeprefix(f"{pack}:").split(": ", 2)[:2] for one in told] == [
        ["9", "commands.acmectl"],
        ["19", "sql acme.wiped"],
        ["23", "sql acme.two"],
        ["16", "sql acme.wiped"],
    ]
    assert told[-1].endswith("two rules cannot share this id: acme.wiped")


def test_a_rule_that_is_taken_away_is_told_as_looser() -> None:
    with_it = with_rules(OFFBOARD)

    (gone,) = changes(with_it, the_policy())
    assert gone.startswith('commands: removed "acmectl: acme.gone, critical: ')
    assert gone.endswith("(looser)")
    (came,) = changes(the_policy(), with_it)
    assert came.startswith('commands: added "acmectl: acme.gone, critical: ')


INVOICES = SqlRule(
    verbs="DELETE UPDATE",
    match=("DELETE FROM (?:CRM ?\\. ?)?INVOICES", "UPDATE INVOICES"),
    unless=("UPDATE INVOICES SET NOTE ...",),
    danger=SqlDanger(id="acme.invoices", level=RiskLevel.CRITICAL, reason="changes sent invoices"),
    fires=("delete from crm.invoices where id = 7",),
    silent=("delete from drafts where id = 7",),
)
SQL_PACK = """
sql:
  - verbs: DELETE
    match: [DELETE FROM INVOICES]
    danger: {id: acme.invoices, level: critical, reason: changes sent invoices}
    fires: [delete from invoices where id = 7]
"""


def with_sql(rule: SqlRule = INVOICES) -> Policy:
    return msgspec.structs.replace(the_policy(), sql=(rule,))


def rules_of(tool: str, argument: str, text: str, policy: Policy) -> set[str]:
    known = Context(tool=a_tool(name=tool))
    return {one.rule for one in assess(an_action(tool, **{argument: text}), known, policy).signals}


@pytest.mark.parametrize(
    ("tool", "argument", "text"),
    [
        ("database.execute", "sql", "DELETE FROM invoices WHERE id = 7"),
        ("database.execute", "sql", "SELECT 1; delete /* x */ from crm . invoices where id = 7"),
        ("database.execute", "sql", "WITH a AS (SELECT 1) DELETE FROM invoices WHERE id = 7"),
        ("shell.run", "command", "psql -c 'delete from invoices where id = 7'"),
        (
            "shell.run",
            "command",
            "ssh db-1 \"psql -c 'update invoices set paid = 1 where id = 7'\"",
        ),
    ],
)
def test_a_sql_rule_of_the_policy_counts_wherever_a_statement_runs(
    tool: str, argument: str, text: str
) -> None:
    assert "acme.invoices" in rules_of(tool, argument, text, with_sql())
    assert "acme.invoices" not in rules_of(tool, argument, text, the_policy())


@pytest.mark.parametrize(
    "text",
    [
        "DELETE FROM drafts WHERE id = 7",
        "UPDATE invoices SET note = 'x' WHERE id = 7",
        "SELECT 'delete from invoices'",
    ],
)
def test_a_sql_rule_says_nothing_of_other_statements(text: str) -> None:
    assert "acme.invoices" not in rules_of("database.execute", "sql", text, with_sql())


def test_a_sql_rule_may_be_for_a_statement_that_the_engine_does_not_know() -> None:
    rule = SqlRule(
        verbs="RETIRE",
        match=("RETIRE LEDGER",),
        danger=SqlDanger(id="acme.retired", level=RiskLevel.CRITICAL, reason="closes a ledger"),
        fires=("retire ledger main",),
    )

    assert check_policy(with_sql(rule)) == []
    assert "acme.retired" in rules_of("database.execute", "sql", "RETIRE LEDGER x", with_sql(rule))


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"fires": ()}, "give it at least one `fires` line"),
        ({"fires": ("delete from drafts",)}, "does not fire on its own line"),
        ({"silent": ("delete from invoices",)}, "fires on its own silent line"),
        ({"match": ("DELETE (",)}, "not RE2's syntax"),
        ({"match": ("DELETE FROM {nothing}",)}, "no word list is called"),
    ],
)
def test_a_sql_rule_that_does_not_work_is_refused(fields: dict[str, Any], problem: str) -> None:
    wrong = msgspec.structs.replace(INVOICES, **fields)

    assert check_policy(with_sql()) == []
    assert any(problem in told for told in check_policy(with_sql(wrong)))


def test_a_sql_rule_that_cannot_be_run_asks() -> None:
    wrong = msgspec.structs.replace(INVOICES, match=("DELETE (",))

    assert "command.rules" in rules_of("database.execute", "sql", "DELETE FROM a", with_sql(wrong))


def test_sql_rules_come_in_packs_and_their_removal_is_told(tmp_path: Path) -> None:
    shutil.copytree(CONFIG, tmp_path / "config")
    (tmp_path / "config" / "policy" / "acme.yaml").write_text(SQL_PACK)
    policy = load_policy(tmp_path / "config", GROUPS)
    bare = msgspec.structs.replace(policy, sql=())

    assert "acme.invoices" in rules_of("database.execute", "sql", "DELETE FROM invoices", policy)
    assert [pack.rules for pack in policy.packs if pack.name == "acme"] == [("acme.invoices",)]
    assert any("sql: removed" in line and "looser" in line for line in changes(policy, bare))


FORCED = CommandRule(
    subcommands=("deploy",),
    options="--force",
    danger=RuleDanger(id="acme.forced", level=RiskLevel.HIGH, reason="deploys over a check"),
    fires=("acmectl deploy api --force",),
)


@pytest.mark.parametrize(
    ("command", "level"),
    [
        ("acmectl deploy api --force --plan", RiskLevel.LOW),
        ("acmectl remove shop --plan", RiskLevel.LOW),
        ("acmectl deploy api --force", RiskLevel.HIGH),
        ("acmectl remove shop", RiskLevel.HIGH),
        ("acmectl remove shop -- --plan", RiskLevel.HIGH),
        ("acmectl remove shop --plan; acmectl remove shop", RiskLevel.HIGH),
        ("othertool deploy api --force --plan", RiskLevel.HIGH),
        ("rm -rf /srv --plan", RiskLevel.CRITICAL),
    ],
)
def test_a_dry_run_is_one_by_the_option_that_the_policy_names(
    command: str, level: RiskLevel
) -> None:
    assert assessed(command, with_rules(FORCED, dry_run="--plan")).level is level


def test_a_policy_names_no_dry_run_of_a_program_that_the_engine_knows() -> None:
    rules = ToolRules(rules=(FORCED,), dry_run="--plan", silent=("rm -rf",))
    policy = msgspec.structs.replace(the_policy(), commands={"rm": rules})

    assert assessed("rm -rf /srv --plan", policy).level is RiskLevel.CRITICAL
