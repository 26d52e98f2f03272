"""Somebody new puts a real MCP server behind the gate with the README's three commands."""

import asyncio
import os
import re
import shlex
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import CallToolResult, TextContent
from playwright.async_api import Browser, expect
from tests.browser import DESK, Screen
from tests.journeys.test_first_answer import OWN, told, up

pytestmark = [pytest.mark.nats, pytest.mark.slow]
pytest_plugins = ("tests.browser_fixtures",)

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"## Put an MCP server behind the gate\n\n```console\n(.*?)```", re.DOTALL)
CARD = "Git create branch approved (MCP server git)"
SAMPLE = ["holdpoint", "mcp", "gateway", "--server", "tasks"]


def the_three() -> list[list[str]]:
    """The README's commands, which docs/mcp.md repeats."""
    found = BLOCK.search((ROOT / "README.md").read_text())
    assert found
    assert found[1] in (ROOT / "docs" / "mcp.md").read_text()
    return [shlex.split(line) for line in found[1].splitlines()]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one commit."""
    folder = tmp_path / "project"
    folder.mkdir()
    who = ("-c", "user.name=ann", "-c", "user.email=ann@example.org")
    first = (*who, "commit", "-q", "--allow-empty", "-m", "x")
    for arguments in (("init", "-q", "-b", "main"), first):
        subprocess.run(("git", *arguments), cwd=folder, check=True)
    return folder


def branches(folder: Path) -> set[str]:
    out = subprocess.run(
        ("git", "branch", "--format=%(refname:short)"), cwd=folder, check=True, capture_output=True
    )
    return set(out.stdout.decode().split())


@asynccontextmanager
async def client_of(command: list[str], state_dir: Path, **options: Any) -> AsyncIterator[Client]:
    """An MCP client that starts this in place of a server."""
    assert command[0] == "holdpoint"
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", *command],
        env={
            "HP_STATE_DIR": str(state_dir),
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        },
        cwd=ROOT,
    )
    async with Client(parameters, **options) as client:
        yield client


def text_of(result: CallToolResult) -> str:
    return "\n".join(it.text for it in result.content if isinstance(it, TextContent))


async def logged_in(browser: Browser, console: str, made: dict[str, Any]) -> Screen:
    """The console, as the person who chose a password of their own."""
    context = await browser.new_context(viewport=DESK)
    screen = Screen(page=await context.new_page(), url=console)
    await screen.log_in(made["person"], made["password"])
    await screen.page.get_by_label("Current password").fill(made["password"])
    await screen.page.get_by_label("New password", exact=True).fill(OWN)
    await screen.page.get_by_label("Repeat the new password").fill(OWN)
    await screen.page.get_by_role("button", name="Set it and log in").click()
    await screen.live()
    return screen


async def test_three_commands_put_a_real_server_behind_the_gate(
    browser: Browser, tmp_path: Path, repository: Path
) -> None:
    installed, started, gateway = the_three()
    assert installed[:2] == ["pip", "install"]
    assert installed[2:] == ["holdpoint[mcp]", "mcp-server-git"]
    assert version("mcp-server-git")
    assert started == ["holdpoint", "up"]
    async with up(tmp_path) as lines:
        made, ready = await told(lines, "password_made"), await told(lines, "ready")
        async with client_of(gateway, tmp_path / "var") as client:
            status = await client.call_tool("git_status", {"repo_path": str(repository)})
            assert "working tree clean" in text_of(status)
            new = {"repo_path": str(repository), "branch_name": "approved"}
            calling = asyncio.create_task(client.call_tool("git_create_branch", new))
            screen = await logged_in(browser, ready["console"], made)
            card = screen.page.locator("#open article").filter(has_text=CARD)
            await expect(card.locator(".title")).to_have_text(CARD)
            assert branches(repository) == {"main"}
            await screen.armed(str(await card.get_attribute("data-hold")))
            await card.locator(".proceed").click()
            result = await calling
            assert not result.is_error, text_of(result)
        async with client_of(SAMPLE, tmp_path / "var") as client:
            await client.call_tool("add_task", {"user_id": "ann", "title": "Buy milk"})
            listed = await client.call_tool("list_tasks", {"user_id": "ann"})
            assert "1. Buy milk (pending)" in text_of(listed)
    assert branches(repository) == {"main", "approved"}
