"""What everybody can use: axe finds nothing, in light and dark, on a phone and on a desk."""

import re
from typing import Literal

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, ViewportSize, expect
from tests.actors import AgentVoice, Guests, PersonVoice
from tests.browser import DESK, PHONE, Program, Screens
from tests.running_system import PASSWORD, Road, fresh
from tests.waiting import eventually

from holdpoint.messages.call import Phase, Trace

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures", "tests.browser_fixtures")

LOOKS: tuple[tuple[ViewportSize, Literal["light", "dark"]], ...] = (
    (DESK, "light"),
    (PHONE, "dark"),
)
OLDER_PAGES = (
    "/chat",
    "/ledger",
    "/actions",
    "/traces",
    "/agents",
    "/you/permissions",
    "/stop",
    "/you",
)
OVERVIEWS = ("/figures", "/policy", "/policy/replay", "/people", "/health")
PAGES = (*OLDER_PAGES, *OVERVIEWS)
OUT_OF_PLACE = """() => {
  const wide = document.documentElement.clientWidth;
  const found = document.documentElement.scrollWidth > wide ? ["the page scrolls sideways"] : [];
  for (const it of document.querySelectorAll("header *, main *")) {
    if (it.closest(".wide-table, .scrolls, pre, .hidden-title, thead")) continue;
    if (!it.textContent.trim()) continue;
    const { right, width } = it.getBoundingClientRect();
    const isCut = ["hidden", "clip"].includes(getComputedStyle(it).overflowX);
    const cuts = isCut && it.scrollWidth > it.clientWidth + 1;
    if (width && (right > wide + 1 || cuts)) found.push(it.outerHTML.slice(0, 80));
  }
  return found;
}"""
"""What stands beside the page, and what is cut where nothing can be scrolled."""

OVERLAPS = """() => {
  const box = (it) => it.getBoundingClientRect();
  const stands = (it) => {
    const { display, position, visibility } = getComputedStyle(it);
    const isInFlow = !display.startsWith("inline") && position !== "absolute";
    return it.textContent.trim() && box(it).width && isInFlow && visibility !== "hidden";
  };
  const found = [];
  for (const parent of document.querySelectorAll("header, header *, main, main *")) {
    if (parent.closest("svg, pre, .scrolls, thead")) continue;
    const children = [...parent.children].filter(stands);
    children.slice(1).forEach((it, at) => {
      const [one, other] = [box(children[at]), box(it)];
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (across > 1 && down > 1) found.push(it.outerHTML.slice(0, 80));
    });
  }
  return found;
}"""
"""What lies over the element before it."""

LAPTOP: ViewportSize = {"width": 1280, "height": 800}
HEAD_PX, COMPACT_PX = 180, 250
"""Of an inbox on a laptop: above the first card, and a card of an ordinary command."""

EVIL = "line one\n" + "long " * 60 + "\u202e"


@pytest.fixture
async def holds(robot: AgentVoice, ann: PersonVoice, road: Road) -> list[str]:
    """A cancelled one, a failed one, and one that waits."""
    found = []
    for command in ("rm -r a", "rm -r b", "rm -rf /"):
        call = await robot.propose("run_command", {"command": command}, reasoning=EVIL)
        found.append((await robot.pending(call)).hold_id)
    await ann.cancel(await ann.card(found[0]))
    await ann.proceed(await ann.card(found[1]))
    await ann.card(found[1], "failed")
    await road.ended(found[0])
    return found


@pytest.mark.slow
async def test_axe_finds_nothing_outside_and_in_an_empty_inbox(screens: Screens) -> None:
    screen = await screens()
    await screen.page.goto(f"{screen.url}/login")
    assert await objections(screen.page) == []
    empty = await screens("cem")
    assert await objections(empty.page) == []


