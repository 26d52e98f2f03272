"""A line of what is to be assessed: how it is spelled, and what is told of one that cannot be read.

`{"id", "kind", "text" or "payload", "context"}`, with the kinds shell, sql, tool_call, dialogue and
http. Calls and requests may also be given as text.
"""

from enum import StrEnum

import msgspec
from msgspec.structs import replace

from holdpoint.core.risk import spelled_out
from holdpoint.messages.base import JsonObject
from holdpoint.messages.duplicate_names import in_any_way, stands_twice
from holdpoint.policy_lab.call_formats import call_of


class LineKind(StrEnum):
    """Content of a line."""

    SHELL = "shell"
    SQL = "sql"
    TOOL_CALL = "tool_call"
    DIALOGUE = "dialogue"
    HTTP = "http"


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to assess; whatever else stands in the line is ignored."""

    id: str | int
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


class _Named(msgspec.Struct, frozen=True, kw_only=True):
    id: str | int | None = None


def id_in(raw: bytes) -> str | int | None:
    """The id of a line, where at least that can be read."""
    try:
        return msgspec.json.decode(raw, type=_Named).id
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def line_in(raw: bytes) -> Line:
    """Read one line; raises `BadLineError`."""
    try:
        line = msgspec.json.decode(raw, type=Line)
    except RecursionError:
        raise BadLineError("It is nested too deep to be read.") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadLineError(f"{error}. {_EXPECTED}") from None
    _check_names(raw)
    if not (line.text or line.payload):
        raise BadLineError(f"There is nothing to assess. {_EXPECTED}")
    return _known(line)


def line_of(text: str, kind: LineKind, taint: tuple[str, ...] = (), taint_source: str = "") -> Line:
    """The line that a text on a command line stands for; raises `BadLineError`."""
    return _known(Line(id="", kind=kind, text=text, taint=taint, taint_source=taint_source))


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


def _request(text: str) -> JsonObject:
    """`DELETE https://…`, with headers and a body as sent, or JSON; else `BadLineError`."""
    if text.lstrip()[:1] == "{":
        return _decoded(text, _NO_REQUEST)
    sent = spelled_out(text)
    if not sent:
        raise BadLineError(_NO_REQUEST)
    return sent


def _decoded(text: str, otherwise: str) -> JsonObject:
    try:
        found = msgspec.json.decode(text, type=JsonObject)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        raise BadLineError(otherwise) from None
    _check_names(text)
    return found


def _check_names(text: str | bytes) -> None:
    """Refuse a name that appears twice: either value could count."""
    if stands_twice(text, in_any_way):
        raise BadLineError("An object in it names the same key twice.")


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
