"""Tools as reads and changes of the ledger.

A change is declared once: what must be true (`state`), what it does (`work`), how it is told.
Its dry run asks for the state, the confirmation shows it, and the effect compares it again in its
own transaction.
"""

import hashlib
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from sqlalchemy.exc import DBAPIError

from holdpoint.core.tool import PlanContext, Result, RunContext, what_ran
from holdpoint.domains.bank import effects, results
from holdpoint.domains.bank.errors import BankError, ChangedError, UnknownCommitError
from holdpoint.domains.bank.store import Books, reading
from holdpoint.domains.settings import BankSettings
from holdpoint.messages.action import Plan
from holdpoint.messages.base import JsonObject
from holdpoint.runtime.process import clock

Question = Callable[[Books, Any], Awaitable[Any]]


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """Reference under which a change is entered."""

    key: str
    at: str
    settings: BankSettings

    def id(self, prefix: str) -> str:
        """An id that no other key has: `TXN-20250115-…`."""
        short = hashlib.sha256(self.key.encode()).hexdigest()[:16].upper()
        return f"{prefix}-{self.at[:10].replace('-', '')}-{short}"


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """A change of the ledger, in parts."""

    name: str
    """The tool's short name."""

    state: Callable[[Books, Any, BankSettings], Awaitable[JsonObject]]
    """What the confirmation shows and the effect compares; BankError where it cannot be done."""

    work: Callable[[Books, Any, JsonObject, Receipt], Awaitable[JsonObject]]
    told: Callable[[JsonObject], Result]
    summary: Callable[[JsonObject], str] | None = None
    """The card's one line, from the state; None where the tool's template says it."""

    async def plan(self, arguments: Any, context: PlanContext) -> Plan:
        """Return the state, without changing it."""
        settings: BankSettings = context.settings
        try:
            async with reading(context.resource, settings.plan_timeout_s) as books:
                state = await self.state(books, arguments, settings)
            return Plan(conditions=state, summary=self.summary(state) if self.summary else "")
        except BankError as error:
            return Plan(error=str(error), impossible=str(error))
        except TimeoutError:
            return Plan(error="the ledger does not answer in time")
        except (DBAPIError, OSError):
            return Plan(error="the ledger could not be read")

    async def run(self, arguments: Any, context: RunContext) -> Result:
        """Do it, at most once for this key."""
        receipt = Receipt(
            key=context.idempotency_key, at=clock.now().isoformat(), settings=context.settings
        )

        async def work(books: Books) -> JsonObject:
            state = await self.state(books, arguments, receipt.settings)
            expected = context.preconditions.get("conditions")
            if set(context.preconditions) - {"conditions"} or expected not in (None, state):
                raise ChangedError(_difference(expected or {}, state))
            return await self.work(books, arguments, state, receipt)

        try:
            outcome = await effects.once(context, work)
        except ChangedError as error:
            return results.no_longer_so(error)
        except UnknownCommitError:
            return results.in_doubt()
        except (BankError, DBAPIError, OSError) as error:
            return results.refused(error)
        return self._done(arguments, outcome)

    async def lookup(self, arguments: Any, context: RunContext) -> Result | None:
        """The result of the first time; in doubt while that is under way."""
        try:
            outcome = await effects.looked_up(context)
        except (UnknownCommitError, DBAPIError, OSError):
            return results.in_doubt()
        return None if outcome is None else self._done(arguments, outcome)

    def _done(self, arguments: Any, outcome: JsonObject) -> Result:
        executed = what_ran(self.name, arguments)
        return msgspec.structs.replace(self.told(outcome), executed=executed)


async def read(
    arguments: Any, context: RunContext, question: Question, told: Callable[[Any], Result]
) -> Result:
    """Answer from the ledger, changing nothing."""
    try:
        async with reading(context.resource, context.settings.timeout_s) as books:
            found = await question(books, arguments)
    except (BankError, DBAPIError, OSError) as error:
        return results.refused(error)
    return told(found)


def _difference(expected: JsonObject, found: JsonObject) -> str:
    names = [name for name in {**expected, **found} if expected.get(name) != found.get(name)]
    what = ", ".join(name.replace("_", " ") for name in names) or "what was confirmed"
    return f"Since the confirmation this has changed: {what}."
