"""Dry runs, by flags that the tool's own schema declares, and calls that change nothing."""

from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Any

from holdpoint.core.risk.context import Context
from holdpoint.core.risk.extract.arguments import Payload, payload
from holdpoint.core.risk.extract.payload import MAX_VALUES, knows
from holdpoint.core.risk.extract.recipients import reached
from holdpoint.core.risk.http.analyzer import read_object
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.programs import Programs
from holdpoint.core.risk.tools.instructions import Order, may_ask, only_reads
from holdpoint.core.risk.tools.names import tool_name
from holdpoint.core.risk.tools.nested import Inner
from holdpoint.core.risk.wording import Kind, bare_key
from holdpoint.core.risk.words import word_set
from holdpoint.messages.action import Action
from holdpoint.messages.catalog import Tool
from holdpoint.messages.risk import Heuristic, Signal

_REHEARSES = words("words/tools:dry_runs.rehearses")

_DOES = word_set("commit execute apply")
"""Flags without which nothing is done."""

_SENDS = words("words/tools:dry_runs.sends")

_LESS = ("no", "not", "skip", "disable", "without", "bypass", "ignore", "never")
"""What turns the name of such a flag around: `no_dry_run`, `skip_preview`."""

_MODES = word_set("dryrun simulate simulation preview validate plan rehearsal whatif test")
_FLAGS = _REHEARSES | _DOES | {"mode"}
_FIRST = frozenset(flag[:2] for flag in _FLAGS)
"""How such a flag begins, which most arguments do not."""

MAX_KEY = 40
_YES = frozenset({"true", "yes", "1", "all", "server", "on"})
_NO = frozenset({"false", "no", "0", "none", "off"})


def rehearses(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> bool:
    """Only a flag that the schema declares counts: any other the tool may never look at.

    Of two that contradict each other the graver one counts, whoever declares it.
    """
    known = schema.get("properties")
    if not isinstance(known, dict):
        return False
    may = [key for key in arguments if key[:2].lower() in _FIRST]
    if not any(
        _holds_back(bare_key(key), arguments[key])
        for key in may
        if len(key) <= MAX_KEY and key in known
    ):
        return False
    beside = (one.items() for one in arguments.values() if isinstance(one, Mapping))
    return not any(
        _lets_go(bare_key(key), value) for key, value in chain(arguments.items(), *beside)
    )


def may_rehearse(key: str) -> bool:
    """Return whether an argument of this name may say that nothing is done."""
    return bare_key(key) in _FLAGS


def _holds_back(bare: str, value: Any) -> bool:
    if bare not in _FLAGS:
        return False
    said = bare_key(value) if isinstance(value, str) else ""
    if bare in _REHEARSES:
        return value is True or said in _YES
    return (bare in _DOES and value is False) or (bare == "mode" and said in _MODES)


def _lets_go(bare: str, value: Any) -> bool:
    """`dryRun: false`, `apply: true`: what a flag says that it is done."""
    said = bare_key(value) if isinstance(value, str) else ""
    if bare in _REHEARSES:
        return value is False or value == 0 or said in _NO
    orders = bare in _DOES | _SENDS or (bare.startswith(_LESS) and _is_turned(bare))
    return orders and (value is True or value == 1 or said in _YES)


def _is_turned(bare: str) -> bool:
    return any(bare.removeprefix(less) in _REHEARSES for less in _LESS)


def is_rehearsed(action: Action, context: Context) -> bool:
    """By a flag that the tool knows."""
    if context.tool is None:
        return False
    return rehearses(action.arguments, context.tool.schema) or is_draft(action, context.tool)


def is_draft(action: Action, tool: Tool) -> bool:
    """Return whether what it makes is only a draft: `draft: true`, `status: draft`, `send: false`.

    Only of tools that make something, by an argument that the schema declares; one that sends or
    applies it beats it.
    """
    known = tool.schema.get("properties")
    verb = tool_name(action.tool).verb
    if not isinstance(known, dict) or verb is None or verb.kind is not Kind.CREATE:
        return False
    drafted = any(
        _drafts(bare_key(key), value)
        for key, value in islice(action.arguments.items(), MAX_VALUES)
        if len(key) <= MAX_KEY and key in known
    )
    return drafted and not any(_lets_go(bare_key(key), value) for key, value in _near(action))


def _near(action: Action) -> Iterator[tuple[str, Any]]:
    """The arguments, and those of the objects among them."""
    for key, value in islice(action.arguments.items(), MAX_VALUES):
        yield key, value
        if isinstance(value, Mapping):
            yield from islice(value.items(), MAX_VALUES)


def _drafts(bare: str, value: Any) -> bool:
    said = bare_key(value) if isinstance(value, str) else ""
    if bare in _DRAFTS:
        return value is True or said in _YES
    if bare in _LEAVES_OUT:
        return value is False or said == "false"
    return bare in _STATES and said == "draft"


_DRAFTS = word_set("draft isdraft asdraft saveasdraft draftonly")
_LEAVES_OUT = word_set("send sendnow sendemail publish publishnow submit")
_STATES = word_set("status state mode")


def is_told_to_read(
    action: Action,
    context: Context,
    found: Payload,
    within: tuple[tuple[Inner, ...], tuple[Order, ...]],
) -> bool:
    """By what it is told to do, or by calls within it; the tool must know all its arguments."""
    inner, orders = within
    if orders or tool_name(action.tool).verb:
        return False
    schema = context.tool.schema if context.tool else {}
    told = inner or may_ask(" ".join(action.arguments))
    if not (told and knows(action.arguments, schema)) or _speaks(action.tool, found):
        return False
    return only_reads(found.leaves) or _passes_on(action, inner)


def _speaks(tool: str, found: Payload) -> bool:
    """Whether it says something to many, which no read does: `bulk_sms` with a text for all."""
    if all(leaf.key.lower() not in _SAID for leaf in found.leaves):
        return False
    return next(reached(frozenset(tool_name(tool).words), found.leaves), "") != ""


_SAID = word_set("body text message content subject html msg")
"""Keys under which stands what people are to read."""


def grave_in_a_read(signals: tuple[Signal, ...]) -> tuple[Signal, ...]:
    """Return what is grave though it is told to read: anything but how much that is."""
    return tuple(one for one in signals if one.heuristic is not Heuristic.MAGNITUDE)


def _passes_on(action: Action, inner: tuple[Inner, ...]) -> bool:
    """Return whether there is nothing in it but calls that read."""
    if not inner:
        return False
    beside = {key: one for key, one in action.arguments.items() if not isinstance(one, dict | list)}
    if len(action.arguments) - len(beside) != 1:
        return False
    more = payload(beside, action.tool)
    plain = not (more.amounts or more.tallies or more.everything)
    return plain and all(tool_name(one.tool).reads for one in inner)


def only_asks(action: Action, context: Context, ran: Programs) -> bool:
    """A request that only reads, by a tool whose name says no more than that it sends one."""
    schema = context.tool.schema if context.tool else {}
    if not (ran.read and ran.reads_only) or tool_name(action.tool).verb:
        return False
    inside = tuple(action.arguments.values())
    sent = inside[0] if len(inside) == 1 and isinstance(inside[0], dict) else action.arguments
    asked = read_object(sent)
    return bool(asked and asked.reads_only and knows(action.arguments, schema))
