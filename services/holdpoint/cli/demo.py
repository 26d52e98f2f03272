"""`holdpoint demo`: the whole story in one go, answered over the bus, checked at the end.

It runs in a state directory of its own, with a person and a password of its own, and asserts
from the ledger and from the real table and folder what came of each action.
"""

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from datetime import timedelta

import typer
from rich.console import Console
from rich.markup import escape

from holdpoint.channels.person import Person
from holdpoint.cli import wiring
from holdpoint.cli.sample import (
    AGENT,
    LIVE_LEADS,
    REPORTS,
    STALE_LEADS,
    STEPS,
    Step,
    arguments_of,
    crm,
    make_sample,
    reports,
)
from holdpoint.cli.watching import watching
from holdpoint.client import Holdpoint, Outcome, Status
from holdpoint.core.sanitise import visible
from holdpoint.messages.answer import Choice
from holdpoint.messages.base import Message
from holdpoint.messages.card import Card
from holdpoint.messages.hold import HoldFact, Refused, Resolved, Resumed
from holdpoint.messages.run import Finished, RunFact
from holdpoint.messages.subjects import TYPES
from holdpoint.runtime import clock
from holdpoint.runtime.connection import Login
from holdpoint.runtime.credentials import (
    WorkFactor,
    create_person_key,
    person_user,
    unlock_person_key,
)
from holdpoint.runtime.errors import HoldpointError, UnavailableError
from holdpoint.runtime.ledger import engines
from holdpoint.runtime.ledger.questions import ConfirmationEvent, Search, confirmations_found
from holdpoint.runtime.logs import configure
from holdpoint.runtime.settings import Settings
from holdpoint.runtime.supervisor import Supervisor

console = Console()

PERSON = "ann"
GROUP = "operators"
CHANNEL = "terminal"
QUICK = WorkFactor(passes=1, memory_bytes=64 * 1024 * 1024)
"""The password lives for one demo, in this process only."""

SILENCE_S = 4.0
"""How long the action waits that nobody answers."""

WHOLE_DEMO_S = 90.0
LEDGER_S = 10.0
LOOK_AGAIN_S = 0.05
ONLY_ROUND = 1
PORT_STEP = 1000
"""Away from the ports of `holdpoint up`."""

ANSWERS: Mapping[str, Choice | None] = {
    "leads": Choice.PROCEED,
    "scratch": Choice.CANCEL,
    "silence": None,
}
EXPECTED: Mapping[str, Status] = {
    "look": Status.DONE,
    "note": Status.DONE,
    "leads": Status.DONE,
    "scratch": Status.CANCELLED,
    "silence": Status.EXPIRED,
    "lead": Status.DENIED,
}
LEDGER_SAYS: Mapping[str, tuple[str, bool, bool]] = {
    "leads": ("confirmed", True, True),
    "scratch": ("cancelled", False, False),
    "silence": ("expired", False, False),
}
"""Outcome, user_response, and whether something ran."""


@dataclass(kw_only=True)
class Story:
    """What happened, for the checks at the end."""

    settings: Settings
    outcomes: dict[str, Outcome] = field(default_factory=dict)

    def show(self, fact: Message) -> None:
        """Print a fact as it happens."""
        word = TYPES[type(fact)].rpartition(".")[2]
        console.print(f"  [cyan]{word:<9}[/] {escape(visible(_about(fact)))}")


def demo() -> None:
    """Show risky actions wait for a person, from proposal to ledger, and check the end."""
    settings = _own_settings(Settings())
    configure(settings, "demo")
    failures = asyncio.run(_demo(settings))
    for failure in failures:
        console.print(f"[red]FAILED[/] {escape(failure)}")
    if failures:
        raise typer.Exit(1)
    console.print("[green]It ended as it should:[/] outcomes, ledger, table and folder agree.")


async def _demo(settings: Settings) -> list[str]:
    make_sample(settings)
    supervisor = wiring.supervisor(settings)
    story = Story(settings=settings)
    try:
        async with asyncio.timeout(WHOLE_DEMO_S):
            password = clock.new_nonce()
            create_person_key(settings.people_dir, PERSON, password, QUICK, must_change=False)
            await supervisor.start_broker()
            await supervisor.start_services()
            console.print(f"Everything runs: {supervisor.url}, state in {settings.state_dir}/")
            return await _watched(supervisor, story, password)
    except TimeoutError:
        return [*_deaths(supervisor), f"It did not end within {WHOLE_DEMO_S:.0f} s."]
    except HoldpointError as error:
        return [*_deaths(supervisor), str(error)]
    finally:
        await supervisor.stop()


async def _watched(supervisor: Supervisor, story: Story, password: str) -> list[str]:
    """Tell the story while everything lives; a service that dies ends it, by name."""
    async with watching(story.settings, story.show):
        telling = asyncio.create_task(_tell(story, password))
        guarding = asyncio.create_task(_first_death(supervisor))
        await asyncio.wait({telling, guarding}, return_when=asyncio.FIRST_COMPLETED)
        if guarding.done():
            telling.cancel()
            await asyncio.gather(telling, return_exceptions=True)
            return _deaths(supervisor)
        guarding.cancel()
        await telling
    return [*_deaths(supervisor), *await _wrong(story)]


