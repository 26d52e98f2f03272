"""Servers and transports that nobody here wrote, and gateways as processes that are killed."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from tests.actors import Guests, PersonVoice
from tests.mcp_system import (
    AGENTS,
    HERE,
    SERVER,
    WORKER,
    Bench,
    declaring,
    servers_yaml,
    state_of,
    text_of,
)
from tests.running_system import fresh, running
from tests.waiting import eventually

from holdpoint.client import Holdpoint
from holdpoint.ledger.queries import events_found
from holdpoint.ledger.search import Search
from holdpoint.mcp.offers import tools_of_server
from holdpoint.mcp.serving import mcp_server, opened

pytestmark = [pytest.mark.slow, pytest.mark.nats]

BIN = Path(sys.executable).parent


def a_port() -> int:
    with contextlib.closing(socket.socket()) as it:
        it.bind(("127.0.0.1", 0))
        return int(it.getsockname()[1])


def yaml_of(folder: Path, port: int) -> str:
    """The workbench, two servers from the package index, and one over HTTP."""
    return (
        servers_yaml(folder)
        + f"""\
  time: {{command: {BIN}/mcp-server-time, level: 1}}
  git: {{command: {BIN}/mcp-server-git, level: 3, levels: {{git_status: 1}}}}
  far: {{transport: http, url: "http://127.0.0.1:{port}/mcp", level: 1}}
"""
    )


@asynccontextmanager
async def world(folder: Path) -> AsyncIterator[Bench]:
    """The system, with a server over HTTP that runs beside it."""
    effects, port = folder / "effects", a_port()
    (effects / "far").mkdir(parents=True)
    command = (sys.executable, str(HERE / "workbench_server.py"), str(effects / "far"), str(port))
    far = await asyncio.create_subprocess_exec(*command)
    try:
        servers = declaring(yaml_of(effects, port))
        async with running(
            folder, own={}, agents_yaml=AGENTS, others=(WORKER,), configure=servers
        ) as road:
            bench = Bench(road=road, folder=effects)
            await bench.is_up()
            yield bench
    finally:
        far.kill()
        await far.wait()


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """Shared by the tests of this module."""
    with asyncio.Runner() as runner:
        around = world(tmp_path_factory.mktemp("mcp"))
        yield runner.run(around.__aenter__())
        runner.run(around.__aexit__(None, None, None))


@pytest.fixture
async def ann(bench: Bench) -> AsyncIterator[PersonVoice]:
    """An operator."""
    async with AsyncExitStack() as stack:
        yield await Guests(road=bench.road, stack=stack).person("ann")


@asynccontextmanager
async def client_of(
    bench: Bench, server: str, longest_hold_s: float = 30.0
) -> AsyncIterator[Client]:
    async with Holdpoint.connect("mcp-client", bench.road.settings) as hp:
        offer = partial(tools_of_server, hp, bench.files, server)
        await eventually(offer, 60.0)
        async with opened(hp, offer) as gateway:
            gateway.longest_hold_s = longest_hold_s
            async with Client(mcp_server(gateway, bench.road.settings, server)) as client:
                yield client


async def test_a_time_server_from_the_package_index(bench: Bench) -> None:
    async with client_of(bench, "time") as client:
        result = await client.call_tool("get_current_time", {"timezone": "Etc/UTC"})
    assert not result.is_error, text_of(result)
    assert "Etc/UTC" in text_of(result)


async def test_a_git_server_from_the_package_index(
    bench: Bench, ann: PersonVoice, tmp_path: Path
) -> None:
    git("init", "-q", at=tmp_path)
    (tmp_path / "new.txt").write_text("new")
    async with client_of(bench, "git", 1.0) as client:
        status = await client.call_tool("git_status", {"repo_path": str(tmp_path)})
        assert "new.txt" in text_of(status)
        arguments = {"repo_path": str(tmp_path), "files": ["new.txt"]}
        pending = state_of(await client.call_tool("git_add", arguments))
        await ann.proceed(await ann.card(pending["hold_id"]))

        async def added() -> bool:
            wait = {"hold_id": pending["hold_id"], "wait_s": 1}
            return "staged" in text_of(await client.call_tool("holdpoint_await", wait))

        await eventually(added)
    assert git("diff", "--cached", "--name-only", at=tmp_path).split() == ["new.txt"]


def git(*arguments: str, at: Path) -> str:
    return subprocess.run(
        ("git", *arguments), cwd=at, check=True, capture_output=True
    ).stdout.decode()


async def test_a_server_over_http(bench: Bench) -> None:
    mark = fresh("far")
    async with client_of(bench, "far") as client:
        result = await client.call_tool("note", {"mark": mark, "text": "hello"})
    assert state_of(result) == {"noted": "hello"}
    assert (bench.folder / "far" / mark).read_text() == "hello\n"


def parameters(bench: Bench, *arguments: str) -> StdioServerParameters:
    """The gateway's command, as a client starts it."""
    settings = bench.road.settings
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "holdpoint", "mcp", *arguments],
        env={
            "HP_STATE_DIR": str(settings.state_dir),
            "HP_CONFIG_DIR": str(settings.config_dir),
            "HP_TENANT": settings.tenant,
        },
    )


