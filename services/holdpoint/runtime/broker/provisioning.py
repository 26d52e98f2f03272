"""Makes what is missing: keys, credentials and configuration on disk, streams in the broker.

What exists is never silently reset: a difference is mended where that loses nothing, and
reported where it does not.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.errors import NoRespondersError, OutboundBufferLimitError
from nats.errors import TimeoutError as NatsTimeoutError

from holdpoint.messages.subjects import ADMIN, ANSWERS, CARDS, HOLDS, RUNS, STATE, kind_of
from holdpoint.runtime.broker import nats_conf
from holdpoint.runtime.broker.connection import CORE_API
from holdpoint.runtime.broker.nats_errors import in_words
from holdpoint.runtime.broker.nodes import ALONE, Node, nodes_of
from holdpoint.runtime.broker.streams import Config, Consumer, Limits, Plan, Stream, Tenant
from holdpoint.runtime.config import files
from holdpoint.runtime.config.api_files import API_FILE, load_api
from holdpoint.runtime.config.channel_files import load_notices, load_slack
from holdpoint.runtime.config.registry import AGENTS_FILE, PEOPLE_FILE, load_registry
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError, UnavailableError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security import credentials, keys, keyset_files, permissions
from holdpoint.runtime.security.certificates import make_certificates

API_TIMEOUT_S = 5.0
ASK_AGAIN_S = 3.0
ELECTION_S = 30.0
"""For three servers to find each other and elect who leads."""

UNHEARD_S = 0.05
AT_ONCE = frozenset({HOLDS, CARDS, ANSWERS, RUNS, ADMIN, STATE})
"""Streams that are made together when a system is set up: one that is missing alone was lost."""

NOTHING_RECORDED: Mapping[str, "Recorded"] = {}
STREAM_NOT_FOUND = 10059
CONSUMER_NOT_FOUND = 10014
NO_PEERS, NO_LEADER, NO_CLUSTER = 10005, 10009, 10008
PASSING = {NO_PEERS, NO_LEADER, NO_CLUSTER}
"""Of servers that did not find each other yet, or have no leader."""

SERVER_NAME = re.compile(r'server_name: "holdpoint-([A-Za-z0-9_-]+)"')
"""The tenant in a broker's configuration."""

MAY_CHANGE = ("filter_subjects", "ack_wait", "max_ack_pending")
"""Of a consumer, without losing its place."""


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """Files on disk once everything is made."""

    tenant: Tenant
    configs: tuple[Path, ...]
    """Of each of the broker's servers."""

    without_password: tuple[str, ...]
    """People who cannot answer yet: give them a password, then prepare again."""

    @property
    def config(self) -> Path:
        """Return the configuration of a server that is the only one, or of the first."""
        return self.configs[0]


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """A stream as the ledger knows it."""

    created: str
    """When it was made, in the broker's words: another stream of this name has another time."""

    last_seq: int


@dataclass(frozen=True, kw_only=True)
class Report:
    """Result of provisioning; names are `<stream>` or `<stream>/<consumer>`."""

    created: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    different: tuple[str, ...] = ()
    """Left as they are, each with the fields and both values: a person decides."""

    left_over: tuple[str, ...] = ()
    """Consumers that nobody declared: of agents, people or domains that are gone."""

    def __add__(self, other: "Report") -> "Report":
        return Report(
            created=self.created + other.created,
            updated=self.updated + other.updated,
            different=self.different + other.different,
            left_over=self.left_over + other.left_over,
        )


def prepare(settings: Settings, domains: tuple[str, ...], port: int, now: datetime) -> Prepared:
    """Make every key and credential that is missing, and write the broker's configuration.

    Safe to repeat: nothing that exists is created again, only the configuration is written again.
    """
    tenant = load_tenant(settings, domains)
    _keep_tenant(settings)
    settings.check_folders()
    _check_keyset(settings)
    _make_keys(settings.keys_dir, domains, now)
    public, without_password = _public_keys(settings, tenant)
    files.private_folder(settings.run_dir)
    nodes = nodes_of(settings, port)
    if settings.is_cluster:
        make_certificates(settings.tls_dir, nodes, now)
    for at in range(len(nodes)):
        text = nats_conf.nats_conf(tenant, public, _listen(settings, nodes, at), limits(settings))
        files.replace(nodes[at].config(settings.state_dir), text.encode(), files.PRIVATE)
    return Prepared(
        tenant=tenant,
        configs=tuple(it.config(settings.state_dir) for it in nodes),
        without_password=without_password,
    )


