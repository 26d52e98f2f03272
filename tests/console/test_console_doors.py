"""Who gets in, and who answers: against programs that claim to be what they are not."""

import asyncio
import hmac
import html
import re
import secrets

import msgspec
import pytest
from msgspec.structs import replace
from playwright.async_api import expect
from tests.actors import AgentVoice, StreamEyes
from tests.browser import Ask, Program, Screens
from tests.running_system import CHEAP, PASSWORD, Road
from tests.waiting import eventually

from holdpoint.console.app import KEPT
from holdpoint.console.rendering import FILES
from holdpoint.console.security_headers import POLICY
from holdpoint.messages import subjects as s
from holdpoint.messages.envelope import Status
from holdpoint.runtime.config import files
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.credentials import PersonKey, change_password, unlock_person_key

pytestmark = [pytest.mark.nats, pytest.mark.slow]
pytest_plugins = ("tests.system_fixtures", "tests.browser_fixtures")

WRONG = "This name and this password do not belong together."


def csrf_in(page: str) -> str:
    return str(re.findall(r'name="holdpoint-csrf" content="([0-9a-f]{64})"', page)[0])


def half_in(page: str) -> str:
    return str(re.findall(r'name="holdpoint-page" content="([0-9a-f]{64})"', page)[0])


def form_of(page: str, hold_id: str) -> dict[str, str]:
    card = page[page.index(f'data-hold="{hold_id}"') :]
    digest, render = re.findall(r'data-(?:digest|render)="([0-9a-f]+)"', card)[:2]
    return {
        "choice": "proceed",
        "digest": digest,
        "render_digest": render,
        "seconds_shown": "3",
        "reason": "",
    }


async def page_of(program: Program, hold_id: str) -> str:
    """The hold's page, once its card has come to the console."""

    async def shown() -> str:
        reply = await program.get(f"/holds/robot/{hold_id}")
        assert "data-hold" in reply.text, f"still {reply.status}"
        return reply.text

    return await eventually(shown)


async def test_every_page_carries_the_policy(program: Program) -> None:
    for path in ("/login", "/", f"{FILES}/page.js", f"{FILES}/none.js", "/nowhere"):
        reply = await program.get(path)
        assert reply.headers["content-security-policy"] == POLICY, path
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "no-referrer"
        assert reply.headers["cross-origin-opener-policy"] == "same-origin"
        is_kept = path.endswith("page.js")
        assert reply.headers["cache-control"] == (KEPT if is_kept else "no-store"), path
    for rule in ("default-src 'none'", "frame-ancestors 'none'", "script-src 'self'"):
        assert rule in POLICY
    assert "unsafe" not in POLICY


async def test_the_cookie_is_for_this_browser_and_this_site_alone(program: Program) -> None:
    asked = await program.log_in("ann")

    assert asked.status == 200
    cookie = next(
        line for line in asked.headers["set-cookie"].split("\n") if line.startswith("holdpoint_")
    )
    for word in ("HttpOnly", "SameSite=strict", "Path=/", "Max-Age=43200"):
        assert word in cookie


@pytest.mark.parametrize("host", ["evil.example", "localhost", "localhost:1", "127.0.0.1:80", ""])
async def test_only_our_own_name_and_port_is_answered(program: Program, host: str) -> None:
    assert (await program.get("/login", {"Host": host})).status == 421


