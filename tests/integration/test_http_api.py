"""The HTTP API against everything that runs: who may ask, what comes of it, who is told."""

import asyncio
import base64
import hashlib
import hmac
import json
import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.actors import Guests
from tests.api_system import Http, HttpAgent, Receiver, Taken, api_yaml, asked
from tests.contract import conftest as contract
from tests.running_system import Road, fresh, running
from tests.waiting import eventually

from holdpoint.messages.answer import Choice
from holdpoint.messages.ask import JUDGED_BY_S
from holdpoint.runtime.broker.nodes import free_port
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.credentials import API

pytestmark = [pytest.mark.nats, pytest.mark.slow]

HUNDREDS = 240
NO_HOLD = "a" * 26
ROOT = Path(__file__).parents[2]
STRICT = ("--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom")
node_modules = contract.node_modules


@dataclass(frozen=True, kw_only=True)
class World:
    """A road with the HTTP API, two agents that it serves, and a receiver for one of them."""

    road: Road
    robot: HttpAgent
    rival: HttpAgent
    receiver: Receiver

    def http(self, agent: HttpAgent) -> Http:
        return Http(url=self.road.settings.api_url, agent=agent)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    robot = HttpAgent(name="robot", kid="robot-1")
    rival = HttpAgent(name="rival", kid="rival-1")
    receiver = Receiver(port=free_port(18340))
    hook = f"http://127.0.0.1:{receiver.port}/hook"

    def configure(folder: Path) -> None:
        api_yaml(folder, (robot, hook), (rival, ""))

    with asyncio.Runner() as runner:
        folder = tmp_path_factory.mktemp("api")
        system = running(folder, own={}, console=True, others=(API,), configure=configure)
        road = runner.run(system.__aenter__())
        yield World(road=road, robot=robot, rival=rival, receiver=receiver)
        runner.run(system.__aexit__(None, None, None))


@pytest.fixture
def robot(world: World) -> Http:
    return world.http(world.robot)


@pytest.fixture
async def people(world: World) -> AsyncIterator[Guests]:
    async with AsyncExitStack() as stack:
        yield Guests(road=world.road, stack=stack)


def deleting(table: str) -> dict[str, Any]:
    return {"database": "crm", "sql": f"DELETE FROM {table}"}


async def answered(people: Guests, hold_id: str, choice: Choice) -> None:
    ann = await people.person("ann")
    card = await ann.card(hold_id)
    await ann.heard(card, await ann.answer(card, choice))


async def test_what_passes_runs_and_is_answered_with_200(robot: Http) -> None:
    reply = await robot.propose("run_command", {"command": "echo hello"})

    assert (reply.status, reply.body["status"]) == (200, "done")
    assert "hello" in reply.body["formatted"]
    assert reply.headers["Cache-Control"] == "no-store"


async def test_what_is_risky_waits_with_a_link_and_runs_once_after_a_yes(
    world: World, robot: Http, people: Guests
) -> None:
    table, key = world.road.table(HUNDREDS), fresh("key")

    reply = await robot.propose("execute_sql", deleting(table), key)

    hold_id = reply.body["hold_id"]
    assert (reply.status, reply.body["status"]) == (202, "pending_confirmation")
    assert reply.headers["Location"] == f"/v1/actions/{hold_id}"
    console = world.road.settings.console_url
    assert reply.body["review_url"] == f"{console}/holds/robot/{hold_id}"
    assert world.road.rows(table) == HUNDREDS

    waiting = asyncio.create_task(robot.ask("GET", f"/v1/actions/{hold_id}?wait=50"))
    await answered(people, hold_id, Choice.PROCEED)
    done = await waiting
    again = await robot.propose("execute_sql", deleting(table), key)

    assert (done.status, done.body["status"]) == (200, "done")
    assert "review_url" not in done.body
    assert (again.status, again.body["hold_id"]) == (200, hold_id)
    assert world.road.rows(table) == 0


