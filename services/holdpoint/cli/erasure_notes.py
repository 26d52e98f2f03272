"""Records of what a command erases and keeps, on ERASURES, where they outlive the ledger."""

import asyncio

from holdpoint.cli.read_notes import is_own
from holdpoint.cli.session import connected
from holdpoint.ledger.own_events import Announce, nowhere
from holdpoint.messages.subjects import ERASURES, stream
from holdpoint.runtime.broker.connection import Requests, login
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError, UnavailableError
from holdpoint.runtime.security.credentials import ERASER

STORED_WITHIN_S = 5.0


def announcer(ledger: str) -> Announce:
    """Return what stores it; `ledger` is the one that was named, empty of the system's own."""
    settings = Settings()
    if not is_own(settings, ledger):
        return nowhere

    def announce(subject: str, body: bytes) -> None:
        asyncio.run(_store(settings, subject, body))

    return announce


async def _store(settings: Settings, subject: str, body: bytes) -> None:
    try:
        who = login(settings, ERASER)
        async with asyncio.timeout(STORED_WITHIN_S), connected(settings, who) as client:
            await Requests(client, who).publish(subject, body, stream(settings.tenant, ERASURES))
    except SetupError as error:  # no ledger's fault
        raise UnavailableError(str(error)) from None
    except TimeoutError:
        raise UnavailableError("the broker did not say that it is stored.") from None
