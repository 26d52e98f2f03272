"""One change, at most once: key, check and entries in one transaction.

```
BEGIN ─▶ claim(key) ─taken before─▶ ROLLBACK, its stored outcome
             └─▶ as it was confirmed? ─no─▶ ROLLBACK, ChangedError or BankError
                       └─yes─▶ entries ─▶ record(outcome) ─▶ COMMIT
```
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence

from sqlalchemy import select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncTransaction

from holdpoint.core.tool import RunContext
from holdpoint.domains.bank.errors import UnknownCommitError
from holdpoint.domains.bank.store import GRACE_S, SQLITE, Bank, Books, writing
from holdpoint.domains.bank.tables import runs
from holdpoint.messages.base import JsonObject
from holdpoint.runtime.process import clock

COMMIT_TIMEOUT_S = 30.0


async def once(context: RunContext, work: Callable[[Books], Awaitable[JsonObject]]) -> JsonObject:
    """The outcome of the work under this context's key, now or from the first time."""
    bank: Bank = context.resource
    async with bank.writer.connect() as connection:
        async with asyncio.timeout(bank.settings.timeout_s + GRACE_S):
            transaction = await connection.begin()
            books = await writing(connection, bank)
            if not await claim(books, [context.idempotency_key], context.nonce):
                return await _first_time(connection, context.idempotency_key)
            outcome = await work(books)
            await _record(connection, context.idempotency_key, outcome)
        await _commit(transaction)
    return outcome


async def looked_up(context: RunContext) -> JsonObject | None:
    """The outcome of a change that happened; None when it did not.

    It claims and gives back, so that it waits for a transaction that is still under way.
    """
    bank: Bank = context.resource
    seconds = bank.settings.timeout_s
    async with asyncio.timeout(seconds + GRACE_S), bank.writer.connect() as connection:
        transaction = await connection.begin()
        books = await writing(connection, bank)
        key = context.idempotency_key
        free = await claim(books, [key], context.nonce)
        outcome = None if free else await _first_time(connection, key)
        await transaction.rollback()
    return outcome


async def claim(books: Books, keys: Sequence[str], nonce: str) -> set[str]:
    """Take keys, and return those that were free. Waits for the one who is about to take one."""
    insert = sqlite.insert if books.dialect == SQLITE else postgresql.insert
    now = clock.now().isoformat()
    taken = await books.connection.scalars(
        insert(runs).on_conflict_do_nothing().returning(runs.c.hold_id),
        [{"hold_id": key, "nonce": nonce, "at": now} for key in dict.fromkeys(keys)],
    )
    return set(taken)


async def _record(connection: AsyncConnection, key: str, outcome: JsonObject) -> None:
    stored = json.dumps(outcome)
    await connection.execute(update(runs).where(runs.c.hold_id == key).values(outcome=stored))


async def _first_time(connection: AsyncConnection, key: str) -> JsonObject:
    """A claim that is committed has its outcome beside it."""
    stored = await connection.scalar(select(runs.c.outcome).where(runs.c.hold_id == key))
    if stored is None:
        raise UnknownCommitError("a key without its outcome")
    return dict(json.loads(stored))


async def _commit(transaction: AsyncTransaction) -> None:
    """A constraint that fails only now rolls back; any other failure leaves us in doubt."""
    try:
        async with asyncio.timeout(COMMIT_TIMEOUT_S):
            await transaction.commit()
    except IntegrityError:
        raise
    except (DBAPIError, OSError) as error:
        raise UnknownCommitError(str(error)) from error
