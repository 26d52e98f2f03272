"""Whoever gets round the triggers is found out; the triggers themselves stop the rest."""

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import Connection, select
from tests.integration.ledger_files import asked, attested, entered, new_ledger
from tests.integration.ledger_stories import every_story

from holdpoint.audit.verify import Report, verify
from holdpoint.core.checkpoint import read_note
from holdpoint.core.leaf import leaf
from holdpoint.ledger.engines import file_of
from holdpoint.ledger.tables import bodies, events
from holdpoint.ledger.writer import upgrade

STORIES = every_story()
LAST = len(STORIES)
REST = "subject, type, time, hold_id, agent, principal, signature, body_sha256, leaf"
OTHER_BODY = "CAST(replace(CAST(body AS TEXT), '1.0', '1.1') AS BLOB)"


@pytest.fixture
def url(tmp_path: Path) -> str:
    ledger = new_ledger(tmp_path)
    entered(ledger, STORIES[:20], STORIES[20:], attest=attested)
    return ledger


@pytest.fixture
def raw(url: str) -> Iterator[sqlite3.Connection]:
    """The file, as anyone with access to it opens it."""
    with closing(sqlite3.connect(file_of(url), isolation_level=None)) as connection:
        yield connection


def tampered(url: str, raw: sqlite3.Connection, *statements: str) -> Report:
    """Drop the triggers, do it, put the triggers back so that nothing else gives it away."""
    names = raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for (name,) in names:
        raw.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        raw.execute(statement)
    upgrade(url)
    return verify(url)


def found(report: Report) -> list[tuple[str, str]]:
    return [(problem.check, problem.row) for problem in report.problems]


def test_an_untouched_ledger_verifies(url: str) -> None:
    report = verify(url)

    assert report.problems == ()
    assert (report.events, len(report.root)) == (LAST, 64)


def test_an_edited_body_is_named(url: str, raw: sqlite3.Connection) -> None:
    report = tampered(url, raw, f"UPDATE bodies SET body = {OTHER_BODY} WHERE seq = 7")

    assert found(report)[0] == ("event", "events.7")
    assert "another body" in report.problems[0].text


def test_an_edited_body_with_its_hash_is_named(url: str, raw: sqlite3.Connection) -> None:
    raw.create_function("sha256", 1, _sha256)
    report = tampered(
        url,
        raw,
        f"UPDATE bodies SET body = {OTHER_BODY} WHERE seq = 7",
        "UPDATE events SET body_sha256 = (SELECT sha256(body) FROM bodies b WHERE b.seq = 7)"
        " WHERE seq = 7",
    )

    assert ("event", "events.7") in found(report)
    assert "does not fit its leaf" in report.problems[0].text


@pytest.mark.parametrize(
    "column",
    ["subject", "type", "time", "hold_id", "signature", "src_stream", "agent", "principal"],
)
def test_an_edited_column_is_named(url: str, raw: sqlite3.Connection, column: str) -> None:
    other = "'2026-03-02T09:00:00.000000Z'" if column == "time" else "'HP_STATE_other'"
    report = tampered(url, raw, f"UPDATE events SET {column} = {other} WHERE seq = 7")

    assert ("event", "events.7") in found(report)


@pytest.mark.parametrize(
    ("column", "other"),
    [("halted_at", "halted_at || 'x'"), ("answered", "7"), ("user_response", "'yes'")],
)
def test_a_derived_value_that_reads_as_the_same_or_as_none_is_named(
    url: str, raw: sqlite3.Connection, column: str, other: str
) -> None:
    where = f"WHERE hold_id = (SELECT hold_id FROM confirmation_events WHERE {column} AND answered)"
    (row,) = raw.execute(f"SELECT hold_id FROM confirmation_events {where}").fetchone()
    report = tampered(url, raw, f"UPDATE confirmation_events SET {column} = {other} {where}")

    assert found(report) == [("derived", f"confirmation_events.{row}")]
    assert report.problems[0].text == f"says something else than its events in {column}"


def places_of(raw: sqlite3.Connection, *seqs: int) -> list[tuple[int, int, str, int]]:
    """Event, leaf, stream and sequence of each."""
    asked = "SELECT seq, seq - 1, src_stream, src_seq FROM events WHERE seq = ?"
    return [raw.execute(asked, (seq,)).fetchone() for seq in seqs]


