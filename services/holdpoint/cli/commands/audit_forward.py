"""`holdpoint audit forward`: follow the ledger to one receiver, until a signal stops it."""

import signal
import threading
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from holdpoint.audit.forward import forward as follow
from holdpoint.audit.forward_targets import Send, to_ocsf, to_syslog, to_webhook
from holdpoint.cli.audit_session import JsonOption, UrlOption, print_json
from holdpoint.cli.session import settings_here
from holdpoint.messages.base import is_id
from holdpoint.runtime.config import files
from holdpoint.runtime.config.settings import Settings

FOLDER = "forward"


def forward(  # noqa: PLR0913  # each is one option
    name: Annotated[str, typer.Argument(help="A name for the receiver; it has its own position.")],
    *,
    syslog: Annotated[
        str, typer.Option(metavar="HOST:PORT", help="RFC 5424 over TCP, with counted octets.")
    ] = "",
    ocsf: Annotated[
        Path | None, typer.Option(help="OCSF JSON lines, appended to this file.")
    ] = None,
    webhook: Annotated[str, typer.Option(metavar="URL", help="Signed POSTs to this URL.")] = "",
    secret: Annotated[
        Path | None, typer.Option(help="With --webhook: the file with the secret to sign with.")
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Stop at the ledger's present end.")] = False,
    as_json: JsonOption = False,
    ledger: UrlOption = "",
) -> None:
    """Send every event of the ledger to one receiver: at least once, in order, without a gap.

    Exit code 0 when it was stopped; 1 where the ledger is another one than before; 2 for a wrong
    option.
    """
    if not is_id(name):
        raise typer.BadParameter("NAME is letters, digits, `_` and `-`.")
    send = _target(syslog, ocsf, webhook, secret)
    settings = Settings() if ledger else settings_here()
    folder = files.private_folder(settings.state_dir / FOLDER)
    stop = threading.Event()
    for signum in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signum, lambda *_: stop.set())
    url = ledger or settings.ledger_url
    sent = follow(url, folder / f"{name}.json", send, stop, once=once)
    if as_json:
        print_json({"sent": sent})
    else:
        typer.echo(f"{sent:,} events were taken.")


def _target(syslog: str, ocsf: Path | None, webhook: str, secret: Path | None) -> Send:
    if sum((bool(syslog), ocsf is not None, bool(webhook))) != 1:
        raise typer.BadParameter("Choose one of --syslog, --ocsf and --webhook.")
    if ocsf is not None:
        return to_ocsf(ocsf)
    if syslog:
        host, _, port = syslog.rpartition(":")
        if not host or not port.isdecimal():
            raise typer.BadParameter("--syslog is HOST:PORT.")
        return to_syslog(host, int(port))
    if urlsplit(webhook).scheme not in {"https", "http"} or secret is None:
        raise typer.BadParameter("--webhook is an http(s) URL, and takes --secret.")
    return to_webhook(webhook, files.read_secret(secret).strip())
