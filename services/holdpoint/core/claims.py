"""A sentence's `action_detail`: the call that it announces, in either of two forms."""

from collections.abc import Callable
from typing import Any

from holdpoint.messages.base import JsonObject

KIND = "type"
"""Names in an action's detail what kind of action it is: a tool, or the domain of one."""

TOOL = "tool"
GIVEN = ("arguments", "args")


def claimed_call(claim: JsonObject) -> tuple[str, JsonObject]:
    """Return its tool, empty if it names none, and its arguments.

    `{"tool": "wire", "arguments": {"to": "ann"}}`, or `{"type": "wire", "to": "ann"}`.
    """
    if is_nested(claim):
        return claim[TOOL], next(claim[name] for name in GIVEN if name in claim)
    named = claim.get(KIND)
    rest = {name: it for name, it in claim.items() if name != KIND}
    return (named if isinstance(named, str) else "", rest)


def call_title(claim: JsonObject, word: Callable[[Any], str]) -> str:
    """Return the call that a claim names: `Wire money (to ann, cents 500)`; empty if none."""
    tool, arguments = claimed_call(claim)
    given = ", ".join(f"{name} {word(it)}" for name, it in arguments.items())
    name = tool.replace("_", " ")
    return name[:1].upper() + name[1:] + (f" ({given})" if given and name else "")


def is_nested(claim: JsonObject) -> bool:
    """Return whether it is a tool with its arguments, and nothing beside them."""
    given = [claim[name] for name in GIVEN if name in claim]
    tool = claim.get(TOOL)
    alone = len(claim) == len(given) + 1
    return isinstance(tool, str) and len(given) == 1 and isinstance(given[0], dict) and alone


def wrong_claim(claim: JsonObject) -> str:
    """Return what is wrong with a claim that names a tool beside its arguments; else nothing."""
    names_both = TOOL in claim and KIND not in claim and any(name in claim for name in GIVEN)
    if not names_both or is_nested(claim):
        return ""
    return (
        "An action's detail with `tool` has its `arguments` (or `args`), one object, and nothing "
        'beside: {"tool": "wire", "arguments": {"to": "ann"}}.'
    )
