"""What breaks on the way: answers, acknowledgements, the broker itself."""

import asyncio
import os
import signal

import pytest
from tests.integration.client.bus import HOLD, SAYS, Bus
from tests.waiting import eventually

from holdpoint.client import Holdpoint, Status, UnavailableError
from holdpoint.runtime import connection, requests


@pytest.mark.usefixtures("short_waits")
async def test_a_question_that_nobody_answers_is_asked_again(bus: Bus) -> None:
    gate = await bus.gate(None, Status.PENDING_CONFIRMATION, None, Status.DONE)

    async with bus.agent() as hp:
        outcome = await hp.call("read_file", SAYS)

    assert outcome.ok
    assert [it.known for it in gate.asked] == [
        *[Status.APPROVED] * 2,
        *[Status.PENDING_CONFIRMATION] * 2,
    ]
    assert len(await bus.said()) == 1


@pytest.mark.usefixtures("short_waits")
async def test_a_gate_that_comes_late_finds_the_call(bus: Bus) -> None:
    async with bus.agent() as hp:
        calling = asyncio.create_task(hp.call("read_file", SAYS))
        await eventually(bus.said)
        await bus.gate(Status.DONE)
        outcome = await calling

    assert outcome.ok


async def test_a_broker_that_restarts_meanwhile_is_survived(own_bus: Bus) -> None:
    gate = await own_bus.gate(Status.PENDING_CONFIRMATION, None, Status.DONE)

    async with own_bus.agent() as hp:
        calling = asyncio.create_task(hp.call("read_file", SAYS))
        await gate.was_asked(2)
        await own_bus.world.restart()
        outcome = await calling

    assert outcome.ok
    assert [it.hold_id for it in gate.asked[1:]] == [HOLD, HOLD]
    assert len(await own_bus.said()) == 1


async def test_a_call_made_while_the_broker_is_down_is_stored_once_it_is_back(
    own_bus: Bus,
) -> None:
    await own_bus.gate(Status.DONE)

    async with own_bus.agent() as hp:
        own_bus.world.server.kill()
        calling = asyncio.create_task(hp.call("read_file", SAYS))
        await loses_its_broker(hp)
        await own_bus.world.server.start()
        outcome = await calling

    assert outcome.ok
    assert len(await own_bus.said()) == 1


async def test_a_broker_that_stays_away_is_an_error_that_names_the_key(own_bus: Bus) -> None:
    async with own_bus.agent(patience_s=0.3) as hp:
        own_bus.world.server.kill()
        with pytest.raises(UnavailableError) as caught:
            await hp.call("read_file", SAYS, idempotency_key="k-1")
        with pytest.raises(UnavailableError):
            await hp.call("read_file", SAYS, idempotency_key="k-1", timeout=0.1)
    await own_bus.world.server.start()

    assert caught.value.idempotency_key == "k-1"


@pytest.mark.parametrize(
    ("key", "status"), [(None, Status.DONE), ("pay-7", Status.ALREADY_PROCESSED)]
)
@pytest.mark.usefixtures("short_waits")
async def test_a_publish_whose_acknowledgement_is_lost_is_repeated_byte_for_byte(
    own_bus: Bus, key: str | None, status: Status
) -> None:
    """Whether somebody used the key before can only be said of a key that we made ourselves."""
    await own_bus.gate(Status.ALREADY_PROCESSED, Status.DONE)

    async with own_bus.agent() as hp:
        os.kill(own_bus.world.server.pid, signal.SIGSTOP)
        before = sent_by(hp)
        calling = asyncio.create_task(hp.call("read_file", SAYS, idempotency_key=key))
        try:
            await repeats_itself(hp, before)
        finally:
            os.kill(own_bus.world.server.pid, signal.SIGCONT)
        outcome = await calling

    async def repeated() -> bool:
        stored = await own_bus.said()
        assert len({it.raw for it in stored}) == 1
        return len(stored) > 1

    assert await eventually(repeated)
    assert outcome.status is status


async def test_without_a_broker_nothing_connects(bus: Bus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "FIRST_CONNECT_S", 0.2)

    with pytest.raises(UnavailableError, match="cannot connect"):
        async with bus.agent(url="nats://127.0.0.1:9"):
            pass


async def loses_its_broker(hp: Holdpoint) -> None:
    """Wait until the agent's connection knows that nobody is there any more."""

    async def is_lost() -> bool:
        assert hp._client is not None
        return not hp._client.is_connected

    await eventually(is_lost)


ASIDE = 2
"""Messages at most that an agent sends beside its call: questions of its own."""


async def repeats_itself(hp: Holdpoint, before: int) -> None:
    """Wait until the agent has sent its call a second time, whatever else it says meanwhile.

    A publish that nobody acknowledges is repeated as soon as it is given up.
    """
    clock = asyncio.get_running_loop().time
    given_up = clock() + 2 * requests.PUBLISH_TIMEOUT_S

    async def is_sent_again() -> bool:
        return clock() > given_up and sent_by(hp) >= before + 2 + ASIDE

    await eventually(is_sent_again)


def sent_by(hp: Holdpoint) -> int:
    """How many messages the agent has published so far."""
    assert hp._client is not None
    return hp._client.stats["out_msgs"]
