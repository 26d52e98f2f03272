"""The policy as people write it: merged, and every mistake told with its place."""

import json
import re
import shutil
from contextlib import nullcontext
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel
from tests.unit.risk.builders import CONFIG, GROUPS, the_policy

from holdpoint.core.policy_check import check_policy
from holdpoint.messages.policy import Method, VerdictKind
from holdpoint.messages.risk import RiskLevel
from holdpoint.runtime.config.policy import (
    CommandRuleFile,
    SqlRuleFile,
    ToolFile,
    load_policy,
)
from holdpoint.runtime.errors import SetupError

DOCUMENT = (Path(__file__).parents[3] / "docs" / "policy.md").read_text("utf-8")
YAML = re.findall(r"```yaml\n(.+?)```", DOCUMENT, re.DOTALL)
PACKS = [text for text in YAML if "version:" in text]


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


def test_each_level_asks_for_more_than_the_one_below() -> None:
    policy = the_policy()
    one, two, three, four, five = (policy.levels[level] for level in range(1, 6))

    assert (policy.risk_levels[RiskLevel.HIGH], policy.risk_levels[RiskLevel.CRITICAL]) == (3, 4)
    assert one.verdict is two.verdict is VerdictKind.PASS
    assert three.proofs == (Method.CHAT,)
    assert (set(four.proofs), four.every_proof) == ({Method.TOTP, Method.PASSKEY}, False)
    assert (set(five.proofs), five.every_proof) == ({Method.TOTP, Method.PASSKEY}, True)
    assert [rule.cooling_off_s for rule in (three, four, five)] == [0, 0, 24 * 60 * 60]


def test_a_pack_of_ones_own_adds_patterns(config: Path) -> None:
    (config / "policy" / "zz.yaml").write_text("high_risk_commands: [launch]\n")

    assert load_policy(config, GROUPS).high_risk_commands[-1] == "launch"


@pytest.mark.parametrize("text", PACKS)
def test_every_pack_of_the_document_is_fit_for_use(config: Path, text: str) -> None:
    (config / "policy" / "zz.yaml").write_text(text)

    assert check_policy(load_policy(config, GROUPS)) == []


@pytest.mark.parametrize("part", [CommandRuleFile, ToolFile, SqlRuleFile])
def test_the_document_names_every_key_of_a_rule(part: type[BaseModel]) -> None:
    _, _, after = DOCUMENT.partition("\n## A tool of your own\n")
    section = after.partition("\n## ")[0]

    assert [key for key in part.model_fields if not re.search(rf"\b{key}(?:`|:)", section)] == []


def test_the_document_names_no_other_key_of_a_rule() -> None:
    told = re.search(r"A rule may also .+?\.\s", DOCUMENT, re.DOTALL)
    assert told

    named = set(re.findall(r"`([a-z_]+)`", told[0]))
    assert named
    assert named - CommandRuleFile.model_fields.keys() == set()


@pytest.mark.parametrize("text", ["", "# to be written\n", "patterns: []\n", 'version: "3"\n'])
def test_a_pack_without_rules_is_told_of(config: Path, text: str) -> None:
    (config / "policy" / "zz.yaml").write_text(text)

    with pytest.raises(SetupError, match=r"zz\.yaml:1: it has no rule"):
        load_policy(config, GROUPS)


