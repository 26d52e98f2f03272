"""Forks services and commands from one process that has loaded their code.

A message on the Unix socket that is its input is a birth, with the listening socket that the
process takes over, if any; each line of its output tells of one process that began or ended.
`forking.py` is the other side.
"""

import gc
import os
import random  # noqa: TID251  # what is forked must not share its state
import select
import signal
import socket
import sys
import traceback
from contextlib import suppress
from importlib import import_module

import msgspec
from tests.forking import LARGEST_BIRTH, Birth, News

from holdpoint.cli import main
from holdpoint.cli.commands import serve
from holdpoint.cli.composition import APPS
from holdpoint.cli.domains import BUILT_IN
from holdpoint.runtime.process import crash

LOADED = (serve, *map(import_module, ("holdpoint.cli.app", *APPS.values(), *BUILT_IN.values())))


def nurse() -> None:
    """Fork and reap until the input ends."""
    names: dict[int, str] = {}
    gc.freeze()
    awake, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    with socket.socket(fileno=0) as told:
        while True:
            ready, _, _ = select.select([told.fileno(), awake], [], [])
            if awake in ready:
                os.read(awake, 4096)
                _reap(names)
            if told.fileno() in ready:
                message, sockets, _, _ = socket.recv_fds(told, LARGEST_BIRTH, maxfds=1)
                if not message:
                    return
                _bear(msgspec.json.decode(message, type=Birth), sockets, names)


def _bear(birth: Birth, sockets: list[int], names: dict[int, str]) -> None:
    pid = os.fork()
    if pid == 0:
        _live(birth, sockets)
    for it in sockets:
        os.close(it)
    names[pid] = birth.name
    _tell(News(name=birth.name, pid=pid))


def _reap(names: dict[int, str]) -> None:
    while names:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        _tell(News(name=names.pop(pid), pid=pid, code=os.waitstatus_to_exitcode(status)))


def _tell(news: News) -> None:
    os.write(1, msgspec.json.encode(news) + b"\n")


def _live(birth: Birth, sockets: list[int]) -> None:
    """What `python -m holdpoint` does, in a session, files and an environment of its own."""
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
    code = _run()
    with suppress(OSError):
        sys.stdout.flush()
    os._exit(code)


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


def _run() -> int:
    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001  # its last words, where its parent looks for them
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    nurse()
