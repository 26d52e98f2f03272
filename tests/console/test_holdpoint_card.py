"""`<holdpoint-card>` on a page of another team, under its strict policy; and its example."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from axe_playwright_python.async_playwright import Axe
from msgspec.structs import replace
from playwright.async_api import Browser, Page, Route, ViewportSize, expect
from tests.actors import AgentVoice, PersonVoice
from tests.browser import DESK, PHONE
from tests.builders import TOOL, a_hold
from tests.hostile_texts import HOSTILE
from tests.running_system import PASSWORD, Road

from holdpoint.console.card_view import face_of
from holdpoint.console.rendering import STATIC
from holdpoint.core.card import Shown, card_of
from holdpoint.core.card_reasons import in_words
from holdpoint.messages.card import Card
from holdpoint.messages.catalog import Enforcement, Person
from holdpoint.messages.policy import Method
from holdpoint.messages.risk import Heuristic, RiskLevel, Signal
from holdpoint.runtime.process import clock

pytestmark = [pytest.mark.nats, pytest.mark.slow]
pytest_plugins = ("tests.system_fixtures", "tests.browser_fixtures")

EXAMPLE = Path(__file__).parents[2] / "examples" / "embedding"
POLICY = (
    "default-src 'none'; script-src 'self'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
PAGE = (
    '<!doctype html><html lang="en"><title>Team</title><main><h1>Team</h1></main>'
    '<script type="module" src="/card.js"></script></html>'
)
SHOW = """([card, more]) => {
  window.sent = window.sent ?? [];
  const name = "holdpoint-card";
  const shown = document.querySelector(name) ?? document.createElement(name);
  if (more.send) shown.send = async (answer) => {
    window.sent.push(answer);
    return { text: "Your answer counts.", tone: "good" };
  };
  if ("live" in more) shown.live = more.live;
  shown.person = "ann";
  shown.setAttribute("console", "http://localhost:8330");
  shown.card = card;
  document.querySelector("main").append(shown);
}"""
PARTS = """() => {
  const root = document.querySelector("holdpoint-card").shadowRoot;
  const texts = (all) => [...root.querySelectorAll(all)].map((it) => it.textContent);
  const inside = (it) => [...it.children].map((part) => part.textContent);
  const pairs = (all) => [...root.querySelectorAll(all)].map(inside);
  return {
    title: texts("h2"), risk: texts(".risk"), words: texts("blockquote"),
    danger: texts(".danger"), reasons: texts("li"), silence: texts(".silence"),
    facts: pairs("dl.facts > div"), arguments: pairs(".run dl > div"),
    buttons: texts(".buttons button"),
  };
}"""


IRREVERSIBLE, LOW = Heuristic.IRREVERSIBILITY, RiskLevel.LOW


def a_signal(rule: str, **fields: Any) -> Signal:
    given = {"heuristic": Heuristic.MAGNITUDE, "level": RiskLevel.HIGH, "reason": f"It is {rule}."}
    return Signal(rule=rule, **{**given, **fields})


def a_card(**fields: Any) -> Card:
    shown = Shown(
        group="operators", state="rendered", seal_key="", revision=fields.pop("revision", 2)
    )
    card = card_of(a_hold(), TOOL, shown)
    return replace(card, expires_at=clock.now() + timedelta(hours=1), **fields)


@pytest.fixture
async def page(browser: Browser) -> AsyncIterator[Page]:
    """A page of another team, at their address."""
    context = await browser.new_context(viewport=DESK)

    async def serve(route: Route) -> None:
        if route.request.url.endswith("/card.js"):
            script = (STATIC / "holdpoint-card.js").read_text()
            await route.fulfill(body=script, content_type="text/javascript")
        else:
            headers = {"Content-Security-Policy": POLICY}
            await route.fulfill(body=PAGE, content_type="text/html", headers=headers)

    await context.route("https://team.example/**", serve)
    page = await context.new_page()
    problems: list[str] = []
    page.on("console", lambda it: problems.append(it.text))
    await page.goto("https://team.example/")
    yield page
    assert problems == []


async def shown(page: Page, card: Card, **more: Any) -> None:
    await page.evaluate(SHOW, [msgspec.to_builtins(card), more])


async def armed(page: Page) -> None:
    await expect(page.locator("holdpoint-card")).to_have_attribute("data-armed", "yes")


async def test_a_yes_names_the_card_that_was_seen(page: Page) -> None:
    card = a_card()
    await shown(page, card, send=True)
    proceed = page.get_by_role("button", name="Proceed")
    await proceed.dispatch_event("click")  # of a program, and too early
    await armed(page)
    await proceed.press("Enter")
    await proceed.dispatch_event("click")
    assert await page.evaluate("window.sent") == []

    await proceed.click()

    await expect(page.get_by_role("status")).to_have_text("Your answer counts.")
    (sent,) = await page.evaluate("window.sent")
    assert sent.pop("seconds_shown") >= 1
    assert sent == {
        "hold_id": card.hold_id,
        "agent": card.agent,
        "digest": card.digest,
        "render_digest": card.render_digest,
        "answer": "proceed",
    }


async def test_without_a_session_there_are_no_buttons(page: Page) -> None:
    card = a_card()
    await shown(page, card)

    link = page.get_by_role("link", name="Answer in the console")
    address = f"http://localhost:8330/holds/{card.agent}/{card.hold_id}"
    await expect(link).to_have_attribute("href", address)
    await expect(page.get_by_role("button")).to_have_count(0)


async def test_a_card_that_changes_or_is_not_live_is_disarmed(page: Page) -> None:
    await shown(page, a_card(), send=True)
    await armed(page)
    await shown(page, a_card(revision=3, render_digest="another", title="Delete everything"))
    await expect(page.get_by_role("status")).to_contain_text("has changed")
    assert await page.locator("holdpoint-card").get_attribute("data-armed") != "yes"
    await armed(page)

    await shown(page, a_card(revision=1, title="Older"))
    await expect(page.get_by_role("heading", level=2)).to_have_text("Delete everything")
    await page.evaluate("document.querySelector('holdpoint-card').live = false")
    await expect(page.locator("holdpoint-card")).to_have_attribute("data-armed", "no")
    await expect(page.get_by_text("Not live")).to_be_visible()


async def test_what_will_run_is_read_to_its_end_first(page: Page) -> None:
    card = a_card(sample=tuple(f"row {number}" for number in range(200)))
    await shown(page, card, send=True)
    await expect(page.get_by_text("Scroll through all of what will run")).to_be_visible()
    await expect(page.locator("holdpoint-card")).to_have_attribute("data-armed", "no")

    await page.locator(".run").evaluate("it => it.scrollTo(0, it.scrollHeight)")

    await armed(page)


@pytest.mark.parametrize(
    "fields", [{"proofs": (Method.TOTP,)}, {"level": 5}, {"voices": ("ann",), "voices_needed": 2}]
)
async def test_what_a_button_cannot_say_has_no_proceed(page: Page, fields: dict[str, Any]) -> None:
    await shown(page, a_card(**fields), send=True)

    await expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    await expect(page.get_by_role("button", name="Proceed")).to_have_count(0)


async def test_n14_two_hundred_hostile_texts_stay_text(page: Page) -> None:
    for number, text in enumerate(HOSTILE):
        labels = {"cancel": text, "proceed": text}
        card = a_card(title=text, reason=text, sample=(text,), labels=labels, revision=number)
        await shown(page, replace(card, ui=replace(card.ui, message=text)), send=True)

        strange = page.locator("holdpoint-card :is(img, script, form, iframe)")
        assert await strange.count() == 0, text[:60]
        assert await page.locator("holdpoint-card button").count() == 2, text[:60]
        heading = page.get_by_role("heading", level=2)
        assert await heading.evaluate("it => it.textContent") == text
    assert await page.title() == "Team"


CARDS: tuple[dict[str, Any], ...] = (
    {},
    {"voices": ("ben",), "voices_needed": 2, "chain": ("a user", "planner"), "reminded": 2},
    {"enforcement": Enforcement.COOPERATIVE, "delegators": ("cem",), "escalated_to": "leads"},
    {"signals": (a_signal("plan.missing"), a_signal("shell.rm", heuristic=IRREVERSIBLE))},
    {"signals": (a_signal("b", evidence="rm a"), a_signal("a", evidence="rm a", level=LOW))},
    {"signals": (a_signal("environment.production"), a_signal("a", level=RiskLevel.MEDIUM))},
)


@pytest.mark.parametrize("fields", CARDS)
async def test_it_shows_what_the_console_shows(page: Page, fields: dict[str, Any]) -> None:
    amount = {"value": "1250.00", "currency": "USD"}
    plain = a_card(**fields)
    action = replace(plain.ui.action, amount=amount, affected=12500)
    card = replace(plain, ui=replace(plain.ui, action=action))
    face = face_of(card, Person(name="ann"))
    await shown(page, card, send=True)

    parts = await page.evaluate(PARTS)
    reasons = [it for why in face.whys for it in why.signals]
    assert parts["title"] == [card.title]
    assert parts["risk"] == [face.risk]
    assert parts["words"] == ["".join(it.text for it in face.words) or "It said nothing about it."]
    assert parts["facts"] == [[it.name, it.text] for it in face.facts]
    assert parts["danger"] == ([told(face.danger)] if face.danger else [])
    assert sorted(parts["reasons"]) == sorted(map(told, reasons))
    assert [name for name, _ in parts["arguments"]][: len(face.arguments)] == [
        it.name for it in face.arguments
    ]
    assert parts["silence"] == [card.on_silence]
    assert parts["buttons"] == [card.labels["cancel"], card.labels["proceed"]]


def told(signal: Signal) -> str:
    return in_words(signal.reason, signal.evidence)


async def test_an_end_says_how_it_ended(page: Page) -> None:
    await shown(page, a_card(), send=True)
    await shown(
        page, a_card(revision=4, state="done", outcome="confirmed", result="3 rows deleted")
    )

    await expect(page.get_by_text("It was approved, and it ran.")).to_be_visible()
    await expect(page.get_by_text("3 rows deleted")).to_be_visible()
    await expect(page.get_by_role("button")).to_have_count(0)


@pytest.mark.parametrize(("size", "scheme"), [(DESK, "light"), (PHONE, "dark")])
async def test_axe_finds_nothing_and_it_fits(page: Page, size: ViewportSize, scheme: Any) -> None:
    await page.set_viewport_size(size)
    await page.emulate_media(color_scheme=scheme)
    await shown(page, a_card(), send=True)
    await expect(page.get_by_role("button", name="Proceed")).to_be_visible()

    await page.context.unroute_all()
    found = await Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag22aa"]})

    assert found.response["violations"] == [], found.generate_report()
    assert await page.evaluate("document.documentElement.scrollWidth") <= size["width"]


@asynccontextmanager
async def the_example(road: Road) -> AsyncIterator[str]:
    """The example as a reader runs it; its address."""
    environment = {
        "HP_PERSON": "ben",
        "HP_TENANT": road.settings.tenant,
        "HP_STATE_DIR": str(road.settings.state_dir),
        "HP_CONFIG_DIR": str(road.settings.config_dir),
        "HP_NATS_URL": road.supervisor.url,
    }
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-W", "ignore", str(EXAMPLE / "server.py"),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE, env=os.environ | environment, start_new_session=True,
    )  # fmt: skip
    assert child.stdin
    assert child.stdout
    try:
        child.stdin.write(f"{PASSWORD}\n".encode())
        yield (await child.stdout.readline()).decode().strip()
    finally:
        child.kill()
        await child.wait()


async def test_the_example_answers_as_its_person(
    browser: Browser, road: Road, robot: AgentVoice, ben: PersonVoice
) -> None:
    mark, call = await robot.command()
    hold = (await robot.pending(call)).hold_id
    async with the_example(road) as address:
        context = await browser.new_context(viewport=DESK)
        stranger = await context.new_page()
        await stranger.goto(address.partition("#")[0])
        await expect(stranger.locator("#state")).to_have_text("Not live")
        await expect(stranger.locator("holdpoint-card")).to_have_count(0)

        page = await context.new_page()
        await page.goto(address)
        card = page.locator("holdpoint-card").filter(has_text=mark)
        await card.get_by_role("button", name="Proceed").scroll_into_view_if_needed()
        await expect(card).to_have_attribute("data-armed", "yes")
        assert "#" not in page.url
        await card.get_by_role("button", name="Proceed").click()
        await expect(card.get_by_text("It was approved, and it ran.")).to_be_visible()

    assert (await ben.card(hold, "done")).voices == ("ben",)
    assert road.runs_of(mark) == 1


def test_the_example_is_short() -> None:
    for name in ("server.py", "page.html", "page.js"):
        assert len((EXAMPLE / name).read_text().splitlines()) <= 120