def test_a_list_is_no_pack(config: Path) -> None:
    (config / "policy" / "zz.yaml").write_text("- launch\n")

    with pytest.raises(SetupError, match=r"zz\.yaml:1: the file: Keys are missing.*`patterns:`"):
        load_policy(config, GROUPS)


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("policy/default.yaml", "grant_s:", "grants:", "grants: unknown key"),
        ("policy/default.yaml", "grant_s:", "grants:", "grant_s: it is missing. Add it."),
        ("policy/default.yaml", "verdict: hold", "verdict: maybe", ":13: levels.3.verdict"),
        ("policy/default.yaml", "proofs: [chat]", "proofs: [oath]", ":15: levels.3.proofs.0"),
        ("policy/default.yaml", "grant_s:", "version:", "`version` stands twice"),
        ("policy/default.yaml", "  5:", "  0x1:", "stands twice"),
        ("policy/default.yaml", "  5:", "  true:", "stands twice"),
        ("policy/default.yaml", "records: 100", "records: 9007199254740992", "thresholds.records"),
        ("policy/seed-002.yaml", "patterns:", "patterns: " + 3000 * "[", "nested too deeply"),
        (
            "policy/seed-002.yaml",
            "patterns:",
            "levels: {}\npatterns:",
            "check its spelling",
        ),
        ("policy/seed-002.yaml", "patterns:", "patterns: [", "this is not YAML"),
        ("policy/seed-002.yaml", "heuristic: irrev", "heuristic: x", "heuristic"),
        ("environments.yaml", "sandbox}", "somewhere}", "environments.2.environment"),
        ("environments.yaml", '"database:crm"', '"databse:crm"', "environments.1.match"),
        ("environments.yaml", '"database:crm"', '"crm"', "environments.1.match"),
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


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("policy/default.yaml", 'version: "1"', "version: 1", 'not text. Put it in quotes: "1".'),
        ("policy/default.yaml", 'version: "1"', "version: 0x7", 'Put it in quotes: "0x7".'),
        ("policy/default.yaml", 'version: "1"', "version: yes", 'Put it in quotes: "yes".'),
        ("policy/default.yaml", 'version: "1"', "version:", "not text. Put it in quotes."),
        ("policy/default.yaml", 'version: "1"', "version: [1]", "not text. Write a text in its"),
        ("policy/default.yaml", 'version: "1"', 'version: ""', "it is empty. Write something"),
        (
            "policy/seed-002.yaml",
            "patterns:",
            'high_risk_commands: "rm"\npatterns:',
            "not a list. Write `[a, b]`",
        ),
        ("policy/seed-002.yaml", "patterns:", 'high_risk_commands: [""]\npatterns:', "it is blank"),
        (
            "policy/seed-002.yaml",
            "patterns:",
            f"high_risk_commands: [{'x' * 1001}]\npatterns:",
            "seed-002.yaml:",
        ),
        ("policy/default.yaml", "tools: {}", "tools: [a]", "not a mapping"),
        (
            "policy/default.yaml",
            "percent: 10",
            "percent: 500",
            "it may be 100 at most. Write a smaller number.",
        ),
        ("policy/default.yaml", "percent: 10", "percent: x", "not a whole number. Write"),
        ("policy/default.yaml", "grant_s: 300", "grant_s: 1.5", "not a whole number. Write"),
        ("policy/default.yaml", "verdict: hold", "verdict: maybe", "none of 'pass', 'witness', "),
        (
            "policy/default.yaml",
            "voices: 1",
            "voices: 0",
            "it has to be at least 1. Write a larger number.",
        ),
        ("policy/default.yaml", "confidence_below: 0.5", "confidence_below: 2", "may be 1 at most"),
        ("policy/default.yaml", "confidence_below: 0.5", "confidence_below: x", "not a number"),
        ("policy/default.yaml", "verdict: hold", "four_eyes: a\n    verdict: hold", "is neither"),
        ("policy/seed-002.yaml", "level: high", "level: huge", "it is none of 'low', 'medium', "),
        ("policy/seed-002.yaml", 'version: "1"', 'version: ""', "it is empty. Write something"),
        (
            "policy/seed-002.yaml",
            "patterns:",
            f"high_risk_commands: [{'x' * 1001}]\npatterns:",
            "it is longer than 1000 characters. Shorten it.",
        ),
        ("environments.yaml", '"database:crm"', '"crm"', "environments.1.match: begin with a kind"),
    ],
)
def test_an_ordinary_slip_is_told_in_ordinary_words(
    config: Path, file: str, old: str, new: str, told: str
) -> None:
    path = config / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))

    with pytest.raises(SetupError) as refused:
        load_policy(config, GROUPS)
    assert told in str(refused.value)
    for word in ("tuple", "dictionary", "valid string", "Input", "input", "Value error", "Field"):
        assert word not in str(refused.value)


def pack(config: Path, name: str, text: str) -> Path:
    path = config / "policy" / name
    path.write_text(text)
    return path


def test_of_several_thresholds_the_strictest_counts_and_its_pack_is_known(config: Path) -> None:
    pack(config, "shop.yaml", "version: '7'\nthresholds: {records: 20, amount: '1000.00'}\n")
    pack(config, "vault.yaml", "thresholds: {records: 50, amount: '99.5', percent: 0}\n")

    policy = load_policy(config, GROUPS)

    limits = policy.thresholds
    assert (limits.records, limits.amount, limits.percent) == (20, "99.5", 0)
    assert (limits.currency, limits.rates) == ("USD", the_policy().thresholds.rates)
    packs = {one.name: one for one in policy.packs}
    assert (packs["shop"].version, packs["shop"].rules) == ("7", ("magnitude.records",))
    assert (packs["vault"].version, packs["vault"].rules) == (
        "", ("magnitude.amount", "magnitude.percent"),
    )  # fmt: skip
    assert "seed-002.drop" in packs["seed-002"].rules


