"""The same key is the same hold, for as long as it is remembered."""

from datetime import timedelta
from typing import Any

import pytest
from tests.actors import AgentVoice, Call, PersonVoice, StreamEyes
from tests.running_system import Road, fresh

from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Halted, Rendered

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

MICROSECONDS = timedelta(microseconds=3)
"""Two readings of one broker timestamp are rounded differently by nats-py."""

ENDED = (Status.DONE, Status.FAILED, Status.PRECONDITION_FAILED, Status.REFUSED, Status.DENIED)


def delete(table: str) -> dict[str, Any]:
    return {"database": "crm", "sql": f"DELETE FROM {table} WHERE status = 'stale'"}  # ours


async def propose_delete(robot: AgentVoice, table: str, **more: Any) -> Call:
    return await robot.propose("execute_sql", delete(table), **more)


async def test_a_repeat_after_the_end_gets_the_original_data(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    table, key = road.table(5), fresh("key")
    first = await propose_delete(robot, table, key=key)
    asked = await robot.pending(first)
    await ann.proceed(await ann.card(asked.hold_id))
    done = await robot.hears(first, Status.DONE)
    road.fill(table, 3)

    again = await robot.hears(await propose_delete(robot, table, key=key), *Status)
    again = await robot.hears(
        await propose_delete(robot, table, key=key), Status.ALREADY_PROCESSED, *ENDED
    )

    assert again.status is Status.ALREADY_PROCESSED
    assert (again.hold_id, again.data, again.formatted) == (
        done.hold_id,
        done.data,
        done.formatted,
    )
    assert again.cause == f"CALLS@robot:{first.seq}"
    assert road.rows(table) == 3


async def test_a_repeat_while_it_waits_is_the_same_hold(
    road: Road, robot: AgentVoice, eyes: StreamEyes
) -> None:
    table, key = road.table(5), fresh("key")
    first = await robot.pending(await propose_delete(robot, table, key=key))
    road.fill(table, 50)

    again = await robot.pending(await propose_delete(robot, table, key=key))

    assert again.hold_id == first.hold_id
    assert again.confirmation == first.confirmation
    assert [type(fact) for fact in await eyes.facts(first.hold_id)] == [Halted, Rendered]


async def test_a_repeat_after_a_no_is_still_a_no(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    table, key = road.table(5), fresh("key")
    asked = await robot.pending(await propose_delete(robot, table, key=key))
    await ann.cancel(await ann.card(asked.hold_id))

    again = await robot.hears(await propose_delete(robot, table, key=key), Status.CANCELLED, *ENDED)

    assert (again.status, again.hold_id) == (Status.CANCELLED, asked.hold_id)


async def test_a_reused_key_with_another_content_is_refused(
    road: Road, robot: AgentVoice, eyes: StreamEyes
) -> None:
    table, other, key = road.table(5), road.table(9), fresh("key")
    asked = await robot.pending(await propose_delete(robot, table, key=key))

    reused = await propose_delete(robot, other, key=key)
    told = await robot.hears(reused, Status.REFUSED, *ENDED)

    assert (told.status, told.code) == (Status.REFUSED, "idempotency_key_reused")
    assert told.hold_id == asked.hold_id
    assert len(await eyes.facts(asked.hold_id)) == 2
    assert len(await eyes.refusals("robot", f"CALLS@robot:{reused.seq}")) == 1


async def test_the_same_key_of_another_agent_is_another_hold(
    road: Road, robot: AgentVoice, guests: Any
) -> None:
    table, key = road.table(5), fresh("key")
    rival = await guests.agent("rival")

    mine = await robot.pending(await propose_delete(robot, table, key=key))
    its = await rival.pending(await propose_delete(rival, table, key=key))

    assert mine.hold_id != its.hold_id
