"""Whether a call does nothing by itself: it rehearses, only asks, or passes on calls that read.

Whatever says so must be an argument that the tool's own schema declares.
"""

from holdpoint.core.risk.arguments import Payload, payload
from holdpoint.core.risk.calls.declared import knows
from holdpoint.core.risk.calls.names import tool_name
from holdpoint.core.risk.calls.nested import Inner
from holdpoint.core.risk.calls.orders import Order, may_ask, only_reads
from holdpoint.core.risk.calls.reach import reached
from holdpoint.core.risk.calls.rehearsal import rehearses
from holdpoint.core.risk.code import Programs
from holdpoint.core.risk.context import Context
from holdpoint.core.risk.http.door import read_object
from holdpoint.core.risk.lexicon import word_set
from holdpoint.messages.action import Action
from holdpoint.messages.risk import Heuristic, Signal


def is_rehearsed(action: Action, context: Context) -> bool:
    """By a flag that the tool knows."""
    return bool(context.tool and rehearses(action.arguments, context.tool.schema))


def is_told_to_read(
    action: Action,
    context: Context,
    found: Payload,
    within: tuple[tuple[Inner, ...], tuple[Order, ...]],
) -> bool:
    """By what it is told to do, or by calls within it; the tool must know all its arguments."""
    inner, orders = within
    if orders or tool_name(action.tool).verb:
        return False
    schema = context.tool.schema if context.tool else {}
    told = inner or may_ask(" ".join(action.arguments))
    if not (told and knows(action.arguments, schema)) or _speaks(action.tool, found):
        return False
    return only_reads(found.leaves) or _passes_on(action, inner)


def _speaks(tool: str, found: Payload) -> bool:
    """Whether it says something to many, which no read does: `bulk_sms` with a text for all."""
    if all(leaf.key.lower() not in _SAID for leaf in found.leaves):
        return False
    return next(reached(frozenset(tool_name(tool).words), found.leaves), "") != ""


_SAID = word_set("body text message content subject html msg")
"""Keys under which stands what people are to read."""


def grave_in_a_read(signals: tuple[Signal, ...]) -> tuple[Signal, ...]:
    """What is grave though it is told to read: anything but how much that is."""
    return tuple(one for one in signals if one.heuristic is not Heuristic.MAGNITUDE)


def _passes_on(action: Action, inner: tuple[Inner, ...]) -> bool:
    """Whether there is nothing in it but calls that read."""
    if not inner:
        return False
    beside = {key: one for key, one in action.arguments.items() if not isinstance(one, dict | list)}
    if len(action.arguments) - len(beside) != 1:
        return False
    more = payload(beside, action.tool)
    plain = not (more.amounts or more.tallies or more.everything)
    return plain and all(tool_name(one.tool).reads for one in inner)


def only_asks(action: Action, context: Context, ran: Programs) -> bool:
    """A request that only reads, by a tool whose name says no more than that it sends one."""
    schema = context.tool.schema if context.tool else {}
    if not (ran.read and ran.reads_only) or tool_name(action.tool).verb:
        return False
    inside = tuple(action.arguments.values())
    sent = inside[0] if len(inside) == 1 and isinstance(inside[0], dict) else action.arguments
    asked = read_object(sent)
    return bool(asked and asked.reads_only and knows(action.arguments, schema))
