"""Provisioning makes what is missing, mends what is harmless, and reports the rest."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from nats.aio.client import Client
from nats.errors import Error as NatsError
from tests.conftest import Connect
from tests.waiting import eventually
from tests.world import CHEAP, DOMAINS, PASSWORD, World, provision, settings_in

from holdpoint.ledger.writer import upgrade
from holdpoint.messages.subjects import KINDS, sources
from holdpoint.runtime.broker import provisioning, streams
from holdpoint.runtime.broker.provisioning import Report
from holdpoint.runtime.broker.streams import Limits
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security import credentials, keyset_files

pytestmark = pytest.mark.nats


async def test_a_second_time_changes_nothing(world: World) -> None:
    assert await provision(world) == Report()


def test_keys_and_credentials_are_made_once(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    first = provisioning.prepare(settings, DOMAINS, 4222, clock.now())
    made = {path: path.read_bytes() for path in settings.state_dir.rglob("*.*") if path.is_file()}
    second = provisioning.prepare(settings, DOMAINS, 4222, clock.now())

    assert first == second
    assert first.without_password == ("ann", "ben", "cem")
    assert {path: path.read_bytes() for path in made} == made
    assert {key.role for key in keyset_files.read_keyset(settings.keys_dir)} == {
        "gate",
        "audit",
        "worker:shell",
        "worker:database",
    }


def test_every_secret_is_its_owners_alone(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    provisioning.prepare(settings, DOMAINS, 4222, clock.now())
    credentials.create_person_key(settings.people_dir, "ann", PASSWORD, CHEAP, must_change=False)
    secrets = [*settings.state_dir.rglob("*.nk"), *settings.state_dir.rglob("*.key")]

    assert len(secrets) == 8 + 2 + 3 + 2 + 4 + 1 + 1
    assert {path.stat().st_mode & 0o777 for path in secrets} == {0o600}
    assert {path.parent.stat().st_mode & 0o777 for path in secrets} == {0o700}


def test_the_state_directory_is_its_owners_alone_whoever_makes_it(tmp_path: Path) -> None:
    """The ledger may come before the keys, or be elsewhere."""
    settings = settings_in(tmp_path)
    provisioning.prepare(settings, DOMAINS, 4222, clock.now())
    upgrade(f"sqlite+aiosqlite:///{tmp_path / 'new' / 'ledger.db'}")

    assert settings.state_dir.stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("name", [".", "keys", "credentials", "people"])
def test_a_folder_that_others_can_write_is_refused(name: str, tmp_path: Path) -> None:
    """Whoever may write it replaces the keyset, and signs as the gate."""
    settings = settings_in(tmp_path)
    provisioning.prepare(settings, DOMAINS, 4222, clock.now())
    folder = settings.state_dir / name
    folder.mkdir(exist_ok=True)
    folder.chmod(0o777)

    with pytest.raises(SetupError, match=f"chmod 700 {folder.absolute()}"):
        provisioning.prepare(settings, DOMAINS, 4222, clock.now())


def test_the_configuration_holds_no_secret_and_no_broad_grant(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    text = provisioning.prepare(settings, DOMAINS, 4222, clock.now()).config.read_text()

    assert re.search(r"\bSU[A-Z2-7]{50,}", text) is None
    assert "deny" not in text
    assert "no_auth_user" not in text
    assert '"listen": ' not in text
    assert 'listen: "127.0.0.1:4222"' in text


async def test_more_room_is_given_and_less_is_reported(
    own_world: World, connected: Connect
) -> None:
    client = await connected(own_world.login(credentials.PROVISIONER))
    larger = streams.plan(own_world.tenant, Limits(max_bytes=65 * 2**20, replicas=1))
    smaller = streams.plan(own_world.tenant, Limits(max_bytes=16 * 2**20, replicas=1))

    grown = await provisioning.provision(client, larger)
    shrunk = await provisioning.provision(client, smaller)

    assert len(grown.updated) == len(sources(KINDS, ("robot", "rival")))
    assert grown.different == ()
    assert shrunk.updated == ()
    assert "max_bytes is 68157440, declared 16777216" in shrunk.different[0]
    assert (await _config(client, "HP_HOLDS_acme"))["max_bytes"] == 65 * 2**20
    assert (await _config(client, "HP_HOLDS_acme"))["deny_purge"] is True


async def test_a_stream_that_forgets_too_soon_is_mended(
    own_world: World, connected: Connect
) -> None:
    client = await connected(own_world.login(credentials.PROVISIONER))
    await _change(client, "HP_STATE_acme", {"max_age": 3600 * 10**9})

    report = await provision(own_world)

    assert report.updated == ("HP_STATE_acme: max_age is 3600000000000, declared 0",)
    assert (await _config(client, "HP_STATE_acme"))["max_age"] == 0


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("HP_TIMERS_acme", "allow_direct", True),
        ("HP_CALLS_acme@robot", "allow_atomic", True),
        ("HP_CALLS_acme@robot", "discard", "old"),
        ("HP_CALLS_acme@robot", "max_msgs", 5),
    ],
)
async def test_a_loosened_stream_is_reported_and_not_reset(
    name: str, field: str, value: object, own_world: World, connected: Connect
) -> None:
    client = await connected(own_world.login(credentials.PROVISIONER))
    await _change(client, name, {field: value})

    report = await provision(own_world)

    assert report.updated == ()
    assert f"{field} is {value}" in report.different[0]
    assert (await _config(client, name))[field] == value


async def test_who_left_a_group_no_longer_sees_its_cards(
    own_world: World, connected: Connect
) -> None:
    """The tenant changes; the consumer follows, and the one of who left altogether is named."""
    client = await connected(own_world.login(credentials.PROVISIONER))
    people = own_world.settings.config_dir / "people.yaml"
    people.write_text(
        "people:\n- {name: ann, groups: [operators]}\n- {name: ben, groups: [finance]}\n"
    )
    tenant = provisioning.load_tenant(own_world.settings, DOMAINS)

    report = await provisioning.provision(client, streams.plan(tenant, _limits(own_world)))

    assert report.left_over == ("HP_CARDS_acme/inbox_cem", "HP_CARDS_acme/view_cem")
    updated = {line.partition(":")[0] for line in report.updated}
    assert updated == {"HP_CARDS_acme/view_ben", "HP_CARDS_acme/inbox_ben"}
    info = await client.request("$JS.API.CONSUMER.INFO.HP_CARDS_acme.view_ben", b"", timeout=5)
    assert msgspec.json.decode(info.data)["config"]["filter_subjects"] == [
        "hp.acme.card.finance.*",
        "hp.acme.card.@ben.*",
    ]


async def test_a_new_agent_comes_in_after_a_reload_and_the_others_stay(
    own_world: World, connected: Connect
) -> None:
    robot = await connected(own_world.login("agent_robot"))
    agents = own_world.settings.config_dir / "agents.yaml"
    agents.write_text(agents.read_text() + "  - {name: newcomer, tools: []}\n")
    provisioning.prepare(own_world.settings, DOMAINS, own_world.server.port, clock.now())

    own_world.server.reload()
    tenant = provisioning.load_tenant(own_world.settings, DOMAINS)
    provisioner = await connected(own_world.login(credentials.PROVISIONER))
    report = await provisioning.provision(provisioner, streams.plan(tenant, _limits(own_world)))
    assert report.created[0] == "HP_CALLS_acme@newcomer"

    async def is_known() -> Client | None:
        try:
            return await connected(own_world.login("agent_newcomer"))
        except SetupError:  # the reload takes a moment
            return None

    newcomer = await eventually(is_known)
    assert newcomer is not None

    async def is_heard() -> bytes | None:
        try:
            return (await newcomer.request("hp.acme.call.newcomer.propose", b"{}", timeout=5)).data
        except (NatsError, OSError):  # a reload may still cut who has just come in: it comes again
            return None

    heard = await eventually(is_heard)
    assert heard is not None
    assert msgspec.json.decode(heard)["stream"] == "HP_CALLS_acme@newcomer"
    assert robot.is_connected


async def test_a_removed_agent_is_shown_the_door_by_a_reload(
    own_world: World, connected: Connect
) -> None:
    rival = await connected(own_world.login("agent_rival"))
    agents = own_world.settings.config_dir / "agents.yaml"
    agents.write_text("agents: [{name: robot, tools: []}]\n")
    provisioning.prepare(own_world.settings, DOMAINS, own_world.server.port, clock.now())

    own_world.server.reload()

    async def is_out() -> bool:
        return not rival.is_connected

    assert await eventually(is_out)


def _limits(world: World) -> Limits:
    return provisioning.limits(world.settings)


async def _change(client: Client, name: str, fields: dict[str, object]) -> None:
    config = msgspec.json.encode(await _config(client, name) | fields)
    reply = await client.request(f"$JS.API.STREAM.UPDATE.{name}", config, timeout=5)
    assert "error" not in msgspec.json.decode(reply.data), reply.data


async def _asked(client: Client, verb: str, body: dict[str, object]) -> dict[str, Any]:
    reply = await client.request(f"$JS.API.{verb}", msgspec.json.encode(body), timeout=5)
    answer: dict[str, Any] = msgspec.json.decode(reply.data)
    assert "error" not in answer, answer
    return answer


async def _config(client: Client, stream: str) -> dict[str, object]:
    reply = await client.request(f"$JS.API.STREAM.INFO.{stream}", b"", timeout=5)
    config: dict[str, object] = msgspec.json.decode(reply.data)["config"]
    return config
