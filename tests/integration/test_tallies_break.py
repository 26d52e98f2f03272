"""What may break around a sum: the gate dies with it half counted, or the counters are gone."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import yaml
from tests.actors import Guests
from tests.payment_system import a_payer, armed, comes_to, counters, paid, pay, reserved, tills
from tests.running_system import LONG_S, Road
from tests.waiting import eventually

from holdpoint.core.risk.running_sums import UNREADABLE
from holdpoint.messages.answer import Choice
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Denied, Resumed
from holdpoint.messages.subjects import TALLIES, stream

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.timeout(180)]
pytest_plugins = ("tests.system_fixtures",)

GATE = "gate"
WINDOW_S = 60


@pytest.fixture
async def road(tmp_path: Path) -> AsyncIterator[Road]:
    """A road whose gate may be killed, and whose counters may be taken away."""
    async with tills(tmp_path) as own:
        yield own


async def dies_at(road: Road, step: str) -> None:
    """The gate is started anew, and is to die at that step."""
    road.supervisor.kill(GATE)
    with armed(step):
        road.supervisor.start(GATE)
    await road.supervisor.ready(GATE)


async def is_back(road: Road) -> None:
    """Wait for its death, then start it again as a supervisor does."""

    async def is_dead() -> bool:
        return GATE in road.supervisor.dead()

    await eventually(is_dead, LONG_S)
    road.supervisor.start(GATE)
    await road.supervisor.ready(GATE)


@pytest.mark.parametrize(
    "step", ["publish.tally.before:2", "publish.tally.after:1", "publish.passed.before:1"]
)
async def test_n12_a_gate_that_dies_between_sum_and_fact_counts_once(
    road: Road, guests: Guests, step: str
) -> None:
    payer, eyes = await a_payer(guests), await guests.eyes()
    await dies_at(road, step)

    call = await pay(payer, "700.00")
    await is_back(road)
    told = await payer.hears(call, Status.DONE, within_s=2 * LONG_S)

    subjects = [subject for subject, _ in await reserved(eyes, told.hold_id)]
    assert len(subjects) == 2
    assert await counters(eyes) == dict.fromkeys(subjects, 70_000)


@pytest.mark.parametrize("step", ["publish.tally.before:1", "publish.tally.after:1"])
async def test_a_gate_that_dies_while_it_gives_back_gives_back_once(
    road: Road, guests: Guests, step: str
) -> None:
    payer, ann, eyes = await a_payer(guests), await guests.person(), await guests.eyes()
    waits = await paid(payer, "1700.00")
    card = await ann.card(waits.hold_id)
    await dies_at(road, step)

    await ann.answer(card, Choice.CANCEL)
    await is_back(road)

    await comes_to(eyes, [it for it, _ in await reserved(eyes, waits.hold_id)], 0)


async def test_a_sum_survives_gate_and_broker(road: Road, guests: Guests) -> None:
    payer = await a_payer(guests)
    assert (await paid(payer, "999.00")).status is Status.DONE

    road.supervisor.kill(GATE)
    road.supervisor.kill("nats")
    await road.supervisor.restart_broker()
    road.supervisor.start(GATE)
    await road.supervisor.ready(GATE)

    async def reaches_it() -> bool:
        return payer.client.is_connected

    assert await eventually(reaches_it)
    assert (await paid(payer, "999.00")).status is Status.PENDING_CONFIRMATION


async def test_without_counters_a_person_looks_and_their_yes_still_counts(
    guests: Guests,
) -> None:
    payer, ann, eyes = await a_payer(guests), await guests.person(), await guests.eyes()
    name = stream("acme", TALLIES)
    await eyes.client.request(f"$JS.API.STREAM.DELETE.{name}", b"", timeout=5)

    call = await pay(payer, "1.00")
    waits = await payer.pending(call)
    (halted, *_) = await eyes.facts(waits.hold_id)
    assert {it.reason for it in halted.hold.assessment.signals} == {UNREADABLE}
    await ann.proceed(await ann.card(waits.hold_id))

    assert (await payer.hears(call, Status.DONE)).status is Status.DONE
    read = await payer.propose("list_directory", {"path": "."})
    assert (await payer.hears(read, Status.DONE)).status is Status.DONE


async def test_a_yes_in_a_later_bucket_counts_there(tmp_path: Path) -> None:
    """Sums reach across the border of a bucket; what waited for its yes moves over it."""

    def shorter(policy: str) -> str:
        return policy.replace("window_s: 86400", f"window_s: {WINDOW_S}")

    async with tills(tmp_path, shorter) as road, AsyncExitStack() as stack:
        guests = Guests(road=road, stack=stack)
        payer, ann, eyes = await a_payer(guests), await guests.person(), await guests.eyes()
        call = await pay(payer, "1500.00")
        card = await ann.card((await payer.pending(call)).hold_id)
        before = await reserved(eyes, card.hold_id)

        async def border_is_passed() -> bool:
            """A small payment of somebody else tells which bucket it is."""
            told = await paid(await guests.agent("anns"), "0.01")
            now = {subject.rpartition("-")[2] for subject, _ in await reserved(eyes, told.hold_id)}
            return now.isdisjoint(subject.rpartition("-")[2] for subject, _ in before)

        await eventually(border_is_passed, WINDOW_S)
        assert (await paid(payer, "1.00")).status is Status.PENDING_CONFIRMATION
        await ann.proceed(card)
        await payer.hears(call, Status.DONE)

        facts = await eyes.facts(card.hold_id)
        after = [(it.subject, it.amount) for it in facts[-1].hold.reserved]
        assert isinstance(facts[-1], Resumed)
        assert {amount for _, amount in after} == {150_000}
        assert {it for it, _ in after}.isdisjoint(it for it, _ in before)
        await comes_to(eyes, [it for it, _ in before], 0)
        await comes_to(eyes, [it for it, _ in after], 150_100)


async def test_what_a_sum_alone_denies_is_given_back(tmp_path: Path) -> None:
    """A policy may deny a high risk: then nothing ran, and nothing is summed."""

    def stricter(policy: str) -> str:
        rules = yaml.safe_load(policy)
        rules["levels"][5] = {"verdict": "deny", "why": "nobody may confirm it"}
        rules["risk_levels"]["high"] = 5
        rules["risk_levels"]["critical"] = 5
        return yaml.safe_dump(rules, sort_keys=False)

    async with tills(tmp_path, stricter) as road, AsyncExitStack() as stack:
        guests = Guests(road=road, stack=stack)
        payer, eyes = await a_payer(guests), await guests.eyes()
        assert (await paid(payer, "600.00")).status is Status.DONE

        told = await paid(payer, "600.00")

        assert told.status is Status.DENIED
        (denied,) = await eyes.facts(told.hold_id)
        assert isinstance(denied, Denied)
        await comes_to(eyes, [it.subject for it in denied.hold.reserved], 60_000)
        assert (await paid(payer, "400.00")).status is Status.DONE
