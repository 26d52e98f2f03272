"""`holdpoint policy check`: failures end with 1, warnings with 0."""

import re
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from tests.unit.risk.builders import CONFIG
from typer.testing import CliRunner

from holdpoint.cli.adopted_policy import remember
from holdpoint.cli.commands.policy import policy
from holdpoint.cli.policy_files import policy_at
from holdpoint.core.digest import policy_digest
from holdpoint.policy_lab.corpus import CorpusError
from holdpoint.runtime.config.settings import Settings

RUNNER = CliRunner()
SHADOWED = """
patterns:
  - {id: own.boom, pattern: boom, heuristic: magnitude, level: high, reason: it explodes,
     must_fire: [a boom, big boom], must_not: [quiet]}
  - {id: own.big, pattern: big boom, heuristic: magnitude, level: high, reason: it explodes,
     must_fire: [big boom]}
"""
OWN_RULES = """
commands:
  acmectl:
    rules:
      - {subcommands: [wipe], fires: [acmectl wipe],
         danger: {id: own.wipe, level: high, reason: wipes}}
sql:
  - {verbs: DELETE, match: [DELETE FROM INVOICES], fires: [delete from invoices],
     danger: {id: own.invoices, level: critical, reason: deletes invoices}}
"""


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pack of its own in a configuration of its own."""
    shutil.copytree(CONFIG, tmp_path / "config")
    monkeypatch.setenv("HP_CONFIG_DIR", str(tmp_path / "config"))
    pack = tmp_path / "config" / "policy" / "own.yaml"
    pack.write_text(SHADOWED, "utf-8")
    return pack


def checked(*words: str, code: int = 0) -> Any:
    result = RUNNER.invoke(policy, ["check", "--json", *words])
    assert result.exit_code == code, result.output
    return msgspec.json.decode(result.output)


@pytest.mark.usefixtures("pack")
def test_a_draft_is_checked_before_it_is_in_force(tmp_path: Path) -> None:
    draft = tmp_path / "draft.yaml"
    draft.write_text("commands: {x: {rules: [{subcommands: [a], places: root}]}}\n")
    found = checked("--policy", str(draft), code=1)

    assert {one["file"] for one in found["problems"]} == {str(draft)}
    assert not any("it is empty" in one["text"] for one in found["problems"])
    draft.write_text(SHADOWED.replace("own.", "draft."), "utf-8")
    assert checked("--policy", str(draft))["rules"] == checked()["rules"] + 2


def test_a_silent_line_on_which_a_rule_of_the_engine_fires_is_wrong(pack: Path) -> None:
    rule = "{subcommands: [x], danger: {id: own.x, level: high, reason: does x}, fires: [CLI x]}"
    for name, line, code in (("kubectl", "kubectl delete ns prod", 1), ("acmectl", "acmectl a", 0)):
        tool = f"{{silent: [{line}], rules: [{rule.replace('CLI', name)}]}}"
        pack.write_text(f"commands: {{{name}: {tool}}}\n")
        told = [one["text"] for one in checked(code=code)["problems"]]
        assert all("of the engine fires on its own silent line" in one for one in told)
        assert bool(told) is bool(code)


def about(found: Any, kind: str) -> dict[str, Any]:
    return {one["rule"]: one for one in found["warnings"] if one["kind"] == kind}


def test_a_shadow_is_a_warning_not_a_failure(pack: Path) -> None:
    assert pack.exists()
    found = checked()

    assert found["ok"]
    assert about(found, "shadowed")["own.big"]["by"] == ["own.boom"]
    assert "own.boom" not in about(found, "shadowed")
    assert found["lines"] > found["rules"] > 2


def test_a_rule_that_fires_on_everything_is_told_once(pack: Path) -> None:
    """And not again for each rule that it stands before; other shadows are told as before."""
    pack.write_text(
        SHADOWED.replace("pattern: boom", "pattern: .").replace(", must_not: [quiet]", ""), "utf-8"
    )
    found = checked()["warnings"]

    assert [one["rule"] for one in found if one["kind"] == "everything"] == ["own.boom"]
    assert "own.boom fires on everything: it stands before " in found[0]["text"]
    assert not any("own.boom" in one["by"] for one in found)


@pytest.mark.parametrize("own", ["shell.rm", "sql.drop", "call.final", "doubt.acts", "tally.a"])
def test_a_rule_may_not_have_the_id_of_one_of_the_engines(pack: Path, own: str) -> None:
    pack.write_text(SHADOWED.replace("own.big", own), "utf-8")

    (problem,) = checked(code=1)["problems"]

    assert (problem["file"], problem["place"]) == (str(pack), "5")
    assert f"pattern {own}: the engine's own rules have such ids" in problem["text"]


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ("must_not: [quiet]", "must_not: [kaboom]", "fires on its own must_not line"),
        ("must_fire: [big boom]", "must_fire: [hush]", "does not fire on its own must_fire line"),
        ("pattern: big boom", "pattern: '(?=boom)'", "RE2 refuses it: invalid perl operator: (?="),
        (
            "reason: it explodes,\n     must_fire: [big",
            'reason: "a\\nb",\n     must_fire: [big',
            "a reason is one line",
        ),
        ("id: own.big", "id: own big", "an id is made of"),
    ],
)
def test_a_rule_that_breaks_its_own_lines_is_a_failure(
    pack: Path, was: str, now: str, told: str
) -> None:
    pack.write_text(SHADOWED.replace(was, now), "utf-8")
    found = checked(code=1)

    assert [told in one["text"] for one in found["problems"]] == [True]
    assert found["problems"][0]["file"] == str(pack)
    assert found["problems"][0]["place"] in {"3", "5"}
    assert found["warnings"] == []


def test_each_problem_is_told_at_the_line_of_its_own_rule(pack: Path) -> None:
    """Also where another rule's id begins alike, or stands in a comment."""
    alike = SHADOWED.replace("id: own.boom", "id: own.big-boom")
    pack.write_text(f"# id: own.big\n{alike}".replace("must_fire: [big boom]", "must_fire: [x]"))

    (problem,) = checked(code=1)["problems"]

    assert (problem["file"], problem["place"]) == (str(pack), "6")
    assert problem["text"].startswith("pattern own.big: does not fire on its own")


