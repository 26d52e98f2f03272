"""The broker's configuration, written from the permissions: the same on a laptop and in production.

Accounts import and export exactly what their users may say and hear.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from holdpoint.messages.subjects import KINDS
from holdpoint.runtime.broker.connection import inbox_prefix
from holdpoint.runtime.broker.nodes import Node
from holdpoint.runtime.broker.storage import HEALTH
from holdpoint.runtime.broker.streams import MAX_STORED_BYTES, Limits, Tenant
from holdpoint.runtime.config.settings import LOOPBACK
from holdpoint.runtime.security.permissions import (
    ASK_LIVES_S,
    CORE,
    NO_REPLIES,
    SYS,
    Grant,
    grants,
    local,
)

Block: TypeAlias = dict[str, Any]

ANY_PORT = -1
"""The server takes a free port and writes it into its ports file."""

NO_MONITOR = 0

TLS_TIMEOUT_S = 5
"""For a handshake, on a machine that is busy."""

MAX_PAYLOAD_BYTES = MAX_STORED_BYTES + 64 * 1024
"""Above the streams' own limit, so that what is too large is refused with a reason."""

MOST_AGENTS = 1_000
"""For whose streams there is room by the server's own limit, which no reload can change. What the
disk holds is another matter: `holdpoint doctor` compares."""

PING_S = 3
"""Between two pings; who answers neither of two is disconnected. So a gate that stands still is
gone before what was pushed to it is delivered again (`streams.ACK_WAIT_S`), to one that runs."""

MEMORY_STORE_BYTES = 64 * 1024 * 1024

HEAD = (
    "# Written by `holdpoint provision` from agents.yaml and people.yaml: a change here is lost.\n"
)


@dataclass(frozen=True, kw_only=True)
class Listen:
    """Ports and folders of one server."""

    node: Node
    others: tuple[Node, ...]
    """The servers that it keeps copies of every stream with; empty for one that is alone."""

    monitor_port: int
    state_dir: Path
    sync_interval: str


def nats_conf(tenant: Tenant, public: Mapping[str, str], listen: Listen, limits: Limits) -> str:
    """Return the configuration; `public` has the nkey of each user, and who is not in it is out."""
    settings = _server(tenant, listen, limits) | {"accounts": _accounts(tenant, public)}
    return HEAD + "".join(
        f"{name}: {json.dumps(value, indent=2)}\n" for name, value in settings.items()
    )


def _server(tenant: Tenant, listen: Listen, limits: Limits) -> Block:
    node = listen.node
    monitor = {"http": f"{LOOPBACK}:{listen.monitor_port}"}
    ports = {"ports_file_dir": str(listen.state_dir / "run")}
    which = f"-{node.name}" if listen.others else ""
    return {
        "listen": f"{node.listens_on}:{node.port}",
        "server_name": f"holdpoint-{tenant.name}{which}",
        "max_payload": MAX_PAYLOAD_BYTES,
        "authorization": {"timeout": 2},
        "ping_interval": f"{PING_S}s",
        "jetstream": {
            "store_dir": str(node.store(listen.state_dir)),
            "sync_interval": listen.sync_interval,
            "max_file_store": (len(KINDS) + MOST_AGENTS) * limits.max_bytes,
            "max_memory_store": MEMORY_STORE_BYTES,
        },
        "pid_file": str(pid_file(listen.state_dir / "run", node.name)),
        "system_account": SYS,
        **(monitor if listen.monitor_port != NO_MONITOR else {}),
        **(ports if node.port == ANY_PORT else {}),
        **(_cluster(tenant, listen) if listen.others else {}),
    }


