"""The console's listening socket, on loopback.

Whoever starts the console takes it once and hands it on, so that no other program gets the port
while the console is started again: the open pages would talk to a stranger.
"""

import os
import socket
from collections.abc import Iterator
from dataclasses import dataclass

from holdpoint.runtime.broker.nats_conf import LOOPBACK
from holdpoint.runtime.config import files
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError

HANDED_ON = "HP_CONSOLE_SOCKET"
"""The variable with the number of the open socket that a console was started with."""

PORTS_TRIED = 100
ANY_PORT = 0


@dataclass(frozen=True, kw_only=True)
class Listening:
    """A socket that accepts, and where people find it."""

    socket: socket.socket

    @property
    def port(self) -> int:
        """The port it got."""
        return int(self.socket.getsockname()[1])

    @property
    def url(self) -> str:
        """By name: passkeys know no numbers."""
        return f"http://localhost:{self.port}"


def listen(settings: Settings) -> Listening:
    """Take the port it had, else the one that was asked for, else the next free one."""
    for port in _candidates(settings):
        taken = _bound(port)
        if taken is not None:
            listening = Listening(socket=taken)
            files.private_folder(settings.run_dir)
            files.replace(settings.console_file, listening.url.encode(), files.PUBLIC)
            return listening
    raise SetupError(f"No port is free from {settings.console_port} on: set HP_CONSOLE_PORT.")


def handed_on_or_new(settings: Settings) -> Listening:
    """The socket that this console was started with; a console that starts alone takes one."""
    number = os.environ.get(HANDED_ON, "")
    return Listening(socket=socket.socket(fileno=int(number))) if number else listen(settings)


def _candidates(settings: Settings) -> Iterator[int]:
    last = settings.console_url.rpartition(":")[2]
    if last.isdecimal():
        yield int(last)
    wanted = settings.console_port
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
