"""Types that the bank's domains share."""

from typing import Annotated

import msgspec

AccountId = Annotated[str, msgspec.Meta(pattern=r"^ACC-[A-Z0-9]{3,24}$")]
CustomerId = Annotated[str, msgspec.Meta(pattern=r"^CUS-[A-Z0-9]{3,24}$")]
TransactionId = Annotated[str, msgspec.Meta(pattern=r"^TXN-[A-Z0-9-]{3,60}$")]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]
Day = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", description="a day", examples=["2026-11-29"]
    ),
]
Amount = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,2})?$",
        description="a decimal number",
        examples=["12.50"],
    ),
]
Currency = Annotated[
    str, msgspec.Meta(pattern=r"^[A-Z]{3}$", description="a currency", examples=["USD"])
]


class Money(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An exact amount: `{"value": 150.00, "currency": "USD"}`; the value may also be a string."""

    value: Amount
    currency: Currency


class PaginatedRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A page of a list: `limit` rows after the first `offset`."""

    limit: Annotated[int, msgspec.Meta(ge=1, le=100)] = 20
    offset: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 0
