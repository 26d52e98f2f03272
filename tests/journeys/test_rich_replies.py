"""Every reply has seed 000's forms, and each action that it offers is called as it stands, raw."""

from typing import Any

import pytest
from tests.actors import AgentVoice, PersonVoice
from tests.replies import DECIDED, check_forms, follow
from tests.running_system import Road, fresh

from holdpoint.messages.envelope import Status

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)


def delete(table: str) -> dict[str, Any]:
    return {"database": "crm", "sql": f"DELETE FROM {table} WHERE status = 'stale'"}


async def test_rich_semantics_and_available_actions_of_a_reply_that_is_done(
    road: Road, robot: AgentVoice
) -> None:
    name = fresh("file")
    calls = [
        ("create_file", {"path": name, "content": "text"}),
        ("list_directory", {"path": "."}),
        ("read_file", {"path": name}),
        ("query_database", {"database": "crm", "sql": f"SELECT * FROM {road.table(3)}"}),
        ("run_command", {"command": "ls"}),
    ]
    for tool, arguments in calls:
        call = await robot.propose(tool, arguments)
        done = await robot.hears(call, *DECIDED)
        assert done.status is Status.DONE, (tool, done.reason)
        actions = await check_forms(robot, call)
        assert actions, tool
        for told in await follow(robot, actions):
            assert told.status is Status.DONE, (tool, told.reason)


async def test_rich_semantics_of_a_reply_that_is_pending_and_then_confirmed(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    call = await robot.propose("execute_sql", delete(road.table(5)))
    pending = await robot.pending(call)
    ask, take_back = await check_forms(robot, call)
    assert [it.hold_id for it in await follow(robot, [ask])] == [pending.hold_id]

    await ann.proceed(await ann.card(pending.hold_id))
    await robot.hears(call, Status.DONE)
    looked = await follow(robot, await check_forms(robot, call))

    assert [it.status for it in looked] == [Status.DONE]
    assert take_back["tool"] == "cancel_pending_operation"


async def test_rich_semantics_of_a_reply_that_is_withdrawn_by_its_action(
    road: Road, robot: AgentVoice
) -> None:
    call = await robot.propose("execute_sql", delete(road.table(5)))
    await robot.pending(call)
    _, take_back = await check_forms(robot, call)

    assert [it.status for it in await follow(robot, [take_back])] == [Status.WITHDRAWN]
    (again,) = await check_forms(robot, call)
    assert (again["tool"], again["params"]["database"]) == ("execute_sql", "crm")


async def test_rich_semantics_of_a_reply_that_people_cancelled(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    call = await robot.propose("execute_sql", delete(road.table(5)))
    pending = await robot.pending(call)
    await ann.cancel(await ann.card(pending.hold_id))
    await robot.hears(call, Status.CANCELLED)

    assert await check_forms(robot, call) == []


@pytest.mark.parametrize(
    ("tool", "arguments", "status"),
    [
        ("no_such_tool", {}, Status.REFUSED),
        ("read_file", {"path": "no/such/file"}, Status.FAILED),
        ("read_file", {"pth": "x"}, Status.REFUSED),
        ("query_database", {"database": "crm", "sql": "SELECT * FROM nowhere"}, Status.FAILED),
    ],
)
async def test_rich_semantics_of_a_reply_that_did_not_work(
    robot: AgentVoice, tool: str, arguments: dict[str, Any], status: Status
) -> None:
    call = await robot.propose(tool, arguments)
    await robot.hears(call, status)

    await follow(robot, await check_forms(robot, call))
