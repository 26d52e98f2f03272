"""A PostgreSQL server of our own, on a unix socket in a temporary folder."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


class MissingPostgresError(Exception):
    """The server's programs are not installed; the text says what is missing."""


@dataclass(frozen=True, kw_only=True)
class Postgres:
    """A running server."""

    url: str
    start: tuple[str, ...]
    stop: tuple[str, ...]

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """It is gone meanwhile, as after a power cut."""
        _run([*self.stop])
        try:
            yield
        finally:
            _run([*self.start])


@contextmanager
def running_postgres(*options: str) -> Iterator[str]:
    """Start a server with these settings (`fsync=off`), owned by somebody who is not root.

    Yields its URL.
    """
    with postgres(*options) as server:
        yield server.url


@contextmanager
def postgres(*options: str) -> Iterator[Postgres]:
    """The same, with the way to stop it and to start it again."""
    binaries = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not binaries:
        raise MissingPostgresError("PostgreSQL's server programs are not under /usr/lib/postgresql")
    programs, folder = binaries[-1].parent, Path(tempfile.mkdtemp(prefix="hp-pg-"))
    try:
        prefix = _as_nobody(folder)
        data = folder / "data"
        _run([*prefix, str(programs / "initdb"), "-D", str(data), "-U", "tester", "-A", "trust"])
        settings = ("listen_addresses=", f"unix_socket_directories={folder}", *options)
        words = " ".join(f"-c {setting}" for setting in settings)
        control = [*prefix, str(programs / "pg_ctl"), "-D", str(data), "-w"]
        server = Postgres(
            url=f"postgresql://tester@/postgres?host={folder}",
            start=(*control, "-o", words, "-l", str(folder / "log"), "start"),
            stop=(*control, "-m", "immediate", "stop"),
        )
        _run([*server.start])
        try:
            yield server
        finally:
            _run([*server.stop])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _as_nobody(folder: Path) -> list[str]:
    if os.getuid() != 0:
        return []
    try:
        owner = pwd.getpwnam("postgres")
    except KeyError:
        owner = pwd.getpwnam("nobody")
    os.chown(folder, owner.pw_uid, owner.pw_gid)
    if shutil.which("runuser") is None:
        raise MissingPostgresError(
            "runuser is needed to start PostgreSQL as somebody who is not root"
        )
    return ["runuser", "-u", owner.pw_name, "--"]


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, cwd="/", stdout=subprocess.DEVNULL, timeout=60)
