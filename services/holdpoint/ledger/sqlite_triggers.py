"""Triggers of a ledger in SQLite, each by its name as the statement that makes it."""

from sqlalchemy import Table

from holdpoint.ledger.tables import DERIVED, KEPT, ONCE, checkpoints, events

_PLACES_IN_TREE = {
    "traces_root": """
CREATE TRIGGER traces_root AFTER INSERT ON traces WHEN NEW.parent IS NULL BEGIN
  UPDATE traces SET
    cycle_id = NEW.id,
    call_order = 1 + (SELECT coalesce(max(s.call_order), 0) FROM traces s
      WHERE s.tenant = NEW.tenant AND s.agent = NEW.agent
        AND s.group_id IS NEW.group_id AND s.parent IS NULL)
    WHERE tenant = NEW.tenant AND id = NEW.id;
END
""",
    "traces_place": """
CREATE TRIGGER traces_place AFTER INSERT ON traces WHEN NEW.parent IS NOT NULL BEGIN
  UPDATE traces SET (parent_id, cycle_id) =
    (SELECT p.id, p.cycle_id FROM traces p
      WHERE p.tenant = NEW.tenant AND p.trace_id = NEW.parent AND p.id <> NEW.id
      ORDER BY p.agent <> NEW.agent, p.id LIMIT 1)
    WHERE tenant = NEW.tenant AND id = NEW.id;
  UPDATE traces SET
    call_order = 1 + (SELECT coalesce(max(s.call_order), 0) FROM traces s
      WHERE s.tenant = NEW.tenant AND s.parent_id = traces.parent_id)
    WHERE tenant = NEW.tenant AND id = NEW.id AND parent_id IS NOT NULL;
END
""",
    "traces_adopts": """
CREATE TRIGGER traces_adopts AFTER INSERT ON traces
WHEN EXISTS (SELECT 1 FROM traces o WHERE o.tenant = NEW.tenant AND o.parent = NEW.trace_id) BEGIN
  UPDATE traces SET parent_id = NEW.id, call_order = orphan.place
    FROM (SELECT o.id AS id, row_number() OVER (ORDER BY o.id) AS place FROM traces o
      WHERE o.tenant = NEW.tenant AND o.parent = NEW.trace_id AND o.parent_id IS NULL
        AND o.id <> NEW.id) AS orphan
    WHERE traces.tenant = NEW.tenant AND traces.id = orphan.id;
END
""",
}
"""Seed 001: a root opens a cycle, a child inherits its parent's, siblings are counted.

A node that came before its parent gets its place when the parent comes (its cycle: `traces.py`).
"""


def triggers() -> dict[str, str]:
    """Return every trigger that the ledger needs."""
    return {
        **{f"{table.name}_keeps": _aborts(table, "keeps", "UPDATE") for table in KEPT},
        **{f"{table.name}_stays": _aborts(table, "stays", "DELETE") for table in KEPT + DERIVED},
        **{f"{table.name}_once": _once(table) for table in ONCE},
        **{f"{table.name}_fills": _only_fills(table) for table in DERIVED},
        "events_contiguous": _contiguous(events, "seq"),
        "checkpoints_contiguous": _contiguous(checkpoints, "number"),
        "events_once": _one_for_each_source(events),
        **_PLACES_IN_TREE,
    }


def _aborts(table: Table, word: str, verb: str) -> str:
    return (
        f"CREATE TRIGGER {table.name}_{word} BEFORE {verb} ON {table.name} "
        f"BEGIN SELECT RAISE(ABORT, '{table.name} is append-only'); END"
    )


def _once(table: Table) -> str:
    """Insert-or-replace would delete without asking the other triggers."""
    key = " AND ".join(f"{it.name} = NEW.{it.name}" for it in table.primary_key.columns)
    return (
        f"CREATE TRIGGER {table.name}_once BEFORE INSERT ON {table.name} "  # noqa: S608  # our names
        f"WHEN EXISTS (SELECT 1 FROM {table.name} WHERE {key}) "
        f"BEGIN SELECT RAISE(ABORT, '{table.name} is append-only'); END"
    )


def _one_for_each_source(table: Table) -> str:
    return (
        f"CREATE TRIGGER {table.name}_once BEFORE INSERT ON {table.name} "  # noqa: S608  # our names
        f"WHEN EXISTS (SELECT 1 FROM {table.name} "
        f"WHERE src_stream = NEW.src_stream AND src_seq = NEW.src_seq) "
        f"BEGIN SELECT RAISE(ABORT, '{table.name} holds this message already'); END"
    )


def _contiguous(table: Table, key: str) -> str:
    return (
        f"CREATE TRIGGER {table.name}_contiguous BEFORE INSERT ON {table.name} "  # noqa: S608  # our names
        f"WHEN NEW.{key} IS NOT (SELECT coalesce(max({key}), 0) + 1 FROM {table.name}) "
        f"BEGIN SELECT RAISE(ABORT, '{table.name}.{key} has no gaps'); END"
    )


def _only_fills(table: Table) -> str:
    changed = " OR ".join(
        f"(OLD.{name} IS NOT NULL AND NEW.{name} IS NOT OLD.{name})"
        for name in table.columns.keys()  # noqa: SIM118  # iterating yields columns
    )
    return (
        f"CREATE TRIGGER {table.name}_fills BEFORE UPDATE ON {table.name} WHEN {changed} "
        f"BEGIN SELECT RAISE(ABORT, '{table.name}: a value never changes'); END"
    )
