"""Decisions of clients on paused graphs, in LangChain's words or agent inbox's form.

None of it is a yes: `approve` and `accept` ask how the hold stands.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from holdpoint.adapters.next_step_of_call import Step
from holdpoint.messages.base import JsonObject, Value


class Kind(StrEnum):
    """A client's decision on a call that waits."""

    LOOK = "look"
    DECLINE = "decline"
    CHANGE = "change"
    ANSWER = "answer"
    """In place of the tool: the call is taken back."""


class Decision(Value, frozen=True, kw_only=True):
    """One client's word about one call."""

    kind: Kind
    text: str = ""
    arguments: JsonObject = {}


_KINDS: Mapping[str, Kind] = {
    "approve": Kind.LOOK,
    "accept": Kind.LOOK,
    "reject": Kind.DECLINE,
    "ignore": Kind.DECLINE,
    "edit": Kind.CHANGE,
    "modify": Kind.CHANGE,
    "respond": Kind.ANSWER,
    "response": Kind.ANSWER,
}
LOOK = Decision(kind=Kind.LOOK)


def word_of(said: Any) -> str:
    """Return the client's own word for what it wants; empty where it says none."""
    found = _one(said)
    return str(found.get("type", "")) if isinstance(found, Mapping) else ""


def decision_of(said: Any) -> Decision:
    """Read a client's word. What cannot be read changes nothing: it only looks."""
    found = _one(said)
    if not isinstance(found, Mapping):
        return LOOK
    kind = _KINDS.get(word_of(found), Kind.LOOK)
    given = found.get("edited_action", found.get("args"))
    arguments = given.get("args", {}) if isinstance(given, Mapping) else {}
    if kind is Kind.CHANGE and not isinstance(arguments, dict):
        return LOOK
    text = found.get("message", given if isinstance(given, str) else "")
    return Decision(kind=kind, text=str(text or ""), arguments=arguments or {})


def human_interrupt(step: Step, tool: str, allowed: Sequence[str]) -> JsonObject:
    """Return agent inbox's request about a call that waits."""
    return {
        "action_request": {"action": tool, "args": step.arguments},
        "config": {
            "allow_accept": "approve" in allowed,
            "allow_ignore": "reject" in allowed,
            "allow_edit": bool({"edit", "modify"} & set(allowed)),
            "allow_respond": "respond" in allowed,
        },
        "description": step.text,
        "holdpoint_request_id": step.hold_id,
    }


def _one(said: Any) -> Any:
    """The one word in a list of one, or in LangChain's list of decisions."""
    if isinstance(said, Mapping) and isinstance(said.get("decisions"), list):
        said = said["decisions"]
    if isinstance(said, list):
        return said[0] if len(said) == 1 else None
    return said
