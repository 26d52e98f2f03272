"""The demo goes on only after the last fact of a call was told."""

import asyncio

import pytest
from msgspec.structs import replace
from tests.builders import a_hold

from holdpoint.cli.demo import script as stories
from holdpoint.cli.demo.sample_agent import first_line
from holdpoint.cli.demo.script import Story
from holdpoint.cli.events import Event, Happened
from holdpoint.client import Outcome, Status
from holdpoint.messages.base import Message
from holdpoint.messages.hold import Outcome as HoldOutcome
from holdpoint.messages.hold import Resolved, Resumed
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import UnavailableError

HOLD = replace(a_hold(), hold_id="h1")
RESOLVED = Resolved(hold=HOLD, cause="TIMERS:1", outcome=HoldOutcome.EXPIRED)
RESUMED = Resumed(hold=HOLD, cause="HOLDS:3", confirmed=False)
EXPIRED = Outcome(status=Status.EXPIRED, hold_id="h1")


def test_one_line_of_a_result_says_what_it_found() -> None:
    assert first_line("Account ACC-1 balances:\n- Checking: $12.00\n- Total: $12.00") == (
        "Account ACC-1 balances: Checking: $12.00"
    )
    assert first_line("Deleted: 40 rows.\nmore") == "Deleted: 40 rows."
    assert (first_line("Nothing:"), first_line("")) == ("Nothing:", "")


def a_story(told: list[Event]) -> Story:
    return Story(settings=Settings(), tell=told.append)


async def test_what_expired_is_over_once_its_resume_was_told() -> None:
    told: list[Event] = []
    story = a_story(told)
    waiting = asyncio.create_task(story.heard(EXPIRED))

    story.hear(RESOLVED)
    story.hear(RESUMED)
    await waiting

    assert told == [
        Happened(fact="resolve", hold_id="h1", text="expired"),
        Happened(fact="resume", hold_id="h1", text="nothing runs"),
    ]


@pytest.mark.parametrize("fact", [RESOLVED, replace(RESUMED, hold=replace(HOLD, hold_id="h2"))])
async def test_another_fact_does_not_count(fact: Message, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stories, "LAST_FACT_S", 0.1)
    story = a_story([])
    story.hear(fact)

    with pytest.raises(UnavailableError, match="h1 is expired, and its resume never came"):
        await story.heard(EXPIRED)


async def test_a_call_that_ended_otherwise_is_not_waited_for() -> None:
    await a_story([]).heard(Outcome(status=Status.FAILED, hold_id="h1"))
