"""One change, at most once: claim, statement, count and result in one transaction.

```
BEGIN ─▶ claim(hold_id) ─taken before─▶ ROLLBACK, its stored result
             └─▶ statement ─▶ as many rows as the card said? ─no─▶ ROLLBACK, ChangedError
                                   └─yes─▶ record(result) ─▶ COMMIT
```
"""

import asyncio

from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncTransaction

from holdpoint.core.tool import RunContext
from holdpoint.domains.database import claims
from holdpoint.domains.database.connections import (
    GRACE_S,
    Database,
    guarded,
    in_time,
    may_change,
)
from holdpoint.domains.database.schemas import Scalar
from holdpoint.domains.database.statements import Statement
from holdpoint.messages.base import JsonObject
from holdpoint.runtime.process import clock

COUNTED = frozenset({"insert", "update", "delete"})
COMMIT_TIMEOUT_S = 30.0


class ChangedError(ValueError):
    """Another number of rows than the card said: rolled back."""

    def __init__(self, expected: object, found: object) -> None:
        super().__init__(f"the card said {expected}, {found} rows match now")
        self.expected = expected
        self.found = found


class UnknownCommitError(RuntimeError):
    """The connection broke while it committed: nobody knows."""


async def once(
    database: Database,
    statement: Statement,
    parameters: dict[str, Scalar],
    context: RunContext,
) -> JsonObject:
    """The change's result, now or from the first time."""
    seconds = database.settings.timeout_s
    async with database.writer.connect() as connection:
        async with asyncio.timeout(seconds + GRACE_S):
            transaction = await connection.begin()
            await in_time(connection, database, seconds)
            if not await claims.claim(
                connection, database, context.hold_id, context.nonce, clock.now()
            ):
                return await _first_time(connection, context.hold_id)
            result = await _changed(connection, database, statement, parameters, context)
            await claims.record(connection, context.hold_id, result)
        await _commit(transaction)
    return result


async def _first_time(connection: AsyncConnection, hold_id: str) -> JsonObject:
    """A claim that is committed has its result beside it."""
    result = await claims.recorded(connection, hold_id)
    if result is None:
        raise UnknownCommitError("a claim without its result")
    return result


async def _changed(
    connection: AsyncConnection,
    database: Database,
    statement: Statement,
    parameters: dict[str, Scalar],
    context: RunContext,
) -> JsonObject:
    seconds = database.settings.timeout_s
    async with guarded(connection, database, seconds, may_change):
        done = await connection.exec_driver_sql(statement.text, statement.bound(parameters))
    affected = done.rowcount if statement.verb in COUNTED else None
    _check(context.preconditions, affected)
    return {"verb": statement.verb, "affected": affected}


async def _commit(transaction: AsyncTransaction) -> None:
    """A constraint that fails only now rolls back; any other failure leaves us in doubt."""
    try:
        async with asyncio.timeout(COMMIT_TIMEOUT_S):
            await transaction.commit()
    except IntegrityError:
        raise
    except (DBAPIError, OSError) as error:
        raise UnknownCommitError(str(error)) from error


async def looked_up(database: Database, context: RunContext) -> JsonObject | None:
    """The result of a change that happened; None when it did not.

    It claims and gives back, so that it waits for a transaction that is still under way.
    """
    seconds = database.settings.timeout_s
    async with asyncio.timeout(seconds + GRACE_S), database.writer.connect() as connection:
        transaction = await connection.begin()
        await in_time(connection, database, seconds)
        free = await claims.claim(connection, database, context.hold_id, context.nonce, clock.now())
        result = None if free else await _first_time(connection, context.hold_id)
        await transaction.rollback()
    return result


def _check(preconditions: JsonObject, affected: int | None) -> None:
    """An unknown precondition is one that fails."""
    expected = {"affected": affected} if "affected" in preconditions else {}
    if preconditions != expected:
        raise ChangedError(preconditions.get("affected"), affected)
