"""Commands look for a broker at all its addresses at once: one that is silent delays no other."""

import asyncio
import socket
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from holdpoint.cli import session
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import UnavailableError


async def test_a_silent_server_delays_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "GREETS_S", 60.0)

    async def greets(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"INFO {}")
        await writer.drain()
        writer.close()

    async with AsyncExitStack() as stack:
        silent = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(2)]
        server = await stack.enter_async_context(await asyncio.start_server(greets, "127.0.0.1", 0))
        places = [it.getsockname() for it in (*silent, *server.sockets)]
        urls = ",".join(f"nats://{host}:{port}" for host, port in places)

        async with asyncio.timeout(session.GREETS_S / 2):
            await session.reach(Settings(state_dir=tmp_path, nats_url=urls))


async def test_each_server_is_named_with_what_it_did_not_do(tmp_path: Path) -> None:
    urls = "nats://127.0.0.1:1,nats://127.0.0.1:2"

    with pytest.raises(UnavailableError) as error:
        await session.reach(Settings(state_dir=tmp_path, nats_url=urls))

    assert str(error.value).count("Connect call failed") == 2
