"""Every filter finds the same holds for the command line and the console; what is derived stays."""

import sqlite3
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import inspect, select, text
from tests.integration.ledger_bus import AGENT, Bus
from tests.integration.ledger_files import (
    asked,
    derived,
    entered,
    migrated,
    new_ledger,
    unguarded,
)
from tests.integration.ledger_stories import (
    TOLD,
    a_hold,
    a_proposal,
    an_action,
    approved,
    executed,
    refused,
)
from typer.testing import CliRunner

from holdpoint.audit.verify import verify
from holdpoint.cli.commands.audit import audit
from holdpoint.ledger import engines
from holdpoint.ledger.actions import actions_found
from holdpoint.ledger.engines import file_of
from holdpoint.ledger.entries import Entry
from holdpoint.ledger.exceptions import Kind, every_exception
from holdpoint.ledger.pages import ended_found
from holdpoint.ledger.queries import confirmations_found, events_found
from holdpoint.ledger.rebuild import rebuild
from holdpoint.ledger.search import Search
from holdpoint.ledger.tables import answers
from holdpoint.ledger.writer import upgrade
from holdpoint.messages.answer import Choice
from holdpoint.messages.hold import Denied, Refused
from holdpoint.messages.risk import Assessment, Heuristic, RiskLevel, Signal
from holdpoint.messages.run import RunStatus
from holdpoint.messages.subjects import refusal_subject

pytestmark = pytest.mark.usefixtures("ledger_store")

BEFORE = import_module("holdpoint.ledger.migrations.versions.r0005_decisions_and_answers")
ENDED = {f"hold{word}0" for word in ("cancelled", "confirmed", "denied", "expired", "withdrawn")}
CALLS = ENDED | {"holdruled"}
ALL = CALLS | {"holdsentence0"}
ANSWERED = {"holdcancelled0", "holdconfirmed0", "holdsentence0"}


def stories() -> list[Entry]:
    """Every story, and a denied call on which a rule fired."""
    bus = Bus()
    for tell in TOLD:
        tell(bus, f"{tell.__name__}0")
    approved(bus, "sentence0", on_sentence=True)
    proposal = bus.call(a_proposal("ruled"), "propose")
    fired = Signal(
        rule="sql.drop", heuristic=Heuristic.IRREVERSIBILITY, level=RiskLevel.HIGH, reason="Drops."
    )
    risky = Assessment(level=RiskLevel.HIGH, signals=(fired,))
    about = msgspec.structs.replace(
        a_hold("ruled", proposal, an_action("ruled")), assessment=risky, level=5
    )
    bus.fact(Denied(hold=about, cause=proposal.cause))
    return bus.entries


