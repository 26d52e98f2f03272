"""Requests as they come in: read, checked rule by rule, and answered where a rule is broken.

Who asks is said by the subject or a verified token, never by the body.
"""

from typing import Any
from uuid import UUID

import msgspec

from holdpoint.messages.codec import UnreadableError, check_strict
from holdpoint.messages.request import (
    LONGEST_MESSAGE,
    AgentRequest,
    AgentResponse,
    ConversationMessage,
    Speaker,
)

FIELDS = frozenset({"user_id", "message", "conversation_history", "request_id"})
MOST_MESSAGES = 100
"""Of a conversation so far."""


class BadRequestError(ValueError):
    """The request breaks rules; `response` says each of them in a sentence."""

    def __init__(self, problems: tuple[str, ...], request_id: str) -> None:
        super().__init__(" ".join(problems))
        self.problems = problems
        self.response = AgentResponse(message=str(self), success=False, request_id=request_id)


def request_of(user_id: str, body: bytes) -> AgentRequest:
    """Read a request of this person; BadRequestError says every rule that it breaks."""
    try:
        check_strict(body)
        raw = msgspec.json.decode(body)
    except UnreadableError as why:
        raise BadRequestError((why.text,), "") from None
    except msgspec.DecodeError as error:
        raise BadRequestError((f"The request is not JSON: {error}.",), "") from None
    return checked(user_id, raw)


def checked(user_id: str, raw: Any) -> AgentRequest:
    """Check a request that is decoded already; BadRequestError says every rule that it breaks."""
    if not isinstance(raw, dict):
        raise BadRequestError(("The request is no JSON object.",), "")
    said_id = raw.get("request_id")
    request_id = said_id if isinstance(said_id, str) else ""
    problems = tuple(problem for problem in _problems(user_id, raw) if problem)
    if problems:
        raise BadRequestError(problems, request_id)
    history = raw["conversation_history"]
    return AgentRequest(
        user_id=user_id,
        message=raw["message"].strip(),
        conversation_history=tuple(msgspec.convert(it, ConversationMessage) for it in history),
        request_id=str(UUID(request_id)),
    )


def _problems(user_id: str, raw: dict[str, Any]) -> list[str]:
    return [
        _of_user(user_id, raw.get("user_id", "")),
        _of_message(raw.get("message")),
        _of_history(raw.get("conversation_history")),
        _of_request_id(raw.get("request_id")),
        _of_fields(raw),
    ]


def _of_user(user_id: str, said: Any) -> str:
    if not user_id:
        return "Nobody is logged in: `user_id` comes from a token or the login on the bus."
    if said not in {"", user_id} if isinstance(said, str) else True:
        return "`user_id` names somebody else: leave it out, the token or login says it."
    return ""


def _of_message(said: Any) -> str:
    if not isinstance(said, str):
        return "`message` is missing or no text."
    text = said.strip()
    if not text:
        return "`message` is empty: say what you would like to have done."
    if len(text) > LONGEST_MESSAGE:
        return f"`message` has {len(text)} characters, and may have {LONGEST_MESSAGE}."
    return ""


def _of_history(said: Any) -> str:
    if not isinstance(said, list):
        return "`conversation_history` is no list; it is empty for a first message."
    if len(said) > MOST_MESSAGES:
        return f"`conversation_history` has {len(said)} messages, and may have {MOST_MESSAGES}."
    for number, it in enumerate(said, 1):
        try:
            msgspec.convert(it, ConversationMessage)
        except msgspec.ValidationError as error:
            roles = " or ".join(Speaker)
            return f"Message {number} of `conversation_history` is wrong ({roles} says): {error}."
    return ""


def _of_request_id(said: Any) -> str:
    try:
        UUID(said)
    except (ValueError, AttributeError, TypeError):
        return "`request_id` is missing or no UUID."
    return ""


def _of_fields(raw: dict[str, Any]) -> str:
    unknown = ", ".join(sorted(map(str, raw.keys() - FIELDS)))
    return f"A request has no field {unknown}." if unknown else ""
