"""One signature for many bodies: a hash tree over what was signed together (RFC 6962, 2.1).

The signature covers the tree's size and root. A body's path, the hashes beside it on the way up,
leads from its leaf to that root, so each body verifies alone, without the others.

A leaf hashes what a signature of its own would cover, after a zero byte; a node hashes its two
children after a one. So a node is never taken for a leaf.
"""

import base64
import re
from collections.abc import Iterator, Sequence
from hashlib import sha256

import msgspec

MAX_LEAVES = 256
"""Signed together at most: a path of eight hashes."""

HASH_BYTES = 32

_PAYLOAD_TYPE = b"application/vnd.holdpoint.signature-tree"
"""Another one than a body's: no signature of a tree can be shown as one of a body."""

_PLACE = re.compile(r"(0|[1-9][0-9]{0,2})/([1-9][0-9]{0,2})", re.ASCII)


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """Place of one body in its tree."""

    index: int
    size: int
    path: tuple[bytes, ...]
    """From the leaf up."""

    def words(self) -> str:
        """As a header says it: `<index>/<size> <path, base64>`."""
        return f"{self.index}/{self.size} {base64.b64encode(b''.join(self.path)).decode()}"

    def message(self, encoded: bytes) -> bytes:
        """Return what the tree's signature covers, with this encoded body at this place."""
        node, siblings = _leaf(encoded), iter(self.path)
        for side in _sides(self.index, self.size):
            sibling = next(siblings)
            node = _node(sibling, node) if side is _LEFT else _node(node, sibling)
        return _message(self.size, node)


def grow(encoded: Sequence[bytes]) -> tuple[bytes, list[Proof]]:
    """Return what one signature over these encoded bodies has to cover, and the place of each."""
    levels = [[_leaf(each) for each in encoded]]
    while len(nodes := levels[-1]) > 1:
        pairs = zip(nodes[::2], nodes[1::2], strict=False)
        alone = nodes[-1:] if len(nodes) % 2 else []
        levels.append([_node(left, right) for left, right in pairs] + alone)
    size = len(encoded)
    proofs = [
        Proof(index=index, size=size, path=tuple(_path(levels, index))) for index in range(size)
    ]
    return _message(size, levels[-1][0]), proofs


def read(place: str, path: str) -> Proof:
    """Read a header's words, or raise ValueError: each proof is written in exactly one way."""
    match = _PLACE.fullmatch(place)
    if match is None:
        raise ValueError(place)
    index, size = int(match[1]), int(match[2])
    if not (2 <= size <= MAX_LEAVES and index < size):  # noqa: PLR2004  # one signs for itself
        raise ValueError(place)
    length = sum(1 for _ in _sides(index, size)) * HASH_BYTES
    raw = base64.b64decode(path, validate=True)
    if len(raw) != length or base64.b64encode(raw).decode() != path:
        raise ValueError(path)
    hashes = (raw[start : start + HASH_BYTES] for start in range(0, length, HASH_BYTES))
    return Proof(index=index, size=size, path=tuple(hashes))


_LEFT, _RIGHT = "left", "right"


def _sides(index: int, size: int) -> Iterator[str]:
    """On which side of the way up a sibling stands; the last node of an odd level has none."""
    last = size - 1
    while last:
        if index % 2:
            yield _LEFT
        elif index < last:
            yield _RIGHT
        index, last = index // 2, last // 2


def _path(levels: Sequence[Sequence[bytes]], index: int) -> Iterator[bytes]:
    for level in levels[:-1]:
        if (beside := index ^ 1) < len(level):
            yield level[beside]
        index //= 2


def _leaf(encoded: bytes) -> bytes:
    return sha256(b"\0" + encoded).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1" + left + right).digest()


def _message(size: int, root: bytes) -> bytes:
    signed = size.to_bytes(8, "big") + root
    return b"DSSEv1 %d %s %d %s" % (len(_PAYLOAD_TYPE), _PAYLOAD_TYPE, len(signed), signed)
