"""Targets of notices: a mail server, and receivers of signed webhooks."""

import asyncio
import smtplib
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Protocol

import msgspec

from holdpoint.api.webhooks import post
from holdpoint.notices.notice import Notice, mail_of
from holdpoint.runtime.config.channel_files import MailEntry
from holdpoint.runtime.errors import HoldpointError, UnavailableError
from holdpoint.runtime.process import clock

WITHIN_S = 10.0
FOR_GOOD = 500
"""A mail server's codes from here on: trying again changes nothing."""


class RefusedError(HoldpointError):
    """The receiver will never take this notice."""


class Target(Protocol):
    """A place that one group's notices go to."""

    @property
    def name(self) -> str:
        """Return what its notices are remembered by."""
        ...

    @property
    def group(self) -> str:
        """Return whose notices go there."""
        ...

    async def send(self, notice: Notice) -> None:
        """Send it; UnavailableError where it may be tried again, RefusedError where not."""
        ...


@dataclass(frozen=True, kw_only=True)
class Mail:
    """The addresses of one group."""

    group: str
    entry: MailEntry
    password: Callable[[], str] = field(repr=False)

    @property
    def name(self) -> str:
        """Return what its notices are remembered by."""
        return f"email.{self.group}"

    async def send(self, notice: Notice) -> None:
        """Hand the e-mail to the server."""
        await asyncio.to_thread(self._send, mail_of(notice, self.entry, clock.now()))

    def _send(self, mail: EmailMessage) -> None:
        try:
            with self._connected() as server:
                server.send_message(mail)
        except smtplib.SMTPResponseException as error:
            text = f"The mail server answers {error.smtp_code}."
            kind = RefusedError if error.smtp_code >= FOR_GOOD else UnavailableError
            raise kind(text) from None
        except smtplib.SMTPRecipientsRefused as error:
            codes = [code for code, _ in error.recipients.values()]
            text = f"The mail server takes none of the addresses of {self.group}."
            kind = RefusedError if min(codes, default=0) >= FOR_GOOD else UnavailableError
            raise kind(text) from None
        except (smtplib.SMTPException, OSError) as error:
            text = f"The mail server does not answer: {type(error).__name__}"
            raise UnavailableError(text) from None

    def _connected(self) -> smtplib.SMTP:
        entry, safe = self.entry, ssl.create_default_context()
        if entry.security == "tls":
            server: smtplib.SMTP = smtplib.SMTP_SSL(
                entry.host, entry.port, timeout=WITHIN_S, context=safe
            )
        else:
            server = smtplib.SMTP(entry.host, entry.port, timeout=WITHIN_S)
        if entry.security == "starttls":
            server.starttls(context=safe)
        if entry.user:
            server.login(entry.user, self.password())
        return server


@dataclass(frozen=True, kw_only=True)
class Webhook:
    """The receiver of one group."""

    group: str
    url: str
    secret: bytes = field(repr=False)

    @property
    def name(self) -> str:
        """Return what its notices are remembered by."""
        return f"webhook.{self.group}"

    async def send(self, notice: Notice) -> None:
        """Post it, signed over this very body and the time."""
        body = msgspec.json.encode(notice)
        await asyncio.to_thread(post, self.url, self.secret, body, self.group)
