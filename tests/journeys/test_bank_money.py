"""Transfers through the whole road while its processes are killed: no cent and no key is lost."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random  # noqa: TID251  # seeded: a run can be repeated
from typing import Any

import pytest
import yaml
from nats.errors import Error as NatsError
from sqlalchemy import create_engine, text
from tests.actors import Guests, PersonVoice
from tests.bank_system import CHECKING, SAVINGS, bank_road, by_chat, usd
from tests.running_system import STREAM_BYTES, Road, fresh

from holdpoint.client import Holdpoint, Outcome, RefusedError, Status, UnavailableError
from holdpoint.messages.answer import Choice
from holdpoint.runtime.process.supervisor import BROKER

pytestmark = [pytest.mark.nats, pytest.mark.slow]
SEED = 20250115
SIDE_BY_SIDE = 64
VICTIMS = ("gate", "worker-bank", "worker-bank", "gate", BROKER, "audit")
LEASE_S = 4.0
TRANSFER_BYTES = 32 * 1024
"""Above what the facts of one take in HOLDS."""

ENDED = {Status.DONE, Status.ALREADY_PROCESSED, Status.FAILED, Status.REFUSED}


def however_much(policy: str) -> str:
    """A yes in the chat is enough, and no sum is too high."""
    rules = yaml.safe_load(by_chat(policy))
    rules["tallies"] = []
    return yaml.safe_dump(rules, sort_keys=False)


@pytest.mark.parametrize(
    ("transfers", "kills"),
    [
        pytest.param(500, 5, marks=pytest.mark.timeout(600)),
        pytest.param(2_000, 20, marks=pytest.mark.timeout(1500)),
    ],
)
async def test_kills_lose_no_cent_and_repeat_no_key(
    transfers: int, kills: int, tmp_path: Path
) -> None:
    await pay_through_kills(tmp_path, transfers, kills)


async def pay_through_kills(folder: Path, transfers: int, kills: int) -> None:
    """Make so many transfers through the whole road, kill so many processes, check the books."""
    async with (
        bank_road(folder, however_much, LEASE_S, room_for(transfers)) as road,
        AsyncExitStack() as stack,
        Holdpoint.connect("teller", road.settings) as hp,
    ):
        ann = await Guests(road=road, stack=stack).person("ann")
        outcomes: dict[str, Outcome] = {}
        killer = asyncio.create_task(_kill(road, outcomes, transfers, kills))
        await _pay(hp, ann, outcomes, transfers)
        killed = await killer
        assert killed == kills
        assert {it.status for it in outcomes.values()} <= ENDED
        _check_books(road, outcomes)


def room_for(transfers: int) -> int:
    """Bytes of a stream that holds so many."""
    return max(STREAM_BYTES, transfers * TRANSFER_BYTES)


async def _pay(
    hp: Holdpoint, ann: PersonVoice, outcomes: dict[str, Outcome], transfers: int
) -> None:
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


async def _kill(road: Road, outcomes: dict[str, Outcome], transfers: int, kills: int) -> int:
    """Kill a process each time another part of the transfers has ended, and start it again."""
    chance, killed = Random(SEED), 0  # noqa: S311
    while killed < kills:
        if len(outcomes) * (kills + 1) < killed * transfers:
            await asyncio.sleep(0.02)
            continue
        victim = chance.choice(VICTIMS)
        road.supervisor.kill(victim)
        if victim == BROKER:
            await road.supervisor.restart_broker()
        else:
            road.supervisor.start(victim)
            await road.supervisor.ready(victim)
        killed += 1
    return killed


def _check_books(road: Road, outcomes: dict[str, Outcome]) -> None:
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
