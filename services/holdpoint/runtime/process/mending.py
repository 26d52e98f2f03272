"""Lets streams go on that a message ended (`raft_log.py`), on the servers that run here."""

from collections.abc import Sequence

import structlog

from holdpoint.runtime.broker.connection import connect, login
from holdpoint.runtime.broker.copies import copies
from holdpoint.runtime.broker.raft_log import rename_header
from holdpoint.runtime.broker.server import NatsServer
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.security.credentials import SYSTEM

log = structlog.get_logger(__name__)


async def mend_streams(settings: Settings, nodes: Sequence[NatsServer]) -> tuple[str, ...]:
    """Let each server whose copy of a stream ended store that message; returns these streams.

    One server after the other, so that the other streams go on. Where another copy ends only now,
    the next call mends that one.
    """
    if not settings.is_cluster:
        return ()
    client = await connect(login(settings, SYSTEM))
    try:
        ended = [it for it in await copies(client, len(nodes)) if it.has_ended]
    finally:
        await client.close()
    mended: set[str] = set()
    for node in nodes:
        store = settings.state_dir / node.name
        streams = {it.stream for it in ended if it.server.endswith(f"-{node.name}")}
        if streams:
            await node.stop()
            mended |= {it for it in streams if rename_header(store, it)}
            await node.start()
    for stream in mended:
        log.error("stream_was_ended", stream=stream)
    return tuple(sorted(mended))
