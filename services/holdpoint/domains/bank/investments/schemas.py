"""Arguments of the investments' tools, and the products on offer."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Literal

import msgspec

from holdpoint.domains.bank.schemas import AccountId, CustomerId, Money

Term = Literal[3, 6, 12, 24, 36]
Product = Literal["fixed_term", "bond_fund"]
ContractId = Annotated[str, msgspec.Meta(pattern=r"^INV-[A-Z0-9-]{3,60}$")]
RATES: Mapping[str, Decimal] = {"fixed_term": Decimal("4.00"), "bond_fund": Decimal("3.10")}
"""Percent a year."""

PENALTY_PERCENT = 1
"""Of the principal, for a contract that is terminated."""


class GetInvestments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The contracts of one customer."""

    customer_id: CustomerId


class SimulateInvestment(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An amount, for so many months."""

    product: Product = "fixed_term"
    amount: Money
    term_months: Term


class CreateInvestment(SimulateInvestment, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An investment to be made from an account."""

    from_account: AccountId


class TerminateContract(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One contract."""

    contract_id: ContractId
