"""A tool call as MCP, the providers of models and the frameworks of agents spell it."""

import re
from collections.abc import Iterable, Iterator

import msgspec

from holdpoint.messages.base import JsonObject

MAX_AROUND = 16
"""Messages and wrappers around one call; what lies deeper names no tool, and is refused."""


def call_of(payload: JsonObject, left: int = MAX_AROUND) -> tuple[str, JsonObject]:
    """A call's tool, empty if it names none, and its arguments, in any spelling that is in use.

    `{"tool", "args"}`, or what is said in its place; a message with one call is that call, one with
    several is a call that holds them. What stands beside the two counts as arguments: it can only
    raise.
    """
    tool, arguments = payload.get("tool"), payload.get("args")
    if isinstance(tool, str) and tool.strip() and isinstance(arguments, dict) and len(payload) == 2:  # noqa: PLR2004  # nothing beside the two
        return tool, arguments
    inner = next((it for key in _AROUND if isinstance(it := payload.get(key), dict)), None)
    named = _named(payload, _TOOL) or _stepped(payload)
    if left and not named and inner is not None and _named(inner, _TOOL):
        return call_of(inner, left - 1)
    return _as_named(payload, named) if named else _in_message(payload, left)


def _as_named(payload: JsonObject, named: str) -> tuple[str, JsonObject]:
    keys = ("action",) if named == "type" else _ARGUMENTS
    given = next((key for key in keys if isinstance(_opened(payload.get(key)), dict)), "")
    if not given:
        given = next((key for key in ("args", *_TYPED) if key in payload), "args")
    arguments = _opened(payload.get(given))
    inside = arguments if isinstance(arguments, dict) else {_PLAIN.get(given, given): arguments}
    inside = inside if given in payload else {}
    told = {named, given} | (_slip(payload) if given in payload else set())
    beside = {key: value for key, value in payload.items() if key not in told}
    return str(payload[named]), inside | beside


def _stepped(payload: JsonObject) -> str:
    """The key of a deed that is named beside what goes into it; elsewhere `action` is an argument.

    `{"action": "search", "action_input": …}`, `{"type": "shell_call", "action": {…}}`.
    """
    if "action_input" in payload:
        return _named(payload, ("action",))
    typed = str(payload.get("type", "")).endswith("_call")
    return "type" if typed and isinstance(payload.get("action"), dict) else ""


def _slip(payload: JsonObject) -> set[str]:
    """The keys that only say which call it is, as a provider of models writes them."""
    kinds = {"type"} if payload.get("type") in _KINDS else set()
    return kinds | {
        key
        for key in _IDS
        if isinstance(value := payload.get(key), str) and _made_up.fullmatch(value)
    }


def _in_message(payload: JsonObject, left: int) -> tuple[str, JsonObject]:
    """The one call in a message, or all of them; none where one of those announced has no name."""
    announced = [call_of(one, left - 1) for one in _held(payload, _CALLS) if left]
    around = [call_of(one, left - 1) for one in _held(payload, _MESSAGES) if left]
    if not all(tool for tool, _ in announced):
        return "", payload
    found = [*announced, *(call for call in around if call[0])]
    if len(found) < 2:  # noqa: PLR2004  # one alone is the call itself
        return found[0] if found else ("", payload)
    return _SEVERAL, {"tool_calls": [{"tool": tool, "args": args} for tool, args in found]}


def _held(payload: JsonObject, keys: Iterable[str]) -> Iterator[JsonObject]:
    for key in keys:
        value = payload.get(key)
        each = value if isinstance(value, list) else [value]
        yield from (one for one in each if isinstance(one, dict))


def _named(payload: JsonObject, keys: Iterable[str]) -> str:
    """Under which of some keys a payload holds a name; blanks are none."""
    return next((key for key in keys if isinstance(it := payload.get(key), str) and it.strip()), "")


def _opened(value: object) -> object:
    """Arguments that a model's provider sends as a string are the object inside."""
    if not isinstance(value, str) or value.lstrip()[:1] != "{":
        return value
    try:
        return msgspec.json.decode(value)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return value


_TOOL = ("tool", "name", "tool_name", "function", "recipient_name", "function_name")
_ARGUMENTS = (
    "args", "arguments", "input", "parameters", "params", "tool_input", "action_input",
    "tool_kwargs", "kwargs",
)  # fmt: skip
_TYPED = ("action_input", "tool_input")
_PLAIN = {"action_input": "input", "tool_input": "input"}
"""What is given to a tool as one text."""

_AROUND = ("function", "functionCall", "function_call", "toolUse", "tool_call", "params")
"""What a provider of models, or MCP, puts around a call."""

_CALLS = ("tool_calls", "toolCalls", "tool_uses", "functionCalls", "function_calls")
_MESSAGES = ("content", "parts", "message", "messages", "choices", "candidates", "output", "delta")
_SEVERAL = "tool_calls"
_KINDS = frozenset({"tool_use", "tool_call", "function", "function_call"})
_IDS = ("id", "call_id", "tool_use_id", "toolUseId", "tool_call_id")
_made_up = re.compile(r"(?:toolu|tooluse|call|fc|chatcmpl-tool)_[A-Za-z0-9_-]{1,64}")
