"""Command rules that a policy brings along: they add to the engine's, and are checked like them."""

import shutil
from pathlib import Path

import msgspec
import pytest
from tests.unit.risk.builders import CONFIG, GROUPS, a_tool, an_action, the_policy

from holdpoint.cli.differing import changes
from holdpoint.core.risk import assess
from holdpoint.core.risk.context import Context
from holdpoint.core.risk.policy_check import check_policy
from holdpoint.messages.command_rules import CommandRule, RuleDanger, ToolRules
from holdpoint.messages.policy import Policy
from holdpoint.messages.risk import Assessment, RiskLevel
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.policy import load_policy, located, policy_files

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

    with pytest.raises(SetupError, match=r"more\.yaml:4: commands\.acmectl: acme\.yaml has rules"):
        load_policy(config, GROUPS)


def test_a_problem_of_a_rule_stands_at_its_line(config: Path) -> None:
    pack = config / "policy" / "acme.yaml"
    pack.write_text(PACK.replace("fires: [acmectl tenants", "fires: [acmectl people"))
    problems = check_policy(load_policy(config, GROUPS))

    (told,) = located(problems, policy_files(config / "policy"))
    assert told.startswith(f"{pack}:4: commands.acmectl: acme.gone does not fire")


def test_a_rule_that_is_taken_away_is_told_as_looser() -> None:
    with_it = with_rules(OFFBOARD)

    (gone,) = changes(with_it, the_policy())
    assert gone.startswith('commands: removed "acmectl: acme.gone, critical: ')
    assert gone.endswith("(looser)")
    (came,) = changes(the_policy(), with_it)
    assert came.startswith('commands: added "acmectl: acme.gone, critical: ')
