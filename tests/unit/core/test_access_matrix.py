"""Seed 001's access matrix: its own example to the letter, its test, and what its test misses."""

import sys
from itertools import islice, pairwise

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

from holdpoint.core.access_matrix import AccessMatrix, CyclicError, Place, matrix_of
from holdpoint.core.agent_graph import agent_graph
from holdpoint.messages.catalog import DISPATCH, Agent

SEED_TOOLS = {"A": "01", "B": "235", "C": "06", "D": "0", "E": "14"}
SEED_CALLS = {"A": "DE", "C": "B", "D": "C"}
SEED_PATHS = """
A
A -> 1
A -> 0 -> D
A -> 0 -> D -> 0 -> C
A -> 0 -> D -> 0 -> C -> 0 -> B
A -> 0 -> D -> 0 -> C -> 0 -> B -> 2
A -> 0 -> D -> 0 -> C -> 0 -> B -> 3
A -> 0 -> D -> 0 -> C -> 0 -> B -> 5
A -> 0 -> D -> 0 -> C -> 6
A -> 0 -> E
A -> 0 -> E -> 1
A -> 0 -> E -> 4
"""


def seeds() -> AccessMatrix:
    agents = (
        Agent(
            name=name,
            tools=tuple(tool.replace("0", DISPATCH) for tool in tools),
            may_call=tuple(SEED_CALLS.get(name, "")),
            user_facing=name == "A",
        )
        for name, tools in SEED_TOOLS.items()
    )
    return matrix_of(agents, tools="123456")


def chain(*names: str, circle: bool = False) -> tuple[Agent, ...]:
    called = dict(pairwise((*names, names[0]) if circle else names))
    return tuple(
        Agent(name=it, tools=(DISPATCH,), may_call=(called[it],) if it in called else ())
        for it in names
    )


@pytest.fixture
def access_matrix() -> NDArray[np.int64]:
    """The seed's whole matrix, agents and tools, as numbers."""
    return np.hstack((seeds().calls, seeds().uses)).astype(np.int64)


def test_no_infinite_loops(access_matrix: NDArray[np.int64]) -> None:
    """The seed's own test."""
    assert has_no_infinite_loops(access_matrix, n_agents=5)


def has_no_infinite_loops(access_matrix: NDArray[np.int64], n_agents: int) -> bool:
    """
    Verify that the agent dispatch graph has no cycles
    by checking that M^n = 0 for some n ≤ |agents|
    """
    # Extract agent-to-agent submatrix
    M = access_matrix[:n_agents, :n_agents]  # noqa: N806  # the seed's name, as all of this

    # Check nilpotency
    M_power = M.copy()  # noqa: N806
    for k in range(1, n_agents + 1):
        if np.trace(M_power) > 0:
            raise AssertionError(f"Matrix has self-loop at depth {k}")

        M_power = M @ M_power  # noqa: N806
        if np.all(M_power == 0):
            return True  # Nilpotent at power k+1

    # Alternative: Check that trace(M^k) = 0 for all k
    # The trace counts cycles of length k
    for k in range(1, n_agents + 1):
        if np.trace(np.linalg.matrix_power(M, k)) != 0:
            raise AssertionError(f"Cycles of length {k} detected")

    return True


def test_the_seeds_example_has_its_relations() -> None:
    matrix = seeds()
    used = {
        (matrix.agents[at], matrix.tools[tool].replace(DISPATCH, "0"))
        for at, tool in zip(*np.nonzero(matrix.uses), strict=True)
    }
    called = {
        (matrix.agents[at], matrix.agents[to])
        for at, to in zip(*np.nonzero(matrix.calls), strict=True)
    }

    assert used == {
        *(("A", "0"), ("A", "1"), ("B", "2"), ("B", "3"), ("B", "5")),
        *(("C", "0"), ("C", "6"), ("D", "0"), ("E", "1"), ("E", "4")),
    }
    assert called == {("A", "D"), ("A", "E"), ("C", "B"), ("D", "C")}


def test_the_seeds_example_has_exactly_its_twelve_paths() -> None:
    matrix = seeds()
    paths = [" -> ".join(path).replace(DISPATCH, "0") for path in matrix.paths("A")]

    assert sorted(paths) == sorted(SEED_PATHS.split("\n")[1:-1])
    assert matrix.count_paths("A") == len(paths) == 12


def test_the_seeds_example_has_its_layers_and_bound() -> None:
    matrix = seeds()

    assert matrix.places == (
        Place(agent="A", user_facing=True, layer=0, depth=0, width=1),
        Place(agent="B", user_facing=False, layer=3, depth=3, width=3),
        Place(agent="C", user_facing=False, layer=2, depth=2, width=1),
        Place(agent="D", user_facing=False, layer=1, depth=1, width=0),
        Place(agent="E", user_facing=False, layer=1, depth=1, width=2),
    )
    assert (matrix.nilpotency_index, matrix.depth_bound) == (4, 3)
    assert matrix.reachable("D") == {"D", "C", "B"}


