"""A line of what is to be assessed: how it is spelled, and what is told of one that cannot be read.

`{"id", "kind", "text" or "payload", "context"}`, with the kinds shell, sql, tool_call, dialogue and
http. Calls and requests may also be given as text.
"""

from collections.abc import Iterable
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from holdpoint.core.risk.http.door import READING, WRITING
from holdpoint.messages.base import JsonObject


class LineKind(StrEnum):
    """What a line holds."""

    SHELL = "shell"
    SQL = "sql"
    TOOL_CALL = "tool_call"
    DIALOGUE = "dialogue"
    HTTP = "http"


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to assess; whatever else stands in the line is ignored."""

    id: str
    kind: LineKind
    text: str = ""
    payload: JsonObject = {}
    context: JsonObject | None = None
    taint: tuple[str, ...] = ()
    """JSON pointers of a call's arguments that came from untrusted content."""

    taint_source: str = ""
    """What that content was."""


class BadLineError(ValueError):
    """The line is not what `holdpoint assess` reads; the text says what to change."""


def line_in(raw: bytes) -> Line:
    """Read one line; raises `BadLineError`."""
    try:
        line = msgspec.json.decode(raw, type=Line)
    except RecursionError:
        raise BadLineError("It is nested too deep to be read.") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadLineError(f"{error}. {_EXPECTED}") from None
    if not (line.text or line.payload):
        raise BadLineError(f"There is nothing to assess. {_EXPECTED}")
    return _known(line)


def line_of(text: str, kind: LineKind) -> Line:
    """The line that a text on a command line stands for; raises `BadLineError`."""
    return _known(Line(id="", kind=kind, text=text))


def _known(line: Line) -> Line:
    """The line with the call or the request that its text spells; a call names its tool."""
    if line.payload and line.kind not in {LineKind.TOOL_CALL, LineKind.HTTP}:
        raise BadLineError(f"What a {line.kind} line holds stands in its `text`. {_EXPECTED}")
    payload = line.payload or _sent(line.text, line.kind)
    if line.kind is LineKind.TOOL_CALL and not call_of(payload)[0]:
        raise BadLineError(_NO_CALL)
    return replace(line, payload=payload)


def _sent(text: str, kind: LineKind) -> JsonObject:
    """The call or the request that a text spells; a command, a statement or a sentence is none."""
    match kind:
        case LineKind.TOOL_CALL:
            return _decoded(text, _NO_CALL)
        case LineKind.HTTP:
            return _request(text)
        case _:
            return {}


def call_of(payload: JsonObject) -> tuple[str, JsonObject]:
    """A call's tool, empty if it names none, and its arguments, in any spelling that is in use.

    `{"tool", "args"}`, or as MCP and the providers of models write it. What stands beside the two
    counts as arguments: it can only raise.
    """
    inner = next((it for key in _AROUND if isinstance(it := payload.get(key), dict)), None)
    if inner is not None and _named(inner, _TOOL) and not _named(payload, ("tool",)):
        return call_of(inner)
    named = _named(payload, _TOOL)
    given = next((key for key in _ARGUMENTS if isinstance(_opened(payload.get(key)), dict)), "args")
    arguments = _opened(payload.get(given))
    inside = arguments if isinstance(arguments, dict) else {given: arguments}
    beside = {key: value for key, value in payload.items() if key not in {named, given}}
    return str(payload.get(named, "")), inside | beside


def _named(payload: JsonObject, keys: Iterable[str]) -> str:
    """Under which of some keys a payload holds a name."""
    return next((key for key in keys if payload.get(key) and isinstance(payload[key], str)), "")


def _opened(value: object) -> object:
    """Arguments that a model's provider sends as a string are the object inside."""
    if not isinstance(value, str) or value.lstrip()[:1] != "{":
        return value
    try:
        return msgspec.json.decode(value)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return value


def _request(text: str) -> JsonObject:
    """`DELETE https://…`, with headers and a body as sent, or JSON; else `BadLineError`."""
    if text.lstrip()[:1] == "{":
        return _decoded(text, _NO_REQUEST)
    head, _, body = text.strip().replace("\r\n", "\n").partition("\n\n")
    line, *rest = head.split("\n")
    method, _, address = line.strip().partition(" ")
    url = address.removesuffix(f" {address.rpartition(' ')[2]}") if " HTTP/" in address else address
    if method.upper() not in READING | WRITING or not url or " " in url:
        raise BadLineError(_NO_REQUEST)
    named = (one.partition(":") for one in rest)
    headers = {name.strip(): value.strip() for name, _, value in named}
    return {"method": method, "url": url, "headers": headers, "body": body}


def _decoded(text: str, otherwise: str) -> JsonObject:
    try:
        return msgspec.json.decode(text, type=JsonObject)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        raise BadLineError(otherwise) from None


_TOOL = ("tool", "name", "tool_name", "function")
_ARGUMENTS = ("args", "arguments", "input", "parameters", "params", "tool_input")
_AROUND = ("function", "functionCall", "function_call", "toolUse", "params")
"""What a provider of models, or MCP, puts around a call."""


_EXPECTED = (
    'A line looks like {"id": "1", "kind": "shell", "text": "rm -r build"}; kinds are '
    + ", ".join(LineKind)
    + "; tool_call and http have a `payload` object in place of `text`."
)
_NO_CALL = 'A tool call is one JSON object, such as {"tool": "send_mail", "args": {"to": "ann"}}.'
_NO_REQUEST = (
    'A request is one JSON object, {"method": "DELETE", "url": "https://a.example/users/7"}, or a '
    "line such as DELETE https://a.example/users/7. A command line such as curl's is of the kind "
    "shell."
)
