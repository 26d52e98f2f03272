"""One notice: which group is waited for, and where to look; nothing that an agent wrote."""

from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime

from holdpoint.console.status_labels import is_open
from holdpoint.messages.base import Value
from holdpoint.messages.card import Card
from holdpoint.messages.risk import RiskLevel
from holdpoint.runtime.config.channel_files import MailEntry

KIND = "person.waited_for"


class Notice(Value, frozen=True, kw_only=True):
    """Content of a notice; a webhook's body is just this."""

    id: str
    """The same notice, told again, has the same id."""

    type: str
    created: datetime
    tenant: str
    group: str
    hold_id: str
    agent: str
    risk_level: RiskLevel
    expires_at: datetime | None = None
    link: str = ""
    """Where a person reads the card and answers it."""


def notice_of(card: Card, link: str, now: datetime) -> Notice | None:
    """Return what is to be told of a card; None where nobody is waited for."""
    called = card.called_at or card.halted_at
    if not is_open(card) or called > now:
        return None
    return Notice(
        id=f"{card.hold_id}.{card.group}.{int(called.timestamp())}",
        type=KIND,
        created=called,
        tenant=card.tenant,
        group=card.group,
        hold_id=card.hold_id,
        agent=card.agent,
        risk_level=card.ui.risk_level,
        expires_at=card.expires_at,
        link=link,
    )


def mail_of(notice: Notice, entry: MailEntry, now: datetime) -> EmailMessage:
    """Return the e-mail: plain text, and the gate's words only."""
    mail = EmailMessage()
    mail["From"] = entry.sender
    mail["To"] = ", ".join(entry.groups[notice.group])
    risk = notice.risk_level.value
    mail["Subject"] = f"Holdpoint: an action waits for {notice.group} ({risk} risk)"
    mail["Date"] = format_datetime(now)
    mail["Message-ID"] = f"<{notice.id}@{entry.sender.rpartition('@')[2]}>"
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content("\n\n".join((*_lines(notice), "This message cannot be answered.")) + "\n")
    return mail


def _lines(notice: Notice) -> tuple[str, ...]:
    ends = f" It ends at {notice.expires_at:%Y-%m-%d %H:%M} UTC." if notice.expires_at else ""
    where = notice.link or f"On a terminal: holdpoint show {notice.hold_id}"
    return (
        f"The agent {notice.agent} wants to act, and nothing runs without a yes.{ends}",
        f"Read the card and answer it there: {where}" if notice.link else where,
    )
