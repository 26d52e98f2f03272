"""Arguments of the transactions' tools, and what they find."""

from typing import Annotated, Literal

import msgspec

from holdpoint.domains.bank.ledger import Account
from holdpoint.domains.bank.schemas import AccountId, Day, PaginatedRequest, Text, TransactionId

Category = Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9_]{0,39}$")]


class GetTransactions(PaginatedRequest, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The newest transactions of an account."""

    account_id: AccountId


class OfTransaction(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One transaction."""

    transaction_id: TransactionId


class SearchTransactions(PaginatedRequest, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Transactions of an account whose text holds these words, between two days."""

    account_id: AccountId
    text: Annotated[str, msgspec.Meta(max_length=200)] = ""
    since: Day | None = None
    until: Day | None = None


class ExportTransactions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An account's statement between two days."""

    account_id: AccountId
    since: Day | None = None
    until: Day | None = None
    format: Literal["csv"] = "csv"


class CategorizeTransaction(OfTransaction, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The transaction's category."""

    category: Category


class DisputeTransaction(OfTransaction, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Why the customer does not accept it."""

    reason: Text


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A transaction as one account sees it."""

    transaction_id: str
    account_id: str
    kind: str
    description: str
    posted_at: str
    category: str
    dispute: str
    amount: int
    currency: str


class Lines(msgspec.Struct, frozen=True, kw_only=True):
    """Transactions of an account, newest first."""

    account: Account
    lines: tuple[Line, ...]
    more: bool = False
    since: str | None = None
    until: str | None = None