async def _tell(story: Story, password: str) -> None:
    silence = Step(
        name="silence",
        tool="run_command",
        arguments={"command": "rm -r old-reports"},
        reasoning="I try once more, while nobody is looking.",
    )
    async with Holdpoint.connect(AGENT, story.settings) as hp, _person(story, password) as person:
        for step in (*STEPS, silence):
            console.print(f"[bold]{step.tool}[/] {escape(str(arguments_of(step, ONLY_ROUND)))}")
            story.outcomes[step.name] = await _act(hp, person, step)


async def _act(hp: Holdpoint, person: Person, step: Step) -> Outcome:
    deadline = clock.now() + timedelta(seconds=SILENCE_S) if step.name == "silence" else None
    outcome = await hp.call(
        step.tool,
        arguments_of(step, ONLY_ROUND),
        reasoning=step.reasoning,
        wait=False,
        deadline=deadline,
    )
    if outcome.is_final:
        return outcome
    choice = ANSWERS.get(step.name)
    if outcome.status is Status.PENDING_CONFIRMATION and choice is not None:
        card = await _card(person, outcome.hold_id)
        console.print(f"  [yellow]{PERSON} reads[/] {escape(card.title)}: {choice.value}")
        await person.answer(card, choice)
    return await hp.resume(outcome.hold_id)


async def _card(person: Person, hold_id: str) -> Card:
    while True:
        card = await person.card(GROUP, hold_id)
        if card is not None:
            return card
        await asyncio.sleep(LOOK_AGAIN_S)


@asynccontextmanager
async def _person(story: Story, password: str) -> AsyncIterator[Person]:
    settings = story.settings
    seed = unlock_person_key(settings.people_dir, PERSON, password)
    login = Login(user=person_user(PERSON), seed=seed, url=settings.broker_url)
    person = await Person.connect(PERSON, settings.tenant, CHANNEL, login)
    try:
        yield person
    finally:
        await person.close()


async def _first_death(supervisor: Supervisor) -> None:
    while not supervisor.dead():
        await asyncio.sleep(LOOK_AGAIN_S)


def _deaths(supervisor: Supervisor) -> list[str]:
    return [f"{name} died (exit code {code})." for name, code in supervisor.dead().items()]


async def _wrong(story: Story) -> list[str]:
    """Everything that is not as it should be, in the outcomes, the ledger and the real things."""
    return [
        *_wrong_outcomes(story),
        *_wrong_things(story.settings),
        *await _wrong_ledger(story),
    ]


def _wrong_outcomes(story: Story) -> Iterator[str]:
    for name, status in EXPECTED.items():
        outcome = story.outcomes[name]
        if outcome.status is not status:
            yield f"{name} should be {status}, and is {outcome.status}: {outcome.reason}"


def _wrong_things(settings: Settings) -> Iterator[str]:
    with closing(sqlite3.connect(crm(settings))) as database:
        (rows,) = database.execute("SELECT count(*) FROM leads").fetchone()
    if rows != LIVE_LEADS:
        yield f"{LIVE_LEADS} of {LIVE_LEADS + STALE_LEADS} rows should be left, and {rows} are."
    left = len(list(reports(settings).glob("*.txt"))) if reports(settings).exists() else 0
    if left != REPORTS:
        yield f"All {REPORTS} reports should be there, and {left} are."


async def _wrong_ledger(story: Story) -> list[str]:
    """The ledger follows the bus; it is given a moment, and then it must say what happened."""
    try:
        async with asyncio.timeout(LEDGER_S):
            while problems := _ledger_problems(story):
                await asyncio.sleep(LOOK_AGAIN_S)
    except TimeoutError:
        return problems
    return []


def _ledger_problems(story: Story) -> list[str]:
    rows = {row.hold_id: row for row in _confirmations(story.settings)}
    return [
        f"The ledger should say {said} of {name}, and says {_said(row)}."
        for name, said in LEDGER_SAYS.items()
        if (row := rows.get(story.outcomes[name].hold_id)) is None or _said(row) != said
    ]


def _said(row: ConfirmationEvent | None) -> tuple[str, bool, bool] | None:
    if row is None:
        return None
    return row.outcome, row.user_response, row.final_action is not None


def _confirmations(settings: Settings) -> list[ConfirmationEvent]:
    engine = engines.reader(settings.ledger_url)
    try:
        with engine.connect() as connection:
            return confirmations_found(connection, Search(limit=100))
    finally:
        engine.dispose()


def _about(fact: Message) -> str:
    match fact:
        case Resolved(outcome=outcome, by=by):
            return f"{fact.hold.hold_id[:8]} {outcome}" + (f" by {by}" if by else "")
        case Resumed(confirmed=confirmed):
            return f"{fact.hold.hold_id[:8]} {confirmed}"
        case Finished(status=status, formatted=formatted):
            return f"{fact.hold_id[:8]} {status} {formatted.splitlines()[0] if formatted else ''}"
        case HoldFact(hold=hold):
            return f"{hold.hold_id[:8]} {hold.reason or hold.assessment.level.value}"
        case RunFact(hold_id=hold_id) | Refused(hold_id=hold_id):
            return hold_id[:8]
        case _:
            raise UnavailableError(f"{type(fact).__name__} does not belong here.")


def _own_settings(settings: Settings) -> Settings:
    """A place of its own, so that it neither sees nor touches what `holdpoint up` keeps."""
    folder = settings.state_dir / "demo"
    shutil.rmtree(folder, ignore_errors=True)
    return Settings(
        state_dir=folder,
        config_dir=settings.config_dir,
        nats_port=settings.nats_port + PORT_STEP,
        monitor_port_base=0,
        log_level="error",
    )


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(demo)