def _listen(settings: Settings, nodes: Sequence[Node], at: int) -> nats_conf.Listen:
    monitor = settings.nats_monitor_port
    return nats_conf.Listen(
        node=nodes[at],
        others=tuple(it for it in nodes if it is not nodes[at]),
        monitor_port=monitor + at if monitor > 0 and nodes[at].is_here else monitor,
        state_dir=settings.state_dir.resolve(),
        sync_interval=settings.sync_interval,
    )


def _keep_tenant(settings: Settings) -> None:
    """Write down whose folder this is, before anything in it is made for another tenant.

    An earlier release wrote it only as the broker's name.
    """
    files.private_folder(settings.state_dir)
    if not settings.tenant_file.exists():
        old = settings.nats_conf
        found = SERVER_NAME.search(old.read_text()) if old.exists() else None
        owner = found[1] if found else settings.tenant
        files.replace(settings.tenant_file, owner.encode(), files.PUBLIC)
    settings.check_tenant()


def load_tenant(settings: Settings, domains: tuple[str, ...]) -> Tenant:
    """Read who there is from the configuration files."""
    registry = load_registry(settings.config_dir)
    api = load_api(settings.config_dir)
    known = {agent.name for agent in registry.agents}
    if strangers := sorted(set(api.agents) - known):
        path = settings.config_dir / API_FILE
        raise SetupError(f"{path}: {', '.join(strangers)} is not in {AGENTS_FILE}.")
    if strangers := sorted(set(api.people) - {person.name for person in registry.people}):
        path = settings.config_dir / API_FILE
        raise SetupError(f"{path}: {', '.join(strangers)} is not in {PEOPLE_FILE}.")
    asked = {
        credentials.SLACK: load_slack(settings.config_dir).channels,
        credentials.NOTICES: load_notices(settings.config_dir).groups,
    }
    return Tenant(
        name=settings.tenant,
        agents=registry.agents,
        people=registry.people,
        domains=domains,
        served=api.agents,
        subscribed=tuple(api.webhooks),
        readers=tuple(name for name, groups in asked.items() if groups),
        askers=api.people,
    )


def limits(settings: Settings) -> Limits:
    """Return what the operator chose about streams."""
    return Limits(max_bytes=settings.stream_max_bytes, replicas=settings.replicas)


async def provision(
    client: Client,
    plan: Plan,
    accept_lost: str = "",
    recorded: Mapping[str, Recorded] = NOTHING_RECORDED,
) -> Report:
    """Make every stream and consumer that is missing; the client is the provisioner's.

    SetupError when a stream that everything rests on is gone while others hold data, or is not the
    recorded one, unless its loss is accepted: an empty one in its place would switch the kill
    switch off, or forget holds. `accept_lost` names streams, with commas between.
    """
    accepted = frozenset(filter(None, accept_lost.replace(" ", "").split(",")))
    _check_accepted({*recorded, *(it.name for it in plan.streams)}, accepted)
    await _check_recorded(client, plan, accepted, recorded)
    await _check_none_lost(client, plan, accepted)
    report = Report()
    for stream in plan.streams:
        report += await _ensure_stream(client, stream)
    for consumer in plan.consumers:
        report += await _ensure_consumer(client, consumer)
    for stream in plan.streams:
        declared = {it.durable for it in plan.consumers if it.stream == stream.name}
        report += await _left_over(client, stream.name, declared)
    return report


def _check_accepted(known: set[str], accepted: frozenset[str]) -> None:
    if unknown := sorted(accepted - known):
        raise SetupError(
            f"HP_ACCEPT_LOST_STREAM names {', '.join(unknown)}, and there is no such stream. "
            f"There are: {', '.join(sorted(known))}."
        )


