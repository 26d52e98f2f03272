"""Commands that read the ledger note it there, through a credential that can do nothing else.

Only of the system's own ledger: who reads a copy, or the file itself, is seen by nobody.
"""

import asyncio
from collections.abc import Mapping
from getpass import getuser

from holdpoint.cli import output
from holdpoint.cli.acting_as import Who
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.session import connected
from holdpoint.ledger.engines import local_file
from holdpoint.messages.reading import LedgerRead, read_of
from holdpoint.runtime.broker.connection import Requests, login
from holdpoint.runtime.broker.reads import Reads
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import HoldpointError, SetupError
from holdpoint.runtime.security.credentials import READER
from holdpoint.runtime.security.permissions import CLI


def note_read(ledger: str, what: str, asked: Mapping[str, str]) -> None:
    """Note that this was read; where nobody could, it is said and the answer follows all the same.

    `ledger` is the one that was named; empty of the system's own.
    """
    settings = Settings()
    if is_own(settings, ledger) and _has_credential(settings):
        settings.check_tenant()
        try:
            asyncio.run(_record(settings, read_of(what, asked)))
        except HoldpointError as error:
            output.warn(f"This reading is not recorded: {error}")


def record_read(ledger: str, what: str, asked: Mapping[str, str]) -> None:
    """Record that this is taken out of the ledger, or end the command: nothing is written then."""
    settings = Settings()
    if not is_own(settings, ledger):
        return
    settings.check_tenant()
    try:
        asyncio.run(_record(settings, read_of(what, asked)))
    except HoldpointError as error:
        raise unrecorded("written", error) from None


def unrecorded(done: str, error: HoldpointError) -> CommandError:
    """Return why nothing was done: what the ledger cannot record does not happen."""
    is_setup = isinstance(error, SetupError)
    code = ExitCode.SETUP if is_setup else ExitCode.UNREACHABLE
    text = f"Nothing is {done}, because it could not be recorded: {error}"
    return CommandError(code, "setup" if is_setup else "unreachable", text)


def is_own(settings: Settings, ledger: str) -> bool:
    """Return whether this is the ledger of the system here, and not a copy."""
    if not ledger:
        return True
    try:
        file, own = local_file(ledger), local_file(settings.ledger_url)
    except SetupError:
        return False
    return file.resolve() == own.resolve() if file and own else ledger == settings.ledger_url


def _has_credential(settings: Settings) -> bool:
    """A ledger beside which no system was ever set up is a copy."""
    return (settings.credentials_dir / f"{READER}.nk").exists()


async def _record(settings: Settings, read: LedgerRead) -> None:
    who = login(settings, READER)
    async with connected(settings, who) as client:
        reads = Reads(requests=Requests(client, who), tenant=settings.tenant, surface=CLI)
        await reads.record(Who().person or getuser(), read)
