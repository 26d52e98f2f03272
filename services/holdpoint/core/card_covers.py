"""Covers for a hold's texts: its secrets hidden, what hides made visible."""

from holdpoint.core.plans import shown_steps
from holdpoint.core.redaction.credential_names import run_in
from holdpoint.core.redaction.display import (
    Cover,
    cover_all,
    credentials_of,
    pointers_of,
    secrets_in,
    texts_in,
    visible,
)
from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import Tool
from holdpoint.messages.hold import Hold


def sampled(hold: Hold) -> tuple[str, ...]:
    """Return what a dry run found, for example."""
    if hold.action is None:
        return ()
    return tuple(str(each) for each in hold.action.preconditions.get("sample", []))


def names_run(hold: Hold) -> frozenset[str]:
    """The names whose values the call runs, in its arguments or in scripts that it runs."""
    return run_in("\n".join((*texts_of(hold), *sampled(hold))))


def texts_of(hold: Hold) -> list[str]:
    """Return every text of the call, or of a plan's steps."""
    if hold.steps:
        return texts_in([step.action.arguments for step in hold.steps])
    return texts_in(hold.action.arguments if hold.action else hold.claim)


def words_of(hold: Hold) -> str:
    """All that the agent says of it: the sentence that announced it, then its reasoning."""
    announced = hold.announced.says if hold.announced else ""
    return "\n\n".join(dict.fromkeys(text for text in (announced, hold.says) if text))


def cover_of(hold: Hold, secrets: tuple[str, ...]) -> Cover:
    """Covers secrets and credentials and makes visible what hides: for every text on a card."""
    hide = cover_all(secrets, names_run(hold))
    return lambda text: visible(hide(text))


def secrets_of(hold: Hold, tool: Tool | None) -> tuple[str, ...]:
    """Return the values that the tool marks as secret, or that are named so."""
    return secrets_in(*arguments_of(hold, tool))


def credentials_alone(hold: Hold) -> tuple[str, ...]:
    """Credentials that stand alone in what was cut out of a text, and in what the agent says."""
    return credentials_of((*texts_of(hold), words_of(hold)), names_run(hold))


def arguments_of(hold: Hold, tool: Tool | None) -> tuple[JsonObject, tuple[str, ...]]:
    """Return the arguments to show, and where secrets lie; in an unknown tool's, everywhere."""
    if hold.steps:
        return shown_steps(hold)
    if hold.action is None:
        return hold.claim, ()
    arguments = hold.action.arguments
    return arguments, tool.secret if tool else pointers_of(arguments)
