"""Orders of an admin: the kill switch, and which policy is in force. Each asks for a password."""

import asyncio
from typing import Annotated

import typer

from holdpoint.cli import output
from holdpoint.cli.adopted_policy import kept, named, remember, same_version
from holdpoint.cli.bus import operator
from holdpoint.cli.orders import end, give
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.session import AsOption, JsonOption, begun
from holdpoint.core.digest import policy_digest
from holdpoint.gate.policy import checked_policy
from holdpoint.messages.envelope import Status
from holdpoint.messages.policy import Policy
from holdpoint.messages.state import EVERYONE, AdoptPolicy, Kill, PolicyState
from holdpoint.policy_lab.diff import changes
from holdpoint.runtime.config.registry import load_registry
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import HoldpointError

KILL = "kill"
POLICY = "policy"
LONGEST_DIFF_BYTES = 48 * 1024
"""Of what an order says about changes: the policy itself stands beside it."""

kill = typer.Typer(help="Stop agents at once, or let them go on.", no_args_is_help=True)

AgentOption = Annotated[str, typer.Option(help="Only this agent; without it, every agent.")]
ReasonOption = Annotated[str, typer.Option(help="Why; it stands in the ledger.")]


@kill.command(name="on")
def kill_on(
    *, reason: ReasonOption, agent: AgentOption = "", as_person: AsOption = "",
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    """Deny what is new, cancel what waits, bar what was not started."""
    settings = begun()
    order = Kill(on=True, agent=_agent(settings, agent), reason=reason)
    whom = agent or "every agent"
    done = "What is new is denied, what waited is cancelled, what was not started is barred."
    said = f"Stopping {whom}.", f"Stopped: {whom}. {done}"
    end(give(settings, as_person, (order, KILL), said, as_json=as_json))


@kill.command(name="off")
def kill_off(
    *, reason: ReasonOption, agent: AgentOption = "", as_person: AsOption = "",
    as_json: JsonOption = False,
) -> None:  # fmt: skip
    """Let agents propose again. What was cancelled stays cancelled."""
    settings = begun()
    order = Kill(on=False, agent=_agent(settings, agent), reason=reason)
    whom = agent or "every agent that was not stopped by name"
    said = f"Letting {whom} go on.", f"The stop is taken back for {whom}."
    end(give(settings, as_person, (order, KILL), said, as_json=as_json))


def adopt(*, reason: ReasonOption, as_person: AsOption = "", as_json: JsonOption = False) -> None:
    """Put the policy on disk in force, after showing what changes. Asks for your password."""
    settings = begun()
    wanted = checked_policy(settings, load_registry(settings.config_dir))
    digest = policy_digest(wanted)
    now, policy = asyncio.run(_in_force(settings))
    name = named(wanted.version, digest)
    if now is not None and now.digest == digest:
        raise CommandError(ExitCode.FAILED, "in_force", f"Policy {name} is in force already.")
    known = policy or _copy(settings, now)
    diff = _diff(known, wanted)
    order = AdoptPolicy(
        version=wanted.version, digest=digest, reason=reason, diff=diff, policy=wanted
    )
    careful = same_version(known.version, policy_digest(known), wanted) if known else ""
    before = f"In force: {_told(now)}\nOn disk:  {wanted.version}, {digest}\n{diff}"
    before = f"{before}\n{careful}" if careful else before
    done = f"Policy {name} is in force: gates judge new calls by it."
    ordered = give(settings, as_person, (order, POLICY), (before, done), as_json=as_json)
    if ordered.status is not Status.REFUSED:
        remember(settings, wanted)
    end(ordered)


def _agent(settings: Settings, name: str) -> str:
    known = [agent.name for agent in load_registry(settings.config_dir).agents]
    if name and name not in known:
        text = f"There is no agent {name}. There are: {', '.join(known)}."
        raise CommandError(ExitCode.NOT_FOUND, "unknown_agent", text)
    return name or EVERYONE


async def _in_force(settings: Settings) -> tuple[PolicyState | None, Policy | None]:
    """Return the policy in force as far as this machine knows it; for display only."""
    try:
        async with operator(settings) as bus:
            now = await bus.policy()
            return now, await bus.policy_of(now.digest) if now else None
    except HoldpointError as error:
        output.warn(f"Which policy is in force cannot be read: {error}")
        return None, None


def _copy(settings: Settings, now: PolicyState | None) -> Policy | None:
    """Return what was adopted here last, unless it is known that something else is in force."""
    copy = kept(settings)
    other = copy is not None and now is not None and policy_digest(copy) != now.digest
    return None if other else copy


def _diff(before: Policy | None, wanted: Policy) -> str:
    if before is None:
        return "There is nothing to compare with: no policy is in force yet, or none can be read."
    return _within("\n".join(changes(before, wanted)))


def _within(diff: str) -> str:
    """At most as much as fits beside a policy into one order; the ledger has both policies."""
    kept = diff.encode()[:LONGEST_DIFF_BYTES].decode(errors="ignore")
    return diff if kept == diff else f"{kept}\n… and more"


def _told(now: PolicyState | None) -> str:
    return f"{now.version}, {now.digest}, by {now.by}" if now else "unknown"


def mount(app: typer.Typer) -> None:
    """Add the kill switch; `policy adopt` stands with its group in `policy.py`."""
    app.add_typer(kill, name="kill")
