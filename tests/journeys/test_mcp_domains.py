"""Seed 004 with real MCP servers by domain: the observatory and the cloud, behind the gate."""

import asyncio
import sqlite3
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, closing
from pathlib import Path

import pytest
from tests.actors import Guests
from tests.coordinator_system import Asking, coordinated
from tests.mcp_system import WORKER, declaring
from tests.running_system import COORDINATOR, LONG_S, Road
from tests.waiting import eventually

from holdpoint.client import Holdpoint
from holdpoint.ledger.history import Node, cycles_of, derivative, history
from holdpoint.messages.envelope import Status
from holdpoint.messages.request import pending
from holdpoint.runtime.config.mcp_servers import McpFiles
from holdpoint.runtime.process import clock

pytestmark = [pytest.mark.nats, pytest.mark.slow]

SERVERS = """\
servers:
  oci-unified:
    transport: stdio
    command: {python}
    args: ["-m", "holdpoint.mcp.samples.oci_unified"]
    enabled: true
    level: 1
    domains: [identity, compute, network, cost, security, observability]
  database-observatory:
    transport: stdio
    command: {python}
    args: ["-m", "holdpoint.mcp.samples.database_observatory", "shop=sqlite:///shop.db"]
    working_dir: {folder}
    enabled: true
    level: 1
    levels: {{oci_database_execute_sql: 3}}
    domains: [database, opsi]
"""
TIDYING = """\
  OPEN_TICKET:
    does: tidy up
    example: "open a support ticket about old leads"
    steps:
      - delegate: db-troubleshoot-agent
        query: Tidy up.
        then:
          - agent: db-troubleshoot-agent
            tool: oci_database_execute_sql
            arguments: {sql: "DELETE FROM leads WHERE status = 'old'"}

"""
TICKET = "open a support ticket about old leads"
FLEET = "oci_opsi_get_fleet_summary"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("shop") / "shop.db"
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("CREATE TABLE leads (id INTEGER PRIMARY KEY, status TEXT)")
        file.execute("INSERT INTO leads (status) VALUES ('stale'), ('stale'), ('new'), ('old')")
    return path


@pytest.fixture(scope="module")
def cloud_town(tmp_path_factory: pytest.TempPathFactory, shop: Path) -> Iterator[Road]:
    """Shared by the module; both servers are up."""
    servers = SERVERS.format(python=sys.executable, folder=shop.parent)
    with asyncio.Runner() as runner:
        world = coordinated(
            tmp_path_factory.mktemp("cloud"),
            own={},
            others=(COORDINATOR, WORKER),
            configure=lambda folder: _configure(folder, servers),
        )
        road = runner.run(world.__aenter__())
        try:
            runner.run(_up(road))
            yield road
        finally:
            runner.run(world.__aexit__(None, None, None))


def _configure(folder: Path, servers: str) -> None:
    """Both servers, and a workflow that has another agent change a database."""
    declaring(servers)(folder)
    path = folder / "coordinator.yaml"
    text = path.read_text()
    begin = text.index("  OPEN_TICKET:")
    end = text.index("  FLEET_SUMMARY:")
    path.write_text(text[:begin] + TIDYING + text[end:])


async def _up(road: Road) -> None:
    files = McpFiles.of(road.settings)

    async def listed() -> bool:
        return all(it.listing.up for it in files.states())

    await eventually(listed, 2 * LONG_S)
    async with Holdpoint.connect(COORDINATOR, road.settings) as hp:

        async def offered() -> bool:
            return FLEET in {it.name for it in await hp.get_tools_for_domain("opsi")}

        await eventually(offered, LONG_S)


@pytest.fixture
async def visitors(cloud_town: Road) -> AsyncIterator[Guests]:
    async with AsyncExitStack() as stack:
        yield Guests(road=cloud_town, stack=stack)


@pytest.fixture
async def ann(visitors: Guests) -> Asking:
    return Asking(person=await visitors.person("ann"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("check database cost", ("- shop (SQLite)", "Database: 1,200.00 USD in October 2026")),
        ("security of compute", ("web-1", "Port 22 is open")),
        ("why is the DB slow?", ("lock timeout on orders.lines", "Wait events of shop")),
        ("give me a fleet summary", ("1 of 1 databases are up", "- shop: up, SQLite ")),
    ],
)
async def test_the_seeds_use_cases_with_real_servers(
    ann: Asking, text: str, told: tuple[str, ...]
) -> None:
    answer = await ann.ask(text)
    assert answer.success, answer
    assert all(it in answer.message for it in told), answer.message


