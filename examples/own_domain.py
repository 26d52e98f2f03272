"""A domain of your own: a file with `TOOLS`, and its worker runs what carries a grant.

Add `greet` to an agent's tools in deploy/config/agents.yaml, and then:
HP_DOMAINS='{"greeter": "examples/own_domain.py"}' holdpoint up
"""

import msgspec

from holdpoint.core.tool import Result, RunContext, tool
from holdpoint.messages.catalog import Repeat
from holdpoint.messages.run import RunStatus


class Greet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whom to greet."""

    name: str


@tool(
    domain="greeter",
    level=2,
    template="greet {name}",
    schema=Greet,
    repeat=Repeat.IDEMPOTENT,
)
async def greet(arguments: Greet, context: RunContext) -> Result:
    """Greet somebody by name."""
    text = f"Hello, {arguments.name}!"
    return Result(
        status=RunStatus.DONE,
        data={"greeting": text, "hold_id": context.hold_id},
        formatted=text,
        message_for_user=text,
        executed={"tool": "greet", "arguments": {"name": arguments.name}},
    )


TOOLS = (greet,)