def test_an_id_that_two_files_use_is_told_with_both_places(pack: Path) -> None:
    beside = pack.with_name("zz.yaml")
    beside.write_text(SHADOWED.replace("own.big", "own.other"), "utf-8")

    (problem,) = checked(code=1)["problems"]

    assert (problem["file"], problem["place"]) == (str(pack), "3")
    assert problem["text"].endswith(f"rename one (also {beside}:3)")


@pytest.mark.parametrize(
    ("was", "now", "about"),
    [
        ("grant_s: 300", "grant_s: 301", "grant_s"),
        ("proofs: [chat]", "proofs: [totp, totp]", "proofs"),
        ("voices: 1", "voices: 7", "all_of"),
        ("  high: 3", "  high: 9", "risk_levels"),
        ('GBP: "1.27"', 'GBP: "0"', "GBP"),
        ('GBP: "1.27"', 'GBP: "-1.27"', "GBP"),
        ('GBP: "1.27"', 'GBP: "+1.27"', "GBP"),
        ("window_s: 3600 # at least", "window_s: 10 # at least", "window_s"),
        ("id: records-agent", "id: amount-agent", "tallies"),
        ("window_s: 3600", "window_s: 5", "window_s"),
    ],
)
def test_a_problem_of_the_main_file_is_told_with_its_line(
    pack: Path, was: str, now: str, about: str
) -> None:
    main = pack.with_name("default.yaml")
    text = main.read_text("utf-8")
    assert was in text
    main.write_text(text.replace(was, now, 1), "utf-8")

    (problem,) = checked(code=1)["problems"]

    assert problem["file"] == str(main)
    assert about in problem["text"]
    line = main.read_text("utf-8").splitlines()[int(problem["place"]) - 1]
    assert now in line or about in {"risk_levels", "tallies"}, line


def test_what_all_files_weigh_together_is_blamed_on_none_of_them(pack: Path) -> None:
    rule = (
        "  - {{id: own.r{at}, pattern: zq{at}{tail}, heuristic: magnitude, level: high, "
        "reason: it explodes, must_fire: [zq{at}{tail}]}}\n"
    )
    many = "".join(rule.format(at=at, tail="x" * 900) for at in range(120))
    pack.write_text(f"patterns:\n{many}", "utf-8")

    (problem,) = checked(code=1)["problems"]

    assert (problem["file"], problem["place"]) == (str(pack.parent), "")
    assert "cannot be adopted" in problem["text"]


