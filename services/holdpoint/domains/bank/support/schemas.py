"""Arguments of the support's tools."""

from typing import Annotated

import msgspec

from holdpoint.domains.bank.schemas import CustomerId, Text

TicketId = Annotated[str, msgspec.Meta(pattern=r"^TIC-[A-Z0-9-]{3,60}$")]


class CreateSupportTicket(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A customer's request."""

    customer_id: CustomerId
    subject: Text
    description: Annotated[str, msgspec.Meta(max_length=4000)] = ""


class GetTicketStatus(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One ticket."""

    ticket_id: TicketId
