"""`holdpoint assess`: how risky is this? Offline, by the policy in the configuration; no broker.

One JSON object per line: `{"id", "kind", "text" or "payload", "context"}`, with the kinds shell,
sql, tool_call, dialogue and http.
"""

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import BinaryIO, assert_never

import msgspec
from msgspec.structs import replace

from holdpoint.core.risk.assess import assess
from holdpoint.core.risk.calls.names import tool_name
from holdpoint.core.risk.context import Context, Sentence
from holdpoint.core.risk.http.door import READING, WRITING
from holdpoint.core.risk.patterns import make_ready
from holdpoint.messages.action import Action
from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import Tool
from holdpoint.messages.policy import Policy
from holdpoint.messages.risk import Assessment, RiskLevel, Signal

READ_LEVEL = 1
CREATE_LEVEL = 2
"""What is judged here stands in no catalog: it counts as creating unless its name only reads, so
that its words, counts and amounts decide."""

_encoder = msgspec.json.Encoder()


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


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a line."""

    id: str
    risk_level: RiskLevel
    signals: tuple[Signal, ...]


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """A line that cannot be read: its number, and what to change."""

    line: int
    error: str


class BadLineError(ValueError):
    """The line is not what `holdpoint assess` reads; the text says what to change."""


def run(lines: Iterable[bytes], policy: Policy, out: BinaryIO) -> int:
    """Assess each line; the exit code is 1 when one could not be read."""
    return answer_each(lines, lambda raw: assess_line(raw, policy), out)


def answer_each(lines: Iterable[bytes], answered: Callable[[bytes], bytes], out: BinaryIO) -> int:
    """Answer each line; the exit code is 1 when one could not be read."""
    code = 0
    for number, raw in enumerate(lines, start=1):
        if not raw.strip():
            continue
        try:
            answer = answered(raw)
        except BadLineError as error:
            answer = _encoder.encode(Failure(line=number, error=str(error)))
            code = 1
        out.write(answer + b"\n")
    return code


def assess_line(raw: bytes, policy: Policy) -> bytes:
    """One line of JSON in, one out."""
    line = line_in(raw)
    found = judged(line, policy)
    answer = Answer(id=line.id, risk_level=found.level, signals=found.signals)
    return _encoder.encode(answer)


def line_in(raw: bytes) -> Line:
    """Read one line; raises `BadLineError`."""
    try:
        line = msgspec.json.decode(raw, type=Line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadLineError(f"{error}. {_EXPECTED}") from None
    if not (line.text or line.payload):
        raise BadLineError(f"There is nothing to assess. {_EXPECTED}")
    if line.kind is LineKind.HTTP and not line.payload:
        return replace(line, payload=request_of(line.text))
    return line


def assess_text(text: str, kind: LineKind, policy: Policy) -> Assessment:
    """`holdpoint assess TEXT`; raises `BadLineError` for a request that cannot be read.

    For one text an automaton is not worth the seconds that it takes to make.
    """
    make_ready(policy.patterns)
    return judged(Line(id="", kind=kind, text=text), policy)


def judged(line: Line, policy: Policy) -> Assessment:
    """Assess one line by its kind."""
    return assess(*subject_of(line), policy)


def subject_of(line: Line) -> tuple[Action | Sentence, Context]:
    """What a line is about, as the gate would see it, and what is known around it."""
    subject, context = _subject_of(line, line.context or {})
    return subject, replace(context, taint=line.taint, taint_source=line.taint_source)


def _subject_of(line: Line, facts: JsonObject) -> tuple[Action | Sentence, Context]:
    match line.kind:
        case LineKind.DIALOGUE:
            return Sentence(text=line.text), Context(facts=facts)
        case LineKind.SHELL:
            return _called("shell.run", {"command": line.text}, facts, CREATE_LEVEL)
        case LineKind.SQL:
            return _called("database.execute", {"sql": line.text}, facts, CREATE_LEVEL)
        case LineKind.TOOL_CALL:
            return _tool_call(line.payload or {"text": line.text}, facts)
        case LineKind.HTTP:
            sent = request_of(line.text) if line.text and not line.payload else line.payload
            return _http(sent, facts)
        case _:
            assert_never(line.kind)


def _tool_call(payload: JsonObject, facts: JsonObject) -> tuple[Action, Context]:
    """`{"tool", "args"}`, `args` by any usual name; what stands beside them counts as arguments."""
    named = next((key for key in _ARGUMENTS if isinstance(payload.get(key), dict)), "args")
    beside = {key: value for key, value in payload.items() if key not in {"tool", named}}
    arguments = payload.get(named)
    inside = arguments if isinstance(arguments, dict) else {named: arguments}
    tool = str(payload.get("tool", ""))
    return _called(tool, inside | beside, facts, _level(tool))


_ARGUMENTS = ("args", "arguments", "input", "parameters", "params")


def _http(payload: JsonObject, facts: JsonObject) -> tuple[Action, Context]:
    """`{"method", "url", …}`: what the method does to what the path names."""
    method = str(payload.get("method", "")).upper()
    level = READ_LEVEL if method in READING else CREATE_LEVEL
    return _called("http.request", payload, facts, level)


def request_of(text: str) -> JsonObject:
    """`DELETE https://…`, with headers and a body as sent, or JSON; else `BadLineError`."""
    if text.lstrip()[:1] == "{":
        return _decoded(text)
    head, _, body = text.strip().replace("\r\n", "\n").partition("\n\n")
    line, *rest = head.split("\n")
    method, _, address = line.strip().partition(" ")
    url = address.removesuffix(f" {address.rpartition(' ')[2]}") if " HTTP/" in address else address
    if method.upper() not in READING | WRITING or not url or " " in url:
        raise BadLineError(_NO_REQUEST)
    named = (one.partition(":") for one in rest)
    headers = {name.strip(): value.strip() for name, _, value in named}
    return {"method": method, "url": url, "headers": headers, "body": body}


def _decoded(text: str) -> JsonObject:
    try:
        return msgspec.json.decode(text, type=JsonObject)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        raise BadLineError(_NO_REQUEST) from None


def _called(
    tool: str, arguments: JsonObject, facts: JsonObject, level: int
) -> tuple[Action, Context]:
    """The tool is taken to know the arguments that it is given."""
    domain = tool.partition(".")[0]
    action = Action(
        tenant="",
        agent="",
        on_behalf_of="",
        domain=domain,
        tool=tool,
        tool_schema_sha256="",
        arguments=arguments,
    )
    known = msgspec.structs.replace(
        stand_in(tool, domain, level), schema={"properties": dict.fromkeys(arguments, True)}
    )
    return action, Context(tool=known, facts=facts)


def stand_in(tool: str, domain: str, level: int) -> Tool:
    """The entry of a tool that stands in no catalog."""
    return Tool(
        name=tool,
        domain=domain,
        level=level,
        description="",
        schema={},
        schema_sha256="",
        template="",
    )


def _level(tool: str) -> int:
    """By the verb in its name."""
    return READ_LEVEL if tool_name(tool).reads else CREATE_LEVEL


_EXPECTED = (
    'A line looks like {"id": "1", "kind": "shell", "text": "rm -r build"}; kinds are '
    + ", ".join(LineKind)
    + "; tool_call and http have a `payload` object in place of `text`."
)
_NO_REQUEST = (
    'A request is one JSON object, {"method": "DELETE", "url": "https://a.example/users/7"}, or a '
    "line such as DELETE https://a.example/users/7. A command line such as curl's is of the kind "
    "shell."
)
