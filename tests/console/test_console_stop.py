"""A hold's times on the inbox: Stop while it cools off, and more time while it waits."""

import asyncio
import re
from collections.abc import Iterator

import pytest
from playwright.async_api import expect
from tests.actors import AgentVoice, PersonVoice
from tests.browser import Ask, Screen, Screens
from tests.running_system import Road, cooling_for, running

from holdpoint.messages.envelope import Status

pytestmark = [pytest.mark.nats, pytest.mark.slow]
pytest_plugins = ("tests.system_fixtures", "tests.browser_fixtures")

COOLS_S = 600


LEVEL_5 = re.compile(r"proofs: \[totp, passkey\]\n    every_proof.*\n.*\n    cooling_off_s.*")


def timed(policy: str) -> str:
    """Every yes cools off, and people may move a deadline by an hour; critical is level 5."""
    by_password = LEVEL_5.sub("proofs: [chat]\n    deadline_s: 3600", policy)
    return (
        cooling_for(COOLS_S)(by_password)
        .replace("proofs: [chat]", "proofs: [chat]\n    extend_up_to_s: 3600", 1)
        .replace("  critical: 3\n", "  critical: 5\n")
    )


@pytest.fixture(scope="module")
def road(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    with asyncio.Runner() as runner:
        folder = tmp_path_factory.mktemp("cool")
        world = running(folder, timed, own={}, console=True, passkey_from_level=6)
        yield runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


async def pressed_with_its_target(screen: Screen, hold: str) -> None:
    """A yes at level 5 looks ready, and is sent, only once its target was typed."""
    await screen.armed(hold)
    await expect(screen.proceed(hold)).to_have_attribute("aria-disabled", "true")
    await screen.proceed(hold).click(force=True)
    await expect(screen.told(hold)).to_have_text(re.compile(r"^Type crm\.\S+ first\.$"))
    wanted = await screen.card(hold).locator(".proof code").inner_text()
    field = screen.card(hold).get_by_label(f"Type {wanted}")
    mistyped = screen.card(hold).locator(".mistyped")
    await field.fill(wanted.upper())
    await expect(mistyped).to_contain_text("exactly as it stands here")
    await field.fill(wanted[:-1])
    await expect(mistyped).to_be_empty()
    await field.blur()
    await expect(mistyped).to_contain_text("still missing")
    await field.fill(wanted)
    await expect(mistyped).to_be_empty()
    await screen.armed(hold)
    await expect(screen.proceed(hold)).to_have_attribute("aria-disabled", "false")
    await screen.proceed(hold).click()


async def test_from_the_yes_with_the_target_typed_to_the_stop(
    screens: Screens, ask: Ask, robot: AgentVoice, road: Road
) -> None:
    ann, ben = await asyncio.gather(screens("ann"), screens("ben"))
    hold = await ask(rows=500)
    await pressed_with_its_target(ann, hold)

    await ben.stands_as(hold, "Cooling off")
    await expect(ann.told(hold)).to_have_text("Your yes counted.")
    card = ben.card(hold)
    await expect(card.locator(".end")).to_contain_text("Approved by ann; nothing has run yet")
    await expect(card.locator(".countdown")).to_have_text(re.compile(r"^(10:00|9:\d\d)$"))
    await expect(card.locator(".silence")).to_have_count(0)
    assert await card.locator("[data-choice]").count() == 1
    await ben.page.reload()
    await ben.live()
    await expect(ben.page.locator(f"#open #slot-{hold}")).to_be_visible()

    await card.get_by_text("Tell the agent why not").click()
    await card.get_by_label("Sent with Stop").fill("Not on a Friday.")
    await card.get_by_role("button", name="Stop").click()

    await ben.stands_as(hold, "Cancelled")
    await expect(ben.told(hold)).to_contain_text("Nothing runs")
    await ann.stands_as(hold, "Cancelled")
    await expect(ann.told(hold)).to_have_attribute("data-tone", "quiet")
    told = await robot.ask(hold_id=hold)
    assert (told.status, told.reason) == (Status.CANCELLED, "Not on a Friday.")
    assert (await road.ended(hold)).resumed is False


async def test_its_own_page_has_the_button_too(
    screens: Screens, ask: Ask, ann: PersonVoice
) -> None:
    hold = await ask()
    await ann.proceed(await ann.card(hold))
    await ann.card(hold, "resolved")
    screen = await screens("ben", path=f"/holds/robot/{hold}")

    await screen.card(hold).get_by_role("button", name="Stop").click()

    await screen.stands_as(hold, "Cancelled")


async def test_more_time_is_given_with_a_reason_that_others_read(
    screens: Screens, ask: Ask
) -> None:
    ann, ben = await asyncio.gather(screens("ann"), screens("ben"))
    hold = await ask()
    await ann.live()
    card = ann.card(hold)
    await card.get_by_text("Give it more time").click()
    await card.get_by_role("button", name="Move the deadline").click()
    await expect(ann.told(hold)).to_have_text("Write why it takes more time first.")

    await card.get_by_label("Why; it stands on the card").fill("Ben has to look at it.")
    await card.locator("[data-extend]").select_option(label="15 minutes")
    await card.get_by_role("button", name="Move the deadline").click()

    await expect(ann.told(hold)).to_contain_text("The deadline is moved")
    await expect(ben.card(hold)).to_contain_text("Ben has to look at it.")
    await expect(ben.card(hold).locator(".countdown")).to_have_text(
        re.compile(r"^(30:00|29:\d\d)$")
    )
