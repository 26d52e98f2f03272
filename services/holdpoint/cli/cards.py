"""Cards as a person's terminal reads them: the last one of each hold that their groups may see."""

import asyncio
import fcntl
import os
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

import msgspec
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.errors import TimeoutError as NatsTimeoutError

from holdpoint.cli.hold_names import check_length, the_only
from holdpoint.cli.output import CommandError, ExitCode, warn
from holdpoint.cli.session import ask_api, check_state, connected
from holdpoint.messages.card import Card
from holdpoint.messages.catalog import Person
from holdpoint.messages.codec import UnreadableError, message_in
from holdpoint.messages.subjects import CARDS, stream
from holdpoint.runtime.broker.connection import Login, login
from holdpoint.runtime.broker.nats_errors import in_words
from holdpoint.runtime.broker.streams import view_durable
from holdpoint.runtime.config import files
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.credentials import view_user

BATCH = 500
SEE = "holdpoint pending (what was halted just now is shown there within half a minute)"
"""Lists the ids of cards."""

ATTEMPTS = 5
"""Against readers on other machines, which no lock of ours keeps away."""

LOCK_S = 30.0
PAUSE_S = 0.02
BATCH_S = 2.0
"""A pull gets no answer at all when another reader moves the consumer meanwhile."""


async def read_cards(settings: Settings, person: Person) -> tuple[Card, ...]:
    """Every card of the person's groups as it stands, oldest first; one for each hold."""
    if not person.groups:
        text = f"{person.name} is in no group, so nobody asks them: see people.yaml."
        raise CommandError(ExitCode.SETUP, "no_groups", text)
    check_state(settings)
    who = login(settings, view_user(person.name))
    lock = settings.credentials_dir / f"{who.user}.lock"
    async with connected(settings, who) as client, _alone(lock):
        for _ in range(ATTEMPTS):
            found = await _read(client, who, settings.tenant, person.name)
            if found is not None:
                return _newest(found)
    raise UnavailableError(f"Another machine reads the cards of {person.name} all the time.")


def is_over(card: Card, now: datetime) -> bool:
    """Return whether its deadline has passed."""
    return card.expires_at is not None and card.expires_at <= now


def named(cards: Iterable[Card], prefix: str) -> Card:
    """The one card whose id begins so."""
    check_length(prefix, SEE)
    fitting = {card.hold_id: card for card in cards if card.hold_id.startswith(prefix.lower())}
    return fitting[the_only(tuple(fitting), prefix.lower(), SEE)]


@asynccontextmanager
async def _alone(path: Path) -> AsyncIterator[None]:
    """One reader at a time on this machine: a consumer has one place, and each reader moves it."""
    with open(path, "wb", opener=_private) as lock:  # noqa: ASYNC230  # its owner alone
        deadline = clock.monotonic() + LOCK_S
        while not _locked(lock):
            if clock.monotonic() > deadline:
                raise UnavailableError("Another terminal holds the cards. Close it, or try again.")
            await asyncio.sleep(PAUSE_S)
        yield


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, files.PRIVATE)


def _locked(lock: BinaryIO) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


async def _read(client: Client, who: Login, tenant: str, person: str) -> list[Msg] | None:
    """Every card from the beginning; None when another reader of this consumer came between."""
    place = f"{stream(tenant, CARDS)}.{view_durable(person)}"
    begun = await ask_api(client, who, f"CONSUMER.RESET.{place}", {"seq": 1})
    pending, found = int(begun["num_pending"]), []
    while pending:
        batch = await _batch(client, who, place)
        found += batch
        if not batch or not _in_order(found, len(batch)):
            return None
        pending = batch[-1].metadata.num_pending
    return found


def _in_order(found: list[Msg], fresh: int) -> bool:
    """Return whether the consumer counted exactly what came here."""
    first = len(found) - fresh + 1
    numbers = [msg.metadata.sequence.consumer for msg in found[-fresh:]]
    return numbers == list(range(first, len(found) + 1))


async def _batch(client: Client, who: Login, place: str) -> list[Msg]:
    inbox = client.new_inbox()
    replies = await client.subscribe(inbox)
    request = msgspec.json.encode({"batch": BATCH, "no_wait": True})
    await client.publish(f"{who.api_prefix}.CONSUMER.MSG.NEXT.{place}", request, reply=inbox)
    found: list[Msg] = []
    try:
        while len(found) < BATCH:
            msg = await replies.next_msg(timeout=BATCH_S)
            if (msg.headers or {}).get("Status"):
                break
            found.append(msg)
    except NatsTimeoutError:
        return found
    except NatsError as error:
        raise UnavailableError(f"The cards stopped coming: {in_words(error)}") from error
    finally:
        await replies.unsubscribe()
    return found


def _newest(found: Iterable[Msg]) -> tuple[Card, ...]:
    cards: dict[str, Card] = {}
    for msg in found:
        card = _card(msg)
        if card is not None:
            cards.pop(card.hold_id, None)
            cards[card.hold_id] = card
    return tuple(sorted(cards.values(), key=lambda card: card.halted_at))


def _card(msg: Msg) -> Card | None:
    try:
        return message_in(msg.data, Card)
    except UnreadableError as error:
        warn(f"A card cannot be read and is left out ({msg.subject}): {error.text}")
        return None
