"""`holdpoint flag`: which ways of working are switched on, and switching them."""

import asyncio
from enum import StrEnum
from typing import Annotated

import msgspec
import typer

from holdpoint.cli import output
from holdpoint.cli.bus import operator
from holdpoint.cli.orders import end, give
from holdpoint.cli.session import AsOption, JsonOption, begun
from holdpoint.messages.state import Flag, FlagState, SetFlag, flags_off
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.store.state import FLAG

flag = typer.Typer(help="Ways of working that an admin may switch.", no_args_is_help=True)

MEANINGS: dict[Flag, str] = {
    Flag.DELEGATION: "the coordinator has other agents answer",
    Flag.KEYWORD_ROUTING: "keywords decide where no rule of the coordinator does",
    Flag.LEGACY_ALIASES: "old names of tools count; off, the refusal names the new one",
    Flag.LEGACY_ASK: "tools that only ask a person may be called, while agents are migrated",
    Flag.WORKFLOW_FIRST: "workflows come before the coordinator's agent",
}


class Position(StrEnum):
    """Position of a flag."""

    ON = "on"
    OFF = "off"


class FlagLine(msgspec.Struct, frozen=True, kw_only=True):
    """One flag, as `holdpoint flag list` tells it."""

    name: Flag
    on: bool
    meaning: str


@flag.command(name="list")
def list_flags(*, as_json: JsonOption = False) -> None:
    """List every flag with its position."""
    state = asyncio.run(_now(begun()))
    off = flags_off(state)
    lines = [FlagLine(name=it, on=it not in off, meaning=MEANINGS[it]) for it in Flag]
    if as_json:
        output.emit(*lines)
        return
    for line in lines:
        output.say(f"{line.name.value:<16} {'on ' if line.on else 'off'}  {line.meaning}")


@flag.command(name="set")
def set_flag(
    name: Annotated[Flag, typer.Argument(help="The flag.")],
    position: Annotated[Position, typer.Argument(help="on or off.")],
    *,
    reason: Annotated[str, typer.Option(help="Why; it stands in the ledger.")],
    as_person: AsOption = "",
    as_json: JsonOption = False,
) -> None:
    """Switch a flag, at once and for every service. Asks for your password."""
    order = SetFlag(flag=name, on=position is Position.ON, reason=reason)
    texts = (
        f"Switching {name.value} {position.value}: {MEANINGS[name]}.",
        f"{name.value} is {position.value}.",
    )
    end(give(begun(), as_person, (order, FLAG), texts, as_json=as_json))


async def _now(settings: Settings) -> FlagState | None:
    async with operator(settings) as bus:
        return await bus.flags()


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(flag, name="flag")
