"""The fork server of the tests leaves no process behind."""

import os
import socket
from pathlib import Path

from tests.forking import Birth, Parent, connected
from tests.integration.cli.long_commands import is_gone
from tests.waiting import eventually


async def test_what_was_born_ends_with_its_connection(tmp_path: Path) -> None:
    for name in ("first", "second"):
        os.mkfifo(tmp_path / name)
    connections = connected(), connected()
    first, second = (
        Parent(connection).fork(
            Birth(
                name="", arguments=(), env={}, input=str(tmp_path / name), out=os.devnull,
                err=os.devnull,
            )
        )
        for name, connection in zip(("first", "second"), connections, strict=True)
    )  # fmt: skip

    async def first_is_gone() -> bool:
        return is_gone(first.pid)

    connections[0].shutdown(socket.SHUT_RDWR)

    assert await eventually(first_is_gone)
    assert (is_gone(second.pid), second.poll()) == (False, None)
    connections[1].shutdown(socket.SHUT_RDWR)
    for connection in connections:
        connection.close()
