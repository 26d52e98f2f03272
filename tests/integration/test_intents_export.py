"""`holdpoint intents export`: sentences with what became of them, and no secret in any of them."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.integration.ledger_bus import AGENT
from tests.integration.ledger_files import entered, new_ledger
from tests.integration.ledger_stories import approved, every_story
from tests.integration.verdict_stories import Office
from typer.testing import CliRunner

from holdpoint.cli.app import app_for
from holdpoint.cli.commands.intents import intents
from holdpoint.cli.output import CommandError
from holdpoint.core.redaction.display import MASK, MOST_SECRETS
from holdpoint.messages import call
from holdpoint.messages.answer import Choice
from holdpoint.messages.risk import IntentClaim, Scope

RUNNER = CliRunner()
WORD = "Tr0ub4dor & 3's"


def exported(url: str, *words: str) -> str:
    result = RUNNER.invoke(app_for(["intents"]), ["intents", "export", "--ledger", url, *words])
    assert result.exit_code == 0, result.output
    return result.output


def examples(office: Office, folder: Path, *words: str) -> list[Any]:
    url = new_ledger(folder)
    entered(url, office.entries)
    return [msgspec.json.decode(line) for line in exported(url, *words).splitlines()]


def test_each_sentence_comes_with_its_metadata_outcome_and_rule(tmp_path: Path) -> None:
    office = Office()
    office.says("I looked at the three reports.")
    office.answered(office.says("I will update 150 records."), Choice.CANCEL)
    office.says("Should I proceed?")
    harmless, refused, waiting = examples(office, tmp_path)

    assert (harmless["outcome"], harmless["rule"], harmless["rules"]) == ("pass", "", [])
    assert refused["sentence"] == "I will update 150 records."
    assert refused["metadata"] == {
        "confirmation_required": True,
        "risk_level": "high",
        "action_type": "batch_update",
        "scope": {"records": 150, "type": "records"},
    }
    assert (refused["outcome"], refused["rule"]) == ("cancelled", "magnitude.records")
    assert (waiting["outcome"], waiting["rule"]) == ("open", "seed-002.asks")
    assert waiting["agent"] == AGENT


def test_calls_are_no_examples(tmp_path: Path) -> None:
    url = new_ledger(tmp_path)
    entered(url, every_story())
    lines = [msgspec.json.decode(line) for line in exported(url, "--json").splitlines()]

    assert [one["outcome"] for one in lines] == ["confirmed"]


@pytest.mark.parametrize(
    "written",
    [WORD, WORD.upper(), WORD.replace("'", "''"), "Tr0ub4dor%20%26%203%27s"],
)
@pytest.mark.parametrize("where", ["claim", "call", "refused call", "tool that is gone", "nested"])
def test_no_secret_of_an_argument_appears(tmp_path: Path, written: str, where: str) -> None:
    office = Office()
    sentence = f"I will log in with {written} and delete 12 files."
    match where:
        case "claim":
            office.says(sentence, {"type": "login", "password": WORD})
        case "call":
            sql = {"database": "crm", "sql": "SELECT 1", "parameters": {"api_key": WORD}}
            office.says(sentence)
            office.proposes("query_database", sql)
        case "refused call":
            office.says(sentence)
            office.call(call.Propose(tool="login", arguments={"token": WORD}), "propose")
        case "tool that is gone":
            office.says(sentence)
            office.call(call.Propose(tool="gone", arguments={"words": [WORD]}), "propose")
        case _:
            office.says(sentence, {"steps": [{"auth": {"accessToken": [WORD]}}]})
    (told,) = examples(office, tmp_path)

    assert told["sentence"] == f"I will log in with {MASK} and delete 12 files."
    assert "ub4dor" not in str(told).casefold()


def test_what_an_agent_calls_its_action_is_covered_too(tmp_path: Path) -> None:
    office = Office()
    scope = Scope(records=3, type=WORD)
    claim = IntentClaim(confirmation_required=True, action_type=WORD, scope=scope)
    office.says("I will think.", {"password": WORD}, claim)
    (told,) = examples(office, tmp_path)

    assert (told["metadata"]["action_type"], told["metadata"]["scope"]["type"]) == (MASK, MASK)
    assert WORD not in str(told)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("the api key: 9f8e7d6c5b4a39281706f5e4d3c2b1a0", f"the api key: {MASK}"),
        (
            "sk-live-ABCDEF1234567890abcdef and password hunter2secret",
            f"{MASK} and password {MASK}",
        ),
        ('secret: "correct horse battery staple"', f"secret: {MASK}"),
        ("PASSWORD='one two'", f"PASSWORD={MASK}"),
        ("the password is Winter2026!", f"the password is {MASK}"),
        ("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", MASK),
        ("that the pw is swordfish", f"that the pw is {MASK}"),
        ("the passphrase is required", "the passphrase is required"),
        ("card 4111-1111-1111-1111", f"card {MASK}"),
        ("order 4111-1111-1111-1112", "order 4111-1111-1111-1112"),
        ("mails for 300 users who lost a password", "mails for 300 users who lost a password"),
        ("page 12 of /srv/2026-11-22/backup-of-1", "page 12 of /srv/2026-11-22/backup-of-1"),
    ],
)
def test_what_a_sentence_calls_a_secret_or_looks_like_one_is_covered(
    tmp_path: Path, said: str, told: str
) -> None:
    office = Office()
    office.says(f"I will write {said} down.")
    (one,) = examples(office, tmp_path)

    assert one["sentence"] == f"I will write {told} down."


def test_many_secrets_cover_no_whole_text(tmp_path: Path) -> None:
    office = Office()
    office.says("I will write the report.")
    many = {f"password{number}": f"word-number-{number}" for number in range(3 * MOST_SECRETS)}
    office.call(call.Propose(tool="list_directory", arguments=many), "propose")
    office.says(f"I know word-number-{2 * MOST_SECRETS}.")
    first, last = examples(office, tmp_path)

    assert first["sentence"] == "I will write the report."
    assert last["sentence"] == f"I know {MASK}."


def test_only_what_came_since_is_told(tmp_path: Path) -> None:
    office = Office()
    approved(office, "sentence", on_sentence=True)

    assert examples(office, tmp_path, "--since", "2026-03-02") == []


def test_without_a_ledger_it_says_what_to_set() -> None:
    error = RUNNER.invoke(intents, ["export", "--ledger", "sqlite:////nowhere/at.db"]).exception

    assert isinstance(error, CommandError)
    assert error.code == "unreadable_ledger"