async def test_a_no_is_a_conflict_and_nothing_runs(
    world: World, robot: Http, people: Guests
) -> None:
    table, key = world.road.table(HUNDREDS), fresh("key")
    reply = await robot.propose("execute_sql", deleting(table), key)

    await answered(people, reply.body["hold_id"], Choice.CANCEL)

    async def told() -> dict[str, Any]:
        again = await robot.propose("execute_sql", deleting(table), key)
        assert again.status == 409
        return again.body

    body = await eventually(told)
    assert (body["status"], body["code"]) == ("cancelled", "cancelled")
    assert world.road.rows(table) == HUNDREDS


async def test_a_wait_that_ends_tells_how_it_stands(world: World, robot: Http) -> None:
    table = world.road.table(HUNDREDS)
    reply = await robot.propose("execute_sql", deleting(table))
    where = f"/v1/actions/{reply.body['hold_id']}"

    looked = await robot.ask("GET", f"{where}?wait=0.5")
    taken_back = await robot.ask("DELETE", f"{where}?reason=not+needed")
    too_late = await robot.ask("DELETE", where)

    assert (looked.status, looked.body["status"]) == (200, "pending_confirmation")
    assert looked.body["review_url"]
    assert (taken_back.status, taken_back.body["status"]) == (200, "withdrawn")
    assert (too_late.status, too_late.body["code"]) == (409, "already_closed")


async def test_a_sentence_waits_and_its_yes_is_200(robot: Http, people: Guests) -> None:
    said = {"text": "I'm about to delete these 500 user accounts. Should I proceed?"}
    key = fresh("key")

    reply = await robot.post("/v1/intents", said, key)
    await answered(people, reply.body["hold_id"], Choice.PROCEED)
    looked = await robot.ask("GET", f"/v1/actions/{reply.body['hold_id']}?wait=30")

    assert (reply.status, reply.body["status"]) == (202, "pending_confirmation")
    assert looked.body["status"] == "confirmed"


async def test_only_a_token_of_the_agents_own_key_counts(world: World, robot: Http) -> None:
    now = int(clock.now().timestamp())
    stranger = HttpAgent(name="robot", kid="robot-1")
    stranger_kid = HttpAgent(name="robot", kid="nobody")
    bad = {
        "missing": "",
        "no scheme": world.robot.token(),
        "of another key": f"Bearer {stranger.token()}",
        "of an unknown key": f"Bearer {stranger_kid.token()}",
        "of no key": f"Bearer {world.robot.token({'kid': None})}",
        "another agent's name": f"Bearer {world.rival.token(sub='robot')}",
        "another issuer": f"Bearer {world.robot.token(iss='somebody')}",
        "another audience": f"Bearer {world.robot.token(aud='somewhere')}",
        "no audience": f"Bearer {world.robot.token(aud=None)}",
        "expired": f"Bearer {world.robot.token(iat=now - 700, exp=now - 100)}",
        "endless": f"Bearer {world.robot.token(exp=now + 90_000)}",
        "no end": f"Bearer {world.robot.token(exp=None)}",
        "not yet": f"Bearer {world.robot.token(iat=now + 500, exp=now + 900)}",
        "not signed": f"Bearer {_unsigned('none', b'')}",
        "signed with the public key": f"Bearer {_unsigned('HS256', world.robot.public())}",
    }
    mark = fresh("mark")
    body = {"tool": "run_command", "arguments": {"command": f"echo ran >> {mark}"}}

    for why, header in bad.items():
        key = {"Idempotency-Key": fresh("key"), "Authorization": header}
        reply = await asked("POST", f"{robot.url}/v1/actions", body, key)
        assert reply.status == 401, why
        assert reply.body["code"] in {"token_missing", "token_refused"}, why
        assert reply.headers["WWW-Authenticate"] == "Bearer"

    assert world.road.runs_of(mark) == 0


def _unsigned(algorithm: str, secret: bytes) -> str:
    now = int(clock.now().timestamp())
    parts: list[dict[str, Any]] = [
        {"alg": algorithm, "kid": "robot-1"},
        {"iss": "holdpoint-agents", "aud": "holdpoint", "sub": "robot", "iat": now, "exp": now + 9},
    ]
    said = b".".join(map(_base64, (json.dumps(part).encode() for part in parts)))
    digest = hmac.new(secret, said, hashlib.sha256).digest() if secret else b""
    return (said + b"." + _base64(digest)).decode()


def _base64(raw: bytes) -> bytes:
    return base64.urlsafe_b64encode(raw).rstrip(b"=")


