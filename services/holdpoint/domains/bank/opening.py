"""Open the bank's ledger for its domains."""

import contextlib
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from urllib.parse import unquote

from sqlalchemy import select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError

from holdpoint.domains.bank import sample
from holdpoint.domains.bank.store import SQLITE, Bank, connected, writing
from holdpoint.domains.bank.tables import accounts, metadata
from holdpoint.domains.settings import BankSettings
from holdpoint.runtime.errors import SetupError


@asynccontextmanager
async def opened(settings: BankSettings) -> AsyncIterator[Bank]:
    """Open the ledger, making its tables where they are missing; SetupError if it cannot be."""
    async with AsyncExitStack() as stack:
        bank = connected(settings)
        stack.push_async_callback(bank.reader.dispose)
        stack.push_async_callback(bank.writer.dispose)
        await _prepare(bank)
        yield bank


def warnings(_settings: BankSettings) -> tuple[str, ...]:
    """Return what each card of these domains has to say: nothing."""
    return ()


async def _prepare(bank: Bank) -> None:
    """Another worker may do the same at the same time: then the second try finds it done."""
    if bank.dialect == SQLITE:
        _make_folder(bank)
    for last in (False, True):
        try:
            async with bank.writer.begin() as connection:
                await connection.run_sync(metadata.create_all)
                known = await connection.scalar(select(accounts.c.account_id).limit(1))
                if known is None and bank.settings.sample:
                    await sample.fill(await writing(connection, bank))
        except (DBAPIError, OSError) as error:
            if last:
                raise SetupError(
                    f"domains.yaml: the bank's ledger cannot be used: {error}. The database must "
                    "exist, and the role must be able to make tables in it."
                ) from None
        else:
            return


def _make_folder(bank: Bank) -> None:
    file = Path(unquote(str(make_url(bank.settings.url).database).removeprefix("file:")))
    with contextlib.suppress(OSError):  # the database then says why it cannot be opened
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
