"""`@guard`: a function of the agent's own process runs only after its call was let go, and once.

    @guard(tool="shop_host_order", level=4)
    async def order(item: str, pieces: int) -> str: ...

Its call is a proposal like any other: it may pass, or wait for people. Then the process takes the
claim, which the gate gives once and signs; the signature is verified here before the function runs,
on exactly the arguments that were proposed. Its grade is cooperative: who holds this process's
code can leave `@guard` out, and nothing here stops them.
"""

import asyncio
import functools
import inspect
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, Protocol, TypeVar, cast, overload

import msgspec
import structlog

from holdpoint.client.holdpoint import Holdpoint, the_open_one
from holdpoint.client.outcome import HoldpointError, Outcome, RefusedError, SetupError
from holdpoint.core.tool import json_schema
from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import HOST_DOMAIN, ToolDefinition

log = structlog.get_logger(__name__)

P = ParamSpec("P")
T = TypeVar("T")


class NotLetGoError(HoldpointError):
    """The call was not let go, and the function did not run; `outcome` says how it ended."""

    def __init__(self, tool: str, outcome: Outcome) -> None:
        self.outcome = outcome
        self.code = outcome.code or outcome.status.value
        super().__init__(f"{tool} did not run: {outcome.message_for_user or outcome.status.value}")


class Guarded(msgspec.Struct, frozen=True, kw_only=True):
    """A guarded function: its tool, and its arguments as a type."""

    tool: str
    level: int
    description: str
    arguments: type[msgspec.Struct]

    @property
    def schema(self) -> JsonObject:
        """JSON Schema of its arguments, as a catalog file declares it."""
        return json_schema(self.arguments)


class Attach(Protocol):
    """The decorator: a guarded function is awaited, whichever kind it was."""

    @overload
    def __call__(
        self, function: Callable[P, Coroutine[Any, Any, T]]
    ) -> Callable[P, Coroutine[Any, Any, T]]: ...

    @overload
    def __call__(self, function: Callable[P, T]) -> Callable[P, Coroutine[Any, Any, T]]: ...


def guard(*, tool: str, level: int) -> Attach:
    """Let the function run only after its call was let go.

    `tool` is its name in a catalog file, in the domain `host`; a catalog that has it at a lower
    `level` is an error. A call raises NotLetGoError where people or the policy said no,
    RefusedError where it does not count, UnavailableError where nobody answers: then nothing ran.
    """

    def attach(function: Callable[..., Any]) -> Callable[..., Coroutine[Any, Any, Any]]:
        guarded = _guarded(function, tool, level)
        signature = inspect.signature(function)

        @functools.wraps(function)
        async def run(*args: Any, **kwargs: Any) -> Any:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            arguments = msgspec.to_builtins(bound.arguments)
            return await _run(the_open_one(), guarded, function, arguments)

        vars(run)["guarded"] = guarded
        return run

    return cast("Attach", attach)


def catalog_entry(function: Callable[..., Any]) -> JsonObject:
    """Return the lines of a catalog file for a guarded function, for a person to review."""
    guarded = vars(function)["guarded"]
    action = guarded.tool.partition(f"_{HOST_DOMAIN}_")[2]
    return {
        "domain": HOST_DOMAIN,
        "action": action or guarded.tool,
        "level": guarded.level,
        "description": guarded.description,
        "arguments": guarded.schema,
    }


async def _run(
    hp: Holdpoint, guarded: Guarded, function: Callable[..., Any], arguments: JsonObject
) -> Any:
    hp.check_verifies()
    await _check_declared(hp, guarded)
    outcome = await hp.call(guarded.tool, arguments)
    if not outcome.may_run:
        raise NotLetGoError(guarded.tool, outcome)
    arguments = _changed(arguments, outcome)
    values = msgspec.structs.asdict(msgspec.convert(arguments, guarded.arguments))
    await hp.begin(outcome.hold_id, arguments)
    await hp.check_claim(outcome)
    try:
        value = await _value(function, values)
    except BaseException as error:
        await asyncio.shield(hp.finish(outcome.hold_id, arguments, error=type(error).__name__))
        raise
    await _report(hp, guarded, outcome.hold_id, arguments)
    return value


async def _report(hp: Holdpoint, guarded: Guarded, hold_id: str, arguments: JsonObject) -> None:
    """It ran: a report that is lost leaves the run in doubt, and is no error of the call."""
    try:
        await hp.finish(hold_id, arguments, {"text": f"{guarded.tool} ran."})
    except HoldpointError as error:
        log.warning("run_not_reported", hold_id=hold_id, why=str(error))


def _changed(arguments: JsonObject, outcome: Outcome) -> JsonObject:
    """The arguments as a person changed them; `begin` refuses what is not exactly that."""
    if (change := outcome.changed) is None:
        return arguments
    kept = {name: it for name, it in arguments.items() if name not in change.removed}
    return {**kept, **change.arguments}


async def _value(function: Callable[..., Any], values: dict[str, Any]) -> Any:
    if inspect.iscoroutinefunction(function):
        return await function(**values)
    return await asyncio.to_thread(function, **values)


async def _check_declared(hp: Holdpoint, guarded: Guarded) -> None:
    """Raise SetupError unless the catalog has the tool for this agent, at this level at least."""
    declared = await _declared(hp, guarded.tool)
    if declared is None:
        raise RefusedError(
            "unknown_tool", f"{hp.agent} may call no tool {guarded.tool} of the domain host."
        )
    if declared.level < guarded.level:
        raise SetupError(
            f"The catalog has {guarded.tool} at level {declared.level}, and the code says "
            f"{guarded.level}. Raise it in the catalog file."
        )
    if declared.schema != guarded.schema:
        raise SetupError(
            f"The arguments of {guarded.tool} in the catalog are not the function's. Write its "
            "entry again: holdpoint.client.catalog_entry"
        )


async def _declared(hp: Holdpoint, tool: str) -> ToolDefinition | None:
    found = await hp.get_tools_for_domain(HOST_DOMAIN)
    return next((it for it in found if tool in (it.name, *it.aliases)), None)


def _guarded(function: Callable[..., Any], tool: str, level: int) -> Guarded:
    """Return what the decorator attaches; TypeError for arguments that have no names."""
    fields: list[Any] = []
    for name, it in inspect.signature(function, eval_str=True).parameters.items():
        if it.kind in {it.VAR_POSITIONAL, it.VAR_KEYWORD, it.POSITIONAL_ONLY}:
            raise TypeError(f"{function.__name__}: each argument of a guarded function has a name.")
        kind = Any if it.annotation is it.empty else it.annotation
        fields.append((name, kind) if it.default is it.empty else (name, kind, it.default))
    arguments = msgspec.defstruct(
        function.__name__, fields, frozen=True, kw_only=True, forbid_unknown_fields=True
    )
    description = (inspect.getdoc(function) or "").partition("\n\n")[0].replace("\n", " ")
    return Guarded(tool=tool, level=level, description=description, arguments=arguments)
