"""A broker cut off from everybody, each of the three in a network namespace of its own.

The tests run again in a namespace that is theirs alone: a bridge there has a cable to each broker,
and a cable that is down loses every packet without a word, as a broken switch does.
"""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.actors import Guests
from tests.forking import SHARED
from tests.integration.test_cluster import caught_up, leads_again, runs_once, visitors
from tests.running_system import LONG_S, Road, running
from tests.waiting import eventually

from holdpoint.messages import subjects
from holdpoint.messages.envelope import Status
from holdpoint.runtime.broker import server
from holdpoint.runtime.broker.copies import copies
from holdpoint.runtime.process import supervisor
from holdpoint.runtime.security.credentials import SYSTEM

__all__ = ["visitors"]

pytestmark = [pytest.mark.nats, pytest.mark.slow]

INSIDE = "IN_A_NETWORK_OF_ITS_OWN"
HOSTS = ("10.77.0.1", "10.77.0.2", "10.77.0.3")
HERE = "10.77.0.100/24"
BRIDGE = "switch"
ALONE = ("unshare", "--net")

starts_inside = pytest.mark.skipif(INSIDE not in os.environ, reason="runs in a namespace")


@dataclass(kw_only=True)
class FarServer(server.NatsServer):
    """A server in a network namespace of its own, at the other end of a cable."""

    @property
    def at(self) -> int:
        """Its number, from 1."""
        return int(self.name[-1])

    @property
    def url(self) -> str:
        """Return where clients reach it."""
        return f"tls://{HOSTS[self.at - 1]}:{self.port}"

    def _spawned(self) -> subprocess.Popen[bytes]:
        """On its host it has the only store; here there are three."""
        config = self.config.with_suffix(".far.conf")
        own = self.config.read_text().replace('/nats"', f'/{self.name}"')
        config.write_text(own)
        wait_and_run = 'read cable && exec "$0" -c "$1"'
        command = (shutil.which("unshare") or "", "--net", "/bin/sh", "-c", wait_and_run)
        with server._store_lock(self.run_dir, self.name) as lock, self.log.open("ab") as log:
            child = subprocess.Popen(
                [sys.executable, "-Ic", server._BOUND, *command, server.binary(), config],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                pass_fds=(lock.fileno(),),
                start_new_session=True,
            )
        plug(self.at, child.pid)
        assert child.stdin
        child.stdin.write(b"plugged\n")
        child.stdin.close()
        return child

    async def _greets(self) -> bool:
        try:
            reader, writer = await asyncio.open_connection(HOSTS[self.at - 1], self.port)
        except OSError:
            return False
        greeting = await reader.read(4)
        writer.close()
        return greeting == b"INFO"


def ip(*words: str, of: int = 0) -> None:
    """Run `ip`, in the namespace of a process if one is named."""
    inside = ("nsenter", "-t", str(of), "-n") if of else ()
    subprocess.run([*inside, "ip", *words], check=True)


def plug(at: int, pid: int) -> None:
    """Lay a cable from the bridge to the namespace of a process, once it has one."""
    own = Path("/proc/self/ns/net").readlink()
    while Path(f"/proc/{pid}/ns/net").readlink() == own:
        os.sched_yield()
    ip("link", "add", f"cable{at}", "type", "veth", "peer", "name", "eth0", "netns", str(pid))
    ip("link", "set", f"cable{at}", "master", BRIDGE, "up")
    ip("addr", "add", f"{HOSTS[at - 1]}/24", "dev", "eth0", of=pid)
    for name in ("lo", "eth0"):
        ip("link", "set", name, "up", of=pid)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    ip("link", "set", "lo", "up")
    ip("link", "add", BRIDGE, "type", "bridge")
    ip("addr", "add", HERE, "dev", BRIDGE)
    ip("link", "set", BRIDGE, "up")
    with pytest.MonkeyPatch.context() as patch, asyncio.Runner() as runner:
        patch.setenv("HP_BROKER_HOSTS", ",".join(HOSTS))
        patch.setattr(supervisor, "NatsServer", FarServer)
        world = running(tmp_path_factory.mktemp("far"), own={}, twice=("gate", "worker-shell"))
        yield runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


async def leader(cluster: Road, visitors: Guests) -> int:
    """Return the number of the broker that leads the stream of holds."""
    found = await copies(await visitors.client(SYSTEM), len(HOSTS))
    holds = subjects.stream(cluster.settings.tenant, subjects.HOLDS)
    return next(int(it.server[-1]) for it in found if it.stream == holds and it.leads)


@starts_inside
async def test_actions_go_on_while_a_leader_is_cut_off(cluster: Road, visitors: Guests) -> None:
    await runs_once(cluster, visitors)
    cable = f"cable{await leader(cluster, visitors)}"

    async def is_judged() -> bool:
        robot = await visitors.agent()
        _, call = await robot.command()
        heard = await robot.hears(call, Status.PENDING_CONFIRMATION, Status.REFUSED)
        assert heard.status is Status.PENDING_CONFIRMATION, heard.reason
        return True

    ip("link", "set", cable, "down")
    try:
        await leads_again(cluster, visitors, await visitors.person("ann"))
        await eventually(is_judged, 2 * LONG_S)
        await runs_once(cluster, visitors)
    finally:
        ip("link", "set", cable, "up")
    await caught_up(cluster, visitors)
    await runs_once(cluster, visitors)


@pytest.mark.skipif(INSIDE in os.environ, reason="is the one that begins")
def test_a_broker_in_a_namespace_of_its_own() -> None:
    can = subprocess.run([*ALONE, "ip", "link"], capture_output=True, check=False)
    if can.returncode:
        pytest.skip("network namespaces need root and iproute2")
    command = [*ALONE, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__]
    env = {name: value for name, value in os.environ.items() if name != SHARED} | {INSIDE: "1"}
    told = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout[-6_000:]