def test_a_deleted_middle_row_is_named(url: str, raw: sqlite3.Connection) -> None:
    (place,) = places_of(raw, 9)
    report = tampered(
        url, raw, "DELETE FROM events WHERE seq = 9", "DELETE FROM bodies WHERE seq = 9"
    )

    assert [(it.check, it.row) for it in report.problems if it.check != "derived"] == [
        ("event", "events.9"),
        ("tree", "events.9"),
        ("checkpoint", "checkpoints.1"),
        ("gap", f"{place[2]}:{place[3]}"),
    ]
    named = report.problems[0]
    assert (named.event, named.leaf, named.stream, named.sequence) == place
    assert not [it.text for it in report.problems if "ends at" in it.text or "event 0" in it.text]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE bodies SET body = replace(CAST(body AS TEXT), 'a', 'b') WHERE seq = 9",
        "DELETE FROM events WHERE seq = 9",
    ],
)
def test_what_follows_from_a_row_that_was_named_hides_it_no_more(
    url: str, raw: sqlite3.Connection, statement: str
) -> None:
    rows = [row for _, row in found(tampered(url, raw, statement))]

    assert rows[0] == "events.9"
    assert "?" not in rows


def test_how_far_it_came_is_told(url: str) -> None:
    told: list[tuple[int, int]] = []
    verify(url, tell=lambda done, of: told.append((done, of)))

    assert told[-1] == (LAST, LAST)
    assert told == sorted(told)


def test_a_deleted_tail_is_named(url: str, raw: sqlite3.Connection) -> None:
    cut = LAST - 5
    report = tampered(url, raw, *_cut(cut, "events", "bodies"))

    (problem,) = [it for it in report.problems if it.check == "checkpoint"]
    assert (problem.row, problem.until) == ("checkpoints.2", LAST)
    assert (problem.event or 0) <= cut + 1, "behind the last event that a checkpoint proves"
    assert f"the ledger ends at {cut}" in problem.text
    assert report.uncovered == 0


def test_a_tail_deleted_with_every_trace_is_seen_by_who_holds_a_checkpoint(
    url: str, raw: sqlite3.Connection
) -> None:
    held = read_note(verify(url).checkpoint).checkpoint
    raw.execute("PRAGMA foreign_keys = OFF")
    tampered(url, raw, "DELETE FROM checkpoints WHERE number > 1", *_cut(20, "events", "bodies"))

    (problem,) = [it for it in verify(url, [held]).problems if it.check == "held"]
    assert (problem.row, problem.event, problem.until) == (f"checkpoint of {LAST}", 21, LAST)
    other = msgspec.structs.replace(held, size=20)
    found = [it for it in verify(url, [other]).problems if it.check == "held"]
    assert [(it.row, it.until) for it in found] == [("checkpoint of 20", 20)]


def test_a_row_rewritten_with_its_leaf_is_seen_by_the_next_checkpoint(
    url: str, raw: sqlite3.Connection
) -> None:
    raw.create_function("sha256", 1, _sha256)
    report = tampered(
        url,
        raw,
        f"UPDATE bodies SET body = {OTHER_BODY} WHERE seq = 37",
        "UPDATE events SET body_sha256 = (SELECT sha256(body) FROM bodies b WHERE b.seq = 37)"
        " WHERE seq = 37",
        f"UPDATE events SET leaf = x'{_leaf_of_other_body(url)}' WHERE seq = 37",
    )

    (problem,) = [it for it in report.problems if it.check == "checkpoint"]
    assert (problem.row, problem.event, problem.until) == ("checkpoints.2", 21, LAST)


@pytest.mark.parametrize(
    ("statement", "row", "text"),
    [
        ("UPDATE checkpoints SET size = 19 WHERE number = 1", "checkpoints.1", "signed for 20"),
        ("UPDATE checkpoints SET note = '' WHERE number = 1", "checkpoints.1", "not as the audit"),
        ("DELETE FROM checkpoints WHERE number = 1", "checkpoints.1", "is missing"),
        (
            "UPDATE checkpoints SET note = replace(note, '20', '21') WHERE number = 1",
            "checkpoints.1",
            "signed for 21",
        ),
    ],
)
def test_a_touched_checkpoint_is_named(
    url: str, raw: sqlite3.Connection, statement: str, row: str, text: str
) -> None:
    (problem,) = tampered(url, raw, statement).problems

    assert (problem.check, problem.row) == ("checkpoint", row)
    assert text in problem.text


def test_two_events_that_changed_places_with_their_leaves_are_named(
    url: str, raw: sqlite3.Connection
) -> None:
    raw.execute("PRAGMA foreign_keys = OFF")
    report = tampered(
        url,
        raw,
        *(
            f"UPDATE {table} SET seq = {now} WHERE seq = {then}"
            for table in ("events", "bodies")
            for then, now in ((10, -1), (13, 10), (-1, 13))
        ),
    )

    swapped = [it for it in report.problems if "changed places" in it.text]
    told = [(it.event, it.leaf, it.stream, it.sequence) for it in swapped]
    assert told == places_of(raw, 10, 13)


def test_swapped_rows_are_named(url: str, raw: sqlite3.Connection) -> None:
    report = tampered(
        url,
        raw,
        "UPDATE events SET seq = -1 WHERE seq = 10",
        "UPDATE events SET seq = 10 WHERE seq = 11",
        "UPDATE events SET seq = 11 WHERE seq = -1",
    )

    assert ("event", "events.10") in found(report)


