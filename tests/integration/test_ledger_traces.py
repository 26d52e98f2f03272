"""Seed 001: the call tree; roots open cycles, siblings are counted."""

import json
from pathlib import Path

import pytest
from sqlalchemy import select
from tests.integration.ledger_bus import Bus
from tests.integration.ledger_files import asked, entered, new_ledger
from tests.integration.ledger_stories import a_trace, batches, every_story

from holdpoint.audit.verify import verify
from holdpoint.ledger.tables import traces
from holdpoint.messages.call import Lineage, Phase, Propose

STORIES = every_story()


@pytest.fixture
def url(tmp_path: Path) -> str:
    return new_ledger(tmp_path)


def test_roots_open_cycles_and_siblings_are_counted(url: str) -> None:
    entered(url, STORIES)

    assert _tree(url) == {
        "root": (None, "root", 1),
        "first": ("root", "root", 1),
        "inner": ("first", "root", 1),
        "second": ("root", "root", 2),
        "next": (None, "next", 2),
    }


def test_a_node_that_comes_before_its_parent_finds_its_place(url: str) -> None:
    bus = Bus()
    deep = 1_500
    for number in reversed(range(deep)):
        parent = f"n{number - 1}" if number else ""
        bus.call(a_trace(f"n{number}", Phase.OPENED, parent, "f"), "trace")
    entered(url, *batches(bus.entries, 400))
    tree = _tree(url)

    assert {cycle for _, cycle, _ in tree.values()} == {"n0"}
    assert all(tree[f"n{number}"][0] == f"n{number - 1}" for number in range(1, deep))
    assert verify(url).problems == ()


def test_nodes_that_name_each_other_as_parents_harm_nobody(url: str) -> None:
    bus = Bus()
    for name, parent in (("a", "b"), ("b", "a"), ("self", "self"), ("orphan", "never")):
        bus.call(a_trace(name, Phase.OPENED, parent, "f"), "trace")
    entered(url, bus.entries)

    assert {cycle for _, cycle, _ in _tree(url).values()} == {None}


def test_a_closed_node_keeps_its_input_and_gains_its_output(url: str) -> None:
    entered(url, STORIES)
    row = asked(url, lambda c: c.execute(select(traces).where(traces.c.trace_id == "second")).one())

    assert (json.loads(row.input), json.loads(row.output)) == ({"q": "second"}, {"r": "second"})
    assert json.loads(row.prompt_versions) == {"system": "7"}
    assert row.updated_at > row.created_at
    assert (row.group_id, row.fn, row.app_version) == ("session0", "sql_execute", "1.2")


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("named", ["", "my-call"])
def test_an_agents_trace_tells_nothing_about_a_call(url: str, named: str, together: bool) -> None:
    bus = Bus()
    proposal = Propose(tool="f", arguments={}, lineage=Lineage(trace_id=named))
    call = bus.call(proposal, "propose")
    name = named or call.cause
    closed = bus.call(a_trace(name, Phase.CLOSED, "", "f"), "trace")
    entered(url, *([[call, closed]] if together else [[call], [closed]]))

    (node,) = asked(url, lambda c: list(c.execute(select(traces))))
    assert (node.trace_id, node.output, node.exception) == (name, None, None)
    assert verify(url).problems == ()


def _tree(url: str) -> dict[str, tuple[str | None, str | None, int | None]]:
    """Each named node with its parent, the root of its cycle, and its place among siblings."""
    nodes = asked(url, lambda c: list(c.execute(select(traces))))
    names = {node.id: node.trace_id for node in nodes}
    return {
        node.trace_id: (names.get(node.parent_id), names.get(node.cycle_id), node.call_order)
        for node in nodes
        if not node.trace_id.startswith("CALLS:")
    }
