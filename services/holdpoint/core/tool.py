"""`@tool` attaches a frozen `ToolSpec` to a function; a domain's tuple `TOOLS` registers it.

```
arguments_of(spec, raw)          -> the tool's own frozen struct, or ArgumentsError
spec.plan(arguments, context)    -> Plan, without any effect
spec.run(arguments, context)     -> Result: the effect, at most once
spec.lookup(arguments, context)  -> Result if the effect happened, None if it did not
```
"""

import hashlib
import inspect
import re
from collections.abc import Awaitable, Callable
from string import Formatter
from typing import Any, TypeVar

import msgspec

from holdpoint.core.digest import canonical
from holdpoint.messages.action import Pending, Plan
from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import UNLEVELLED, Repeat, Tool
from holdpoint.messages.envelope import AvailableAction
from holdpoint.messages.run import RunStatus

MAX_TOOLS = 10
"""In one domain (seed 000)."""

MASK = "•••"
"""Stands where a secret stood."""

NO_NUL = r"^[^\x00]*$"
"""The pattern of an argument that an operating system is given: a name or command ends at a NUL."""

_KEY = "holdpoint_tool"


class ArgumentsError(ValueError):
    """The arguments are not what the tool's schema asks for; the text says which and why."""


class PlanContext(msgspec.Struct, frozen=True, kw_only=True):
    """Context of a dry run."""

    settings: Any
    """The domain's own settings (`domains.settings`)."""

    resource: Any = None
    """What the domain's `opened(settings)` gave: connections, for example."""


class RunContext(msgspec.Struct, frozen=True, kw_only=True):
    """Context of a run under a grant."""

    hold_id: str
    nonce: str
    preconditions: JsonObject
    """What must still be true in the transaction of the effect: `{"affected": 214}`."""

    idempotency_key: str
    settings: Any
    resource: Any = None


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """Result of a run, as the worker's `finished` fact reports it."""

    status: RunStatus
    data: JsonObject = {}
    formatted: str = ""
    formatted_spoken: str = ""
    """For voices: no symbols, numbers spelled."""

    message_for_user: str = ""
    available_actions: tuple[AvailableAction, ...] = ()
    error: str = ""
    executed: JsonObject | None = None
    """The call that really ran (tool and masked arguments); None when nothing did."""


Run = Callable[[Any, RunContext], Awaitable[Result]]
Lookup = Callable[[Any, RunContext], Awaitable[Result | None]]
Planner = Callable[[Any, PlanContext], Awaitable[Plan]]
Presenter = Callable[[Any, Plan], Pending]
F = TypeVar("F", bound=Callable[[Any, RunContext], Awaitable[Result]])


class ToolSpec(msgspec.Struct, frozen=True, kw_only=True):
    """A tool as its worker knows it: the catalog's entry and the functions behind it."""

    tool: Tool
    arguments: type[msgspec.Struct] | type[JsonObject]
    """A struct, or any object where the schema alone says what fits."""

    run: Run
    plan: Planner | None = None
    lookup: Lookup | None = None
    pending: Presenter | None = None
    """The confirmation in the tool's own words, from the arguments and the dry run alone."""


def tool(  # noqa: PLR0913  # what a catalog entry says, each once and by name
    *,
    domain: str,
    namespace: str = "",
    level: int = UNLEVELLED,
    by_risk: bool = False,
    template: str,
    schema: type[msgspec.Struct],
    repeat: Repeat,
    plan: Planner | None = None,
    lookup: Lookup | None = None,
    pending: Presenter | None = None,
    aliases: tuple[str, ...] = (),
    secret: tuple[str, ...] = (),
    undo: str = "",
    effect: str = "",
) -> Callable[[F], F]:
    """Declare a tool; its description is the docstring's first part.

    In a namespace its canonical name is `{namespace}_{domain}_{action}`, and the function's bare
    name, the action, stays as an alias. Without one, the function's name is canonical.
    """
    if repeat not in [*Repeat]:
        raise TypeError(f"`repeat` is one of {', '.join(Repeat)}: {repeat!r} is none of them.")
    repeat = Repeat(repeat)
    _check_names(schema, template, secret)
    if (repeat is Repeat.LOOKUP) is not (lookup is not None):
        raise TypeError("`repeat: lookup` and a lookup function belong together.")
    if pending is not None and plan is None:
        raise TypeError("`pending` tells what the dry run found: declare a `plan` as well.")

    def attach(function: F) -> F:
        action = function.__name__
        entry = Tool(
            name=canonical_name(namespace, domain, action) if namespace else action,
            domain=domain,
            level=level,
            by_risk=by_risk,
            description=_description(function),
            schema=(described := json_schema(schema)),
            schema_sha256=hashlib.sha256(canonical(described)).hexdigest(),
            template=template,
            repeat=repeat,
            plans=plan is not None,
            aliases=(action, *aliases) if namespace else aliases,
            secret=secret,
            undo=undo,
            effect=effect,
        )
        vars(function)[_KEY] = ToolSpec(
            tool=entry,
            arguments=schema,
            run=function,
            plan=plan,
            lookup=lookup,
            pending=pending,
        )
        return function

    return attach


