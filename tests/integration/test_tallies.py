"""Counters at a real broker: borders of buckets, repeats, and what is taken back."""

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta

import msgspec
import pytest
from tests.builders import a_hold
from tests.conftest import Connect
from tests.gate_context import a_gate
from tests.world import World

from holdpoint.core.tallies import Due, bucket_of, bucket_s
from holdpoint.gate.context import Gate
from holdpoint.gate.tallies import Reservation, give_back, moved, reserve
from holdpoint.messages.hold import Hold, Outcome, Reserved
from holdpoint.messages.policy import Measure, TallyBy, TallyRule
from holdpoint.messages.subjects import TALLIES, stream
from holdpoint.runtime.broker.streams import NANOSECONDS
from holdpoint.runtime.errors import RefusedByBrokerError, UnknownOutcomeError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.credentials import PROVISIONER

pytestmark = pytest.mark.nats

DAY = TallyRule(
    id="amount", of=Measure.AMOUNT, by=(TallyBy.AGENT,), window_s=86_400, limit="1000.00"
)
SIZE = timedelta(seconds=bucket_s(DAY))
ALMOST = SIZE - timedelta(seconds=2)
"""As late as a call may come to count where it was made."""

LATEST = timedelta(seconds=5)
"""More than a test takes."""


@dataclass(frozen=True, kw_only=True)
class Till:
    """A gate's parts, without its lanes, and one counter of its own."""

    gate: Gate
    key: str

    def due(self, amount: int) -> tuple[Due, ...]:
        """So much on the one tally."""
        return (Due(rule=DAY, key=self.key, amount=amount),)

    async def add(self, amount: int, at: datetime, cause: str = "") -> Reservation:
        """Reserve it for a call that was made then."""
        return await reserve(self.gate, self.due(amount), cause or clock.new_id(), at)

    async def total(self, at: datetime) -> int | None:
        """The sum with nothing more in it."""
        return _total(await self.add(0, at))


async def _inside_a_bucket() -> datetime:
    """Now; in the last seconds of a bucket its end is awaited: nothing made before it is late."""
    while bucket_of(clock.now(), bucket_s(DAY)) != bucket_of(clock.now() + LATEST, bucket_s(DAY)):
        await asyncio.sleep(LATEST.total_seconds())
    return clock.now()


@pytest.fixture
async def till(world: World, connected: Connect) -> Till:
    return Till(gate=await a_gate(world, connected), key=clock.new_id()[:20])


@pytest.fixture
async def own_till(own_world: World, connected: Connect) -> Till:
    """Its counters may be taken away."""
    return Till(gate=await a_gate(own_world, connected), key="k")


async def test_sums_reach_across_the_border_of_a_bucket_and_not_beyond_the_window(
    till: Till,
) -> None:
    """Calls that were delivered late count where they were made; the sum sees both sides."""
    now = await _inside_a_bucket()
    before = now - ALMOST

    first = await till.add(1, before)
    second = await till.add(10, now)

    assert first.reserved[0].subject != second.reserved[0].subject
    assert _total(second) == 11
    assert await till.total(before) == 11


@pytest.mark.parametrize(("buckets", "counts"), [(0, True), (4, True), (5, False)])
async def test_a_counter_is_summed_for_its_window_and_at_most_a_quarter_more(
    till: Till, buckets: int, counts: bool
) -> None:
    now = await _inside_a_bucket()
    (entry,) = (await till.add(0, now)).reserved
    size_s, _, number = entry.subject.rpartition(".")[2].partition("-")
    lane = entry.subject.rpartition(".")[0]
    await till.gate.tallies.add(f"{lane}.{size_s}-{int(number) - buckets}", 7, clock.new_id())

    assert await till.total(now) == (7 if counts else 0)


async def test_a_repeat_of_the_same_call_counts_once_and_hears_the_same_sum(till: Till) -> None:
    now = clock.now()
    told = [await till.add(99_900, now, "CALLS:7") for _ in range(3)]

    assert [_total(it) for it in told] == [99_900] * 3
    assert len({it.reserved for it in told}) == 1


async def test_of_a_hundred_at_once_no_more_pass_than_may(till: Till) -> None:
    now = clock.now()
    told = await asyncio.gather(*(till.add(99, now) for _ in range(100)))

    assert sum((_total(it) or 0) <= 1000 for it in told) <= 10
    assert await till.total(now) == 9900


