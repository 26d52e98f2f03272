"""Checks of the demo's results: in the outcomes, in the ledger, and in the real things."""

import asyncio
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing

from holdpoint.cli.demo.sample_agent import LIVE_LEADS, REPORTS, STALE_LEADS, crm, reports
from holdpoint.cli.demo.script import Story
from holdpoint.client import Status
from holdpoint.ledger import engines
from holdpoint.ledger.queries import ConfirmationEvent, confirmations_found
from holdpoint.ledger.search import Search
from holdpoint.runtime.config.settings import Settings

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

LEDGER_S = 10.0
LOOK_AGAIN_S = 0.05
MOST_ROWS = 100


async def wrong(story: Story) -> list[str]:
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
            return confirmations_found(connection, Search(limit=MOST_ROWS))
    finally:
        engine.dispose()
