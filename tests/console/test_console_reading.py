"""Nobody says yes to what was out of sight: all that will run is read before Proceed works."""

import re

import pytest
from playwright.async_api import Locator, expect
from tests.actors import AgentVoice, PersonVoice
from tests.browser import DESK, PHONE, Screen, Screens
from tests.running_system import Road

pytestmark = [pytest.mark.nats, pytest.mark.slow]
pytest_plugins = ("tests.system_fixtures", "tests.browser_fixtures")

PADDED = "ls -la\n" + "\n" * 40 + "sed -i d notes-2.txt"
BURIED = "\n".join([*["ls"] * 12, *["wc -l a"] * 12, "cp /dev/null notes-1.txt"])


async def run(robot: AgentVoice, command: str, **more: str) -> str:
    call = await robot.propose("run_command", {"command": command}, **more)
    return (await robot.pending(call)).hold_id


def box_of(screen: Screen, hold: str) -> Locator:
    return screen.card(hold).locator(".payload .scrolls")


async def begun(screen: Screen, hold: str) -> None:
    """The title was in view, and now the buttons are; nothing else was done."""
    await screen.card(hold).locator(".title").scroll_into_view_if_needed()
    await expect(screen.card(hold)).to_have_attribute("data-begun", "yes")
    await screen.proceed(hold).scroll_into_view_if_needed()


async def stays_off(screen: Screen, hold: str) -> None:
    """The page looked at it, did not begin to count, and says why."""
    await expect(screen.card(hold)).to_have_attribute("data-armed", "no")
    await expect(screen.card(hold).locator(".hint")).to_contain_text("then Proceed works")
    await expect(screen.proceed(hold)).to_have_attribute("aria-disabled", "true")


@pytest.mark.parametrize("size", [DESK, PHONE])
async def test_proceed_is_off_until_all_of_a_long_command_was_scrolled_through(
    screens: Screens, robot: AgentVoice, road: Road, size: dict[str, int]
) -> None:
    hold = await run(robot, BURIED)
    screen = await screens("ann", viewport=size)
    await begun(screen, hold)

    await stays_off(screen, hold)
    hint = screen.card(hold).locator(".hint")
    await expect(hint).to_contain_text("Scroll through all of what will run")
    await expect(hint).to_contain_text(re.compile(r"\d\d lines"))
    await screen.proceed(hold).click(force=True)
    await expect(screen.told(hold)).to_be_empty()

    await box_of(screen, hold).focus()
    await screen.page.keyboard.press("End")
    await box_of(screen, hold).evaluate("box => box.scrollIntoView({block: 'end'})")
    await expect(box_of(screen, hold)).to_have_attribute("data-read", "yes")
    await screen.proceed(hold).scroll_into_view_if_needed()
    await expect(screen.card(hold)).to_have_attribute("data-armed", "yes")
    await screen.proceed(hold).click()
    await expect(screen.told(hold)).to_contain_text("Your yes count")
    await road.ended(hold)


async def test_a_run_of_blank_lines_is_one_line_that_says_how_many(
    screens: Screens, robot: AgentVoice
) -> None:
    hold = await run(robot, PADDED)
    screen = await screens("ann")
    box = box_of(screen, hold)

    await expect(box.locator(".blank")).to_have_text(["… 40 blank lines"])
    await expect(box).to_contain_text("sed -i d notes-2.txt")
    assert await box.evaluate("box => box.scrollHeight <= box.clientHeight")
    await screen.armed(hold)


@pytest.mark.parametrize("gap", [" ", "\t", "\u3000"])
async def test_no_gap_pushes_a_command_out_of_sight_sideways(
    screens: Screens, robot: AgentVoice, gap: str
) -> None:
    hold = await run(robot, f"ls -la{gap * 3000}; rm -r old")
    screen = await screens("ann")

    assert await box_of(screen, hold).evaluate("box => box.scrollWidth <= box.clientWidth")


async def test_a_long_value_of_a_query_hides_no_other_unnoticed(
    screens: Screens, robot: AgentVoice, road: Road
) -> None:
    sql = f"DELETE FROM {road.table(7)} WHERE status = :s AND id <> :i"  # ours
    call = await robot.propose(
        "execute_sql",
        {"database": "crm", "sql": sql, "parameters": {"s": "stale " * 2000, "i": 3}},
    )
    hold = (await robot.pending(call)).hold_id
    screen = await screens("ann")
    await begun(screen, hold)

    await expect(box_of(screen, hold)).to_have_attribute("data-read", "no")
    await stays_off(screen, hold)
    await screen.armed(hold)


async def test_what_is_closed_was_not_read(screens: Screens, robot: AgentVoice) -> None:
    screen = await screens("ann")
    await screen.page.add_init_script(
        "setInterval(() => document.querySelectorAll('.payload:not([data-shut])')"
        ".forEach(it => { it.open = false; it.dataset.shut = ''; }), 1)"
    )
    hold = await run(robot, "rm -r old-logs")
    await screen.page.reload()
    await screen.live()
    await begun(screen, hold)

    await stays_off(screen, hold)
    await screen.card(hold).locator(".payload summary").click()
    await screen.armed(hold)


@pytest.mark.parametrize("words", ["a" + "\n" * 1500 + "z", "word\n" * 6000, "x " * 16_000])
async def test_no_agents_words_bury_the_inbox(
    screens: Screens, robot: AgentVoice, words: str
) -> None:
    hold = await run(robot, "rm -r old", reasoning=words)
    screen = await screens("ann", viewport=PHONE)
    said = screen.card(hold).locator("blockquote")

    card, box = await screen.card(hold).bounding_box(), await said.bounding_box()
    assert card is not None
    assert box is not None
    assert box["height"] <= 14 * 16
    assert card["height"] <= 2000
    if "\n\n" in words:
        await expect(said).to_have_text("a\n… 1,499 blank lines\nz")
    await screen.armed(hold)


async def test_the_ledger_cuts_a_title_to_three_lines(
    screens: Screens, robot: AgentVoice, ann: PersonVoice, road: Road
) -> None:
    hold = await run(robot, f"rm -r {'very-long-name/' * 200}")
    await ann.cancel(await ann.card(hold))
    await road.ended(hold)
    screen = await screens("ann", viewport=PHONE)
    await screen.page.goto(f"{screen.url}/ledger")

    title = screen.page.locator(f'.row a[href$="{hold}"]')
    height = await title.evaluate("it => it.getBoundingClientRect().height")
    assert height <= 90
    assert "very-long-name" in (await title.get_attribute("title") or "")
