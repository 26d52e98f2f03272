"""The transfers' tools. `confirm_transfer` and `cancel_pending_operation` are the gate's own."""

from functools import partial

from holdpoint.core.tool import Result, Run, RunContext, tool
from holdpoint.domains.bank.naming import named
from holdpoint.domains.bank.operations import Change, read
from holdpoint.domains.bank.transfers import changes, conditions, formatters, queries
from holdpoint.domains.bank.transfers.schemas import (
    GetTransferStatus,
    PayCreditCard,
    ProcessRefund,
    TransferFunds,
    TransferToThirdParty,
)
from holdpoint.messages.catalog import Repeat

DOMAIN = "transfers"
_OWN = Change(
    name="transfer_funds", state=conditions.own, work=changes.transfer, told=formatters.transferred
)
_THIRD = Change(
    name="transfer_to_third_party", state=conditions.third_party, work=changes.pay_third_party,
    told=formatters.transferred,
)  # fmt: skip
_CARD = Change(
    name="pay_credit_card",
    state=conditions.card,
    work=changes.transfer,
    told=formatters.transferred,
)
_REFUND = Change(
    name="process_refund", state=conditions.refund, work=changes.refund, told=formatters.transferred
)


@tool(
    **named(DOMAIN, "transfer_funds"),
    level=4,
    template="transfer {amount} from {from_account} to {to_account}",
    schema=TransferFunds,
    repeat=Repeat.LOOKUP,
    plan=_OWN.plan,
    lookup=_OWN.lookup,
    pending=partial(formatters.pending_transfer, "transfer_funds"),
)
async def transfer_funds(arguments: TransferFunds, context: RunContext) -> Result:
    """Move money between two accounts of a customer."""
    return await _OWN.run(arguments, context)


@tool(
    **named(DOMAIN, "transfer_to_third_party"),
    level=4,
    template="transfer {amount} from {from_account} to {recipient_name} ({recipient_account})",
    schema=TransferToThirdParty,
    repeat=Repeat.LOOKUP,
    plan=_THIRD.plan,
    lookup=_THIRD.lookup,
    pending=partial(formatters.pending_transfer, "transfer_to_third_party"),
)
async def transfer_to_third_party(arguments: TransferToThirdParty, context: RunContext) -> Result:
    """Move money from an account to somebody else's, here or at another bank."""
    return await _THIRD.run(arguments, context)


@tool(
    **named(DOMAIN, "pay_credit_card"),
    level=4,
    template="pay {amount} from {from_account} to the card {card_account}",
    schema=PayCreditCard,
    repeat=Repeat.LOOKUP,
    plan=_CARD.plan,
    lookup=_CARD.lookup,
    pending=partial(formatters.pending_transfer, "pay_credit_card"),
)
async def pay_credit_card(arguments: PayCreditCard, context: RunContext) -> Result:
    """Pay what is owed on a credit card from an account of the same customer."""
    return await _CARD.run(arguments, context)


@tool(
    **named(DOMAIN, "process_refund"),
    level=4,
    template="refund {amount} of {transaction_id}",
    schema=ProcessRefund,
    repeat=Repeat.LOOKUP,
    plan=_REFUND.plan,
    lookup=_REFUND.lookup,
    pending=formatters.pending_refund,
)
async def process_refund(arguments: ProcessRefund, context: RunContext) -> Result:
    """Give a customer's payment back, whole or in part."""
    return await _REFUND.run(arguments, context)


@tool(
    **named(DOMAIN, "get_transfer_status"),
    level=1,
    template="status of transfer {transfer_id}",
    schema=GetTransferStatus,
    repeat=Repeat.IDEMPOTENT,
)
async def get_transfer_status(arguments: GetTransferStatus, context: RunContext) -> Result:
    """Tell whether a transfer was made, by its reference or by its confirmation's id."""
    return await read(arguments, context, queries.status, formatters.status)


TOOLS: tuple[Run, ...] = (
    transfer_funds, transfer_to_third_party, pay_credit_card, process_refund, get_transfer_status,
)  # fmt: skip
