"""The copies of each stream on three servers: who leads, who is behind, and which a message ended.

From 2.14 on nats-server hands a wrong `Nats-Expected-Last-Msg-Id` to every copy of a stream, and
each of them stops for good, also after a restart: its raft log still holds that message. What the
stream stored is whole, so it goes on once its servers start without that log.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

import msgspec
from nats.aio.client import Client

from holdpoint.messages.subjects import source_of
from holdpoint.runtime.broker.storage import DETAILS, ENDED, HEALTH, ask_all
from holdpoint.runtime.errors import UnavailableError

DESCRIBE = "$SYS.REQ.SERVER.PING.JSZ"
STREAMS = msgspec.json.encode({"accounts": True, "streams": True, "raft": True})
HEADER = b"Nats-Expected-Last-Msg-Id"
MAJORITY = 2


@dataclass(frozen=True, kw_only=True)
class Copy:
    """A stream's copy on one server."""

    stream: str
    server: str
    group: str
    """Of the servers that keep a copy: it names their raft log."""

    last_seq: int
    leads: bool
    has_ended: bool


class ServerLine(msgspec.Struct, frozen=True, kw_only=True):
    """One server of the broker, as the others and itself tell."""

    name: str
    answers: bool
    leads: tuple[str, ...] = ()
    """Streams, such as `HOLDS` or `CALLS@robot`."""

    behind: int = 0
    """Messages of all streams that it does not have yet."""

    @property
    def text(self) -> str:
        """Return what to tell people."""
        if not self.answers:
            return "does not answer"
        leads = f"leads {', '.join(self.leads)}" if self.leads else "leads nothing"
        has = f"behind by {self.behind:,}" if self.behind else "has everything"
        return f"answers, {has}, {leads}"


@dataclass(frozen=True, kw_only=True)
class Ended:
    """A stream that a message ended."""

    stream: str
    group: str
    servers: tuple[str, ...]
    """Those whose copy has everything that was stored."""


async def copies(system: Client, servers: int) -> tuple[Copy, ...]:
    """Return each copy on the servers that answer; the client is the system user's.

    Raises UnavailableError when none answers.
    """
    try:
        ended = {
            (answer["server"]["name"], it["stream"])
            for answer in await _answers(system, HEALTH, DETAILS, servers)
            for it in answer["data"].get("errors") or ()
            if it.get("stream") and ENDED in it.get("error", "")
        }
        described = await _answers(system, DESCRIBE, STREAMS, servers)
        return tuple(
            _copy(answer["server"]["name"], one, ended)
            for answer in described
            for one in _streams(answer)
        )
    except (msgspec.DecodeError, KeyError) as error:
        raise UnavailableError(f"The broker does not say how it is: {error!r}") from error


async def _answers(system: Client, subject: str, body: bytes, servers: int) -> list[dict[str, Any]]:
    return [msgspec.json.decode(it) for it in await ask_all(system, subject, body, servers)]


def _streams(server: dict[str, Any]) -> list[dict[str, Any]]:
    accounts = server["data"].get("account_details") or ()
    return [stream for account in accounts for stream in account.get("stream_detail") or ()]


def _copy(server: str, stream: dict[str, Any], ended: set[tuple[str, str]]) -> Copy:
    return Copy(
        stream=stream["name"],
        server=server,
        group=stream.get("stream_raft_group", ""),
        last_seq=stream["state"]["last_seq"],
        leads=(stream.get("cluster") or {}).get("leader") == server,
        has_ended=(server, stream["name"]) in ended,
    )


def server_lines(found: Sequence[Copy], names: Sequence[str]) -> tuple[ServerLine, ...]:
    """Return how each server of these names stands, where a name is the end of the server's own."""
    newest: dict[str, int] = {}
    for it in found:
        newest[it.stream] = max(it.last_seq, newest.get(it.stream, 0))
    return tuple(
        ServerLine(
            name=name,
            answers=bool(of_it := [it for it in found if it.server.endswith(f"-{name}")]),
            leads=tuple(sorted(source_of(it.stream) for it in of_it if it.leads)),
            behind=sum(newest[it.stream] - it.last_seq for it in of_it),
        )
        for name in names
    )


def ended_streams(found: Sequence[Copy]) -> tuple[Ended, ...]:
    """Return the streams that a message ended.

    A copy that says so has everything before that message. Where another has more, or only one says
    so, this is something else, and nothing is done about it.
    """
    by_stream = groupby(sorted(found, key=attrgetter("stream")), key=attrgetter("stream"))
    return tuple(it for _, one in by_stream if (it := _ended(tuple(one))))


def _ended(of_one_stream: tuple[Copy, ...]) -> Ended | None:
    most = max(it.last_seq for it in of_one_stream)
    ended = [it for it in of_one_stream if it.has_ended]
    if len(ended) < MAJORITY or any(it.last_seq != most for it in ended):
        return None
    servers = tuple(sorted(it.server for it in ended))
    return Ended(stream=ended[0].stream, group=ended[0].group, servers=servers)
