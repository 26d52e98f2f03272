"""Plans: one card for an ordered list of exact calls, and each of them passes once, in order."""

from typing import Any

import pytest
from tests.actors import PersonVoice, StreamEyes
from tests.running_system import Road
from tests.waiting import eventually

from holdpoint.client import Holdpoint, Outcome, Status
from holdpoint.messages.card import Card
from holdpoint.messages.catalog import Enforcement
from holdpoint.messages.hold import Passed

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.timeout(180)]
pytest_plugins = ("tests.system_fixtures",)


def delete(table: str, row: int) -> dict[str, Any]:
    sql = f"DELETE FROM {table} WHERE id = :id"
    return {"database": "crm", "sql": sql, "parameters": {"id": row}}


def steps(table: str, *rows: int) -> list[tuple[str, dict[str, Any]]]:
    return [("execute_sql", delete(table, row)) for row in rows]


async def confirmed(hp: Holdpoint, ann: PersonVoice, planned: list[tuple[str, Any]]) -> str:
    """The hold of a plan that ann said yes to."""
    asked = await hp.plan(planned, wait=False)
    assert asked.status is Status.PENDING_CONFIRMATION
    await ann.proceed(await ann.card(asked.hold_id))
    assert (await hp.resume(asked.hold_id)).confirmed
    return asked.hold_id


async def step(hp: Holdpoint, plan: str, table: str, row: int) -> Outcome:
    return await hp.call("execute_sql", delete(table, row), plan=plan, wait=False)


async def done(hp: Holdpoint, outcome: Outcome) -> Outcome:
    return outcome if outcome.is_final else await hp.resume(outcome.hold_id, timeout=20)


async def test_one_card_lists_all_steps_and_each_passes_once_in_its_order(
    road: Road, ann: PersonVoice, eyes: StreamEyes
) -> None:
    table = road.table(4)
    async with Holdpoint.connect("robot", road.settings) as hp:
        asked = await hp.plan(steps(table, 1, 2), "Remove both duplicates.", wait=False)
        card = await ann.card(asked.hold_id)
        await ann.proceed(card)
        assert (await hp.resume(asked.hold_id)).confirmed
        plan = asked.hold_id

        early = await step(hp, plan, table, 2)
        first = await done(hp, await step(hp, plan, table, 1))
        other = await step(hp, plan, table, 3)
        second = await done(hp, await step(hp, plan, table, 2))
        once_more = await step(hp, plan, table, 2)
        unnamed = await hp.call("execute_sql", delete(table, 1), wait=False)

    assert_lists(card, table)
    assert [first.status, second.status] == [Status.DONE, Status.DONE], (first, second)
    pending = [early.status, other.status, once_more.status, unnamed.status]
    assert pending == [Status.PENDING_CONFIRMATION] * 4
    assert road.rows(table) == 2
    outside = await ann.card(other.hold_id)
    assert "not step 2 of its plan" in " ".join(it.reason for it in outside.signals)
    await are_recorded(road, eyes, plan, (first.hold_id, second.hold_id))


async def are_recorded(road: Road, eyes: StreamEyes, plan: str, taken: tuple[str, str]) -> None:
    """Each step stands on the plan's hold and on its own, and needs no explanation."""
    assert (await eyes.facts(plan))[-1].hold.taken == taken
    (passed,) = await eyes.facts(taken[1])
    assert isinstance(passed, Passed)
    used = passed.hold.permitted
    assert used is not None
    assert (used.by, used.hold_id, used.use, used.uses) == ("ann", plan, 2, 2)

    async def is_explained() -> bool:
        return not [it for it in road.exceptions() if it.hold_id in {plan, *taken}]

    assert await eventually(is_explained)


def assert_lists(card: Card, table: str) -> None:
    assert (
        card.title
        == f"Take 2 steps: (1) Delete 1 row in crm.{table}; (2) Delete 1 row in crm.{table}"
    )
    assert card.enforcement is Enforcement.STRUCTURAL  # workers run each step, on a grant
    assert card.ui.action.arguments == {
        "step 1: execute_sql": delete(table, 1),
        "step 2: execute_sql": delete(table, 2),
    }
    assert card.ui.message == "Remove both duplicates."


async def test_a_plan_that_nobody_confirmed_lets_nothing_pass(road: Road, ann: PersonVoice) -> None:
    table = road.table(2)
    async with Holdpoint.connect("robot", road.settings) as hp:
        asked = await hp.plan(steps(table, 1), wait=False)
        open_still = await step(hp, asked.hold_id, table, 1)
        await ann.cancel(await ann.card(asked.hold_id))
        await hp.resume(asked.hold_id)
        cancelled = await step(hp, asked.hold_id, table, 1)
        unknown = await step(hp, "nosuchplan", table, 1)

    told = [open_still.status, cancelled.status, unknown.status]
    assert told == [Status.PENDING_CONFIRMATION] * 3
    assert road.rows(table) == 2


async def test_a_read_outside_of_the_plan_that_it_names_halts(road: Road, ann: PersonVoice) -> None:
    table = road.table(2)
    async with Holdpoint.connect("robot", road.settings) as hp:
        plan = await confirmed(hp, ann, steps(table, 1))
        look = await hp.call("run_command", {"command": "ls"}, plan=plan, wait=False)
        unnamed = await hp.call("run_command", {"command": "ls"})

    assert look.status is Status.PENDING_CONFIRMATION
    assert unnamed.status is Status.DONE


async def test_n5_a_step_that_has_changed_since_people_saw_it_asks(
    road: Road, ann: PersonVoice
) -> None:
    """The dry run counts more rows than it did: that is not what was confirmed."""
    table = road.table(2, status="stale")
    call = {"database": "crm", "sql": f"DELETE FROM {table} WHERE status = 'stale'"}
    async with Holdpoint.connect("robot", road.settings) as hp:
        plan = await confirmed(hp, ann, [("execute_sql", call)])
        road.fill(table, 1, status="stale")
        told = await hp.call("execute_sql", call, plan=plan, wait=False)

    assert told.status is Status.PENDING_CONFIRMATION
    assert road.rows(table) == 3


async def test_a_step_after_one_that_was_not_done_asks(road: Road, ann: PersonVoice) -> None:
    table = road.table(2)
    fails = ("run_command", {"command": "rm -r no-such-folder"})
    async with Holdpoint.connect("robot", road.settings) as hp:
        plan = await confirmed(hp, ann, [fails, *steps(table, 1)])
        first = await hp.call(*fails, plan=plan)
        second = await step(hp, plan, table, 1)

    assert first.status is Status.FAILED
    assert second.status is Status.PENDING_CONFIRMATION
    assert road.rows(table) == 2


async def test_what_fits_no_tool_is_refused_by_its_step(road: Road) -> None:
    async with Holdpoint.connect("robot", road.settings) as hp:
        with pytest.raises(Exception, match=r"Step 2: There is no tool 'fly'"):
            await hp.plan([("run_command", {"command": "ls"}), ("fly", {})], wait=False)
