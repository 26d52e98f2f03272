"""`withdraw` and `outcome`: what an agent's developer does about a call that is under way."""

from typing import Annotated

import typer

from holdpoint.cli.acting_as import Who
from holdpoint.cli.agent_session import asked, tell
from holdpoint.cli.ledger_names import agent_of_hold, hold_of_agent
from holdpoint.cli.output import ExitCode
from holdpoint.cli.session import JsonOption, agent_of, begun
from holdpoint.client import Status
from holdpoint.runtime.config.settings import Settings

commands = typer.Typer()

IdArgument = Annotated[
    str,
    typer.Argument(
        metavar="ID", help="The hold's id; or its beginning, where the ledger can be read."
    ),
]

OwnerOption = Annotated[
    str, typer.Option("--as", help="The agent, if not HP_AGENT or the one whose hold it is.")
]


@commands.command()
def withdraw(
    hold_id: IdArgument,
    *,
    reason: Annotated[str, typer.Option(help="Why; people see it.")] = "",
    as_agent: OwnerOption = "",
    as_json: JsonOption = False,
) -> None:
    """Take a call back. Exit code 0 only if nothing runs."""
    settings = begun()
    agent, whole = _named(settings, as_agent, hold_id)
    told = asked(settings, agent, lambda hp: hp.withdraw(whole, reason))
    stopped = told.status in {Status.WITHDRAWN, Status.BARRED}
    tell(
        told, agent=as_agent, as_json=as_json, exit_code=ExitCode.OK if stopped else ExitCode.FAILED
    )


@commands.command()
def outcome(
    hold_id: IdArgument, *, as_agent: OwnerOption = "", as_json: JsonOption = False
) -> None:
    """Tell how a call of this agent stands. Exit code as of `call`."""
    settings = begun()
    agent, whole = _named(settings, as_agent, hold_id)
    tell(asked(settings, agent, lambda hp: hp.outcome(whole)), agent=as_agent, as_json=as_json)


def _named(settings: Settings, as_agent: str, prefix: str) -> tuple[str, str]:
    """Return the agent and the hold's whole id; where no agent was said, the hold's own."""
    said = as_agent or Who().agent or agent_of_hold(settings.ledger_url, prefix)
    agent = agent_of(settings, said)
    return agent, hold_of_agent(settings.ledger_url, agent, prefix)


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(commands)
