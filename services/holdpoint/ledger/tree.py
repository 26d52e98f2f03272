"""The Merkle tree over the ledger's events: its stored nodes, its root, and proofs from them."""

from collections.abc import Iterator, Sequence

import msgspec
from sqlalchemy import ColumnElement, Connection, func, select

from holdpoint.core.merkle import (
    TILE,
    Growing,
    Node,
    Nodes,
    consistency_path,
    inclusion_path,
    root_between,
    root_of,
)
from holdpoint.ledger.bulk_insert import insert_rows
from holdpoint.ledger.tables import events, tree_nodes
from holdpoint.runtime.errors import UnavailableError

READ = 10_000
"""Leaves that are read at a time."""


def grow(connection: Connection, before: int, leaves: Sequence[bytes]) -> None:
    """Store the nodes that these leaves completed, behind the `before` older ones."""
    stored, level, added = nodes_of(connection), 0, list(leaves)
    while before // TILE < (before + len(added)) // TILE:
        whole = before // TILE * TILE
        hashes = [*stored(level, whole, before), *added] if whole < before else added
        level, before = level + 1, before // TILE
        made = [
            _node(level, before + place, hashes[place * TILE : (place + 1) * TILE])
            for place in range(len(hashes) // TILE)
        ]
        _store(connection, made)
        added = [node.hash for node in made]


def plant(connection: Connection) -> None:
    """Store every node of a tree over events that stand in the ledger already."""
    tree = Growing()
    for leaf in leaves(connection):
        _store(connection, list(tree.append(leaf)))


def has_nodes(connection: Connection) -> bool:
    """Is any node stored?"""
    return connection.scalar(select(tree_nodes.c.level).limit(1)) is not None


def size_of(connection: Connection) -> int:
    """How many leaves does the tree have?"""
    return connection.scalar(select(func.max(events.c.seq))) or 0


def root_at(connection: Connection, size: int) -> bytes:
    """Return the root of the first so many events; UnavailableError where some are gone."""
    return root_between(nodes_of(connection), 0, size)


def inclusion(connection: Connection, seq: int, size: int) -> list[bytes]:
    """Prove that this event is in the tree of that size."""
    return inclusion_path(nodes_of(connection), seq - 1, size)


def consistency(connection: Connection, old: int, new: int) -> list[bytes]:
    """Prove that the tree of the new size continues the one of the old size."""
    return consistency_path(nodes_of(connection), old, new)


def nodes_of(connection: Connection) -> Nodes:
    """Return what reads the tree's hashes."""

    def read(level: int, first: int, end: int) -> list[bytes]:
        if level == 0:
            column, key, offset = events.c.leaf, events.c.seq, 1
        else:
            column, key, offset = tree_nodes.c.hash, tree_nodes.c.place, 0
        asked = select(column).where(key.between(first + offset, end - 1 + offset)).order_by(key)
        found = connection.scalars(asked if level == 0 else asked.where(_on(level))).all()
        if len(found) != end - first:
            where = f"{first} to {end - 1} on level {level}"
            raise UnavailableError(
                f"The ledger's tree lacks nodes {where}. Ask: holdpoint audit verify"
            )
        return list(found)

    return read


def leaves(connection: Connection) -> Iterator[bytes]:
    """Yield every leaf in the tree's order."""
    asked = select(events.c.leaf).order_by(events.c.seq)
    yield from connection.scalars(asked, execution_options={"yield_per": READ})


def _on(level: int) -> ColumnElement[bool]:
    return tree_nodes.c.level == level


def _node(level: int, place: int, hashes: list[bytes]) -> Node:
    return Node(level=level, place=place, hash=root_of(hashes), beneath=b"".join(hashes))


def _store(connection: Connection, nodes: list[Node]) -> None:
    insert_rows(connection, tree_nodes, [msgspec.structs.asdict(it) for it in nodes])
