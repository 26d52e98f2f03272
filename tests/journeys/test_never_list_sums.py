"""N12 of the never-list, and what it takes: sums that grow before a call is judged, and shrink
when nothing ran."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

import pytest
from tests.actors import Guests, PersonVoice, StreamEyes
from tests.payment_system import (
    a_payer,
    another_gate,
    comes_to,
    counters,
    paid,
    pay,
    reserved,
    tills,
)
from tests.running_system import Road, fresh

from holdpoint.messages.call import Lineage
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Halted
from holdpoint.messages.risk import Heuristic
from holdpoint.runtime.process import clock

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

SMALL = "999.00"
CENTS = 99_900


@pytest.fixture(scope="module")
def road(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    """A road with a till, and the policy as it is shipped."""
    with asyncio.Runner() as runner:
        world = tills(tmp_path_factory.mktemp("till"))
        yield runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


async def test_n12_ten_calls_of_999_do_not_slip_under_a_gate_of_1000(
    guests: Guests, eyes: StreamEyes
) -> None:
    """The first passes; each of the other nine asks a person, and says why: who acts for nobody
    has one sum, and it is told once.
    """
    payer = await a_payer(guests)

    told = [await paid(payer, SMALL) for _ in range(10)]

    assert [it.status for it in told] == [Status.DONE, *[Status.PENDING_CONFIRMATION] * 9]
    (halted, *_) = await eyes.facts(told[1].hold_id)
    assert isinstance(halted, Halted)
    reasons = {it.rule: it for it in halted.hold.assessment.signals}
    assert set(reasons) == {"tally.amount-agent"}
    said = reasons["tally.amount-agent"]
    assert said.heuristic is Heuristic.TALLY
    assert said.reason == (
        "counting what waits, this makes 1,998.00 USD in 24 h by this agent and its subagents; "
        "the limit is 1,000.00 USD"
    )


@pytest.mark.slow
async def test_n12_ten_calls_at_once_through_two_gates_do_not_slip_either(
    road: Road, guests: Guests, eyes: StreamEyes
) -> None:
    async with another_gate(road):
        payers = [await a_payer(guests) for _ in range(3)]
        calls = [pay(payer, SMALL) for _ in range(10) for payer in payers]
        seqs = await asyncio.gather(*calls)
        wanted = (Status.DONE, Status.PENDING_CONFIRMATION)
        told = await asyncio.gather(
            *(payers[at % 3].hears(it, *wanted) for at, it in enumerate(seqs))
        )

    done = Counter(at % 3 for at, it in enumerate(told) if it.status is Status.DONE)
    assert all(count <= 1 for count in done.values())
    for payer_number in range(3):
        (subject, _), _ = await reserved(eyes, told[payer_number].hold_id)
        assert (await counters(eyes))[subject] == 10 * CENTS


@pytest.mark.slow
async def test_n12_another_agent_is_not_affected_but_another_of_the_same_person_is(
    guests: Guests,
) -> None:
    payer, stranger = await a_payer(guests), await a_payer(guests)
    anns, other = await guests.agent("anns"), await guests.agent("anns-other")

    assert (await paid(payer, SMALL)).status is Status.DONE
    assert (await paid(payer, "2.00")).status is Status.PENDING_CONFIRMATION
    assert (await paid(stranger, SMALL)).status is Status.DONE
    assert (await paid(anns, SMALL)).status is Status.DONE
    assert (await paid(other, SMALL)).status is Status.PENDING_CONFIRMATION


@pytest.mark.slow
async def test_n12_an_agent_and_those_it_starts_are_summed_as_one(guests: Guests) -> None:
    helpers_helper, lead = await guests.agent("helpers-helper"), await guests.agent("lead")

    assert (await paid(helpers_helper, SMALL)).status is Status.DONE
    assert (await paid(lead, "2.00")).status is Status.PENDING_CONFIRMATION
    assert (await paid(await guests.agent("helper"), "2.00")).status is Status.PENDING_CONFIRMATION


@pytest.mark.slow
async def test_n12_naming_a_group_adds_a_sum_and_escapes_none(guests: Guests) -> None:
    first, second = await a_payer(guests), await a_payer(guests)
    task, other = Lineage(group_id=fresh("task")), Lineage(group_id=fresh("task"))

    assert (await paid(first, SMALL, lineage=task)).status is Status.DONE
    assert (await paid(second, "2.00", lineage=task)).status is Status.PENDING_CONFIRMATION
    assert (await paid(first, "2.00", lineage=other)).status is Status.PENDING_CONFIRMATION
    assert (await paid(await a_payer(guests), "2.00", lineage=other)).status is Status.DONE


@pytest.mark.slow
async def test_n12_the_limit_itself_is_not_above_it_and_currencies_are_converted(
    guests: Guests,
) -> None:
    payer = await a_payer(guests)

    assert (await paid(payer, "892.00")).status is Status.DONE
    assert (await paid(payer, "100.00", currency="EUR")).status is Status.DONE
    assert (await paid(payer, "0.01")).status is Status.PENDING_CONFIRMATION


async def test_a_cancelled_payment_is_given_back_and_the_next_passes(
    guests: Guests, ann: PersonVoice, eyes: StreamEyes
) -> None:
    payer = await a_payer(guests)
    await paid(payer, "600.00")
    waits = await paid(payer, "600.00")
    assert waits.status is Status.PENDING_CONFIRMATION
    subjects = [subject for subject, _ in await reserved(eyes, waits.hold_id)]
    await comes_to(eyes, subjects, 120_000)

    await ann.cancel(await ann.card(waits.hold_id))
    await comes_to(eyes, subjects, 60_000)

    assert (await paid(payer, "400.00")).status is Status.DONE


async def test_what_a_person_said_yes_to_counts_though_the_sum_is_passed(
    guests: Guests, ann: PersonVoice, eyes: StreamEyes
) -> None:
    payer = await a_payer(guests)
    call = await pay(payer, "1500.00")
    card = await ann.card((await payer.pending(call)).hold_id)
    other = await pay(payer, "1500.00")
    second = await ann.card((await payer.pending(other)).hold_id)

    for it, asked in ((card, call), (second, other)):
        await ann.proceed(it)
        await payer.hears(asked, Status.DONE)

    subjects = [subject for subject, _ in await reserved(eyes, card.hold_id)]
    await comes_to(eyes, subjects, 300_000)
    assert (await paid(payer, "1.00")).status is Status.PENDING_CONFIRMATION


@pytest.mark.slow
async def test_what_was_withdrawn_or_expired_is_given_back(
    guests: Guests, eyes: StreamEyes
) -> None:
    payer = await a_payer(guests)
    waits = await paid(payer, "1500.00")
    soon = clock.now() + timedelta(seconds=1)
    await paid(payer, "1600.00", deadline=soon)
    subjects = [subject for subject, _ in await reserved(eyes, waits.hold_id)]

    await payer.withdraw(waits.hold_id)

    await comes_to(eyes, subjects, 0)


@pytest.mark.slow
async def test_what_never_started_or_found_other_conditions_is_given_back(
    road: Road, guests: Guests, eyes: StreamEyes
) -> None:
    payer = await a_payer(guests)
    changed = await paid(payer, "100.00", ends="precondition_failed")
    assert changed.status is Status.PRECONDITION_FAILED
    with road.paused("worker-till"):
        call = await pay(payer, "200.00")
        granted = await payer.hears(call, Status.APPROVED)
        await payer.withdraw(granted.hold_id)
        await payer.hears(call, Status.BARRED)
    subjects = [subject for subject, _ in await reserved(eyes, granted.hold_id)]

    await comes_to(eyes, subjects, 0)


@pytest.mark.slow
@pytest.mark.parametrize("ends", ["failed", "in_doubt"])
async def test_what_may_have_run_is_not_given_back(
    guests: Guests, eyes: StreamEyes, ends: str
) -> None:
    payer = await a_payer(guests)
    call = await pay(payer, "300.00", ends=ends)
    told = await payer.hears(call, Status.FAILED, Status.IN_DOUBT)
    await paid(payer, "100.00", ends="precondition_failed")

    await comes_to(eyes, [it for it, _ in await reserved(eyes, told.hold_id)], 30_000)


async def test_a_repeat_with_the_same_key_counts_once(guests: Guests, eyes: StreamEyes) -> None:
    payer = await a_payer(guests)
    told = [await paid(payer, "700.00", key="same-key-of-mine", to="shop") for _ in range(3)]

    assert told[0].status is Status.DONE
    assert len({it.hold_id for it in told}) == 1
    await comes_to(eyes, [it for it, _ in await reserved(eyes, told[0].hold_id)], 70_000)


@pytest.mark.slow
async def test_reads_sentences_and_denied_calls_count_nothing(
    guests: Guests, ann: PersonVoice, eyes: StreamEyes
) -> None:
    payer = await a_payer(guests)
    before = await counters(eyes)

    listed = await payer.propose("list_directory", {"path": "."})
    await payer.hears(listed, Status.DONE)
    said = await payer.say("I will pay $400 to the shop.")
    await payer.hears(said, Status.CONFIRMED, Status.PENDING_CONFIRMATION)
    try:
        await ann.told(await ann.kill(payer.name))
        assert (await paid(payer, SMALL)).status is Status.DENIED
    finally:
        await ann.told(await ann.revive(payer.name))

    assert await counters(eyes) == before


@pytest.mark.slow
async def test_what_is_refused_after_it_was_counted_is_given_back(
    guests: Guests, eyes: StreamEyes
) -> None:
    """Too much of what nobody can see: a card could not show it whole."""
    payer = await a_payer(guests)

    refused = await paid(payer, "700.00", to="\u200b" * 20_000)
    told = await paid(payer, "400.00")

    assert (refused.status, refused.code) == (Status.REFUSED, "too_large")
    assert told.status is Status.DONE
    await comes_to(eyes, [it for it, _ in await reserved(eyes, told.hold_id)], 40_000)
