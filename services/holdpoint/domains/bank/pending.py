"""The confirmations of the bank's tools, as the agent presents them."""

from typing import Any

import msgspec

from holdpoint.messages.action import Pending, Plan
from holdpoint.messages.base import JsonObject


def presented(operation: str, summary: str, message: str, arguments: Any, plan: Plan) -> Pending:
    """A confirmation from two sentences, filled with the arguments and what the plan found."""
    known: JsonObject = {**msgspec.to_builtins(arguments), **plan.conditions}
    return Pending(
        operation=operation,
        summary=summary.format_map(known),
        details=known,
        message_for_user=message.format_map(known),
        confirmation_tool=f"confirm_{operation}",
        id_name="operation_id",
    )
