"""A whole provisioned broker for tests: real server, real accounts, two or more of everyone."""

import asyncio
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec
from nats.aio.client import Client

from holdpoint.messages.subjects import KINDS, sources, stream
from holdpoint.runtime.broker import provisioning, streams
from holdpoint.runtime.broker.connection import Login, connect
from holdpoint.runtime.broker.nats_conf import ANY_PORT
from holdpoint.runtime.broker.server import NatsServer
from holdpoint.runtime.broker.streams import Tenant
from holdpoint.runtime.config.settings import MEBIBYTE, Settings
from holdpoint.runtime.process import clock
from holdpoint.runtime.security import credentials

TENANT = "acme"
SOURCES = sources(KINDS, ("robot", "rival"))
DOMAINS = ("shell", "database")
PASSWORD = "correct horse"  # noqa: S105  # of people who exist only in tests
CHEAP = credentials.WorkFactor(passes=1, memory_bytes=64 * 1024)

AGENTS_YAML = """\
agents:
  - {name: robot, tools: [read_file, run_command, execute_sql], acts_for: [ann]}
  - {name: rival, tools: [read_file], acts_for: [ann, ben]}
"""
PEOPLE_YAML = """\
people:
  - {name: ann, groups: [operators], admin: true}
  - {name: ben, groups: [operators]}
  - {name: cem, groups: [finance], roles: [approver, auditor, compliance]}
"""


@dataclass(frozen=True, kw_only=True)
class World:
    """A running broker and everybody's way in."""

    settings: Settings
    tenant: Tenant
    server: NatsServer

    def login(self, user: str) -> Login:
        """Who `user` is to the broker; remembers every denial."""
        return Login(
            user=user,
            seed=_seed(self.settings.credentials_dir, self.settings.people_dir, user),
            url=self.server.url,
            denials=deque(),
        )

    async def client(self, user: str) -> Client:
        """Connect as that user."""
        return await connect(self.login(user))

    async def restart(self) -> None:
        """Kill the server and start it again on the same store and port."""
        self.server.kill()
        await self.server.start()

    async def stop(self) -> None:
        """Stop the server."""
        await self.server.stop()


def settings_in(folder: Path) -> Settings:
    """Settings of a world of its own, with small streams."""
    config = folder / "config"
    config.mkdir(parents=True)
    (config / "agents.yaml").write_text(AGENTS_YAML)
    (config / "people.yaml").write_text(PEOPLE_YAML)
    return Settings(
        tenant=TENANT,
        state_dir=folder / "var",
        config_dir=config,
        nats_port=ANY_PORT,
        stream_max_bytes=64 * MEBIBYTE,
    )


async def start_world(settings: Settings, domains: tuple[str, ...] = DOMAINS) -> World:
    """Make every key, start the server on a free port, and provision the streams."""
    first = provisioning.prepare(settings, domains, settings.nats_port, clock.now())
    for person in first.without_password:
        credentials.create_person_key(
            settings.people_dir, person, PASSWORD, CHEAP, must_change=False
        )
    prepared = provisioning.prepare(settings, domains, settings.nats_port, clock.now())
    server = NatsServer(config=prepared.config, run_dir=settings.run_dir, port=settings.nats_port)
    await server.start()
    world = World(
        settings=settings.model_copy(update={"nats_url": server.url}),
        tenant=prepared.tenant,
        server=server,
    )
    try:
        provisioning.prepare(settings, domains, server.port, clock.now())
        await provision(world)
    except BaseException:
        server.kill()
        raise
    return world


async def provision(
    world: World,
    accept_lost: str = "",
    recorded: Mapping[str, provisioning.Recorded] = provisioning.NOTHING_RECORDED,
) -> provisioning.Report:
    """Make what is missing in the running broker."""
    client = await world.client(credentials.PROVISIONER)
    try:
        plan = streams.plan(world.tenant, provisioning.limits(world.settings))
        return await provisioning.provision(client, plan, accept_lost, recorded)
    finally:
        await client.close()


async def last_sequences(provisioner: Client) -> dict[str, int]:
    """How far each stream has come: equal before and after means that nothing was stored."""
    kinds = {kind: f"$JS.API.STREAM.INFO.{stream(TENANT, kind)}" for kind in SOURCES}
    replies = await asyncio.gather(
        *(provisioner.request(subject, b"", timeout=5) for subject in kinds.values())
    )
    return {
        kind: msgspec.json.decode(reply.data)["state"]["last_seq"]
        for kind, reply in zip(kinds, replies, strict=True)
    }


@cache
def _seed(credentials_dir: Path, people_dir: Path, user: str) -> str:
    person = user.removeprefix("person_")
    if person != user:
        return credentials.unlock_person_key(people_dir, person, PASSWORD)
    return credentials.read_seed(credentials_dir, user)
