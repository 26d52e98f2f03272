"""The accounts' tools."""

from functools import partial

from holdpoint.core.tool import Result, Run, RunContext, tool
from holdpoint.domains.bank.accounts import changes, formatters, queries
from holdpoint.domains.bank.accounts.schemas import (
    FindAccount,
    ListAccounts,
    OfAccount,
    RenameAccount,
    SetBalanceAlert,
)
from holdpoint.domains.bank.naming import named
from holdpoint.domains.bank.operations import Change, read
from holdpoint.domains.bank.pending import presented
from holdpoint.messages.catalog import Repeat

DOMAIN = "accounts"
_ALERT = Change(
    name="set_balance_alert", state=changes.without_alert, work=changes.set_alert,
    told=formatters.alert_set,
)  # fmt: skip
_RENAME = Change(
    name="rename_account", state=changes.named, work=changes.rename, told=formatters.renamed
)
_CLOSE = Change(
    name="close_account", state=changes.empty, work=changes.close, told=formatters.closed
)


@tool(
    **named(DOMAIN, "get_account_balances"),
    level=1,
    template="balances of {account_id}",
    schema=OfAccount,
    repeat=Repeat.IDEMPOTENT,
)
async def get_account_balances(arguments: OfAccount, context: RunContext) -> Result:
    """Get the balance of an account and of the accounts linked to it."""
    return await read(arguments, context, queries.balances, formatters.balances)


@tool(
    **named(DOMAIN, "get_account_details"),
    level=1,
    template="details of {account_id}",
    schema=OfAccount,
    repeat=Repeat.IDEMPOTENT,
)
async def get_account_details(arguments: OfAccount, context: RunContext) -> Result:
    """Get an account's name, type, status, balance and alert."""
    return await read(arguments, context, queries.details, formatters.details)


@tool(
    **named(DOMAIN, "find_account"),
    level=1,
    template="find account {query}",
    schema=FindAccount,
    repeat=Repeat.IDEMPOTENT,
)
async def find_account(arguments: FindAccount, context: RunContext) -> Result:
    """Find accounts by a part of their name or id."""
    return await read(arguments, context, queries.found, formatters.listing)


@tool(
    **named(DOMAIN, "list_accounts"),
    level=2,
    template="list accounts",
    schema=ListAccounts,
    repeat=Repeat.IDEMPOTENT,
)
async def list_accounts(arguments: ListAccounts, context: RunContext) -> Result:
    """List the accounts of a customer, or of all, a page at a time."""
    return await read(arguments, context, queries.listed, formatters.listing)


@tool(
    **named(DOMAIN, "set_balance_alert"),
    level=2,
    template="set a balance alert on {account_id}",
    schema=SetBalanceAlert,
    repeat=Repeat.LOOKUP,
    lookup=_ALERT.lookup,
)
async def set_balance_alert(arguments: SetBalanceAlert, context: RunContext) -> Result:
    """Tell the customer when an account falls below an amount."""
    return await _ALERT.run(arguments, context)


@tool(
    **named(DOMAIN, "rename_account"),
    level=3,
    template="rename {account_id} to {name}",
    effect="renames an account",
    schema=RenameAccount,
    repeat=Repeat.LOOKUP,
    plan=_RENAME.plan,
    lookup=_RENAME.lookup,
    undo="Rename it back.",
)
async def rename_account(arguments: RenameAccount, context: RunContext) -> Result:
    """Give an account another name."""
    return await _RENAME.run(arguments, context)


@tool(
    **named(DOMAIN, "close_account"),
    level=5,
    template="close {account_id} for good",
    effect="closes an account",
    schema=OfAccount,
    repeat=Repeat.LOOKUP,
    plan=_CLOSE.plan,
    lookup=_CLOSE.lookup,
    pending=partial(
        presented, "close_account", "Close {account_name} ({account_id}) for good",
        "I'd like to close {account_name}. This cannot be undone. Shall I proceed?",
    ),
)  # fmt: skip
async def close_account(arguments: OfAccount, context: RunContext) -> Result:
    """Close an account for good; its balance must be zero."""
    return await _CLOSE.run(arguments, context)


TOOLS: tuple[Run, ...] = (
    get_account_balances, get_account_details, find_account, list_accounts, set_balance_alert,
    rename_account, close_account,
)  # fmt: skip