PAGE = CONFIG.parents[1] / "docs" / "policy.md"
NAMES = ("records", "amount", "percent")
SHIPPED = {"records": 100, "amount": 1000, "percent": 10}
TOO_MUCH = r"looser than|may be 100 at most"


@settings(deadline=None, derandomize=True, max_examples=25)
@given(
    st.lists(st.dictionaries(st.sampled_from(NAMES), st.integers(0, 1100), min_size=1), max_size=3)
)
def test_a_pack_tightens_or_is_refused(packs: list[dict[str, int]]) -> None:
    loosens = any(limit > SHIPPED[name] for one in packs for name, limit in one.items())
    with TemporaryDirectory() as folder:
        config = Path(folder)
        shutil.copytree(CONFIG, config, dirs_exist_ok=True)
        for at, limits in enumerate(packs):
            told = {name: f"{it}" if name == "amount" else it for name, it in limits.items()}
            pack(config, f"p{at}.yaml", json.dumps({"thresholds": told}))
        with pytest.raises(SetupError, match=TOO_MUCH) if loosens else nullcontext():
            found = load_policy(config, GROUPS).thresholds
            for name in NAMES:
                lowest = min([SHIPPED[name], *(one[name] for one in packs if name in one)])
                assert Decimal(getattr(found, name)) == lowest


def test_the_pack_that_the_page_shows_is_sound(config: Path) -> None:
    shown = PAGE.read_text().split("```yaml\n")[1].split("```")[0]
    pack(config, "shop.yaml", shown)

    policy = load_policy(config, GROUPS)

    assert check_policy(policy) == []
    shop = next(one for one in policy.packs if one.name == "shop")
    assert shop.rules == ("magnitude.records", "magnitude.amount", "shop.voucher")


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ("records: 101", "thresholds.records: 101 is looser than the 100 of default.yaml"),
        ("amount: '1000.01'", "thresholds.amount: 1000.01 is looser than the 1000.00 of"),
        ("percent: 11", "thresholds.percent: 11 is looser than the 10 of default.yaml"),
        ("amount: '-5'", "thresholds.amount: not a plain decimal"),
        ("amount: '1,5'", "thresholds.amount: not a plain decimal"),
        ("currency: EUR", "thresholds.currency: unknown key"),
    ],
)
def test_a_pack_that_would_loosen_is_refused_with_its_line(
    config: Path, limits: str, told: str
) -> None:
    path = pack(config, "shop.yaml", f"thresholds:\n  {limits}\n")

    with pytest.raises(SetupError) as refused:
        load_policy(config, GROUPS)
    assert str(refused.value).startswith(f"{path}:2: {told}")


def test_a_pack_under_a_name_that_nobody_reads_is_told(config: Path) -> None:
    path = pack(config, "own.yml", "high_risk_commands: [launch]\n")

    with pytest.raises(SetupError) as refused:
        load_policy(config, GROUPS)
    assert str(refused.value) == f"{path}: is not read. Name it own.yaml."


def test_every_wrong_file_is_told_at_once_each_mistake_on_one_line(config: Path) -> None:
    pack(config, "a.yaml", "patterns: [")
    pack(config, "b.yaml", "high_risk_commands: ['  ']\nlevels: {}\n")
    pack(config, "c.yaml", "version: !!python/object:os.system x\n")
    (config / "environments.yaml").write_text("&a [*a]\n")

    with pytest.raises(SetupError) as refused:
        load_policy(config, GROUPS)
    lines = str(refused.value).splitlines()
    assert [Path(line.split(":")[0]).name for line in lines] == [
        "environments.yaml", "a.yaml", "b.yaml", "b.yaml", "c.yaml",
    ]  # fmt: skip
    assert ":1: this is not YAML: " in lines[1]
    assert ":1: high_risk_commands.0: " in lines[2]
    assert ":1: this is not YAML: " in lines[4]


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


def test_an_unknown_block_is_told_at_the_line_of_its_key(config: Path) -> None:
    path = config / "policy" / "own.yaml"
    path.write_text("rules:\n  - a\n")

    with pytest.raises(SetupError, match=f"{re.escape(str(path))}:1: rules: unknown key"):
        load_policy(config, GROUPS)
