"""Transfers through the whole road while its processes are killed: no cent and no key is lost."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random  # noqa: TID251  # seeded: a run can be repeated

import pytest
import yaml
from tests.actors import Guests
from tests.bank_system import bank_road, by_chat
from tests.bank_transfers import SEED, check_books, pay_there_and_back
from tests.running_system import STREAM_BYTES, Road

from holdpoint.client import Holdpoint, Outcome, Status
from holdpoint.runtime.process.supervisor import BROKER

pytestmark = [pytest.mark.nats, pytest.mark.slow]
VICTIMS = ("gate", "worker-bank", "worker-bank", "gate", BROKER, "audit")
LEASE_S = 4.0
TRANSFER_BYTES = 32 * 1024
"""Above what the facts of one take in HOLDS."""

ENDED = {Status.DONE, Status.ALREADY_PROCESSED, Status.FAILED, Status.REFUSED}


def however_much(policy: str) -> str:
    """A yes in the chat is enough, and no sum is too high."""
    rules = yaml.safe_load(by_chat(policy))
    rules["tallies"] = []
    return yaml.safe_dump(rules, sort_keys=False)


@pytest.mark.parametrize(
    ("transfers", "kills"),
    [
        pytest.param(500, 5, marks=pytest.mark.timeout(600)),
        pytest.param(2_000, 20, marks=pytest.mark.timeout(1500)),
    ],
)
async def test_kills_lose_no_cent_and_repeat_no_key(
    transfers: int, kills: int, tmp_path: Path
) -> None:
    await pay_through_kills(tmp_path, transfers, kills)


async def pay_through_kills(folder: Path, transfers: int, kills: int) -> None:
    """Make so many transfers through the whole road, kill so many processes, check the books."""
    async with (
        bank_road(folder, however_much, LEASE_S, room_for(transfers)) as road,
        AsyncExitStack() as stack,
        Holdpoint.connect("teller", road.settings) as hp,
    ):
        ann = await Guests(road=road, stack=stack).person("ann")
        outcomes: dict[str, Outcome] = {}
        killer = asyncio.create_task(_kill(road, outcomes, transfers, kills))
        await pay_there_and_back(hp, ann, outcomes, transfers)
        killed = await killer
        assert killed == kills
        assert {it.status for it in outcomes.values()} <= ENDED
        check_books(road, outcomes)


def room_for(transfers: int) -> int:
    """Bytes of a stream that holds so many."""
    return max(STREAM_BYTES, transfers * TRANSFER_BYTES)


async def _kill(road: Road, outcomes: dict[str, Outcome], transfers: int, kills: int) -> int:
    """Kill a process each time another part of the transfers has ended, and start it again."""
    chance, killed = Random(SEED), 0  # noqa: S311
    while killed < kills:
        if len(outcomes) * (kills + 1) < killed * transfers:
            await asyncio.sleep(0.02)
            continue
        victim = chance.choice(VICTIMS)
        road.supervisor.kill(victim)
        if victim == BROKER:
            await road.supervisor.restart_broker()
        else:
            road.supervisor.start(victim)
            await road.supervisor.ready(victim)
        killed += 1
    return killed