async def test_tools_are_found_by_domain(cloud_town: Road) -> None:
    async with Holdpoint.connect(COORDINATOR, cloud_town.settings) as hp:
        database = {it.name for it in await hp.get_tools_for_domain("database")}
        found = await hp.search_tools(text="fleet", max_tier=1)
    assert {FLEET, "oci_database_get_schema"} <= database
    assert not any(it.startswith(("oci_cost_", "oci_compute_")) for it in database)
    assert [it.name for it in found] == [FLEET]


async def test_an_old_name_reaches_the_server(ann: Asking, visitors: Guests) -> None:
    agent = await visitors.agent(COORDINATOR)
    call = await agent.propose("get_fleet_summary", {}, on_behalf_of=ann.person.name)
    told = await agent.hears(call, Status.DONE, within_s=LONG_S)
    assert "databases are up" in told.formatted


async def test_a_statement_waits_for_a_yes_and_then_changes_the_database(
    ann: Asking, visitors: Guests, shop: Path
) -> None:
    agent = await visitors.agent(COORDINATOR)
    sql = "DELETE FROM leads WHERE status = 'stale'"
    arguments = {"sql": sql, "database": "shop"}
    call = await agent.propose("oci_database_execute_sql", arguments, on_behalf_of=ann.person.name)
    told = await agent.hears(call, Status.PENDING_CONFIRMATION, within_s=LONG_S)
    before = _leads(shop)
    await ann.person.proceed(await ann.person.card(told.hold_id))
    done = await agent.hears(call, Status.DONE, within_s=LONG_S)
    assert "2 rows were changed in shop" in done.formatted
    assert _leads(shop) == before - 2


async def test_the_card_of_a_delegated_request_shows_the_whole_chain(
    ann: Asking, shop: Path
) -> None:
    request_id, before = clock.new_id(), _leads(shop)
    told = await ann.ask(TICKET, request_id)
    (hold_id,) = pending(told)
    card = await ann.person.card(hold_id)
    chain = ("user", COORDINATOR, "db-troubleshoot-agent", "oci_database_execute_sql")
    assert tuple(card.chain) == chain
    assert tuple(pending(await ann.ask(TICKET, request_id))) == (hold_id,)

    await ann.person.proceed(card)
    await ann.person.card(hold_id, "done")
    ended = await ann.ask(TICKET, request_id)
    assert "1 rows were changed in shop" in ended.message
    assert _leads(shop) == before - 1
    assert (await ann.ask(TICKET, request_id)).message == ended.message
    assert _leads(shop) == before - 1


async def test_h_and_its_derivatives_of_a_delegated_request(ann: Asking, cloud_town: Road) -> None:
    text = "check database cost"
    answer = await ann.ask(text)
    below = "dispatch→db-troubleshoot-agent→oci_opsi_search_databases"

    async def told() -> Node:
        cycles = _cycles(cloud_town, COORDINATOR)
        assert [it.input for it in cycles[-1:]] == [{"text": text}]
        found = cycles[-1]
        assert found.shape == f"coordinator→dispatch→finops-agent→({below},oci_cost_get_summary)"
        assert all(it.output is not None for it in _tree(found)), found
        return found

    cycle = await eventually(told, LONG_S)
    agents = ("coordinator", "finops-agent", "db-troubleshoot-agent")
    assert history((cycle,)) == [(text, answer.message)]
    (call,) = cycle.children
    assert call.input["target_agent"] == "finops-agent"
    assert derivative((cycle,)) == [(text, call.input, {"text": answer.message}, answer.message)]
    (finops,) = call.children
    assert history((finops,)) == [("What do our databases cost?", answer.message)]
    assert {it.agent for it in _tree(cycle)} == set(agents)


def _cycles(road: Road, agent: str) -> tuple[Node, ...]:
    return road.ledger(lambda it: cycles_of(it, road.settings.tenant, agent))


def _tree(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _tree(child)


def _leads(path: Path) -> int:
    with closing(sqlite3.connect(path)) as file:
        return int(file.execute("SELECT count(*) FROM leads").fetchone()[0])
