"""The policy as people write it: merged, and every mistake told with its place."""

import shutil
from pathlib import Path

import pytest
from tests.unit.risk.builders import CONFIG, GROUPS, the_policy

from holdpoint.messages.policy import VerdictKind
from holdpoint.messages.risk import RiskLevel
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.policy import load_policy


@pytest.fixture
def config(tmp_path: Path) -> Path:
    shutil.copytree(CONFIG / "policy", tmp_path / "policy")
    shutil.copy(CONFIG / "environments.yaml", tmp_path)
    return tmp_path


def test_packs_are_merged_and_the_default_comes_first() -> None:
    ids = [pattern.id for pattern in the_policy().patterns]

    assert ids[0] == "doubt.asks-leave"
    assert ids.index("seed-002.announces-loss") < ids.index("leave.should-i"), "packs by name"
    assert the_policy().groups == GROUPS


def test_until_step_up_lands_critical_asks_at_level_3_and_higher_levels_are_denied() -> None:
    policy = the_policy()

    assert policy.risk_levels[RiskLevel.CRITICAL] == policy.risk_levels[RiskLevel.HIGH] == 3
    assert {policy.levels[level].verdict for level in (4, 5)} == {VerdictKind.DENY}
    assert "no step-up is set up" in policy.levels[5].why


def test_a_pack_of_ones_own_adds_patterns(config: Path) -> None:
    (config / "policy" / "zz.yaml").write_text("high_risk_commands: [launch]\n")

    assert load_policy(config, GROUPS).high_risk_commands[-1] == "launch"


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("policy/default.yaml", "grant_s:", "grants:", "grants: Extra inputs"),
        ("policy/default.yaml", "grant_s:", "grants:", "grant_s: Field required"),
        ("policy/default.yaml", "verdict: hold", "verdict: maybe", ":12: levels.3.verdict"),
        ("policy/default.yaml", "proofs: [chat]", "proofs: [oath]", ":14: levels.3.proofs.0"),
        ("policy/default.yaml", "grant_s:", "version:", "`version` stands twice"),
        ("policy/seed-002.yaml", "patterns:", "levels: {}\npatterns:", "packs add patterns only"),
        ("policy/seed-002.yaml", "patterns:", "patterns: [", "this is not YAML"),
        ("policy/seed-002.yaml", "heuristic: irrev", "heuristic: x", "heuristic"),
        ("environments.yaml", "sandbox}", "somewhere}", "environments.1.environment"),
    ],
)
def test_a_mistake_is_told_with_file_line_and_path(
    config: Path, file: str, old: str, new: str, told: str
) -> None:
    path = config / file
    path.write_text(path.read_text().replace(old, new, 1))

    with pytest.raises(SetupError) as refused:
        load_policy(config, GROUPS)
    assert str(path) in str(refused.value)
    assert told in str(refused.value)


@pytest.mark.parametrize("text", ["- 1\n", "just words\n", "3\n"])
def test_a_file_that_is_no_mapping_is_told(config: Path, text: str) -> None:
    (config / "environments.yaml").write_text(text)

    with pytest.raises(SetupError, match=r"environments\.yaml:1: the file"):
        load_policy(config, GROUPS)


def test_an_empty_list_of_environments_means_production_everywhere(config: Path) -> None:
    (config / "environments.yaml").write_text("")

    assert load_policy(config, GROUPS).environments == ()


def test_a_missing_file_is_told(config: Path) -> None:
    (config / "policy" / "default.yaml").unlink()

    with pytest.raises(SetupError, match="cannot be read"):
        load_policy(config, GROUPS)
