"""Transfers between two accounts of the bank, through the whole road, and its books afterwards."""

import asyncio
from random import Random  # noqa: TID251  # seeded: a run can be repeated
from typing import Any

from nats.errors import Error as NatsError
from sqlalchemy import create_engine, text
from tests.actors import PersonVoice
from tests.bank_system import CHECKING, SAVINGS, usd
from tests.running_system import Road, fresh

from holdpoint.client import Holdpoint, Outcome, RefusedError, Status, UnavailableError
from holdpoint.messages.answer import Choice

SEED = 20250115
SIDE_BY_SIDE = 64


async def pay_there_and_back(
    hp: Holdpoint, ann: PersonVoice, outcomes: dict[str, Outcome], transfers: int
) -> None:
    """Make so many transfers, and put the end of each under its key."""
    chance, run = Random(SEED), fresh("run")  # noqa: S311
    turns = asyncio.Semaphore(SIDE_BY_SIDE)

    async def pay(at: int, there: bool, cents: int) -> None:
        key, (source, target) = f"{run}-{at}", (CHECKING, SAVINGS) if there else (SAVINGS, CHECKING)
        arguments = {
            "amount": usd(f"{cents // 100}.{cents % 100:02}"),
            "from_account": source,
            "to_account": target,
        }
        async with turns:
            outcomes[key] = await _paid(hp, ann, key, arguments)

    async with asyncio.TaskGroup() as group:
        for at in range(0, transfers, 2):  # there and back, so that neither account runs out
            cents = chance.randrange(1, 5_000)
            group.create_task(pay(at, True, cents))
            group.create_task(pay(at + 1, False, cents))


async def _paid(hp: Holdpoint, ann: PersonVoice, key: str, arguments: dict[str, Any]) -> Outcome:
    """The call's end; whatever breaks meanwhile, the same key is sent again."""
    while True:
        try:
            told = await hp.call("transfer_funds", arguments, idempotency_key=key, wait=False)
            if told.status is Status.PENDING_CONFIRMATION:
                await ann.answer(await ann.card(told.hold_id), Choice.PROCEED)
            if told.is_final:
                return told
            return await hp.resume(told.hold_id)
        except RefusedError as error:
            if error.code != "no_dry_run":
                raise
        except (UnavailableError, NatsError, TimeoutError, AssertionError):
            continue  # the broker was away: its card, its answer or its reply


def check_books(road: Road, outcomes: dict[str, Outcome]) -> None:
    """Fail unless the books balance, and each transfer that was told as done was made once."""
    engine = create_engine(f"sqlite:///{road.settings.state_dir}/sample/bank.db")
    try:
        with engine.connect() as books:
            assert books.execute(text(UNBALANCED)).all() == []
            assert books.execute(text(DIFFERENT)).all() == []
            made = books.execute(text(MADE)).all()
    finally:
        engine.dispose()
    by_hold = {row.hold_id: row.transaction_id for row in made}
    assert len(by_hold) == len(made)
    paid = {it.hold_id: it.data["transfer_id"] for it in outcomes.values() if it.ok}
    assert paid == by_hold


UNBALANCED = "SELECT 1 FROM bank_entries GROUP BY transaction_id HAVING sum(amount) <> 0"
DIFFERENT = """
    SELECT account_id FROM bank_accounts WHERE balance <> (
        SELECT coalesce(sum(amount), 0) FROM bank_entries
        WHERE bank_entries.account_id = bank_accounts.account_id
    )
"""
MADE = "SELECT hold_id, transaction_id FROM bank_transactions WHERE kind = 'transfer'"
