"""`holdpoint permissions`: what agents may do without asking again, and taking it back."""

import asyncio
from datetime import datetime
from typing import Annotated

import msgspec
import typer

from holdpoint.cli import output
from holdpoint.cli.bus import operator
from holdpoint.cli.limits import action_in_words
from holdpoint.cli.orders import end, give_own
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.session import AsOption, JsonOption, begun
from holdpoint.core.permissions import is_alive
from holdpoint.messages.state import Permission, RevokePermission
from holdpoint.runtime.config.registry import load_registry
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.permissions import PERMISSION

permissions = typer.Typer(help="What agents may do without asking again.", no_args_is_help=True)


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One permission, as `holdpoint permissions list` tells it."""

    agent: str
    permission: Permission
    left: int
    """Uses that are left."""


@permissions.command(name="list")
def list_permissions(
    *,
    agent: Annotated[str, typer.Option(help="Only this agent's.")] = "",
    everything: Annotated[bool, typer.Option("--all", help="Those that ended, too.")] = False,
    as_json: JsonOption = False,
) -> None:
    """List remembered permissions. With --json: one per line."""
    now = clock.now()
    every = asyncio.run(_lines(begun(), agent))
    lines = [it for it in every if everything or is_alive(it.permission, now)]
    if as_json:
        output.emit(*lines)
        return
    for line in lines:
        output.say(_told(line, now))
    if not lines:
        output.say("No agent may do anything without asking again.")


@permissions.command()
def revoke(
    permission_id: Annotated[str, typer.Argument(metavar="ID", help="As the list names it.")],
    *,
    reason: Annotated[str, typer.Option(help="Why; it stands in the ledger.")],
    as_person: AsOption = "",
    as_json: JsonOption = False,
) -> None:
    """Revoke a permission, as the person who gave it or as an admin."""
    settings = begun()
    every = asyncio.run(_lines(settings, ""))
    line = next((it for it in every if it.permission.permission_id == permission_id), None)
    if line is None:
        text = f"There is no permission {permission_id!r}: holdpoint permissions list"
        raise CommandError(ExitCode.FAILED, "unknown_permission", text)
    order = RevokePermission(agent=line.agent, permission_id=permission_id, reason=reason)
    said = (
        f"Taking back: {_told(line, clock.now())}",
        f"{line.agent} asks again: permission {permission_id} is taken back.",
    )
    end(give_own(settings, as_person, (order, PERMISSION), said, as_json=as_json))


async def _lines(settings: Settings, only: str) -> list[Line]:
    agents = [it.name for it in load_registry(settings.config_dir).agents if only in {"", it.name}]
    if not agents:
        text = f"agents.yaml does not know {only!r}."
        raise CommandError(ExitCode.FAILED, "unknown_agent", text)
    async with operator(settings) as bus:
        states = [(agent, await bus.permissions(agent)) for agent in agents]
    return [
        Line(agent=agent, permission=it, left=max(0, it.uses - it.used))
        for agent, state in states
        for it in (state.permissions if state else ())
    ]


def _told(line: Line, now: datetime) -> str:
    it = line.permission
    ends = f"until {it.expires_at:%Y-%m-%d %H:%M} UTC"
    how = ends if is_alive(it, now) else "ended"
    money = (
        "" if it.amount is None else f", {_money(it.spent)} of {_money(it.amount)} {it.currency}"
    )
    which = it.title if not it.limits else f"{it.tool}: {action_in_words(it.limits)}"
    return (
        f"{it.permission_id}  {line.agent}  {which}  ({it.used} of {it.uses} used{money}, {how}, "
        f"given by {it.by})"
    )


def _money(hundredths: int) -> str:
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(permissions, name="permissions")
