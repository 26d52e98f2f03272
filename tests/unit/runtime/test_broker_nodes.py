"""The broker's servers: one on a laptop, three here, or three on hosts of their own, with TLS."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from nats.errors import ConnectionClosedError, ProtocolError, UnexpectedEOF
from tests.log_lines import captured_lines

from holdpoint.runtime.broker.connection import Login, _stored, remember
from holdpoint.runtime.broker.nats_conf import Listen, nats_conf
from holdpoint.runtime.broker.nodes import Node, choose_ports, nodes_of
from holdpoint.runtime.broker.streams import Limits, Tenant
from holdpoint.runtime.broker.wire import WireClient
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import ConflictError, SetupError
from holdpoint.runtime.process.supervisor import with_copies
from holdpoint.runtime.security.certificates import make_certificates

NOW = datetime(2026, 11, 27, tzinfo=UTC)
HOSTS = ("nats-a", "nats-b", "nats-c")
TENANT = Tenant(name="acme", agents=(), people=(), domains=())


class Ear(asyncio.WriteTransport):
    """The other end of a connection."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[bytes | bytearray | memoryview] = []

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.said.append(data)


def settings(folder: Path, **chosen: object) -> Settings:
    return Settings.model_validate({"state_dir": folder, "nats_port": 0, **chosen})


def test_a_laptop_has_one_server_without_tls(tmp_path: Path) -> None:
    here = settings(tmp_path)

    assert nodes_of(here, 4222) == (Node(name="nats", host="127.0.0.1", port=4222),)
    assert (here.servers, here.replicas, here.is_cluster, here.broker_ca) == (1, 1, False, None)


def test_three_servers_here_have_ports_of_their_own(tmp_path: Path) -> None:
    here = settings(tmp_path, broker_nodes=3)
    choose_ports(here)

    nodes = nodes_of(here, 0)

    assert [it.name for it in nodes] == ["nats-1", "nats-2", "nats-3"]
    assert len({port for it in nodes for port in (it.port, it.route_port)}) == 6
    assert (here.replicas, nodes_of(here, 0)) == (3, nodes)
    assert len({it.store(tmp_path) for it in nodes}) == 3


def test_hosts_of_their_own_are_named_with_commas(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HP_BROKER_HOSTS", "nats-a, nats-b,nats-c")
    monkeypatch.setenv("HP_STATE_DIR", str(tmp_path))
    there = Settings()

    assert there.broker_hosts == HOSTS
    assert (there.servers, there.replicas) == (3, 3)
    assert {(it.port, it.route_port) for it in nodes_of(there, 1)} == {(4222, 6222)}
    monkeypatch.setenv("HP_BROKER_HOSTS", "nats-a,nats-a,nats-c")
    with pytest.raises(SetupError, match="three different"):
        Settings()


def test_servers_show_certificates_to_clients_and_to_each_other(tmp_path: Path) -> None:
    nodes = nodes_of(settings(tmp_path, broker_hosts=HOSTS), 1)
    listen = Listen(
        node=nodes[0],
        others=nodes[1:],
        monitor_port=0,
        state_dir=tmp_path,
        sync_interval="always",
    )

    text = nats_conf(TENANT, {}, listen, Limits(max_bytes=2**20, replicas=3))

    assert '"verify": true' in text
    assert '"min_version": "1.3"' in text
    assert "nats-route://nats-b:6222" in text
    assert "nats-route://nats-a:6222" not in text
    assert 'server_name: "holdpoint-acme-nats-1"' in text
    assert 'listen: "0.0.0.0:4222"' in text


def test_certificates_name_their_host_and_are_renewed_before_they_end(tmp_path: Path) -> None:
    nodes = nodes_of(settings(tmp_path, broker_hosts=HOSTS), 1)
    folder = tmp_path / "tls"

    def made(name: str) -> x509.Certificate:
        return x509.load_pem_x509_certificate((folder / f"{name}.crt").read_bytes())

    make_certificates(folder, nodes, NOW)
    first, authority = made("nats-1"), made("ca")
    first.verify_directly_issued_by(authority)
    names = first.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["nats-a"]
    assert {path.stat().st_mode & 0o077 for path in folder.glob("*.key")} == {0}

    make_certificates(folder, nodes, NOW + timedelta(days=300))
    assert made("nats-1") == first
    make_certificates(folder, nodes, NOW + timedelta(days=330))
    assert made("nats-1") != first
    assert made("ca") == authority


def test_nothing_is_said_to_a_server_that_should_talk_tls_and_does_not() -> None:
    wire, heard = WireClient(needs_tls=True).wire, Ear()
    wire._socket = heard

    with pytest.raises(ConnectionClosedError):
        wire.write(b"CONNECT {}\r\n")

    assert heard.said == []


@pytest.mark.parametrize("code", [10070, 10071, 10164])
def test_each_way_of_the_broker_to_say_that_somebody_wrote_first_is_a_conflict(code: int) -> None:
    reply = json.dumps({"error": {"code": 400, "err_code": code, "description": "wrong last"}})

    assert isinstance(_stored("subject", "HP_HOLDS_acme", reply.encode()), ConflictError)


def test_copies_stand_beside_the_services() -> None:
    services = with_copies(("gate", "audit", "console"), ("gate", "audit"), copies=2)

    assert services == ("gate", "audit", "console", "gate@2", "audit@2")
    assert with_copies(("gate",), ("gate",), copies=1) == ("gate",)


async def test_a_broker_that_is_away_is_no_warning_in_a_terminal() -> None:
    who = Login(user="gate", seed="", url="")
    with captured_lines() as told:
        await remember(who, ConnectionRefusedError(111, "Connection refused"))
        await remember(who, UnexpectedEOF())
        await remember(who, ProtocolError())

    warnings = [it["error"] for it in told if it["log_level"] == "warning"]
    assert warnings == [repr(ProtocolError())]