async def _check_recorded(
    client: Client, plan: Plan, accepted: frozenset[str], recorded: Mapping[str, Recorded]
) -> None:
    """A store that is new, or came back from an older copy, is not gone on with unsaid."""
    lost: dict[str, str] = {}
    for name in (it.name for it in plan.streams if it.name in recorded):
        found = await _ask(client, f"STREAM.INFO.{name}", {}, missing=STREAM_NOT_FOUND)
        if name not in accepted and (why := _lost(recorded[name], found)):
            lost[name] = why
    if lost:
        told = "; ".join(f"{name} {why}" for name, why in lost.items())
        raise SetupError(
            f"The broker's streams are not those that the ledger was written from: {told}. Restore "
            "the broker's store and the ledger from the same backup. To go on without what was "
            "lost (in STATE: the kill switch and the policy in force), start with "
            f"HP_ACCEPT_LOST_STREAM={','.join(lost)}; nothing more of these streams is audited "
            "until the ledger is moved away, and the audit begins a new one."
        )


def _lost(recorded: Recorded, found: Config | None) -> str:
    """Return how the stream differs from the recorded one; empty when it goes on from there."""
    if found is None:
        return f"is gone, and the ledger holds it up to {recorded.last_seq}"
    if found["created"] != recorded.created:
        return f"was made at {found['created']}, and the one in the ledger at {recorded.created}"
    if (last := found["state"]["last_seq"]) < recorded.last_seq:
        return f"ends at {last}, and the ledger holds it up to {recorded.last_seq}"
    return ""


async def _check_none_lost(client: Client, plan: Plan, accepted: frozenset[str]) -> None:
    held: dict[str, int] = {}
    lost: list[str] = []
    for name in (it.name for it in plan.streams if kind_of(it.name) in AT_ONCE):
        found = await _ask(client, f"STREAM.INFO.{name}", {}, missing=STREAM_NOT_FOUND)
        if found is None:
            lost.append(name)
        else:
            held[name] = found["state"]["last_seq"]
    fullest = max(held, key=held.__getitem__, default="")
    for name in lost:
        if fullest and held[fullest] and name not in accepted:
            raise SetupError(
                f"The stream {name} is gone, and {fullest} holds {held[fullest]} messages. "
                "Restore the broker's store from a backup. To go on without what it held (in "
                "STATE: the kill switch and the policy in force), start once with "
                f"HP_ACCEPT_LOST_STREAM={name}"
            )


def _check_keyset(settings: Settings) -> None:
    """A new keyset would make worthless, without a word, what the lost one vouched for."""
    keyset = settings.keys_dir / keyset_files.KEYSET_FILE
    if any(settings.state_dir.glob(f"{ALONE}*.conf")) and not keyset.exists():
        raise SetupError(
            f"{keyset} is missing, although this system was set up before. Restore {keyset.parent} "
            "from a backup: without it no fact counts that was signed, no open hold and no grant. "
            "To start over with nothing: holdpoint reset"
        )


def _make_keys(folder: Path, domains: tuple[str, ...], now: datetime) -> None:
    for role in (keys.GATE, keys.AUDIT, *map(keys.worker_role, domains)):
        keys.make_signing_key(folder, role, now)
    keys.make_sealing_key(folder)


def _public_keys(settings: Settings, tenant: Tenant) -> tuple[dict[str, str], tuple[str, ...]]:
    """The public half of every user's nkey, and the people who have none yet."""
    public = {}
    for user in permissions.service_users(tenant):
        public[user] = credentials.make_credential(settings.credentials_dir, user)
    missing = []
    for person in tenant.people:
        key = credentials.read_person_key(settings.people_dir, person.name)
        if key is None:
            missing.append(person.name)
        else:
            public[credentials.person_user(person.name)] = key.public_key
    return public, tuple(missing)


async def _ensure_stream(client: Client, stream: Stream) -> Report:
    wanted = stream.config()
    found = await _ask(client, f"STREAM.INFO.{stream.name}", {}, missing=STREAM_NOT_FOUND)
    if found is None:
        said = {field: value for field, value in wanted.items() if value is not None}
        await _ask(client, f"STREAM.CREATE.{stream.name}", said)
        return Report(created=(stream.name,))
    changes = _differences(wanted, found["config"])
    if not changes:
        return Report()
    if any(not _only_grows(field, *values) for field, values in changes.items()):
        return Report(different=(f"{stream.name}: {_told(changes)}",))
    grown = found["config"] | {field: new for field, (new, _) in changes.items()}
    await _ask(client, f"STREAM.UPDATE.{stream.name}", grown)
    return Report(updated=(f"{stream.name}: {_told(changes)}",))


