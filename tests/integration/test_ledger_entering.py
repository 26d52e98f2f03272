"""Entering a batch looks up by an index whatever it takes: a large ledger makes nothing slower."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, event
from tests.integration.ledger_bus import TENANT, Bus
from tests.integration.ledger_files import new_ledger
from tests.integration.ledger_stories import batches, every_story

from holdpoint.ledger import engines
from holdpoint.ledger.erasure import order_retention
from holdpoint.ledger.own_events import bind_origins, note_origin
from holdpoint.ledger.tables import metadata
from holdpoint.ledger.writer import enter
from holdpoint.messages.erasure import Retention

READS_THROUGH = re.compile(rf"(SCAN|SEARCH) ({'|'.join(metadata.tables)})(?!.*\()").match
"""A step of a plan without a condition in brackets goes through the whole table or index."""


@contextmanager
def plans_of(engine: Engine) -> Iterator[list[str]]:
    """The steps of SQLite's plan for each statement with a condition."""
    steps: list[str] = []

    def explain(_: Connection, cursor: Any, sql: str, values: Any, *more: Any) -> None:
        if not re.search(r"\sWHERE\s", sql):
            return
        plan = cursor.connection.cursor()
        plan.execute(f"EXPLAIN QUERY PLAN {sql}", values[0] if more[-1] else values)
        steps.extend(f"{row[3]}: {sql}" for row in plan.fetchall())

    event.listen(engine, "before_cursor_execute", explain)
    yield steps
    event.remove(engine, "before_cursor_execute", explain)


def test_entering_a_batch_reads_through_no_table(tmp_path: Path) -> None:
    url, bus = new_ledger(tmp_path), Bus()

    def announce(subject: str, body: bytes) -> None:
        bus.store("ERASURES", subject, body)

    order_retention(url, TENANT, Retention(days=30, by="ann", why="the law"), announce)
    engine = engines.writer(url)

    with plans_of(engine) as steps, engine.begin() as connection:
        note_origin(connection, "HP_HOLDS_acme", "2026-01-01T00:00:00Z")
        for batch in batches([*bus.entries, *every_story()], 7):
            enter(connection, batch)
        bind_origins(connection)
    engine.dispose()

    assert len(steps) > 100
    assert [it for it in steps if READS_THROUGH(it)] == []