@pytest.mark.parametrize(
    ("statement", "row"),
    [
        (
            "UPDATE confirmation_events SET user_response = 1 WHERE hold_id = 'holdexpired0'",
            "confirmation_events.holdexpired0",
        ),
        (
            "UPDATE confirmation_events SET final_action = NULL WHERE hold_id = 'holdconfirmed0'",
            "confirmation_events.holdconfirmed0",
        ),
        (
            "DELETE FROM confirmation_events WHERE hold_id = 'holddenied0'",
            "confirmation_events.holddenied0",
        ),
        ("INSERT INTO runs (hold_id, domain) VALUES ('never', 'x')", "runs.never/x"),
        ("UPDATE traces SET call_order = 9 WHERE id = 7", "traces.7/acme"),
    ],
)
def test_an_edited_derived_row_is_named(
    url: str, raw: sqlite3.Connection, statement: str, row: str
) -> None:
    assert found(tampered(url, raw, statement)) == [("derived", row)]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET time = 'yesterday' WHERE seq = 7",
        "UPDATE events SET leaf = 'text' WHERE seq = 7",
        "UPDATE bodies SET body = 'text' WHERE seq = 7",
        "UPDATE confirmation_events SET timestamp = 'yesterday'",
        "DROP TABLE traces",
    ],
)
def test_what_cannot_even_be_read_is_a_finding_too(
    url: str, raw: sqlite3.Connection, statement: str
) -> None:
    raw.execute("DROP TRIGGER events_keeps")
    raw.execute("DROP TRIGGER bodies_keeps")
    raw.execute("DROP TRIGGER confirmation_events_fills")
    raw.execute(statement)

    assert {check for check, _ in found(verify(url))} - {"guard"}


def test_a_missing_trigger_is_named(url: str, raw: sqlite3.Connection) -> None:
    raw.execute("DROP TRIGGER events_stays")

    assert found(verify(url)) == [("guard", "events_stays")]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET subject = 'x' WHERE seq = 1",
        "DELETE FROM events WHERE seq = 1",
        f"DELETE FROM events WHERE seq = {LAST}",
        "UPDATE bodies SET body = x'00' WHERE seq = 1",
        "DELETE FROM bodies WHERE seq = 1",
        "INSERT OR REPLACE INTO bodies VALUES (1, x'00')",
        "UPDATE checkpoints SET note = ''",
        "DELETE FROM checkpoints",
        "INSERT OR REPLACE INTO checkpoints VALUES (1, 20, '')",
        "INSERT INTO checkpoints VALUES (9, 21, '')",
        f"INSERT INTO events SELECT {LAST + 2}, 's', 1, {REST} FROM events WHERE seq = 1",
        f"INSERT INTO events SELECT {LAST + 1}, src_stream, src_seq, {REST} FROM events LIMIT 1",
        "INSERT OR REPLACE INTO events SELECT * FROM events WHERE seq = 1",
        "UPDATE confirmation_events SET user_response = NOT user_response",
        "UPDATE confirmation_events SET reason = NULL",
        "DELETE FROM confirmation_events",
        "UPDATE runs SET status = 'failed' WHERE status = 'done'",
        "DELETE FROM runs",
        "UPDATE traces SET input = '{}'",
        "DELETE FROM traces",
    ],
)
def test_the_triggers_abort(url: str, raw: sqlite3.Connection, statement: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match=r"append-only|no gaps|already|never changes"):
        raw.execute(statement)

    assert verify(url).problems == ()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tree_nodes SET hash = x'01'",
        "DELETE FROM tree_nodes",
        "INSERT OR REPLACE INTO tree_nodes VALUES (1, 0, x'01', x'00')",
    ],
)
def test_the_triggers_abort_for_nodes_of_the_tree(
    url: str, raw: sqlite3.Connection, statement: str
) -> None:
    raw.execute("INSERT INTO tree_nodes VALUES (1, 0, x'00', x'00')")

    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        raw.execute(statement)
    assert found(verify(url)) == [("tree", "tree_nodes.1/0")]


def test_a_derived_null_may_be_filled(url: str, raw: sqlite3.Connection) -> None:
    raw.execute("UPDATE confirmation_events SET final_action = '{}' WHERE final_action IS NULL")

    assert {check for check, _ in found(verify(url))} == {"derived"}


def _cut(after: int, *tables: str) -> list[str]:
    return [f"DELETE FROM {table} WHERE seq > {after}" for table in tables]


def _leaf_of_other_body(url: str) -> str:
    """The leaf of event 37 with the other body."""

    def ask(connection: Connection) -> str:
        row = connection.execute(
            select(events, bodies.c.body).join(bodies).where(events.c.seq == 37)
        ).one()
        body = row.body.replace(b"1.0", b"1.1")
        return leaf({**row._asdict(), "body_sha256": _sha256(body)}).hex()

    return asked(url, ask)


def _sha256(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()
