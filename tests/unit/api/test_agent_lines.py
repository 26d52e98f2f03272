"""Connections of the HTTP API: one that cannot be made keeps no other agent or person waiting."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from tests.waiting import eventually

from holdpoint.api.agent_lines import AgentLines
from holdpoint.api.requests import Requests
from holdpoint.api.tokens import Tokens
from holdpoint.runtime.broker import connection
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.security.credentials import agent_user, http_user, make_credential

NAMES = ("ann", "robot")
Opened = Callable[[str], Coroutine[Any, Any, object]]


@pytest.fixture
async def came(tmp_path: Path) -> AsyncIterator[tuple[Settings, list[asyncio.StreamWriter]]]:
    """A broker that says nothing, and whoever connects to it."""
    came: list[asyncio.StreamWriter] = []

    def accept(_: asyncio.StreamReader, writing: asyncio.StreamWriter) -> None:
        came.append(writing)

    listening = socket.create_server(("127.0.0.1", 0))
    url = f"nats://127.0.0.1:{listening.getsockname()[1]}"
    async with await asyncio.start_server(accept, sock=listening):
        settings = Settings(state_dir=tmp_path, nats_url=url)
        for name in NAMES:
            for user in (agent_user(name), http_user(name)):
                make_credential(settings.credentials_dir, user)
        yield settings, came
        for writing in came:
            writing.close()


@pytest.mark.parametrize("kind", ["agents", "people"])
async def test_who_cannot_connect_keeps_nobody_else_waiting(
    came: tuple[Settings, list[asyncio.StreamWriter]], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "FIRST_CONNECT_S", 1.0)
    settings, there = came
    requests = Requests(settings=settings, tokens=Tokens(config_dir=settings.config_dir))
    opened: Opened = AgentLines(settings=settings).of if kind == "agents" else requests._line
    trying = [asyncio.create_task(opened(name)) for name in NAMES]

    async def both() -> bool:
        return len(there) >= len(NAMES)

    try:
        await eventually(both, 0.8)
    finally:
        await asyncio.gather(*trying, return_exceptions=True)
