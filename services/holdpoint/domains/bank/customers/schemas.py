"""Arguments of the customers' tools."""

from typing import Annotated, Literal

import msgspec

from holdpoint.domains.bank.schemas import CustomerId, Text

Email = Annotated[str, msgspec.Meta(pattern=r"^[^@\s\x00-\x1f]{1,64}@[A-Za-z0-9.-]{1,189}$")]
Phone = Annotated[str, msgspec.Meta(pattern=r"^[0-9+() -]{3,30}$")]
Topic = Literal["transactions", "security", "marketing"]
Channel = Literal["email", "sms", "push"]


class FindCustomer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Part of a customer's name, email or id."""

    query: Text


class OfCustomer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One customer."""

    customer_id: CustomerId


class AddContact(OfCustomer, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A contact whom the customer pays."""

    name: Text
    account: Annotated[str, msgspec.Meta(pattern=r"^[A-Z0-9-]{5,34}$")]


class ChangeShippingAddress(OfCustomer, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The new address."""

    address: Text


class UpdateProfile(OfCustomer, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Changes to a profile; what is left out stays."""

    name: Text | None = None
    email: Email | None = None
    phone: Phone | None = None


class UpdateNotificationPreferences(
    OfCustomer, frozen=True, kw_only=True, forbid_unknown_fields=True
):
    """Channels for each topic; an empty list switches a topic off."""

    preferences: Annotated[dict[Topic, list[Channel]], msgspec.Meta(min_length=1)]
