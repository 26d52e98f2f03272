"""Operators see how everything is, stop agents, and put a policy in force."""

import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec
import pytest
from tests.actors import AgentVoice, Guests, PersonVoice, StreamEyes
from tests.integration.cli.command_line import Ended, alone, at_a_terminal
from tests.running_system import CONFIG, PASSWORD, Road, running
from tests.waiting import eventually
from tests.world import World, start_world
from tests.world import settings_in as world_settings_in

from holdpoint.cli.commands import doctor
from holdpoint.cli.machine_checks import Health
from holdpoint.cli.output import ExitCode
from holdpoint.core.digest import policy_digest
from holdpoint.messages import subjects as s
from holdpoint.messages.codec import message_in
from holdpoint.messages.envelope import Status
from holdpoint.messages.policy import Policy
from holdpoint.messages.state import AdoptPolicy
from holdpoint.runtime.config.policy import load_policy
from holdpoint.runtime.config.registry import groups_of, load_registry
from holdpoint.runtime.config.settings import Settings

pytestmark = pytest.mark.nats
pytest_plugins = ("tests.system_fixtures",)

PROMPT = "Password of ann: "


async def test_status_tells_what_runs(road: Road, robot: AgentVoice) -> None:
    assert not await denied(robot)

    ended = alone(road.settings, "status", "--json")

    found = msgspec.json.decode(ended.out)
    assert ended.code is ExitCode.OK.value, ended
    assert found["broker"]["reachable"]
    agents = load_registry(road.settings.config_dir).agents
    sources = s.sources(s.AUDITED, [it.name for it in agents])
    assert set(found["broker"]["audit_lag"]) == set(sources)
    assert {it["name"]: (it["alive"], it["ready"]) for it in found["services"]} == {
        "gate": (True, True),
        "worker-shell": (True, True),
        "worker-database": (True, True),
        "worker-vault": (True, True),
        "audit": (True, True),
        "console": (True, True),
    }
    assert found["broker"]["policy_digest"] == policy_digest(policy_on(road.settings))


async def test_status_counts_open_holds(road: Road, robot: AgentVoice, ann: PersonVoice) -> None:
    before = open_holds(road)
    sql = f"DELETE FROM {road.table(500)}"
    call = await robot.propose("execute_sql", {"database": "crm", "sql": sql})
    card = await ann.card((await robot.pending(call)).hold_id)

    assert open_holds(road) == before + 1
    await ann.cancel(card)

    async def closed() -> bool:
        return open_holds(road) == before

    assert await eventually(closed)


async def test_who_reads_the_ledger_is_an_event_of_it(road: Road) -> None:
    """Reading the reads is one more, and no more."""
    road_says = {"HP_PERSON": "jo.doe"}
    assert alone(road.settings, "audit", "query", "--limit", "1", **road_says).code == 0
    assert alone(road.settings, "audit", "report", "--json", **road_says).code == 0

    def reads() -> list[tuple[str, str]]:
        """Of jo.doe, whom the ledger does not know before the first of them has come."""
        words = ("audit", "query", "--reads", "--person", "jo_doe", "--json")
        ended = alone(road.settings, *words)
        found = msgspec.json.decode(ended.out)["reads"] if ended.code == 0 else ()
        return [(it["surface"], it["what"]) for it in found]

    async def are_there() -> bool:
        return reads() == [("cli", "query"), ("cli", "report")]

    assert await eventually(are_there)


def test_status_for_people_has_a_line_for_each_thing(road: Road) -> None:
    shown = alone(road.settings, "status").out

    for name in ("up ", "broker", "gate", "worker-shell", "audit", "policy", "open holds"):
        assert f"\n{name}" in f"\n{shown}"


