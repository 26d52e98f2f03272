"""Erasing and keeping bodies at this command line, by a person with the role or the daily run.

Each says it on ERASURES first, where it outlives the ledger and the broker knows who speaks.
"""

import asyncio
from dataclasses import dataclass

from rich.text import Text

from holdpoint.cli import output, passwords, terminal
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.session import connected, person_of
from holdpoint.ledger.own_events import Announce
from holdpoint.messages.catalog import Role, may_erase
from holdpoint.messages.codec import encode_event
from holdpoint.messages.erasure import RETENTION, WORDS, ErasureRefused
from holdpoint.messages.subjects import ERASURES, erasure_subject, stream
from holdpoint.runtime.broker.connection import Login, Requests, login
from holdpoint.runtime.config.registry import PEOPLE_FILE
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import HoldpointError, SetupError, UnavailableError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.credentials import ERASER, person_user

STORED_WITHIN_S = 5.0


@dataclass(frozen=True, kw_only=True)
class Eraser:
    """A person or the daily run that erases, and their way to say so on the bus."""

    by: str
    announce: Announce


def daily_run(settings: Settings) -> Eraser:
    """Return who erases by age each day, as a person with the role ordered once."""
    return Eraser(by=RETENTION, announce=_announcer(settings, login(settings, ERASER)))


def person_who_erases(settings: Settings, said: str, command: str) -> Eraser:
    """Show a person what they are about to do, and ask for their password.

    Who has no role for it is refused, and that they tried is recorded.
    """
    person = person_of(settings, said)
    with terminal.opened() as tty:
        for line in output.folded(f"{command}.", tty.width):
            tty.show([Text(line)])
        seed = passwords.unlocked(tty, settings, person.name)
    user = person_user(person.name)
    who = Login(user=user, seed=seed, url=settings.broker_url, ca=settings.broker_ca)
    if not may_erase(person):
        raise _refused(settings, who, person.name, command)
    return Eraser(by=person.name, announce=_announcer(settings, who))


def _refused(settings: Settings, who: Login, person: str, command: str) -> CommandError:
    place = settings.config_dir / PEOPLE_FILE
    why = f"{place} does not give {person} the role {Role.COMPLIANCE.value}"
    subject = erasure_subject(settings.tenant, WORDS[ErasureRefused], person)
    body = encode_event(
        ErasureRefused(by=person, command=command, reason=f"{why}."),
        event_id=clock.new_id(),
        source=f"holdpoint/{settings.tenant}",
        subject=subject,
        at=clock.now(),
        salt=clock.new_nonce(),
    )
    try:
        _announcer(settings, who)(subject, body)
        recorded = "The refusal is recorded."
    except HoldpointError as error:
        recorded = f"The refusal could not be recorded: {error}"
    text = f"{why}. Nothing is changed. {recorded}"
    return CommandError(ExitCode.FAILED, "not_compliance", text)


def _announcer(settings: Settings, who: Login) -> Announce:
    def announce(subject: str, body: bytes) -> None:
        asyncio.run(_store(settings, who, subject, body))

    return announce


async def _store(settings: Settings, who: Login, subject: str, body: bytes) -> None:
    try:
        async with asyncio.timeout(STORED_WITHIN_S), connected(settings, who) as client:
            await Requests(client, who).publish(subject, body, stream(settings.tenant, ERASURES))
    except SetupError as error:  # no ledger's fault
        raise UnavailableError(str(error)) from None
    except TimeoutError:
        if who.denials:
            text = f"the broker does not let {who.user} do it. Tell it: holdpoint provision"
            raise UnavailableError(text) from None
        raise UnavailableError("the broker did not say that it is stored.") from None
