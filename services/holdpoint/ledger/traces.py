"""Derived rows of `traces`: the call tree of seed 001, from what agents say on CALLS.

A proposal, an intent and an opened trace name a node; a closed trace fills in its output. The
first message that names a node gives it its id, its parent and its group. A node that a proposal
or an intent named first is a call: what an agent's trace says of it is not entered.

Structure is the trigger's business; only the cycle of nodes that came before their parent is
handed down here, because a trigger would have to call itself as often as the tree is deep.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, select, update

from holdpoint.ledger.bulk_insert import Fill, as_json, fill_rows
from holdpoint.ledger.entries import Record
from holdpoint.ledger.tables import events, traces
from holdpoint.messages.call import Intent, Lineage, Phase, Propose, Trace
from holdpoint.messages.subjects import CALLS, TYPES, call_place

_FILL = Fill(
    table=traces,
    key=("tenant", "trace_id", "agent"),
    assigned=("parent_id", "cycle_id", "call_order"),
    fixed=("id", "parent", "group_id"),
)
_EMPTY: dict[str, Any] = dict.fromkeys(column.name for column in traces.c)


def write_traces(connection: Connection, records: Sequence[Record]) -> None:
    """Add and fill the nodes that these events name."""
    said = [
        (record, {**_EMPTY, **_who(record), **fields})
        for record in records
        if record.entry.kind == CALLS and record.place.agent and (fields := _said(record))
    ]
    rows = list(_believed(connection, said))
    fill_rows(connection, _FILL, rows)
    _hand_down_cycles(connection, [row for row in rows if _is_named(row)])


def _believed(
    connection: Connection, said: Sequence[tuple[Record, dict[str, Any]]]
) -> Iterator[dict[str, Any]]:
    """All of them but an agent's own words about a node that is a call."""
    traced = [row["trace_id"] for record, row in said if _is_traced(record)]
    calls = _named_by_calls(connection, traced) if traced else set()
    seen = set[tuple[str, str, str]]()
    for record, row in said:
        node = (row["tenant"], row["agent"], row["trace_id"])
        if not _is_traced(record):
            if node not in seen:
                calls.add(node)
        elif node in calls:
            continue
        seen.add(node)
        yield row


def _is_traced(record: Record) -> bool:
    return record.message(Trace) is not None


def _named_by_calls(connection: Connection, names: Sequence[str]) -> set[tuple[str, str, str]]:
    """Those of these nodes, in whatever tenant, that a call named first."""
    first = (
        select(traces.c.tenant, traces.c.agent, traces.c.trace_id)
        .join(events, events.c.seq == traces.c.id)
        .where(events.c.type.in_((TYPES[Propose], TYPES[Intent])), traces.c.trace_id.in_(names))
    )
    return {(row.tenant, row.agent, row.trace_id) for row in connection.execute(first)}


def _is_named(row: dict[str, Any]) -> bool:
    """Only a node with a name of its own can be somebody's parent before it came."""
    return call_place(row["trace_id"]) is None


def _who(record: Record) -> dict[str, Any]:
    return {
        "id": record.seq,
        "tenant": record.place.tenant,
        "agent": record.place.agent,
        "trace_id": record.entry.cause,
    }


def _said(record: Record) -> dict[str, Any]:
    at = record.entry.at
    if propose := record.message(Propose):
        return _called(propose.tool, propose.arguments, propose.lineage, at)
    if intent := record.message(Intent):
        says = {"text": intent.text, "action_detail": intent.action_detail}
        return _called("intent", says, intent.lineage, at)
    if trace := record.message(Trace):
        if call_place(trace.trace_id) is not None:
            return {}
        return _traced(trace, at) | ({} if trace.trace_id else _who(record))
    return {}


def _called(fn: str, said: dict[str, Any], lineage: Lineage, at: datetime) -> dict[str, Any]:
    own = lineage.trace_id and call_place(lineage.trace_id) is None
    named = {"trace_id": lineage.trace_id} if own else {}
    return {
        **named,
        "parent": lineage.parent or None,
        "group_id": lineage.group_id or None,
        "fn": fn,
        "input": as_json(said),
        "prompt_versions": as_json(lineage.prompt_versions),
        "app_version": lineage.app_version or None,
        "created_at": at,
    }


def _traced(trace: Trace, at: datetime) -> dict[str, Any]:
    opened = trace.phase is Phase.OPENED
    ending = {"input": as_json(trace.input), "created_at": at}
    if not opened:
        ending = {
            "output": as_json(trace.output),
            "exception": trace.exception or None,
            "updated_at": at,
        }
    return {
        "trace_id": trace.trace_id,
        "parent": trace.parent or None,
        "group_id": trace.group_id or None,
        "fn": trace.fn,
        "prompt_versions": as_json(trace.prompt_versions) if opened else None,
        "app_version": trace.app_version or None,
        **ending,
    }


def _hand_down_cycles(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    """Give each node below these, as far as it came before its parent, its root's cycle."""
    late = [
        {"of": row.id, "in_tenant": row.tenant, "cycle": row.cycle}
        for tenant in sorted({row["tenant"] for row in rows})
        for row in connection.execute(
            _late(tenant, [row["id"] for row in rows if row["tenant"] == tenant])
        )
    ]
    if late:
        connection.execute(_HAND_DOWN, late)


_HAND_DOWN = (
    update(traces)
    .where(traces.c.tenant == bindparam("in_tenant"), traces.c.id == bindparam("of"))
    .values(cycle_id=bindparam("cycle"))
)


def _late(tenant: str, ids: Sequence[int]) -> Any:
    """Every node without a cycle below those of these that have one."""
    above, node, below = traces.alias("above"), traces.alias("node"), traces.alias("below")
    first = (
        select(node.c.tenant, node.c.id, above.c.cycle_id.label("cycle"))
        .join(above, (above.c.tenant == node.c.tenant) & (above.c.id == node.c.parent_id))
        .where(above.c.tenant == tenant, above.c.id.in_(ids), above.c.cycle_id.is_not(None))
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
