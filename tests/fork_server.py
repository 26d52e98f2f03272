"""Forks services from one process that has loaded their code.

A line of JSON on its input is a birth; each line of its output tells of one process that began or
ended. `forking.py` is the other side.
"""

import gc
import os
import random  # noqa: TID251  # what is forked must not share its state
import select
import signal
import sys
import traceback
from importlib import import_module

import msgspec
from tests.forking import Birth, News

from holdpoint.cli import main
from holdpoint.cli.commands import serve
from holdpoint.cli.composition import APPS
from holdpoint.cli.domains import BUILT_IN
from holdpoint.runtime.process import crash

LOADED = (serve, *map(import_module, (*APPS.values(), *BUILT_IN.values())))


def nurse() -> None:
    """Fork and reap until the input ends."""
    names: dict[int, str] = {}
    gc.freeze()
    awake, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    with os.fdopen(0, "rb", buffering=0) as told:
        while True:
            ready, _, _ = select.select([told.fileno(), awake], [], [])
            if awake in ready:
                os.read(awake, 4096)
                _reap(names)
            if told.fileno() in ready:
                line = told.readline()
                if not line:
                    return
                _bear(msgspec.json.decode(line, type=Birth), names)


def _bear(birth: Birth, names: dict[int, str]) -> None:
    pid = os.fork()
    if pid == 0:
        _live(birth)
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


def _live(birth: Birth) -> None:
    """What `python -m holdpoint` does, in a session, a log and an environment of its own."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    log = os.open(birth.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((nothing, 0), (log, 1), (log, 2)):
        os.dup2(source, target)
    os.closerange(3, 256)
    os.environ.clear()
    os.environ.update({**birth.env, "HP_PARENT": str(os.getppid())})
    random.seed()
    crash._point = crash.point_of(os.environ.get(crash.VARIABLE, ""))
    sys.argv = ["holdpoint", *birth.arguments]
    code = 1
    try:
        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except Exception:  # noqa: BLE001  # its last words, where its parent looks for them
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(code)


if __name__ == "__main__":
    nurse()
