"""The domain under test: each effect leaves one line, on disk before the tool returns.

It is a file that its worker loads.
"""

import asyncio
import fcntl
import os
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from holdpoint.core.tool import Result, RunContext, tool, what_ran
from holdpoint.messages.catalog import Repeat
from holdpoint.messages.run import RunStatus
from holdpoint.runtime.process import clock

DOMAIN = "deeds"
LOG = "DEEDS_LOG"
BOOK = "book"


class Deed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is done, and how long it takes."""

    mark: str
    takes_ms: int = 0


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the log: something happened in the world."""

    tool: str
    hold_id: str
    nonce: str
    begun: datetime
    at: datetime
    pid: int
    arguments: dict[str, Any]
    by_worker: datetime | None = None
    """When it began by its worker's own clock, where that one is not right."""

    @property
    def begun_by_worker(self) -> datetime:
        """Return when it began, as far as its worker can know."""
        return self.by_worker or self.begun


def done_so_far(log: Path) -> list[Effect]:
    """Every effect; a line that its process died over counts as none."""
    lines = log.read_bytes().splitlines() if log.exists() else []
    return [msgspec.json.decode(line, type=Effect) for line in lines if line.endswith(b"}")]


async def _do(name: str, deed: Deed, context: RunContext) -> Result:
    begun = clock.now()
    await asyncio.sleep(deed.takes_ms / 1000)
    effect = Effect(
        tool=name,
        hold_id=context.hold_id,
        nonce=context.nonce,
        begun=begun,
        at=clock.now(),
        pid=os.getpid(),
        arguments=msgspec.to_builtins(deed),
    )
    _write(effect, once=name == BOOK)
    return _done(name, deed)


def _write(effect: Effect, *, once: bool) -> None:
    """On disk when it returns; a target that is asked afterwards takes each hold once."""
    log = os.open(os.environ[LOG], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        fcntl.flock(log, fcntl.LOCK_EX)
        if not (once and _is_there(effect.hold_id)):
            os.write(log, msgspec.json.encode(effect) + b"\n")
            os.fsync(log)
    finally:
        os.close(log)


def _is_there(hold_id: str) -> bool:
    return any(it.hold_id == hold_id for it in done_so_far(Path(os.environ[LOG])))


def _done(name: str, deed: Deed) -> Result:
    return Result(
        status=RunStatus.DONE,
        data={"mark": deed.mark},
        formatted=f"{name}: {deed.mark}",
        executed=what_ran(name, deed),
    )


@tool(domain=DOMAIN, level=1, template="look {mark}", schema=Deed, repeat=Repeat.IDEMPOTENT)
async def look(deed: Deed, context: RunContext) -> Result:
    """Look at something."""
    return await _do("look", deed, context)


@tool(domain=DOMAIN, level=2, template="note {mark}", schema=Deed, repeat=Repeat.MANUAL)
async def note(deed: Deed, context: RunContext) -> Result:
    """Write something down."""
    return await _do("note", deed, context)


@tool(domain=DOMAIN, level=3, template="change {mark}", schema=Deed, repeat=Repeat.MANUAL)
async def change(deed: Deed, context: RunContext) -> Result:
    """Change something."""
    return await _do("change", deed, context)


@tool(domain=DOMAIN, level=3, template="put {mark}", schema=Deed, repeat=Repeat.IDEMPOTENT)
async def put(deed: Deed, context: RunContext) -> Result:
    """Set something; doing it twice is the same as doing it once."""
    return await _do("put", deed, context)


async def _was_booked(deed: Deed, context: RunContext) -> Result | None:
    """Whether the target knows it."""
    return _done(BOOK, deed) if _is_there(context.hold_id) else None


@tool(
    domain=DOMAIN,
    level=3,
    template="book {mark}",
    schema=Deed,
    repeat=Repeat.LOOKUP,
    lookup=_was_booked,
)
async def book(deed: Deed, context: RunContext) -> Result:
    """Book something; the target takes each hold once."""
    return await _do(BOOK, deed, context)


@tool(domain=DOMAIN, level=4, template="pay {mark}", schema=Deed, repeat=Repeat.MANUAL)
async def pay(deed: Deed, context: RunContext) -> Result:
    """Pay something: two people are asked."""
    return await _do("pay", deed, context)


@tool(domain=DOMAIN, level=5, template="wipe {mark}", schema=Deed, repeat=Repeat.MANUAL)
async def wipe(deed: Deed, context: RunContext) -> Result:
    """Wipe something: two people are asked, and it cools off."""
    return await _do("wipe", deed, context)


TOOLS = (look, note, change, put, book, pay, wipe)
