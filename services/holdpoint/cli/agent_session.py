"""Shared by the commands of an agent's developer: who asks, and how an outcome is told."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Annotated

import typer
from rich.text import Text

from holdpoint.cli import output
from holdpoint.cli.output import ExitCode
from holdpoint.cli.session import agent_of, check_state, reach
from holdpoint.cli.wait_messages import come_back
from holdpoint.client import Holdpoint, Outcome, Status
from holdpoint.runtime.config.settings import Settings

NOT_KNOWN = frozenset({Status.IN_DOUBT})
"""Final, and still nobody knows what happened."""

AgentOption = Annotated[
    str, typer.Option("--as", help="The agent, if not HP_AGENT or the only one in agents.yaml.")
]


def asked(settings: Settings, said: str, ask: Callable[[Holdpoint], Awaitable[Outcome]]) -> Outcome:
    """Ask as this agent, over a connection of its own."""
    agent = agent_of(settings, said)
    check_state(settings)

    async def answered() -> Outcome:
        await reach(settings)
        async with Holdpoint.connect(agent, settings) as hp:
            return await ask(hp)

    return asyncio.run(answered())


def tell(
    told: Outcome,
    *,
    agent: str,
    as_json: bool,
    exit_code: ExitCode | None = None,
    standing: str = "",
) -> None:
    """Show the outcome, and end with its exit code.

    `agent`: as who somebody asked, where that was said; `standing`: how people are told it stands.
    """
    if as_json:
        output.emit(told)
    else:
        output.show(_lines(told, agent, standing or told.status.value, output.width()))
    code = _exit_code(told) if exit_code is None else exit_code
    if code is not ExitCode.OK:
        raise typer.Exit(code)


def _lines(told: Outcome, agent: str, standing: str, columns: int) -> Iterator[Text]:
    for label, text in (
        ("Status", standing),
        ("Hold", told.hold_id if told.is_judged else ""),
        ("Told", told.message_for_user),
        ("Reason", told.reason if told.reason != told.message_for_user else ""),
        ("Result", told.formatted if told.formatted != told.message_for_user else ""),
        ("Key", told.idempotency_key),
        ("Look again", _again(told, agent) if told.is_pending else ""),
    ):
        if text:
            yield from output.field(label, text, columns)


def _again(told: Outcome, agent: str) -> str:
    """The same key is the same call: it is found so while no gate has given it a hold."""
    if told.hold_id and (told.is_judged or not told.idempotency_key):
        return come_back(agent, told.hold_id)
    return f"the same call with --key {told.idempotency_key}" if told.idempotency_key else ""


def _exit_code(told: Outcome) -> ExitCode:
    if told.ok:
        return ExitCode.OK
    return ExitCode.UNDECIDED if told.is_pending or told.status in NOT_KNOWN else ExitCode.FAILED
