"""`holdpoint audit` answers people and programs, with exit codes that a script can use."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import select
from tests.integration.ledger_bus import AGENT, TENANT, Bus
from tests.integration.ledger_files import (
    ORIGIN,
    PUBLIC_KEY,
    asked,
    attested,
    entered,
    new_ledger,
)
from tests.integration.ledger_stories import approved, cancelled, every_story, halted
from typer.testing import CliRunner

from holdpoint.audit.verify import verify
from holdpoint.cli.commands.audit import audit
from holdpoint.cli.ledger_names import agent_of_hold
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.core.checkpoint import verifier_key
from holdpoint.ledger.checkpoints import every_checkpoint
from holdpoint.ledger.engines import file_of
from holdpoint.ledger.exceptions import Kind
from holdpoint.ledger.tables import events
from holdpoint.messages.hold import Refused
from holdpoint.messages.reading import LedgerRead
from holdpoint.messages.subjects import read_subject, refusal_subject
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security import keys

STORIES = every_story()
RUNNER = CliRunner()
WIDE = {"COLUMNS": "240"}


@pytest.fixture
def url(tmp_path: Path) -> str:
    ledger = new_ledger(tmp_path)
    entered(ledger, STORIES[:20], STORIES[20:], attest=attested)
    return ledger


def said(*words: str, code: int = 0) -> str:
    result = RUNNER.invoke(audit, [*words], env=WIDE)
    if isinstance(result.exception, CommandError):
        assert result.exception.exit_code == code, result.exception.text
        return result.exception.text
    if isinstance(result.exception, SetupError):
        assert code is ExitCode.SETUP, result.exception
        return str(result.exception)
    assert result.exit_code == code, result.output
    return result.output


def test_a_hold_is_shown_with_its_whole_story(url: str) -> None:
    shown = said("query", "--hold", "holdcancelled0", "--ledger", url)

    assert "Not today." in shown
    assert shown.index(" propose ") < shown.index(" halt ") < shown.index(" resume ")


def test_a_hold_is_named_by_its_beginning(url: str) -> None:
    found = said("query", "--hold", "holdcanc", "--json", "--ledger", url)

    ids = {each["hold_id"] for each in msgspec.json.decode(found)["confirmation_events"]}
    assert ids == {"holdcancelled0"}


@pytest.mark.parametrize(
    ("prefix", "code"),
    [
        ("zzzz", ExitCode.NOT_FOUND),
        ("holdcancelled0and", ExitCode.NOT_FOUND),
        ("hold", ExitCode.NOT_FOUND),
        ("hol", ExitCode.USAGE),
    ],
)
@pytest.mark.parametrize("more", [(), ("--exceptions",)])
def test_a_beginning_that_names_no_single_hold_is_told(
    url: str, prefix: str, code: ExitCode, more: tuple[str, ...]
) -> None:
    result = RUNNER.invoke(audit, ["query", "--hold", prefix, *more, "--ledger", url], env=WIDE)

    assert isinstance(result.exception, CommandError)
    assert result.exception.exit_code is code


def test_a_refusal_is_shown_with_its_code_and_reason(tmp_path: Path) -> None:
    bus = Bus()
    told = Refused(
        principal="robot", cause="CALLS:1", code="unknown_tool", text="There is no such tool."
    )
    bus.say("HOLDS", refusal_subject(TENANT, told.principal, told.cause), told, None)
    ledger = new_ledger(tmp_path, "refused")
    entered(ledger, bus.entries)

    assert "unknown_tool: There is no such tool." in said("query", "--ledger", ledger)
    events = msgspec.json.decode(said("query", "--json", "--ledger", ledger))["events"]
    assert [(each["code"], each["reason"]) for each in events if each["code"]] == [
        ("unknown_tool", "There is no such tool.")
    ]


def test_an_empty_ledger_is_told_in_one_line(tmp_path: Path) -> None:
    ledger = new_ledger(tmp_path, "empty")

    assert said("query", "--ledger", ledger) == "Nothing in the ledger fits.\n"


def test_programs_get_json(url: str) -> None:
    printed = said("query", "--outcome", "expired", "--json", "--ledger", url)
    answer = msgspec.json.decode(printed)
    (event,) = answer["confirmation_events"]

    assert (event["hold_id"], event["user_response"], event["answered"]) == (
        "holdexpired0",
        False,
        False,
    )
    assert {each["hold_id"] for each in answer["events"]} == {"holdexpired0"}


def test_a_time_without_a_zone_is_utc(url: str) -> None:
    span = ("--since", "2026-03-01T09:00:08", "--until", "2026-03-01T10:00:14+01:00")
    answer = msgspec.json.decode(said("query", *span, "--json", "--ledger", url))

    assert len(answer["events"]) == 6


def test_what_is_cut_off_is_said(url: str) -> None:
    assert "There may be more" in said("query", "--limit", "3", "--ledger", url)


def test_exceptions_are_an_exit_code_of_their_own(url: str, tmp_path: Path) -> None:
    bus = Bus()
    approved(bus, "idle")
    other = new_ledger(tmp_path, "other")
    entered(other, bus.entries)

    assert "Exceptions: 0" in said("query", "--exceptions", "--ledger", url)
    found = said("query", "--exceptions", "--ledger", other, code=1)
    assert "approved_not_executed" in found


def test_every_kind_of_exception_is_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "cli.md").read_text()

    assert [kind for kind in Kind if f"| `{kind}` |" not in text] == []


def test_what_agents_wrote_does_not_drive_the_terminal(tmp_path: Path) -> None:
    bus = Bus()
    cancelled(bus)
    evil = [
        msgspec.structs.replace(
            entry, body=entry.body.replace(b"Not today.", b"[red]\\u001b[2J\\u202eyes")
        )
        for entry in bus.entries
    ]
    ledger = new_ledger(tmp_path, "evil")
    entered(ledger, evil)
    shown = said("query", "--ledger", ledger)

    assert r"[red]\x1b[2J\u{202e}yes" in shown


def test_verify_takes_back_the_checkpoint_that_it_shows(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HP_STATE_DIR", str(tmp_path / "nowhere"))
    key = verifier_key(ORIGIN, PUBLIC_KEY)
    held, forged = tmp_path / "held", tmp_path / "forged"
    held.write_text(f"torn\n{verify(url).checkpoint}")
    forged.write_text(attested(3, bytes(32)))
    options = ("--key", key, "--ledger", url)

    shown = said("verify", "--tree", "--checkpoint", str(held), *options)
    assert verify(url).checkpoint in shown
    assert "All as it was written." in shown
    shown = said("verify", "--tree", "--checkpoint", str(forged), *options, code=1)
    assert "held: checkpoint of 3 signs another root" in shown
    said("verify", "--checkpoint", str(held), "--ledger", url, code=2)
    said("verify", "--checkpoint", str(tmp_path / "none"), *options, code=2)


def test_a_hold_names_its_agent(url: str, tmp_path: Path) -> None:
    assert agent_of_hold(url, "HOLDcancelled0") == AGENT
    assert agent_of_hold(url, "hol") == agent_of_hold(url, "zzzz") == ""
    assert agent_of_hold(f"sqlite:///{tmp_path}/none.db", "holdcancelled0") == ""


def test_an_option_that_would_be_ignored_is_an_error(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HP_STATE_DIR", str(tmp_path / "nowhere"))
    key, other = (verifier_key(ORIGIN, it) for it in (PUBLIC_KEY, bytes(32)))
    proof, pack, note = str(tmp_path / "event.json"), tmp_path / "pack.zip", tmp_path / "note"
    said("prove", "5", "--out", proof, "--key", key, "--ledger", url)
    pack.write_bytes(b"PK")
    note.write_text(verify(url).checkpoint)

    said("verify", "--key", key, "--ledger", url, code=4)
    assert "checkpoint" in said("verify", "--key", other, "--ledger", url, code=1)
    for words in (
        ("verify", "--key", "now"),
        ("verify", "--key", key, "--key", "now"),
        ("verify", "--keys", str(tmp_path)),
        ("prove", "5", "--key", "now"),
        ("consistency", str(note), str(note), "--key", "now"),
    ):
        said(*words, "--ledger", url, code=2)
    for options in (
        (str(note),),
        (proof, "--key", "now"),
        (proof, "--keys", str(tmp_path)),
        (proof, "--tree"),
        (proof, "--ledger", url),
        (proof, "--checkpoint", str(note)),
        (str(pack), "--key", key),
        (str(pack), "--keys", str(tmp_path / "none")),
    ):
        said("verify", *options, code=2)


def test_a_proof_is_checked_with_nothing_else(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HP_STATE_DIR", str(tmp_path / "nowhere"))
    key = verifier_key(ORIGIN, PUBLIC_KEY)

    said("prove", "5", "--key", key, "--ledger", url)
    assert "Event 5: " in said("verify", "event-5.json", "--key", key)
    assert "The file itself names the key" in said("verify", "event-5.json")
    proof = msgspec.json.decode(Path("event-5.json").read_bytes())
    for name, other in (("event", 6), ("path", proof["path"][1:]), ("body", "e30=")):
        Path("other.json").write_bytes(msgspec.json.encode({**proof, name: other}))
        said("verify", "other.json", "--key", key, code=1)
    fields = {**proof["fields"], "subject": "hp.acme.other"}
    Path("other.json").write_bytes(msgspec.json.encode({**proof, "fields": fields}))
    assert "not in the ledger" in said("verify", "other.json", "--key", key, code=1)


def test_an_event_is_named_by_its_message_as_well(url: str, tmp_path: Path) -> None:
    source = asked(url, lambda it: it.execute(select(events).where(events.c.seq == 5)).one())
    name = f"{source.src_stream}:{source.src_seq}"
    key = verifier_key(ORIGIN, PUBLIC_KEY)
    for place, each in enumerate((name, name.replace("HP_", "").replace("_acme", ""))):
        out = str(tmp_path / f"{place}.json")
        shown = said("prove", each, "--out", out, "--key", key, "--ledger", url)
        assert "Proof of event 5" in shown


def test_one_checkpoint_continues_the_other_or_not(url: str, tmp_path: Path) -> None:
    notes = [it.note for it in asked(url, lambda it: list(every_checkpoint(it)))]
    notes.append(attested(20, bytes(32)))
    files = [tmp_path / str(number) for number in range(len(notes))]
    for file, note in zip(files, notes, strict=True):
        file.write_text(note)
    old, new, forged = map(str, files)
    options = ("--key", verifier_key(ORIGIN, PUBLIC_KEY), "--ledger", url)

    assert "continue the 20" in said("consistency", old, new, *options)
    assert "history was rewritten" in said("consistency", forged, new, *options, code=1)
    assert "covers" in said("consistency", new, old, *options, code=1)


def test_tampering_is_an_exit_code_and_names_the_row(url: str) -> None:
    with closing(sqlite3.connect(file_of(url), isolation_level=None)) as raw:
        raw.execute("DROP TRIGGER bodies_keeps")
        raw.execute("UPDATE bodies SET body = x'00' WHERE seq = 5")

    assert "events.5" in said("verify", "--ledger", url, code=1)
    report = msgspec.json.decode(said("verify", "--json", "--ledger", url, code=1))
    assert report["problems"][0]["row"] == "events.5"


def test_without_a_keyset_it_is_said_that_signatures_were_not_verified(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HP_STATE_DIR", str(tmp_path / "nowhere"))

    shown = said("verify", "--ledger", url, code=4)
    assert "Signatures were not verified again." in shown
    assert "All as it was written." not in shown
    assert "All as it was written." in said("verify", "--tree", "--ledger", url)
    report = msgspec.json.decode(said("verify", "--json", "--ledger", url, code=4))
    assert "keyset.json is missing" in report["signatures_not_verified"]


@pytest.mark.parametrize(
    ("option", "value", "known"),
    [
        ("tool", "nope", "execute_sql"),
        ("agent", "nobody", AGENT),
        ("channel", "fax", "console, mcp, slack, terminal"),
        ("rule", "nope", ""),
        ("person", "jon", "ann"),
        ("domain", "nope", "database"),
        ("policy", "v0", ""),
    ],
)
def test_a_filter_that_names_nothing_says_what_there_is(
    url: str, option: str, value: str, known: str
) -> None:
    for command in ("query", "export"):
        shown = said(command, f"--{option}", value, "--ledger", url, code=2)
        told = " ".join(re.sub(r"[│╭╮╰╯─]", " ", shown).split())
        assert (
            f"There is no {option} {value!r} in the ledger or the configuration. There are: "
            in told
        )
        assert known in told


def test_who_only_read_the_ledger_is_a_known_person(tmp_path: Path) -> None:
    bus, ledger = Bus(), new_ledger(tmp_path, "read")
    bus.say("READS", read_subject(TENANT, "cli", "jo"), LedgerRead(what="query", asked={}), None)
    entered(ledger, bus.entries)

    assert "jo" in said("query", "--reads", "--person", "jo", "--ledger", ledger)


def test_what_fits_and_still_waits_is_counted(tmp_path: Path) -> None:
    bus, ledger = Bus(), new_ledger(tmp_path, "waiting")
    halted(bus)
    cancelled(bus, "other")
    entered(ledger, bus.entries)
    waits = "1 more waits for an answer"

    assert waits in said("query", "--ledger", ledger)
    assert waits in said("query", "--tool", "oci_database_execute", "--ledger", ledger)
    assert "waits" not in said("query", "--where", "args.amount>999999", "--ledger", ledger)
    assert "waits" not in said("query", "--outcome", "cancelled", "--ledger", ledger)
    found = msgspec.json.decode(said("query", "--json", "--ledger", ledger))
    assert (len(found["confirmation_events"]), found["waiting"]) == (1, 1)


def test_other_names_of_tools_and_channels_are_understood(url: str) -> None:
    assert said("query", "--tool", "transfer_funds", "--ledger", url, code=0)
    assert said("query", "--channel", "cli", "--ledger", url, code=0)


def test_with_a_keyset_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HP_STATE_DIR", str(tmp_path))
    keys.make_signing_key(tmp_path / "keys", keys.GATE, clock.now())
    url = new_ledger(tmp_path)
    entered(url, STORIES)

    assert "Signatures were not" not in said("verify", "--ledger", url)
    assert not msgspec.json.decode(said("verify", "--json", "--ledger", url))[
        "signatures_not_verified"
    ]


@pytest.mark.parametrize(
    "command",
    [
        "verify",
        "query",
        "query --exceptions",
        "query --reads",
        "history robot",
        "prove 1",
        "evidence hold1",
        "export",
        "report",
        "rebuild",
        "migrate",
    ],
)
def test_a_file_that_is_no_ledger_is_told_in_one_sentence(
    tmp_path: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    junk = tmp_path / "junk.db"
    junk.write_bytes(b"This is no database. " * 500)
    shown = said(*command.split(), "--ledger", f"sqlite:///{junk}", code=ExitCode.SETUP)

    assert f"The ledger {junk} " in shown
    assert "damaged" in shown
    assert "Restore it from a backup" in shown
    assert len(shown.splitlines()) == 1


@pytest.mark.parametrize("command", ["verify", "query"])
def test_a_url_that_is_none_is_told_in_one_sentence(command: str) -> None:
    shown = said(command, "--ledger", "hush@junk", code=ExitCode.SETUP)

    assert "Set HP_LEDGER_URL or --ledger to sqlite:///<path>" in shown
    assert "hush" not in shown
    assert len(shown.splitlines()) == 1


@pytest.mark.parametrize(
    "words",
    [
        ("query", "--outcome", "perhaps"),
        ("query", "--since", "yesterday"),
        ("query", "--exceptions", "--outcome", "expired"),
        ("query", "--limit", "0"),
        ("query", "--last", "0"),
        ("query", "--exceptions", "--last", "3"),
        ("query", "--csv", "--json"),
        ("verify", "--key", "now"),
        ("verify", "--checkpoint", "/nowhere/at/all"),
    ],
)
def test_a_wrong_question_is_exit_code_2(words: tuple[str, ...]) -> None:
    said(*words, code=2)


@pytest.mark.parametrize(
    "words",
    [
        ("prove", "5", "--ledger", "sqlite:////nowhere/at/all.db"),
        ("verify", "--ledger", "sqlite:////nowhere/at/all.db"),
        ("query", "--ledger", "postgresql://localhost/ledger"),
        ("query", "--ledger", "nonsense"),
    ],
)
def test_a_ledger_that_is_not_there_is_a_wrong_set_up(words: tuple[str, ...]) -> None:
    said(*words, code=ExitCode.SETUP)