@pytest.mark.slow
async def test_axe_finds_nothing_on_any_page(screens: Screens, holds: list[str]) -> None:
    screen = await screens("ann")
    await screen.armed(holds[2])
    assert await objections(screen.page) == []
    for path in (
        f"/holds/robot/{holds[0]}",
        f"/holds/robot/{holds[2]}",
        "/?group=agent&risk=critical",
        *OLDER_PAGES,
        "/holds/x/y",
    ):
        await screen.page.goto(screen.url + path)
        assert await objections(screen.page) == [], path


@pytest.mark.slow
async def test_axe_finds_nothing_on_pages_about_the_whole(
    screens: Screens, holds: list[str], road: Road
) -> None:
    await road.ended(holds[1])
    screen = await screens("ann")
    for path in OVERVIEWS:
        await screen.page.goto(screen.url + path)
        assert await objections(screen.page) == [], path


@pytest.mark.slow
async def test_a_card_is_compact_and_its_buttons_say_all_of_its_title(
    screens: Screens, guests: Guests
) -> None:
    planner = await guests.agent("planner")  # nothing adds up to a further reason
    holds = []
    for name in ("web", "web-" * 17):
        call = await planner.propose("run_command", {"command": f"systemctl restart {name}"})
        holds.append((await planner.pending(call)).hold_id)
    screen = await screens("ann", viewport=LAPTOP)
    await expect(screen.cancel(holds[0])).to_have_accessible_description(
        "Cancel: Nothing runs, and the agent is told no."
    )
    await screen.armed(holds[0])
    await expect(screen.card(holds[0]).get_by_text("Holdpoint does this once")).to_be_visible()
    box = await screen.page.locator(f"#slot-{holds[0]}").bounding_box()
    label = screen.proceed(holds[1]).locator(".label")

    assert box is not None
    assert box["height"] <= COMPACT_PX
    assert await screen.page.locator("#open").evaluate("it => it.offsetTop") <= HEAD_PX
    assert len(await label.inner_text()) > 90
    assert await label.evaluate("it => it.scrollHeight <= it.clientHeight")


@pytest.mark.slow
async def test_nothing_is_clipped_or_beside_the_page(screens: Screens, holds: list[str]) -> None:
    screen = await screens()
    await screen.page.context.add_cookies(
        [{"name": "holdpoint_language", "value": "de", "url": screen.url}]  # its words are longer
    )
    await screen.page.goto(f"{screen.url}/login")
    await screen.page.locator("[name=name]").fill("ann")
    await screen.page.locator("[name=password]").fill(PASSWORD)
    await screen.page.locator("button[type=submit]").click()
    await screen.live()
    for path in ("/", "/?group=risk", f"/holds/robot/{holds[1]}", *PAGES):
        for size in (DESK, PHONE):
            await screen.page.set_viewport_size(size)
            await screen.page.goto(screen.url + path)
            assert await screen.page.evaluate(OUT_OF_PLACE) == [], (path, size)
            assert await screen.page.evaluate(OVERLAPS) == [], (path, size)
    assert await screen.page.locator("html").get_attribute("lang") == "de"


@pytest.mark.slow
async def test_what_the_policy_answers_is_in_place_and_axe_finds_nothing(
    screens: Screens, holds: list[str], road: Road
) -> None:
    await road.ended(holds[1])
    screen = await screens("ann")
    await screen.page.goto(f"{screen.url}/policy")
    await screen.page.get_by_label("What is it?").select_option("shell")
    await screen.page.get_by_label("Text").fill(f"rm -rf /{EVIL}<img src=x onerror=alert(1)>")
    await screen.page.get_by_role("button", name="Judge it").click()
    await expect(screen.page.locator(".verdict")).to_be_visible()
    await in_place_everywhere(screen.page)

    await screen.page.goto(f"{screen.url}/policy/replay")
    await screen.page.get_by_label("Replay with it").select_option("critical")
    await screen.page.get_by_role("button", name="Replay").click()
    await expect(screen.page.get_by_role("img", name="Changed verdicts")).to_be_visible()
    await in_place_everywhere(screen.page)


async def in_place_everywhere(page: Page) -> None:
    assert await objections(page) == []
    for size in (DESK, PHONE):
        await page.set_viewport_size(size)
        assert await page.evaluate(OUT_OF_PLACE) == [], size
        assert await page.evaluate(OVERLAPS) == [], size
    assert await page.locator("main img").count() == 0


