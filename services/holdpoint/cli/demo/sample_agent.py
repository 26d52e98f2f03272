"""The sample agent of `holdpoint up`: it proposes real actions on real things made for it."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from holdpoint.cli.events import Called, Problem, RoundOver, Tell
from holdpoint.client import Holdpoint, Outcome
from holdpoint.domains.settings import offered
from holdpoint.messages.base import Value
from holdpoint.runtime.config import files
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import HoldpointError

AGENT = "sample-agent"
STALE_LEADS = 40
LIVE_LEADS = 460
REPORTS = 12
PAUSE_S = 120.0
"""Between two rounds, once everything of the first was answered."""

PACE_S = 1.0
"""Between two proposals: a person can follow them."""


class Step(Value, frozen=True, kw_only=True):
    """One thing that the sample agent does in each round."""

    name: str
    tool: str
    arguments: dict[str, Any]
    reasoning: str


STEPS = (
    Step(
        name="look",
        tool="list_directory",
        arguments={"path": "."},
        reasoning="I look at what is in my folder before I tidy it.",
    ),
    Step(
        name="note",
        tool="create_file",
        arguments={"path": "notes-{round}.txt", "content": "Tidied the scratch folder."},
        reasoning="I leave a note of what I am about to do.",
    ),
    Step(
        name="leads",
        tool="execute_sql",
        arguments={"database": "crm", "sql": "DELETE FROM leads WHERE status = 'stale'"},
        reasoning="These leads have not answered for two years, so I remove them.",
    ),
    Step(
        name="scratch",
        tool="run_command",
        arguments={"command": "rm -r old-reports"},
        reasoning="The old reports are no longer needed.",
    ),
    Step(
        name="lead",
        tool="insert_row",
        arguments={"database": "crm", "table": "leads", "values": {"status": "new"}},
        reasoning="I add a lead, although my list of tools does not have this one.",
    ),
)

BANK_STEPS = (
    Step(
        name="balance",
        tool="get_account_balances",
        arguments={"account_id": "ACC-12345678"},
        reasoning="I look at what is on the checking account.",
    ),
    Step(
        name="savings",
        tool="transfer_funds",
        arguments={
            "amount": {"value": "150.00", "currency": "USD"},
            "from_account": "ACC-12345678",
            "to_account": "ACC-87654321",
        },
        reasoning="I put a part of the balance into the savings.",
    ),
)
"""Steps of its own where the configuration offers the bank."""


def make_sample(settings: Settings) -> None:
    """Make the table and the folder that the sample agent works on; what is there stays."""
    folder = settings.state_dir / "sample"
    scratch = folder / "scratch-space"
    files.private_folder(scratch)
    if not (folder / "crm.db").exists():
        refill(settings)


def refill(settings: Settings) -> None:
    """Put back what the last round may have removed: forty stale leads, a folder of reports."""
    with closing(sqlite3.connect(crm(settings))) as database, database:
        database.execute(
            "CREATE TABLE IF NOT EXISTS leads (id INTEGER PRIMARY KEY, status TEXT NOT NULL)"
        )
        database.execute("DELETE FROM leads")
        rows = [("stale",)] * STALE_LEADS + [("new",)] * LIVE_LEADS
        database.executemany("INSERT INTO leads (status) VALUES (?)", rows)
    reports(settings).mkdir(exist_ok=True)
    for number in range(REPORTS):
        (reports(settings) / f"report-{number:02}.txt").write_text(f"Report {number}\n")


def crm(settings: Settings) -> Path:
    """The sample database."""
    return settings.state_dir / "sample" / "crm.db"


def reports(settings: Settings) -> Path:
    """The folder that the sample agent wants to remove."""
    return settings.state_dir / "sample" / "scratch-space" / "old-reports"


def arguments_of(step: Step, number: int) -> dict[str, Any]:
    """Return what the step proposes in this round."""
    return {
        name: value.replace("{round}", str(number)) if isinstance(value, str) else value
        for name, value in step.arguments.items()
    }


async def run_sample_agent(settings: Settings, tell: Tell) -> None:
    """Propose round after round; a round that was begun before a restart goes on where it was."""
    try:
        async with Holdpoint.connect(AGENT, settings, on_cancel="leave") as hp:
            steps = (*STEPS, *(BANK_STEPS if offered(settings).bank else ()))
            while True:
                number = _round(settings)
                await _propose(hp, steps, number, tell)
                tell(RoundOver(agent=AGENT, round=number, pause_s=PAUSE_S))
                await asyncio.sleep(PAUSE_S)
                refill(settings)
                _round_file(settings).write_text(str(number + 1))
    except HoldpointError as error:
        tell(Problem(who=AGENT, text=str(error)))


async def _propose(hp: Holdpoint, steps: tuple[Step, ...], number: int, tell: Tell) -> None:
    """Everything of one round, until all of it is over."""
    async with asyncio.TaskGroup() as calls:
        for step in steps:
            calls.create_task(_do(hp, step, number, tell))
            await asyncio.sleep(PACE_S)


async def _do(hp: Holdpoint, step: Step, number: int, tell: Tell) -> None:
    try:
        outcome = await hp.call(
            step.tool,
            arguments_of(step, number),
            reasoning=step.reasoning,
            idempotency_key=f"sample-{step.name}-{number}",
            wait=False,
        )
        if outcome.is_pending:
            tell(_called(step, outcome))
            outcome = await hp.resume(outcome.hold_id)
        tell(_called(step, outcome))
    except HoldpointError as error:
        tell(Problem(who=f"{AGENT}: {step.tool}", text=str(error)))


def _called(step: Step, outcome: Outcome) -> Called:
    told = outcome.formatted or outcome.reason or outcome.message_for_user
    return Called(
        agent=AGENT,
        tool=step.tool,
        status=outcome.status,
        hold_id=outcome.hold_id,
        pending=outcome.is_pending,
        text=first_line(told),
    )


def first_line(text: str) -> str:
    """Return the first line; one that only announces a list with the first entry of that."""
    first, *rest = text.splitlines() or [""]
    return f"{first} {rest[0].removeprefix('- ')}" if rest and first.endswith(":") else first


def _round_file(settings: Settings) -> Path:
    return settings.state_dir / "sample" / "round"


def _round(settings: Settings) -> int:
    try:
        return int(_round_file(settings).read_text())
    except (FileNotFoundError, ValueError):
        return 1