@pytest.fixture(scope="module")
def url(ledger_store: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    assert ledger_store
    ledger = new_ledger(tmp_path_factory.mktemp("search"))
    entered(ledger, stories())
    return ledger


@pytest.mark.parametrize(
    ("filters", "holds"),
    [
        ({}, ALL),
        ({"tool": "oci_database_execute"}, CALLS),
        ({"domain": "database"}, CALLS),
        ({"domain": "shell"}, set()),
        ({"level": 5}, {"holdruled"}),
        ({"risk": "high"}, {"holdruled"}),
        ({"rule": "sql.drop"}, {"holdruled"}),
        ({"rule": "sql"}, set()),
        ({"policy": "2026-02"}, ALL),
        ({"policy": "2026-03"}, set()),
        ({"channel": "console"}, ANSWERED),
        ({"channel": "chat"}, set()),
        ({"person": "carol"}, {"holdcancelled0"}),
        ({"person": "bob", "outcome": "confirmed", "tool": "oci_database_execute"},
         {"holdconfirmed0"}),
        ({"text": "THESE ANY MORE: EXPIRED"}, {"holdexpired0"}),
        ({"text": "%"}, set()),
        ({"text": "Not today"}, {"holdcancelled0"}),
    ],
)  # fmt: skip
def test_a_filter_finds_the_same_holds_everywhere(
    url: str, filters: dict[str, Any], holds: set[str]
) -> None:
    search = Search(**filters, limit=1_000)
    confirmations = asked(url, lambda c: confirmations_found(c, search))
    on_pages = asked(url, lambda c: ended_found(c, search))
    events = asked(url, lambda c: events_found(c, search)) if filters else []
    actions = asked(url, lambda c: actions_found(c, search))

    assert {it.hold_id for it in confirmations} == holds
    assert {it.hold_id for it in on_pages} == holds
    assert {it.hold_id for it in events} - {"holdpassed0"} == (holds if filters else set())
    assert {it.hold_id for it in actions} - {"holdpassed0"} == holds


def test_a_confirmation_has_what_compliance_asks(url: str) -> None:
    search = Search(hold="holdconfirmed0", limit=1)
    (row,) = asked(url, lambda c: confirmations_found(c, search))

    assert (row.level, row.groups, row.worker, row.run_status) == (3, ["dba"], "worker-1", "done")
    assert row.grant_nonce
    times = [row.halted_at, row.shown_at, row.answered_at, row.timestamp, row.resumed_at]
    known = [it for it in times if it is not None]
    assert known == sorted(known)
    assert len(set(known)) == len(times)


def test_an_agent_s_events_hold_what_refused_its_messages(tmp_path: Path) -> None:
    ledger, bus = new_ledger(tmp_path), Bus()
    for agent in ("a", "b"):
        sent = bus.store("CALLS", f"hp.acme.call.{agent}.propose", b"no message")
        told = Refused(principal=agent, cause=sent.cause, code="bad_json", text="It is no JSON.")
        bus.say("HOLDS", refusal_subject("acme", agent, sent.cause), told, None)
    entered(ledger, bus.entries)
    found = asked(ledger, lambda c: events_found(c, Search(agent="a", limit=9)))

    assert [(it.principal, it.code) for it in found] == [("a", None), ("a", "bad_json")]


def test_a_text_is_found_in_refused_calls_too(tmp_path: Path) -> None:
    ledger, bus = new_ledger(tmp_path), Bus()
    refused(bus, "Max Müstermann")
    refused(bus, "Erika")
    approved(bus)
    entered(ledger, bus.entries)

    def found(**filters: Any) -> list[int]:
        search = Search(text="max MÜST", limit=9, **filters)
        return [it.seq for it in asked(ledger, lambda c: events_found(c, search))]

    (call, refusal) = found()
    assert (call, refusal) == tuple(found(agent=AGENT))
    assert found(agent="other") == found(tool="x") == []


def test_who_answered_what_stands_in_one_table(tmp_path: Path) -> None:
    ledger, bus = new_ledger(tmp_path), Bus()
    about = approved(bus, "twice")
    late = bus.answer(about, "carol", Choice.CANCEL)
    told = Refused(
        principal="carol", cause=late.cause, code="already_closed", text="It is over.",
        hold_id=about.hold_id,
    )  # fmt: skip
    bus.say("HOLDS", refusal_subject("acme", "carol", late.cause), told, None)
    entered(ledger, bus.entries)
    columns = (answers.c.person, answers.c.channel, answers.c.choice, answers.c.counted)
    wanted = select(*columns, answers.c.method, answers.c.linked).order_by(answers.c.at)

    assert asked(ledger, lambda c: [tuple(row) for row in c.execute(wanted)]) == [
        ("bob", "console", "proceed", True, "chat", False),
        ("carol", "console", "cancel", False, None, None),
    ]


@pytest.mark.parametrize("status", [RunStatus.FAILED, RunStatus.PRECONDITION_FAILED])
def test_what_was_approved_and_failed_is_an_exception(tmp_path: Path, status: RunStatus) -> None:
    ledger, bus = new_ledger(tmp_path), Bus()
    executed(bus, approved(bus, "late"), status)
    entered(ledger, bus.entries)
    found = asked(ledger, lambda c: every_exception(c, bus.now))

    assert [(it.kind, it.hold_id) for it in found] == [(Kind.ENDED_OTHERWISE, "holdlate")]


def test_a_ledger_of_before_gets_the_same_rows(tmp_path: Path) -> None:
    made, old = f"sqlite:///{tmp_path}/made.db", f"sqlite:///{tmp_path}/old.db"
    upgrade(made)
    entered(made, stories())
    engine = engines.creator(old)
    with engine.begin() as connection:
        migrated(connection, str(BEFORE.down_revision))
        tables = inspect(connection)
        columns = {
            table: ", ".join(f'"{it["name"]}"' for it in tables.get_columns(table))
            for table in tables.get_table_names()
            if table != "alembic_version"
        }
    engine.dispose()
    with closing(sqlite3.connect(file_of(old))) as raw:
        raw.execute("ATTACH ? AS made", (str(file_of(made)),))
        for table, names in columns.items():
            raw.execute(f"INSERT INTO main.{table} ({names}) SELECT {names} FROM made.{table}")
        raw.commit()
    upgrade(old)

    assert derived(old) == derived(made)
    assert verify(old).problems == ()


def test_rebuilding_mends_what_was_changed_and_changes_nothing_else(tmp_path: Path) -> None:
    ledger = new_ledger(tmp_path)
    entered(ledger, stories())
    expected = derived(ledger)
    assert {it.table for it in rebuild(ledger) if it.changed} == set()
    assert derived(ledger) == expected
    with unguarded(ledger) as connection:
        connection.execute(text("UPDATE answers SET person = 'mallory'"))
    shown = CliRunner().invoke(audit, ["rebuild", "--ledger", ledger])

    assert (shown.exit_code, "answers: 3 rows, said something else" in shown.output) == (1, True)
    assert derived(ledger) == expected
    assert verify(ledger).problems == ()


def test_a_query_is_saved_and_used_again(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HP_STATE_DIR", str(tmp_path))
    said = ["query", "--ledger", url, "--json"]
    first = CliRunner().invoke(audit, [*said, "--risk", "high", "--save", "risky"]).output
    again = CliRunner().invoke(audit, [*said, "--saved", "risky"]).output
    narrower = (
        CliRunner().invoke(audit, [*said, "--saved", "risky", "--tool", "run_command"]).output
    )
    unknown = CliRunner().invoke(audit, [*said, "--saved", "other"])

    assert msgspec.json.decode(again) == msgspec.json.decode(first)
    assert [it["hold_id"] for it in msgspec.json.decode(first)["confirmation_events"]] == (
        ["holdruled"]
    )
    assert msgspec.json.decode(narrower)["confirmation_events"] == []
    assert unknown.exit_code == 2


def test_rows_are_written_as_parquet(url: str, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    file = tmp_path / "rows.parquet"
    done = CliRunner().invoke(audit, ["query", "--ledger", url, "--parquet", str(file)])
    rows = parquet.read_table(file).to_pylist()

    assert done.exit_code == 0, done.output
    assert {row["hold_id"] for row in rows} == ALL
    assert {row["timestamp"].tzinfo is not None for row in rows} == {True}
