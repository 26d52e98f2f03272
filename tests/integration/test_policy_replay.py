"""`holdpoint policy replay`: what a candidate changes, counted over a real ledger."""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import msgspec
import pytest
from tests.integration.ledger_files import entered, new_ledger
from tests.integration.ledger_stories import every_story
from tests.integration.verdict_stories import Office, the_catalog
from tests.unit.risk.builders import CONFIG, the_policy
from typer.testing import CliRunner

from holdpoint.cli.adopted_policy import remember
from holdpoint.cli.commands.policy import policy
from holdpoint.cli.output import CommandError
from holdpoint.cli.policy_files import policy_at
from holdpoint.ledger import verdicts
from holdpoint.ledger.engines import reader
from holdpoint.messages.action import Plan
from holdpoint.messages.answer import Choice
from holdpoint.policy_lab.corpus import CorpusError
from holdpoint.policy_lab.plot import plot
from holdpoint.policy_lab.replay import Counted, Replayed
from holdpoint.policy_lab.replay_input import Known, from_ledger
from holdpoint.runtime.config.settings import Settings

RUNNER = CliRunner()
PACK = """
patterns:
  - {id: own.report, pattern: 'the report', heuristic: magnitude, level: high,
     reason: it is about the report, must_fire: [the report]}
"""


@pytest.fixture(autouse=True)
def _nothing_adopted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HP_STATE_DIR", str(tmp_path / "state"))


@pytest.fixture
def url(tmp_path: Path) -> str:
    """Two sentences about the report, a removal that was asked about, a large read."""
    office = Office()
    office.says("I will write the report.")
    office.says("I will send the report to Bob.")
    office.answered(office.says("I will delete 150 files."), Choice.PROCEED, after_s=30)
    office.answered(office.says("I will delete 3000 files."), Choice.CANCEL, after_s=90)
    plan = Plan(affected=120, targets=("crm.users",), verb="update")
    sql = {"database": "crm", "sql": "UPDATE users SET a = 1 WHERE id < 120"}
    office.answered(office.proposes("execute_sql", sql, plan=plan), Choice.PROCEED, after_s=30)
    office.proposes("list_directory", {"path": "."}, reasoning="I look for the report.")
    ledger = new_ledger(tmp_path)
    entered(ledger, office.entries)
    return ledger


@pytest.fixture
def stricter(tmp_path: Path) -> Path:
    pack = tmp_path / "stricter.yaml"
    pack.write_text(PACK, "utf-8")
    return pack


def said(*words: str, code: int = 0) -> str:
    result = RUNNER.invoke(policy, ["replay", *words])
    assert result.exit_code == code, result.output
    return result.output


def replayed(candidate: Path, url: str, *words: str) -> Any:
    return msgspec.json.decode(
        said("--candidate", str(candidate), "--ledger", url, "--json", *words)
    )


def test_the_same_policy_changes_nothing_and_says_what_it_said(url: str) -> None:
    told = replayed(CONFIG, url)

    assert (told["judged"], told["unchanged"], told["not_reproduced"]) == (6, 6, 0)
    assert told["base"] == told["candidate"]


@pytest.mark.slow
def test_what_is_newly_halted_is_counted_by_rule_and_tool(url: str, stricter: Path) -> None:
    told = replayed(stricter, url)

    assert told["newly_halted"]["count"] == 2
    assert told["newly_halted"]["rules"] == [{"name": "own.report", "count": 2}]
    assert told["newly_halted"]["tools"] == [{"name": "say", "count": 2}]
    assert len(told["newly_halted"]["ids"]) == 2
    assert (told["newly_passed"]["count"], told["newly_denied"]["count"]) == (0, 0)
    assert told["unchanged"] == 4


def test_what_is_newly_passed_is_counted_by_the_rules_that_halted_it(
    url: str, stricter: Path
) -> None:
    settings = Settings()
    settings.state_dir.mkdir()
    remember(settings, policy_at(settings, stricter))
    told = replayed(CONFIG, url)

    assert told["newly_passed"]["count"] == 2
    assert told["newly_passed"]["rules"] == [{"name": "own.report", "count": 2}]
    assert told["newly_passed"]["tools"] == [{"name": "say", "count": 2}]
    assert told["newly_halted"]["count"] == 0


def test_peoples_minutes_are_the_median_of_their_answers(url: str, stricter: Path) -> None:
    told = replayed(stricter, url)

    assert told["minutes"] == {"each": 0.5, "answers": 3, "before": 1.5, "after": 2.5}


def test_without_an_answer_each_takes_a_minute(tmp_path: Path, stricter: Path) -> None:
    office = Office()
    office.says("I will write the report.")
    ledger = new_ledger(tmp_path, "unanswered")
    entered(ledger, office.entries)

    assert replayed(stricter, ledger)["minutes"] == {
        "each": 1.0,
        "answers": 0,
        "before": 0.0,
        "after": 1.0,
    }


def test_only_what_came_since_is_judged(url: str, stricter: Path) -> None:
    assert replayed(stricter, url, "--since", "2026-03-02")["judged"] == 0
    assert replayed(stricter, url, "--since", "2026-03-01T09:00:00")["judged"] == 6