async def _ensure_consumer(client: Client, consumer: Consumer) -> Report:
    where = f"{consumer.stream}.{consumer.durable}"
    name = f"{consumer.stream}/{consumer.durable}"
    wanted = consumer.config()
    found = await _ask(client, f"CONSUMER.INFO.{where}", {}, missing=CONSUMER_NOT_FOUND)
    if found is None:
        await _write_consumer(client, consumer.stream, where, wanted, "create")
        return Report(created=(name,))
    changes = _differences(wanted, found["config"])
    if not changes:
        return Report()
    if not set(changes) <= set(MAY_CHANGE):
        return Report(different=(f"{name}: {_told(changes)}",))
    changed = found["config"] | {field: new for field, (new, _) in changes.items()}
    await _write_consumer(client, consumer.stream, where, changed, "update")
    return Report(updated=(f"{name}: {_told(changes)}",))


async def _write_consumer(
    client: Client, stream: str, where: str, config: Config, action: str
) -> None:
    request = {"stream_name": stream, "config": config, "action": action}
    await _ask(client, f"CONSUMER.CREATE.{where}", request)


async def _left_over(client: Client, stream: str, declared: set[str]) -> Report:
    names: list[str] = []
    total = 1
    while len(names) < total:
        page = await _ask(client, f"CONSUMER.NAMES.{stream}", {"offset": len(names)}) or {}
        total = page["total"]
        names += page["consumers"] or ()
    return Report(left_over=tuple(f"{stream}/{it}" for it in names if it not in declared))


def removal_of(left_over: str) -> str:
    """Return what to do about a consumer that nobody declares."""
    stream, _, durable = left_over.partition("/")
    return (
        "An agent, person or domain that is gone left this consumer, and it may stay: it keeps "
        f"nothing back. To remove it: nats consumer rm {stream} {durable}, as the provisioner."
    )


def _differences(wanted: Config, found: Config) -> dict[str, tuple[Any, Any]]:
    """Each field that differs; the server leaves out what is empty, zero or false."""
    return {
        field: (value, found.get(field))
        for field, value in wanted.items()
        if (value or None) != (found.get(field) or None)
    }


def _only_grows(field: str, new: int, old: int | None) -> bool:
    """Return whether the change loses nothing: more room, longer (0 is for ever), more readable."""
    if field == "allow_direct":
        return bool(new)
    if field == "max_age":
        return new == 0 or 0 < (old or 0) < new
    more = {"max_bytes", "max_msg_size", "num_replicas", "duplicate_window"}
    return field in more and 0 < (old or 0) < new


def _told(changes: dict[str, tuple[Any, Any]]) -> str:
    return ", ".join(f"{field} is {old}, declared {new}" for field, (new, old) in changes.items())


async def _ask(
    client: Client, request: str, body: Config, missing: int = 0
) -> dict[str, Any] | None:
    """Ask the JetStream API; None when the thing is not there and `missing` says that is fine."""
    until = clock.monotonic() + ELECTION_S
    while True:
        answer: dict[str, Any] = msgspec.json.decode(await _reply(client, request, body))
        refusal = answer.get("error")
        if refusal is None:
            return answer
        if missing and refusal.get("err_code") == missing:
            return None
        if refusal.get("err_code") not in PASSING or clock.monotonic() > until:
            raise SetupError(f"The broker refused {request}: {refusal.get('description')}")
        await asyncio.sleep(UNHEARD_S)


async def _reply(client: Client, request: str, body: Config) -> bytes:
    """Return the API's reply. While the broker reloads its users nobody hears a request for a
    moment, or this connection is cut; nothing was done then, so it is sent again. So it is where
    three servers have no leader yet, and drop it: what is made twice is made once.
    """
    until, elected = clock.monotonic() + API_TIMEOUT_S, clock.monotonic() + ELECTION_S
    while True:
        try:
            reply = await client.request(
                f"{CORE_API}.{request}", msgspec.json.encode(body), timeout=ASK_AGAIN_S
            )
        except (NoRespondersError, OutboundBufferLimitError) as error:
            if clock.monotonic() > until:
                raise UnavailableError(f"The broker's API is away for {request}.") from error
            await asyncio.sleep(UNHEARD_S)
        except NatsError as error:
            if not isinstance(error, NatsTimeoutError) or clock.monotonic() > elected:
                text = f"The broker did not answer {request}: {in_words(error)}"
                raise UnavailableError(text) from error
        else:
            return reply.data
