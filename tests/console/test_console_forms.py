"""A card's forms: a changed call, a remembered yes, and holds that are answered together."""

from typing import Any

import pytest
from playwright.async_api import Locator, expect
from tests.actors import AgentVoice, PersonVoice
from tests.browser import Screen, Screens
from tests.console.test_console_looks import objections
from tests.running_system import Road
from tests.waiting import eventually

from holdpoint.messages.envelope import Status

pytestmark = [pytest.mark.nats, pytest.mark.slow]
pytest_plugins = ("tests.system_fixtures", "tests.browser_fixtures")


def delete(table: str, most: int) -> dict[str, Any]:
    sql = f"DELETE FROM {table} WHERE id <= :most"
    return {"database": "crm", "sql": sql, "parameters": {"most": most}}


def update(table: str) -> dict[str, Any]:
    sql = f"UPDATE {table} SET status = :status WHERE id = 1"
    return {"database": "crm", "sql": sql, "parameters": {"status": "new"}}


async def asked(robot: AgentVoice, arguments: dict[str, Any]) -> str:
    return (await robot.pending(await robot.propose("execute_sql", arguments))).hold_id


def field(screen: Screen, hold: str, name: str) -> Locator:
    return screen.card(hold).locator(f'[data-argument="{name}"]')


async def test_a_changed_call_gets_a_card_of_its_own_that_shows_the_difference(
    screens: Screens, robot: AgentVoice, road: Road
) -> None:
    table = road.table(3)
    hold = await asked(robot, delete(table, 3))
    ann = await screens("ann")
    card = ann.card(hold)
    await card.get_by_text("Change it").click()
    await card.get_by_role("button", name="Send the changed call").click()
    await expect(ann.told(hold)).to_have_text("Nothing is changed yet.")

    await field(ann, hold, "parameters").fill('{"most": 1')
    await card.get_by_role("button", name="Send the changed call").click()
    await expect(ann.told(hold)).to_contain_text("is no JSON")
    await field(ann, hold, "parameters").fill('{"most": 1}')
    await expect(card.locator(".was:visible")).to_contain_text('"most": 3')
    await card.locator("[data-change-why]").fill("Only the first one.")
    await card.get_by_role("button", name="Send the changed call").click()

    await ann.stands_as(hold, "Superseded")
    told = await robot.ask(hold_id=hold)
    assert (told.status, told.reason) == (Status.SUPERSEDED, "ann changed it: Only the first one.")
    new = told.superseded_by
    await expect(ann.card(new).locator(".changed")).to_contain_text(
        'parameters: {"most":3} -> {"most":1}'
    )
    await ann.armed(new)
    await ann.proceed(new).click()
    await ann.stands_as(new, "Done")
    assert road.rows(table) == 2


async def test_a_refused_change_is_told_in_view_in_plain_words(
    screens: Screens, robot: AgentVoice, road: Road
) -> None:
    hold = await asked(robot, delete(road.table(3), 3))
    ann = await screens("ann", viewport={"width": 1280, "height": 560})
    card = ann.card(hold)
    await card.get_by_text("Change it").click()
    await field(ann, hold, "database").fill("../crm")
    await card.get_by_role("button", name="Send the changed call").click()

    await expect(ann.told(hold)).to_have_text(
        "Your answer does not count. The arguments do not fit: "
        "database: it does not have the right form."
    )
    await expect(ann.told(hold)).to_be_in_viewport(ratio=1)
    await field(ann, hold, "database").fill("crm2")
    await expect(ann.told(hold)).to_be_empty()


async def test_a_remembered_yes_is_listed_and_taken_back(
    screens: Screens, robot: AgentVoice, road: Road
) -> None:
    table = road.table(3)
    hold = await asked(robot, update(table))
    ann = await screens("ann")
    card = ann.card(hold)
    await card.get_by_text("Change it").click()
    await card.get_by_text("Remember this").click()
    await card.locator("[data-remember]").check()
    assert await objections(ann.page) == []
    await card.locator("[data-uses]").fill("3")
    await ann.armed(hold)
    await ann.proceed(hold).click()
    await ann.stands_as(hold, "Done")
    row = ann.page.locator("[data-revoke]", has_text=table)

    async def is_listed() -> bool:
        await ann.page.goto(f"{ann.url}/you/permissions")
        return await row.count() == 1

    assert await eventually(is_listed)
    await expect(row).to_contain_text("3 of 3 left")
    again = await robot.propose("execute_sql", update(table))
    await robot.hears(again, Status.DONE)
    await row.get_by_label("Why").fill("Enough.")
    await row.get_by_role("button", name="Take it back").click()

    await expect(row.locator(".told")).to_contain_text("It is taken back")
    once_more = await robot.propose("execute_sql", update(table))
    assert (await robot.pending(once_more)).status is Status.PENDING_CONFIRMATION


async def test_holds_on_the_same_action_are_answered_together_one_answer_each(
    screens: Screens, robot: AgentVoice, road: Road, ann: PersonVoice
) -> None:
    table = road.table(3)
    first, second, third = [await asked(robot, delete(table, 1)) for _ in range(3)]
    other = await asked(robot, delete(table, 2))
    screen = await screens("ann")
    line = screen.card(first).locator("[data-together]")
    await expect(line).to_contain_text("nswer 2 more")
    await expect(screen.card(other).locator("[data-together]")).to_be_hidden()

    await screen.armed(first)
    await line.locator("input").check()
    await screen.armed(first)
    await screen.proceed(first).click()

    for hold in (first, second, third):
        await expect(screen.card(hold)).to_have_attribute("data-open", "no")
        assert (await road.ended(hold)).approvers == ["ann"]
    await expect(screen.card(other)).to_have_attribute("data-open", "yes")
    await ann.cancel(await ann.card(other))
