"""Several holds on the same action, answered at once: read once, one password, one answer each.

Only what a password alone confirms is answered together, and nothing critical. The gate judges each
answer like any other.
"""

import asyncio
from collections.abc import Sequence

import msgspec
from rich.text import Text

from holdpoint.cli import passwords, terminal
from holdpoint.cli.cards import named, read_cards
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.session import logged_in, person_of
from holdpoint.cli.views import card_view
from holdpoint.console.status_labels import is_open
from holdpoint.core.batch import separately
from holdpoint.messages import catalog
from holdpoint.messages.answer import Choice
from holdpoint.messages.card import Card
from holdpoint.messages.envelope import Envelope, Status
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process import clock


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """Result of one of the answers."""

    hold_id: str
    person: str
    counted: bool
    status: str
    code: str
    """Of a refusal; empty otherwise."""

    text: str


def confirm(
    settings: Settings, said: str, prefixes: Sequence[str], same_as: str
) -> tuple[Answered, ...]:
    """Show the action once, ask for the password, and say yes to each of its holds."""
    person = person_of(settings, said)
    if not catalog.may_answer(person):
        text = f"people.yaml does not make {person.name} an approver: cards are shown only."
        raise CommandError(ExitCode.FAILED, "not_an_approver", text)
    with terminal.opened() as tty:
        cards = _chosen(asyncio.run(read_cards(settings, person)), prefixes, same_as)
        since = clock.monotonic()
        shown = card_view.question(cards[0], clock.now(), tty.width)
        wanted = Text(f"You are about to PROCEED with {len(cards)} holds on this action:")
        tty.show_pages([*shown, wanted, *(Text(f"  {card.hold_id}") for card in cards)])
        seed = passwords.unlocked(tty, settings, person.name)
    seconds = round(clock.monotonic() - since, 3)
    return asyncio.run(_answered(settings, (person.name, seed), cards, seconds))


def _chosen(every: Sequence[Card], prefixes: Sequence[str], same_as: str) -> list[Card]:
    """The cards that are named, or every open one on the same action; CommandError otherwise."""
    if bool(prefixes) == bool(same_as):
        text = "Name the holds, or one of them with --same-as."
        raise CommandError(ExitCode.USAGE, "bad_option", text)
    if same_as:
        first = named(every, same_as)
        alike = [card for card in every if is_open(card) and not separately([first, card])]
        cards = [first, *(card for card in alike if card.hold_id != first.hold_id)]
    else:
        cards = list({it.hold_id: it for it in (named(every, each) for each in prefixes)}.values())
    if closed := [card.hold_id for card in cards if not is_open(card)]:
        text = f"Closed already: {', '.join(closed)}. Nothing was answered."
        raise CommandError(ExitCode.FAILED, "already_closed", text)
    if why := separately(cards):
        raise CommandError(ExitCode.FAILED, "not_together", f"{why} Nothing was answered.")
    return cards


async def _answered(
    settings: Settings, who: tuple[str, str], cards: Sequence[Card], seconds: float
) -> tuple[Answered, ...]:
    async with logged_in(settings, *who) as person:
        told = [await person.answer(it, Choice.PROCEED, "", seconds) for it in cards]
    return tuple(_made(card, who[0], envelope) for card, envelope in zip(cards, told, strict=True))


def _made(card: Card, person: str, told: Envelope) -> Answered:
    counted = told.status not in {Status.REFUSED, Status.WAITING}
    how = "Your yes counts." if counted else "It did not count yet: no gate has said so."
    if told.status is Status.REFUSED:
        how = f"It did not count ({told.code}): {told.reason}"
    return Answered(
        hold_id=card.hold_id,
        person=person,
        counted=counted,
        status=told.status.value,
        code=told.code,
        text=f"{card.hold_id}: {how}",
    )
