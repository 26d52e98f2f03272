"""The page of traces: an agent's cycles as trees, with a table beside the picture."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from holdpoint.console.context import AUDITORS_ONLY, Console, Visitor
from holdpoint.console.timeline import lasting
from holdpoint.core.redaction.display import one_line, visible
from holdpoint.ledger.cycle_pictures import cycle_picture, end_of
from holdpoint.ledger.history import Node
from holdpoint.messages.base import Value
from holdpoint.messages.catalog import may_read_ledger
from holdpoint.runtime.errors import SetupError, UnavailableError

MOST_NODES = 200
"""In a picture and its table: a larger one is no help to anybody."""


class Line(Value, frozen=True, kw_only=True):
    """A node of a tree as a row of the table."""

    cycle: int
    depth: int
    node: Node
    name: str
    caller: str

    state: str
    took: str
    """Time until it was closed; empty while it is open."""


@dataclass(frozen=True, kw_only=True)
class TraceScreens:
    """The page, for auditors."""

    console: Console

    def routes(self) -> list[Route]:
        """Return where it is."""
        return [Route("/traces", self.console.for_visitors(self.traces), methods=["GET"])]

    async def traces(self, request: Request, visitor: Visitor) -> Response:
        """Show the newest cycles of one agent: the one asked for, else the first that has some."""
        if not may_read_ledger(visitor.person):
            return self.console.problem(visitor, AUDITORS_ONLY, 403)
        archive = self.console.archive
        try:
            agents = await archive.tracers()
            agent = request.query_params.get("agent", "") or next(iter(agents), "")
            cycles = await archive.cycles(agent) if agent else ()
        except SetupError as error:
            return self.console.problem(visitor, str(error), 400)
        except UnavailableError as error:
            return self.console.problem(visitor, str(error), 503)
        await self.console.has_read(visitor, "traces", agent=agent)
        lines = list(islice(lines_of(cycles), MOST_NODES + 1))
        is_cut = len(lines) > MOST_NODES
        values = {
            "agent": agent,
            "agents": agents,
            "cycles": cycles,
            "lines": lines[:MOST_NODES],
            "is_cut": is_cut,
            "picture": None if is_cut or not cycles else cycle_picture(cycles),
        }
        return self.console.pages.page("traces", {**self.console.frame(visitor), **values})


def lines_of(cycles: Sequence[Node]) -> Iterator[Line]:
    """Yield every node, each tree from its root down."""
    for number, cycle in enumerate(cycles, start=1):
        yield from _lines(number, cycle, 0, _beginner(cycle))


def _beginner(cycle: Node) -> str:
    """Return who began a tree."""
    if cycle.hold_id:
        return "its program"
    return "another agent" if cycle.dispatched_by else "a user"


def _lines(cycle: int, node: Node, depth: int, caller: str) -> Iterator[Line]:
    begun, ended = node.created_at, node.updated_at
    yield Line(
        cycle=cycle,
        depth=depth,
        node=node,
        name=one_line(visible(node.fn)),
        caller=caller,
        state=end_of(node),
        took=lasting(ended - begun) if begun and ended else "",
    )
    for child in node.children:
        yield from _lines(cycle, child, depth + 1, one_line(visible(node.fn)))
