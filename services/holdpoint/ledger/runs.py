"""Derived rows of `runs`: what became of each grant, one row for each hold and domain.

Workers may write under their own domain only, so a run stands under the domain that reports it.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from holdpoint.ledger.bulk_insert import Fill, as_json, fill_rows
from holdpoint.ledger.entries import Record
from holdpoint.ledger.tables import runs
from holdpoint.messages.run import Barred, Finished, Lapsed, Reconciled, RunStatus, Started
from holdpoint.messages.subjects import RUNS

_FILL = Fill(table=runs, key=("hold_id", "domain"))
_EMPTY: dict[str, Any] = dict.fromkeys(column.name for column in runs.c)


def write_runs(connection: Connection, records: Sequence[Record]) -> None:
    """Fill in what these events say about runs."""
    rows = [
        {**_EMPTY, **_who(record), **said}
        for record in records
        if record.entry.kind == RUNS and record.hold_id and (said := _said(record))
    ]
    fill_rows(connection, _FILL, rows)


def _who(record: Record) -> dict[str, Any]:
    return {
        "hold_id": record.hold_id,
        "domain": record.place.domain,
        "agent": record.place.agent,
    }


def _said(record: Record) -> dict[str, Any]:
    """Return what the event adds; nothing when its type is not what its subject promises."""
    at = record.entry.at
    match record.place.word:
        case "started" if started := record.message(Started):
            return {"started_at": at, "worker": started.owner}
        case "finished" if finished := record.message(Finished):
            return _ended(finished, record)
        case "barred" if barred := record.message(Barred):
            return {"barred_at": at, "reason": barred.reason}
        case "lapsed" if lapsed := record.message(Lapsed):
            return {"lapsed_at": at, "reason": lapsed.reason}
        case "reconciled" if reconciled := record.message(Reconciled):
            found = "happened" if reconciled.happened else "did_not_happen"
            return {"finished_at": at, "status": found, "reason": reconciled.note}
        case _:
            return {}


def _ended(finished: Finished, record: Record) -> dict[str, Any]:
    """In doubt is not an end: what a person reconciles comes later, as `reconciled`."""
    if finished.status is RunStatus.IN_DOUBT:
        return {"in_doubt_at": record.entry.at}
    return {
        "finished_at": record.entry.at,
        "status": finished.status.value,
        "executed": as_json(finished.executed) if finished.executed is not None else None,
        "reason": finished.error or None,
    }
