"""Requests in plain words (seed 003): what a person says to the coordinator, and its answer."""

from collections.abc import Iterator
from enum import StrEnum

from holdpoint.messages.base import JsonObject, Message, Moment, Value
from holdpoint.messages.envelope import Status

LONGEST_MESSAGE = 2000
"""Code points of a request's message, without the space around it."""


class Speaker(StrEnum):
    """Role of who said something in a conversation."""

    USER = "user"
    ASSISTANT = "assistant"


class ConversationMessage(Value, frozen=True, kw_only=True):
    """One message of a conversation so far. It explains words like `it`, and proves nothing."""

    role: Speaker
    content: str
    timestamp: Moment | None = None


class AgentRequest(Message, frozen=True, kw_only=True, omit_defaults=True):
    """A person's request. On the bus `user_id` comes from the subject and is left out."""

    user_id: str = ""
    """Who asks, as the subject or a token says it; a body that names somebody else is refused."""

    message: str
    conversation_history: tuple[ConversationMessage, ...]
    """Empty for a first message."""

    request_id: str
    """A UUID. The same one again is the same request: nothing is done twice."""


class ToolCall(Value, frozen=True, kw_only=True):
    """One tool call that was made for a request."""

    tool_name: str
    parameters: JsonObject
    result: JsonObject
    """The response envelope, as far as it is known."""

    success: bool


class AgentResponse(Message, frozen=True, kw_only=True, omit_defaults=True):
    """The coordinator's answer to a request."""

    message: str
    """For the person, in plain words."""

    tool_calls: tuple[ToolCall, ...] | None = None
    success: bool
    """Whether the request was handled; a question back and a refusal are not."""

    request_id: str


def pending(response: AgentResponse) -> Iterator[str]:
    """Yield the holds of an answer that wait for people."""
    for call in response.tool_calls or ():
        if waits(call):
            yield str(call.result.get("hold_id", ""))


def waits(call: ToolCall) -> bool:
    """Return whether people are asked about this call."""
    return bool(call.result.get("status") == Status.PENDING_CONFIRMATION.value)
