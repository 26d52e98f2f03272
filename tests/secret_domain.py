"""A domain of the tests' own: its tool is given a secret that nobody else may see."""

import os
from pathlib import Path

import msgspec

from holdpoint.core.tool import Result, RunContext, tool, what_ran
from holdpoint.messages.catalog import Repeat
from holdpoint.messages.run import RunStatus

OPENED = "HP_STATE_DIR"


class OpenVault(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which vault, and its code."""

    vault: str
    code: str


@tool(
    domain="vault",
    level=3,
    template="open {vault} with {code}",
    schema=OpenVault,
    repeat=Repeat.MANUAL,
    aliases=("unlock_vault",),
    secret=("/code",),
)
async def open_vault(arguments: OpenVault, context: RunContext) -> Result:
    """Open a vault with its code."""
    path = Path(os.environ[OPENED]) / "sample" / f"{arguments.vault}.opened"
    path.write_text(str(len(arguments.code)))
    return Result(
        status=RunStatus.DONE,
        data={"vault": arguments.vault, "hold_id": context.hold_id},
        formatted=f"Opened {arguments.vault} with {arguments.code}.",
        executed=what_ran("open_vault", arguments, (("code",),)),
    )


TOOLS = (open_vault,)
