"""The Merkle tree of RFC 6962: its hashes, and proofs that anybody can check.

The tree is kept as tiles: above each 256 neighbours one node is stored. Whatever else a proof needs
is computed from those: n leaves have n/255 nodes, and a proof reads a few hundred hashes.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import TypeAlias

import msgspec

TILE = 256
"""Children of a stored node."""

EMPTY_ROOT = sha256(b"").digest()
HASH_BYTES = 32

Nodes: TypeAlias = Callable[[int, int, int], list[bytes]]
"""From a level and the places from one to before another to their hashes; level 0 is the leaves."""


class Node(msgspec.Struct, frozen=True, kw_only=True):
    """A stored node: 256 leaves on level 1, 256 nodes of the level below on the others."""

    level: int
    place: int
    hash: bytes
    beneath: bytes
    """The hashes of its children, joined."""


def leaf_hash(content: bytes) -> bytes:
    """Hash a leaf; its first byte keeps it from ever passing for a node."""
    return sha256(b"\0" + content).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Hash a node from its two children."""
    return sha256(b"\1" + left + right).digest()


def root_of(hashes: Sequence[bytes]) -> bytes:
    """Return the root above neighbours of one size; the last of them may be smaller."""
    if not hashes:
        return EMPTY_ROOT
    level = hashes
    while len(level) > 1:
        pairs = zip(level[::2], level[1::2], strict=False)
        above = [sha256(b"\1" + left + right).digest() for left, right in pairs]
        if len(level) % 2:
            above.append(level[-1])
        level = above
    return level[0]


def root_between(nodes: Nodes, first: int, end: int) -> bytes:
    """Return the root above the leaves from `first` to before `end`, a subtree of the whole."""
    level, width = 0, 1
    while width * TILE <= end - first:
        level, width = level + 1, width * TILE
    place, count = first // width, (end - first) // width
    hashes = nodes(level, place, place + count) if count else []
    if (rest := first + count * width) < end:
        hashes = [*hashes, root_between(nodes, rest, end)]
    return root_of(hashes)


def inclusion_path(nodes: Nodes, index: int, size: int) -> list[bytes]:
    """Prove that this leaf is in the tree of that size: the hashes beside its way up."""
    first, end, path = 0, size, list[bytes]()
    while end - first > 1:
        middle = first + _left_size(end - first)
        if index < middle:
            path.append(root_between(nodes, middle, end))
            end = middle
        else:
            path.append(root_between(nodes, first, middle))
            first = middle
    return path[::-1]


def consistency_path(nodes: Nodes, old: int, new: int) -> list[bytes]:
    """Prove that the tree of the new size continues the one of the old size."""
    if not 0 < old < new:
        return []
    first, end, is_whole, path = 0, new, True, list[bytes]()
    while end != old:
        middle = first + _left_size(end - first)
        if old <= middle:
            path.append(root_between(nodes, middle, end))
            end = middle
        else:
            path.append(root_between(nodes, first, middle))
            first, is_whole = middle, False
    return [*([] if is_whole else [root_between(nodes, first, end)]), *path[::-1]]


def is_included(leaf: bytes, index: int, size: int, path: Sequence[bytes], root: bytes) -> bool:
    """Check an inclusion proof (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    place, last, made = index, size - 1, leaf
    for beside in path:
        if last == 0:
            return False
        if place % 2 or place == last:
            made = node_hash(beside, made)
            while not place % 2 and place:
                place, last = place // 2, last // 2
        else:
            made = node_hash(made, beside)
        place, last = place // 2, last // 2
    return last == 0 and made == root


def subset_path(nodes: Nodes, places: Sequence[int], size: int) -> list[bytes]:
    """Prove that all these leaves, in order, are in the tree of that size: what is beside them.

    Each is the root of a largest subtree without any of them, from left to right.
    """

    def beside(first: int, end: int) -> Iterator[bytes]:
        count = _between(places, first, end)
        if not count:
            yield root_between(nodes, first, end)
        elif count < end - first:
            middle = first + _left_size(end - first)
            yield from beside(first, middle)
            yield from beside(middle, end)

    return list(beside(0, size))


def has_subset(leaves: Mapping[int, bytes], size: int, path: Sequence[bytes], root: bytes) -> bool:
    """Check the proof that all these leaves, by their places, are in a tree of that size."""
    places = sorted(leaves)
    if not places or places[0] < 0 or places[-1] >= size:
        return False
    beside = iter(path)

    def made(first: int, end: int) -> bytes:
        count = _between(places, first, end)
        if not count:
            return next(beside, b"")
        if count == end - first:
            return root_of([leaves[place] for place in range(first, end)])
        middle = first + _left_size(end - first)
        left = made(first, middle)
        return node_hash(left, made(middle, end))

    return made(0, size) == root and next(beside, None) is None


def is_consistent(
    old: int, old_root: bytes, new: int, new_root: bytes, path: Sequence[bytes]
) -> bool:
    """Check a consistency proof (RFC 9162, 2.1.4.2)."""
    if old == 0 or old >= new:
        expected = (EMPTY_ROOT if old == 0 else old_root) == (old_root if old == 0 else new_root)
        return not path and old <= new and expected
    hashes = [old_root, *path] if old & (old - 1) == 0 else list(path)
    if not hashes:
        return False
    place, last = old - 1, new - 1
    while place % 2:
        place, last = place // 2, last // 2
    made_old = made_new = hashes[0]
    for beside in hashes[1:]:
        if last == 0:
            return False
        if place % 2 or place == last:
            made_old, made_new = node_hash(beside, made_old), node_hash(beside, made_new)
            while not place % 2 and place:
                place, last = place // 2, last // 2
        else:
            made_new = node_hash(made_new, beside)
        place, last = place // 2, last // 2
    return last == 0 and made_old == old_root and made_new == new_root


class Growing:
    """A tree that grows leaf by leaf, and tells each stored node once it is whole."""

    def __init__(self) -> None:
        self.size = 0
        self._edge: list[list[bytes]] = [[]]
        """Hashes of each level that no stored node stands above yet."""

    def append(self, leaf: bytes) -> Iterator[Node]:
        """Add a leaf's hash; yield the nodes that it completes."""
        self.size += 1
        self._edge[0].append(leaf)
        return self._completed() if not self.size % TILE else iter(())

    def root(self) -> bytes:
        """Return the root of everything that was added."""
        above: list[bytes] = []
        for hashes in self._edge:
            if together := [*hashes, *above]:
                above = [root_of(together)]
        return above[0] if above else EMPTY_ROOT

    def _completed(self) -> Iterator[Node]:
        level = 0
        while len(hashes := self._edge[level]) == TILE:
            self._edge[level] = []
            level += 1
            if level == len(self._edge):
                self._edge.append([])
            whole = root_of(hashes)
            self._edge[level].append(whole)
            place = self.size // TILE**level - 1
            yield Node(level=level, place=place, hash=whole, beneath=b"".join(hashes))


def _between(places: Sequence[int], first: int, end: int) -> int:
    """Count those of the places that are in a subtree."""
    return bisect_left(places, end) - bisect_left(places, first)


def _left_size(size: int) -> int:
    """Return the largest power of two below this size."""
    return 1 << (size - 1).bit_length() - 1