def test_people_who_cannot_be_read_are_told_and_no_level_is_blamed(pack: Path) -> None:
    people = pack.parents[1] / "people.yaml"
    people.write_text("people: [", "utf-8")

    (problem,) = checked(code=1)["problems"]

    assert problem["file"] == str(people)


def test_a_pack_that_would_loosen_is_a_failure(pack: Path) -> None:
    pack.write_text(f"{SHADOWED}\nthresholds: {{records: 1000}}\n", "utf-8")

    (problem,) = checked(code=1)["problems"]

    assert (problem["file"], problem["place"]) == (str(pack), "8")
    assert "1000 is looser than the 100 of default.yaml" in problem["text"]


def told_of(found: Any, kind: str) -> list[str]:
    return [one["text"] for one in found["warnings"] if one["kind"] == kind]


def test_the_shipped_policy_has_nothing_odd(pack: Path) -> None:
    pack.unlink()
    kinds = {one["kind"] for one in checked()["warnings"]}

    assert kinds <= {"shadowed"}, kinds


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "text", "twin"),
    [
        ("everything", 'high_risk_commands: ["a"]', 'high_risk_commands: ["mylaunch"]'),
        ("everything", 'high_risk_commands: [" rm "]', 'high_risk_commands: ["rm -rf /x"]'),
        ("everything", "high_risk_commands: [morning]", "high_risk_commands: [evening]"),
        ("everything", "high_risk_commands: [table]", "high_risk_commands: [flushall]"),
        ("everything", "high_risk_commands: [Restart]", "high_risk_commands: [acmectl restart]"),
        ("asks_nobody", SHADOWED.replace("level: high", "level: low"), SHADOWED),
        ("asks_nobody", SHADOWED.replace("level: high", "level: medium"), SHADOWED),
        ("asks_nobody", OWN_RULES.replace("level: high", "level: low", 1), OWN_RULES),
        ("asks_nobody", OWN_RULES.replace("level: critical", "level: low"), OWN_RULES),
        (
            "parsed",
            SHADOWED.replace("level: high", "commands: true, level: high"),
            SHADOWED,
        ),
        (
            "tool_name",
            SHADOWED.replace("pattern: boom", r"pattern: '\bcrm\.delete_boom\b'").replace(
                "[a boom, big boom]", "[crm.delete_boom]"
            ),
            SHADOWED,
        ),
    ],
)
def test_what_can_never_be_meant_is_warned_of(pack: Path, kind: str, text: str, twin: str) -> None:
    pack.write_text(text, "utf-8")
    found = told_of(checked(), kind)
    pack.write_text(twin, "utf-8")

    assert found
    assert told_of(checked(), kind) == []


def test_a_rule_about_commands_that_the_parse_knows_is_none_of_those(pack: Path) -> None:
    rule = SHADOWED.replace("pattern: boom", "pattern: rm -rf /var, commands: true").replace(
        "must_fire: [a boom, big boom], must_not: [quiet]", "must_fire: [rm -rf /var]"
    )
    pack.write_text(rule, "utf-8")

    assert told_of(checked(), "parsed") == []


KUBE = SHADOWED.replace("pattern: boom", "pattern: kubectl get secret")


@pytest.mark.parametrize(
    ("was", "warned"),
    [
        ("kubectl get secret db", True),
        ("sudo kubectl get secret db", True),
        ("I print it: kubectl get secret db", False),
        ("kubectl get secret db && kubectl delete secret db", False),
    ],
)
def test_a_rule_for_a_command_that_only_reads_is_warned_of(
    pack: Path, was: str, warned: bool
) -> None:
    """No gate would ask anybody by it."""
    rule = KUBE.replace("must_fire: [a boom, big boom]", f"must_fire: ['{was}']")
    pack.write_text(rule, "utf-8")
    found = told_of(checked(), "reads")

    assert bool(found) is warned, found
    assert all(f"own.boom is silent on its must_fire line “{was}”" in one for one in found)


def test_of_twins_one_is_to_stay(pack: Path) -> None:
    """Who removed each that is named would have no protection left."""
    pack.write_text(SHADOWED.replace("must_fire: [a boom, big boom]", "must_fire: [big boom]"))
    texts = told_of(checked(), "shadowed")

    said = "own.boom and own.big fire on each other's must_fire lines"
    assert [text.startswith(said) for text in texts if "own.b" in text] == [True]
    assert not any("own.b" in text and "or remove it" in text for text in texts)


