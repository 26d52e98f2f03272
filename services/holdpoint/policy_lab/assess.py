"""`holdpoint assess`: how risky is this? Offline, by the policy in the configuration; no broker."""

from collections.abc import Callable, Iterable
from itertools import islice
from typing import BinaryIO, assert_never

import msgspec
from msgspec.structs import replace

from holdpoint.core.pointers import astray
from holdpoint.core.risk import (
    MAX_VALUES,
    READING,
    Context,
    Sentence,
    assess,
    make_ready,
    may_rehearse,
    only_reads_by_name,
    with_wording,
)
from holdpoint.messages.action import Action
from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import READ_LEVEL, Tool
from holdpoint.messages.policy import Policy, VerdictKind
from holdpoint.messages.risk import Assessment, Environment, RiskLevel, Signal
from holdpoint.policy_lab.call_formats import call_of
from holdpoint.policy_lab.cases import BadLineError, Line, LineKind, id_in, line_in
from holdpoint.policy_lab.gate_view import FindTool, GateView, called_by, gate_view, no_tools
from holdpoint.policy_lab.judge import stand_in

CREATE_LEVEL = 2
"""What is judged here stands in no catalog: it counts as creating unless its name only reads, so
that its words, counts and amounts decide."""

_encoder = msgspec.json.Encoder()


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """Result for a line, or for a text: the same fields, all of them."""

    id: str | int
    """As the line has it; empty for a text."""

    risk_level: RiskLevel
    level: RiskLevel
    """The same, as `policy explain` calls it."""

    verdict: VerdictKind
    """What the gate would do with it, whatever the agent: by its risk and its tool's level."""

    tool: str
    """The tool of the catalog that it calls; empty where risk alone decided."""

    operation_level: int
    """The level that the verdict is of: the tool's, raised by risk."""

    signals: tuple[Signal, ...]
    action_type: str
    resource: str
    affected: int | None
    amount: JsonObject | None
    environment: Environment
    target: str
    verb: str
    reversible: bool
    reads_only: bool
    changes_little: bool


class Failure(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line that cannot be read: its number, its id if that can be, and what to change."""

    line: int
    error: str
    id: str | int | None = None


def run(lines: Iterable[bytes], policy: Policy, out: BinaryIO, find: FindTool = no_tools) -> int:
    """Assess each line; the exit code is 1 when one could not be read."""
    return answer_each(lines, lambda raw: assess_line(raw, policy, find), out)


def answer_each(lines: Iterable[bytes], answered: Callable[[bytes], bytes], out: BinaryIO) -> int:
    """Answer each line; the exit code is 1 when one could not be read."""
    code = 0
    for number, raw in enumerate(lines, start=1):
        if not raw.strip():
            continue
        try:
            answer = answered(raw)
        except BadLineError as error:
            answer = _encoder.encode(Failure(line=number, error=str(error), id=id_in(raw)))
            code = 1
        out.write(answer + b"\n")
    return code


def assess_line(raw: bytes, policy: Policy, find: FindTool = no_tools) -> bytes:
    """One line of JSON in, one out."""
    line = line_in(raw)
    return _encoder.encode(answer_of(line, *seen(line, policy, find)))


def seen(line: Line, policy: Policy, find: FindTool) -> tuple[Assessment, GateView]:
    """Assess one line, and judge it as the gate with these tools would."""
    subject, context = subject_of(line, find)
    found = assess(subject, context, policy)
    if isinstance(subject, Sentence):
        found = with_wording(found, subject.text)
    return found, gate_view(line.kind, subject, context, found, policy, find)


def answer_of(line: Line, found: Assessment, view: GateView) -> Answer:
    """Return what is told to programs."""
    told = msgspec.structs.asdict(found)
    return Answer(
        id=line.id,
        risk_level=found.level,
        verdict=view.judged.verdict,
        tool=view.tool,
        operation_level=view.judged.level,
        **told,
    )


def assess_text(
    line: Line, policy: Policy, find: FindTool = no_tools
) -> tuple[Assessment, GateView]:
    """Assess and judge one text: an automaton is not worth the seconds that it takes to make."""
    make_ready(policy.patterns)
    return seen(line, policy, find)


def judged(line: Line, policy: Policy) -> Assessment:
    """Assess one line by its kind."""
    return assess(*subject_of(line), policy)


def subject_of(line: Line, find: FindTool = no_tools) -> tuple[Action | Sentence, Context]:
    """Return what a line is about, as the gate would see it, and what is known around it.

    Of a tool that `find` knows, its own schema says which arguments are declared; of any other,
    each that it is given. `BadLineError` where a taint names nothing of it: a person who mistypes
    one believes it covered.
    """
    subject, context = _subject_of(line, line.context or {})
    if line.taint or line.taint_source:
        arguments = subject.arguments if isinstance(subject, Action) else {}
        if wrong := astray(line.taint, arguments):
            raise BadLineError(f"taint: {wrong}")
        context = replace(context, taint=line.taint, taint_source=line.taint_source)
    if isinstance(subject, Action):
        context = _declared(context, called_by(line.kind, subject, find))
    return subject, context


def _declared(context: Context, entry: Tool | None) -> Context:
    """Take from the catalog what may lower a risk: the schema, and whether risk sets its level."""
    if entry is None or context.tool is None:
        return context
    tool = replace(context.tool, schema=entry.schema, by_risk=entry.by_risk)
    return replace(context, tool=tool)


def _subject_of(line: Line, facts: JsonObject) -> tuple[Action | Sentence, Context]:
    match line.kind:
        case LineKind.DIALOGUE:
            return Sentence(text=line.text), Context(facts=facts)
        case LineKind.SHELL:
            return _called("shell.run", {"command": line.text}, facts, CREATE_LEVEL)
        case LineKind.SQL:
            return _called("database.execute", {"sql": line.text}, facts, CREATE_LEVEL)
        case LineKind.TOOL_CALL:
            tool, arguments = call_of(line.payload)
            return _called(tool, arguments, facts, _level(tool))
        case LineKind.HTTP:
            return _http(line.payload, facts)
        case _:
            assert_never(line.kind)


def _http(payload: JsonObject, facts: JsonObject) -> tuple[Action, Context]:
    """`{"method", "url", …}`: what the method does to what the path names."""
    method = str(payload.get("method", "")).upper()
    level = READ_LEVEL if method in READING else CREATE_LEVEL
    action, context = _called("http.request", payload, facts, level)
    tool = context.tool and replace(context.tool, schema={"properties": _sent_of(payload)})
    return action, replace(context, tool=tool)


def _sent_of(payload: JsonObject) -> JsonObject:
    """Return the request's own fields; what else stands beside it is never sent."""
    return {key: True for key in payload if not may_rehearse(key)}


def _called(
    tool: str, arguments: JsonObject, facts: JsonObject, level: int
) -> tuple[Action, Context]:
    """A tool that no catalog lists is taken to know the arguments that it is given."""
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
    known = {"properties": dict.fromkeys(islice(arguments, MAX_VALUES + 1), True)}
    return action, Context(tool=stand_in(tool, domain, level, known), facts=facts)


def _level(tool: str) -> int:
    """By the verb in its name."""
    return READ_LEVEL if only_reads_by_name(tool) else CREATE_LEVEL
