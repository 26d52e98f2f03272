"""Answers to our own questions: "To which of your accounts?" … "savings".

The conversation so far completes what the person asked for before; it is never a yes.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from holdpoint.coordinator.choices import is_question
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
    words: tuple[str, ...]
    """What the person said before, the request first."""

    values: dict[str, Any]
    """What the reply adds."""


def follow_up(
    reply: str,
    history: Sequence[ConversationMessage],
    workflows: Mapping[str, Workflow],
    *,
    keyword_routing: bool,
) -> FollowUp | None:
    """Return what the reply completes; None where nothing was asked, or the reply is in doubt.

    Several questions in a row complete the request that was first.
    """
    if len(history) < 2 or is_doubtful(reply):  # noqa: PLR2004  # a request and our question
        return None
    *before, asked_for, question = history
    if (asked_for.role, question.role) != (Speaker.USER, Speaker.ASSISTANT):
        return None
    above = follow_up(asked_for.content, before, workflows, keyword_routing=keyword_routing)
    if above is None:
        found = classify(asked_for.content, keyword_routing=keyword_routing)
        above = FollowUp(classified=found, words=(), values={})
    workflow = workflows.get(above.classified.intent)
    name = _asked_about(workflow, question.content.strip()) if workflow else None
    if name is None:
        return None
    value = _value(name, reply)
    values = above.values if value is None else {**above.values, name: value}
    words = (*above.words, asked_for.content)
    return FollowUp(classified=above.classified, words=words, values=values)


def _asked_about(workflow: Workflow, question: str) -> str | None:
    """Return the parameter that our question is about: a missing one, or one of several rows."""
    needed = (it for it, text in workflow.needs.items() if text == question)
    picks = (step.pick for step in workflow.steps if step.pick)
    chosen = (it.said.removeprefix("$") for it in picks if is_question(it, question))
    return next(needed, None) or next(chosen, None)


def _value(name: str, reply: str) -> Any:
    found = extract(reply, "", ())
    if name in {"from_account", "to_account", "account"}:
        return found.get("account") or _plain(reply)
    if name in FREE_TEXT:
        return found.get(name) or _plain(reply)
    return found.get(name)


def _plain(reply: str) -> str | None:
    return reply.strip(" .!\"'")[:LONGEST_REPLY] or None
