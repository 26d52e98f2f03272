"""An agent's chat history of seed 001: h, its derivative (h1), and h2 to the fullness of its depth.

A cycle begins where the agent's own trace opens a root. What came of a call is read from the
gate's and the worker's facts; what an agent says of a call never counts.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, select

from holdpoint.ledger.confirmations import record_in
from holdpoint.ledger.tables import bodies, events, traces
from holdpoint.messages.base import JsonObject
from holdpoint.messages.call import Trace
from holdpoint.messages.catalog import DISPATCH
from holdpoint.messages.hold import Denied, Hold, Outcome, Passed, Resolved, Resumed, Witnessed
from holdpoint.messages.run import Finished
from holdpoint.messages.subjects import TYPES, command_id

_TELLING = (Passed, Witnessed, Denied, Resolved, Resumed, Finished)
TEXT = "text"


class Node(msgspec.Struct, frozen=True, kw_only=True):
    """One input-output pair, labelled with the agent or tool that it went to."""

    fn: str
    agent: str
    input: JsonObject
    output: JsonObject | None
    exception: str
    children: tuple["Node", ...]

    @property
    def shape(self) -> str:
        """The tree's labels: `A`, `A→T`, `A→T→B`, `A→(T,U)`."""
        below = [child.shape for child in self.children]
        if not below:
            return self.fn
        return f"{self.fn}→{below[0]}" if len(below) == 1 else f"{self.fn}→({','.join(below)})"


class _End(msgspec.Struct, frozen=True, kw_only=True):
    hold_id: str
    output: JsonObject | None = None
    exception: str = ""


def cycles_of(connection: Connection, agent: str) -> tuple[Node, ...]:
    """Return h2: the whole tree of each of an agent's cycles, in their order."""
    rows = _rows(connection)
    ends = _ends(connection)
    origins = _origins(connection, rows)
    below: dict[int, list[Row[Any]]] = {}
    for row in rows:
        if row.parent_id is not None:
            below.setdefault(row.parent_id, []).append(row)
    answering: dict[str, list[Row[Any]]] = {}
    for row in rows:
        if (said := origins[row.id].dispatched_by) and row.parent is None:
            answering.setdefault(said, []).append(row)

    def node(row: Row[Any]) -> Node:
        end = ends.get(origins[row.id].cause)
        given = msgspec.json.decode(row.input) if row.input else {}
        inside = list(below.get(row.id, ()))
        if end is not None and row.fn == DISPATCH:
            called = given.get("target_agent")
            inside += [it for it in answering.get(end.hold_id, ()) if it.agent == called]
        own = msgspec.json.decode(row.output) if row.output else None
        return Node(
            fn=row.fn or "",
            agent=row.agent,
            input=given,
            output=end.output if end else own,
            exception=(end.exception if end else row.exception) or "",
            children=tuple(map(node, sorted(inside, key=lambda it: it.call_order or it.id))),
        )

    roots = (it for it in rows if it.agent == agent and it.parent is None and it.fn == agent)
    return tuple(map(node, roots))


def history(cycles: Iterable[Node]) -> list[tuple[object, ...]]:
    """Return h: (u, v) of each cycle."""
    return [(_said(it.input), _said(it.output)) for it in cycles]


def derivative(cycles: Iterable[Node]) -> list[tuple[object, ...]]:
    """Return h1: (u, q, r, q2, r2, …, v) of each cycle."""
    return [
        (
            _said(it.input),
            *(part for child in it.children for part in (child.input, child.output)),
            _said(it.output),
        )
        for it in cycles
    ]


def mermaid(cycles: Sequence[Node]) -> str:
    """Draw the trees as a Mermaid graph, with their labels alone."""
    lines, number = ["graph TD"], 0

    def draw(node: Node) -> str:
        nonlocal number
        number += 1
        name = f"n{number}"
        label = "".join(sign for sign in node.fn if sign.isalnum() or sign in "-_ ")
        lines.append(f'        {name}["{label}"]')
        lines.extend([f"        {name} --> {draw(child)}" for child in node.children])
        return name

    for at, cycle in enumerate(cycles, start=1):
        lines.append(f"    subgraph c{at}")
        draw(cycle)
        lines.append("    end")
    return "\n".join(lines)


def _said(pair: JsonObject | None) -> object:
    """The text of a user's input or of an answer; else all of it."""
    return pair[TEXT] if pair and set(pair) == {TEXT} else pair


def _rows(connection: Connection) -> Sequence[Row[Any]]:
    return connection.execute(select(traces).order_by(traces.c.id)).all()


class _Origin(msgspec.Struct, frozen=True, kw_only=True):
    cause: str
    dispatched_by: str


def _origins(connection: Connection, rows: Sequence[Row[Any]]) -> Mapping[int, _Origin]:
    """The message that first named each node."""
    wanted = (
        select(events, bodies.c.body)
        .join(bodies, bodies.c.seq == events.c.seq)
        .join(traces, traces.c.id == events.c.seq)
    )
    found: dict[int, _Origin] = {it.id: _Origin(cause="", dispatched_by="") for it in rows}
    for row in connection.execute(wanted):
        trace = record_in(row).message(Trace)
        found[row.seq] = _Origin(
            cause=command_id(row.src_stream, row.src_seq) if trace is None else "",
            dispatched_by=trace.dispatched_by if trace else "",
        )
    return found


def _ends(connection: Connection) -> dict[str, _End]:
    """What came of each call, as far as it has come, by the call's id."""
    wanted = (
        select(events, bodies.c.body)
        .join(bodies, bodies.c.seq == events.c.seq)
        .where(events.c.type.in_([TYPES[kind] for kind in _TELLING]))
        .order_by(events.c.seq)
    )
    found: dict[str, _End] = {}
    for row in connection.execute(wanted):
        record = record_in(row)
        if run := record.message(Finished):
            end = _End(hold_id=run.hold_id, output=run.data, exception=run.error)
            found[run.call] = end
            continue
        for kind in _TELLING[:-1]:
            if (fact := record.message(kind)) is not None:
                hold: Hold = fact.hold
                end = _End(hold_id=hold.hold_id, exception=_why(hold))
                found[hold.causes[0]] = found.get(hold.causes[0], end) if not end.exception else end
    return found


def _why(hold: Hold) -> str:
    if hold.outcome is not None and hold.outcome is not Outcome.CONFIRMED:
        return hold.reason or hold.outcome.value
    return hold.reason if hold.stage.value == "denied" else ""
