"""Services and commands that are forked, not started: each start saves a second of imports.

`forked` asks the fork server of this process, which has loaded their code (`fork_server.py`).
"""

import atexit
import functools
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

import msgspec

ROOT = Path(__file__).parents[1]
COMMAND = (sys.executable, "-m", "tests.fork_server")
STATE = "HP_STATE_DIR"
LARGEST_BIRTH = 1 << 18
"""Bytes of its message: most of it is the environment."""


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
        """Nothing is started here; `server` sets the code once the process has ended."""
        self._child_created = False  # not a child of this process
        self.args, self.stdin, self.stdout, self.stderr = "", None, None, None
        self.pid = pid
        self.returncode: int | None = None
        self.has_ended = threading.Event()

    def poll(self) -> int | None:
        """The code that it ended with; None while it lives."""
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """The same, once there is one."""
        if not self.has_ended.wait(timeout):
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        assert self.returncode is not None
        return self.returncode


def channel() -> tuple[socket.socket, socket.socket]:
    """Return both ends of what births are told by: a message each, in order, to the end."""
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


def tell(server: socket.socket, birth: Birth) -> None:
    """Tell a fork server of a birth, and hand it the socket."""
    socket.send_fds(server, [msgspec.json.encode(birth)], birth.sockets)


class _Parent:
    """The fork server of this process."""

    def __init__(self) -> None:
        self._births_to, its_own = channel()
        with its_own:
            self._server = subprocess.Popen(
                COMMAND, stdin=its_own.fileno(), stdout=subprocess.PIPE, cwd=ROOT
            )
        atexit.register(self._end)
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
            tell(self._births_to, msgspec.structs.replace(birth, name=name))
            self._changed.wait_for(lambda: name in self._born)
            return self._born.pop(name)

    def _listen(self) -> None:
        assert self._server.stdout is not None
        for line in self._server.stdout:
            news = msgspec.json.decode(line, type=News)
            with self._changed:
                if news.code is None:
                    self._children[news.name] = self._born[news.name] = Forked(news.pid)
                else:
                    child = self._children.pop(news.name)
                    child.returncode = news.code
                    child.has_ended.set()
                self._changed.notify_all()

    def _end(self) -> None:
        self._births_to.close()
        self._server.kill()
        self._server.wait()


@functools.cache
def _parent() -> _Parent:
    return _Parent()


def born(birth: Birth) -> Forked:
    """Start `holdpoint` as the birth says."""
    return _parent().fork(msgspec.structs.replace(birth, env=with_private_state(birth.env)))


def with_private_state(env: Mapping[str, str]) -> Mapping[str, str]:
    """Return the environment with the state folder of these tests, unless it names one."""
    return {STATE: os.environ[STATE], **env}
