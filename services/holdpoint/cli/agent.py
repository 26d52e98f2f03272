"""What an agent's developer does at a terminal: propose, say, look how it stands, take it back."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Annotated, Any

import msgspec
import typer
from rich.text import Text

from holdpoint.cli import output
from holdpoint.cli.naming import hold_of_agent
from holdpoint.cli.output import UNKNOWN_HOLD, ExitCode
from holdpoint.cli.session import JsonOption, agent_of, begun, reach
from holdpoint.cli.waiting import Wish, pursued
from holdpoint.client import Holdpoint, Outcome, RefusedError, Status
from holdpoint.messages.codec import UnreadableError, check_strict
from holdpoint.runtime.settings import Settings

agent = typer.Typer()
"""`call`, `say`, `withdraw`, `outcome`: mounted at the top."""

NOT_KNOWN = frozenset({Status.IN_DOUBT})
"""Final, and still nobody knows what happened."""

AgentOption = Annotated[
    str, typer.Option("--as", help="The agent, if not HP_AGENT or the only one in agents.yaml.")
]
ReasoningOption = Annotated[
    str, typer.Option(help="Why, in the agent's own words; people see it marked as such.")
]
KeyOption = Annotated[
    str,
    typer.Option(help="The idempotency key; the same key is the same call. Default: a new one."),
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
IdArgument = Annotated[
    str,
    typer.Argument(
        metavar="ID", help="The hold's id; or its beginning, where the ledger can be read."
    ),
]


@agent.command()
def call(  # noqa: PLR0913  # each is one option
    tool: Annotated[str, typer.Argument(metavar="TOOL", help="The tool's name or alias.")],
    *,
    arg: Annotated[
        list[str] | None, typer.Option(help="NAME=TEXT, or NAME:=JSON for anything else.")
    ] = None,
    json_args: Annotated[str, typer.Option(help="All arguments as one JSON object.")] = "{}",
    reasoning: ReasoningOption = "",
    key: KeyOption = "",
    as_agent: AgentOption = "",
    wait: WaitOption = True,
    timeout: TimeoutOption = None,
    as_json: JsonOption = False,
) -> None:
    """Propose a tool call as an agent. Exit code 0 only if it ran."""
    arguments = _arguments(json_args, arg or [])

    async def propose(hp: Holdpoint, within_s: float | None) -> Outcome:
        return await hp.call(
            tool, arguments, reasoning=reasoning, idempotency_key=key or None, wait=False,
            timeout=within_s,
        )  # fmt: skip

    wish = Wish(wait=wait, timeout=timeout, as_json=as_json)
    _tell(_asked(begun(), as_agent, lambda hp: pursued(hp, propose, wish)), as_json=as_json)


@agent.command()
def say(  # noqa: PLR0913  # each is one option
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The sentence.")],
    *,
    reasoning: ReasoningOption = "",
    key: KeyOption = "",
    as_agent: AgentOption = "",
    wait: WaitOption = True,
    timeout: TimeoutOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say what an agent is about to do. Exit code 0 only if it may go on."""

    async def propose(hp: Holdpoint, within_s: float | None) -> Outcome:
        return await hp.say(
            text, reasoning=reasoning, idempotency_key=key or None, wait=False, timeout=within_s
        )

    wish = Wish(wait=wait, timeout=timeout, as_json=as_json)
    _tell(_asked(begun(), as_agent, lambda hp: pursued(hp, propose, wish)), as_json=as_json)


@agent.command()
def withdraw(
    hold_id: IdArgument,
    *,
    reason: Annotated[str, typer.Option(help="Why; people see it.")] = "",
    as_agent: AgentOption = "",
    as_json: JsonOption = False,
) -> None:
    """Take a call back. Exit code 0 only if nothing runs."""
    settings = begun()
    whole = _whole(settings, as_agent, hold_id)
    told = _asked(settings, as_agent, lambda hp: hp.withdraw(whole, reason))
    stopped = told.status in {Status.WITHDRAWN, Status.BARRED}
    _tell(told, as_json=as_json, exit_code=ExitCode.OK if stopped else ExitCode.FAILED)


@agent.command()
def outcome(
    hold_id: IdArgument, *, as_agent: AgentOption = "", as_json: JsonOption = False
) -> None:
    """Tell how a call of this agent stands. Exit code as of `call`."""
    settings = begun()
    whole = _whole(settings, as_agent, hold_id)
    _tell(_asked(settings, as_agent, lambda hp: _stands(hp, whole)), as_json=as_json)


def _whole(settings: Settings, as_agent: str, prefix: str) -> str:
    return hold_of_agent(settings.ledger_url, agent_of(settings, as_agent), prefix)


async def _stands(hp: Holdpoint, hold_id: str) -> Outcome:
    """How it stands. Ids are told once a hold is there: one that only waits is nobody's."""
    told = await hp.outcome(hold_id)
    if told.status is Status.WAITING:
        text = f"{hp.agent} has no hold {hold_id}, or no gate has judged it yet."
        raise RefusedError(UNKNOWN_HOLD, text, hold_id)
    return told


def _asked(
    settings: Settings, said: str, ask: Callable[[Holdpoint], Awaitable[Outcome]]
) -> Outcome:
    async def asked() -> Outcome:
        await reach(settings.broker_url)
        async with Holdpoint.connect(agent_of(settings, said), settings) as hp:
            return await ask(hp)

    return asyncio.run(asked())


def _arguments(whole: str, single: list[str]) -> dict[str, Any]:
    """`--json-args` first, then each `--arg` over it."""
    arguments = _parsed(whole, "--json-args")
    if not isinstance(arguments, dict):
        raise typer.BadParameter("It must be a JSON object.", param_hint="--json-args")
    given = [_argument(one) for one in single]
    if len(dict(given)) < len(given):
        raise typer.BadParameter("An argument is given twice.", param_hint="--arg")
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


def _tell(told: Outcome, *, as_json: bool, exit_code: ExitCode | None = None) -> None:
    if as_json:
        output.emit(told)
    else:
        output.show(_lines(told, output.width()))
    code = _exit_code(told) if exit_code is None else exit_code
    if code is not ExitCode.OK:
        raise typer.Exit(code)


def _lines(told: Outcome, columns: int) -> Iterator[Text]:
    for label, text in (
        ("Status", told.status.value),
        ("Hold", told.hold_id),
        ("Told", told.message_for_user),
        ("Reason", told.reason if told.reason != told.message_for_user else ""),
        ("Result", told.formatted),
        ("Key", told.idempotency_key),
        ("Look again", f"holdpoint outcome {told.hold_id}" if told.is_pending else ""),
    ):
        if text:
            yield from output.field(label, text, columns)


def _exit_code(told: Outcome) -> ExitCode:
    if told.ok:
        return ExitCode.OK
    return ExitCode.UNDECIDED if told.is_pending or told.status in NOT_KNOWN else ExitCode.FAILED


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(agent)
