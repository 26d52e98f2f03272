"""The tree of RFC 6962: against a naive reference, the RFC's own values, and forged proofs."""

from collections.abc import Sequence
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdpoint.core import merkle
from holdpoint.core.merkle import TILE, Growing, Node

LEAVES = [merkle.leaf_hash(b"%d" % number) for number in range(TILE * 3 + 7)]
sizes = st.integers(1, len(LEAVES)) | st.sampled_from([1, 2, 255, 256, 257, 511, 512, 513, 768])


def naive(leaves: Sequence[bytes]) -> bytes:
    """MTH of RFC 6962, 2.1, word by word."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return sha256(b"\1" + naive(leaves[:k]) + naive(leaves[k:])).digest()


def naive_path(m: int, leaves: Sequence[bytes]) -> list[bytes]:
    """PATH of RFC 6962, 2.1.1."""
    if len(leaves) <= 1:
        return []
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    if m < k:
        return [*naive_path(m, leaves[:k]), naive(leaves[k:])]
    return [*naive_path(m - k, leaves[k:]), naive(leaves[:k])]


def naive_subproof(m: int, leaves: Sequence[bytes], *, is_whole: bool) -> list[bytes]:
    """SUBPROOF of RFC 6962, 2.1.2."""
    if m == len(leaves):
        return [] if is_whole else [naive(leaves)]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    if m <= k:
        return [*naive_subproof(m, leaves[:k], is_whole=is_whole), naive(leaves[k:])]
    return [*naive_subproof(m - k, leaves[k:], is_whole=False), naive(leaves[:k])]


def grown(size: int) -> tuple[Growing, list[Node]]:
    tree, nodes = Growing(), list[Node]()
    for leaf in LEAVES[:size]:
        nodes += tree.append(leaf)
    return tree, nodes


def nodes_of(size: int) -> merkle.Nodes:
    """What a store of the stored nodes answers; it refuses what is not stored."""
    stored = {(it.level, it.place): it.hash for it in grown(size)[1]}
    stored |= {(0, place): leaf for place, leaf in enumerate(LEAVES[:size])}
    return lambda level, first, end: [stored[level, place] for place in range(first, end)]


EVERY = nodes_of(len(LEAVES))


def test_the_root_of_nothing_and_of_one_are_the_rfcs() -> None:
    assert merkle.root_of([]).hex() == sha256(b"").hexdigest()
    assert merkle.leaf_hash(b"").hex() == (
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    )


def test_the_roots_of_the_test_vectors_of_certificate_transparency() -> None:
    leaves = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657"]
    leaves.append("606162636465666768696a6b6c6d6e6f")
    tree = Growing()
    for leaf in leaves:
        assert not list(tree.append(merkle.leaf_hash(bytes.fromhex(leaf))))

    assert tree.root().hex() == "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"


@given(sizes)
def test_every_way_to_a_root_is_the_naive_one(size: int) -> None:
    expected = naive(LEAVES[:size])

    assert merkle.root_of(LEAVES[:size]) == expected
    assert merkle.root_between(EVERY, 0, size) == expected
    assert grown(size)[0].root() == expected


def test_each_256_leaves_complete_a_node_that_names_what_is_beneath() -> None:
    nodes = grown(len(LEAVES))[1]

    assert [(it.level, it.place) for it in nodes] == [(1, 0), (1, 1), (1, 2)]
    assert nodes[1].hash == naive(LEAVES[TILE : 2 * TILE])
    assert nodes[1].beneath == b"".join(LEAVES[TILE : 2 * TILE])


def test_nodes_of_the_second_level_are_stored_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merkle, "TILE", 4)
    nodes = grown(70)[1]

    assert [(it.level, it.place) for it in nodes if it.level > 1] == [
        (2, 0), (2, 1), (2, 2), (2, 3), (3, 0)
    ]  # fmt: skip
    assert nodes[-2].hash == naive(LEAVES[:64])
    assert [merkle.root_between(nodes_of(70), 0, size) for size in range(1, 71)] == [
        naive(LEAVES[:size]) for size in range(1, 71)
    ]


@given(sizes, st.data())
def test_an_inclusion_proof_is_the_rfcs_and_holds_for_its_leaf_alone(
    size: int, data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, size - 1))
    path, root = merkle.inclusion_path(EVERY, index, size), naive(LEAVES[:size])

    assert path == naive_path(index, LEAVES[:size])
    assert merkle.is_included(LEAVES[index], index, size, path, root)
    other = data.draw(st.integers(0, size))
    if other != index:
        assert not merkle.is_included(LEAVES[index], other, size, path, root)
    assert not merkle.is_included(merkle.leaf_hash(b"other"), index, size, path, root)
    assert not merkle.is_included(LEAVES[index], index, size, [*path, root], root)
    if path:
        assert not merkle.is_included(LEAVES[index], index, size, path[:-1], root)
        assert not merkle.is_included(LEAVES[index], index, size, path[1:], root)


@given(sizes, sizes, st.data())
def test_a_consistency_proof_is_the_rfcs_and_holds_for_its_two_trees_alone(
    one: int, two: int, data: st.DataObject
) -> None:
    old, new = sorted((one, two))
    path = merkle.consistency_path(EVERY, old, new)
    roots = naive(LEAVES[:old]), naive(LEAVES[:new])

    assert path == naive_subproof(old, LEAVES[:new], is_whole=True)
    assert merkle.is_consistent(old, roots[0], new, roots[1], path)
    forged = merkle.leaf_hash(b"forged")
    assert not merkle.is_consistent(old, forged, new, roots[1], path)
    assert not merkle.is_consistent(old, roots[0], new, forged, path)
    assert not merkle.is_consistent(old, roots[0], new, roots[1], [*path, forged])
    if path:
        place = data.draw(st.integers(0, len(path) - 1))
        changed = [*path[:place], forged, *path[place + 1 :]]
        assert not merkle.is_consistent(old, roots[0], new, roots[1], changed)


def test_every_tree_continues_the_empty_one_and_none_a_larger_one() -> None:
    root = naive(LEAVES[:5])

    assert merkle.is_consistent(0, merkle.EMPTY_ROOT, 5, root, [])
    assert not merkle.is_consistent(0, root, 5, root, [])
    assert not merkle.is_consistent(5, root, 4, root, [])
    assert merkle.is_consistent(5, root, 5, root, [])


@given(sizes, st.data())
def test_a_proof_of_some_leaves_holds_for_all_of_them_and_no_others(
    size: int, data: st.DataObject
) -> None:
    first = data.draw(st.integers(0, size - 1))
    neighbours = range(first, data.draw(st.integers(first + 1, size)))
    scattered = data.draw(st.sets(st.integers(0, size - 1), max_size=9))
    places = sorted({*neighbours, *scattered})
    path = merkle.subset_path(EVERY, places, size)
    root, leaves = naive(LEAVES[:size]), {it: LEAVES[it] for it in places}

    assert merkle.has_subset(leaves, size, path, root)
    for place in (places[0], places[-1]):
        assert not merkle.has_subset({**leaves, place: b"x" * 32}, size, path, root)
        assert not merkle.has_subset(
            {it: leaf for it, leaf in leaves.items() if it != place}, size, path, root
        )
    assert not merkle.has_subset(leaves, size, [*path, root], root)
    assert not merkle.has_subset({**leaves, size: b""}, size, path, root)


def test_a_proof_of_no_leaf_holds_for_nothing() -> None:
    assert not merkle.is_included(LEAVES[0], 1, 1, [], LEAVES[0])
    assert not merkle.is_included(LEAVES[0], -1, 1, [], LEAVES[0])
