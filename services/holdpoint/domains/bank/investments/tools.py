"""The investments' tools."""

from functools import partial

from holdpoint.core.tool import Result, Run, RunContext, tool
from holdpoint.domains.bank.investments import changes, formatters
from holdpoint.domains.bank.investments.schemas import (
    CreateInvestment,
    GetInvestments,
    SimulateInvestment,
    TerminateContract,
)
from holdpoint.domains.bank.naming import named
from holdpoint.domains.bank.operations import Change, read
from holdpoint.domains.bank.pending import presented
from holdpoint.messages.catalog import Repeat

DOMAIN = "investments"
_CREATE = Change(
    name="create_investment", state=changes.affordable, work=changes.create,
    told=formatters.created,
)  # fmt: skip
_TERMINATE = Change(
    name="terminate_contract", state=changes.active, work=changes.terminate,
    told=formatters.terminated,
)  # fmt: skip


@tool(
    **named(DOMAIN, "get_investments"),
    level=1,
    template="investments of {customer_id}",
    schema=GetInvestments,
    repeat=Repeat.IDEMPOTENT,
)
async def get_investments(arguments: GetInvestments, context: RunContext) -> Result:
    """Get a customer's investment contracts."""
    return await read(arguments, context, changes.of_customer, formatters.listing)


@tool(
    **named(DOMAIN, "simulate_investment"),
    level=1,
    template="simulate {amount} for {term_months} months",
    schema=SimulateInvestment,
    repeat=Repeat.IDEMPOTENT,
)
async def simulate_investment(arguments: SimulateInvestment, context: RunContext) -> Result:
    """Tell what an investment would earn, without making it."""
    return await read(arguments, context, changes.simulated, formatters.simulated)


@tool(
    **named(DOMAIN, "create_investment"),
    level=4,
    template="invest {amount} from {from_account} for {term_months} months",
    effect="invests money for a fixed term",
    schema=CreateInvestment,
    repeat=Repeat.LOOKUP,
    plan=_CREATE.plan,
    lookup=_CREATE.lookup,
    pending=formatters.pending_investment,
)
async def create_investment(arguments: CreateInvestment, context: RunContext) -> Result:
    """Invest an amount from an account for a number of months."""
    return await _CREATE.run(arguments, context)


@tool(
    **named(DOMAIN, "terminate_contract"),
    level=5,
    template="terminate {contract_id} for good",
    effect="ends an investment early, at a penalty",
    schema=TerminateContract,
    repeat=Repeat.LOOKUP,
    plan=_TERMINATE.plan,
    lookup=_TERMINATE.lookup,
    pending=partial(
        presented, "terminate_contract",
        "Terminate {contract_id}: {principal} {currency} less {penalty} penalty to {account_name}",
        "I'd like to terminate {contract_id}. {principal} {currency} less a penalty of {penalty} "
        "would go to {account_name}, and this cannot be undone. Shall I proceed?",
    ),
)  # fmt: skip
async def terminate_contract(arguments: TerminateContract, context: RunContext) -> Result:
    """Terminate an investment contract for good; the principal comes back less a penalty."""
    return await _TERMINATE.run(arguments, context)


TOOLS: tuple[Run, ...] = (
    get_investments, simulate_investment, create_investment, terminate_contract,
)  # fmt: skip
