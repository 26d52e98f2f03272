"""Twelve questions that a ledger of ten million events answers soon: by the index beside each."""

from pathlib import Path

import pytest
from sqlalchemy import Connection, text
from tests.integration.ledger_files import asked, entered, ledgers_at, new_ledger, unguarded
from tests.integration.ledger_stories import every_story

pytestmark = pytest.mark.slow

DAY = "BETWEEN '2026-03-01T00:00:00.000000Z' AND '2026-03-02T00:00:00.000000Z'"
MONTH = "BETWEEN '2026-03-01T00:00:00.000000Z' AND '2026-03-31T00:00:00.000000Z'"
TEN = {
    "one group in order": (
        (
            "SELECT id, fn, input FROM traces WHERE tenant = 'acme' AND agent = 'ops-agent'"
            " AND group_id = 'session' AND parent IS NULL ORDER BY call_order"
        ),
        "ix_traces_tenant_agent_group_id_call_order",
    ),
    "one event by id": (
        (
            "SELECT e.*, b.body FROM events e JOIN bodies b USING (seq)"
            " WHERE e.src_stream = 'HP_HOLDS_acme' AND e.src_seq = 7"
        ),
        "uq_events_src_stream_src_seq",
    ),
    "the last hour, newest 100": (
        (
            "SELECT * FROM events WHERE time > '2026-03-01T23:00:00.000000Z'"
            " ORDER BY time DESC LIMIT 100"
        ),
        "ix_events_time",
    ),
    "high risk of a day": (
        f"SELECT * FROM decisions WHERE risk = 'high' AND at {DAY}",
        "ix_decisions_risk_at",
    ),
    "one approver's 30 days": (
        f"SELECT * FROM answers WHERE person = 'ann' AND at {MONTH}",
        "ix_answers_person_at",
    ),
    "halts of a day without decision": (
        (
            f"SELECT d.* FROM decisions d WHERE d.verdict = 'halted' AND d.at {DAY} AND NOT EXISTS"
            " (SELECT 1 FROM confirmation_events c WHERE c.hold_id = d.hold_id)"
        ),
        "ix_decisions_at",
    ),
    "amounts over 1,000": (
        (
            "SELECT hold_id FROM action_values WHERE path = 'args.amount' AND number > 1000.0"
            " ORDER BY number"
        ),
        "ix_action_values_path_number",
    ),
    "one target": (
        (
            "SELECT d.* FROM decisions d WHERE d.hold_id IN (SELECT hold_id FROM action_values"
            " WHERE path = 'args.target' AND text = 'prod-7')"
        ),
        "ix_action_values_path_text",
    ),
    "chain check of 10,000": (
        (
            "SELECT e.seq, e.leaf, b.body FROM events e JOIN bodies b USING (seq)"
            " WHERE e.seq BETWEEN 20001 AND 30000 ORDER BY e.seq"
        ),
        "pk_events",
    ),
    "delay per domain of a day": (
        (
            "SELECT d.domain, count(*), max(c.resumed_at) FROM decisions d"
            f" JOIN confirmation_events c USING (hold_id) WHERE d.at {DAY} GROUP BY d.domain"
        ),
        "ix_decisions_at",
    ),
    "counts per type of a day": (
        f"SELECT type, count(*) FROM events WHERE time {DAY} GROUP BY type",
        "ix_events_time",
    ),
    "counts of 30 days": (
        f"SELECT count(*) FROM events WHERE time {MONTH}",
        "ix_events_time",
    ),
}
"""Each question, and the index by which it is answered."""

IN_SQLITE = {
    "pk_events": "SEARCH e USING INTEGER PRIMARY KEY",
    "uq_events_src_stream_src_seq": "sqlite_autoindex_events_1",
}
"""Names of keys that SQLite makes itself."""


@pytest.fixture(scope="module")
def sqlite_ledger(tmp_path_factory: pytest.TempPathFactory) -> str:
    return _filled(tmp_path_factory.mktemp("plans"))


@pytest.fixture(scope="module")
def postgresql_ledger(ledger_server: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    with ledgers_at(ledger_server):
        url = _filled(tmp_path_factory.mktemp("plans"))
    with unguarded(url) as connection:
        _make_a_year(connection)
    return url


def _filled(folder: Path) -> str:
    url = new_ledger(folder)
    entered(url, every_story())
    return url


def _make_a_year(connection: Connection) -> None:
    """Fill the tables without their triggers: a planner that knows few rows reads all of them."""
    spread = "timestamptz '2026-01-01' + make_interval(mins => 10 * n)"
    for statement in (
        "INSERT INTO events SELECT n, 'HP_CALLS_other', n, 's', 't', " + spread + ", 'h' || n,"
        " 'a', 'a', NULL, '', '' FROM generate_series(1000, 60000) n",
        "INSERT INTO bodies SELECT n, '' FROM generate_series(1000, 60000) n",
        "INSERT INTO decisions SELECT 'h' || n, " + spread + ", 'halted', 'acme', 'a', '', 't',"
        " 'd', 3, CASE n % 50 WHEN 0 THEN 'high' ELSE 'low' END, '[]', '1', 'test', 'enforce', ''"
        " FROM generate_series(1000, 60000) n",
        (
            "INSERT INTO confirmation_events (hold_id) SELECT 'h' || n"
            " FROM generate_series(1000, 60000) n"
        ),
        "INSERT INTO answers SELECT 'acme', 'ANSWERS:' || n, 'h' || n, 'p' || n % 300, '', 'c',"
        " NULL, NULL, " + spread + ", 'proceed', 1, true FROM generate_series(1000, 60000) n",
        (
            "INSERT INTO traces (id, tenant, agent, trace_id, group_id, call_order)"
            " SELECT n, 'acme', 'a' || n % 9, 't' || n, 'g' || n % 3000, n"
            " FROM generate_series(1000, 60000) n"
        ),
        (
            "INSERT INTO action_values SELECT 'h' || n, 'args.' || name, 'prod-' || n,"
            " CASE name WHEN 'amount' THEN n / 59.0 END FROM generate_series(1000, 60000) n,"
            " unnest(ARRAY['amount', 'target']) name"
        ),
        "ANALYZE",
    ):
        connection.execute(text(statement))


@pytest.mark.parametrize("question", TEN)
def test_sqlite_answers_by_its_index(sqlite_ledger: str, question: str) -> None:
    statement, index = TEN[question]
    rows = asked(
        sqlite_ledger, lambda it: it.execute(text("EXPLAIN QUERY PLAN " + statement)).all()
    )
    plan = "\n".join(row.detail for row in rows)

    assert IN_SQLITE.get(index, index) in plan
    assert "SCAN" not in plan


@pytest.mark.parametrize("question", TEN)
def test_postgresql_answers_by_its_index(postgresql_ledger: str, question: str) -> None:
    statement, index = TEN[question]
    rows = asked(postgresql_ledger, lambda it: it.scalars(text("EXPLAIN " + statement)).all())
    plan = "\n".join(rows)

    assert index in plan
