"""Answers to our own questions: "To which of your accounts?" … "savings".

The conversation so far completes what the person asked for before; it is never a yes.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from holdpoint.coordinator.choices import is_question
from holdpoint.coordinator.extraction import extract
from holdpoint.coordinator.intents import (
    AGENT,
    CLARIFY,
    UNKNOWN,
    Classified,
    classify,
    is_assent,
    is_doubtful,
    small_talk,
)
from holdpoint.coordinator.workflows import Workflow
from holdpoint.messages.request import ConversationMessage, Speaker

FREE_TEXT = frozenset({"title", "new_title", "subject", "task", "transaction"})
"""Parameters that are what the person says, where nothing better is read from it."""

CONTENT = frozenset({"title", "new_title", "subject"})
"""Those of them that may be any sentence."""

ACCOUNTS = frozenset({"account", "from_account", "to_account"})
LONGEST_REPLY = 200
MOST_WORDS = 6
"""Words of a reply that names something."""


class FollowUp(msgspec.Struct, frozen=True, kw_only=True):
    """A request that a reply completes."""

    classified: Classified
    words: tuple[str, ...]
    """Return the person's earlier words, the request first."""

    values: dict[str, Any]
    """What the reply adds."""

    about: str = ""
    """The parameter that was asked for."""


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
    if small_talk(reply) is not None and not is_assent(reply):
        return None
    *before, asked_for, question = history
    if (asked_for.role, question.role) != (Speaker.USER, Speaker.ASSISTANT):
        return None
    above = follow_up(asked_for.content, before, workflows, keyword_routing=keyword_routing)
    if above is None:
        found = classify(asked_for.content, keyword_routing=keyword_routing)
        above = FollowUp(classified=found, words=(), values={})
    workflow = workflows.get(above.classified.intent)
    if workflow is None or not (name := _asked_about(workflow, question.content.strip())):
        return None
    value = None if is_assent(reply) else _value(name, reply)
    others = {it: found for it in workflow.needs if (found := _read(it, reply)) is not None}
    values = {**above.values, **others} | ({} if value is None else {name: value})
    words = (*above.words, asked_for.content)
    return FollowUp(classified=above.classified, words=words, values=values, about=name)


def is_reply(found: Classified, reply: FollowUp, message: str) -> bool:
    """Return whether a message answers our question, rather than ask for something new."""
    if found.intent == reply.classified.intent or found.by_name:
        return True
    if reply.about in CONTENT or _read(reply.about, message) is not None:
        return found.intent in {UNKNOWN, CLARIFY, AGENT}
    is_name = not found.why and len(message.split()) <= MOST_WORDS
    return found.intent == UNKNOWN and (is_name or is_assent(message))


def _asked_about(workflow: Workflow, question: str) -> str | None:
    """Return the parameter that our question is about: a missing one, or one of several rows."""
    needed = (it for it, text in workflow.needs.items() if text == question)
    picks = (step.pick for step in workflow.steps if step.pick)
    chosen = (it.said.removeprefix("$") for it in picks if is_question(it, question))
    return next(needed, None) or next(chosen, None)


def _value(name: str, reply: str) -> Any:
    """Return what a reply says to a question; the reply itself where any name is one."""
    found = extract(reply, "", ()).get(name) if name in FREE_TEXT else _read(name, reply)
    return found or (_plain(reply) if name in FREE_TEXT or name in ACCOUNTS else None)


def _read(name: str, reply: str) -> Any:
    """Return what a reply says of a parameter beyond doubt; None of free text."""
    known = "account" if name in ACCOUNTS else name
    return None if name in FREE_TEXT else extract(reply, "", ()).get(known)


def _plain(reply: str) -> str | None:
    return reply.strip(" .!\"'")[:LONGEST_REPLY] or None
