"""The launcher: runs one command confined, and outlives it only to end everything it started.

It is a process of its own, on the standard library alone, and stays outside of the confinement:

    worker --stdin: one line of JSON, then nothing; its end means the worker is gone--> launcher
    launcher --fork: limits, Landlock, seccomp--> /bin/bash -c command --> …
    launcher --the pipe named in argv: one line of JSON about how it ended--> worker

As the subreaper of all that the command starts, the launcher finds every process again, whatever
session it fled into, and ends it: when the command ends, when time is up, when the worker dies.
"""

import contextlib
import json
import os
import resource
import select
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from holdpoint.domains.shell import cgroup, landlock, seccomp

PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_CHILD_SUBREAPER = 1, 24, 36
MAX_CAPABILITIES = 64
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")
SHELL = "/bin/bash"
STDIN = 0
PARENT, THREADS = 1, 17
"""Fields of /proc/<pid>/stat, counted from 0 after the name in parentheses."""


def main() -> None:
    """Read the order, run it, end everything, report."""
    report = int(sys.argv[2])
    os.set_inheritable(report, False)
    order = json.loads(_line(STDIN))
    landlock.prctl(PR_SET_CHILD_SUBREAPER, 1)
    signal.signal(signal.SIGTERM, lambda *_: _end_and_leave())
    try:
        group = _group(order)
    except OSError as error:
        _fail(report, error)
        return
    child = os.fork()
    if child == 0:
        _become(order, report, group)
    timed_out = not _wait(child, float(order["timeout_s"]))
    status = _end_all(child)
    if group is not None:
        cgroup.remove(group)
    os.write(report, json.dumps({"timed_out": timed_out, "code": status}).encode())


def _group(order: dict[str, Any]) -> Path | None:
    """The cgroup that limits root's processes; `unsafe` goes on without where there is none."""
    if not cgroup.needed() or (order["unsafe"] and not cgroup.possible()):
        return None
    return cgroup.made(int(order["processes"]))


def _fail(report: int, error: BaseException) -> None:
    os.write(report, json.dumps({"error": f"{type(error).__name__}: {error}"}).encode() + b"\n")


def _become(order: dict[str, Any], report: int, group: Path | None) -> NoReturn:
    """In the child: confine, then turn into the command."""
    try:
        os.setsid()
        if group is not None:
            cgroup.join(group)
        landlock.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.chdir(order["root"])
        null = os.open("/dev/null", os.O_RDONLY)
        os.dup2(null, STDIN)
        _limit(order)
        _confine(order)
        os.execve(SHELL, ["bash", "-c", order["command"]], _environment(order["root"]))  # noqa: S606
    except BaseException as error:  # noqa: BLE001  # the one boundary: a child must never return
        _fail(report, error)
    finally:
        os._exit(127)


def _confine(order: dict[str, Any]) -> None:
    """Take away rights, paths, sockets and doors; `unsafe` goes on where the kernel cannot."""
    network, unsafe = bool(order["network"]), bool(order["unsafe"])
    for capability in range(MAX_CAPABILITIES):
        landlock.prctl(PR_CAPBSET_DROP, capability)
    if landlock.abi() or not unsafe:
        landlock.restrict(_rules(order), network=network)
    if seccomp.possible() or not unsafe:
        landlock.keep_privileges_low()
        seccomp.refuse_calls(network=network)


def _rules(order: dict[str, Any]) -> Iterator[tuple[str, int]]:
    yield from ((path, landlock.WRITE) for path in (order["root"], *order["write"]))
    yield from ((path, landlock.READ) for path in order["read"])
    yield from ((path, landlock.DEVICE) for path in DEVICES)


def _limit(order: dict[str, Any]) -> None:
    limits = (
        (resource.RLIMIT_AS, order["memory_bytes"]),
        (resource.RLIMIT_FSIZE, order["file_bytes"]),
        (resource.RLIMIT_NPROC, _threads() + order["processes"]),
        (resource.RLIMIT_CPU, int(order["timeout_s"]) + 1),
        (resource.RLIMIT_NOFILE, 256),
        (resource.RLIMIT_CORE, 0),
    )
    for kind, wanted in limits:
        hard = resource.getrlimit(kind)[1]
        value = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(kind, (value, value))


def _environment(root: str) -> dict[str, str]:
    """The least that programs need; git takes no folder for a bare repository by itself."""
    git = {"COUNT": "1", "KEY_0": "safe.bareRepository", "VALUE_0": "explicit"}
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": root,
        "LANG": "C.UTF-8",
        **{f"GIT_CONFIG_{name}": value for name, value in git.items()},
    }


def _wait(child: int, timeout_s: float) -> bool:
    """Return whether the command ended by itself, before the time was up and the worker gone."""
    ended = os.pidfd_open(child)
    poll = select.poll()
    poll.register(ended, select.POLLIN)
    poll.register(STDIN, select.POLLIN | select.POLLHUP)
    events = poll.poll(timeout_s * 1000)
    os.close(ended)
    return bool(events)


def _end_all(child: int = 0) -> int | None:
    """Kill and reap until nobody is left; the command's exit code, negative for a signal.

    The command's process group goes at once. What left it is found as a child, because this
    process adopts orphans: each scan kills a whole generation, and the next one waits for its end.
    """
    code = None
    if child:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
    killed: set[int] = set()
    while True:
        try:
            pid, status = os.waitpid(-1, 0 if killed else os.WNOHANG)
        except ChildProcessError:
            return code
        killed.discard(pid)
        if pid == child and pid:
            code = os.waitstatus_to_exitcode(status)
        if not pid:
            killed = _kill_children()


def _end_and_leave() -> NoReturn:
    _end_all()
    os._exit(128 + signal.SIGTERM)


def _kill_children() -> set[int]:
    """Kill every child: nobody else reaps it, so its number is still its own."""
    own = str(os.getpid())
    children = {int(pid) for pid in _pids() if _stat(pid)[PARENT] == own}
    for pid in children:
        os.kill(pid, signal.SIGKILL)
    return children


def _threads() -> int:
    """Return how many threads this user has: the limit counts them all."""
    own = os.getuid()
    count = 0
    with os.scandir("/proc") as found:
        for entry in found:
            with contextlib.suppress(OSError):
                if entry.name.isdigit() and entry.stat().st_uid == own:
                    count += int(_stat(entry.name)[THREADS])
    return count


def _pids() -> list[str]:
    with os.scandir("/proc") as found:
        return [entry.name for entry in found if entry.name.isdigit()]


def _stat(pid: str) -> list[str]:
    """The fields after the name, which may itself contain anything."""
    try:
        descriptor = os.open(f"/proc/{pid}/stat", os.O_RDONLY | os.O_CLOEXEC)
        try:
            return os.read(descriptor, 4096).rpartition(b")")[2].decode().split()
        finally:
            os.close(descriptor)
    except OSError:
        return ["0"] * 20


def _line(descriptor: int) -> bytes:
    """One line, byte by byte: what comes after it is not ours to take."""
    line = bytearray()
    while (byte := os.read(descriptor, 1)) not in (b"\n", b""):
        line += byte
    return bytes(line)
