"""`call` and `say`: what an agent's developer proposes at a terminal."""

import asyncio
from collections.abc import Awaitable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
import typer

from holdpoint.cli.agent_session import AgentOption, asked, tell
from holdpoint.cli.session import JsonOption, begun
from holdpoint.cli.wait_messages import Wish, pursued, reached
from holdpoint.client import Holdpoint, Outcome, RefusedError, Status, UnavailableError
from holdpoint.client.traced_cycles import NOT_BEGUN, Cycle
from holdpoint.core.pointers import astray
from holdpoint.messages.base import BAD_KEY, JsonObject, is_key
from holdpoint.messages.codec import UnreadableError, check_strict
from holdpoint.runtime.process import clock

commands = typer.Typer()

ReasoningOption = Annotated[
    str, typer.Option(help="Why, in the agent's own words; people see it marked as such.")
]


def _key(said: str | None) -> str | None:
    if said is not None and not is_key(said):
        raise typer.BadParameter(BAD_KEY)
    return said


KeyOption = Annotated[
    str | None,
    typer.Option(
        callback=_key,
        help="The idempotency key; the same key is the same call. Default: a new one.",
    ),
]
WaitOption = Annotated[
    bool,
    typer.Option(
        "--wait/--no-wait", help="Wait until it has ended, or only until people are asked."
    ),
]
TimeoutOption = Annotated[
    float | None, typer.Option(min=0, help="Seconds to wait at most; it stays open after that.")
]
TaintOption = Annotated[
    list[str] | None,
    typer.Option(help="A JSON pointer of an argument that came from untrusted content."),
]
TaintSourceOption = Annotated[
    str | None,
    typer.Option(help="What that content was: a web page. Alone it means every argument."),
]


@commands.command(context_settings={"allow_extra_args": True})
def call(  # noqa: PLR0913  # each is one option
    context: typer.Context,
    tool: Annotated[str, typer.Argument(metavar="TOOL", help="The tool's name or alias.")],
    *,
    arg: Annotated[
        list[str] | None, typer.Option(help="NAME=TEXT, or NAME:=JSON for anything else.")
    ] = None,
    json_args: Annotated[str, typer.Option(help="All arguments as one JSON object.")] = "{}",
    reasoning: ReasoningOption = "",
    taint: TaintOption = None,
    taint_source: TaintSourceOption = None,
    key: KeyOption = None,
    dispatched_by: Annotated[
        str,
        typer.Option(metavar="HOLD", help="The open dispatch to the agent; its result ends it."),
    ] = "",
    as_agent: AgentOption = "",
    wait: WaitOption = True,
    timeout: TimeoutOption = None,
    as_json: JsonOption = False,
) -> None:
    """Propose a tool call as an agent. Exit code 0 only if it ran."""
    if context.args:
        text = (
            f"{context.args[0]!r} belongs to no option. An argument of the tool is --arg NAME=TEXT."
        )
        raise typer.BadParameter(text, param_hint="TOOL")
    arguments = _arguments(json_args, arg or [])
    _check_taint(taint or [], taint_source, arguments)
    proposal = _Proposal(
        tool=tool, arguments=arguments, reasoning=reasoning, key=key, taint=taint,
        taint_source=taint_source, dispatched_by=dispatched_by,
    )  # fmt: skip
    wish = Wish(wait=wait, timeout=timeout, as_json=as_json)
    told = asked(begun(), as_agent, lambda hp: reached(proposal.in_a_cycle(hp, wish), hp.agent))
    tell(told, agent=as_agent, as_json=as_json)


@dataclass(frozen=True, kw_only=True)
class _Proposal:
    """A tool call as it was typed."""

    tool: str
    arguments: JsonObject
    reasoning: str
    key: str | None
    taint: list[str] | None
    taint_source: str | None
    dispatched_by: str

    async def in_a_cycle(self, hp: Holdpoint, wish: Wish) -> Outcome:
        """Propose it in a cycle of its own, which a result closes."""
        since = clock.monotonic()
        typed = _typed(self.tool, self.arguments)
        begun_cycle = hp.cycle(typed, dispatched_by=self.dispatched_by)
        async with AsyncExitStack() as stack:
            cycle = await _begun_within(stack, begun_cycle, wish.timeout)
            left = _left(wish.timeout, since)
            try:
                told = await pursued(hp, self._propose, msgspec.structs.replace(wish, timeout=left))
            except RefusedError as error:  # it does not count: the dispatch waits for another call
                await _closed(cycle.pause(error.text), wish.timeout)
                raise
            close = cycle.pause if told.status is Status.WAITING else cycle.answer
            await _closed(close(told.message_for_user or told.status.value), wish.timeout)
            return told

    async def _propose(self, hp: Holdpoint, within_s: float | None) -> Outcome:
        return await hp.call(
            self.tool, self.arguments, reasoning=self.reasoning, idempotency_key=self.key,
            wait=False, timeout=within_s, taint=self.taint, taint_source=self.taint_source,
        )  # fmt: skip


