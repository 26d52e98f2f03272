"""The broker's time of a message is the same, however it comes here."""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from tests.conftest import Connect
from tests.gate_context import a_gate
from tests.waiting import eventually
from tests.world import TENANT, World

from holdpoint.messages.subjects import HOLDS, hold_filter, stream
from holdpoint.runtime.broker.lanes import Delivery, Lane, delivery_of
from holdpoint.runtime.broker.pulls import pull
from holdpoint.runtime.broker.wire import Headers, WireClient, wire_of
from holdpoint.runtime.process import clock
from holdpoint.runtime.store.journal import Stored, copy_of

COUNT = 20


@dataclass(eq=False)
class Ears:
    """Hears the same messages twice: delivered and repeated."""

    delivered: dict[int, Delivery] = field(default_factory=dict)
    repeated: dict[int, Stored] = field(default_factory=dict)

    async def on_delivery(self, it: Delivery) -> None:
        self.delivered[it.seq] = it
        await it.ack()

    def on_copy(self, _subject: str, _reply: str, headers: bytes, body: bytes) -> None:
        copy = copy_of(Headers(headers), body)
        self.repeated[copy.seq] = copy

    async def have_heard(self) -> bool:
        return len(self.delivered) == len(self.repeated) == COUNT


@pytest.mark.nats
async def test_a_message_has_one_time(own_world: World, connected: Connect) -> None:
    gate, ears = await a_gate(own_world, connected), Ears()
    wire_of(gate.client).subscribe("hp.acme.seen.>", ears.on_copy)
    login = own_world.login("worker_shell")
    lane = Lane(stream=stream(TENANT, HOLDS), durable="worker_shell")
    drawing = asyncio.create_task(pull(await connected(login), login, lane, ears.on_delivery))
    for number in range(COUNT):
        subject = hold_filter(TENANT, "passed", "shell").replace("*.*", f"robot.h{number}")
        await gate.client.request(subject, b"{}", timeout=5)
    await eventually(ears.have_heard)
    drawing.cancel()

    for seq, it in ears.delivered.items():
        read = await gate.journal.reader.at(HOLDS, seq)
        assert read is not None
        assert it.at == ears.repeated[seq].at == read.at


@pytest.mark.parametrize("nanoseconds", [0, 1, 999, 1000, 123_456_789, 999_999_999])
def test_what_is_finer_than_a_microsecond_is_cut(nanoseconds: int) -> None:
    whole = 1_795_305_600
    told = datetime.fromtimestamp(whole, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    expected = datetime.fromtimestamp(whole, UTC) + timedelta(microseconds=nanoseconds // 1000)

    assert clock.of_text(f"{told}.{nanoseconds:09}Z") == expected
    assert clock.of_nanoseconds(whole * 10**9 + nanoseconds) == expected


@pytest.mark.parametrize("before", ["$JS.ACK.", "$JS.ACK.hub.ACCHASH."])
def test_a_reply_is_read_with_and_without_domain(before: str) -> None:
    after = ".token" if "hub" in before else ""
    reply = f"{before}HP_RUNS_acme.gate.2.17.9.1795305600000001999.5{after}"

    it = delivery_of(WireClient().wire, "", reply, b"", b"")

    assert (it.stream, it.seq, it.deliveries, it.at.microsecond) == ("HP_RUNS_acme", 17, 2, 1)
