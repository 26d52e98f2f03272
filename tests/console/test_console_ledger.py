"""The ledger's page in front of filters that nobody meant."""

import re

import pytest
from playwright.async_api import expect
from tests.actors import AgentVoice, Guests, PersonVoice
from tests.browser import Ask, Program, Screens
from tests.running_system import Road
from tests.waiting import eventually

from holdpoint.messages.envelope import Status

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures", "tests.browser_fixtures")


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("until=9999-12-31", 200),
        ("since=0001-01-01&until=0001-01-01", 200),
        ("before=0001-01-01T00:00:00%2B00:00~h1", 200),
        ("before=9999-12-31T23:59:59%2B00:00~h1", 200),
        ("text=%00%ff&agent=robot&person=ann&outcome=denied", 200),
        ("outcome=x", 400),
        ("before=abc", 400),
        ("before=0001-01-01T00:00:00%2B23:59~h1", 400),
        ("agent=%00", 400),
        ("person=../ann", 400),
        ("since=2026-W47-6", 400),
    ],
)
async def test_the_ledger_says_which_filter_is_none(
    program: Program, query: str, status: int
) -> None:
    await program.log_in("ann")
    reply = await program.get(f"/ledger?{query}")

    assert reply.status == status, reply.text
    assert status == 200 or f"`{query.partition('=')[0]}`" in reply.text


async def test_an_unknown_address_is_a_page_with_the_way_back(program: Program) -> None:
    stranger = await program.get("/nowhere")
    await program.log_in("ann")
    known = await program.get("/nowhere")

    assert (stranger.status, stranger.text) == (404, "Not Found.\n")
    assert known.status == 404
    assert "There is no such page." in known.text
    assert '<a href="/ledger"' in known.text


async def test_the_ledger_shows_who_read_it(program: Program) -> None:
    await program.log_in("ben")
    await program.get("/actions?agent=robot")

    async def is_shown() -> bool:
        shown = (await program.get("/ledger")).text
        return bool(
            re.search(r"actions <span[^>]*>agent robot</span></span>\s*<[^>]*><b>ben", shown)
        )

    assert await eventually(is_shown)


@pytest.mark.slow
async def test_a_search_that_finds_nothing_shows_no_tick_and_says_its_zone(
    screens: Screens,
) -> None:
    screen = await screens("ann", timezone_id="Asia/Tokyo")
    await screen.page.goto(f"{screen.url}/ledger?text=nobody-has-ever-said-this")

    await expect(screen.page.locator(".empty")).to_contain_text("Nothing matches")
    await expect(screen.page.locator(".empty svg")).to_have_count(0)
    await expect(screen.page.locator(".zone")).to_contain_text("Times are in Asia/Tokyo")


@pytest.mark.slow
async def test_what_the_kill_switch_stopped_says_so_and_who_threw_it(
    screens: Screens, guests: Guests, ann: PersonVoice, road: Road
) -> None:
    doomed = await guests.agent("doomed")
    call = await doomed.propose("run_command", {"command": "rm -r old"})
    hold = (await doomed.pending(call)).hold_id
    await ann.kill("doomed", "enough")
    await road.ended(hold)
    await ann.revive("doomed")

    screen = await screens("ben", path=f"/holds/doomed/{hold}")

    await expect(screen.card(hold).locator(".end")).to_contain_text("Stopped by the kill switch")
    await expect(screen.card(hold).locator(".end")).not_to_contain_text("A person")
    story = screen.page.locator("#story")
    await expect(story).to_contain_text("stopped by the kill switch, which ann threw")


async def test_what_passed_unasked_is_in_the_table_of_all_actions(
    program: Program, ask: Ask, robot: AgentVoice
) -> None:
    call = await robot.propose("list_directory", {"path": "."})
    await robot.hears(call, Status.DONE)
    hold = await ask()
    await program.log_in("ann")

    async def listed() -> bool:
        page = (await program.get("/actions?agent=robot")).text
        cells = set(re.findall(r"<td[^>]*>([a-z]+)</td>", page))
        return f'href="/holds/robot/{hold}"' in page and {"passed", "done", "asked"} <= cells

    assert await eventually(listed)
    assert "stale" not in (await program.get("/actions?agent=robot")).text
