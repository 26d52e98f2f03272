"""The transactions' tools."""

from holdpoint.core.tool import Result, Run, RunContext, tool
from holdpoint.domains.bank.naming import named
from holdpoint.domains.bank.operations import Change, read
from holdpoint.domains.bank.transactions import changes, formatters, queries
from holdpoint.domains.bank.transactions.schemas import (
    CategorizeTransaction,
    DisputeTransaction,
    ExportTransactions,
    GetTransactions,
    OfTransaction,
    SearchTransactions,
)
from holdpoint.messages.catalog import Repeat

DOMAIN = "transactions"
_CATEGORIZE = Change(
    name="categorize_transaction", state=changes.known, work=changes.categorize,
    told=formatters.categorized,
)  # fmt: skip
_DISPUTE = Change(
    name="dispute_transaction", state=changes.disputable, work=changes.dispute,
    told=formatters.disputed, summary=formatters.disputing,
)  # fmt: skip


@tool(
    **named(DOMAIN, "get_transactions"),
    level=1,
    template="transactions of {account_id}",
    schema=GetTransactions,
    repeat=Repeat.IDEMPOTENT,
)
async def get_transactions(arguments: GetTransactions, context: RunContext) -> Result:
    """Get the newest transactions of an account."""
    return await read(arguments, context, queries.newest, formatters.listing)


@tool(
    **named(DOMAIN, "get_transaction_details"),
    level=1,
    template="details of {transaction_id}",
    schema=OfTransaction,
    repeat=Repeat.IDEMPOTENT,
)
async def get_transaction_details(arguments: OfTransaction, context: RunContext) -> Result:
    """Get everything about one transaction."""
    return await read(arguments, context, queries.details, formatters.details)


@tool(
    **named(DOMAIN, "search_transactions"),
    level=1,
    template="search transactions of {account_id}",
    schema=SearchTransactions,
    repeat=Repeat.IDEMPOTENT,
)
async def search_transactions(arguments: SearchTransactions, context: RunContext) -> Result:
    """Search an account's transactions by text and day."""
    return await read(arguments, context, queries.matching, formatters.listing)


@tool(
    **named(DOMAIN, "export_transactions"),
    level=1,
    template="export transactions of {account_id}",
    schema=ExportTransactions,
    repeat=Repeat.IDEMPOTENT,
)
async def export_transactions(arguments: ExportTransactions, context: RunContext) -> Result:
    """Get an account's statement between two days as CSV."""
    return await read(arguments, context, queries.statement, formatters.exported)


@tool(
    **named(DOMAIN, "categorize_transaction"),
    level=3,
    template="categorize {transaction_id} as {category}",
    effect="changes how a transaction is counted",
    schema=CategorizeTransaction,
    repeat=Repeat.LOOKUP,
    plan=_CATEGORIZE.plan,
    lookup=_CATEGORIZE.lookup,
    undo="Give it its old category again.",
)
async def categorize_transaction(arguments: CategorizeTransaction, context: RunContext) -> Result:
    """Put a transaction into a category."""
    return await _CATEGORIZE.run(arguments, context)


@tool(
    **named(DOMAIN, "dispute_transaction"),
    level=3,
    template="dispute {transaction_id}: {reason}",
    effect="asks the shop that charged the money to pay it back",
    schema=DisputeTransaction,
    repeat=Repeat.LOOKUP,
    plan=_DISPUTE.plan,
    lookup=_DISPUTE.lookup,
)
async def dispute_transaction(arguments: DisputeTransaction, context: RunContext) -> Result:
    """Object to a charge."""
    return await _DISPUTE.run(arguments, context)


TOOLS: tuple[Run, ...] = (
    get_transactions, get_transaction_details, search_transactions, export_transactions,
    categorize_transaction, dispute_transaction,
)  # fmt: skip
