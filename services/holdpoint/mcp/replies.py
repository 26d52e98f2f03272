"""Outcomes of calls as MCP results: a server's own result unchanged, and any other ending."""

from typing import Any

import msgspec
from mcp_types import CallToolResult

from holdpoint.client import Outcome, RefusedError, UnavailableError
from holdpoint.messages.base import JsonObject

AWAIT_TOOL = "holdpoint_await"
POLL_AFTER_MS = 2_000
PENDING = "pending"


def reply_to(outcome: Outcome, review_url: str, *, is_strict: bool) -> CallToolResult:
    """The result of a call. `is_strict`: its tool promises an output that no other reply fits."""
    if outcome.is_pending:
        return _pending(outcome, review_url, is_strict=is_strict)
    if _is_mcp(outcome.data):
        return CallToolResult.model_validate(outcome.data)
    if outcome.ok:
        return _said(outcome.formatted, outcome.data or None, is_error=False)
    return _said(_ending(outcome), _state(outcome), is_error=True)


def refusal_of(error: RefusedError) -> CallToolResult:
    """The result of a call that did not count: nothing ran."""
    state = {"state": "refused", "hold_id": error.hold_id, "code": error.code}
    return _said(f"{error.text} Nothing ran.", state, is_error=True)


def state_used() -> CallToolResult:
    """The result for a request state that does not count: nothing was done."""
    text = (
        "This request state was used before, or is not of this gateway. Nothing was done. Call "
        f"`{AWAIT_TOOL}` with the hold_id, or make the call again."
    )
    return _said(text, {"state": "refused", "code": "state_used"}, is_error=True)


def unavailable(error: UnavailableError) -> CallToolResult:
    """The result of a call that nobody answered."""
    text = (
        f"Holdpoint cannot be reached: {error}. Nothing is known to have run. Make the same call "
        "again: it is the same call, and does not run twice."
    )
    return _said(text, {"state": "unavailable", "hold_id": error.hold_id}, is_error=True)


def _is_mcp(data: JsonObject) -> bool:
    return isinstance(data.get("content"), list)


def pending_text(outcome: Outcome, review_url: str) -> str:
    """What a call waits for."""
    if outcome.confirmation is None:
        return "This call is not finished yet."
    where = f"on the card at {review_url}" if review_url else "on the card"
    return f"{outcome.confirmation.summary} waits for a person, who answers {where}."


def _pending(outcome: Outcome, review_url: str, *, is_strict: bool) -> CallToolResult:
    confirmation = outcome.confirmation
    text = (
        f"{pending_text(outcome, review_url)} "
        f"Nothing has run yet. Call `{AWAIT_TOOL}` with the hold_id {outcome.hold_id} to get the "
        "result. Do not make the call again, and do not ask the user to approve it here."
    )
    state: dict[str, Any] = {
        "state": PENDING,
        "hold_id": outcome.hold_id,
        "request_id": outcome.hold_id,
        "poll_after_ms": POLL_AFTER_MS,
        "review_url": review_url,
    }
    if confirmation is not None and confirmation.expires_at is not None:
        state["expires_at"] = confirmation.expires_at.isoformat()
    return _said(text, state, is_error=is_strict)


def _ending(outcome: Outcome) -> str:
    said = outcome.message_for_user or outcome.reason
    why = outcome.reason if outcome.reason and outcome.reason not in said else ""
    return " ".join(filter(None, (f"{outcome.status.value}:", said, why)))


def _state(outcome: Outcome) -> JsonObject:
    return {
        "state": outcome.status.value,
        "hold_id": outcome.hold_id,
        "code": outcome.code,
        "reason": outcome.reason,
        "retry_allowed": bool(outcome.retry_allowed),
    }


def _said(text: str, state: JsonObject | None, *, is_error: bool) -> CallToolResult:
    content: JsonObject = {"content": [{"type": "text", "text": text}], "isError": is_error}
    if state is not None:
        content["structuredContent"] = msgspec.to_builtins(state)
    return CallToolResult.model_validate(content)
