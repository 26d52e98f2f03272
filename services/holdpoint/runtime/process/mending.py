"""Lets streams go on that a message ended: their servers start again without the log of it."""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from pathlib import Path

import structlog
from nats.aio.client import Client

from holdpoint.runtime.broker import raft_log
from holdpoint.runtime.broker.connection import connect, login
from holdpoint.runtime.broker.copies import HEADER, Ended, copies, ended_streams
from holdpoint.runtime.broker.server import NatsServer
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import HoldpointError
from holdpoint.runtime.security.credentials import SYSTEM

log = structlog.get_logger(__name__)

ELECTED_WITHIN_S = 30.0
POLL_S = 0.2


@dataclass(frozen=True, kw_only=True)
class Mended:
    """A stream that goes on."""

    stream: str
    subject: str
    """Where the message came that ended it, so whose it was; empty where the log does not tell."""

    @property
    def text(self) -> str:
        """Return what to tell people."""
        where = f" on {self.subject}" if self.subject else ""
        return f"{self.stream} goes on: a message{where} had ended it. Its sender is at fault."


async def mend_streams(settings: Settings, nodes: Sequence[NatsServer]) -> tuple[Mended, ...]:
    """Let the streams of this machine's cluster go on that a message ended, and return them."""
    if not settings.is_cluster:
        return ()
    client = await connect(login(settings, SYSTEM))
    try:
        ended = sorted(ended_streams(await copies(client, len(nodes))), key=attrgetter("servers"))
        mended: list[Mended] = []
        for servers, those in groupby(ended, key=attrgetter("servers")):
            mended += await _mend(settings, nodes, client, servers, tuple(those))
    finally:
        await client.close()
    for it in mended:
        log.error("stream_was_ended", stream=it.stream, subject=it.subject)
    return tuple(mended)


async def _mend(
    settings: Settings,
    nodes: Sequence[NatsServer],
    client: Client,
    servers: Sequence[str],
    ended: Sequence[Ended],
) -> list[Mended]:
    """One server after the other, so that the other streams go on meanwhile. They are killed: a
    server that stops in order writes snapshots meanwhile, of streams that it closes.

    A server whose copy is behind is away until the others have elected who leads: with a log that
    they no longer have it would win, and what it misses would be lost.
    """
    whole = [it for it in nodes if any(name.endswith(f"-{it.name}") for name in servers)]
    behind = [it for it in nodes if it not in whole]
    mended = [
        Mended(
            stream=it.stream,
            subject=raft_log.subject_of(_store(settings, whole[0]), it.group, HEADER),
        )
        for it in ended
    ]
    for node in behind:
        node.kill()
    for node in whole:
        node.kill()
        await _start(settings, node, ended)
    if behind:
        await _elected(client, {it.stream for it in ended}, len(whole))
    for node in behind:
        await _start(settings, node, ended)
    return mended


async def _start(settings: Settings, node: NatsServer, ended: Sequence[Ended]) -> None:
    for it in ended:
        raft_log.forget(_store(settings, node), it.group)
    await node.start()


async def _elected(client: Client, streams: set[str], servers: int) -> None:
    """Wait until each of these streams has a leader, or for as long as that may take."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(ELECTED_WITHIN_S):
            while not await _all_lead(client, streams, servers):
                await asyncio.sleep(POLL_S)


async def _all_lead(client: Client, streams: set[str], servers: int) -> bool:
    try:
        return streams <= {it.stream for it in await copies(client, servers) if it.leads}
    except HoldpointError:  # the connection moves from one server to the next
        return False


def _store(settings: Settings, node: NatsServer) -> Path:
    return settings.state_dir / node.name
