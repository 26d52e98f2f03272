"""Waiting for people at a shell: told at once what waits, for whom, and how to come back to it."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from datetime import datetime

import msgspec
from msgspec.structs import replace

from holdpoint.cli import output
from holdpoint.cli.output import CommandError, ExitCode, word
from holdpoint.client import Holdpoint, Outcome, Status, UnavailableError
from holdpoint.messages.catalog import AGENTS_DOMAIN
from holdpoint.runtime.process import clock

GLANCE_S = 0.1
"""What is left of a timeout that is not worth another question."""

DISPATCHED = (
    "Dispatch {hold} is open: it waits for the answer of the agent that it names, and lapses "
    "without one. From elsewhere: {again}"
)

Propose = Callable[[Holdpoint, float | None], Awaitable[Outcome]]
"""Proposes, and returns as soon as people are asked or the seconds are over."""


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """Options for waiting for people."""

    wait: bool
    timeout: float | None
    as_json: bool


class Waits(msgspec.Struct, frozen=True, kw_only=True):
    """A call that people are asked about."""

    hold_id: str
    agent: str
    summary: str
    asked: tuple[str, ...]
    """The groups."""

    expires_at: datetime | None
    come_back: str
    """The command that tells how it stands, from anywhere."""


class _Line(msgspec.Struct, frozen=True, kw_only=True):
    waits: Waits


async def pursued(hp: Holdpoint, propose: Propose, wish: Wish) -> Outcome:
    """Propose; when people are asked, say so at once, and wait on as wished."""
    since = clock.monotonic()
    told = await reached(propose(hp, wish.timeout), hp.agent)
    is_dispatched = told.status is Status.APPROVED and told.domain == AGENTS_DOMAIN
    if not wish.wait or not (told.status is Status.PENDING_CONFIRMATION or is_dispatched):
        return told
    if not is_dispatched:
        _tell(waits(hp.agent, told), wish)
    elif not wish.as_json:
        output.warn(DISPATCHED.format(hold=told.hold_id, again=come_back(hp.agent, told.hold_id)))
    left = None if wish.timeout is None else wish.timeout - (clock.monotonic() - since)
    if left is not None and left < GLANCE_S:
        return told
    try:
        ended = await reached(hp.resume(told.hold_id, timeout=left), hp.agent)
    except asyncio.CancelledError:
        again = come_back(hp.agent, told.hold_id)
        text = f"You stopped waiting, so it is taken back. How it stands: {again}"
        raise CommandError(ExitCode.INTERRUPTED, "interrupted", text) from None
    return replace(ended, idempotency_key=told.idempotency_key)


def come_back(agent: str, hold_id: str) -> str:
    """The command that tells how a call stands; without an agent it is the caller."""
    return f"holdpoint outcome {hold_id}" + (f" --as {agent}" if agent else "")


def waits(agent: str, told: Outcome) -> Waits:
    """Return what is known of a call that waits."""
    about = told.confirmation
    asked = about.details.get("asked", ()) if about else ()
    return Waits(
        hold_id=told.hold_id,
        agent=agent,
        summary=about.summary if about else "",
        asked=tuple(map(str, asked)),
        expires_at=about.expires_at if about else None,
        come_back=come_back(agent, told.hold_id),
    )


async def reached(asking: Awaitable[Outcome], agent: str) -> Outcome:
    """The answer; when nobody is there any more, how to find the call again."""
    try:
        return await asking
    except UnavailableError as error:
        again = ""
        if error.hold_id:
            again = f" How it stands: {come_back(agent, error.hold_id)}"
        elif error.idempotency_key:
            again = f" The same call again: --key {error.idempotency_key}"
        text = f"{error.text}{again}"
        raise CommandError(ExitCode.UNREACHABLE, "unreachable", text) from None


def _tell(found: Waits, wish: Wish) -> None:
    if wish.as_json:
        sys.stderr.write(msgspec.json.encode(_Line(waits=found)).decode() + "\n")
        sys.stderr.flush()
        return
    until = f" until {found.expires_at:%Y-%m-%d %H:%M:%S %Z}" if found.expires_at else ""
    whom = ", ".join(map(word, found.asked)) or "people"
    output.warn(f"Hold {found.hold_id} waits for {whom}{until}: {word(found.summary)}")
    output.warn(f"Ctrl-C takes it back. From elsewhere: {found.come_back}")
