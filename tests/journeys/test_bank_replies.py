"""Each action of each reply of the bank is called raw, as it stands: none is unknown."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from tests.actors import AgentVoice, Guests
from tests.bank_system import CHECKING, OTHERS, SAVINGS, bank_road, usd
from tests.bank_transfers import check_books, pay_there_and_back
from tests.replies import DECIDED, WRONG, check_forms
from tests.running_system import CONFIG, TENANT, Road, fresh

from holdpoint.cli.domains import load_domain
from holdpoint.client import Holdpoint, Outcome, create_agent
from holdpoint.core.catalog import Catalog
from holdpoint.core.tool_graph import drawn, edges_of
from holdpoint.domains.settings import BANK_DOMAINS
from holdpoint.messages import subjects as s
from holdpoint.messages.ask import AskTools, ToolsAnswer
from holdpoint.messages.catalog import ToolDefinition
from holdpoint.messages.codec import decode, encode
from holdpoint.messages.envelope import Status
from holdpoint.runtime.config.parity_files import load_parity
from holdpoint.runtime.config.settings import Settings

pytestmark = pytest.mark.nats

STATE = frozenset({"cannot_run"})
"""Said of a step that an earlier one of this test took: what was offered was valid then."""

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
        assert reply.code not in WRONG - STATE, (tool, reply.reason)
        told.append((tool, reply))
        actions = await check_forms(teller, call)
        waiting += [(action["tool"], action["params"]) for action in actions]

    assert len(called) >= 11
    assert drawn(edges_of((it for it in told if it[0] in dict(first)), Catalog([]))) == SEED


async def test_the_seeds_transfer_from_an_account_is_told_what_else_it_needs(
    teller: AgentVoice,
) -> None:
    call = await teller.propose("transfer_funds", {"from_account": CHECKING})
    told = await teller.hears(call, Status.REFUSED)

    assert told.code == "missing_arguments"
    assert "`amount` is missing, `to_account` is missing" in told.reason


async def test_an_agent_is_offered_its_own_tools_only(road: Road, teller: AgentVoice) -> None:
    arguments = {"account_id": CHECKING}
    whole = await teller.hears(await teller.propose("get_account_balances", arguments), *DECIDED)
    assert {it.tool for it in whole.available_actions} > {"get_transactions", "transfer_funds"}

    url = road.login("agent_observer").url
    async with Holdpoint.connect("observer", road.settings, url=url) as hp:
        for _ in range(3):  # the first by the gate, later ones heard from the worker
            told = await hp.call("get_account_balances", arguments)
            assert [it.tool for it in told.available_actions] == ["get_transactions"]


@pytest.mark.parametrize(
    ("alias", "name", "arguments"),
    [
        ("get_account_details", "bank_accounts_get_account_details", {"account_id": CHECKING}),
        ("transfer_funds", "bank_transfers_transfer_funds", TRANSFER),
    ],
)
async def test_aliases_resolve_before_anything_else(
    teller: AgentVoice, alias: str, name: str, arguments: dict[str, Any]
) -> None:
    key = fresh("key")
    first = await teller.hears(await teller.propose(alias, arguments, key=key), *DECIDED)
    again = await teller.hears(await teller.propose(name, arguments, key=key), *DECIDED)

    assert again.hold_id == first.hold_id
    assert again.call_digest == first.call_digest


@pytest.mark.parametrize(
    ("spanish", "domain", "count"),
    [
        ("cuentas", "accounts", 7),
        ("transferencias", "transfers", 5),
        ("inversiones", "investments", 4),
        ("soporte", "support", 2),
    ],
)
async def test_a_domain_is_found_by_its_spanish_name(
    teller: AgentVoice, spanish: str, domain: str, count: int
) -> None:
    subject = s.ask_tools_subject(TENANT, teller.name)
    question = encode(AskTools(domain=spanish, max_tier=5))
    told = decode((await teller.client.request(subject, question, timeout=5)).data, ToolsAnswer)

    assert {tool.domain for tool in told.tools} == {domain}
    assert len(told.tools) == count
    assert all(tool.name.startswith(f"bank_{domain}_") for tool in told.tools)


async def found(teller: AgentVoice, **wanted: Any) -> tuple[ToolDefinition, ...]:
    subject = s.ask_tools_subject(TENANT, teller.name)
    question = encode(AskTools(max_tier=5, limit=100, **wanted))
    return decode(
        (await teller.client.request(subject, question, timeout=5)).data, ToolsAnswer
    ).tools


async def test_bounded_contexts_are_found_and_registered_flat_or_isolated(
    teller: AgentVoice,
) -> None:
    contexts = {name: load_domain(Settings(), name).TOOLS for name in BANK_DOMAINS}
    isolated = create_agent(subagents=[{"name": it, "tools": contexts[it]} for it in contexts])

    for context in isolated.subagents:
        tools = await found(teller, domain=context.name)
        assert {it.name for it in tools} == {it.name for it in context.tools}
        assert 0 < len(tools) <= 10
    flat = create_agent(tools=[run for tools in contexts.values() for run in tools])
    whole = await found(teller)
    assert {it.name for it in whole if it.domain in contexts} == {it.name for it in flat.tools}


async def test_parity_each_covered_action_of_the_seed_is_a_tool_that_agents_find(
    teller: AgentVoice,
) -> None:
    tools = {alias for it in await found(teller) for alias in (it.name, *it.aliases)}
    actions = load_parity(CONFIG / "parity" / "bank.yaml")

    missing = [it.action for it in actions if it.tool not in tools]
    assert missing == ["Change password"]
    assert len(actions) == 9


async def test_five_operation_levels_each_asks_what_its_level_asks(
    road: Road, teller: AgentVoice
) -> None:
    everything = {
        "amount": usd("3100.00"), "from_account": OTHERS, "recipient_account": CHECKING,
        "recipient_name": "Ann",
    }  # fmt: skip
    ticket = {"customer_id": "CUS-1002", "subject": "Close it"}
    quiet: dict[str, dict[str, Any]] = {
        "get_account_balances": {"account_id": OTHERS},
        "create_support_ticket": ticket,
    }
    for tool, arguments in quiet.items():
        told = await teller.hears(await teller.propose(tool, arguments), *DECIDED)
        assert (told.status, told.asked) == (Status.DONE, False)

    async with AsyncExitStack() as stack:
        ann = await Guests(road=road, stack=stack).person("ann")
        for level, tool, arguments in (
            (3, "rename_account", {"account_id": OTHERS, "name": "Rent"}),
            (4, "transfer_to_third_party", everything),
            (5, "close_account", {"account_id": OTHERS}),
        ):
            call = await teller.propose(tool, arguments)
            card = await ann.card((await teller.pending(call)).hold_id)
            assert card.level == level
            await ann.proceed(card)
            assert (await teller.hears(call, Status.DONE)).status is Status.DONE


async def test_fifty_transfers_balance_the_books_and_run_each_key_once(road: Road) -> None:
    outcomes: dict[str, Outcome] = {}
    async with AsyncExitStack() as stack, Holdpoint.connect("teller", road.settings) as hp:
        ann = await Guests(road=road, stack=stack).person("ann")
        await pay_there_and_back(hp, ann, outcomes, 50)

    assert len(outcomes) == 50
    assert all(it.ok for it in outcomes.values())
    check_books(road, outcomes)