def test_a_ledger_of_tools_that_are_gone_is_judged_as_unknown(tmp_path: Path) -> None:
    ledger = new_ledger(tmp_path, "others")
    entered(ledger, every_story())
    told = replayed(CONFIG, ledger)

    assert told["unchanged"] == told["judged"] == 7
    assert told["not_reproduced"] > 0


@pytest.mark.parametrize(
    ("tool", "arguments", "plan"),
    [
        (
            "execute_sql",
            {"database": "crm", "sql": "DELETE FROM users WHERE id = 3"},
            Plan(affected=1, targets=("crm.users",), verb="delete", reversible=False),
        ),
        (
            "insert_row",
            {"database": "scratch1", "table": "t", "values": {}},
            Plan(
                affected=1,
                targets=("scratch1.t",),
                verb="insert",
                reversible=True,
                environment_keys=("database:scratch1",),
            ),
        ),
        (
            "run_command",
            {"command": "rm -r /srv/scratch/a"},
            Plan(
                affected=200,
                targets=("/srv/scratch/a",),
                verb="delete",
                reversible=False,
                environment_keys=("path:/srv/scratch/a",),
            ),
        ),
        (
            "run_command",
            {"command": "make all"},
            Plan(
                verb="run",
                error="no dry run for this command",
                targets=("/srv/scratch/",),
                environment_keys=("path:/srv/scratch/",),
            ),
        ),
        ("run_command", {"command": "make all"}, None),
    ],
)
def test_a_dry_run_is_put_together_from_what_the_ledger_keeps(
    tmp_path: Path, tool: str, arguments: dict[str, Any], plan: Plan | None
) -> None:
    office = Office()
    judged = office.proposes(tool, arguments, plan=plan)
    ledger = new_ledger(tmp_path, "planned")
    entered(ledger, office.entries)
    engine = reader(ledger)
    with engine.begin() as connection:
        known = Known(the_catalog(), {}, {})
        (again,) = from_ledger(verdicts.judged(connection, None), known)
    engine.dispose()
    found = again.judged(the_policy()).assessment

    assert (found.level, found.signals) == (judged.assessment.level, judged.assessment.signals)
    assert (found.environment, found.reversible) == (
        judged.assessment.environment,
        judged.assessment.reversible,
    )
    assert again.planned is (plan is not None)


def test_what_an_agent_called_untrusted_is_judged_so_again(tmp_path: Path) -> None:
    office = Office()
    office.proposes("create_file", {"path": "a"}, taint=("/path",))
    ledger = new_ledger(tmp_path, "tainted")
    entered(ledger, office.entries)

    assert replayed(CONFIG, ledger)["not_reproduced"] == 0


def portions(office: Office, times: int) -> None:
    """Ninety rows each, one after the other; no portion is asked about for its own sake."""
    plan = Plan(affected=90, targets=("crm.users",), verb="insert", reversible=True)
    row = {"database": "crm", "table": "users", "values": {}}
    for _ in range(times):
        office.proposes("insert_row", row, plan=plan)


def with_limit(tmp_path: Path, records: int) -> Path:
    """The shipped policy with another limit for the sum of records."""
    text = (CONFIG / "policy" / "default.yaml").read_text("utf-8")
    assert 'limit: "500"' in text
    path = tmp_path / "default.yaml"
    path.write_text(text.replace('limit: "500"', f'limit: "{records}"'), "utf-8")
    return path


def test_a_candidate_that_sums_otherwise_is_replayed_with_its_sums(tmp_path: Path) -> None:
    office = Office()
    portions(office, 7)
    ledger = new_ledger(tmp_path, "portions")
    entered(ledger, office.entries)

    tighter = replayed(with_limit(tmp_path, 300), ledger)
    looser = replayed(with_limit(tmp_path, 600), ledger)

    assert (tighter["newly_halted"]["count"], tighter["newly_passed"]["count"]) == (2, 0), tighter
    assert tighter["newly_halted"]["rules"] == [{"name": "tally.records-agent", "count": 2}]
    assert (looser["newly_halted"]["count"], looser["newly_passed"]["count"]) == (0, 1)


def test_what_people_cancelled_is_in_no_sum(tmp_path: Path) -> None:
    office = Office()
    plan = Plan(affected=390, targets=("crm.users",), verb="update", reversible=True)
    sql = {"database": "crm", "sql": "UPDATE users SET a = 1 WHERE id < 390"}
    office.answered(office.proposes("execute_sql", sql, plan=plan), Choice.CANCEL, after_s=1)
    portions(office, 1)
    ledger = new_ledger(tmp_path, "cancelled")
    entered(ledger, office.entries)

    assert replayed(with_limit(tmp_path, 400), ledger)["newly_halted"]["count"] == 0


