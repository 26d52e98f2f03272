"""People in front of the running console, in a real browser; and programs that claim to be one."""

import asyncio
import http.client
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import urlencode, urlsplit

from playwright.async_api import Browser, Locator, Page, ViewportSize, expect
from tests.running_system import PASSWORD, Road
from tests.waiting import eventually

LOOK_MS = 15_000
"""How long an expectation may take to come true."""

DESK: ViewportSize = {"width": 1280, "height": 1000}
PHONE: ViewportSize = {"width": 320, "height": 640}
TO_ITS_END = """box => {
  box.scrollTop = box.scrollHeight;
  box.scrollIntoView({ block: "end" });
}"""
expect.set_options(timeout=LOOK_MS)


@dataclass(frozen=True, kw_only=True)
class Screen:
    """One person's page."""

    page: Page
    url: str

    async def log_in(self, name: str, password: str = PASSWORD, path: str = "/") -> None:
        """As a person does, through the form."""
        await self.page.goto(f"{self.url}/login?next={path}")
        await self.page.get_by_label("Name").fill(name)
        await self.page.get_by_label("Password").fill(password)
        await self.page.get_by_role("button", name="Log in").click()

    async def live(self) -> None:
        """Wait until the page says that it is."""
        await expect(self.page.locator("#connection")).to_have_text("Live")

    def card(self, hold_id: str) -> Locator:
        """One hold's card."""
        return self.page.locator(f"#slot-{hold_id} article")

    def told(self, hold_id: str) -> Locator:
        """What the card says of an answer."""
        return self.page.locator(f"#slot-{hold_id} .told")

    def cancel(self, hold_id: str) -> Locator:
        """Its first button."""
        return self.card(hold_id).locator(".cancel")

    def proceed(self, hold_id: str) -> Locator:
        """Its second button."""
        return self.card(hold_id).locator(".proceed")

    async def armed(self, hold_id: str) -> None:
        """Read it from the title to the buttons, and wait."""
        await self.card(hold_id).locator(".title").scroll_into_view_if_needed()
        await expect(self.card(hold_id)).to_have_attribute("data-begun", "yes")
        for box in await self.card(hold_id).locator("[data-must-read]").all():
            await box.evaluate(TO_ITS_END)
            await expect(box).to_have_attribute("data-read", "yes")

        async def is_armed() -> bool:  # another card's arrival may move this one out of view
            await self.proceed(hold_id).scroll_into_view_if_needed()
            return await self.card(hold_id).get_attribute("data-armed") == "yes"

        await eventually(is_armed)

    async def remember(self, hold_id: str) -> None:
        """Note every state of the button from now on: some last less than a look."""
        await self.page.evaluate(
            """id => {
              const slot = document.getElementById(`slot-${id}`);
              const note = () => window.states.push(slot.firstElementChild.dataset.armed ?? "no");
              window.states = [];
              new MutationObserver(note).observe(
                slot, { attributes: true, childList: true, subtree: true });
            }""",
            hold_id,
        )

    async def was_disarmed(self) -> bool:
        """Whether the button that is remembered was off meanwhile."""
        states: list[str] = await self.page.evaluate("window.states")
        return bool({"no", "soon"} & set(states))

    async def stands_as(self, hold_id: str, word: str) -> None:
        """Wait until the card says so."""
        await expect(self.card(hold_id).locator(".state")).to_have_text(word)


Screens: TypeAlias = Callable[..., Awaitable[Screen]]
Ask: TypeAlias = Callable[..., Awaitable[str]]


async def screen_on(browser: Browser, road: Road, **options: Any) -> Screen:
    """A page in a browser of its own: nobody else's cookies."""
    context = await browser.new_context(**{"viewport": DESK, **options})
    page = await context.new_page()
    return Screen(page=page, url=road.settings.console_url)


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    cookies: Mapping[str, str]
    text: str


@dataclass(frozen=True, kw_only=True)
class Program:
    """Somebody who speaks HTTP, and can claim to be a browser."""

    url: str
    cookies: dict[str, str] = field(default_factory=dict)

    async def get(self, path: str, headers: Mapping[str, str] | None = None) -> Reply:
        """Fetch a page."""
        return await asyncio.to_thread(self._say, "GET", path, None, headers or {})

    async def post(
        self, path: str, form: Mapping[str, str], headers: Mapping[str, str] | None = None
    ) -> Reply:
        """Send a form, as a page of the console would."""
        said = {"Origin": self.url, **(headers or {})}
        return await asyncio.to_thread(self._say, "POST", path, form, said)

    async def log_in(self, name: str, password: str = PASSWORD) -> Reply:
        """With the form's token; keeps the cookies."""
        asked = await self.get("/login")
        self.cookies.update(asked.cookies)
        token = re.findall(r'name="csrf" value="([0-9a-f]+)"', asked.text)[0]
        reply = await self.post("/login", {"csrf": token, "name": name, "password": password})
        self.cookies.update(reply.cookies)
        for emptied in [it for it, value in self.cookies.items() if not value]:
            del self.cookies[emptied]
        return reply

    async def heard(self, path: str, until: str) -> str:
        """What a stream says until it says this."""
        return await asyncio.to_thread(self._heard, path, until)

    def _say(
        self, method: str, path: str, form: Mapping[str, str] | None, headers: Mapping[str, str]
    ) -> Reply:
        connection = self._asked(method, path, form, headers)
        try:
            answer = connection.getresponse()
            text = answer.read().decode()
            cookies = answer.headers.get_all("Set-Cookie") or []
            pairs = (cookie.partition(";")[0].partition("=") for cookie in cookies)
            return Reply(
                status=answer.status,
                headers={name.lower(): value for name, value in answer.getheaders()}
                | {"set-cookie": "\n".join(cookies)},
                cookies={name: value.strip('"') for name, _, value in pairs},
                text=text,
            )
        finally:
            connection.close()

    def _heard(self, path: str, until: str) -> str:
        connection = self._asked("GET", path, None, {})
        try:
            answer, heard = connection.getresponse(), ""
            while until not in heard:
                line = answer.readline().decode()
                assert line, heard
                heard += line
            return heard
        finally:
            connection.close()

    def _asked(
        self, method: str, path: str, form: Mapping[str, str] | None, headers: Mapping[str, str]
    ) -> http.client.HTTPConnection:
        place = urlsplit(self.url)
        connection = http.client.HTTPConnection("127.0.0.1", place.port, timeout=20)
        said = {"Host": place.netloc, "Cookie": self._jar(), **headers}
        if form is not None:
            said = {"Content-Type": "application/x-www-form-urlencoded", **said}
        connection.request(method, path, urlencode(form) if form is not None else None, said)
        return connection

    def _jar(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())
