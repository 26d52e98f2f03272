"""People with hours: outside of them the backup group is asked, and their answer still counts."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from datetime import datetime, timedelta

import pytest
from tests.actors import Guests
from tests.running_system import Road, running

from holdpoint.messages.envelope import Status
from holdpoint.runtime.process import clock

pytestmark = [pytest.mark.nats, pytest.mark.slow]

BACKUP = """proofs: [chat]
    escalate: {group: finance, after_s: 600}"""


def with_backup(policy: str) -> str:
    return policy.replace("proofs: [chat]", BACKUP, 1)


def people_of(now: datetime) -> str:
    """Ann and ben work in an hour that begins six hours from now; cem at any time."""
    begins = now + timedelta(hours=6)
    day, since, until = f"{begins:%a}".lower(), f"{begins:%H}:00", f"{begins:%H}:59"
    hours = f'zone: UTC, hours: [{{days: [{day}], since: "{since}", until: "{until}"}}]'
    return (
        "people:\n"
        f"  - {{name: ann, groups: [operators], admin: true, {hours}}}\n"
        f"  - {{name: ben, groups: [operators], {hours}}}\n"
        "  - {name: cem, groups: [finance]}\n"
    )


@pytest.fixture(scope="module")
def road(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    with asyncio.Runner() as runner:
        folder = tmp_path_factory.mktemp("hours")
        world = running(folder, with_backup, own={}, people_yaml=people_of(clock.now()))
        yield runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


@pytest.fixture
async def guests(road: Road) -> AsyncIterator[Guests]:
    async with AsyncExitStack() as stack:
        yield Guests(road=road, stack=stack)


async def test_outside_of_their_hours_the_backup_group_is_asked(road: Road, guests: Guests) -> None:
    robot, cem = await guests.agent(), await guests.person("cem")
    mark, call = await robot.command()
    card = await cem.card((await robot.pending(call)).hold_id, group="finance")

    assert road.runs_of(mark) == 0
    assert (await cem.proceed(card)).status is Status.APPROVED
    assert (await robot.hears(call, Status.DONE)).status is Status.DONE
    assert road.runs_of(mark) == 1


async def test_who_looks_outside_of_their_hours_may_answer_all_the_same(
    road: Road, guests: Guests
) -> None:
    robot, ann = await guests.agent(), await guests.person("ann")
    mark, call = await robot.command()
    card = await ann.card((await robot.pending(call)).hold_id)

    assert (await ann.proceed(card)).status is Status.APPROVED
    assert (await robot.hears(call, Status.DONE)).status is Status.DONE
    assert road.runs_of(mark) == 1
