"""Derived rows of `action_values`: arguments that can be searched, under documented paths.

They are taken out by us, and not by an index over the JSON itself: what an agent can write there
(a NUL, a number of a thousand digits) would make PostgreSQL refuse the row, and the ledger stop.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from sqlalchemy import Column, ColumnElement, Connection, select

from holdpoint.ledger.bulk_insert import Fill, fill_rows
from holdpoint.ledger.decisions import first_fact
from holdpoint.ledger.entries import Record
from holdpoint.ledger.tables import action_values

ARGUMENTS = ("amount", "target", "environment")
"""Arguments that are indexed, of every tool."""

LONGEST_TEXT = 200
"""Characters that are kept of a text and compared: an index takes no more than some kilobytes."""

_FILL = Fill(table=action_values, key=("hold_id", "path"))
_NUMBER = re.compile(r"-?[0-9]{1,16}(\.[0-9]{1,9})?").fullmatch
_SAID = re.compile(r"args\.(\w+)\s*(<=|>=|!=|=|<|>)\s*(.+)", re.DOTALL).fullmatch


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """A condition on one argument: `args.amount>1000`."""

    path: str
    operator: str
    value: str

    @property
    def number(self) -> float | None:
        """The value, where it is a number."""
        return _number(self.value)

    def __str__(self) -> str:
        return f"{self.path}{self.operator}{self.value}"


def comparison_in(said: str) -> Comparison:
    """Read `args.amount>1000`, or raise ValueError with what to write."""
    found = _SAID(said.strip())
    if found is None or found[1] not in ARGUMENTS:
        paths = ", ".join(f"args.{name}" for name in ARGUMENTS)
        raise ValueError(f"{said!r} is no condition, such as args.amount>1000, on one of {paths}.")
    made = Comparison(path=f"args.{found[1]}", operator=found[2], value=found[3].strip())
    if made.operator not in {"=", "!="} and made.number is None:
        raise ValueError(f"{said!r} compares with what is no number.")
    return made


def fitting(wanted: Comparison, hold_id: ColumnElement[Any]) -> ColumnElement[bool]:
    """Return the condition that a hold's action fits."""
    number = wanted.number
    column: Column[Any] = action_values.c.text if number is None else action_values.c.number
    value = wanted.value[:LONGEST_TEXT] if number is None else number
    operator = {"!=": "<>"}.get(wanted.operator, wanted.operator)
    holds = select(action_values.c.hold_id).where(
        action_values.c.path == wanted.path, column.bool_op(operator)(value)
    )
    return hold_id.in_(holds)


def write_action_values(connection: Connection, records: Sequence[Record]) -> None:
    """Add the rows of each action that these events begin."""
    fill_rows(connection, _FILL, [row for record in records for row in _rows(record)])


def _rows(record: Record) -> Iterator[dict[str, Any]]:
    fact = first_fact(record)
    if fact is None or fact.hold.action is None:
        return
    arguments = fact.hold.action.arguments
    for name in ARGUMENTS:
        text = _text(arguments.get(name))
        if text:
            row = {"hold_id": record.hold_id, "path": f"args.{name}"}
            yield row | {"text": text[:LONGEST_TEXT], "number": _number(text)}


def _text(value: object) -> str:
    """Return a text, number or boolean as text, and a sum without its currency; else nothing."""
    if isinstance(value, dict):
        value = value.get("value")
    if isinstance(value, str):
        return value
    is_plain = isinstance(value, bool | int | float)
    return msgspec.json.encode(value).decode() if is_plain else ""


def _number(text: str) -> float | None:
    return float(text) if _NUMBER(text) else None
