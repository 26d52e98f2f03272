"""Forks services and commands from one process that has loaded their code.

Every process of a run of tests connects to it. A message to it is a birth, with the listening
socket that the process takes over, if any; each of its own tells of a process that began or ended.
What was born for a connection ends with it, and the server ends with its last connection.
`forking.py` is the other side.
"""

import gc
import os
import random  # noqa: TID251  # what is forked must not share its state
import select
import shutil
import signal
import socket
import sys
import traceback
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from tests.forking import DOOR, LARGEST_MESSAGE, ROOT, Birth, News, locked

from holdpoint.cli import main
from holdpoint.cli.app import app_for
from holdpoint.cli.composition import APPS, GATE
from holdpoint.cli.domains import BUILT_IN
from holdpoint.core.risk import make_fast
from holdpoint.runtime.config.policy import load_policy
from holdpoint.runtime.config.registry import groups_of, load_registry
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process import crash
from holdpoint.runtime.store.compiled_patterns import CompiledFiles

LATER = (
    "anyio._backends._asyncio",
    "encodings.idna",
    "encodings.utf_8_sig",
    "holdpoint.core.access_matrix",
    "uvicorn.lifespan.off",
)
"""Modules that services load while they start."""

LOADED = tuple(map(import_module, (*APPS.values(), *BUILT_IN.values(), *LATER)))
CONFIG = ROOT / "deploy" / "config"


@dataclass(kw_only=True)
class Nursery:
    """Everybody who asks for births, and everybody who was born."""

    door: socket.socket
    automata: Path
    """What a gate compiles in its first seconds, ready to be taken."""

    connections: set[socket.socket] = field(default_factory=set)
    born: dict[int, tuple[socket.socket, str]] = field(default_factory=dict)
    """By process: whose it is, and its name there."""

    def nurse(self) -> None:
        """Fork and reap until nobody is connected any more."""
        awake, wake = os.pipe()
        os.set_blocking(wake, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake)
        while True:
            watched: list[socket.socket | int] = [self.door, awake, *self.connections]
            ready, _, _ = select.select(watched, [], [])
            if awake in ready:
                os.read(awake, 4096)
                self._reap()
            if self.door in ready:
                self.connections.add(self.door.accept()[0])
            for connection in self.connections.intersection(ready):
                self._hear(connection)
                if not self.connections and self._closes():
                    return

    def _hear(self, connection: socket.socket) -> None:
        message, sockets, _, _ = socket.recv_fds(connection, LARGEST_MESSAGE, maxfds=1)
        if message:
            self._bear(msgspec.json.decode(message, type=Birth), connection, sockets)
            return
        self.connections.remove(connection)
        connection.close()
        for pid in [pid for pid, (whose, _) in self.born.items() if whose is connection]:
            os.kill(pid, signal.SIGKILL)

    def _closes(self) -> bool:
        """Close the door, unless somebody came in this moment; its run may be over."""
        with suppress(FileNotFoundError), locked():
            if select.select([self.door], [], [], 0)[0]:
                return False
            DOOR.unlink()
        return True

    def _bear(self, birth: Birth, connection: socket.socket, sockets: list[int]) -> None:
        pid = os.fork()
        if pid == 0:
            _live(birth, sockets, self.automata)
        for it in sockets:
            os.close(it)
        self.born[pid] = (connection, birth.name)
        _tell(connection, News(name=birth.name, pid=pid))

    def _reap(self) -> None:
        while self.born:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            connection, name = self.born.pop(pid)
            _tell(connection, News(name=name, pid=pid, code=os.waitstatus_to_exitcode(status)))


def _tell(connection: socket.socket, news: News) -> None:
    with suppress(OSError):  # nobody listens there any more
        connection.send(msgspec.json.encode(news))


def _live(birth: Birth, sockets: list[int], automata: Path) -> None:
    """What `python -m holdpoint` does, in a session, files and an environment of its own."""
    code = 1
    try:
        _become(birth, sockets)
        if birth.arguments[-1] == GATE:
            _hand_on(automata)
        main()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001  # its last words, where its parent looks for them
        traceback.print_exc()
    with suppress(OSError):
        sys.stdout.flush()
    os._exit(code)


def _become(birth: Birth, sockets: list[int]) -> None:
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    os.chdir(birth.folder)
    _open(birth, sockets)
    parent = {"HP_PARENT": str(os.getppid())} if birth.is_service else {}
    os.environ.clear()
    os.environ.update({**birth.env, **parent})
    random.seed()
    crash._point = crash.point_of(os.environ.get(crash.VARIABLE, ""))
    sys.argv = ["holdpoint", *birth.arguments]


def _open(birth: Birth, sockets: list[int]) -> None:
    appended = os.O_WRONLY | os.O_APPEND | os.O_CREAT
    ends = ((birth.input, os.O_RDONLY), (birth.out, appended), (birth.err, appended))
    for target, (path, how) in enumerate(ends):
        os.dup2(os.open(path, how, 0o600), target)
    for target, received in zip(birth.sockets, sockets, strict=True):
        os.dup2(received, target)
    last = 2
    for kept in (*birth.sockets, 256):
        os.closerange(last + 1, kept)
        last = kept
    if birth.terminal:  # a session leader that opens one gets it as its own
        os.close(os.open(birth.terminal, os.O_RDWR))


def _hand_on(automata: Path) -> None:
    """As if an earlier gate had compiled them: this one starts a second sooner."""
    compiled = Settings().compiled_dir
    with suppress(FileExistsError):
        compiled.mkdir(mode=0o700)
        for path in automata.iterdir():
            shutil.copy2(path, compiled)


def serve() -> None:
    """Make what all will need, then fork for whoever connects."""
    app_for([])
    with TemporaryDirectory(prefix="automata") as folder:
        policy = load_policy(CONFIG, groups_of(load_registry(CONFIG)))
        make_fast(policy, CompiledFiles(Path(folder)))
        gc.freeze()
        Nursery(door=socket.socket(fileno=0), automata=Path(folder)).nurse()


if __name__ == "__main__":
    serve()
