"""Every reply has seed 000's forms, and each action that it offers is called as it stands, raw."""

import json
from typing import Any

import pytest
from tests.actors import AgentVoice, Call, PersonVoice
from tests.running_system import TENANT, Road, fresh

from holdpoint.messages import subjects as s
from holdpoint.messages.ask import AskHold
from holdpoint.messages.codec import encode
from holdpoint.messages.envelope import Envelope, Status

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

FORMS = {"data", "formatted", "formatted_spoken", "message_for_user", "available_actions"}
WRONG = frozenset({"unknown_tool", "bad_arguments", "cannot_run", "unknown_hold"})


async def raw_reply(robot: AgentVoice, call: Call) -> dict[str, Any]:
    """The reply's very bytes, as a stranger reads them."""
    question = encode(AskHold(seq=call.seq))
    subject = s.ask_hold_subject(TENANT, robot.name)
    reply = await robot.client.request(subject, question, timeout=5)
    found: dict[str, Any] = json.loads(reply.data)
    return found


async def check_forms(robot: AgentVoice, call: Call) -> list[dict[str, Any]]:
    """The reply has every form; return its actions."""
    reply = await raw_reply(robot, call)
    assert set(reply) >= FORMS
    assert reply["message_for_user"]
    assert reply["formatted"]
    assert reply["formatted_spoken"]
    assert all(it.isalpha() or it in " .,'-" for it in reply["formatted_spoken"])
    actions: list[dict[str, Any]] = reply["available_actions"]
    for action in actions:
        assert set(action) == {"tool", "params", "label", "description"}
        assert action["label"]
        assert action["description"]
    return actions


async def follow(robot: AgentVoice, actions: list[dict[str, Any]]) -> list[Envelope]:
    """Call each action as it stands."""
    told = []
    for action in actions:
        call = await robot.propose(action["tool"], action["params"])
        told.append(await robot.hears(call, *(set(Status) - {Status.WAITING, Status.APPROVED})))
        assert told[-1].code not in WRONG, (action, told[-1].reason)
        await check_forms(robot, call)
    return told


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
        done = await robot.hears(call, *(set(Status) - {Status.WAITING, Status.APPROVED}))
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
    assert await check_forms(robot, call) == []


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