@pytest.mark.parametrize(
    "claims",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "http://localhost:3000"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
async def test_another_sites_page_posts_nothing(
    program: Program, claims: dict[str, str], ask: Ask, robot: AgentVoice
) -> None:
    hold, welcome = await ask(), await program.log_in("ann")
    page = await page_of(program, hold)
    tokens = {"X-Holdpoint-Csrf": csrf_in(welcome.text), "X-Holdpoint-Page": half_in(welcome.text)}

    form = form_of(page, hold)
    reply = await program.post(f"/holds/robot/{hold}/answer", form, {**tokens, **claims})

    assert reply.status == 403
    assert (await robot.ask(hold_id=hold)).status is Status.PENDING_CONFIRMATION


async def test_without_the_sessions_token_nothing_counts(
    program: Program, ask: Ask, robot: AgentVoice
) -> None:
    hold, welcome = await ask(), await program.log_in("ann")
    form = form_of(await page_of(program, hold), hold)
    half = {"X-Holdpoint-Page": half_in(welcome.text)}

    for token in ({}, {"X-Holdpoint-Csrf": secrets.token_hex(32)}):
        reply = await program.post(f"/holds/robot/{hold}/answer", form, {**half, **token})
        assert reply.status == 403
    assert (await program.post("/logout", {"csrf": "00"})).status == 403
    assert (await robot.ask(hold_id=hold)).status is Status.PENDING_CONFIRMATION


async def test_a_stolen_cookie_reads_and_never_answers(
    program: Program, ask: Ask, robot: AgentVoice, eyes: StreamEyes
) -> None:
    """A cookie goes to every port of this machine, so an agent's own server may get it."""
    hold, _ = await ask(), await program.log_in("ann")
    thief = Program(url=program.url, cookies=dict(program.cookies))
    page = await page_of(thief, hold)
    await thief.heard("/live", "event: beat")
    half = next(iter(thief.cookies.values())).partition(".")[2]
    guesses = ("", half, hmac.digest(half.encode(), b"csrf", "sha256").hex())

    for csrf in guesses:
        said = {"X-Holdpoint-Csrf": csrf, "X-Holdpoint-Page": secrets.token_hex(32)}
        for choice in ("cancel", "proceed"):
            form = {**form_of(page, hold), "choice": choice}
            assert (await thief.post(f"/holds/robot/{hold}/answer", form, said)).status == 403
        assert (await thief.post("/logout", {"csrf": csrf})).status == 403
    assert (await thief.get("/")).status == 200
    assert not re.search("[0-9a-f]{64}", re.sub(r'data-\w+="[0-9a-f]+"|<code>.*?</code>', "", page))
    assert await eyes.on(s.ANSWERS, s.answer_subject("acme", "*", "*", "*", hold)) == []
    assert (await robot.ask(hold_id=hold)).status is Status.PENDING_CONFIRMATION


async def test_the_server_refuses_a_yes_to_what_it_has_just_sent_or_never_sent(
    program: Program, ask: Ask, robot: AgentVoice
) -> None:
    hold, welcome = await ask(), await program.log_in("ann")
    page = await page_of(program, hold)
    tokens = {"X-Holdpoint-Csrf": csrf_in(welcome.text), "X-Holdpoint-Page": half_in(welcome.text)}
    path = f"/holds/robot/{hold}/answer"
    form = form_of(page, hold)

    quick = await program.post(path, form, tokens)
    other = await program.post(path, {**form, "render_digest": "0" * 64}, tokens)

    assert "too quick" in quick.text
    assert "was not shown here" in other.text
    assert (await robot.ask(hold_id=hold)).status is Status.PENDING_CONFIRMATION


async def test_n9_with_all_that_an_agent_or_a_worker_can_read_nothing_is_confirmed(
    program: Program, road: Road, ask: Ask, robot: AgentVoice, eyes: StreamEyes
) -> None:
    hold = await ask()
    ann = Program(url=program.url)
    await ann.log_in("ann")
    form = form_of(await page_of(ann, hold), hold)
    found = [path for path in road.settings.state_dir.rglob("*") if path.is_file()]
    kept = [path for path in found if path.parent == road.settings.console_dir]
    assert kept
    name = next(iter(ann.cookies))
    for path in kept:
        cookie = {name: f"{path.stem}.{secrets.token_hex(32)}"}
        forger = Program(url=program.url, cookies=cookie)
        said = {"X-Holdpoint-Csrf": secrets.token_hex(32), "X-Holdpoint-Page": "0" * 64}
        assert (await forger.post(f"/holds/robot/{hold}/answer", form, said)).status == 401
        assert (await forger.get("/")).status == 303
    secret = ann.cookies[name].partition(".")[2].encode()
    for path in (path for path in found if path.exists()):
        assert secret not in path.read_bytes(), path
    assert await eyes.on(s.ANSWERS, s.answer_subject("acme", "*", "*", "*", hold)) == []
    assert (await robot.ask(hold_id=hold)).status is Status.PENDING_CONFIRMATION


@pytest.mark.parametrize("user", ["agent_robot", "worker_shell", "view_ann", "console"])
async def test_no_credential_of_a_program_is_a_password(
    program: Program, road: Road, user: str
) -> None:
    reply = await program.log_in("ann", road.login(user).seed)

    assert reply.status == 401
    assert WRONG in reply.text


async def test_a_wrong_password_and_a_wrong_name_hear_the_same(program: Program) -> None:
    known = await program.log_in("cem", "wrong horse")
    unknown = await program.log_in("nobody", "wrong horse")
    strange = await program.log_in("../people/ann", PASSWORD)

    assert [it.status for it in (known, unknown, strange)] == [401, 401, 401]
    assert all(WRONG in it.text for it in (known, unknown, strange))


async def test_each_wrong_password_takes_longer(program: Program) -> None:
    took = []
    for _ in range(4):
        since = clock.monotonic()
        await program.log_in("ben", "wrong horse")
        took.append(clock.monotonic() - since)

    assert took[3] > 2.0
    assert took[3] > took[1] > 0.25
    assert (await program.log_in("ben")).status == 200


async def test_after_logging_out_the_cookie_opens_nothing(
    program: Program, road: Road, screens: Screens
) -> None:
    welcome = await program.log_in("ann")
    before = set(road.settings.console_dir.iterdir())
    reply = await program.post("/logout", {"csrf": csrf_in(welcome.text)})

    assert reply.status == 303
    assert (await program.get("/")).status == 303
    assert len(before - set(road.settings.console_dir.iterdir())) == 1
    screen = await screens("ann")
    await screen.page.get_by_role("button", name="Log out").click()
    await screen.page.wait_for_url("**/login")
    assert await screen.page.evaluate("localStorage.length") == 0


async def test_a_changed_password_ends_the_sessions_before_it(
    program: Program, road: Road, ask: Ask, robot: AgentVoice
) -> None:
    hold, welcome = await ask(), await program.log_in("ben")
    stream = asyncio.create_task(program.heard("/live", "event: bye"))
    page = await page_of(program, hold)
    tokens = {"X-Holdpoint-Csrf": csrf_in(welcome.text), "X-Holdpoint-Page": half_in(welcome.text)}
    await program.heard("/live", "event: beat")
    people, path = road.settings.people_dir, road.settings.people_dir / "ben.key"
    before = path.read_bytes()
    try:
        change_password(people, "ben", PASSWORD, "another horse", CHEAP)
        reply = await program.post(f"/holds/robot/{hold}/answer", form_of(page, hold), tokens)

        assert reply.status == 401
        assert (await program.get("/")).status == 303
        await stream
        assert (await Program(url=program.url).log_in("ben", "another horse")).status == 200
    finally:
        files.replace(path, before, files.PRIVATE)
    assert (await robot.ask(hold_id=hold)).status is Status.PENDING_CONFIRMATION


async def test_a_filter_survives_the_login(program: Program) -> None:
    path = "/ledger?outcome=cancelled&agent=robot"
    sent = await program.get(path)
    asked = await program.get(sent.headers["location"])

    assert f'name="next" value="{html.escape(path)}"' in asked.text


async def test_an_oversized_form_is_refused_unread(program: Program) -> None:
    reply = await program.post("/login", {"name": "x" * 70_000})

    assert reply.status == 413


async def test_a_password_that_a_program_made_is_changed_first(
    screens: Screens, road: Road
) -> None:
    path = road.settings.people_dir / "cem.key"
    key = msgspec.json.decode(path.read_bytes(), type=PersonKey)
    made = replace(key, must_change=True)
    files.replace(path, msgspec.json.encode(made), files.PRIVATE)
    screen = await screens()
    await screen.log_in("cem")
    await expect(screen.page.get_by_role("heading")).to_have_text("Choose a password")

    for new, again in (("short", "short"), ("a new horse", "another"), (PASSWORD, PASSWORD)):
        await screen.page.get_by_label("Current password").fill(PASSWORD)
        await screen.page.get_by_label("New password", exact=True).fill(new)
        await screen.page.get_by_label("Repeat the new password").fill(again)
        await screen.page.locator("form").evaluate("form => form.noValidate = true")
        await screen.page.get_by_role("button", name="Set it and log in").click()
        await expect(screen.page.get_by_role("alert")).to_be_visible()
    await screen.page.get_by_label("Current password").fill(PASSWORD)
    await screen.page.get_by_label("New password", exact=True).fill("a new horse")
    await screen.page.get_by_label("Repeat the new password").fill("a new horse")
    await screen.page.get_by_role("button", name="Set it and log in").click()

    await screen.live()
    assert unlock_person_key(road.settings.people_dir, "cem", "a new horse")
    files.replace(path, msgspec.json.encode(key), files.PRIVATE)
