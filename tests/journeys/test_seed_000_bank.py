"""Seed 000's bank on the real bus: its confirmation, its graph, its levels."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from datetime import date
from typing import Any

import msgspec
import pytest
from msgspec import to_builtins
from tests.actors import AgentVoice, Guests, PersonVoice
from tests.bank_system import BAKERY, CHECKING, FROZEN, SAVINGS, bank_road, usd
from tests.running_system import Road, fresh

from holdpoint.messages.envelope import Envelope, Status

pytestmark = pytest.mark.nats
GRAPH = {
    ("get_account_balances", "get_account_details"),
    ("get_account_balances", "get_transactions"),
    ("get_account_balances", "transfer_funds"),
    ("get_account_balances", "set_balance_alert"),
    ("get_transactions", "get_transaction_details"),
    ("get_transactions", "dispute_transaction"),
    ("get_transactions", "categorize_transaction"),
    ("get_transactions", "export_transactions"),
    ("transfer_funds", "confirm_transfer"),
    ("transfer_funds", "cancel_pending_operation"),
    ("transfer_funds", "get_account_balances"),
}
TRANSFER = {"amount": usd("150.00"), "from_account": CHECKING, "to_account": SAVINGS}


@pytest.fixture(scope="module")
def road(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    with asyncio.Runner() as runner:
        world = bank_road(tmp_path_factory.mktemp("bank"))
        yield runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


@pytest.fixture
async def guests(road: Road) -> AsyncIterator[Guests]:
    async with AsyncExitStack() as stack:
        yield Guests(road=road, stack=stack)


@pytest.fixture
async def teller(guests: Guests) -> AgentVoice:
    return await guests.agent("teller")


@pytest.fixture
async def ann(guests: Guests) -> PersonVoice:
    return await guests.person("ann")


async def result(teller: AgentVoice, tool: str, arguments: dict[str, Any]) -> Envelope:
    return await teller.hears(await teller.propose(tool, arguments), Status.DONE)


async def on_checking(teller: AgentVoice) -> float:
    told = await result(teller, "get_account_balances", {"account_id": CHECKING})
    return float(told.data["balances"][0]["available"]["value"])


async def test_balances_are_told_as_in_the_seed(teller: AgentVoice) -> None:
    told = await result(teller, "get_account_balances", {"account_id": CHECKING})

    assert told.data == {
        "account_id": CHECKING,
        "balances": [
            {"type": "checking", "available": {"value": 2500.00, "currency": "USD"}},
            {"type": "savings", "available": {"value": 15000.00, "currency": "USD"}},
        ],
    }
    assert told.formatted == (
        "Account ACC-12345678 balances:\n- Checking: $2,500.00\n- Savings: $15,000.00\n"
        "- Total: $17,500.00"
    )
    assert told.formatted_spoken == (
        "Your checking account has twenty-five hundred dollars and your savings has fifteen "
        "thousand dollars. Your total is seventeen thousand five hundred dollars."
    )
    assert told.message_for_user == (
        "Here are your current balances. Would you like to see recent transactions or make a "
        "transfer?"
    )
    transactions = next(it for it in told.available_actions if it.tool == "get_transactions")
    assert transactions.params == {"account_id": CHECKING, "limit": 10}
    assert transactions.label == "View recent transactions"
    assert transactions.description == "See the last 10 transactions on this account"


async def test_the_graph_of_real_responses_has_the_seeds_eleven_edges(
    teller: AgentVoice, ann: PersonVoice
) -> None:
    balances = await result(teller, "get_account_balances", {"account_id": CHECKING})
    transactions = await result(teller, "get_transactions", {"account_id": CHECKING})
    pending = await teller.pending(await teller.propose("transfer_funds", TRANSFER))
    told = {
        "get_account_balances": balances,
        "get_transactions": transactions,
        "transfer_funds": pending,
    }

    edges = {(tool, it.tool) for tool, reply in told.items() for it in reply.available_actions}

    assert edges == GRAPH
    assert sum(len(it.available_actions) for it in told.values()) == len(GRAPH)
    await ann.cancel(await ann.card(pending.hold_id))


async def test_a_transfer_waits_as_in_the_seed(teller: AgentVoice, ann: PersonVoice) -> None:
    key = fresh("550e8400")
    call = await teller.propose("transfer_funds", TRANSFER, key=key, idempotency_key=key)

    told = await teller.pending(call)

    asked = told.confirmation
    assert asked is not None
    assert asked.expires_at is not None
    arrival = date.fromisoformat(asked.details.pop("estimated_arrival"))
    assert arrival > asked.expires_at.date()
    assert to_builtins(msgspec.structs.replace(asked, expires_at=None)) == {
        "operation": "transfer_funds",
        "summary": "Transfer USD 150.00 from Main Checking to Joint Savings",
        "details": {
            "amount": {"value": 150.00, "currency": "USD"},
            "from_account": CHECKING,
            "from_account_name": "Main Checking",
            "to_account": SAVINGS,
            "to_account_name": "Joint Savings",
            "fee": {"value": 0.00, "currency": "USD"},
        },
        "confirmation_method": {
            "tool": "confirm_transfer",
            "params": {"transfer_id": told.hold_id, "idempotency_key": key},
        },
        "cancel_method": {
            "tool": "cancel_pending_operation",
            "params": {"operation_id": told.hold_id},
        },
    }
    assert told.message_for_user == (
        "I'd like to transfer $150.00 from Main Checking to Joint Savings. No fees apply. "
        "Shall I proceed?"
    )
    assert told.idempotency_key == key
    card = await ann.card(told.hold_id)
    assert card.title == asked.summary
    await ann.cancel(card)


async def test_a_hundred_confirmations_by_the_agent_confirm_nothing(
    teller: AgentVoice, ann: PersonVoice
) -> None:
    before, key = await on_checking(teller), fresh("550e8400")
    call = await teller.propose("transfer_funds", TRANSFER, key=key, idempotency_key=key)
    pending = await teller.pending(call)
    assert pending.confirmation is not None
    step = pending.confirmation.confirmation_method
    for _ in range(100):
        asked = await teller.propose(step.tool, dict(step.params))
    assert (await teller.pending(asked)).hold_id == pending.hold_id
    assert await on_checking(teller) == before

    await ann.proceed(await ann.card(pending.hold_id))

    ended = await teller.hears(asked, Status.DONE)
    assert ended.data["amount"] == {"value": 150.00, "currency": "USD"}
    assert await on_checking(teller) == before - 150.00
    status = await result(teller, "get_transfer_status", {"transfer_id": pending.hold_id})
    assert status.data["transfer_id"] == ended.data["transfer_id"]
    assert status.data["status"] == "completed"
    again = await teller.propose("transfer_funds", TRANSFER, key=key, idempotency_key=key)
    assert (await teller.hears(again, Status.ALREADY_PROCESSED)).data == ended.data
    assert await on_checking(teller) == before - 150.00


async def test_a_long_and_a_spanish_name_are_the_same_call(teller: AgentVoice) -> None:
    told = [
        await result(teller, name, {"account_id": SAVINGS})
        for name in (
            "get_account_balances",
            "bank_accounts_get_account_balances",
            "bank_cuentas_get_account_balances",
        )
    ]
    assert len({it.formatted for it in told}) == 1


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"amount": usd("999999.00")}, "Insufficient funds"),
        ({"from_account": FROZEN}, "is frozen"),
        ({"amount": {"value": 5, "currency": "EUR"}}, "is kept in USD"),
        ({"to_account": "ACC-22223333"}, "transfer_to_third_party"),
        ({"to_account": CHECKING}, "same account"),
        ({"amount": usd("0")}, "above zero"),
    ],
)
async def test_nobody_is_asked_about_what_cannot_run(
    teller: AgentVoice, change: dict[str, Any], why: str
) -> None:
    call = await teller.propose("transfer_funds", TRANSFER | change)
    told = await teller.hears(call, Status.REFUSED)
    assert told.code == "cannot_run"
    assert why in told.reason


async def test_a_renamed_account_is_not_paid_under_its_old_name(
    teller: AgentVoice, ann: PersonVoice
) -> None:
    first = await teller.propose("transfer_funds", TRANSFER)
    pending = await teller.pending(first)
    rename = {"account_id": SAVINGS, "name": "Rainy Days"}
    renamed = await teller.propose("rename_account", rename)
    await ann.proceed(await ann.card((await teller.pending(renamed)).hold_id))
    await teller.hears(renamed, Status.DONE)

    await ann.proceed(await ann.card(pending.hold_id))

    told = await teller.hears(first, Status.PRECONDITION_FAILED)
    assert "to account name" in told.reason
    back = await teller.propose("rename_account", rename | {"name": "Joint Savings"})
    await ann.proceed(await ann.card((await teller.pending(back)).hold_id))
    await teller.hears(back, Status.DONE)


async def test_a_charge_is_disputed_once(teller: AgentVoice, ann: PersonVoice) -> None:
    arguments = {"transaction_id": BAKERY, "reason": "I was not there."}
    call = await teller.propose("dispute_transaction", arguments)
    await ann.proceed(await ann.card((await teller.pending(call)).hold_id))
    told = await teller.hears(call, Status.DONE)
    assert told.message_for_user.startswith("I disputed the charge of Corner Bakery.")

    again = await teller.propose("dispute_transaction", arguments)

    assert "disputed already" in (await teller.hears(again, Status.REFUSED)).reason
