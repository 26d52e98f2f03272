"""`holdpoint policy suggest`: what people's answers say, with the evidence, and nothing else."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.integration.ledger_files import entered, new_ledger
from tests.integration.verdict_stories import Office
from typer.testing import CliRunner

from holdpoint.cli.commands.policy import policy
from holdpoint.messages.answer import Choice

RUNNER = CliRunner()
YES, NO = Choice.PROCEED, Choice.CANCEL
ASKS, COUNTS = "seed-002.asks", "magnitude.records"


@pytest.fixture
def office(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Office:
    monkeypatch.setenv("HP_STATE_DIR", str(tmp_path / "state"))
    return Office()


def ledger_of(office: Office, folder: Path) -> str:
    url = new_ledger(folder)
    entered(url, office.entries)
    return url


def said(*words: str) -> str:
    result = RUNNER.invoke(policy, ["suggest", *words])
    assert result.exit_code == 0, result.output
    return result.output


def suggested(office: Office, folder: Path, *words: str) -> Any:
    return msgspec.json.decode(said("--ledger", ledger_of(office, folder), "--json", *words))


def asks(office: Office, *answers: Choice) -> None:
    for number, choice in enumerate(answers):
        about = office.says(f"Should I proceed with step {number}?")
        office.answered(about, choice, after_s=10 + number)


def sends(office: Office, counts: dict[int, Choice]) -> None:
    for count, choice in counts.items():
        office.answered(office.says(f"I will update {count} records."), choice)


def pays(office: Office, sums: dict[str, Choice]) -> None:
    for amount, choice in sums.items():
        office.answered(office.says(f"I will pay {amount} to Acme."), choice)


def test_what_was_refused_below_a_threshold_says_nothing_of_it(
    office: Office, tmp_path: Path
) -> None:
    """Another rule asked for that; its size was none of its dangers."""
    office.answered(office.says("I will update 12 records. Should I proceed?"), NO)
    sends(office, {300: YES, 400: YES, 500: YES})
    told = suggested(office, tmp_path, "--answers", "3")

    assert [one["threshold"] for one in told["thresholds"]] == ["thresholds.records"]
    assert told["thresholds"][0]["smallest_refused"] is None


def test_a_rule_that_people_never_refuse_is_named_with_its_evidence(
    office: Office, tmp_path: Path
) -> None:
    asks(office, YES, YES, YES)
    told = suggested(office, tmp_path, "--answers", "3")

    named = {one["rule"]: one for one in told["rules"]}
    assert named[ASKS]["answers"] == 3
    assert named[ASKS]["level"] == "high"
    assert (named[ASKS]["people"], named[ASKS]["median_s"]) == (1, 11.0)
    assert 1 <= named[ASKS]["alone"] <= 3


def test_a_rule_that_never_asked_by_itself_is_not_named(office: Office, tmp_path: Path) -> None:
    """Nobody would be asked less without it."""
    for number in range(150, 153):
        office.answered(office.says(f"I will update {number} records. Should I proceed?"), YES)
    told = suggested(office, tmp_path, "--answers", "3")

    assert (told["answers"], told["rules"]) == (3, [])


@pytest.mark.parametrize("answers", [(YES, YES), (YES, YES, YES, NO), (NO, NO, NO)])
def test_too_few_answers_or_one_refusal_suggest_nothing(
    office: Office, tmp_path: Path, answers: tuple[Choice, ...]
) -> None:
    asks(office, *answers)
    told = suggested(office, tmp_path, "--answers", "3")

    assert (told["rules"], told["thresholds"]) == ([], [])
    assert told["answers"] == len(answers)


def test_silence_is_no_answer(office: Office, tmp_path: Path) -> None:
    for number in range(3):
        office.says(f"Should I proceed with step {number}?")

    assert suggested(office, tmp_path, "--answers", "1")["answers"] == 0


def test_counts_are_raised_to_a_quantile_below_the_smallest_refused(
    office: Office, tmp_path: Path
) -> None:
    sends(office, {150: YES, 200: YES, 250: YES, 300: YES, 900: YES, 800: NO})
    told = suggested(office, tmp_path, "--answers", "4", "--quantile", "0.5")

    assert told["thresholds"] == [
        {
            "threshold": "thresholds.records",
            "now": "100",
            "suggested": "200",
            "answers": 4,
            "smallest_refused": "800",
        }
    ]


def test_a_threshold_with_few_answers_above_it_stays(office: Office, tmp_path: Path) -> None:
    sends(office, {150: YES, 200: YES, 120: NO})

    assert suggested(office, tmp_path, "--answers", "1")["thresholds"] == []


def test_amounts_are_compared_in_the_policys_currency(office: Office, tmp_path: Path) -> None:
    pays(office, {"$2000": YES, "3000 EUR": YES, "$1500": YES, "9000 XTS": NO})
    told = suggested(office, tmp_path, "--answers", "3", "--quantile", "1")

    (amount,) = told["thresholds"]
    assert (amount["threshold"], amount["now"]) == ("thresholds.amount", "1000.00")
    assert amount["suggested"] == "3240.00"
    assert amount["smallest_refused"] is None


def test_people_read_the_evidence_and_that_nothing_was_changed(
    office: Office, tmp_path: Path
) -> None:
    asks(office, YES, YES)
    sends(office, {150: YES, 200: YES})
    url = ledger_of(office, tmp_path)
    shown = " ".join(said("--ledger", url, "--answers", "2").split())

    assert f"{ASKS} (high) was never refused: 2 of 2 answers were a yes, by one person" in shown
    assert "thresholds.records could be 150 in place of 100: 2 answers above 100" in shown
    assert "none was ever refused" in shown
    assert "Nothing was changed." in shown
    assert "4 answers suggest nothing" in said("--ledger", url)
