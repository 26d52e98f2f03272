"""Arguments of the transfers' tools."""

from typing import Annotated

import msgspec

from holdpoint.domains.bank.schemas import AccountId, Money, Text, TransactionId

Recipient = Annotated[str, msgspec.Meta(pattern=r"^[A-Z0-9-]{5,34}$")]
Reference = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9-]{5,64}$")]


class TransferFunds(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An amount, between two accounts of one customer."""

    amount: Money
    from_account: AccountId
    to_account: AccountId


class TransferToThirdParty(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An amount, to somebody's account here (`ACC-…`) or at another bank."""

    amount: Money
    from_account: AccountId
    recipient_account: Recipient
    recipient_name: Text
    memo: Annotated[str, msgspec.Meta(max_length=140, pattern=r"^[^\x00-\x1f\x7f]*$")] = ""


class PayCreditCard(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An amount, from an account to a credit card of the same customer."""

    amount: Money
    from_account: AccountId
    card_account: AccountId


class ProcessRefund(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A payment to give back, whole or in part."""

    transaction_id: TransactionId
    amount: Money
    reason: Text


class GetTransferStatus(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A transfer, by its reference or by the id that its confirmation had."""

    transfer_id: Reference