def _check_names(schema: type[msgspec.Struct], template: str, secret: tuple[str, ...]) -> None:
    """Raise TypeError where the title or a secret names what is no argument of the tool."""
    known = {field.encode_name for field in msgspec.structs.fields(schema)}
    if not isinstance(secret, tuple):
        raise TypeError(f'`secret` is a tuple of JSON pointers, such as ("/token",): {secret!r}.')
    for pointer in secret:
        mark, _, path = str(pointer).partition("/")
        if mark or path.split("/")[0] not in known:
            raise TypeError(
                f"`secret` names {pointer!r}, which points to no argument: {_all(known)}."
            )
    for _, name, _, _ in Formatter().parse(template):
        first = re.split(r"[.\[]", name or "")[0]
        if name is not None and first not in known | OF_PLAN:
            raise TypeError(f"`template` names {{{name}}}, which is no argument: {_all(known)}.")


def _all(known: set[str]) -> str:
    return f"they are {', '.join(sorted(known))}" if known else "there are none"


OF_PLAN = frozenset({"acts_on", "affected", "target", "verb"})
"""What a title may name besides the arguments: the dry run tells it."""


def canonical_name(namespace: str, domain: str, action: str) -> str:
    """`oci`, `compute`, `list_instances` -> `oci_compute_list_instances` (seed 004)."""
    return f"{namespace}_{domain}_{action}"


def spec_of(function: Run) -> ToolSpec:
    """Return what `@tool` attached."""
    spec = vars(function).get(_KEY)
    if not isinstance(spec, ToolSpec):
        raise TypeError(f"`{getattr(function, '__name__', function)}` carries no @tool.")
    return spec


def json_schema(arguments: type[msgspec.Struct]) -> JsonObject:
    """The struct's JSON Schema as one object; parts it refers to stand in `$defs`."""
    (reference,), found = msgspec.json.schema_components([arguments])
    parts = dict(found)
    own = parts.pop(str(reference["$ref"]).rpartition("/")[2])
    return {**own, "$defs": parts} if parts else own


def arguments_of(spec: ToolSpec, raw: JsonObject) -> Any:
    """The tool's own struct, strictly: no unknown field, no type that is nearly right."""
    try:
        return msgspec.convert(raw, spec.arguments, strict=True)
    except msgspec.ValidationError as error:
        raise ArgumentsError(f"`{spec.tool.name}` cannot take these arguments: {error}.") from None


def what_ran(
    name: str, arguments: msgspec.Struct | JsonObject, secret: tuple[tuple[str, ...], ...] = ()
) -> JsonObject:
    """For `Result.executed`: the tool and its arguments, masked at the paths in `secret`."""
    shown = msgspec.to_builtins(arguments)
    for path in secret:
        _mask(shown, path)
    return {"tool": name, "arguments": shown}


def _mask(value: Any, path: tuple[str, ...]) -> None:
    for step in path[:-1]:
        value = value.get(step) if isinstance(value, dict) else None
    if isinstance(value, dict) and path[-1] in value:
        value[path[-1]] = MASK


def _description(function: Callable[..., Any]) -> str:
    return (inspect.getdoc(function) or "").partition("\n\n")[0].replace("\n", " ")
