"""`make bench-audit-10m`: the ledger's queries at one million events and at ten, in SQLite.

Rows are made up by the database itself, four events for each call (its proposal, the decision and
the run), spread over a year; tree and signatures are left out, for no query reads them. Never in
CI: ten million events take several gigabytes and minutes.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from sqlalchemy import Connection, text
from tests.integration.ledger_files import new_ledger, unguarded
from tests.integration.test_ledger_plans import TEN

from holdpoint.ledger import engines

BATCH = 250_000
"""Events of one transaction."""

ASKED = 40
"""Times that each query is asked."""

PER_HOLD = 4
"""Events of one call."""

YEAR_S = 365 * 24 * 60 * 60

_NUMBERS = """
    WITH RECURSIVE n(seq) AS (
        SELECT :first UNION ALL SELECT seq + 1 FROM n WHERE seq < :last
    ), m AS (
        SELECT seq, (seq - 1) / 4 AS hold, (seq - 1) % 4 AS part,
            strftime('%Y-%m-%dT%H:%M:%S', '2026-01-01',
                '+' || CAST((seq - 1) * :step AS INTEGER) || ' seconds') || '.000000Z' AS at
        FROM n
    )
"""
_ROWS = (
    """INSERT INTO events {numbers} SELECT seq,
        CASE part WHEN 0 THEN 'HP_CALLS_acme@agent-' || (hold % 50) WHEN 1 THEN 'HP_HOLDS_acme'
            ELSE 'HP_RUNS_acme' END,
        CASE part WHEN 1 THEN hold + 1 ELSE seq END, 'hp.acme.' || hold,
        CASE part WHEN 0 THEN 'propose' WHEN 1 THEN 'halt' WHEN 2 THEN 'started'
            ELSE 'finished' END,
        at, CASE part WHEN 0 THEN NULL ELSE 'hold' || hold END, 'agent-' || (hold % 50), 'gate',
        NULL, printf('%064x', seq), randomblob(32) FROM m""",
    "INSERT INTO bodies {numbers} SELECT seq, randomblob(200) FROM m",
    """INSERT INTO decisions {numbers} SELECT 'hold' || hold, at,
        CASE WHEN hold % 20 THEN 'passed' ELSE 'halted' END, 'acme', 'agent-' || (hold % 50), '',
        'tool-' || (hold % 30), 'domain-' || (hold % 8), 1 + hold % 4,
        CASE hold % 50 WHEN 0 THEN 'high' ELSE 'low' END, '[]', '1', 'production', 'enforce', ''
        FROM m WHERE part = 1""",
    """INSERT INTO confirmation_events (hold_id, timestamp, outcome, resumed_at) {numbers}
        SELECT 'hold' || hold, at, 'confirmed', at FROM m
        WHERE part = 2 AND hold % 20 = 0 AND hold % 200""",
    """INSERT INTO answers {numbers} SELECT 'acme', 'ANSWERS:' || hold, 'hold' || hold,
        'person-' || ((hold / 20) % 100), '', 'console', NULL, NULL, at, 'proceed', 4.0, 1 FROM m
        WHERE part = 2 AND hold % 20 = 0""",
    """INSERT INTO action_values {numbers} SELECT 'hold' || hold, 'args.amount',
        CAST(hold % 1004 AS TEXT), hold % 1004 FROM m WHERE part = 1 AND hold % 4 = 0""",
    """INSERT INTO action_values {numbers} SELECT 'hold' || hold, 'args.target',
        'prod-' || (hold % 50000), NULL FROM m WHERE part = 1 AND hold % 4 = 0""",
    """INSERT INTO traces (id, tenant, agent, trace_id, group_id, call_order, fn, input) {numbers}
        SELECT seq, 'acme', 'agent-' || (hold % 50), 'hold' || hold, 'group-' || (hold / 1000), seq,
        'tool', '{{}}' FROM m WHERE part = 1""",
)

NAMES = (
    ("'ops-agent' AND group_id = 'session'", "'agent-7' AND group_id = 'group-100'"),
    ("'ann'", "'person-7'"),
    ("'prod-7'", "'prod-8'"),
)
"""Names of the plans' stories, and those of this ledger."""


def main() -> None:
    """Fill up to each size, and print how long each query takes there."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", default="1000000,10000000")
    sizes = [int(it) for it in parser.parse_args().sizes.split(",")]
    with tempfile.TemporaryDirectory(prefix="hp-bench-") as folder:
        url, last = new_ledger(Path(folder)), 0
        for size in sizes:
            began = time.perf_counter()
            fill(url, last, size, YEAR_S / sizes[-1])
            took = (time.perf_counter() - began) / (size - last) * 1e6
            file = Path(folder) / "ledger.db"
            told = f"{took:.1f} us to make one, {file.stat().st_size / 2**30:.1f} GiB"
            print(f"{size:,} events ({told})", flush=True)
            measure(url)
            last = size


def fill(url: str, after: int, size: int, step_s: float) -> None:
    """Make events up to this size, this many seconds apart, in transactions of some thousands."""
    for first in range(after + 1, size + 1, BATCH):
        values = {"first": first, "last": min(first + BATCH - 1, size), "step": step_s}
        with unguarded(url) as connection:
            for statement in _ROWS:
                connection.execute(text(statement.format(numbers=_NUMBERS)), values)


def measure(url: str) -> None:
    """Print p95 of each query, warm, and the index that answers it."""
    engine = engines.reader(url)
    with engine.begin() as connection:
        for name, (statement, _) in TEN.items():
            said = statement
            for told, here in NAMES:
                said = said.replace(told, here)
            times, rows = asked(connection, said)
            p95 = statistics.quantiles(times, n=20)[-1] * 1000
            print(f"  {name:<34} p95 {p95:>9.2f} ms, {rows:>7,} rows, {plan_of(connection, said)}")
    engine.dispose()


def asked(connection: Connection, statement: str) -> tuple[list[float], int]:
    """Ask again and again; the first answer is not counted, and a slow query is asked less."""
    times, rows = list[float](), 0
    while len(times) <= ASKED and (len(times) < PER_HOLD or sum(times) < ASKED):
        began = time.perf_counter()
        rows = len(connection.execute(text(statement)).all())
        times.append(time.perf_counter() - began)
    return times[1:], rows


def plan_of(connection: Connection, statement: str) -> str:
    """Return how SQLite finds the rows."""
    rows = connection.execute(text("EXPLAIN QUERY PLAN " + statement)).all()
    return "; ".join(row.detail for row in rows if "USING" in row.detail)


if __name__ == "__main__":
    main()