async def test_nobody_acts_or_looks_as_another_agent(world: World, robot: Http) -> None:
    table = world.road.table(HUNDREDS)
    reply = await robot.propose("execute_sql", deleting(table))
    rival, where = world.http(world.rival), f"/v1/actions/{reply.body['hold_id']}"
    named = {"tool": "run_command", "arguments": {"command": "ls"}, "agent": "robot"}

    looked = await rival.ask("GET", where)
    taken_back = await rival.ask("DELETE", where)
    posing = await rival.post("/v1/actions", named)

    assert (looked.status, looked.body["code"]) == (404, "unknown_hold")
    assert (taken_back.status, taken_back.body["code"]) == (404, "unknown_hold")
    assert (posing.status, posing.body["code"]) == (400, "bad_data")


@pytest.mark.parametrize("wait", ["0", "1", "55"])
async def test_an_action_that_nobody_knows_is_unknown_at_once_whatever_the_wait(
    wait: str, robot: Http
) -> None:
    async with asyncio.timeout(JUDGED_BY_S / 2):
        reply = await robot.ask("GET", f"/v1/actions/{NO_HOLD}?wait={wait}")

    assert (reply.status, reply.body["code"]) == (404, "unknown_hold")


async def test_what_does_not_count_is_told_with_a_stable_code(robot: Http) -> None:
    fine = {"tool": "run_command", "arguments": {"command": "ls"}}
    key = fresh("key")
    await robot.post("/v1/actions", fine, key)

    async def told(body: Any, path: str = "/v1/actions", **headers: str) -> tuple[int, str]:
        reply = await robot.post(path, body, **headers)
        assert reply.body["reason"]
        return reply.status, reply.body["code"]

    other = {"tool": "run_command", "arguments": {"command": "pwd"}}
    large = {"tool": "run_command", "arguments": {"command": "x" * 70_000}}
    assert await told({"tool": "no_such_tool"}) == (404, "unknown_tool")
    assert await told({"tool": "run_command"}) == (400, "missing_arguments")
    assert await told({"tool": "run_command", "arguments": {"command": 5}}) == (
        400,
        "bad_arguments",
    )
    assert await told(b'{"tool": "a", "tool": "b"}') == (400, "duplicate_key")
    assert await told(b"\xff") == (400, "bad_json")
    assert await told({"text": ""}, "/v1/intents") == (400, "empty_text")
    assert await told(large) == (413, "arguments_too_large")
    assert await told(b" " * 300_000) == (413, "too_large")
    assert await told(fine, **{"Content-Type": "text/plain"}) == (400, "bad_content_type")
    assert await told(other, key=key) == (409, "idempotency_key_reused")
    without = await robot.ask("POST", "/v1/actions", fine)
    assert (without.status, without.body["code"]) == (400, "idempotency_key_missing")
    for wait in ("56", "-1", "nan", "soon"):
        reply = await robot.ask("GET", f"/v1/actions/h1?wait={wait}")
        assert (reply.status, reply.body["code"]) == (400, "bad_wait")
    nowhere = await robot.ask("GET", "/v1/nothing")
    assert (nowhere.status, nowhere.body["code"]) == (404, "not_found")


async def test_a_webhook_tells_everything_whoever_was_away(
    world: World, robot: Http, people: Guests
) -> None:
    receiver, hold_id = world.receiver, await _ran_while_nobody_told(world, robot, people)
    receiver.answers = 500

    with receiver.listening():
        await eventually(_so(lambda: bool(receiver.tries)))
        assert not receiver.taken
        receiver.answers = 200
        passed = await robot.propose("run_command", {"command": "echo told"})
        await eventually(_so(lambda: "action.done" in receiver.statuses(hold_id)))
        await eventually(_so(lambda: bool(receiver.statuses(passed.body["hold_id"]))))

    for taken in receiver.taken:
        assert _is_signed(world, taken)
        assert taken.event["agent"] == "robot"


async def _ran_while_nobody_told(world: World, robot: Http, people: Guests) -> str:
    """Run something while the receiver is away and the API is killed."""
    table = world.road.table(HUNDREDS)
    reply = await robot.propose("execute_sql", deleting(table))
    world.road.supervisor.kill(API)
    await answered(people, reply.body["hold_id"], Choice.PROCEED)
    await eventually(_so(lambda: world.road.rows(table) == 0))
    world.road.supervisor.start(API)
    await world.road.supervisor.ready(API)
    return str(reply.body["hold_id"])


