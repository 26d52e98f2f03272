"""Script of the demo: an agent proposes, a person answers, and all of it is told."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

from holdpoint.cli.demo.sample_agent import AGENT, STEPS, Step, arguments_of
from holdpoint.cli.events import Answered, Happened, Proposed, Tell
from holdpoint.client import Holdpoint, Outcome, Status
from holdpoint.messages.answer import Choice
from holdpoint.messages.base import Message
from holdpoint.messages.card import Card
from holdpoint.messages.hold import Denied, HoldFact, Refused, Resolved, Resumed
from holdpoint.messages.run import Finished, RunFact
from holdpoint.messages.subjects import TYPES
from holdpoint.runtime.broker.connection import Login
from holdpoint.runtime.broker.person_connection import Person
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.credentials import person_user, unlock_person_key

PERSON = "ann"
GROUP = "operators"
CHANNEL = "terminal"

SILENCE = Step(
    name="silence",
    tool="run_command",
    arguments={"command": "rm -r old-reports"},
    reasoning="I try once more, while nobody is looking.",
)
SILENCE_S = 4.0
"""Time that the action waits that nobody answers."""

ANSWERS: Mapping[str, Choice | None] = {
    "leads": Choice.PROCEED,
    "scratch": Choice.CANCEL,
    "silence": None,
}
LAST_FACTS: Mapping[Status, type[Message]] = {
    Status.DONE: Finished,
    Status.DENIED: Denied,
    Status.CANCELLED: Resumed,
    Status.EXPIRED: Resumed,
}
"""The fact after which nothing more happens to a call that ended so."""

LAST_FACT_S = 30.0
"""Longer than a watcher of the bus needs to notice that its broker died."""

LOOK_AGAIN_S = 0.05
ONLY_ROUND = 1
NEWLINE = "\n"


@dataclass(kw_only=True)
class Story:
    """Events so far, for what waits for it and for the checks at the end."""

    settings: Settings
    tell: Tell
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    facts: set[tuple[str, type[Message]]] = field(default_factory=set)
    """Which facts were told of which hold."""

    before: dict[str, Callable[[], None]] = field(default_factory=dict)
    """Events before a step, by the step's name."""

    def hear(self, fact: Message) -> None:
        """Tell a fact as it happens."""
        hold_id, text = _about(fact)
        self.tell(Happened(fact=_word(type(fact)), hold_id=hold_id, text=text))
        self.facts.add((hold_id, type(fact)))

    async def heard(self, outcome: Outcome) -> None:
        """Wait until the last fact of this call was told: an agent may know before."""
        kind = LAST_FACTS.get(outcome.status)
        if kind is None:
            return
        try:
            async with asyncio.timeout(LAST_FACT_S):
                while (outcome.hold_id, kind) not in self.facts:
                    await asyncio.sleep(LOOK_AGAIN_S)
        except TimeoutError:
            text = f"{outcome.hold_id} is {outcome.status}, and its {_word(kind)} never came."
            raise UnavailableError(text) from None


async def play(story: Story, password: str) -> None:
    """Propose one thing after the other; the last one meets silence."""
    async with Holdpoint.connect(AGENT, story.settings) as hp, _person(story, password) as person:
        for step in (*STEPS, SILENCE):
            if happens := story.before.get(step.name):
                happens()
            arguments = arguments_of(step, ONLY_ROUND)
            story.tell(Proposed(step=step.name, tool=step.tool, arguments=arguments))
            outcome = await _act(hp, person, step, story.tell)
            story.outcomes[step.name] = outcome
            await story.heard(outcome)


async def _act(hp: Holdpoint, person: Person, step: Step, tell: Tell) -> Outcome:
    outcome = await hp.call(
        step.tool,
        arguments_of(step, ONLY_ROUND),
        reasoning=step.reasoning,
        wait=False,
        deadline=clock.now() + timedelta(seconds=SILENCE_S) if step is SILENCE else None,
    )
    if outcome.is_final:
        return outcome
    choice = ANSWERS.get(step.name)
    if outcome.status is Status.PENDING_CONFIRMATION and choice is not None:
        card = await _card(person, outcome.hold_id)
        tell(Answered(person=PERSON, hold_id=card.hold_id, title=card.title, answer=choice))
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
    login = Login(
        user=person_user(PERSON), seed=seed, url=settings.broker_url, ca=settings.broker_ca
    )
    person = await Person.connect(PERSON, settings.tenant, CHANNEL, login)
    try:
        yield person
    finally:
        await person.close()


def _word(kind: type[Message]) -> str:
    return TYPES[kind].rpartition(".")[2]


def _about(fact: Message) -> tuple[str, str]:
    """Return which hold a fact is about, and what there is to say."""
    match fact:
        case Resolved(outcome=outcome, by=by):
            return fact.hold.hold_id, f"{outcome} by {by}" if by else outcome
        case Resumed(confirmed=confirmed):
            return fact.hold.hold_id, "go on" if confirmed else "nothing runs"
        case Finished(status=status, formatted=formatted):
            return fact.hold_id, f"{status} {formatted.partition(NEWLINE)[0]}"
        case HoldFact(hold=hold):
            return hold.hold_id, hold.reason or hold.assessment.level.value
        case RunFact(hold_id=hold_id) | Refused(hold_id=hold_id):
            return hold_id, ""
        case _:
            raise UnavailableError(f"{type(fact).__name__} does not belong here.")
