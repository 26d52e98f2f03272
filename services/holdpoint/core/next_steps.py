"""The next steps of a pending reply (seed 000): `confirm_…` asks how it stands, never says yes;
`cancel_pending_operation` takes it back.
"""

import msgspec

from holdpoint.core.digest import may_be_hold_id
from holdpoint.messages.base import JsonObject
from holdpoint.messages.envelope import CANCEL_TOOL, CONFIRM_PREFIX

IDS = ("hold_id", "operation_id", "transfer_id")
"""The names under which a call may give the hold's id."""

REASON = "reason"
_KNOWN = {*IDS, REASON, "idempotency_key"}


class NextStep(msgspec.Struct, frozen=True, kw_only=True):
    """An agent's request about a hold of its own."""

    hold_id: str
    takes_back: bool
    reason: str = ""


def is_next_step(tool: str) -> bool:
    """Return whether a tool that no domain has is a next step, by its name."""
    return tool == CANCEL_TOOL or tool.startswith(CONFIRM_PREFIX)


def next_step_in(tool: str, arguments: JsonObject) -> NextStep | None:
    """The next step; None where it does not name one hold, or says more than a next step may."""
    ids = {arguments[name] for name in IDS if isinstance(arguments.get(name), str)}
    named = [name for name in IDS if name in arguments]
    reason = arguments.get(REASON, "")
    if (
        not named
        or len(ids) != 1
        or not isinstance(reason, str)
        or not _KNOWN.issuperset(arguments)
    ):
        return None
    (hold_id,) = ids
    if not may_be_hold_id(hold_id):
        return None
    return NextStep(hold_id=hold_id, takes_back=tool == CANCEL_TOOL, reason=reason)
