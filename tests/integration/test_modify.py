"""A person changes a call: the changed one takes its place and is judged afresh."""

import asyncio
from typing import Any

import pytest
from tests.actors import AgentVoice, PersonVoice, StreamEyes
from tests.running_system import Road, fresh
from tests.waiting import eventually

from holdpoint.client import Holdpoint, Status
from holdpoint.messages.answer import Change, Choice
from holdpoint.messages.card import Card
from holdpoint.messages.envelope import Changed, Envelope
from holdpoint.messages.hold import Halted, Resumed

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.timeout(180)]
pytest_plugins = ("tests.system_fixtures",)


def delete(table: str, most: int) -> dict[str, Any]:
    sql = f"DELETE FROM {table} WHERE id <= :most"
    return {"database": "crm", "sql": sql, "parameters": {"most": most}}


async def changed(person: PersonVoice, card: Card, **change: Any) -> Envelope:
    seq = await person.answer(
        card, Choice.MODIFY, change=Change(**change), reason="Only the first one."
    )
    return await person.heard(card, seq)


async def card_of(robot: AgentVoice, ann: PersonVoice, arguments: dict[str, Any]) -> Card:
    call = await robot.propose("execute_sql", arguments)
    return await ann.card((await robot.pending(call)).hold_id)


async def test_the_changed_call_is_asked_about_anew_and_its_agent_hears_what_ran(
    road: Road, ann: PersonVoice, eyes: StreamEyes
) -> None:
    table, key = road.table(3), fresh("key")
    async with Holdpoint.connect("robot", road.settings) as hp:
        pending = await hp.call("execute_sql", delete(table, 3), wait=False, idempotency_key=key)
        card = await ann.card(pending.hold_id)
        waiting = asyncio.create_task(hp.resume(pending.hold_id))
        told = await changed(ann, card, arguments={"parameters": {"most": 1}})
        new = await ann.card(told.superseded_by)
        assert not waiting.done()
        await ann.proceed(new)
        outcome = await waiting
        again = await hp.call("execute_sql", delete(table, 3), idempotency_key=key)
    assert [it.name for it in card.form] == ["database", "sql", "parameters"]
    assert (new.modified_from, new.modified_by) == (card.hold_id, "ann")
    assert (new.before, new.voices) == ({"parameters": {"most": 3}}, ())
    assert (new.ui.action.affected, card.ui.action.affected) == (1, 3)
    assert (outcome.status, road.rows(table)) == (Status.DONE, 2)
    assert outcome.hold_id == again.hold_id == new.hold_id
    change = Changed(hold_id=card.hold_id, arguments={"parameters": {"most": 1}})
    assert outcome.changed == change
    assert outcome.message_for_user.startswith("ann changed the arguments before this ran.")
    await is_in_the_ledger(road, eyes, card, new)


async def is_in_the_ledger(road: Road, eyes: StreamEyes, card: Card, new: Card) -> None:
    """The story of both holds, with nothing that needs an explanation."""
    old = (await eyes.facts(card.hold_id))[-1]
    assert isinstance(old, Resumed)
    assert (old.confirmed, old.hold.superseded_by) == (False, new.hold_id)
    assert (old.hold.outcome, old.hold.ended_by) == ("superseded", "person")
    (first, *_) = await eyes.facts(new.hold_id)
    assert isinstance(first, Halted)
    assert first.cause.startswith("ANSWERS:")
    assert (await road.ended(card.hold_id)).outcome == "superseded"
    assert (await road.ended(new.hold_id)).approvers == ["ann"]

    async def is_explained() -> bool:
        ids = {card.hold_id, new.hold_id}
        return not [it for it in road.exceptions() if it.hold_id in ids]

    assert await eventually(is_explained)


async def test_n5_a_change_is_judged_afresh_and_no_yes_to_the_old_card_counts_for_it(
    road: Road, robot: AgentVoice, ann: PersonVoice, ben: PersonVoice
) -> None:
    table = road.table(3)
    card = await card_of(robot, ann, delete(table, 1))

    told = await changed(ann, card, arguments={"sql": f"DROP TABLE {table}", "parameters": {}})

    new = await ann.card(told.superseded_by)
    assert new.ui.risk_level > card.ui.risk_level
    late = await ben.proceed(card)
    assert (late.status, late.code) == (Status.REFUSED, "already_closed")
    assert road.rows(table) == 3
    await ann.cancel(new)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"arguments": {"nonsense": 1}}, "bad_change"),
        ({"arguments": {"sql": 7}}, "bad_arguments"),
        ({"removed": ("sql",)}, "missing_arguments"),
        ({}, "bad_change"),
    ],
)
async def test_what_cannot_be_proposed_leaves_the_hold_as_it_was(
    road: Road, robot: AgentVoice, ann: PersonVoice, change: dict[str, Any], code: str
) -> None:
    table = road.table(3)
    card = await card_of(robot, ann, delete(table, 2))

    told = await changed(ann, card, **change)

    assert (told.status, told.code) == (Status.REFUSED, code)
    assert (await ann.card(card.hold_id)).digest == card.digest
    assert (await ann.proceed(card)).status is Status.APPROVED


async def test_a_change_and_a_yes_at_once_let_one_of_them_run(
    road: Road, robot: AgentVoice, ann: PersonVoice, ben: PersonVoice
) -> None:
    for _ in range(5):
        table = road.table(3)
        card = await card_of(robot, ann, delete(table, 3))

        told, yes = await asyncio.gather(
            changed(ann, card, arguments={"parameters": {"most": 1}}), ben.proceed(card)
        )

        won = [it for it in (told, yes) if it.status is not Status.REFUSED]
        assert len(won) == 1
        if told.status is Status.SUPERSEDED:
            await ann.proceed(await ann.card(told.superseded_by))
            await has(road, table, 2)
        else:
            await has(road, table, 0)


async def has(road: Road, table: str, rows: int) -> None:
    async def are_left() -> bool:
        return road.rows(table) == rows

    assert await eventually(are_left)
