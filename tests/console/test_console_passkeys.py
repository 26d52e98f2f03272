"""Passkeys in Chromium, with its virtual authenticator: added under a name, asked by Proceed."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, CDPSession, expect
from tests.actors import AgentVoice, Guests, PersonVoice
from tests.browser import Screen, screen_on
from tests.running_system import Road, running
from tests.step_up import WRONG, Phone, enrol

from holdpoint.messages.hold import Resumed, Voice
from holdpoint.messages.policy import Method
from holdpoint.runtime.security.keys import load_seal_key

pytestmark = [pytest.mark.nats, pytest.mark.timeout(180)]
pytest_plugins = ("tests.browser_fixtures",)

AUTHENTICATOR = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True,
    "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True,
}  # fmt: skip


def either(policy: str) -> str:
    return policy.replace("proofs: [chat]", "proofs: [totp, passkey]", 1)


def both(policy: str) -> str:
    return policy.replace("proofs: [chat]", "proofs: [passkey, totp]\n    every_proof: true", 1)


class Device:
    """The virtual authenticator of one page."""

    def __init__(self, session: CDPSession, name: str) -> None:
        self._session, self._name = session, name

    @classmethod
    async def of(cls, screen: Screen) -> "Device":
        """Plug one in."""
        session = await screen.page.context.new_cdp_session(screen.page)
        await session.send("WebAuthn.enable")
        told = await session.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
        return cls(session, told["authenticatorId"])

    async def set(self, what: str, **fields: Any) -> None:
        """Have it misbehave."""
        await self._session.send(f"WebAuthn.{what}", {"authenticatorId": self._name, **fields})


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as stack:
        yield stack


@pytest.fixture
async def road(tmp_path: Path, stack: AsyncExitStack, request: pytest.FixtureRequest) -> Road:
    change = getattr(request, "param", either)
    return await stack.enter_async_context(running(tmp_path, change, own={}, console=True))


@pytest.fixture
async def guests(road: Road, stack: AsyncExitStack) -> Guests:
    return Guests(road=road, stack=stack)


@pytest.fixture
async def robot(guests: Guests) -> AgentVoice:
    return await guests.agent()


async def with_passkey(browser: Browser, guests: Guests, phone: Phone) -> tuple[Screen, Device]:
    """Ann, who has one-time codes, adds a passkey in the console."""
    ann: PersonVoice = await guests.person()
    await enrol(ann, phone, load_seal_key(guests.road.settings.keys_dir))
    screen = await screen_on(browser, guests.road)
    device = await Device.of(screen)
    await screen.log_in("ann", path="/you")
    form = screen.page.locator("[data-passkeys]")
    await form.get_by_label("One-time code").fill(await phone.code())
    await form.get_by_role("button", name="Add a passkey").click()
    await expect(form.locator(".told")).to_have_text("Your passkey is added.")
    await screen.page.goto(f"{screen.url}/")
    await screen.live()
    return screen, device


async def voice_of(guests: Guests, hold: str) -> Voice:
    resumed = (await (await guests.eyes()).facts(hold))[-1]
    assert isinstance(resumed, Resumed)
    (voice,) = resumed.hold.voices
    return voice


@pytest.mark.slow
async def test_proceed_asks_the_passkey_that_was_added_here(
    browser: Browser, guests: Guests, road: Road, robot: AgentVoice
) -> None:
    mark, call = await robot.command()
    hold = (await robot.pending(call)).hold_id
    screen, device = await with_passkey(browser, guests, Phone())

    await device.set("setUserVerified", isUserVerified=False)
    await screen.armed(hold)
    await screen.proceed(hold).click()
    await expect(screen.told(hold)).to_have_text("No passkey confirmed it, so nothing was sent.")
    await device.set("setUserVerified", isUserVerified=True)
    await device.set("setResponseOverrideBits", isBogusSignature=True)
    await screen.armed(hold)
    await screen.proceed(hold).click()
    await expect(screen.told(hold)).to_contain_text("This passkey did not confirm just this answer")
    assert road.runs_of(mark) == 0
    await device.set("setResponseOverrideBits", isBogusSignature=False)
    await screen.armed(hold)
    await screen.proceed(hold).click()

    await screen.stands_as(hold, "Done")
    assert road.runs_of(mark) == 1
    voice = await voice_of(guests, hold)
    assert (voice.method, voice.linked) == (Method.PASSKEY, True)


@pytest.mark.slow
async def test_a_device_that_did_not_verify_its_person_is_refused_by_the_gate(
    browser: Browser, guests: Guests, road: Road, robot: AgentVoice
) -> None:
    mark, call = await robot.command()
    hold = (await robot.pending(call)).hold_id
    screen, device = await with_passkey(browser, guests, Phone())
    await device.set("setResponseOverrideBits", isBadUV=True)

    await screen.armed(hold)
    await screen.proceed(hold).click()

    await expect(screen.told(hold)).to_contain_text("This passkey did not confirm just this answer")
    assert road.runs_of(mark) == 0


@pytest.mark.slow
@pytest.mark.parametrize("road", [both], indirect=True)
async def test_a_yes_that_takes_both_takes_both(
    browser: Browser, guests: Guests, road: Road, robot: AgentVoice
) -> None:
    mark, call = await robot.command()
    hold = (await robot.pending(call)).hold_id
    phone = Phone()
    screen, _ = await with_passkey(browser, guests, phone)
    field = screen.card(hold).locator("[data-code]")

    for code, told in (("", "Type the six digits"), (WRONG, "This one-time code is wrong")):
        await field.fill(code)
        await screen.armed(hold)
        await screen.proceed(hold).click(force=not code)
        await expect(screen.told(hold)).to_contain_text(told)
    await field.fill(await phone.code())
    await screen.armed(hold)
    await screen.proceed(hold).click()

    await screen.stands_as(hold, "Done")
    assert road.runs_of(mark) == 1
    voice = await voice_of(guests, hold)
    assert voice.methods == (Method.PASSKEY, Method.TOTP, Method.CHAT)
