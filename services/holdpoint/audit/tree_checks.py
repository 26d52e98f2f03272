"""Checks of the ledger's tree: its leaves, its stored nodes, and checkpoints here and outside.

A stored node repeats the leaves beneath it, so a leaf that was changed is named itself. Behind the
last whole node only checkpoints tell: they name the events from the last good one to the first bad.
"""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from itertools import combinations, pairwise

import msgspec
from sqlalchemy import Connection, select

from holdpoint.audit.checkpoint_keys import checked_note
from holdpoint.core.checkpoint import Checkpoint, NoteError, read_note
from holdpoint.core.merkle import EMPTY_ROOT, HASH_BYTES, TILE, Growing, Node
from holdpoint.ledger.checkpoints import Stored, every_checkpoint
from holdpoint.ledger.tables import events, tree_nodes
from holdpoint.runtime.errors import SignatureError

FEW, VERY_FEW = 300, 64
"""Events among which two that changed places are looked for: a second or two on one core."""

READ = 10_000
"""Leaves that are read at a time."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A row that is not as it was written."""

    row: str
    text: str
    event: int | None = None
    until: int | None = None
    """Last of several events, if it may be any of them."""


class Tree:
    """One walk over every leaf: what is wrong with nodes and checkpoints, and the tree's end."""

    def __init__(
        self, connection: Connection, held: Sequence[Checkpoint], keys: Sequence[bytes] | None
    ) -> None:
        self.root = EMPTY_ROOT
        self.size = 0
        self.nodes: list[Finding] = []
        self.checkpoints: list[Finding] = []
        self.held: list[Finding] = []
        self.newest: Stored | None = None
        self.count = 0
        self._connection = connection
        self._keys = keys
        self._good_tree = Growing()
        self._good = 0
        """Up to where a checkpoint says the same as the tree."""

        self._noted = 0
        """Size of the ledger's own checkpoint that was looked at last."""

        self._lost = 0
        """The event that is missing, where the walk ended for it."""

        self._told = False
        self._walk(held)

    def _walk(self, held: Sequence[Checkpoint]) -> None:
        noted = every_checkpoint(self._connection)
        waiting = sorted(held, key=lambda it: it.size)
        tree, next_noted = Growing(), self._next(noted)
        for seq, leaf in self._leaves():
            for node in tree.append(leaf):
                self._compare(node)
            while next_noted is not None and next_noted.size <= seq:
                self._look_at(next_noted, seq, tree)
                next_noted = self._next(noted)
            while waiting and waiting[0].size <= seq:
                self._hold_against(waiting.pop(0), tree)
        self.root, self.size = tree.root(), tree.size
        if next_noted is not None:
            more = len(list(iter(lambda: self._next(noted), None)))
            row = f"checkpoints.{next_noted.number}"
            self.checkpoints.append(self._cut(row, next_noted.size, more))
        self.held += [self._cut(f"checkpoint of {it.size}", it.size) for it in waiting if it.size]
        self._find_surplus()

    def _leaves(self) -> Iterator[tuple[int, bytes]]:
        """Yield each leaf; where an event is gone, the one that its node remembers."""
        expected = 1
        asked = select(events.c.seq, events.c.leaf).order_by(events.c.seq)
        for seq, leaf in self._connection.execute(asked, execution_options={"yield_per": READ}):
            while expected < seq:
                if (remembered := self._remembered(expected)) is None:
                    text = f"is missing, so the tree cannot be followed up to event {seq}"
                    self.nodes.append(Finding(row=f"events.{expected}", text=text, event=expected))
                    self._lost = expected
                    return
                yield expected, remembered
                expected += 1
            if seq == expected:
                yield seq, leaf
                expected += 1

    def _remembered(self, seq: int) -> bytes | None:
        beneath = self._connection.scalar(
            select(tree_nodes.c.beneath).where(
                tree_nodes.c.level == 1, tree_nodes.c.place == (seq - 1) // TILE
            )
        )
        start = (seq - 1) % TILE * HASH_BYTES
        return beneath[start : start + HASH_BYTES] if beneath is not None else None

    def _compare(self, made: Node) -> None:
        row = f"tree_nodes.{made.level}/{made.place}"
        stored = self._connection.execute(
            select(tree_nodes.c.hash, tree_nodes.c.beneath).where(
                tree_nodes.c.level == made.level, tree_nodes.c.place == made.place
            )
        ).one_or_none()
        if stored is None:
            self.nodes.append(Finding(row=row, text="follows from the events and is missing"))
            return
        others = _others(stored.beneath, made.beneath)
        if made.level == 1 and len(stored.beneath) == len(made.beneath):
            for place in others:
                seq = made.place * TILE + place + 1
                text = f"is not the leaf that {row} holds for it"
                self.nodes.append(Finding(row=f"events.{seq}", text=text, event=seq))
        elif others:
            self.nodes.append(Finding(row=row, text="holds other hashes than the nodes beneath it"))
        if stored.hash != made.hash and not others:
            self.nodes.append(Finding(row=row, text="is not the hash of what is beneath it"))

    def _find_surplus(self) -> None:
        """Nodes that no events are beneath."""
        rows = self._connection.execute(
            select(tree_nodes.c.level, tree_nodes.c.place).order_by("level", "place")
        )
        for level, place in rows:
            if level < 1 or not 0 <= place < self.size // TILE**level:
                row = f"tree_nodes.{level}/{place}"
                self.nodes.append(Finding(row=row, text="follows from no event"))

    def _next(self, noted: Iterator[Stored]) -> Stored | None:
        """Return the next checkpoint whose place in the row of all of them is right."""
        for found in noted:
            self.count += 1
            row = f"checkpoints.{self.count}"
            if found.number != self.count:
                text = f"is missing: the next one is {found.number}"
                self.checkpoints.append(Finding(row=row, text=text))
                self.count = found.number
            if self.newest is not None and found.size <= self.newest.size:
                text = f"covers {found.size} events, the one before it {self.newest.size}"
                self.checkpoints.append(Finding(row=f"checkpoints.{found.number}", text=text))
                continue
            self.newest = found
            return found
        return None

    def _look_at(self, stored: Stored, seq: int, tree: Growing) -> None:
        row, self._noted = f"checkpoints.{stored.number}", stored.size
        try:
            said = self._read(stored.note)
        except (SignatureError, NoteError) as error:
            text = f"is not as the audit signed it: {error}"
            self.checkpoints.append(Finding(row=row, text=text))
            return
        if said.size != stored.size:
            text = f"is noted for {stored.size} events, and was signed for {said.size}"
            self.checkpoints.append(Finding(row=row, text=text))
        elif said.root == tree.root():
            self._good, self._good_tree = seq, deepcopy(tree)
        elif not self._told:
            self._told = True
            self.checkpoints.append(self._other(row, seq))
            self.nodes += self._swapped(seq, said.root)

    def _read(self, note: str) -> Checkpoint:
        return read_note(note).checkpoint if self._keys is None else checked_note(note, self._keys)

    def _hold_against(self, said: Checkpoint, tree: Growing) -> None:
        row = f"checkpoint of {said.size}"
        if said.size and said.root != tree.root():
            self.held.append(self._other(row, said.size))
        elif said.size and self._noted != said.size:
            text = "was signed, and is gone from the ledger's own checkpoints"
            self.held.append(Finding(row=row, text=text))

    def _cut(self, row: str, size: int, more: int = 0) -> Finding:
        """Events are gone: from the end, or from anywhere behind the last that is proven."""
        others = f", like {more} checkpoints behind it" if more else ""
        if self._lost:
            text = f"cannot be compared{others}: event {self._lost}, which it covers, is missing"
            return Finding(row=row, text=text, event=self._lost, until=self._lost)
        behind = f" behind event {self._good}, the last that a checkpoint proves"
        gone = f"events are gone{behind if self._good else ''}"
        text = f"covers {size} events, and the ledger ends at {self.size}{others}: {gone}"
        return Finding(row=row, text=text, event=self._good + 1, until=size)

    def _swapped(self, until: int, root: bytes) -> Iterator[Finding]:
        """Yield two events that changed places, if that and nothing else explains the root."""
        asked = select(events.c.leaf).where(events.c.seq > self._good, events.c.seq <= until)
        leaves = list(self._connection.scalars(asked.order_by(events.c.seq)))
        for here, there in _pairs(len(leaves)):
            tree, tried = deepcopy(self._good_tree), list(leaves)
            tried[here], tried[there] = tried[there], tried[here]
            for leaf in tried:
                tree.append(leaf)
            if tree.root() == root:
                numbers = (self._good + 1 + here, self._good + 1 + there)
                for seq, other in (numbers, numbers[::-1]):
                    text = f"changed places with event {other} after a checkpoint had signed both"
                    yield Finding(row=f"events.{seq}", text=text, event=seq)
                return

    def _other(self, row: str, seq: int) -> Finding:
        first = self._good + 1
        which = f"event {seq}" if first == seq else f"events {first} to {seq}"
        text = f"signs another root: {which} had another leaf when it was signed"
        return Finding(row=row, text=text, event=first, until=seq)


def _pairs(count: int) -> Iterator[tuple[int, int]]:
    """Yield the places that are tried: neighbours first, all of them only where these are few."""
    if count <= FEW:
        yield from pairwise(range(count))
    if count <= VERY_FEW:
        yield from combinations(range(count), 2)


def _others(stored: bytes, made: bytes) -> list[int]:
    """Return the places of the hashes that differ."""
    if stored == made:
        return []
    starts = range(0, max(len(stored), len(made)), HASH_BYTES)
    return [
        start // HASH_BYTES
        for start in starts
        if stored[start : start + HASH_BYTES] != made[start : start + HASH_BYTES]
    ]
