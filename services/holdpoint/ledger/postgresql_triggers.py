"""Triggers of a ledger in PostgreSQL: each is a function, and the statement that calls it.

Inserting twice needs no trigger here: keys refuse it, and nothing replaces a row.
"""

import msgspec
from sqlalchemy import Table

from holdpoint.ledger.tables import DERIVED, KEPT, checkpoints, events


class Trigger(msgspec.Struct, frozen=True, kw_only=True):
    """A trigger and its function, which have one name."""

    name: str
    table: str
    when: str
    """`BEFORE UPDATE`."""

    body: str
    each: str = "ROW"

    @property
    def definition(self) -> str:
        """The statement, word by word as the database tells it."""
        return (
            f"CREATE TRIGGER {self.name} {self.when} ON {self.table} "
            f"FOR EACH {self.each} EXECUTE FUNCTION {self.name}()"
        )

    @property
    def function(self) -> str:
        """The statement that makes the function."""
        return (
            f"CREATE OR REPLACE FUNCTION {self.name}() RETURNS trigger LANGUAGE plpgsql "
            f"AS $trigger${self.body}$trigger$"
        )


def triggers() -> dict[str, Trigger]:
    """Return every trigger that the ledger needs."""
    made = (
        *(_aborts(table, "keeps", "UPDATE") for table in KEPT),
        *(_aborts(table, "stays", "DELETE") for table in KEPT + DERIVED),
        *(_aborts(table, "whole", "TRUNCATE") for table in KEPT + DERIVED),
        *(_only_fills(table) for table in DERIVED),
        _contiguous(events, "seq"),
        _contiguous(checkpoints, "number"),
        *_PLACES_IN_TREE,
    )
    return {it.name: it for it in made}


def _aborts(table: Table, word: str, verb: str) -> Trigger:
    return Trigger(
        name=f"{table.name}_{word}",
        table=table.name,
        when=f"BEFORE {verb}",
        each="STATEMENT" if verb == "TRUNCATE" else "ROW",
        body=f" BEGIN {_refusal(f'{table.name} is append-only')} END ",
    )


def _contiguous(table: Table, key: str) -> Trigger:
    last = f"(SELECT coalesce(max({key}), 0) FROM {table.name})"  # noqa: S608  # our names
    text = f"{table.name}.{key} has no gaps"
    return Trigger(
        name=f"{table.name}_contiguous",
        table=table.name,
        when="BEFORE INSERT",
        body=(
            f" BEGIN IF NEW.{key} IS DISTINCT FROM 1 + {last} THEN {_refusal(text)} END IF; "
            "RETURN NEW; END "
        ),
    )


def _only_fills(table: Table) -> Trigger:
    changed = " OR ".join(
        f'(OLD."{name}" IS NOT NULL AND NEW."{name}" IS DISTINCT FROM OLD."{name}")'
        for name in table.columns.keys()  # noqa: SIM118  # iterating yields columns
    )
    text = f"{table.name}: a value never changes"
    return Trigger(
        name=f"{table.name}_fills",
        table=table.name,
        when="BEFORE UPDATE",
        body=f" BEGIN IF {changed} THEN {_refusal(text)} END IF; RETURN NEW; END ",
    )


def _refusal(text: str) -> str:
    return f"RAISE EXCEPTION '{text}' USING ERRCODE = 'integrity_constraint_violation';"


_ROOT = """
BEGIN
  IF NEW.parent IS NULL THEN
    UPDATE traces SET
      cycle_id = NEW.id,
      call_order = 1 + (SELECT coalesce(max(s.call_order), 0) FROM traces s
        WHERE s.tenant = NEW.tenant AND s.agent = NEW.agent
          AND s.group_id IS NOT DISTINCT FROM NEW.group_id AND s.parent IS NULL)
      WHERE tenant = NEW.tenant AND id = NEW.id;
  END IF;
  RETURN NULL;
END
"""

_PLACE = """
BEGIN
  IF NEW.parent IS NOT NULL THEN
    UPDATE traces SET (parent_id, cycle_id) =
      (SELECT p.id, p.cycle_id FROM traces p
        WHERE p.tenant = NEW.tenant AND p.trace_id = NEW.parent AND p.id <> NEW.id
        ORDER BY p.agent <> NEW.agent, p.id LIMIT 1)
      WHERE tenant = NEW.tenant AND id = NEW.id;
    UPDATE traces SET
      call_order = 1 + (SELECT coalesce(max(s.call_order), 0) FROM traces s
        WHERE s.tenant = NEW.tenant AND s.parent_id = traces.parent_id)
      WHERE tenant = NEW.tenant AND id = NEW.id AND parent_id IS NOT NULL;
  END IF;
  RETURN NULL;
END
"""

_ADOPTS = """
BEGIN
  UPDATE traces SET parent_id = NEW.id, call_order = orphan.place
    FROM (SELECT o.id AS id, row_number() OVER (ORDER BY o.id) AS place FROM traces o
      WHERE o.tenant = NEW.tenant AND o.parent = NEW.trace_id AND o.parent_id IS NULL
        AND o.id <> NEW.id) AS orphan
    WHERE traces.tenant = NEW.tenant AND traces.id = orphan.id;
  RETURN NULL;
END
"""

_PLACES_IN_TREE = tuple(
    Trigger(name=name, table="traces", when="AFTER INSERT", body=body)
    for name, body in (
        ("traces_root", _ROOT),
        ("traces_place", _PLACE),
        ("traces_adopts", _ADOPTS),
    )
)
"""The same as `sqlite_triggers.py`: see there."""
