"""Each action of each reply of the bank is called raw, as it stands: none is unknown."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from tests.actors import AgentVoice, Guests
from tests.bank_system import CHECKING, SAVINGS, bank_road, usd
from tests.replies import DECIDED, WRONG, check_forms
from tests.running_system import Road

from holdpoint.core.tool_graph import drawn, edges_of

pytestmark = pytest.mark.nats

PARTIAL = frozenset({"bad_arguments", "cannot_run"})
"""A next step of the seed may leave arguments to the agent: `transfer_funds` from an account."""

TRANSFER = {"amount": usd("150.00"), "from_account": CHECKING, "to_account": SAVINGS}
SEED = """\
get_account_balances
    |
    +--> get_account_details
    +--> get_transactions
    +--> transfer_funds
    +--> set_balance_alert

get_transactions
    |
    +--> get_transaction_details
    +--> dispute_transaction
    +--> categorize_transaction
    +--> export_transactions

transfer_funds (pending_confirmation)
    |
    +--> confirm_transfer
    +--> cancel_pending_operation
    +--> get_account_balances
"""


@pytest.fixture(scope="module")
def road(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    with asyncio.Runner() as runner:
        world = bank_road(tmp_path_factory.mktemp("bank"))
        yield runner.run(world.__aenter__())
        runner.run(world.__aexit__(None, None, None))


@pytest.fixture
async def teller(road: Road) -> AsyncIterator[AgentVoice]:
    async with AsyncExitStack() as stack:
        yield await Guests(road=road, stack=stack).agent("teller")


async def test_available_actions_lead_from_reply_to_reply_as_the_seeds_graph(
    teller: AgentVoice,
) -> None:
    first: list[tuple[str, dict[str, Any]]] = [
        ("get_account_balances", {"account_id": CHECKING}),
        ("get_transactions", {"account_id": CHECKING}),
        ("transfer_funds", TRANSFER),
    ]
    waiting, called, told = list(first), set[str](), []
    while waiting:
        tool, arguments = waiting.pop(0)
        if tool in called:
            continue
        called.add(tool)
        call = await teller.propose(tool, arguments)
        reply = await teller.hears(call, *DECIDED)
        assert reply.code not in WRONG - PARTIAL, (tool, reply.reason)
        told.append((tool, reply))
        actions = await check_forms(teller, call)
        waiting += [(action["tool"], action["params"]) for action in actions]

    assert len(called) >= 11
    assert drawn(edges_of(it for it in told if it[0] in dict(first))) == SEED
