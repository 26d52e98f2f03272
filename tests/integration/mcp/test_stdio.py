"""The gateway's standard input and output: each message whole, and nothing else on the wire."""

import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from tests.mcp_system import text_of

pytestmark = pytest.mark.slow

LARGE = 300_000
"""Characters; more than a pipe holds."""

SERVER = """\
import subprocess, sys
import uvloop
from mcp.server import MCPServer
from holdpoint.mcp.stdio import standard_streams

server = MCPServer("printer", version="1")

@server.tool()
def echo(text: str) -> str:
    print("this must not reach the client", flush=True)
    subprocess.run(["echo", "nor this"], check=True)
    return f"{sys.stdin.read()}{text}"

async def main():
    low = server._lowlevel_server
    async with standard_streams() as (read, write):
        await low.run(read, write, low.create_initialization_options())

uvloop.run(main())
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "printer.py"
    path.write_text(SERVER)
    return path


@asynccontextmanager
async def client_of(script: Path) -> AsyncIterator[Client]:
    async with Client(StdioServerParameters(command=sys.executable, args=[str(script)])) as client:
        yield client


async def test_what_is_printed_does_not_reach_the_client(script: Path) -> None:
    async with client_of(script) as client:
        for text in ("first", "zwei \u00fc\u4e2d", "x" * LARGE):
            assert text_of(await client.call_tool("echo", {"text": text})) == text


def test_where_they_are_files_it_ends_with_them(script: Path, tmp_path: Path) -> None:
    (tmp_path / "in").write_text("")
    with (tmp_path / "in").open() as empty, (tmp_path / "out").open("w") as out:
        ended = subprocess.run([sys.executable, str(script)], stdin=empty, stdout=out, check=False)

    assert ended.returncode == 0
    assert (tmp_path / "out").read_text() == ""
