"""Listening sockets on loopback: those of the console, the HTTP API and Slack.

The starter of a service takes its socket once and hands it on, so that no other program gets the
port while the service is started again: pages and tokens would go to a stranger.
"""

import errno
import os
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import TypeAlias

from holdpoint.runtime.config import files
from holdpoint.runtime.config.settings import LOOPBACK, Settings
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.security.credentials import API, CONSOLE, SLACK

LOOPBACK_6 = "::1"
PORTS_TRIED = 100
ANY_PORT = 0
Socket: TypeAlias = socket.socket


@dataclass(frozen=True, kw_only=True)
class Listening:
    """A socket that accepts, and the address that it is found at."""

    socket: Socket
    held: Socket | None = None
    """The same port of ::1, kept from others; None where this machine has no such address, and
    where whoever started the service holds it.
    """

    def close(self) -> None:
        """Give the port back."""
        self.socket.close()
        if self.held is not None:
            self.held.close()

    @property
    def port(self) -> int:
        """The port it got."""
        return int(self.socket.getsockname()[1])

    @property
    def url(self) -> str:
        """By name: passkeys know no numbers."""
        return f"http://localhost:{self.port}"


def listens(name: str) -> bool:
    """Return whether the service of this name has a socket of its own."""
    return name in {CONSOLE, API, SLACK}


def handed_on(name: str) -> str:
    """The variable with the number of the open socket that a service was started with."""
    return f"HP_{name.upper()}_SOCKET"


def listen(settings: Settings, name: str) -> Listening:
    """Take the port it had, else the one that was asked for, else the next free one."""
    wanted, written = _place(settings, name)
    for port in _candidates(wanted, written):
        taken = _bound(port)
        listening = _also_held(taken) if taken is not None else None
        if listening is not None:
            files.private_folder(settings.run_dir)
            files.replace(written, listening.url.encode(), files.PUBLIC)
            return listening
    raise SetupError(f"No port is free from {wanted} on: set HP_{name.upper()}_PORT.")


def handed_on_or_new(settings: Settings, name: str) -> Listening:
    """The socket that this service was started with; one that starts alone takes its own."""
    number = os.environ.get(handed_on(name), "")
    if number:
        return Listening(socket=socket.socket(fileno=int(number)))
    return listen(settings, name)


def _place(settings: Settings, name: str) -> tuple[int, Path]:
    """The port that a service wants, and the file with the address that it got."""
    if name == CONSOLE:
        return settings.console_port, settings.console_file
    if name == SLACK:
        return settings.slack_port, settings.slack_file
    return settings.api_port, settings.api_file


def _candidates(wanted: int, written: Path) -> Iterator[int]:
    last = written.read_text().rpartition(":")[2] if written.exists() else ""
    if last.isdecimal():
        yield int(last)
    is_any = wanted == ANY_PORT
    yield from repeat(ANY_PORT, PORTS_TRIED) if is_any else range(wanted, wanted + PORTS_TRIED)


def _bound(port: int) -> socket.socket | None:
    tried = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        tried.bind((LOOPBACK, port))
        tried.listen()
    except (OSError, OverflowError):
        tried.close()
        return None
    return tried


def _also_held(taken: socket.socket) -> Listening | None:
    """Hold the other address of `localhost`; None, and the port is free again, if it is taken.

    It is held without the option to use it again, so that no other program can take it either.
    """
    held = None
    try:
        held = socket.socket(socket.AF_INET6, socket.SOCK_STREAM)
        held.bind((LOOPBACK_6, taken.getsockname()[1]))
    except OSError as error:
        if held is not None:
            held.close()
        if error.errno == errno.EADDRINUSE:
            taken.close()
            return None
        held = None
    return Listening(socket=taken, held=held)
