"""Answers to our own questions: "To which of your accounts?" … "savings".

The conversation so far completes what the person asked for before; it is never a yes.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from holdpoint.coordinator.amounts import currency_in, is_money, names_amount
from holdpoint.coordinator.choices import WHICH_CURRENCY, is_question
from holdpoint.coordinator.extraction import extract
from holdpoint.coordinator.intents import (
    AGENT,
    CLARIFY,
    DELETE_TASK,
    TRANSFER,
    UNKNOWN,
    Classified,
    classify,
    is_assent,
    is_doubtful,
    reports,
    small_talk,
)
from holdpoint.coordinator.workflows import Workflow
from holdpoint.messages.request import ConversationMessage, Speaker

FREE_TEXT = frozenset({"title", "new_title", "subject", "task", "transaction"})
"""Parameters that are what the person says, where nothing better is read from it."""

CONTENT = frozenset({"title", "new_title", "subject"})
"""Those of them that may be any sentence."""

ACCOUNTS = frozenset({"account", "from_account", "to_account"})
CURRENCY = "currency"
LONGEST_REPLY = 200
MOST_WORDS = 6
"""Words of a reply that names something."""


class FollowUp(msgspec.Struct, frozen=True, kw_only=True):
    """A request that a reply completes."""

    classified: Classified
    request: str
    """The turn that says what is to be done."""

    turns: tuple[str, ...] = ()
    """Every earlier turn, the first one first."""

    values: dict[str, Any]
    """Values that the request itself does not say."""

    sources: dict[str, str]
    """The turn that each parameter is taken from."""

    about: str = ""
    """The parameter that was asked for."""

    @property
    def words(self) -> tuple[str, ...]:
        """Return the earlier turns from which something is taken."""
        return tuple(it for it in self.turns if it in {self.request, *self.sources.values()})


def follow_up(
    reply: str,
    history: Sequence[ConversationMessage],
    workflows: Mapping[str, Workflow],
    *,
    keyword_routing: bool,
) -> FollowUp | None:
    """Return what the reply completes; None where nothing was asked, the reply is in doubt, or
    says everything itself.

    Several questions in a row complete the request that was first.
    """
    if len(history) < 2 or is_doubtful(reply):  # noqa: PLR2004  # a request and our question
        return None
    *before, asked_for, question = history
    is_talk = small_talk(reply) is not None and not is_assent(reply)
    if is_talk or (asked_for.role, question.role) != (Speaker.USER, Speaker.ASSISTANT):
        return None
    above = follow_up(asked_for.content, before, workflows, keyword_routing=keyword_routing)
    if above is None:
        found = classify(asked_for.content, keyword_routing=keyword_routing)
        above = _first(found, asked_for.content, workflows)
    workflow = workflows.get(above.classified.intent)
    if workflow is None or not (name := _asked_about(workflow, question.content.strip())):
        return None
    if above.classified.intent in {DELETE_TASK, TRANSFER} and reports(reply):
        return None
    above = replace(above, turns=(*above.turns, asked_for.content), about=name)
    own = classify(reply, keyword_routing=keyword_routing)
    if own.intent == above.classified.intent and not own.by_name:
        return _said_again(above, workflow, reply)
    return _with(above, reply, _taken(workflow, name, reply))


def _first(found: Classified, request: str, workflows: Mapping[str, Workflow]) -> FollowUp:
    workflow = workflows.get(found.intent)
    said = _parameters(workflow, request) if workflow else {}
    sources = dict.fromkeys(said, request)
    return FollowUp(classified=found, request=request, values={}, sources=sources)


def _with(above: FollowUp, reply: str, values: dict[str, Any]) -> FollowUp:
    sources = {**above.sources, **dict.fromkeys(values, reply)}
    return replace(above, values={**above.values, **values}, sources=sources)


def _said_again(above: FollowUp, workflow: Workflow, reply: str) -> FollowUp | None:
    """Take from earlier turns what the repeated request lacks; None where it lacks nothing."""
    said = _parameters(workflow, reply)
    if workflow.needs.keys() <= said.keys():
        return None
    whole = _with(above, reply, _taken(workflow, above.about, reply) | said)
    known = {**_parameters(workflow, above.request), **whole.values}
    values = {name: it for name, it in known.items() if name not in said}
    if names_amount(reply):
        values.pop("amount", None)  # it names one of its own, which could not be read
    return replace(whole, request=reply, values=values)


def _parameters(workflow: Workflow, text: str) -> dict[str, Any]:
    """Return what a sentence says of what its workflow takes."""
    picks = {step.pick.said.removeprefix("$") for step in workflow.steps if step.pick}
    said = extract(text, "", ())
    return {name: said[name] for name in (*workflow.needs, *sorted(picks)) if name in said}


def _taken(workflow: Workflow, name: str, reply: str) -> dict[str, Any]:
    """Return what a reply adds; a number by itself is an amount only where that was asked for."""
    value = None if is_assent(reply) else _value(name, reply)
    found = {it: read for it in workflow.needs if (read := _read(it, reply)) is not None}
    if name != "amount" and not is_money(found.get("amount")):
        found.pop("amount", None)
    return found if value is None else {**found, name: value}


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
    if any(it.currency for it in workflow.steps) and question.startswith(WHICH_CURRENCY):
        return CURRENCY
    needed = (it for it, text in workflow.needs.items() if question.endswith(text))
    picks = (step.pick for step in workflow.steps if step.pick)
    chosen = (it.said.removeprefix("$") for it in picks if is_question(it, question))
    return next(needed, None) or next(chosen, None)


def _value(name: str, reply: str) -> Any:
    """Return what a reply says to a question; the reply itself where any name is one."""
    found = extract(reply, "", ()).get(name) if name in FREE_TEXT else _read(name, reply)
    return found or (_plain(reply) if name in FREE_TEXT or name in ACCOUNTS else None)


def _read(name: str, reply: str) -> Any:
    """Return what a reply says of a parameter beyond doubt; None of free text."""
    if name == CURRENCY:
        return currency_in(reply)
    known = "account" if name in ACCOUNTS else name
    return None if name in FREE_TEXT else extract(reply, "", ()).get(known)


def _plain(reply: str) -> str | None:
    return reply.strip(" .!\"'")[:LONGEST_REPLY] or None
