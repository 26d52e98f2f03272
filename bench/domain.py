"""The tools that are measured: three levels, and nothing in them that takes time."""

import msgspec

from holdpoint.core.tool import Result, RunContext, tool
from holdpoint.messages.catalog import Repeat
from holdpoint.messages.run import RunStatus

DOMAIN = "bench"


class Probe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One call of the size that agents make."""

    number: int
    note: str


def _done(name: str, arguments: Probe) -> Result:
    return Result(
        status=RunStatus.DONE,
        data={"number": arguments.number},
        formatted="done",
        message_for_user="done",
        executed={"tool": name, "arguments": {"number": arguments.number}},
    )


@tool(domain=DOMAIN, level=1, template="read {number}", schema=Probe, repeat=Repeat.IDEMPOTENT)
async def read_probe(arguments: Probe, _: RunContext) -> Result:
    """Read a probe."""
    return _done("read_probe", arguments)


@tool(domain=DOMAIN, level=2, template="write {number}", schema=Probe, repeat=Repeat.MANUAL)
async def write_probe(arguments: Probe, _: RunContext) -> Result:
    """Write a probe."""
    return _done("write_probe", arguments)


@tool(domain=DOMAIN, level=3, template="change {number}", schema=Probe, repeat=Repeat.MANUAL)
async def change_probe(arguments: Probe, _: RunContext) -> Result:
    """Change a probe: somebody is asked first."""
    return _done("change_probe", arguments)


TOOLS = (read_probe, write_probe, change_probe)
