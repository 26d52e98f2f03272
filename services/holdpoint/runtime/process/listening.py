"""Listening sockets on loopback: those of the console, the HTTP API and Slack.

The starter of a service takes its socket once and hands it on, so that no other program gets the
port while the service is started again: pages and tokens would go to a stranger.
"""

import os
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from holdpoint.runtime.config import files
from holdpoint.runtime.config.settings import LOOPBACK, Settings
from holdpoint.runtime.errors import SetupError
from holdpoint.runtime.security.credentials import API, CONSOLE, SLACK

PORTS_TRIED = 100
ANY_PORT = 0


@dataclass(frozen=True, kw_only=True)
class Listening:
    """A socket that accepts, and the address that it is found at."""

    socket: socket.socket

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
        if taken is not None:
            listening = Listening(socket=taken)
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
    yield from range(wanted, wanted + PORTS_TRIED) if wanted != ANY_PORT else (ANY_PORT,)


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
