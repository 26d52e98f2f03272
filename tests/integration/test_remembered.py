"""Remembered permissions on the running system: given with a yes, counted, below all rules."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.actors import AgentVoice, Call, Guests, PersonVoice, StreamEyes
from tests.payment_system import another_gate
from tests.running_system import TENANT, Road, running
from tests.waiting import eventually

from holdpoint.messages import subjects as s
from holdpoint.messages.answer import Choice, Limit, Remember
from holdpoint.messages.card import Card
from holdpoint.messages.envelope import Envelope, Status
from holdpoint.messages.hold import Passed
from holdpoint.messages.state import PermissionState, RevokePermission
from holdpoint.runtime.store.state import PERMISSION

pytestmark = [pytest.mark.nats, pytest.mark.timeout(180)]
pytest_plugins = ("tests.system_fixtures",)

REVOKE = PERMISSION


def update(table: str, status: str = "new", row: int = 1) -> dict[str, Any]:
    sql = f"UPDATE {table} SET status = :status WHERE id = :id"
    return {"database": "crm", "sql": sql, "parameters": {"status": status, "id": row}}


async def card_of(robot: AgentVoice, ann: PersonVoice, call: Call) -> Card:
    return await ann.card((await robot.pending(call)).hold_id)


async def said_yes(ann: PersonVoice, card: Card, **remember: Any) -> Envelope:
    seq = await ann.answer(card, Choice.PROCEED, remember=Remember(**remember))
    return await ann.heard(card, seq)


async def told_of(robot: AgentVoice, call: Call) -> Envelope:
    return await robot.hears(
        call, Status.DONE, Status.PENDING_CONFIRMATION, Status.DENIED, Status.FAILED
    )


async def again(robot: AgentVoice, table: str, **more: Any) -> Envelope:
    return await told_of(robot, await robot.propose("execute_sql", update(table, **more)))


async def allowed(
    robot: AgentVoice, ann: PersonVoice, eyes: StreamEyes, table: str, **remember: Any
) -> Card:
    """The card of an update that ann said yes to, with a permission that counts by now."""
    call = await robot.propose("execute_sql", update(table))
    card = await card_of(robot, ann, call)
    seq = await ann.answer(card, Choice.PROCEED, remember=Remember(**remember))
    assert (await ann.heard(card, seq)).status is Status.APPROVED
    await robot.hears(call, Status.DONE)

    async def is_kept() -> bool:
        stored = await eyes.on(s.STATE, s.state_subject(TENANT, PERMISSION, robot.name))
        states = [it.message for it in stored]
        return any(
            f"ANSWERS:{seq}" in it.settled for it in states if isinstance(it, PermissionState)
        )

    assert await eventually(is_kept)
    return card


async def test_a_remembered_action_runs_as_often_as_allowed_and_then_asks(
    road: Road, robot: AgentVoice, ann: PersonVoice, eyes: StreamEyes
) -> None:
    table = road.table(3)
    card = await allowed(robot, ann, eyes, table, uses=2)

    first, second = await again(robot, table), await again(robot, table)
    third = await again(robot, table)

    assert [first.status, second.status] == [Status.DONE, Status.DONE]
    assert third.status is Status.PENDING_CONFIRMATION
    (passed,) = await eyes.facts(second.hold_id)
    assert isinstance(passed, Passed)
    used = passed.hold.permitted
    assert used is not None
    assert (used.by, used.hold_id, used.use, used.uses) == ("ann", card.hold_id, 2, 2)
    assert used.answer.startswith("ANSWERS:")
    assert passed.hold.reason == f"Allowed by ann: permission {used.permission_id}, use 2 of 2."

    async def is_explained() -> bool:
        return not [it for it in road.exceptions() if it.hold_id == second.hold_id]

    assert await eventually(is_explained)


async def test_n19_another_action_another_agent_and_a_higher_risk_still_ask(
    road: Road, robot: AgentVoice, ann: PersonVoice, guests: Guests, eyes: StreamEyes
) -> None:
    table = road.table(3)
    await allowed(robot, ann, eyes, table)
    rival = await guests.agent("rival")

    assert (await again(robot, table, status="old")).status is Status.PENDING_CONFIRMATION
    assert (await again(rival, table)).status is Status.PENDING_CONFIRMATION
    tainted = await robot.propose("execute_sql", update(table), taint_source="a web page")
    assert (await told_of(robot, tainted)).status is Status.PENDING_CONFIRMATION
    for_ben = await robot.propose("execute_sql", update(table), on_behalf_of="ben")
    assert (await told_of(robot, for_ben)).status is Status.PENDING_CONFIRMATION
    assert (await again(robot, table)).status is Status.DONE


async def test_n19_the_kill_switch_outranks_what_was_remembered(
    road: Road, ann: PersonVoice, guests: Guests, eyes: StreamEyes
) -> None:
    doomed, table = await guests.agent("doomed"), road.table(3)
    await allowed(doomed, ann, eyes, table)

    await ann.told(await ann.kill("doomed"))
    denied = await again(doomed, table)
    await ann.told(await ann.revive("doomed"))

    assert denied.status is Status.DENIED
    assert (await again(doomed, table)).status is Status.DONE


async def test_what_is_revoked_asks_again(
    road: Road, robot: AgentVoice, ann: PersonVoice, ben: PersonVoice, eyes: StreamEyes
) -> None:
    table = road.table(3)
    await allowed(robot, ann, eyes, table)
    ran = await again(robot, table)
    permission = (await eyes.facts(ran.hold_id))[0].hold.permitted.permission_id
    order = RevokePermission(agent="robot", permission_id=permission, reason="It is over.")

    refused = await ben.told(await ben.order(order, REVOKE))
    assert (refused.status, refused.code) == (Status.REFUSED, "not_an_admin")
    assert (await again(robot, table)).status is Status.DONE
    assert (await ann.told(await ann.order(order, REVOKE))).status is Status.DONE

    assert (await again(robot, table)).status is Status.PENDING_CONFIRMATION
    gone = await ann.told(await ann.order(order, REVOKE))
    assert (gone.status, gone.code) == (Status.REFUSED, "unknown_permission")


async def test_a_yes_that_cannot_be_remembered_does_not_count(
    road: Road, robot: AgentVoice, ann: PersonVoice
) -> None:
    mark, call = await robot.command()
    card = await card_of(robot, ann, call)

    refused = await said_yes(ann, card, limits={"command": Limit(prefix="echo ran")})

    assert (refused.status, refused.code) == (Status.REFUSED, "bad_permission")
    assert "only this exact action" in refused.reason
    assert road.runs_of(mark) == 0
    no = await ann.answer(card, Choice.CANCEL, remember=Remember())
    assert (await ann.heard(card, no)).code == "bad_permission"
    assert (await ann.proceed(card)).status is Status.APPROVED


@pytest.mark.slow
async def test_two_gates_never_let_more_pass_than_was_allowed(tmp_path: Path) -> None:
    """Ten calls at once for three uses."""
    async with AsyncExitStack() as stack:
        road = await stack.enter_async_context(running(tmp_path, own={}))
        guests = Guests(road=road, stack=stack)
        robot, ann = await guests.agent("noisy"), await guests.person("ann")
        eyes = await guests.eyes()
        await stack.enter_async_context(another_gate(road))
        table = road.table(3)
        await allowed(robot, ann, eyes, table, uses=3)

        ended = await asyncio.gather(*(again(robot, table) for _ in range(10)))

        done = [it for it in ended if it.status is Status.DONE]
        assert len(done) == 3
        asked = [it for it in ended if it.status is Status.PENDING_CONFIRMATION]
        assert len(asked) == 7
