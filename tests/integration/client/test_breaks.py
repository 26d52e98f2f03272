"""What breaks on the way: answers, acknowledgements, the broker itself."""

import asyncio
import os
import signal

import pytest
from tests.integration.client.bus import HOLD, SAYS, Bus
from tests.waiting import eventually, stop

from holdpoint.client import Holdpoint, Status, UnavailableError
from holdpoint.runtime.broker import connection
from holdpoint.runtime.broker.wire import wire_of


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


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "status"), [(None, Status.DONE), ("pay-7", Status.ALREADY_PROCESSED)]
)
@pytest.mark.usefixtures("short_waits")
async def test_a_publish_whose_acknowledgement_is_lost_is_repeated_and_stored_once(
    own_bus: Bus, key: str | None, status: Status, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether somebody used the key before can only be said of a key that we made ourselves."""
    await own_bus.gate(Status.ALREADY_PROCESSED, Status.DONE)

    async with own_bus.agent() as hp:
        sent = Sent(hp, monkeypatch)
        await stop(own_bus.world.server.pid)
        calling = asyncio.create_task(hp.call("read_file", SAYS, idempotency_key=key))
        try:
            await eventually(sent.twice)
        finally:
            os.kill(own_bus.world.server.pid, signal.SIGCONT)
        outcome = await calling

    assert len(await own_bus.said()) == 1
    assert outcome.status is status


async def test_without_a_broker_nothing_connects(bus: Bus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "FIRST_CONNECT_S", 0.2)

    with pytest.raises(UnavailableError, match="does not answer"):
        async with bus.agent(url="nats://127.0.0.1:9"):
            pass


async def loses_its_broker(hp: Holdpoint) -> None:
    """Wait until the agent's connection knows that nobody is there any more."""

    async def is_lost() -> bool:
        assert hp._client is not None
        return not hp._client.is_connected

    await eventually(is_lost)


class Sent:
    """What an agent sends to be stored, as it leaves: each time, repeated or not."""

    def __init__(self, hp: Holdpoint, monkeypatch: pytest.MonkeyPatch) -> None:
        assert hp._client is not None
        self._wire = wire_of(hp._client)
        self._times = 0
        self._publish = self._wire.publish
        monkeypatch.setattr(self._wire, "publish", self._count)

    def _count(self, subject: str, body: bytes, reply: str, headers: bytes) -> None:
        self._publish(subject, body, reply, headers)
        self._times += connection.EXPECTED_STREAM.encode() in headers

    async def twice(self) -> bool:
        """Whether it has been sent a second time, and has left this process."""
        return self._times > 1 and not self._wire._frames
