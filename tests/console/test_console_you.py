"""A person's own page: who answers while they are away, and the language; and invitations."""

from datetime import timedelta

import pytest
from playwright.async_api import expect
from tests.actors import AgentVoice, Guests
from tests.browser import PHONE, Ask, Program, Screen, Screens
from tests.running_system import Road, fresh

from holdpoint.messages.catalog import own_audience
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.credentials import unlock_person_key

pytestmark = [pytest.mark.nats, pytest.mark.slow]
pytest_plugins = ("tests.system_fixtures", "tests.browser_fixtures")

DONE = "It is done"


async def test_out_of_office_a_delegate_answers_until_it_is_taken_back(
    screens: Screens, road: Road, robot: AgentVoice, guests: Guests
) -> None:
    screen = await screens()
    await screen.log_in("ben", path="/you")
    form = screen.page.locator("[data-delegate]")
    told = form.locator(".told")
    delegate = form.get_by_role("button", name="Delegate", exact=True)
    await expect(delegate).to_be_enabled()
    await delegate.click()  # without a day
    await expect(told).to_be_empty()

    day = form.get_by_label("Until the end of")
    await form.get_by_label("Who answers").select_option("cem")
    await day.fill(f"{clock.now() - timedelta(days=2):%Y-%m-%d}")
    await delegate.click()
    await expect(told).to_have_attribute("data-tone", "bad")

    await day.fill(f"{clock.now() + timedelta(days=1):%Y-%m-%d}")
    await form.get_by_label("I am out of office").check()
    await form.get_by_label("Why").fill("Holidays.")
    await delegate.click()
    await expect(told).to_contain_text(DONE)
    try:
        await answered_by_cem(screens, road, robot, guests)
    finally:
        await form.get_by_role("button", name="End every delegation").click()
        await expect(told).to_contain_text(DONE)


async def answered_by_cem(screens: Screens, road: Road, robot: AgentVoice, guests: Guests) -> None:
    mark, call = await robot.command()
    hold = (await robot.pending(call)).hold_id
    cem = await guests.person("cem")
    assert (await cem.card(hold, group=own_audience("cem"))).delegators == ("ben",)
    screen = await screens("cem")
    await expect(screen.card(hold)).to_contain_text("You answer for")
    await screen.armed(hold)
    await screen.proceed(hold).click()
    await screen.stands_as(hold, "Done")
    assert road.runs_of(mark) == 1


async def test_a_new_person_is_invited_once_and_chooses_a_password(
    screens: Screens, program: Program, road: Road
) -> None:
    people = road.settings.config_dir / "people.yaml"
    before, new = people.read_text(), fresh("dora")
    people.write_text(f"{before}  - {{name: {new}, groups: [operators]}}\n")
    try:
        screen = await screens()
        await screen.log_in("ann", path="/people")
        form = screen.page.locator("[data-invite]")
        await form.get_by_label("Who").select_option(new)
        await form.get_by_role("button", name="Make an invitation").click()
        link = await form.locator("code").inner_text()

        stranger = await screens()
        await stranger.page.goto(link)
        await choose(stranger, "a password of mine", "another one of mine")
        await expect(stranger.page.get_by_role("alert")).to_contain_text("differ")
        await choose(stranger, "a password of mine", "a password of mine")
        await expect(stranger.page.get_by_text("One step is left")).to_be_visible()

        assert unlock_person_key(road.settings.people_dir, new, "a password of mine")
        again = await program.get(link.removeprefix(screen.url))
        assert (again.status, "used, too old, or none" in again.text) == (404, True)
    finally:
        people.write_text(before)


async def choose(screen: Screen, new: str, again: str) -> None:
    await screen.page.get_by_label("New password", exact=True).fill(new)
    await screen.page.get_by_label("Repeat").fill(again)
    await screen.page.get_by_role("button", name="Set it").click()


async def test_only_an_admins_own_page_invites(program: Program) -> None:
    await program.log_in("ben")
    form = {"person": "ann"}

    assert (await program.post("/people/invite", form)).status == 403
    assert (await program.get(f"/invite/{'0' * 64}")).status == 404
    assert (
        await program.post(f"/invite/{'0' * 64}", {"new": "x" * 9, "again": "x" * 9})
    ).status == 404


async def test_who_chooses_german_reads_the_console_s_own_words_in_german(
    screens: Screens, ask: Ask
) -> None:
    hold = await ask()
    screen = await screens()
    await screen.log_in("ben", path="/you")
    await screen.page.get_by_label("Language").select_option("Deutsch")
    await screen.page.get_by_role("button", name="Use it").click()
    await expect(screen.page.get_by_role("heading", name="Abwesenheit")).to_be_visible()

    await screen.page.set_viewport_size(PHONE)
    await screen.page.goto(screen.url)
    await screen.live()
    await expect(screen.page.get_by_role("heading", name="Eingang")).to_be_visible()
    await expect(screen.page.locator("[data-lead]")).to_contain_text("auf Sie.")
    await expect(screen.card(hold)).to_contain_text("Warum es angehalten wurde")
    await expect(screen.card(hold).locator(".title")).to_contain_text("7 Zeilen in crm.leads")
    assert await screen.page.evaluate("document.documentElement.lang") == "de"
    assert await screen.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    await screen.armed(hold)
    await screen.cancel(hold).click()
    await expect(screen.told(hold)).to_contain_text("Ihre Ablehnung zählt.")
