"""The broker's servers: one on a laptop, or three that keep copies of every stream.

Three run here on ports that `choose_ports` writes down, or on hosts that the operator names.
"""

import socket
from dataclasses import dataclass
from pathlib import Path

import msgspec

from holdpoint.runtime.config import files
from holdpoint.runtime.config.settings import LOOPBACK, Settings
from holdpoint.runtime.errors import SetupError

ALONE = "nats"
"""The name of a server that is the only one."""

CLIENT_PORT = 4222
ROUTE_PORT = 6222
PORTS_FILE = "nodes.json"
PORTS_TRIED = 100
LAST_PORT = 65535
ANY_HOST = "0.0.0.0"  # noqa: S104  # a server on a host of its own is there for other hosts


class Ports(msgspec.Struct, frozen=True, kw_only=True):
    """Where one server of three on this machine listens: for clients, and for the others."""

    client: int
    route: int


@dataclass(frozen=True, kw_only=True)
class Node:
    """One server of the broker."""

    name: str
    host: str
    port: int
    route_port: int = 0
    """Where the other servers reach it; 0 where there are none."""

    @property
    def is_here(self) -> bool:
        """Return whether it listens on this machine alone."""
        return self.host == LOOPBACK

    @property
    def listens_on(self) -> str:
        """Return the address that it binds."""
        return LOOPBACK if self.is_here else ANY_HOST

    def config(self, state_dir: Path) -> Path:
        """Return the file that it is configured with."""
        return state_dir / f"{self.name}.conf"

    def store(self, state_dir: Path) -> Path:
        """Return its store; on a host of its own no other server has one."""
        return state_dir / (self.name if self.is_here else ALONE)


def nodes_of(settings: Settings, port: int) -> tuple[Node, ...]:
    """Return every server of the broker; `port` is for one that is the only one."""
    if settings.broker_hosts:
        return tuple(
            Node(name=f"{ALONE}-{at}", host=host, port=CLIENT_PORT, route_port=ROUTE_PORT)
            for at, host in enumerate(settings.broker_hosts, start=1)
        )
    if settings.broker_nodes == 1:
        return (Node(name=ALONE, host=LOOPBACK, port=port),)
    return tuple(
        Node(name=f"{ALONE}-{at}", host=LOOPBACK, port=it.client, route_port=it.route)
        for at, it in enumerate(_ports(settings), start=1)
    )


def choose_ports(settings: Settings) -> None:
    """Write down free ports for the three servers that are about to start on this machine."""
    taken: list[int] = []
    for wanted in (settings.nats_port, settings.nats_port and ROUTE_PORT):
        for _ in range(settings.broker_nodes):
            taken.append(free_port(wanted, taken))
    half = settings.broker_nodes
    ports = [Ports(client=a, route=b) for a, b in zip(taken[:half], taken[half:], strict=True)]
    files.private_folder(settings.run_dir)
    files.replace(settings.run_dir / PORTS_FILE, msgspec.json.encode(ports), files.PUBLIC)


def _ports(settings: Settings) -> list[Ports]:
    try:
        raw = (settings.run_dir / PORTS_FILE).read_bytes()
    except FileNotFoundError:
        choose_ports(settings)
        raw = (settings.run_dir / PORTS_FILE).read_bytes()
    return msgspec.json.decode(raw, type=list[Ports])


def free_port(wanted: int, taken: list[int] | None = None) -> int:
    """Return the first free port from the wanted one upwards; 0 takes any."""
    for port in range(wanted, min(wanted + PORTS_TRIED, LAST_PORT + 1)):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((LOOPBACK, port if wanted > 0 else 0))
            except OSError:
                continue
            found: int = probe.getsockname()[1]
            if found not in (taken or ()):
                return found
    raise SetupError(f"No port is free from {wanted} upwards; set HP_NATS_PORT.")
