"""The page is right again by itself, whatever was away: broker, console, browser, network."""

import asyncio
from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from playwright.async_api import Browser, expect
from tests.actors import AgentVoice, Guests, PersonVoice
from tests.browser import Screen, screen_on
from tests.running_system import Road, running

from holdpoint.messages import subjects as s
from holdpoint.messages.card import Card
from holdpoint.messages.codec import encode_event
from holdpoint.runtime.broker.connection import jetstream
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.credentials import CONSOLE, GATE

pytestmark = [pytest.mark.nats, pytest.mark.slow]
pytest_plugins = ("tests.system_fixtures", "tests.browser_fixtures")

NOT_LIVE = "Not live: reconnecting. What you see may be old, and Proceed is off."


@pytest.fixture(scope="module")
def road(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    """A road of this file's own: its parts are killed and started again."""
    with asyncio.Runner() as runner:
        world = running(tmp_path_factory.mktemp("breaks"), own={}, console=True)
        yield runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


@pytest.fixture
async def screen(browser: Browser, road: Road) -> Screen:
    """Ann looks at her inbox, and a reload would be noticed."""
    opened = await screen_on(browser, road)
    await opened.page.clock.install()
    await opened.log_in("ann")
    await opened.live()
    await opened.page.evaluate("window.sameDocument = true")
    return opened


LATE_NEWS = """
window.connections = 0;
window.EventSource = class extends EventSource {
  constructor(...where) {
    super(...where);
    window.connections += 1;
  }
  addEventListener(name, use) {
    const late = (event) => setTimeout(() => this.readyState === this.OPEN && use(event), 1200);
    super.addEventListener(name, ["open", "error"].includes(name) ? use : late);
  }
};
"""
"""A connection that opens at once and carries nothing for longer than two looks at it."""


async def ask(robot: AgentVoice, road: Road, rows: int = 7) -> str:
    sql = f"DELETE FROM {road.table(rows)} WHERE status = 'stale'"  # ours
    call = await robot.propose("execute_sql", {"database": "crm", "sql": sql})
    return (await robot.pending(call)).hold_id


async def is_not_live(screen: Screen) -> None:
    await expect(screen.page.locator("[data-connection]")).to_have_text(NOT_LIVE)


async def is_the_same_document(screen: Screen) -> bool:
    return bool(await screen.page.evaluate("window.sameDocument === true"))


async def test_the_broker_is_killed_and_comes_back(
    screen: Screen, road: Road, robot: AgentVoice, ben: PersonVoice
) -> None:
    before = await ask(robot, road)
    await screen.armed(before)

    road.supervisor.kill("nats")
    await is_not_live(screen)
    await expect(screen.card(before)).to_have_attribute("data-armed", "no")
    await expect(screen.proceed(before)).to_have_attribute("aria-disabled", "true")
    await road.supervisor.restart_broker()
    await screen.live()
    after = await ask(robot, road)

    await screen.armed(after)
    await screen.proceed(after).click()
    await screen.stands_as(after, "Done")
    await ben.cancel(await ben.card(before))
    await screen.stands_as(before, "Cancelled")
    assert await is_the_same_document(screen)


async def test_a_page_waits_for_what_comes_late_on_its_first_connection(
    browser: Browser, road: Road
) -> None:
    screen = await screen_on(browser, road)
    await screen.page.add_init_script(LATE_NEWS)
    await screen.log_in("ann")

    await screen.live()
    assert await screen.page.evaluate("window.connections") == 1


async def test_the_console_is_killed_and_the_person_stays_logged_in(
    screen: Screen, road: Road, robot: AgentVoice, ben: PersonVoice
) -> None:
    mine, other = await ask(robot, road), await ask(robot, road)
    await screen.armed(mine)

    road.supervisor.kill("console")
    await is_not_live(screen)
    await expect(screen.card(mine)).to_have_attribute("data-armed", "no")
    await ben.cancel(await ben.card(other))
    late = await ask(robot, road)
    road.supervisor.start("console")
    await road.supervisor.ready("console")

    await screen.live()
    await screen.stands_as(other, "Cancelled")
    await screen.armed(late)
    await screen.armed(mine)
    await screen.proceed(mine).click()
    await screen.stands_as(mine, "Done")
    assert await is_the_same_document(screen)


async def test_an_hour_asleep(
    screen: Screen, road: Road, robot: AgentVoice, ben: PersonVoice, guests: Guests
) -> None:
    """The lid is closed: no timer runs, no byte arrives, and the clock has jumped afterwards."""
    old, open_still = await ask(robot, road), await ask(robot, road)
    await screen.armed(open_still)

    await screen.page.context.set_offline(offline=True)
    await ben.cancel(await ben.card(old))
    new = await ask(robot, road, rows=8)
    await screen.page.clock.fast_forward("01:00:00")
    await is_not_live(screen)
    await screen.proceed(open_still).dispatch_event("click")
    await expect(screen.told(open_still)).to_be_empty()
    await screen.page.context.set_offline(offline=False)

    await screen.live()
    await screen.stands_as(old, "Cancelled")
    await expect(screen.card(new).locator(".title")).to_contain_text("Delete 8 rows")
    await expect(screen.card(open_still).locator(".countdown")).to_contain_text("14:")
    eyes = await guests.eyes()
    said = await eyes.on(s.ANSWERS, s.answer_subject("acme", "*", "*", "*", open_still))
    assert said == []
    assert await is_the_same_document(screen)


async def test_a_card_that_went_astray_is_read_again(
    screen: Screen, road: Road, robot: AgentVoice, guests: Guests
) -> None:
    """As if a connection had broken with cards on their way: somebody else takes one."""
    thief = jetstream(await guests.client(CONSOLE), road.login(CONSOLE))
    lane = await thief.pull_subscribe_bind(durable=CONSOLE, stream=s.stream("acme", s.CARDS))
    taking = asyncio.create_task(lane.fetch(1, timeout=20))
    holds = [await ask(robot, road)]
    while not taking.done():
        holds.append(await ask(robot, road))
    assert len(await taking) == 1
    holds.append(await ask(robot, road))

    for hold in holds:
        await expect(screen.card(hold)).to_be_visible()


async def test_n2_a_card_that_changed_is_disarmed_and_says_so(
    screen: Screen, road: Road, robot: AgentVoice, guests: Guests
) -> None:
    """No gate of ours draws a hold twice; whoever could must not get a yes to the first one."""
    hold = await ask(robot, road)
    await screen.armed(hold)
    seen = await (await guests.person("ann")).card(hold)
    await screen.remember(hold)

    await _draw_again(guests, road, seen)

    await expect(screen.told(hold)).to_have_text(
        "The card has changed since you saw it. Read it again."
    )
    await expect(screen.card(hold).locator(".title")).to_have_text("delete nothing at all")
    await screen.armed(hold)
    assert await screen.was_disarmed()
    await screen.proceed(hold).click()
    await expect(screen.told(hold)).to_contain_text("Your answer does not count. The card has")


async def test_a_card_that_changed_is_unread_again(
    screen: Screen, road: Road, robot: AgentVoice, guests: Guests
) -> None:
    command = "\n".join([*["ls"] * 40, "cp /dev/null notes-1.txt"])
    call = await robot.propose("run_command", {"command": command})
    hold = (await robot.pending(call)).hold_id
    await screen.armed(hold)

    await _draw_again(guests, road, await (await guests.person("ann")).card(hold))

    await expect(screen.card(hold).locator(".title")).to_have_text("delete nothing at all")
    await screen.card(hold).locator(".title").scroll_into_view_if_needed()
    await screen.proceed(hold).scroll_into_view_if_needed()
    hint = screen.card(hold).locator(".hint")
    await expect(hint).to_contain_text("Scroll through all of what will run")
    await expect(screen.card(hold)).to_have_attribute("data-armed", "no")


async def _draw_again(guests: Guests, road: Road, seen: Card) -> None:
    """As a gate that went wrong would."""
    other = replace(
        seen, title="delete nothing at all", render_digest="0" * 64, revision=seen.revision + 1
    )
    subject = s.card_subject("acme", seen.group, seen.hold_id)
    body = encode_event(
        other, event_id="again", source="test", subject=subject, at=clock.now(), salt=""
    )
    gate = await guests.client(GATE)
    await jetstream(gate, road.login(GATE)).publish(subject, body, timeout=5)
