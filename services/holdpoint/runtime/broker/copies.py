"""The copies of each stream on three servers: who leads, who is behind, which a message ended."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from nats.aio.client import Client

from holdpoint.messages.subjects import source_of
from holdpoint.runtime.broker.nats_errors import in_words
from holdpoint.runtime.broker.storage import DETAILS, ENDED, HEALTH, ask_all
from holdpoint.runtime.errors import UnavailableError

DESCRIBE = "$SYS.REQ.SERVER.PING.JSZ"
STREAMS = msgspec.json.encode({"accounts": True, "streams": True, "raft": True})


@dataclass(frozen=True, kw_only=True)
class Copy:
    """A stream's copy on one server."""

    stream: str
    server: str
    last_seq: int
    leads: bool
    has_ended: bool
    """True if a message ended it: see `raft_log.py`."""


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
        raise UnavailableError(f"The broker does not say how it is: {in_words(error)}") from error


async def _answers(system: Client, subject: str, body: bytes, servers: int) -> list[dict[str, Any]]:
    return [msgspec.json.decode(it) for it in await ask_all(system, subject, body, servers)]


def _streams(server: dict[str, Any]) -> list[dict[str, Any]]:
    accounts = server["data"].get("account_details") or ()
    return [stream for account in accounts for stream in account.get("stream_detail") or ()]


def _copy(server: str, stream: dict[str, Any], ended: set[tuple[str, str]]) -> Copy:
    return Copy(
        stream=stream["name"],
        server=server,
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
