"""The broker's report on its own storage: streams that it could not write to.

After a full disk a stream stays unwritable until the server starts again, also once there is room.
"""

import asyncio
import contextlib
from dataclasses import dataclass, field
from typing import Any

import msgspec
from nats.aio.client import Client
from nats.errors import Error as NatsError

from holdpoint.runtime.errors import UnavailableError

HEALTH = "$SYS.REQ.SERVER.PING.HEALTHZ"
"""Answered by the system account; nobody else hears it but whom it is exported to."""

ANSWER_S = 5.0
EVERY_S = 5.0
DETAILS = msgspec.json.encode({"details": True})


async def write_errors(client: Client) -> dict[str, str]:
    """Return why streams cannot be written to, by stream; empty where all can.

    Raises UnavailableError when the broker does not say.
    """
    try:
        reply = await client.request(HEALTH, DETAILS, timeout=ANSWER_S)
        health: dict[str, Any] = msgspec.json.decode(reply.data)["data"]
    except (NatsError, msgspec.DecodeError, KeyError) as error:
        raise UnavailableError(f"The broker does not say how it is: {error!r}") from error
    return {
        it["stream"]: it.get("error", "unknown")
        for it in health.get("errors") or ()
        if it.get("stream")
    }


def cannot_store(errors: dict[str, str]) -> str:
    """Return what to say of it; empty where everything can be stored."""
    if not errors:
        return ""
    why = next(iter(errors.values())).rpartition(": ")[2]
    return f"the broker cannot store {', '.join(sorted(errors))}: {why}"


@dataclass(eq=False, kw_only=True)
class StorageWatch:
    """Asks again and again whether the broker can store, for a service's readiness."""

    client: Client
    _problem: str = field(default="", init=False)

    def problem(self) -> str:
        """Return what it cannot store, as of the last answer; empty where it can."""
        return self._problem

    async def run(self) -> None:
        """Ask for ever. A broker that does not answer is told of by the connection."""
        while True:
            with contextlib.suppress(UnavailableError):
                self._problem = cannot_store(await write_errors(self.client))
            await asyncio.sleep(EVERY_S)
