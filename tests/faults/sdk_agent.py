"""An agent that uses the SDK, which hears results from the broker itself: what it was told."""

import asyncio
from random import Random  # noqa: TID251  # seeded: a run can be repeated

from tests.running_system import Road, fresh

from holdpoint.client import Holdpoint, Status
from holdpoint.runtime.security.credentials import agent_user

CALLS = 12
AT_ONCE = 3
PATIENCE_S = 120.0
"""Longer than anything is away: each call ends with what became of it."""

TOOLS = ("look", "note")
LONGEST_DEED_MS = 60


async def hurry(road: Road, agent: str, seed: int) -> dict[str, Status]:
    """Make calls one after the other, some at once; how each hold ended, in the SDK's words."""
    marks = iter([fresh("quick") for _ in range(CALLS)])
    told: dict[str, Status] = {}
    dice = Random(seed)  # noqa: S311  # the seed is printed, so that a run can be repeated

    async def calls() -> None:
        for mark in marks:
            deed = {"mark": mark, "takes_ms": dice.randrange(LONGEST_DEED_MS)}
            outcome = await hp.call(dice.choice(TOOLS), deed, reasoning="It is time.")
            told[outcome.hold_id] = outcome.status

    login = road.login(agent_user(agent))
    connecting = Holdpoint.connect(
        agent, road.settings, url=login.url, seed=login.seed, patience_s=PATIENCE_S
    )
    async with connecting as hp:
        await asyncio.gather(*(calls() for _ in range(AT_ONCE)))
    return told
