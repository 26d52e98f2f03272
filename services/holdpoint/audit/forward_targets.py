"""Receivers of forwarded events: each takes a whole batch, or the same batch comes again."""

import os
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias
from urllib.parse import urlsplit

import msgspec

from holdpoint.audit.forward_formats import ForwardedEvent, ocsf, syslog
from holdpoint.core.webhook_signature import HEADER, signature
from holdpoint.runtime.config import files
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.process import clock, http_posts

Send: TypeAlias = Callable[[Sequence[ForwardedEvent]], None]

WITHIN_S = 8.0


def to_syslog(host: str, port: int) -> Send:
    """Send over TCP with counted octets (RFC 6587); taken once the receiver closed after the end.

    Syslog has no acknowledgement. A receiver that read a connection to its end closes it in order;
    one that went away resets it, or says nothing.
    """

    def send(batch: Sequence[ForwardedEvent]) -> None:
        lines = [syslog(event, socket.gethostname()) for event in batch]
        try:
            with socket.create_connection((host, port), timeout=WITHIN_S) as line:
                line.sendall(b"".join(b"%d %s" % (len(it), it) for it in lines))
                line.shutdown(socket.SHUT_WR)
                while line.recv(4096):
                    pass
        except OSError as error:
            raise UnavailableError(f"{host}:{port} is away: {type(error).__name__}") from None

    return send


def to_ocsf(path: Path) -> Send:
    """Append OCSF JSON lines to a file, synced; a line that a crash cut off is ended first."""

    def send(batch: Sequence[ForwardedEvent]) -> None:
        lines = b"".join(msgspec.json.encode(ocsf(event)) + b"\n" for event in batch)
        try:
            _append(path, lines if _is_whole(path) else b"\n" + lines)
        except OSError as error:
            raise UnavailableError(f"{path} takes nothing: {error.strerror}") from None

    return send


def to_webhook(url: str, secret: bytes) -> Send:
    """POST each batch as JSON, signed as all our webhooks; taken when the reply is 2xx."""
    whose = urlsplit(url).hostname or ""

    def send(batch: Sequence[ForwardedEvent]) -> None:
        body = msgspec.json.encode({"events": batch})
        headers = {
            "Content-Type": "application/json",
            HEADER: signature(secret, int(clock.now().timestamp()), body),
        }
        http_posts.post(url, body, headers, whose=whose, within_s=WITHIN_S)

    return send


def _append(path: Path, lines: bytes) -> None:
    with os.fdopen(
        os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, files.PRIVATE), "ab"
    ) as it:
        it.write(lines)
        it.flush()
        os.fsync(it.fileno())


def _is_whole(path: Path) -> bool:
    if not path.exists() or path.stat().st_size == 0:
        return True
    with path.open("rb") as file:
        file.seek(-1, 2)
        return file.read(1) == b"\n"
