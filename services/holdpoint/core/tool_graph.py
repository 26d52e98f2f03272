"""The tool graph of seed 000: which next steps the replies of each tool have offered."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import itemgetter

from holdpoint.core.catalog import Catalog
from holdpoint.messages.envelope import Envelope, Status

Edge = tuple[str, str]
"""A tool, or a tool in a state, and a tool that it offered."""


def edges_of(replies: Iterable[tuple[str, Envelope]], catalog: Catalog) -> tuple[Edge, ...]:
    """Each edge once, by tool, in the order in which it was offered first.

    Tools have their canonical names; a name that is not in the catalog stays as it is.
    """
    found: dict[Edge, None] = {}
    for tool, reply in replies:
        (name,) = catalog.canonical_names([tool])
        node = node_of(name, reply.status)
        offered = catalog.canonical_names(action.tool for action in reply.available_actions)
        found.update(((node, step), None) for step in offered)
    nodes: Mapping[str, None] = dict.fromkeys(node for node, _ in found)
    order = {node: at for at, node in enumerate(nodes)}
    return tuple(sorted(found, key=lambda edge: order[edge[0]]))


def node_of(tool: str, status: Status) -> str:
    """A tool whose reply waits for people is a node of its own."""
    return f"{tool} ({status.value})" if status is Status.PENDING_CONFIRMATION else tool


def drawn(edges: Iterable[Edge]) -> str:
    """The graph as text, as the seed draws it."""
    parts = []
    for node, its in groupby(edges, key=itemgetter(0)):
        steps = "\n".join(f"    +--> {tool}" for _, tool in its)
        parts.append(f"{node}\n    |\n{steps}\n")
    return "\n".join(parts)


def mermaid(edges: Iterable[Edge]) -> str:
    """The graph as a Mermaid flowchart."""
    given = tuple(edges)
    names = dict.fromkeys(name for edge in given for name in edge)
    ids = {name: f"n{at}" for at, name in enumerate(names)}
    nodes = [f'  {ids[name]}["{name}"]' for name in names]
    return "\n".join(["flowchart LR", *nodes, *(f"  {ids[a]} --> {ids[b]}" for a, b in given)])
