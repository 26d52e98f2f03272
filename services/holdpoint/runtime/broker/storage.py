"""The broker's report on its own storage: streams that it cannot write to, or that are full.

After a full disk a stream stays unwritable until the server starts again, also once there is room.
"""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.errors import TimeoutError as NatsTimeoutError
from nats.js import JetStreamContext
from nats.js.errors import APIError

from holdpoint.runtime.broker.nats_errors import in_words
from holdpoint.runtime.broker.streams import MAX_STORED_BYTES
from holdpoint.runtime.errors import UnavailableError

HEALTH = "$SYS.REQ.SERVER.PING.HEALTHZ"
"""Answered by the system account; nobody else hears it but whom it is exported to."""

ANSWER_S = 5.0
REST_ANSWER_S = 1.0
"""For the other servers, after the first one answered."""

EVERY_S = 5.0
NOTHING_STORED = "nothing more is stored there"
ENDED = "last msgid mismatch"
"""What a copy of a stream says that a message ended (`raft_log.py`)."""

DETAILS = msgspec.json.encode({"details": True})


async def write_errors(client: Client, servers: int = 1) -> dict[str, str]:
    """Return why streams cannot be written to, by stream; empty where all can.

    A stream can be written to while most of its copies can: of three servers one may be broken, or
    catch up after a restart. Raises UnavailableError when the broker does not say.
    """
    found = [it for health in await healths(client, servers) for it in health.items()]
    times = Counter(stream for stream, _ in found)
    return {stream: why for stream, why in found if 2 * times[stream] > servers}


async def healths(client: Client, servers: int) -> list[dict[str, str]]:
    """Return what each server that answers cannot write to, and why, by stream."""
    try:
        answers = [
            msgspec.json.decode(it)["data"]
            for it in await ask_all(client, HEALTH, DETAILS, servers)
        ]
    except (msgspec.DecodeError, KeyError) as error:
        raise UnavailableError(f"The broker does not say how it is: {in_words(error)}") from error
    if not answers:
        raise UnavailableError("The broker does not say how it is.")
    return [
        {
            it["stream"]: it.get("error", "unknown")
            for it in answer.get("errors") or ()
            if it.get("stream")
        }
        for answer in answers
    ]


async def ask_all(client: Client, subject: str, body: bytes, servers: int) -> list[bytes]:
    """Return the answers of so many servers, or of those that answer in time."""
    answers: list[bytes] = []
    inbox = await client.subscribe(client.new_inbox(), max_msgs=servers)
    try:
        await client.publish(subject, body, reply=inbox.subject)
        while len(answers) < servers:
            wait_s = REST_ANSWER_S if answers else ANSWER_S
            answers.append((await inbox.next_msg(timeout=wait_s)).data)
    except NatsTimeoutError:
        return answers
    except (NatsError, AttributeError) as error:  # the client's own, of a TLS connection that ended
        raise UnavailableError(
            f"The broker does not answer {subject}: {in_words(error)}"
        ) from error
    finally:
        with contextlib.suppress(NatsError, AttributeError):
            await inbox.unsubscribe()
    return answers


def cannot_store(errors: dict[str, str]) -> str:
    """Return what to say of it; empty where everything can be stored."""
    if not errors:
        return ""
    first = next(iter(errors.values()))
    ended = "a message ended it; see Three brokers in docs/operate.md"
    why = ended if ENDED in first else first.rpartition(": ")[2]
    return f"the broker cannot store {', '.join(sorted(errors))}: {why}"


def is_full(used: int, most: int) -> bool:
    """Return whether a stream of so many bytes refuses the next large message."""
    return 0 < most < used + MAX_STORED_BYTES


def full(names: Sequence[str]) -> str:
    """Describe full streams; empty where there is none."""
    if not names:
        return ""
    return f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} full: {NOTHING_STORED}"


@dataclass(eq=False, kw_only=True)
class StorageWatch:
    """Asks again and again whether the broker can store, for a service's readiness."""

    client: Client
    jetstream: JetStreamContext
    streams: Sequence[str]
    """Of which all have to have room."""

    servers: int
    """Of the broker."""

    _problem: str = field(default="", init=False)

    def problem(self) -> str:
        """Return what it cannot store, as of the last answer; empty where it can."""
        return self._problem

    async def run(self) -> None:
        """Ask for ever. A broker that does not answer is told of by the connection."""
        while True:
            with contextlib.suppress(UnavailableError):
                broken = cannot_store(await write_errors(self.client, self.servers))
                self._problem = broken or full(await self._full())
            await asyncio.sleep(EVERY_S)

    async def _full(self) -> list[str]:
        """Names of the streams that are full. UnavailableError if the broker does not say."""
        try:
            infos = [await self.jetstream.stream_info(name) for name in self.streams]
        except (NatsError, APIError) as error:
            raise UnavailableError(f"Streams cannot be looked at: {in_words(error)}") from error
        return [
            name
            for name, info in zip(self.streams, infos, strict=True)
            if is_full(info.state.bytes, info.config.max_bytes or 0)
        ]
