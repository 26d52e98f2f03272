"""The support's tools."""

from typing import Any

from sqlalchemy import insert, select

from holdpoint.core.tool import Result, Run, RunContext, tool
from holdpoint.domains.bank.customer_records import living_customer
from holdpoint.domains.bank.errors import BankError
from holdpoint.domains.bank.naming import named
from holdpoint.domains.bank.operations import Change, Receipt, read
from holdpoint.domains.bank.store import Books
from holdpoint.domains.bank.support import formatters
from holdpoint.domains.bank.support.schemas import CreateSupportTicket, GetTicketStatus
from holdpoint.domains.bank.tables import tickets
from holdpoint.messages.base import JsonObject
from holdpoint.messages.catalog import Repeat

DOMAIN = "support"


async def _open(
    books: Books, it: CreateSupportTicket, _: JsonObject, receipt: Receipt
) -> JsonObject:
    ticket_id = receipt.id("TIC")
    await books.connection.execute(
        insert(tickets).values(
            ticket_id=ticket_id, customer_id=it.customer_id, subject=it.subject,
            description=it.description, opened_at=receipt.at,
        )
    )  # fmt: skip
    return {"ticket_id": ticket_id, "subject": it.subject, "status": "open"}


async def _status(books: Books, arguments: GetTicketStatus) -> dict[str, Any]:
    rows = await books.connection.execute(
        select(tickets.c.ticket_id, tickets.c.subject, tickets.c.status, tickets.c.opened_at).where(
            tickets.c.ticket_id == arguments.ticket_id
        )
    )
    row = rows.mappings().first()
    if row is None:
        raise BankError(f"There is no ticket {arguments.ticket_id}.")
    return dict(row)


_CREATE = Change(
    name="create_support_ticket", state=living_customer, work=_open, told=formatters.created
)


@tool(
    **named(DOMAIN, "create_support_ticket"),
    level=2,
    template="open a ticket: {subject}",
    schema=CreateSupportTicket,
    repeat=Repeat.LOOKUP,
    lookup=_CREATE.lookup,
)
async def create_support_ticket(arguments: CreateSupportTicket, context: RunContext) -> Result:
    """Open a support ticket for a customer."""
    return await _CREATE.run(arguments, context)


@tool(
    **named(DOMAIN, "get_ticket_status"),
    level=1,
    template="status of ticket {ticket_id}",
    schema=GetTicketStatus,
    repeat=Repeat.IDEMPOTENT,
)
async def get_ticket_status(arguments: GetTicketStatus, context: RunContext) -> Result:
    """Tell how a ticket stands."""
    return await read(arguments, context, _status, formatters.status)


TOOLS: tuple[Run, ...] = (create_support_ticket, get_ticket_status)
