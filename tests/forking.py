"""Services and commands that are forked, not started: each start saves a second of imports.

`born` asks the fork server of this run of tests, which has loaded their code (`fork_server.py`).
"""

import atexit
import fcntl
import functools
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path

import msgspec

ROOT = Path(__file__).parents[1]
COMMAND = (sys.executable, "-m", "tests.fork_server")
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}
"""What has others cannot be forked safely."""

STATE = "HP_STATE_DIR"
LARGEST_MESSAGE = 1 << 17
"""Bytes of a birth: most of it is the environment."""

SHARED = "TESTS_SHARED_DIR"
if SHARED not in os.environ:  # the first process of this run
    os.environ[SHARED] = tempfile.mkdtemp(prefix="tests")
    atexit.register(shutil.rmtree, os.environ[SHARED], ignore_errors=True)
DOOR = Path(os.environ[SHARED], "births")
"""Where the fork server listens."""


class Birth(msgspec.Struct, frozen=True, kw_only=True):
    """A process that is to be."""

    name: str
    arguments: tuple[str, ...]
    """Of `holdpoint`."""

    env: Mapping[str, str]
    out: str
    """The file that its output is appended to; `err` and `input` likewise."""

    err: str
    input: str = os.devnull
    folder: str = str(ROOT)
    terminal: str = ""
    """A terminal that becomes its own; empty for none."""

    sockets: tuple[int, ...] = ()
    """The number of the open socket that it takes over, or none."""

    is_service: bool = False
    """Whether it ends with this process."""


class News(msgspec.Struct, frozen=True, kw_only=True):
    """Who was born, or who ended and how."""

    name: str
    pid: int
    code: int | None = None


class Forked(subprocess.Popen[bytes]):
    """A forked service, as if this process had started it."""

    def __init__(self, pid: int) -> None:
        """Nothing is started here; whose process it is sets `ended` to its code."""
        self._child_created = False  # not a child of this process
        self.args, self.stdin, self.stdout, self.stderr = "", None, None, None
        self.pid = pid
        self.returncode: int | None = None
        self.ended: Future[int] = Future()
        self.ended.set_running_or_notify_cancel()

    def poll(self) -> int | None:
        """The code that it ended with; None while it lives."""
        if self.ended.done():
            self.returncode = self.ended.result()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """The same, once there is one."""
        try:
            return self.ended.result(timeout)
        except TimeoutError:
            raise subprocess.TimeoutExpired(self.args, timeout or 0) from None


@contextmanager
def locked() -> Iterator[None]:
    """Keep the door as it is: nobody else goes through, opens or closes it meanwhile."""
    with DOOR.with_name("lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def connected() -> socket.socket:
    """Connect to the fork server of this run, and start it where there is none."""
    made = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with locked():
        if not DOOR.exists():
            with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as door:
                door.bind(str(DOOR))
                door.listen()
                env = {**os.environ, **ONE_THREAD}
                server = subprocess.Popen(COMMAND, stdin=door.fileno(), cwd=ROOT, env=env)
                atexit.register(server.poll)  # it ends later than this process may
        made.connect(str(DOOR))
    return made


class Parent:
    """Whose processes are forked: they end with its connection."""

    def __init__(self, connection: socket.socket) -> None:
        """Over a connection to the fork server."""
        self._connection = connection
        self._changed = threading.Condition()
        self._children: dict[str, Forked] = {}
        self._born: dict[str, Forked] = {}
        """Those that nobody was told of yet: one may have ended before it is asked for."""

        self._births = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def fork(self, birth: Birth) -> Forked:
        """Have it fork, and wait until it has."""
        with self._changed:
            self._births += 1
            name = str(self._births)
            told = msgspec.json.encode(msgspec.structs.replace(birth, name=name))
            socket.send_fds(self._connection, [told], birth.sockets)
            self._changed.wait_for(lambda: name in self._born)
            return self._born.pop(name)

    def _listen(self) -> None:
        while message := self._connection.recv(LARGEST_MESSAGE):
            news = msgspec.json.decode(message, type=News)
            with self._changed:
                if news.code is None:
                    self._children[news.name] = self._born[news.name] = Forked(news.pid)
                else:
                    self._children.pop(news.name).ended.set_result(news.code)
                self._changed.notify_all()


@functools.cache
def _parent() -> Parent:
    return Parent(connected())


def born(birth: Birth) -> Forked:
    """Start `holdpoint` as the birth says."""
    return _parent().fork(msgspec.structs.replace(birth, env=with_private_state(birth.env)))


def with_private_state(env: Mapping[str, str]) -> Mapping[str, str]:
    """Return the environment with the state folder of these tests, unless it names one."""
    return {STATE: os.environ[STATE], **env}
