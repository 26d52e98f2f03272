"""The support's results."""

from holdpoint.core.tool import Result
from holdpoint.domains.bank.results import action, done
from holdpoint.messages.base import JsonObject


def created(outcome: JsonObject) -> Result:
    """A ticket is open."""
    ticket_id, subject = outcome["ticket_id"], outcome["subject"]
    return done(
        outcome,
        f"Ticket {ticket_id}: {subject} ({outcome['status']}).",
        f"A ticket about {subject} is open.",
        f"I opened the ticket {ticket_id} about {subject}.",
        action("get_ticket_status", "View the ticket", "See how the ticket stands",
               {"ticket_id": ticket_id}),
    )  # fmt: skip


def status(found: JsonObject) -> Result:
    """Say how a ticket stands."""
    text = f"Ticket {found['ticket_id']}: {found['subject']} ({found['status']})."
    return done(found, text, f"The ticket about {found['subject']} is {found['status']}.", text)
