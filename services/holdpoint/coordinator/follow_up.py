"""Answers to our own questions: "To which of your accounts?" … "savings".

The conversation so far completes what the person asked for before; it is never a yes.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from holdpoint.coordinator.extraction import extract
from holdpoint.coordinator.intents import Classified, classify, is_doubtful
from holdpoint.coordinator.workflows import Workflow
from holdpoint.messages.request import ConversationMessage, Speaker

FREE_TEXT = frozenset({"title", "new_title", "subject", "task", "transaction"})
"""Parameters that are what the person says, where nothing better is read from it."""

LONGEST_REPLY = 200


class FollowUp(msgspec.Struct, frozen=True, kw_only=True):
    """A request that a reply completes."""

    classified: Classified
    message: str
    """What was asked for first."""

    values: dict[str, Any]
    """What the reply adds."""


def follow_up(
    reply: str,
    history: Sequence[ConversationMessage],
    workflows: Mapping[str, Workflow],
    *,
    keyword_routing: bool,
) -> FollowUp | None:
    """Return what the reply completes; None where nothing was asked, or the reply is in doubt."""
    if len(history) < 2 or is_doubtful(reply):  # noqa: PLR2004  # a request and our question
        return None
    asked_for, question = history[-2:]
    if (asked_for.role, question.role) != (Speaker.USER, Speaker.ASSISTANT):
        return None
    before = classify(asked_for.content, keyword_routing=keyword_routing)
    workflow = workflows.get(before.intent)
    needs = workflow.needs if workflow else {}
    name = next((it for it, text in needs.items() if text == question.content.strip()), None)
    if name is None:
        return None
    value = _value(name, reply)
    values = {} if value is None else {name: value}
    return FollowUp(classified=before, message=asked_for.content, values=values)


def _value(name: str, reply: str) -> Any:
    found = extract(reply, "", ())
    if name in {"from_account", "to_account"}:
        return found.get("account")
    if name in FREE_TEXT:
        return found.get(name) or reply.strip(" .!\"'")[:LONGEST_REPLY] or None
    return found.get(name)
