"""A person's cards as they change, for screens that stay open: `inbox` and `watch`."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.session import check_state, connected
from holdpoint.console.card_reader import CardReader
from holdpoint.console.card_store import Board
from holdpoint.messages.catalog import Person
from holdpoint.runtime.broker.connection import login
from holdpoint.runtime.broker.streams import inbox_durable
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.security.credentials import view_user


@asynccontextmanager
async def live_cards(settings: Settings, person: Person) -> AsyncIterator[Board]:
    """Keep a board as the person's cards are; it says itself whether it is live."""
    if not person.groups:
        text = f"{person.name} is in no group, so nobody asks them: see people.yaml."
        raise CommandError(ExitCode.SETUP, "no_groups", text)
    check_state(settings)
    who, board = login(settings, view_user(person.name)), Board()
    async with connected(settings, who) as client:
        reader = CardReader(
            client=client,
            login=who,
            tenant=settings.tenant,
            board=board,
            durable=inbox_durable(person.name),
        )
        reading = asyncio.create_task(reader.run())
        try:
            yield board
        finally:
            reading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await reading
