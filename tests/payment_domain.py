"""A domain of the tests' own that pays: each payment is small, and leaves a line."""

import os
from pathlib import Path

import msgspec

from holdpoint.core.tool import Result, RunContext, tool, what_ran
from holdpoint.messages.catalog import Repeat
from holdpoint.messages.run import RunStatus

STATE = "HP_STATE_DIR"


class Pay(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """To whom, how much, and how it is to end."""

    to: str
    amount: str
    currency: str = "USD"
    ends: RunStatus = RunStatus.DONE


@tool(domain="till", level=2, template="pay {amount} to {to}", schema=Pay, repeat=Repeat.MANUAL)
async def pay(arguments: Pay, _: RunContext) -> Result:
    """Pay somebody."""
    if arguments.ends is RunStatus.DONE:
        with (Path(os.environ[STATE]) / "sample" / "paid").open("a") as book:
            book.write(f"{arguments.to} {arguments.amount}\n")
    return Result(
        status=arguments.ends,
        data={"to": arguments.to},
        formatted=f"Paid {arguments.to}.",
        executed=what_ran("pay", arguments),
    )


TOOLS = (pay,)