def test_the_doctor_finds_a_running_system_healthy(road: Road) -> None:
    ended = alone(road.settings, "doctor", "--json")

    checks = [msgspec.json.decode(line) for line in ended.out.splitlines()]
    health = {check["name"]: check["health"] for check in checks}
    for name in ("python", "nats-server", "keys", "broker", "gate", "clock", "durability",
                 "streams"):  # fmt: skip
        assert health[name] == "ok", checks


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("records: 100", "records: 101", "is not the one in force"),
        ("records: 100", "records: many", "cannot be adopted before it is mended"),
    ],
)
async def test_the_doctor_names_a_policy_that_is_not_in_force(
    road: Road, tmp_path: Path, old: str, new: str, told: str
) -> None:
    shutil.copytree(road.settings.config_dir, tmp_path / "config")
    policy = tmp_path / "config" / "policy" / "default.yaml"
    policy.write_text(policy.read_text().replace(old, new))
    edited = road.settings.model_copy(update={"config_dir": tmp_path / "config"})

    before, after = [
        next(it for it in await doctor._running(settings, None) if it.name == "policy")
        for settings in (road.settings, edited)
    ]

    assert before.health is Health.OK
    assert after.health is Health.WARN
    assert told in after.text


@pytest.mark.slow
def test_where_nothing_runs_status_says_so(tmp_path: Path) -> None:
    settings = Settings(state_dir=tmp_path / "var", config_dir=CONFIG, nats_url=f"nats://{CLOSED}")

    assert alone(settings, "status").code is ExitCode.UNREACHABLE.value
    assert not (tmp_path / "var").exists()
    assert "broker" in alone(settings, "doctor").out
    assert not (tmp_path / "var").exists()


CLOSED = "127.0.0.1:9"


async def test_the_kill_switch_stops_an_agent_and_lets_it_go_on(road: Road, guests: Guests) -> None:
    doomed = await guests.agent("doomed")
    assert "Stopped: doomed." in throw(road.settings, "on").out
    assert await denied(doomed)
    assert "Out of hand." in alone(road.settings, "status").out

    assert "The stop is taken back for doomed." in throw(road.settings, "off").out
    assert not await denied(doomed)


async def test_who_orders_what_the_gate_refuses_is_told(road: Road, tmp_path: Path) -> None:
    """This machine knows an agent that the gate does not know."""
    here = shutil.copytree(road.settings.config_dir, tmp_path / "config")
    agents = here / "agents.yaml"
    agents.write_text(agents.read_text() + "  - {name: ghost, tools: [], acts_for: [ann]}\n")
    settings = road.settings.model_copy(update={"config_dir": here})

    ended = throw(settings, "on", "ghost", "--json")

    told = msgspec.json.decode(ended.out)
    assert ended.code == told["exit_code"] == ExitCode.FAILED.value
    assert (told["carried_out"], told["status"], told["code"]) == (
        False, "refused", "unknown_agent",
    )  # fmt: skip
    assert "ghost" in told["text"]


@pytest.mark.slow
async def test_a_policy_that_is_adopted_is_judged_by_at_once(tmp_path: Path) -> None:
    async with running(tmp_path, own={}) as road, AsyncExitStack() as stack:
        robot = await Guests(road=road, stack=stack).agent()
        assert not await denied(robot)
        policy = road.settings.config_dir / "policy" / "default.yaml"
        policy.write_text(
            policy.read_text()
            .replace('version: "1"', 'version: "2"')
            .replace("  1: {verdict: pass}", "  1: {verdict: deny, why: nothing at all}")
        )
        assert "not the one in force" in alone(road.settings, "status").out

        ended = adopt(road.settings, 'levels.1.verdict: "pass" -> "deny"')

        assert ended.code is ExitCode.OK.value, ended
        digest = policy_digest(policy_on(road.settings))
        assert f"Policy 2 (digest {digest[:12]}) is in force" in " ".join(ended.out.split())
        assert await denied(robot)
        assert "not the one in force" not in alone(road.settings, "status").out


async def test_without_a_terminal_nobody_orders_anything(road: Road, eyes: StreamEyes) -> None:
    before = await orders(eyes)

    ended = alone(road.settings, "kill", "on", "--reason", "x", "--as", "ann", said=f"{PASSWORD}\n")

    assert ended.code is ExitCode.NO_TERMINAL.value
    assert await orders(eyes) == before