async def test_what_is_given_back_is_given_back_once(till: Till) -> None:
    now = clock.now()
    told = await till.add(500, now, "CALLS:8")
    for _ in range(3):
        await give_back(till.gate, told.reserved, "CALLS:8", now)

    assert await till.total(now) == 0


async def test_what_the_broker_would_no_longer_recognise_is_not_given_back(till: Till) -> None:
    """Too high for the rest of a window, never too low."""
    now = clock.now()
    told = await till.add(500, now, "CALLS:9")
    await give_back(till.gate, told.reserved, "CALLS:9", now - timedelta(minutes=9, seconds=1))

    assert await till.total(now) == 500


async def test_what_may_not_have_been_counted_is_not_given_back(till: Till) -> None:
    now = clock.now()
    (entry,) = (await till.add(500, now, "CALLS:10")).reserved
    lost = msgspec.structs.replace(entry, counted=False)
    await give_back(till.gate, (lost,), "CALLS:10", now)

    assert await till.total(now) == 500


async def test_a_yes_in_a_later_bucket_counts_in_that_one(till: Till) -> None:
    now = await _inside_a_bucket()
    (entry,) = (await till.add(500, now - ALMOST, "CALLS:11")).reserved
    hold = _said_yes((entry,), now, "CALLS:11")

    (there,) = await moved(till.gate, hold)
    again = await moved(till.gate, hold)

    assert again == (there,)
    assert there.subject != entry.subject
    assert await till.gate.tallies.value(there.subject) == 500
    assert await till.gate.tallies.value(entry.subject) == 0
    assert await moved(till.gate, _said_yes((there,), now, "CALLS:11")) == (there,)


async def test_a_yes_counts_what_could_not_be_counted_before(till: Till) -> None:
    now = clock.now()
    (entry,) = (await till.add(0, now)).reserved
    lost = msgspec.structs.replace(entry, amount=500, counted=False)

    (there,) = await moved(till.gate, _said_yes((lost,), now, "CALLS:12"))

    assert there.counted
    assert await till.total(now) == 500


async def test_counters_cannot_be_purged_and_without_them_nobody_knows_a_sum(
    own_till: Till, own_world: World, connected: Connect
) -> None:
    till, world = own_till, own_world
    now = clock.now()
    (entry,) = (await till.add(500, now, "CALLS:13")).reserved
    provisioner = await connected(world.login(PROVISIONER))
    name = stream("acme", TALLIES)
    purged = await provisioner.request(f"$JS.API.STREAM.PURGE.{name}", b"", timeout=5)
    assert "error" in msgspec.json.decode(purged.data)
    assert await till.total(now) == 500

    await provisioner.request(f"$JS.API.STREAM.DELETE.{name}", b"", timeout=5)
    told = await till.add(500, now, "CALLS:14")
    with pytest.raises(UnknownOutcomeError):
        await give_back(till.gate, (entry,), "CALLS:13", now)
    kept = await moved(till.gate, _said_yes((entry,), now + SIZE, "CALLS:13"))

    assert _total(told) is None
    assert [it.counted for it in told.reserved] == [False]
    assert kept == (entry,)


async def test_a_stream_of_that_name_that_does_not_count_is_refused(
    own_till: Till, own_world: World, connected: Connect
) -> None:
    """It would take every message and add up nothing."""
    provisioner = await connected(own_world.login(PROVISIONER))
    name = stream("acme", TALLIES)
    await provisioner.request(f"$JS.API.STREAM.DELETE.{name}", b"", timeout=5)
    config = {
        "name": name,
        "subjects": ["hp.acme.tally.*.*"],
        "duplicate_window": NANOSECONDS,
        "max_bytes": 1_000_000,
    }
    await provisioner.request(
        f"$JS.API.STREAM.CREATE.{name}", msgspec.json.encode(config), timeout=5
    )

    with pytest.raises(RefusedByBrokerError):
        await own_till.gate.tallies.add("hp.acme.tally.k.1-1", 5, "once")


def _total(told: Reservation) -> int | None:
    (tallied,) = told.tallies
    return tallied.total


def _said_yes(reserved: tuple[Reserved, ...], at: datetime, cause: str) -> Hold:
    return msgspec.structs.replace(
        a_hold(),
        outcome=Outcome.CONFIRMED,
        resolved_at=at,
        reserved=reserved,
        causes=(cause,),
    )
