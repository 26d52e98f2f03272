"""Seed 001: the call tree; roots open cycles, siblings are counted."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import select
from tests.integration.ledger_bus import AGENT, DOMAIN, TENANT, Bus
from tests.integration.ledger_files import asked, entered, new_ledger
from tests.integration.ledger_stories import (
    a_hold,
    a_proposal,
    a_trace,
    an_action,
    approved,
    batches,
    by_stream,
    cancelled,
    denied,
    every_story,
    executed,
    withdrawn,
)
from typer.testing import CliRunner

from holdpoint.audit.verify import verify
from holdpoint.cli.commands.audit import audit
from holdpoint.core.commands import Begin
from holdpoint.core.hold import begin
from holdpoint.ledger.cycle_pictures import end_of
from holdpoint.ledger.history import cycles_of, tracing_agents
from holdpoint.ledger.tables import traces
from holdpoint.messages.call import Lineage, Phase
from holdpoint.messages.catalog import HOST_DOMAIN
from holdpoint.messages.hold import Hold
from holdpoint.messages.policy import VerdictKind
from holdpoint.messages.run import RunStatus

pytestmark = pytest.mark.usefixtures("ledger_store")

STORIES = every_story()


@pytest.fixture
def url(tmp_path: Path) -> str:
    return new_ledger(tmp_path)


def test_an_agent_without_a_cycle_is_told_so(url: str) -> None:
    words = ["history", AGENT, "--ledger", url]

    assert CliRunner().invoke(audit, words).stdout == f"The ledger has no cycle of {AGENT}.\n"
    assert CliRunner().invoke(audit, [*words, "--json"]).stdout.strip() == "[]"


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
    about = _judged(bus, Lineage(trace_id=named))
    name = named or about.causes[0]
    bus.call(a_trace(name, Phase.CLOSED, "", "f"), "trace")
    entered(url, *batches(bus.entries, 99 if together else 2))

    (node,) = asked(url, lambda c: list(c.execute(_CALLS)))
    assert node.trace_id == (about.causes[0] if together else name)
    assert (node.output, node.exception, node.updated_at) == (None, None, None)
    assert verify(url).problems == ()


def test_a_call_never_takes_the_name_of_an_agents_own_node(url: str) -> None:
    bus = Bus()
    bus.call(a_trace("mine", Phase.OPENED, "", "chat"), "trace")
    about = _judged(bus, Lineage(trace_id="mine"))
    executed(bus, about)
    entered(url, bus.entries)

    own, call = asked(url, lambda c: list(c.execute(select(traces).order_by(traces.c.id))))
    assert (own.trace_id, own.fn, own.output) == ("mine", "chat", None)
    assert (call.trace_id, call.output) == (about.causes[0], "{}")


@pytest.mark.parametrize("backwards", [False, True])
def test_a_calls_node_is_closed_by_the_result_of_its_run(url: str, backwards: bool) -> None:
    bus = Bus()
    bus.call(a_trace("root", Phase.OPENED, "", "chat"), "trace")
    about = _judged(bus, Lineage(parent="root"))
    executed(bus, about, domain="shell")
    executed(bus, about, RunStatus.IN_DOUBT)
    at = bus.now
    executed(bus, about, RunStatus.FAILED)
    streams = list(by_stream(bus.entries).values())
    entered(url, *(reversed(streams) if backwards else streams))

    (node,) = asked(url, lambda c: list(c.execute(_CALLS)))
    assert (node.fn, json.loads(node.input)) == ("oci_database_execute", a_proposal().arguments)
    assert (node.output, node.exception) == ("{}", "failed")
    assert node.updated_at > at > node.created_at
    assert _tree(url)["root"] == (None, "root", 1)
    assert node.parent_id == node.cycle_id != node.id
    assert verify(url).problems == ()


@pytest.mark.parametrize(
    ("status", "ends"),
    [(RunStatus.DONE, "done"), (RunStatus.FAILED, "failed"), (None, "did not run")],
)
def test_a_trace_tells_what_failed_from_what_never_ran(
    url: str, status: RunStatus | None, ends: str
) -> None:
    bus = Bus()
    kind = VerdictKind.PASS if status else VerdictKind.DENY
    about = _judged(bus, Lineage(), HOST_DOMAIN, kind)
    if status:
        executed(bus, about, status, HOST_DOMAIN)
    entered(url, bus.entries)

    (cycle,) = asked(url, lambda c: cycles_of(c, TENANT, AGENT))
    assert end_of(cycle) == ends


@pytest.mark.parametrize(
    ("story", "output", "exception"),
    [
        (cancelled, None, "Not today."),
        (withdrawn, None, "Found another way."),
        (denied, None, "denied"),
        (partial(approved, on_sentence=True), {"confirmed": True}, None),
        (approved, None, None),
    ],
)
def test_the_end_of_a_hold_closes_the_node_of_what_never_ran(
    url: str, story: Callable[[Bus], object], output: object, exception: str | None
) -> None:
    bus = Bus()
    story(bus)
    entered(url, bus.entries)

    (node,) = asked(url, lambda c: list(c.execute(_CALLS)))
    assert (node.output and json.loads(node.output), node.exception) == (output, exception)
    assert (node.updated_at is None) == (output is exception is None)


def test_a_call_that_its_own_program_runs_is_a_cycle_by_itself(url: str) -> None:
    """A coding host has no other node, and the node of the run says nothing that is not known."""
    bus = Bus()
    about = _judged(bus, Lineage(), HOST_DOMAIN)
    for phase in (Phase.OPENED, Phase.CLOSED):
        node = a_trace(f"run-{about.hold_id}", phase, "", "run", about.hold_id)
        bus.call(replace(node, runs=about.hold_id), "trace")
    executed(bus, about, domain=HOST_DOMAIN)
    entered(url, bus.entries)

    (cycle,) = asked(url, lambda c: cycles_of(c, TENANT, AGENT))
    assert (cycle.fn, cycle.hold_id) == ("oci_database_execute", about.hold_id)
    assert (cycle.updated_at is not None, cycle.exception) == (True, "")
    assert asked(url, lambda c: tracing_agents(c, TENANT)) == [AGENT]


_CALLS = select(traces).where(traces.c.hold_id.is_not(None))


def _judged(
    bus: Bus, lineage: Lineage, domain: str = DOMAIN, verdict: VerdictKind = VerdictKind.PASS
) -> Hold:
    """An action that is judged at once, of a call with this place in its agent's tree."""
    proposal = bus.call(a_proposal(), "propose")
    action = replace(an_action(), domain=domain)
    about = replace(a_hold("k", proposal, action), lineage=lineage)
    begun = Begin(cause=proposal.cause, hold=about, verdict=verdict, nonce="n" * 32, at=bus.now)
    return bus.fact(begin(begun))


def _tree(url: str) -> dict[str, tuple[str | None, str | None, int | None]]:
    """Each named node with its parent, the root of its cycle, and its place among siblings."""
    nodes = asked(url, lambda c: list(c.execute(select(traces))))
    names = {node.id: node.trace_id for node in nodes}
    return {
        node.trace_id: (names.get(node.parent_id), names.get(node.cycle_id), node.call_order)
        for node in nodes
        if not node.trace_id.startswith("CALLS:")
    }
