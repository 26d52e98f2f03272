"""The access matrix of seed 001: which agent may use which tool, and which agent it may call.

        A B C D E | 0 1 2
    A       1 1   | 1 1      R_AA, agents by agents, beside R_AT, agents by tools
    B             |     1    tool 0 is `dispatch`: x calls y with (x, 0) and (x, y)

No agent calls itself, however indirectly, if and only if R_AA is nilpotent. Its powers are taken
over booleans, because numbers of paths overflow: `M^k` is zero where no walk of k calls begins
anywhere, which is one look along the calls for each k.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from holdpoint.messages.catalog import DISPATCH, Agent

Matrix: TypeAlias = NDArray[np.bool_]

MOST_PATHS = 1000
"""Paths that are listed unless more are asked for; their number is exact all the same."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """An agent's place in the call chain."""

    agent: str
    user_facing: bool
    layer: int | None
    """Calls on the shortest way from a user; None where no user reaches it."""

    depth: int | None
    """Calls on the longest way from a user."""

    width: int
    """Tools that it may use itself: `dispatch` is not one of them."""


class CyclicError(ValueError):
    """Agents may call each other in a circle."""

    def __init__(self, cycle: Sequence[str]) -> None:
        self.cycle = tuple(cycle)
        told = " → ".join((*cycle, cycle[0]))
        super().__init__(
            f"{told} may call each other without end; take one of these out of `may_call`."
        )


@dataclass(frozen=True, kw_only=True)
class AccessMatrix:
    """R_AT and R_AA, with names."""

    agents: tuple[str, ...]
    tools: tuple[str, ...]
    """Tool 0 comes first."""

    uses: Matrix
    calls: Matrix
    user_facing: Matrix

    @cached_property
    def dispatches(self) -> Matrix:
        """The calls that can happen: x to y, where x also has tool 0."""
        return self.calls & self.uses[:, :1]

    @cached_property
    def nilpotency_index(self) -> int:
        """The least n with R_AA^n = 0. Raises CyclicError where there is none."""
        before = np.ones(len(self.agents), dtype=np.bool_)
        callers, called = np.nonzero(self.calls)
        for index in range(len(self.agents) + 1):
            if not before.any():
                return index
            walks = np.zeros_like(before)
            walks[callers[before[called]]] = True
            if index == len(self.agents):
                raise CyclicError(self._cycle(before))
            before = walks
        return 0

    @property
    def depth_bound(self) -> int:
        """The most calls that can follow each other."""
        return max(0, self.nilpotency_index - 1)

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Layer, depth and width of every agent."""
        layers, depths = self._layers(), self._depths()
        widths = self.uses[:, 1:].sum(axis=1)
        return tuple(
            Place(
                agent=name,
                user_facing=bool(self.user_facing[at]),
                layer=layers.get(at),
                depth=depths.get(at),
                width=int(widths[at]),
            )
            for at, name in enumerate(self.agents)
        )

    def reachable(self, agent: str) -> frozenset[str]:
        """Every agent that this one can set to work, itself too."""
        known, waiting = set[int](), [self.agents.index(agent)]
        while waiting:
            at = waiting.pop()
            if at not in known:
                known.add(at)
                waiting.extend(self._next(at))
        return frozenset(self.agents[at] for at in known)

    def count_paths(self, agent: str) -> int:
        """Return how many paths begin there, exactly: each ends at an agent or at a tool."""
        counts: dict[int, int] = {}
        for at in reversed(self._callers_first()):
            own = 1 + int(self.uses[at, 1:].sum())
            counts[at] = own + sum(counts[below] for below in self._next(at))
        return counts[self.agents.index(agent)]

    def paths(self, agent: str) -> Iterator[tuple[str, ...]]:
        """Yield each path, as `(A, 0, D, 0, C, 6)` with the tools' names."""
        waiting: list[tuple[int, tuple[str, ...]]] = [(self.agents.index(agent), ())]
        while waiting:
            at, way = waiting.pop()
            here = (*way, self.agents[at])
            yield here
            for tool in np.flatnonzero(self.uses[at, 1:]) + 1:
                yield (*here, self.tools[tool])
            further = (*here, self.tools[0])
            waiting.extend((below, further) for below in reversed(self._next(at)))

    def _next(self, at: int) -> list[int]:
        return [int(each) for each in np.flatnonzero(self.dispatches[at])]

    def _layers(self) -> dict[int, int]:
        found: dict[int, int] = {}
        here, layer = [int(each) for each in np.flatnonzero(self.user_facing)], 0
        while here:
            found.update(dict.fromkeys(here, layer))
            below = {each for at in here for each in self._next(at)}
            here, layer = sorted(below - found.keys()), layer + 1
        return found

    def _depths(self) -> dict[int, int]:
        found = {int(at): 0 for at in np.flatnonzero(self.user_facing)}
        for at in self._callers_first():
            if at in found:
                for below in self._next(at):
                    found[below] = max(found.get(below, 0), found[at] + 1)
        return found

    def _callers_first(self) -> list[int]:
        """Every agent after all that may call it; CyclicError where that cannot be."""
        _ = self.nilpotency_index
        left = self.dispatches.sum(axis=0)
        ready = [int(each) for each in np.flatnonzero(left == 0)]
        for at in ready:  # it grows meanwhile
            for below in self._next(at):
                left[below] -= 1
                if not left[below]:
                    ready.append(below)
        return ready

    def _cycle(self, endless: Matrix) -> tuple[str, ...]:
        """Name one, beginning anywhere where walks never end."""
        way = [int(np.flatnonzero(endless)[0])]
        while way[-1] not in way[:-1]:
            way.append(int(np.flatnonzero(self.calls[way[-1]] & endless)[0]))
        return tuple(self.agents[at] for at in way[way.index(way[-1]) : -1])


def matrix_of(agents: Iterable[Agent], tools: Iterable[str] = ()) -> AccessMatrix:
    """Build it from agents with the tools that each may use, in canonical names.

    A tool that is not among `tools` gets a column too. Raises CyclicError where agents may call
    each other without end.
    """
    every = tuple(agents)
    named = dict.fromkeys((DISPATCH, *tools, *(tool for it in every for tool in it.tools)))
    columns = {name: at for at, name in enumerate(named)}
    rows = {agent.name: at for at, agent in enumerate(every)}
    uses = np.zeros((len(rows), len(columns)), dtype=np.bool_)
    calls = np.zeros((len(rows), len(rows)), dtype=np.bool_)
    for at, agent in enumerate(every):
        uses[at, [columns[tool] for tool in agent.tools]] = True
        calls[at, [rows[name] for name in agent.may_call]] = True
    facing = np.array([agent.user_facing for agent in every], dtype=np.bool_)
    matrix = AccessMatrix(
        agents=tuple(rows), tools=tuple(columns), uses=uses, calls=calls, user_facing=facing
    )
    _ = matrix.nilpotency_index
    return matrix