def test_a_policy_without_a_rule_is_warned_of(pack: Path) -> None:
    assert told_of(checked(), "no_rules") == []
    for other in pack.parent.glob("*.yaml"):
        if other.name != "default.yaml":
            other.unlink()
    main = pack.with_name("default.yaml")
    written = yaml.safe_load(main.read_text("utf-8")) | {"patterns": []}
    main.write_text(yaml.safe_dump(written), "utf-8")
    found = checked()

    assert found["rules"] == 0
    (text,) = told_of(found, "no_rules")
    assert text.startswith("There is no rule in any file")


def test_a_slip_in_a_tool_is_warned_of(pack: Path) -> None:
    main = pack.with_name("default.yaml")
    text = main.read_text("utf-8")
    assert "tools: {}" in text
    main.write_text(text.replace("tools: {}", "tools: {fetch_pge: mail}"), "utf-8")

    (tool,) = told_of(checked(), "unknown_tool")
    assert "no domain has a tool fetch_pge" in tool


def test_a_sound_policy_is_named_with_its_packs(pack: Path) -> None:
    pack.write_text(f"version: '2026-11'\n{SHADOWED}", "utf-8")
    found = checked()

    assert (found["policy"]["version"], len(found["policy"]["digest"])) == ("1", 64)
    assert found["packs"] == ["own 2026-11", "seed-002 1", "speech 1"]
    shown = " ".join(RUNNER.invoke(policy, ["check"]).output.split())
    digest = found["policy"]["digest"][:12]
    assert f"version 1 (digest {digest}), with the packs own 2026-11, seed-002 1" in shown


def test_a_version_that_was_adopted_with_other_rules_is_told(
    pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change in a pack alone leaves the main file's version as it was."""
    monkeypatch.setenv("HP_STATE_DIR", str(tmp_path / "state"))
    settings = Settings()
    settings.state_dir.mkdir()
    adopted = policy_at(settings, None)
    remember(settings, adopted)
    assert about(checked(), "same_version") == {}
    pack.write_text(SHADOWED.replace("big boom]", "big boom, BIG boom]"), "utf-8")
    found = checked()

    (warning,) = (one for one in found["warnings"] if one["kind"] == "same_version")
    assert "Two policies would be called version 1" in warning["text"]
    assert policy_digest(adopted)[:12] in warning["text"]
    assert found["policy"]["digest"][:12] in warning["text"]
    main = pack.with_name("default.yaml")
    main.write_text(main.read_text("utf-8").replace('version: "1"', 'version: "2"'), "utf-8")
    assert not any(one["kind"] == "same_version" for one in checked()["warnings"])


def test_rules_that_never_fire_on_a_corpus_are_named(pack: Path, tmp_path: Path) -> None:
    assert pack.exists()
    corpus = tmp_path / "corpus" / "inner"
    corpus.mkdir(parents=True)
    text = (
        '{"id": "1", "kind": "dialogue", "text": "And then: boom.", "label": "high"}\n\nno line\n'
    )
    (corpus / "some.jsonl").write_text(text, "utf-8")
    found = checked("--corpus", str(tmp_path / "corpus"))

    silent = about(found, "never_fired")
    assert "own.boom" not in silent
    assert silent["own.big"]["text"].startswith("own.big fired on none of 1 lines")
    assert about(found, "unreadable")[""]["text"].startswith("1 of 2 lines")


def test_people_read_of_all_rules_that_never_fired_in_one_line(pack: Path, tmp_path: Path) -> None:
    assert pack.exists()
    (tmp_path / "some.jsonl").write_text('{"id": "1", "kind": "shell", "text": "ls"}\n', "utf-8")
    shown = RUNNER.invoke(policy, ["check", "--corpus", str(tmp_path)]).output

    assert shown.count("fired on") == 1
    assert re.search(r"fired on no line of the corpus: .*\bown\.big\b", shown, re.DOTALL)


def test_a_corpus_without_a_file_is_told(tmp_path: Path) -> None:
    result = RUNNER.invoke(policy, ["check", "--corpus", str(tmp_path)])

    assert isinstance(result.exception, CorpusError)
    assert result.exception.code == "no_corpus"


def test_people_read_each_warning_and_that_it_may_be_judged_by(pack: Path) -> None:
    assert pack.exists()
    shown = RUNNER.invoke(policy, ["check"]).output.replace("\n", "")

    assert "own.big decides on none of its must_fire lines: own.boom fires on each" in shown
    assert "The policy is fit for use: " in shown
