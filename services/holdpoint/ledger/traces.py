"""Derived rows of `traces`: the call tree of seed 001.

A call's node is opened by the gate's first fact of its hold, and closed by the worker's result, or
by the end of the hold where nothing ran. Every other node is its agent's own word on CALLS: the
first trace that names it gives it its id, its parent and its group; a closed one fills in its
output. What an agent's trace says of a node that is a call is not entered.

Structure is the trigger's business; only the cycle of nodes that came before their parent is
handed down here, because a trigger would have to call itself as often as the tree is deep.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, TypeAlias

from sqlalchemy import Connection, Select, Text, bindparam, func, select, update

from holdpoint.ledger.bulk_insert import Fill, as_json, fill_rows
from holdpoint.ledger.confirmations import records_in
from holdpoint.ledger.decisions import FIRST
from holdpoint.ledger.entries import Record
from holdpoint.ledger.tables import events, traces
from holdpoint.messages.call import Phase, Trace
from holdpoint.messages.hold import Denied, Hold, Passed, Resumed, Witnessed
from holdpoint.messages.run import Barred, Finished, Lapsed, Reconciled, RunStatus
from holdpoint.messages.subjects import CALLS, HOLDS, RUNS, TYPES, call_place

Row: TypeAlias = dict[str, Any]

ENDS = (Passed, Witnessed, Denied, Resumed, Finished, Barred, Lapsed, Reconciled)

_FILL = Fill(
    table=traces,
    key=("tenant", "trace_id", "agent"),
    assigned=("parent_id", "cycle_id", "call_order"),
    fixed=("id", "parent", "group_id"),
)
_EMPTY: Row = dict.fromkeys(column.name for column in traces.c)


def write_traces(connection: Connection, records: Sequence[Record]) -> None:
    """Add, fill and close the nodes that these events name."""
    said = [row for record in records if (row := _opened(record) or _told(record))]
    rows = list(_believed(connection, said))
    fill_rows(connection, _FILL, rows)
    _hand_down_cycles(connection, rows)
    holds = [row["hold_id"] for row in rows if row["hold_id"]]
    before = _ended_before(connection, records[0].seq, holds) if holds else []
    endings = [row for record in (*before, *records) if (row := _ending(record))]
    if endings:
        connection.execute(_CLOSE, endings)


def _believed(connection: Connection, said: Sequence[Row]) -> Iterator[Row]:
    """Yield the rows, but no agent's own words about a call; a call never takes a taken name."""
    owners = _owners(connection, [row for row in said if not _is_call(row["trace_id"])])
    for row in said:
        owner = owners.get(_key(row), row["hold_id"])
        if owner != row["hold_id"]:
            if row["hold_id"] is None:
                continue
            row["trace_id"] = row["cause"]
        owners[_key(row)] = row["hold_id"]
        yield {name: row[name] for name in _EMPTY}


def _owners(connection: Connection, named: Sequence[Row]) -> dict[tuple[str, str, str], str | None]:
    """The hold of each node that bears a name of one of these."""
    if not named:
        return {}
    tenants, names = ({row[key] for row in named} for key in ("tenant", "trace_id"))
    there = select(traces.c.tenant, traces.c.agent, traces.c.trace_id, traces.c.hold_id)
    found = connection.execute(
        there.where(traces.c.tenant.in_(tenants), traces.c.trace_id.in_(names))
    )
    return {_key(row._asdict()): row.hold_id for row in found}


def _key(row: Row) -> tuple[str, str, str]:
    return row["tenant"], row["agent"], row["trace_id"]


def _is_call(name: str) -> bool:
    return call_place(name) is not None


def _opened(record: Record) -> Row | None:
    """Return the node of a call, as the gate's first fact of its hold opens it."""
    if record.entry.kind != HOLDS or not record.place.agent:
        return None
    fact = record.message(first) if (first := FIRST.get(record.type_name)) else None
    if fact is None or not fact.hold.causes or not record.hold_id:
        return None
    hold, action, lineage = fact.hold, fact.hold.action, fact.hold.lineage
    cause = hold.causes[0]
    is_own = lineage.trace_id and not _is_call(lineage.trace_id)
    said = {"text": hold.says, "action_detail": hold.claim}
    return {
        **_EMPTY,
        **_who(record),
        "cause": cause,
        "trace_id": lineage.trace_id if is_own else cause,
        "hold_id": record.hold_id,
        "domain": action.domain if action else "",
        "parent": lineage.parent or None,
        "group_id": lineage.group_id or None,
        "fn": action.tool if action else "intent",
        "input": as_json(action.arguments if action else said),
        "prompt_versions": as_json(lineage.prompt_versions),
        "app_version": lineage.app_version or None,
        "created_at": record.entry.at,
    }


def _told(record: Record) -> Row | None:
    """Return what an agent's own trace says of a node."""
    if record.entry.kind != CALLS or not record.place.agent:
        return None
    trace = record.message(Trace)
    if trace is None or _is_call(trace.trace_id):
        return None
    name = trace.trace_id or record.entry.cause
    return {**_EMPTY, **_who(record), **_traced(trace, record.entry.at), "trace_id": name}


def _who(record: Record) -> Row:
    return {"id": record.seq, "tenant": record.place.tenant, "agent": record.place.agent}


