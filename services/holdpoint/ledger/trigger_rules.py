"""What the ledger's triggers do, said once for both databases (`triggers.py` installs them).

What is kept only grows, what is derived is only filled in, and nodes of `traces` get their place in
the call tree.
"""

import msgspec
from sqlalchemy import Table

from holdpoint.ledger.tables import DERIVED, KEPT, ONCE, checkpoints, events


class Trigger(msgspec.Struct, frozen=True, kw_only=True):
    """A trigger for each row: it refuses, or it does something once the row is there."""

    name: str
    table: str
    when: str
    """`BEFORE UPDATE`."""

    condition: str = ""
    """Of the row, in SQL that both databases know; empty for every row."""

    refusal: str = ""
    """The error that it raises; empty where it does `action`."""

    action: str = ""


def common_triggers() -> tuple[Trigger, ...]:
    """Return the triggers that both databases need."""
    return (
        *(_append_only(table, "keeps", "UPDATE") for table in KEPT),
        *(_append_only(table, "stays", "DELETE") for table in KEPT + DERIVED),
        *(_only_fills(table) for table in DERIVED),
        _contiguous(events, "seq"),
        _contiguous(checkpoints, "number"),
        *_PLACES_IN_TREE,
    )


def insert_once() -> tuple[Trigger, ...]:
    """Return what SQLite needs besides: insert-or-replace deletes without asking a trigger."""
    source = (events.c.src_stream.name, events.c.src_seq.name)
    keys = {table.name: tuple(column.name for column in table.primary_key) for table in ONCE}
    return tuple(
        Trigger(
            name=f"{table}_once",
            table=table,
            when="BEFORE INSERT",
            condition=f"EXISTS (SELECT 1 FROM {table} WHERE {_is_same(key)})",  # noqa: S608  # our names
            refusal=f"{table} is append-only",
        )
        for table, key in {events.name: source, **keys}.items()
    )


def never_truncated() -> tuple[str, ...]:
    """Name the tables that PostgreSQL must refuse to truncate; SQLite cannot."""
    return tuple(table.name for table in KEPT + DERIVED)


def append_only(table: str) -> str:
    """Return the error that a change or deletion of a row raises."""
    return f"{table} is append-only"


def _append_only(table: Table, word: str, verb: str) -> Trigger:
    return Trigger(
        name=f"{table.name}_{word}",
        table=table.name,
        when=f"BEFORE {verb}",
        refusal=append_only(table.name),
    )


def _is_same(key: tuple[str, ...]) -> str:
    return " AND ".join(f"{name} = NEW.{name}" for name in key)


def _contiguous(table: Table, key: str) -> Trigger:
    last = f"(SELECT coalesce(max({key}), 0) FROM {table.name})"  # noqa: S608  # our names
    return Trigger(
        name=f"{table.name}_contiguous",
        table=table.name,
        when="BEFORE INSERT",
        condition=f"NEW.{key} IS NULL OR NEW.{key} <> 1 + {last}",
        refusal=f"{table.name}.{key} has no gaps",
    )


def _only_fills(table: Table) -> Trigger:
    return Trigger(
        name=f"{table.name}_fills",
        table=table.name,
        when="BEFORE UPDATE",
        condition=" OR ".join(
            f'OLD."{it.name}" <> NEW."{it.name}" '
            f'OR OLD."{it.name}" IS NOT NULL AND NEW."{it.name}" IS NULL'
            for it in table.columns
        ),
        refusal=f"{table.name}: a value never changes",
    )


_SIBLINGS = (
    "SELECT s.call_order FROM traces s WHERE s.tenant = NEW.tenant AND s.agent = NEW.agent"
    " AND s.parent IS NULL AND s.call_order IS NOT NULL"
)
_LAST = "ORDER BY s.group_id DESC, s.call_order DESC LIMIT 1"
"""In the order of the index, so that it is looked up also where there is no group."""

_NEW_ROW = "id = NEW.id AND tenant || '' = NEW.tenant"
"""By its id: PostgreSQL would keep the plan that it made while the table was empty, by tenant."""

_ROOT = f"""
  UPDATE traces SET
    cycle_id = NEW.id,
    call_order = 1 + coalesce(
      ({_SIBLINGS} AND s.group_id = NEW.group_id {_LAST}),
      ({_SIBLINGS} AND s.group_id IS NULL AND NEW.group_id IS NULL {_LAST}),
      0)
    WHERE {_NEW_ROW};
"""  # noqa: S608  # our own names

_CHILD = f"""
  UPDATE traces SET (parent_id, cycle_id) =
    (SELECT p.id, p.cycle_id FROM traces p
      WHERE p.tenant = NEW.tenant AND p.trace_id = NEW.parent AND p.id <> NEW.id
      ORDER BY p.agent <> NEW.agent, p.id LIMIT 1)
    WHERE {_NEW_ROW};
  UPDATE traces SET
    call_order = 1 + (SELECT coalesce(max(s.call_order), 0) FROM traces s
      WHERE s.tenant = NEW.tenant AND s.parent_id = traces.parent_id)
    WHERE {_NEW_ROW} AND parent_id IS NOT NULL;
"""  # noqa: S608  # our own names

_ORPHANS = "SELECT 1 FROM traces o WHERE o.tenant = NEW.tenant AND o.parent = NEW.trace_id"
_ADOPTION = """
  UPDATE traces SET parent_id = NEW.id, call_order = orphan.place
    FROM (SELECT o.id AS id, row_number() OVER (ORDER BY o.id) AS place FROM traces o
      WHERE o.tenant = NEW.tenant AND o.parent = NEW.trace_id AND o.parent_id IS NULL
        AND o.id <> NEW.id) AS orphan
    WHERE traces.tenant = NEW.tenant AND traces.id = orphan.id;
"""

_PLACES_IN_TREE = tuple(
    Trigger(name=name, table="traces", when="AFTER INSERT", condition=condition, action=action)
    for name, condition, action in (
        ("traces_root", "NEW.parent IS NULL", _ROOT),
        ("traces_place", "NEW.parent IS NOT NULL", _CHILD),
        ("traces_adopts", f"EXISTS ({_ORPHANS})", _ADOPTION),
    )
)
"""Seed 001: a root opens a cycle, a child inherits its parent's, siblings are counted.

A node that came before its parent gets its place when the parent comes (its cycle: `traces.py`).
"""
