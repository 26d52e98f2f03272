"""Arguments of the accounts' tools, and what they find."""

import msgspec

from holdpoint.domains.bank.ledger import Account
from holdpoint.domains.bank.schemas import AccountId, CustomerId, Money, PaginatedRequest, Text


class OfAccount(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One account."""

    account_id: AccountId


class FindAccount(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Part of an account's name, or of its id."""

    query: Text


class ListAccounts(PaginatedRequest, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The accounts of one customer, or all."""

    customer_id: CustomerId | None = None


class SetBalanceAlert(OfAccount, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The balance below which the customer is told; 100.00 where none is given."""

    threshold: Money | None = None


class RenameAccount(OfAccount, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The account's new name."""

    name: Text


class Balance(msgspec.Struct, frozen=True, kw_only=True):
    """One balance of an account: its own, or that of an account linked to it."""

    type: str
    available: int
    currency: str


class Balances(msgspec.Struct, frozen=True, kw_only=True):
    """An account with its balances, its own first."""

    account: Account
    balances: tuple[Balance, ...]