@pytest.mark.slow
async def test_pages_answer_their_question_in_their_first_line(
    program: Program, holds: list[str], road: Road
) -> None:
    await road.ended(holds[1])
    await program.log_in("ann")
    first = {
        path: re.search(r'<p class="lead[^>]*>(.*?)</p>', await text(program, path), re.DOTALL)
        for path in PAGES
    }

    assert not [path for path, line in first.items() if line is None]
    said = {path: re.sub(r"<[^>]+>|\s+", " ", line[1]) for path, line in first.items() if line}
    assert "none is stopped" in said["/agents"]
    assert "cannot be approved right now" in said["/people"]
    assert "Gates judge by version" in said["/policy"]
    assert "Nothing is late" in said["/health"]
    assert "People were asked about" in said["/figures"]


@pytest.mark.slow
async def test_a_text_is_judged_by_the_policy_with_its_reasons(program: Program) -> None:
    await program.log_in("ann")
    tried = {"kind": "shell", "text": "rm -rf / --no-preserve-root"}
    judged = (await program.post("/policy", tried)).text

    assert "It stops until people answer." in judged
    assert "shell.rm" in judged
    assert (await program.post("/policy", {"kind": "moon", "text": "x"})).status == 400
    assert (await program.post("/policy", tried, {"Origin": "http://evil"})).status == 403


async def text(program: Program, path: str) -> str:
    return (await program.get(path)).text


@pytest.mark.slow
async def test_the_picture_of_agents_fits_a_small_phone(screens: Screens) -> None:
    screen = await screens("ann", viewport={"width": 320, "height": 640})
    await screen.page.goto(f"{screen.url}/agents")

    picture = screen.page.get_by_role("img", name="Agents in layers")
    await expect(picture).to_be_visible()
    for label in ("Layer 0", "Layer 1", "planner", "refund-agent"):
        await expect(picture.get_by_text(label, exact=True)).to_be_attached()
    assert await screen.page.evaluate("document.documentElement.scrollWidth") <= 320
    row = screen.page.get_by_role("row", name="planner")
    await expect(row).to_contain_text("refund-agent")
    assert await objections(screen.page) == []


@pytest.mark.slow
async def test_traces_are_trees_with_a_table_beside_them(
    screens: Screens, robot: AgentVoice
) -> None:
    cycle, call = fresh("cycle"), fresh("call")
    for node in (
        Trace(fn="robot", trace_id=cycle, group_id=cycle, phase=Phase.OPENED),
        Trace(fn="look_up", trace_id=call, parent=cycle, group_id=cycle, phase=Phase.OPENED),
        Trace(fn="look_up", trace_id=call, group_id=cycle, phase=Phase.CLOSED, exception="gone"),
    ):
        await robot.publish("trace", node, fresh("key"))
    screen = await screens("ann")
    rows = screen.page.get_by_role("row").filter(has_text="look_up")

    async def shown() -> int:
        await screen.page.goto(f"{screen.url}/traces?agent=robot")
        return await rows.filter(has_text="failed").count()

    await eventually(shown)
    picture = screen.page.get_by_role("img", name="Trees of calls")
    await expect(picture.locator(".failed").filter(has_text="look_up").first).to_be_attached()
    await screen.page.set_viewport_size(PHONE)
    assert await screen.page.evaluate(OUT_OF_PLACE) == []
    assert await objections(screen.page) == []


async def objections(page: Page) -> list[str]:
    """What axe objects to on this page, light on a desk and dark on a phone, with the elements."""
    found = []
    for size, scheme in LOOKS:
        await page.set_viewport_size(size)
        await page.emulate_media(color_scheme=scheme)
        results = await Axe().run(page)
        found += [
            f"{scheme}: {it['id']}: {it['help']}: {[at['html'][:120] for at in it['nodes']]}"
            for it in results.response["violations"]
        ]
    return found