def _is_signed(world: World, taken: Taken) -> bool:
    secret = (world.road.settings.api_dir / "robot.webhook").read_bytes()
    at = taken.signature.partition(",")[0].removeprefix("t=")
    said = hmac.new(secret, f"{at}.".encode() + taken.body, hashlib.sha256).hexdigest()
    return taken.signature == f"t={at},v1={said}"


def _so(check: Callable[[], bool]) -> Callable[[], Awaitable[bool]]:
    async def checked() -> bool:
        return check()

    return checked


async def test_a_key_that_is_taken_out_counts_no_longer(world: World) -> None:
    rival = world.http(world.rival)
    path = world.road.settings.config_dir / "api.yaml"
    written = path.read_text()
    assert (await rival.ask("GET", f"/v1/actions/{NO_HOLD}")).status == 404

    path.write_text("\n".join(it for it in written.splitlines() if "rival" not in it))
    after = await rival.ask("GET", f"/v1/actions/{NO_HOLD}")
    path.write_text(written)

    assert (after.status, after.body["code"]) == (401, "token_refused")


async def test_the_document_is_the_one_in_schemas(world: World) -> None:
    reply = await asked("GET", f"{world.road.settings.api_url}/openapi.json", None, {})

    assert reply.body == json.loads((ROOT / "schemas" / "openapi.json").read_text())


async def test_the_example_in_curl_runs(world: World, people: Guests) -> None:
    await _example_runs(world, people, "sh", str(ROOT / "examples" / "http_api.sh"))


@pytest.mark.parametrize(
    ("command", "is_known", "code"),
    [
        ('echo "two  words" \\ there', True, 0),
        ("echo one", False, 1),
        ("echo one\necho two", True, 2),
    ],
)
async def test_the_example_in_curl_takes_quotes_and_fails_by_its_exit_code(
    world: World, command: str, is_known: bool, code: int
) -> None:
    token = world.robot.token() if is_known else "none"
    environment = {"HP_API_URL": world.road.settings.api_url, "HP_TOKEN": token}
    done = await asyncio.create_subprocess_exec(
        "sh", str(ROOT / "examples" / "http_api.sh"), command, env=os.environ | environment
    )

    assert await done.wait() == code


async def test_the_example_in_typescript_runs(
    world: World, people: Guests, node_modules: Path, tmp_path: Path
) -> None:
    compiler = str(node_modules / "typescript" / "lib" / "tsc.js")
    shutil.copy(ROOT / "examples" / "http_api.ts", tmp_path / "http_api.mts")
    command = ["node", compiler, *STRICT, "--outDir", ".", "http_api.mts"]
    done = await asyncio.create_subprocess_exec(*command, cwd=tmp_path)
    assert await done.wait() == 0

    await _example_runs(world, people, "node", str(tmp_path / "http_api.mjs"))


async def _example_runs(world: World, people: Guests, *command: str) -> None:
    settings, folder = world.road.settings, world.road.scratch / fresh("reports")
    folder.mkdir()
    (folder / "old.txt").write_text("old")
    environment = {"HP_API_URL": settings.api_url, "HP_TOKEN": world.robot.token()}
    done = await asyncio.create_subprocess_exec(
        *command,
        f"rm -r {folder.name}",
        env=os.environ | environment,
        stdout=asyncio.subprocess.PIPE,
    )
    assert done.stdout
    asked_to = (await done.stdout.readline()).decode()
    assert asked_to.startswith(f"Answer it: {settings.console_url}/holds/robot/")
    await answered(people, asked_to.strip().rpartition("/")[2], Choice.PROCEED)

    assert (await done.stdout.read()).decode().startswith("done: ")
    assert await done.wait() == 0
    assert not folder.exists()


async def test_no_token_and_no_secret_reaches_a_log(world: World) -> None:
    text = "".join(world.road.logs().values())
    secret = (world.road.settings.api_dir / "robot.webhook").read_text()

    assert "eyJ" not in text
    assert secret not in text