def test_untrusted_content_is_remembered_from_call_to_call(tmp_path: Path) -> None:
    office = Office()
    office.proposes("read_file", {"path": "a"})
    office.proposes("create_file", {"path": "b"})
    ledger = new_ledger(tmp_path, "steered")
    entered(ledger, office.entries)
    text = (CONFIG / "policy" / "default.yaml").read_text("utf-8")
    candidate = tmp_path / "default.yaml"
    candidate.write_text(text.replace("  tools: {} #", "  tools: {read_file: a file} #"), "utf-8")
    told = replayed(candidate, ledger)

    assert told["newly_halted"]["rules"] == [{"name": "taint.came-in", "count": 1}]
    assert told["newly_halted"]["tools"] == [{"name": "create_file", "count": 1}]


def test_the_ledger_is_only_read(url: str, stricter: Path) -> None:
    path = Path(url.removeprefix("sqlite+aiosqlite:///"))
    before = path.read_bytes()
    replayed(stricter, url)

    assert path.read_bytes() == before


def test_a_candidate_that_may_not_be_judged_by_is_refused(url: str, stricter: Path) -> None:
    stricter.write_text(PACK.replace("must_fire: [the report]", "must_fire: [silence]"), "utf-8")
    result = RUNNER.invoke(policy, ["replay", "--candidate", str(stricter), "--ledger", url])

    assert "does not fire on its own must_fire line" in str(result.exception)


def test_lines_stand_in_for_the_ledger(stricter: Path, tmp_path: Path) -> None:
    lines = tmp_path / "lines.jsonl"
    lines.write_text(
        '{"id": "a", "kind": "dialogue", "text": "I will write the report."}\n\n'
        '{"id": "b", "kind": "tool_call", "payload": {"tool": "x.get", "args": {}}}\n',
        "utf-8",
    )
    words = ("--candidate", str(stricter), "--jsonl", str(lines), "--base", str(CONFIG))
    told = msgspec.json.decode(said(*words, "--json"))

    assert told["judged"] == 2
    assert told["newly_halted"]["ids"] == ["a"]
    lines.write_text("nonsense\n", "utf-8")
    error = RUNNER.invoke(policy, ["replay", *words]).exception
    assert isinstance(error, CorpusError)
    assert error.code == "bad_line"


def test_without_a_ledger_it_says_what_to_set(stricter: Path) -> None:
    words = ["replay", "--candidate", str(stricter), "--ledger", "sqlite:////nowhere/at.db"]
    error = RUNNER.invoke(policy, words).exception

    assert isinstance(error, CommandError)
    assert "Set HP_LEDGER_URL or --ledger." in error.text


def test_people_read_counts_names_and_minutes(url: str, stricter: Path) -> None:
    shown = said("--candidate", str(stricter), "--ledger", url)

    assert re.match(r"6 judged by the base, 1 \(\w+\) and by the candidate, 1 \(\w+\)\n", shown)
    assert "newly halted        2\n  rules: own.report 2\n  tools: say 2\n" in shown
    assert "1.5 before, 2.5 after; 30 s each (the median of 3 answers)" in shown


def test_the_base_is_what_was_adopted_here(url: str, stricter: Path) -> None:
    settings = Settings()
    settings.state_dir.mkdir()
    remember(settings, policy_at(settings, stricter))
    told = replayed(stricter, url)

    assert (told["newly_halted"]["count"], told["newly_passed"]["count"]) == (0, 0)
    assert told["not_reproduced"] == 2


def test_a_picture_shows_names_as_text(url: str, stricter: Path) -> None:
    """Those of rules are checked, those of tools are whatever an agent once called."""
    told = msgspec.convert(replayed(stricter, url), Replayed)
    odd = msgspec.structs.replace(
        told.newly_halted, rules=[Counted(name="<b>&\u202e", count=2)], tools=[]
    )
    root = ET.fromstring(plot(msgspec.structs.replace(told, newly_halted=odd)))  # noqa: S314  # ours

    assert "<b>&\\u{202e}" in [each.text for each in root.iter()]


def test_a_picture_has_a_bar_for_each_rule(url: str, stricter: Path, tmp_path: Path) -> None:
    picture = tmp_path / "replay.svg"
    replayed(stricter, url, "--plot", str(picture))
    root = ET.fromstring(picture.read_text("utf-8"))  # noqa: S314  # our own file
    texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]

    assert texts[0] == "6 judged again, 4 unchanged"
    assert re.fullmatch(r"base 1 \(\w{12}\) and by the candidate, 1 \(\w{12}\)", str(texts[1]))
    assert texts[2:-1] == [
        "newly halted", "2", "own.report", "2", "newly passed", "0", "newly denied", "0",
        "people's minutes before", "1.5", "people's minutes after", "2.5",
    ]  # fmt: skip
    assert texts[-1] == (
        "People's minutes: 1.5 before, 2.5 after; 30 s each (the median of 3 answers)"
    )
    assert len(list(root.iter("{http://www.w3.org/2000/svg}rect"))) == 4


def test_a_picture_that_cannot_be_written_is_told(url: str, tmp_path: Path) -> None:
    words = ["replay", "--candidate", str(CONFIG), "--ledger", url, "--plot", str(tmp_path)]
    error = RUNNER.invoke(policy, words).exception

    assert isinstance(error, CommandError)
    assert error.code == "unwritable_file"
