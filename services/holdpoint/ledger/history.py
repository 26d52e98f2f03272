"""An agent's chat history of seed 001: h, its derivative (h1), and h2 to the fullness of its depth.

A cycle begins where the agent's own trace opens a root. A call that its own program runs, outside
of any cycle, is one by itself: a coding host has no other nodes. What came of a call stands in its
node as the gate and the worker told it; what an agent says of a call never counts.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, exists, select

from holdpoint.ledger.tables import traces
from holdpoint.messages.base import JsonObject
from holdpoint.messages.call import RUN_NODE
from holdpoint.messages.catalog import DISPATCH, HOST_DOMAIN

TEXT = "text"
DEEPEST = 100
"""Levels of a tree that are shown; agents may claim deeper ones."""

ASKED = 1_000
"""Nodes asked about in one statement."""


class Node(msgspec.Struct, frozen=True, kw_only=True):
    """One input-output pair, labelled with the agent or tool that it went to."""

    fn: str
    agent: str
    trace_id: str
    hold_id: str
    """Of a call; empty for an agent's own node."""

    dispatched_by: str = ""
    """Of an agent's own node: the dispatch of another agent that it answers."""

    input: JsonObject
    output: JsonObject | None
    exception: str
    created_at: datetime | None
    updated_at: datetime | None
    """When it was closed; None while it is open."""

    children: tuple["Node", ...]

    @property
    def shape(self) -> str:
        """The tree's labels: `A`, `A→T`, `A→T→B`, `A→(T,U)`."""
        below = [child.shape for child in self.children]
        if not below:
            return self.fn
        return f"{self.fn}→{below[0]}" if len(below) == 1 else f"{self.fn}→({','.join(below)})"


def cycles_of(
    connection: Connection, tenant: str, agent: str, last: int | None = None
) -> tuple[Node, ...]:
    """Return h2: the whole tree of each of an agent's cycles, in their order."""
    roots = _roots(connection, tenant, agent, last)
    below = _below(connection, tenant, roots)
    return tuple(_node(root, below) for root in roots)


def tracing_agents(connection: Connection, tenant: str) -> list[str]:
    """Return the agents that opened a cycle, by name."""
    names = select(traces.c.agent).where(traces.c.tenant == tenant, _IS_ROOT).distinct()
    return list(connection.execute(names.order_by(traces.c.agent)).scalars())


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


def _said(pair: JsonObject | None) -> object:
    """The text of a user's input or of an answer; else all of it."""
    return pair[TEXT] if pair and set(pair) == {TEXT} else pair


def _roots(connection: Connection, tenant: str, agent: str, last: int | None) -> Sequence[Row[Any]]:
    """Read the roots of an agent's cycles, oldest first."""
    own = (traces.c.tenant == tenant, traces.c.agent == agent, _IS_ROOT)
    newest = select(traces).where(*own).order_by(traces.c.id.desc())
    return connection.execute(newest.limit(last)).all()[::-1]


def _is_root() -> ColumnElement[bool]:
    """Return whether a node begins a cycle; the node of a call's run is told by the call's own."""
    call = traces.alias()
    is_run = exists().where(
        call.c.tenant == traces.c.tenant,
        call.c.agent == traces.c.agent,
        call.c.hold_id == traces.c.group_id,
        traces.c.trace_id == RUN_NODE + traces.c.group_id,
    )
    is_own = traces.c.hold_id.is_(None) & ~is_run
    return traces.c.parent.is_(None) & (is_own | (traces.c.domain == HOST_DOMAIN))


_IS_ROOT = _is_root()


def _below(
    connection: Connection, tenant: str, roots: Sequence[Row[Any]]
) -> dict[int, list[Row[Any]]]:
    """Read the children of each node, level by level, each node once."""
    below: dict[int, list[Row[Any]]] = {}
    seen = {row.id for row in roots}
    level: Sequence[Row[Any]] = roots
    for _ in range(DEEPEST):
        deeper = [
            (parent, child)
            for parent, child in (
                *_children(connection, tenant, level),
                *_answers(connection, tenant, level),
            )
            if child.id not in seen
        ]
        for parent, child in deeper:
            below.setdefault(parent, []).append(child)
        level = [child for _, child in deeper]
        seen |= {row.id for row in level}
    return below


def _children(
    connection: Connection, tenant: str, level: Sequence[Row[Any]]
) -> list[tuple[int, Row[Any]]]:
    found = _matching(connection, tenant, traces.c.parent_id, [row.id for row in level])
    return [(row.parent_id, row) for row in sorted(found, key=lambda it: it.call_order)]


def _answers(
    connection: Connection, tenant: str, level: Sequence[Row[Any]]
) -> list[tuple[int, Row[Any]]]:
    """The cycles in which agents that were dispatched to answered, below their dispatch."""
    asking = {row.hold_id: row for row in level if row.hold_id and row.fn == DISPATCH}
    found = _matching(connection, tenant, traces.c.dispatched_by, list(asking))
    return [
        (above.id, row)
        for row in sorted(found, key=lambda it: it.id)
        if row.parent is None and row.agent == _target(above := asking[row.dispatched_by])
    ]


def _target(dispatch: Row[Any]) -> object:
    return msgspec.json.decode(dispatch.input).get("target_agent")


def _matching(
    connection: Connection, tenant: str, column: ColumnElement[Any], wanted: Sequence[object]
) -> list[Row[Any]]:
    return [
        row
        for first in range(0, len(wanted), ASKED)
        for row in connection.execute(
            select(traces).where(
                traces.c.tenant == tenant, column.in_(wanted[first : first + ASKED])
            )
        )
    ]


def _node(row: Row[Any], below: dict[int, list[Row[Any]]]) -> Node:
    return Node(
        fn=row.fn or "",
        agent=row.agent,
        trace_id=row.trace_id,
        hold_id=row.hold_id or "",
        dispatched_by=row.dispatched_by or "",
        input=msgspec.json.decode(row.input) if row.input else {},
        output=msgspec.json.decode(row.output) if row.output else None,
        exception=row.exception or "",
        created_at=row.created_at,
        updated_at=row.updated_at,
        children=tuple(_node(child, below) for child in below.get(row.id, ())),
    )