def test_a_cycle_whose_path_counts_overflow_is_refused_by_name() -> None:
    """Its number of paths doubles with each call: 2^64 is 0 before the circle closes."""
    pairs = [(f"a{at}", f"b{at}") for at in range(130)]
    nexts = dict(pairwise([*pairs, pairs[0]]))
    agents = [
        Agent(name=name, tools=(DISPATCH,), may_call=nexts[pair]) for pair in pairs for name in pair
    ]
    order = {agent.name: at for at, agent in enumerate(agents)}
    counts = np.zeros((260, 260), dtype=np.int64)
    for agent in agents:
        counts[order[agent.name], [order[name] for name in agent.may_call]] = 1

    assert has_no_infinite_loops(counts, n_agents=260)  # the seed's own test lets it through

    with pytest.raises(CyclicError) as refused:
        matrix_of(agents)
    cycle = refused.value.cycle
    called = {agent.name: agent.may_call for agent in agents}
    assert len(cycle) == 130
    assert all(below in called[above] for above, below in pairwise((*cycle, cycle[0])))


@pytest.mark.parametrize("names", ["a", "ab", "abc"])
def test_a_circle_is_named(names: str) -> None:
    with pytest.raises(CyclicError, match=" → ".join((*names, names[0]))):
        matrix_of((*chain(*names, circle=True), Agent(name="z", tools=(), may_call=("a",))))


def test_a_long_chain_is_measured_without_recursion() -> None:
    names = [f"a{at}" for at in range(1000)]
    matrix = matrix_of(chain(*names))

    assert (matrix.nilpotency_index, matrix.depth_bound) == (1000, 999)
    assert matrix.count_paths("a0") == 1000


def test_paths_are_listed_to_a_limit_and_counted_exactly() -> None:
    pairs = [(f"a{at}", f"b{at}") for at in range(100)]
    below = dict(pairwise(pairs))
    agents = [
        Agent(name=name, tools=(DISPATCH,), may_call=below.get(pair, ()))
        for pair in pairs
        for name in pair
    ]
    matrix = matrix_of(agents)

    assert len(list(islice(matrix.paths("a0"), 50))) == 50
    assert matrix.count_paths("a0") == 2**100 - 1


def test_nobody_calls_without_tool_0() -> None:
    agents = (Agent(name="a", tools=(), may_call=("b",)), Agent(name="b", tools=("t",)))

    assert list(matrix_of(agents).paths("a")) == [("a",)]


def test_no_agents_are_no_cycle() -> None:
    assert matrix_of(()).depth_bound == 0


def a_layered_matrix(layers: int, tools: int) -> AccessMatrix:
    """A hundred agents in each layer; each may call three of the next, and has ten tools."""
    return matrix_of(
        Agent(
            name=f"a{layer}-{at}",
            tools=(DISPATCH, *(f"t{(layer * 1000 + at * 10 + n) % tools}" for n in range(10))),
            may_call=tuple(
                f"a{layer + 1}-{(at + n) % 100}" for n in range(3) if layer < layers - 1
            ),
            user_facing=layer == 0,
        )
        for layer in range(layers)
        for at in range(100)
    )


def test_a_thousand_agents_and_ten_thousand_tools_are_one_boolean_matrix() -> None:
    matrix = a_layered_matrix(10, 10_000)

    assert matrix.uses.shape == (1000, 10_001)
    assert matrix.uses.dtype == np.bool_
    assert matrix.depth_bound == 9
    assert {it.layer for it in matrix.places} == set(range(10))


def test_twice_the_agents_take_about_twice_the_steps() -> None:
    def steps(layers: int) -> int:
        count = 0

        def counted(*_: object) -> None:
            nonlocal count
            count += 1

        sys.setprofile(counted)
        try:
            assert a_layered_matrix(layers, 10_000).places
        finally:
            sys.setprofile(None)
        return count

    assert steps(10) < 2.5 * steps(5)


def test_the_picture_leaves_out_who_has_no_part_in_a_call() -> None:
    agents = (
        Agent(name="a", tools=(DISPATCH,), may_call=("b",)),
        Agent(name="b", tools=("t",)),
        Agent(name="c", tools=("t",)),
    )
    alone = tuple(replace(it, may_call=()) for it in agents)

    assert {it.name for it in agent_graph(agents, matrix_of(agents)).boxes} == {"a", "b"}
    assert len(agent_graph(alone, matrix_of(alone)).boxes) == 3