async def test_the_whole_catalog_is_served_to_who_may_call_it(bench: Bench) -> None:
    async with Client(parameters(bench, "serve", "--as", "stranger")) as client:
        listed = {it.name for it in (await client.list_tools()).tools}
        (bench.road.scratch / "hello.txt").write_text("hello there")
        result = await client.call_tool("read_file", {"path": "hello.txt"})
    assert listed == {"read_file", "holdpoint_await"}
    assert "hello there" in text_of(result)


async def test_a_gateway_over_http_answers_nobody_without_the_token(bench: Bench) -> None:
    port = a_port()
    said = parameters(bench, "gateway", "--server", SERVER, "--http", str(port))
    env = {**os.environ, **(said.env or {})}
    process = await asyncio.create_subprocess_exec(said.command, *said.args, env=env)
    url, mark = f"http://127.0.0.1:{port}/mcp", fresh("http")
    (bench.folder / mark).write_text("seen")
    try:

        async def refused() -> bool:
            async with httpx2.AsyncClient() as stranger:
                try:
                    return (await stranger.post(url, json={})).status_code == 401
                except httpx2.HTTPError:
                    return False

        await eventually(refused, 60.0)
        token = (bench.files.folder / "mcp-client.http-token").read_text()
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as known,
            Client(streamable_http_client(url, http_client=known)) as client,
        ):
            assert text_of(await client.call_tool("peek", {"mark": mark})) == "seen"
    finally:
        process.terminate()
        await process.wait()


async def test_a_gateway_killed_while_it_waits_lets_nothing_run(
    bench: Bench, ann: PersonVoice
) -> None:
    mark, before = fresh("killed"), holds(bench)

    async def kill() -> str:
        async def waits() -> str:
            return next(iter(holds(bench) - before), "")

        hold_id = await eventually(waits, 60.0)
        for pid in gateways():
            os.kill(pid, signal.SIGKILL)
        return hold_id

    killing = asyncio.create_task(kill())
    with pytest.raises(Exception):  # noqa: B017, PT011  # however a client tells it
        async with Client(parameters(bench, "gateway", "--server", SERVER)) as client:
            await client.call_tool("note", {"mark": mark, "text": "never"})
    hold_id = await killing
    card = await ann.card(hold_id)
    assert bench.lines(mark) == []
    await ann.cancel(card)
    await bench.road.ended(hold_id)
    assert bench.lines(mark) == []


def holds(bench: Bench) -> set[str]:
    """The holds of the gateways' agent."""
    search = Search(agent="mcp-client", limit=1000, newest=True)
    found = bench.road.ledger(lambda it: events_found(it, search))
    return {it.hold_id for it in found if it.hold_id and it.type.endswith(".render")}


def gateways() -> set[int]:
    """The gateways that this process started."""
    found = set()
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (entry / "cmdline").read_bytes().split(b"\0")
            parent = (entry / "stat").read_text().rpartition(")")[2].split()[1]
            if b"gateway" in words and int(parent) == os.getpid():
                found.add(int(entry.name))
    return found
