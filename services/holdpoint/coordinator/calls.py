"""Tool calls of one request: their keys follow from the request, so that a repeat is the same."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid5

import msgspec

from holdpoint.client import Holdpoint, Outcome, RefusedError, Status
from holdpoint.core.dispatch import AgentDelegation
from holdpoint.core.responses import BEFORE, CANNOT_RUN
from holdpoint.messages.catalog import DISPATCH
from holdpoint.messages.request import AgentRequest, ToolCall
from holdpoint.runtime.process import crash

WAITS = "This waits for a confirmation."
ANSWERS_WITHIN_S = 30.0
"""Time that a call of one request may take, unless people are asked."""


@dataclass(kw_only=True)
class Calls:
    """Everything that is called for one request, in order.

    Each call is a child of the cycle that its agent is in, and under the dispatch of that.
    """

    hp: Holdpoint
    """As the coordinator."""

    request: AgentRequest
    made: list[ToolCall] = field(default_factory=list)
    before: tuple[str, ...] = ()
    """Earlier words of the person that this request completes."""

    _base: str = ""
    """The key of the dispatch that is answered; empty: the request's id."""

    _number: int = 0

    async def call(
        self, tool: str, arguments: Mapping[str, Any], by: Holdpoint | None = None
    ) -> Outcome:
        """Call a tool for the person, and return once it ended or people are asked."""
        key = self._next_key()
        crash.passing("coordinator", "call", "before")
        outcome = await (by or self.hp).call(
            tool,
            arguments,
            idempotency_key=key,
            on_behalf_of=self.request.user_id,
            reasoning=self._reasoning(),
            wait=False,
            timeout=ANSWERS_WITHIN_S,
            on_cancel="leave",
        )
        crash.passing("coordinator", "call", "after")
        self.made.append(tool_call(tool, arguments, outcome))
        return outcome

    async def dispatch(
        self, delegation: AgentDelegation, by: Holdpoint | None = None
    ) -> tuple[str, Outcome]:
        """Open a dispatch to an agent; its key, and how it stands once it is judged."""
        hp, key = by or self.hp, self._next_key()
        arguments = msgspec.to_builtins(delegation)
        crash.passing("coordinator", "dispatch", "before")
        outcome = await hp.call(
            DISPATCH,
            arguments,
            idempotency_key=key,
            on_behalf_of=self.request.user_id,
            wait=False,
            timeout=ANSWERS_WITHIN_S,
            on_cancel="leave",
        )
        crash.passing("coordinator", "dispatch", "after")
        self.made.append(tool_call(DISPATCH, arguments, outcome))
        return key, outcome

    @contextmanager
    def below(self, key: str) -> Iterator[None]:
        """Number calls under a dispatch by themselves: one that has ended makes none again."""
        before = self._base, self._number
        self._base, self._number = key, 0
        try:
            yield
        finally:
            self._base, self._number = before

    def _reasoning(self) -> str:
        said = " / ".join((*self.before, self.request.message))
        return f"Asked for in these words: {said}"

    def _next_key(self) -> str:
        self._number += 1
        return str(uuid5(UUID(self._base or self.request.request_id), str(self._number)))


def tool_call(tool: str, arguments: Mapping[str, Any], outcome: Outcome) -> ToolCall:
    """Return a call as the response tells it."""
    return ToolCall(
        tool_name=tool,
        parameters=dict(arguments),
        result=msgspec.to_builtins(outcome),
        success=outcome.ok or (tool == DISPATCH and outcome.status is Status.APPROVED),
    )


NOT_DONE: Mapping[Status, str] = {
    Status.CANCELLED: "Cancelled. Nothing was done.",
    Status.EXPIRED: "Nobody answered in time, so nothing was done. Ask again if you still want it.",
    Status.WITHDRAWN: "Taken back. Nothing was done.",
    Status.BARRED: "This was stopped before it started. Nothing was done.",
    Status.LAPSED: "This was approved, but not done in time. Ask for it again.",
    Status.IN_DOUBT: "This was started, and nobody knows yet whether it was done. Wait for word.",
}
"""Words for a person about an ending without a result; an agent hears what it may do next."""


def told(outcome: Outcome) -> str:
    """Return what became of a call, in words for the person."""
    match outcome.status:
        case Status.PENDING_CONFIRMATION:
            summary = outcome.confirmation.summary if outcome.confirmation else ""
            return f"{_sentence(summary or outcome.message_for_user)} {WAITS}"
        case Status.WAITING | Status.APPROVED:
            return "This is under way. Ask again with the same request to hear how it ended."
        case Status.DENIED:
            return f"This is not allowed: {outcome.reason or outcome.message_for_user}"
        case Status.DONE | Status.ALREADY_PROCESSED:
            return _result(outcome)
        case _:
            said = outcome.message_for_user or outcome.reason or "This did not happen."
            return NOT_DONE.get(outcome.status, said)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def _result(outcome: Outcome) -> str:
    """Return the result once: a list as it is, anything else as the sentence for the person."""
    listed = outcome.formatted
    if "\n" in listed:
        return listed
    return outcome.message_for_user.removeprefix(BEFORE) or listed


def refused(error: RefusedError) -> str:
    """Return a refusal in words for the person."""
    if error.code == "idempotency_key_reused":
        return "This request_id was used for another request. Send this one with a new request_id."
    if error.code == "unknown_tool":
        return "Nothing that is connected here offers this yet."
    if error.text.startswith(CANNOT_RUN):
        return f"{_sentence(error.text.removeprefix(CANNOT_RUN))} Nothing was done."
    return f"This could not be asked for: {error.text}"
