"""Standard input and output as an MCP server's transport, without a thread for each line."""

import asyncio
import os
import stat
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.stdio import stdio_server

LONGEST_LINE = 16 * 1024 * 1024
"""Bytes; a longer one ends the connection. The gate takes calls of 256 KiB."""


@asynccontextmanager
async def standard_streams() -> AsyncIterator[Any]:
    """The SDK's transport over standard input and output, on the event loop where both are pipes.

    While it is open, standard input is empty and what is printed goes to standard error.
    """
    if not (_is_pipe(0) and _is_pipe(1)):
        async with stdio_server() as streams:
            yield streams
        return
    reading, writing = os.dup(0), os.dup(1)
    _divert()
    try:
        async with stdio_server(await _lines(reading), await _written(writing)) as streams:
            yield streams
    finally:
        os.dup2(reading, 0)
        os.dup2(writing, 1)


def _is_pipe(fd: int) -> bool:
    """Return whether the event loop can wait for it: files and terminals are read by threads."""
    mode = os.fstat(fd).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def _divert() -> None:
    sys.stdout.flush()
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    os.dup2(2, 1)


class _Lines:
    """Lines of text, as the SDK reads them from a file."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader

    def __aiter__(self) -> "_Lines":
        return self

    async def __anext__(self) -> str:
        line = await self._reader.readline()
        if not line:
            raise StopAsyncIteration
        return line.decode(errors="replace")


class _Written:
    """Text that is written as the SDK writes it to a file."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer

    async def write(self, text: str) -> None:
        """Send it."""
        self._writer.write(text.encode())

    async def flush(self) -> None:
        """Wait while the client reads too slowly."""
        await self._writer.drain()


async def _lines(fd: int) -> Any:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=LONGEST_LINE)
    pipe = os.fdopen(os.dup(fd), "rb", buffering=0)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
    return _Lines(reader)


async def _written(fd: int) -> Any:
    loop = asyncio.get_running_loop()
    pipe = os.fdopen(os.dup(fd), "wb", buffering=0)
    transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, pipe)
    return _Written(asyncio.StreamWriter(transport, protocol, None, loop))
