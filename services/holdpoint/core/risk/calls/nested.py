"""Calls that stand in a call's arguments: `call_tool`, batches, workflows, `tools/call`, code."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

import msgspec

from holdpoint.core.risk.calls.coded import Called, called_in
from holdpoint.core.risk.calls.leaf import MAX_VALUES, Leaf
from holdpoint.core.risk.calls.names import Name, tool_name
from holdpoint.core.risk.calls.opened import opened
from holdpoint.core.risk.calls.orders import Order, bare_key
from holdpoint.core.risk.calls.views import lays_out
from holdpoint.core.risk.knowledge import ordered_words, words
from holdpoint.core.risk.remembered import remembered
from holdpoint.core.risk.wording import Kind, Verb
from holdpoint.messages.base import JsonObject

MAX_KEYS = MAX_VALUES + 1
"""Keys of an object in which a call is looked for: as many as are walked."""

_TOOLS = words("words/tools:nested.tools")

_NAMES = ordered_words("words/tools:nested.names")  # fmt: skip
_ARGUMENTS = ordered_words("words/tools:nested.arguments")  # fmt: skip
_HOLDING = _TOOLS.union(_ARGUMENTS)
_ORDER = tuple(Kind)


class Inner(msgspec.Struct, frozen=True, kw_only=True):
    """A call inside another."""

    tool: str
    arguments: JsonObject
    ordered: bool = False
    """Whether it is the call around it, as an argument there orders it: then it is no read."""

    unread: bool = False
    """Whether there was too much to read what it is given."""


def calls_in(tool: str, objects: tuple[Mapping[str, Any], ...]) -> tuple[Inner, ...]:
    """Each object that names a tool and holds its arguments, and each call in code."""
    named = (inner for one in objects if (inner := _call(one)))
    return (*named, *(_of_code(call) for one in objects for call in called_in(tool, one)))


def _of_code(call: Called) -> Inner:
    return Inner(tool=call.tool, arguments=call.arguments, unread=call.unread)


def _call(held: Mapping[str, Any]) -> Inner | None:
    if not _may_call(" ".join(map(str, islice(held, MAX_KEYS)))):
        return None
    known = {bare_key(str(key)): value for key, value in islice(held.items(), MAX_KEYS)}
    name = next((known[key] for key in _NAMES if isinstance(known.get(key), str)), "")
    inside = (opened(known[key]) for key in _ARGUMENTS if key in known)
    arguments = next((one for one in inside if isinstance(one, dict)), None)
    if arguments is None and not _TOOLS.isdisjoint(known):
        more = {key: value for key, value in held.items() if bare_key(str(key)) not in _TOOLS}
        arguments = more or None
    named = len(name.split()) == 1
    return Inner(tool=name, arguments=arguments) if named and arguments is not None else None


@remembered(1024)
def _may_call(keys: str) -> bool:
    """A first look, for all keys at once: most objects hold no call."""
    return not _HOLDING.isdisjoint(bare_key(keys).split())


def gravest_verb(
    outer: str,
    leaves: tuple[Leaf, ...],
    calls: tuple[Inner, ...],
    orders: tuple[Order, ...] = (),
) -> tuple[str, Verb | None]:
    """What the call does: the gravest of what its name, those inside it and its orders say.

    And what says so; the name of the call itself first.
    """
    own = _own_verb(tool_name(outer), leaves)
    if not (calls or orders):
        return outer, own
    names = (
        (outer, own),
        *((one.tool, tool_name(one.tool).verb) for one in calls),
        *((one.said, one.name.verb) for one in orders),
    )
    known = ((said, verb) for said, verb in names if verb)
    return max(known, key=lambda one: _ORDER.index(one[1].kind), default=("", None))


def _own_verb(name: Name, leaves: tuple[Leaf, ...]) -> Verb | None:
    """What its name says; a text that is formatted is still there."""
    verb = name.verb
    if verb and verb.base == "format" and verb.kind is Kind.DELETE and lays_out(name.words, leaves):
        return msgspec.structs.replace(verb, kind=Kind.UPDATE)
    return verb