def _left(timeout: float | None, since: float) -> float | None:
    return None if timeout is None else max(0.0, timeout - (clock.monotonic() - since))


@commands.command()
def say(  # noqa: PLR0913  # each is one option
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The sentence.")],
    *,
    reasoning: ReasoningOption = "",
    key: KeyOption = None,
    as_agent: AgentOption = "",
    wait: WaitOption = True,
    timeout: TimeoutOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say what an agent is about to do. Exit code 0 only if it may go on."""
    first: list[Status] = []

    async def propose(hp: Holdpoint, within_s: float | None) -> Outcome:
        told = await hp.say(
            text, reasoning=reasoning, idempotency_key=key, wait=False, timeout=within_s
        )
        first.append(told.status)
        return told

    wish = Wish(wait=wait, timeout=timeout, as_json=as_json)
    told = asked(begun(), as_agent, lambda hp: pursued(hp, propose, wish))
    passed = key is None and first == [Status.CONFIRMED]
    tell(told, agent=as_agent, as_json=as_json, standing=PASSED if passed else told.status.value)


PASSED = "passed: nobody had to be asked"
"""What people read of a new sentence that was confirmed at once; programs read `confirmed`."""


CLOSES_S = 1.0
"""Behind a timeout, for the last word about a call."""


async def _closed(closing: Awaitable[None], within_s: float | None) -> None:
    """Close the cycle, as far as that can be told: what came of the call is told anyway."""
    with suppress(UnavailableError, TimeoutError):
        async with asyncio.timeout(None if within_s is None else CLOSES_S):
            await closing


async def _begun_within(stack: AsyncExitStack, cycle: Cycle, within_s: float | None) -> Cycle:
    """Begin the cycle, or raise UnavailableError once so many seconds are over."""
    try:
        async with asyncio.timeout(within_s):
            return await stack.enter_async_context(cycle)
    except TimeoutError:
        text = f"{NOT_BEGUN} The broker stored nothing within {within_s:g} s."
        raise UnavailableError(text) from None


def _typed(tool: str, arguments: dict[str, Any]) -> str:
    """Return what was asked at the terminal, as the user's input of its cycle."""
    return f"{tool} {msgspec.json.encode(arguments).decode()}"


def _check_taint(pointers: list[str], source: str | None, arguments: dict[str, Any]) -> None:
    """A slip would be believed to cover the argument."""
    if wrong := astray(pointers, arguments):
        raise typer.BadParameter(wrong, param_hint="--taint")
    if source is not None and not source.strip():
        raise typer.BadParameter("Say what the content was.", param_hint="--taint-source")


def _arguments(whole: str, single: list[str]) -> dict[str, Any]:
    """Those of `--json-args` and each `--arg`; none is given twice."""
    arguments = _parsed(whole, "--json-args")
    if not isinstance(arguments, dict):
        raise typer.BadParameter("It must be a JSON object.", param_hint="--json-args")
    given = [_argument(one) for one in single]
    if len(dict(given)) < len(given):
        raise typer.BadParameter("An argument is given twice.", param_hint="--arg")
    if twice := sorted(arguments.keys() & dict(given).keys()):
        text = f"{', '.join(twice)} is in --json-args too. Give it once."
        raise typer.BadParameter(text, param_hint="--arg")
    return arguments | dict(given)


def _argument(said: str) -> tuple[str, Any]:
    name, equals, value = said.partition("=")
    if not equals or name in {"", ":"}:
        raise typer.BadParameter(f"{said!r} is not NAME=TEXT or NAME:=JSON.", param_hint="--arg")
    if name.endswith(":"):
        return name[:-1], _parsed(value, "--arg")
    return name, value


def _parsed(text: str, option: str) -> Any:
    try:
        raw = text.encode()
        check_strict(raw)
        return msgspec.json.decode(raw)
    except (UnreadableError, msgspec.DecodeError, UnicodeEncodeError) as error:
        raise typer.BadParameter(f"This is not JSON: {error}", param_hint=option) from None


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(commands)