def test_who_is_no_admin_is_not_even_asked(road: Road) -> None:
    with at_a_terminal(road.settings, "kill", "on", "--reason", "x", "--as", "ben") as screen:
        ended = screen.ended()

    assert ended.code is ExitCode.FAILED.value
    assert "admin" in ended.err
    assert screen.everything == ""


@pytest.fixture
async def quiet(tmp_path: Path) -> AsyncIterator[World]:
    """A broker without a gate, and the shipped policy."""
    settings = world_settings_in(tmp_path)
    shutil.copytree(CONFIG / "policy", settings.config_dir / "policy")
    for name in ("environments.yaml", "domains.yaml"):
        shutil.copy(CONFIG / name, settings.config_dir)
    world = await start_world(settings)
    yield world
    await world.stop()


def test_a_broker_without_services_is_not_ready(quiet: World) -> None:
    ended = alone(quiet.settings, "status", "--json")

    assert ended.code is ExitCode.FAILED.value
    assert msgspec.json.decode(ended.out)["broker"]["reachable"]


@pytest.mark.slow
async def test_adopting_shows_what_changes_and_keeps_who_and_why(quiet: World) -> None:
    ended = adopt(quiet.settings, "There is nothing to compare with")
    assert ended.code is ExitCode.UNDECIDED.value, ended
    assert "not yet carried out" in ended.out
    policy = quiet.settings.config_dir / "policy" / "default.yaml"
    policy.write_text(policy.read_text().replace("records: 100", "records: 50"))

    adopt(quiet.settings, "thresholds.records: 100 -> 50", "Two policies would be called version 1")

    provisioner = await quiet.client("provisioner")
    found = await provisioner.jetstream().get_last_msg("HP_ADMIN_acme", "hp.acme.admin.ann.policy")
    await provisioner.close()
    order = message_in(found.data or b"", AdoptPolicy)
    assert order.policy == policy_on(quiet.settings)
    assert order.digest == policy_digest(policy_on(quiet.settings))
    assert order.diff == "thresholds.records: 100 -> 50"
    assert order.reason == "Smaller steps."


@pytest.mark.slow
async def test_a_broken_policy_is_not_adopted(quiet: World) -> None:
    policy = quiet.settings.config_dir / "policy" / "default.yaml"
    policy.write_text(policy.read_text().replace("grant_s: ", "grant_s: 9"))

    ended = alone(quiet.settings, "policy", "adopt", "--reason", "x", "--as", "ann")

    assert ended.code is ExitCode.SETUP.value
    assert "grant_s" in ended.err


def adopt(settings: Settings, *shown: str) -> Ended:
    words = ("policy", "adopt", "--reason", "Smaller steps.", "--as", "ann")
    with at_a_terminal(settings, *words) as screen:
        seen = screen.sees(PROMPT)
        assert [one for one in shown if one not in seen] == []
        screen.answers(PROMPT, PASSWORD)
        return screen.ended()


def throw(settings: Settings, word: str, agent: str = "doomed", *more: str) -> Ended:
    words = ("kill", word, "--agent", agent, "--reason", "Out of hand.", "--as", "ann", *more)
    with at_a_terminal(settings, *words) as screen:
        screen.answers(PROMPT, PASSWORD)
        ended = screen.ended()
    assert "--json" in more or "ADMIN:" not in ended.out
    return ended


async def denied(agent: AgentVoice) -> bool:
    call = await agent.propose("list_directory", {"path": "."})
    told = await agent.hears(call, Status.DENIED, Status.DONE)
    return told.status is Status.DENIED


async def orders(eyes: StreamEyes) -> int:
    """How many were ever given; other tests leave unreadable ones behind."""
    return len(await eyes.on(s.ADMIN, "hp.acme.admin.>"))


def open_holds(road: Road) -> int:
    found = msgspec.json.decode(alone(road.settings, "status", "--json").out)
    return int(found["broker"]["open_holds"])


def policy_on(settings: Settings) -> Policy:
    return load_policy(settings.config_dir, groups_of(load_registry(settings.config_dir)))