def _traced(trace: Trace, at: datetime) -> Row:
    opened = trace.phase is Phase.OPENED
    ending = {"input": as_json(trace.input), "created_at": at}
    if not opened:
        ending = {
            "output": as_json(trace.output),
            "exception": trace.exception or None,
            "updated_at": at,
        }
    return {
        "parent": trace.parent or None,
        "group_id": trace.group_id or None,
        "fn": trace.fn,
        "prompt_versions": as_json(trace.prompt_versions) if opened else None,
        "app_version": trace.app_version or None,
        "dispatched_by": trace.dispatched_by or None,
        **ending,
    }


def _ended_before(connection: Connection, seq: int, holds: Sequence[str]) -> list[Record]:
    """Read what ended these holds, or their runs, where the ledger heard of that first."""
    ending = events.c.type.in_([TYPES[kind] for kind in ENDS])
    return records_in(connection, events.c.hold_id.in_(holds), ending, events.c.seq < seq)


def _ending(record: Record) -> Row | None:
    """Return how this event closes a call's node, if it does."""
    if not record.hold_id or record.entry.kind not in {HOLDS, RUNS}:
        return None
    is_run = record.entry.kind == RUNS
    end = _run_end(record) if is_run else _hold_end(record)
    if end is None:
        return None
    output, exception = end
    return {
        "in_tenant": record.place.tenant,
        "of_hold": record.hold_id,
        "in_domain": record.place.domain if is_run else None,
        "result": None if output is None else as_json(output),
        "error": exception or None,
        "at": record.entry.at,
    }


def _run_end(record: Record) -> tuple[Row | None, str] | None:
    """Return output and exception of a run; in doubt is no end."""
    if finished := record.message(Finished):
        if finished.status is RunStatus.IN_DOUBT:
            return None
        is_done = finished.status is RunStatus.DONE
        return finished.data, "" if is_done else finished.error or finished.status.value
    if reconciled := record.message(Reconciled):
        found = {"happened": reconciled.happened, "note": reconciled.note}
        return found, "" if reconciled.happened else "did_not_happen"
    if stopped := record.message(Barred) or record.message(Lapsed):
        return None, stopped.reason or record.place.word
    return None


def _hold_end(record: Record) -> tuple[Row | None, str] | None:
    """Return output and exception of a hold that ends here; an action let go runs on."""
    if denied := record.message(Denied):
        return None, denied.hold.reason or "denied"
    if resumed := record.message(Resumed):
        return (None, _why(resumed.hold)) if not resumed.confirmed else _let_go(resumed.hold)
    passed = record.message(Passed) or record.message(Witnessed)
    return _let_go(passed.hold) if passed else None


def _let_go(hold: Hold) -> tuple[Row | None, str] | None:
    """Return the end of a sentence that may go on; an action's is its run's."""
    return ({"confirmed": True}, "") if hold.action is None else None


def _why(hold: Hold) -> str:
    return hold.reason or (hold.outcome.value if hold.outcome else hold.stage.value)


_CLOSE = (
    update(traces)
    .where(traces.c.tenant == bindparam("in_tenant"), traces.c.hold_id == bindparam("of_hold"))
    .where(func.coalesce(bindparam("in_domain", type_=Text), traces.c.domain) == traces.c.domain)
    .where(traces.c.updated_at.is_(None))
    .values(output=bindparam("result"), exception=bindparam("error"), updated_at=bindparam("at"))
)
"""The first end counts; a worker ends runs of its own domain only."""


def _hand_down_cycles(connection: Connection, rows: Sequence[Row]) -> None:
    """Give each node below these, as far as it came before its parent, its root's cycle."""
    ids: dict[str, list[int]] = {}
    for row in rows:
        ids.setdefault(row["tenant"], []).append(row["id"])
    late = [
        {"of": row.id, "in_tenant": row.tenant, "cycle": row.cycle}
        for tenant in sorted(ids)
        for row in connection.execute(_LATE, {"in_tenant": tenant, "ids": ids[tenant]})
    ]
    if late:
        connection.execute(_HAND_DOWN, late)


_HAND_DOWN = (
    update(traces)
    .where(traces.c.tenant == bindparam("in_tenant"), traces.c.id == bindparam("of"))
    .values(cycle_id=bindparam("cycle"))
)


def _late() -> Select[Any]:
    """Every node without a cycle below those of these that have one."""
    above, node, below = traces.alias("above"), traces.alias("node"), traces.alias("below")
    these = above.c.id.in_(bindparam("ids", expanding=True))
    first = (
        select(node.c.tenant, node.c.id, above.c.cycle_id.label("cycle"))
        .join(above, (above.c.tenant == node.c.tenant) & (above.c.id == node.c.parent_id))
        .where(above.c.tenant == bindparam("in_tenant"), these, above.c.cycle_id.is_not(None))
        .where(node.c.cycle_id.is_(None))
    )
    late = first.cte("late", recursive=True)
    deeper = (
        select(below.c.tenant, below.c.id, late.c.cycle)
        .join(late, (late.c.tenant == below.c.tenant) & (late.c.id == below.c.parent_id))
        .where(below.c.cycle_id.is_(None))
    )
    whole = late.union_all(deeper)
    return select(whole)


_LATE = _late()