def _cluster(tenant: Tenant, listen: Listen) -> Block:
    """Clients see a certificate; the other servers have to show one as well.

    Clients know every server's address: what a server knows of the others may be no address there.
    """
    folder, node = listen.state_dir / "tls", listen.node
    tls: Block = {
        "cert_file": str(folder / f"{node.name}.crt"),
        "key_file": str(folder / f"{node.name}.key"),
        "min_version": "1.3",
        "timeout": TLS_TIMEOUT_S,
    }
    return {
        "tls": tls,
        "cluster": {
            "name": f"holdpoint-{tenant.name}",
            "listen": f"{node.listens_on}:{node.route_port}",
            "no_advertise": True,
            "tls": tls | {"ca_file": str(folder / "ca.crt"), "verify": True},
            "routes": [f"nats-route://{it.host}:{it.route_port}" for it in listen.others],
        },
    }


def pid_file(run_dir: Path, name: str) -> Path:
    """Return where a server writes its process id down."""
    return run_dir / f"{name}.pid"


def _accounts(tenant: Tenant, public: Mapping[str, str]) -> Block:
    every = grants(tenant)
    outside = [it for it in every if it.account not in {CORE, SYS}]
    core = {
        "jetstream": "enabled",
        "users": _users(every, CORE, public),
        "exports": _once(
            [_export(s, it.account) for it in outside for s in it.publish]
            + [{"stream": s, "accounts": [it.account]} for it in outside for s in it.hears]
        ),
        "imports": _once(
            [_import(s, it.account, CORE) for it in outside for s in it.subscribe]
            + [_import(HEALTH, SYS, CORE)]
        ),
    }
    return {
        SYS: {"users": _users(every, SYS, public), "exports": [_export(HEALTH, CORE)]},
        CORE: core,
        **{it.account: _outside(outside, it.account, public) for it in outside},
    }


def _outside(outside: Iterable[Grant], account: str, public: Mapping[str, str]) -> Block:
    """Import from CORE what its users may say, and export to it what they answer."""
    members = [it for it in outside if it.account == account]
    return {
        "users": _users(members, account, public),
        "limits": {"max_connections": min(it.connections for it in members)},
        "imports": _once(
            [_import(s, CORE, account) for it in members for s in it.publish]
            + [{"stream": {"account": CORE, "subject": s}} for it in members for s in it.hears]
        ),
        "exports": _once([_export(s, CORE) for it in members for s in it.subscribe]),
    }


def _export(subject: str, account: str) -> Block:
    """A pull and a read are answered with many messages, and so is a question to every server;
    any other question with one, perhaps late.
    """
    line: Block = {"service": subject, "accounts": [account]}
    if ".CONSUMER.MSG.NEXT." in subject or _is_batch(subject) or subject == HEALTH:
        line["response_type"] = "Stream"
    elif ".ask." in subject:
        line["threshold"] = f"{ASK_LIVES_S}s"
    return line


def _is_batch(subject: str) -> bool:
    """Return whether whole streams are read on it, not the last message of a subject."""
    return subject.split(".")[-3:-1] == ["DIRECT", "GET"]


def _import(subject: str, owner: str, account: str) -> Block:
    line: Block = {"service": {"account": owner, "subject": subject}}
    here = local(account, subject)
    return line if here == subject else line | {"to": here}


def _users(every: Iterable[Grant], account: str, public: Mapping[str, str]) -> list[Block]:
    return [
        {"nkey": public[it.user], "permissions": _permissions(it)}
        for it in every
        if it.account == account and it.user in public
    ]


NOTHING: Block = {"deny": [">"]}
"""To the server an empty list would mean everything."""


def _permissions(grant: Grant) -> Block:
    permissions: Block = {
        "publish": {"allow": list(grant.local_publish)} if grant.publish else NOTHING,
        "subscribe": {"allow": [f"{inbox_prefix(grant.user)}.>", *grant.subscribe, *grant.hears]},
    }
    if grant.replies_s != NO_REPLIES:
        permissions["allow_responses"] = {"max": 1, "expires": f"{grant.replies_s}s"}
    return permissions


def _once(lines: list[Block]) -> list[Block]:
    """Two people of one group share a line, which may stand only once."""
    return [line for index, line in enumerate(lines) if line not in lines[:index]]
