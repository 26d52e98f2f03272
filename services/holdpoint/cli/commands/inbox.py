"""`holdpoint inbox` and `holdpoint watch`: what waits for a person, as it changes."""

import asyncio
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Annotated, Any

import typer
from rich.text import Text

from holdpoint.cli import answering, output
from holdpoint.cli.cards import read_cards
from holdpoint.cli.live_cards import live_cards
from holdpoint.cli.output import CommandError, ExitCode
from holdpoint.cli.session import AsOption, JsonOption, begun, person_of
from holdpoint.cli.terminal import NoTerminalError, opened
from holdpoint.cli.views import card_view
from holdpoint.console.status_labels import is_answerable
from holdpoint.messages.card import Card
from holdpoint.messages.catalog import Person, audiences
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process import clock

MISSING = "The inbox needs textual, which is not installed: pip install 'holdpoint[terminal]'"
RUN_S = 30.0
"""Time that a run is waited for after a yes."""


def inbox(*, as_person: AsOption = "", as_json: JsonOption = False) -> None:
    """Show what waits for you, live; answer it with your password, and a code where it takes one.

    p begins a yes and c a no, for the card on the screen. It works over ssh, and without colour
    (NO_COLOR=1). With --json: what waits now, a card per line, and no screen.
    """
    settings = begun()
    person = person_of(settings, as_person)
    if as_json:
        output.emit(*filter(is_answerable, asyncio.run(read_cards(settings, person))))
        return
    if find_spec("textual") is None:
        raise CommandError(ExitCode.SETUP, "no_textual", MISSING)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise NoTerminalError("the inbox has no screen of its own")
    with opened() as tty:
        while (chosen := asyncio.run(_chosen(settings, person))) is not None:
            wish = answering.Wish(
                choice=chosen.choice, prefix=chosen.hold_id, reason="", wait_s=RUN_S
            )
            try:
                told = answering.answer(settings, person.name, wish).text
            except CommandError as error:
                told = error.text
            tty.show([Text(told)])
            tty.line("Enter goes back to the inbox. ")


def watch(
    *,
    number: Annotated[
        int, typer.Option(min=0, help="End after so many changes; 0 goes on until Ctrl-C.")
    ] = 0,
    as_person: AsOption = "",
    as_json: JsonOption = False,
) -> None:
    """Print every change of your groups' holds as it comes. With --json: a card per line."""
    settings = begun()
    person = person_of(settings, as_person)
    asyncio.run(_watch(settings, person, number, as_json=as_json))


async def _chosen(settings: Settings, person: Person) -> Any:
    """Show the screen until the person wants to answer or to leave."""
    screen = import_module("holdpoint.cli.inbox_screen").InboxScreen
    async with live_cards(settings, person) as board:
        return await screen(board, person, clock.now).run_async()


async def _watch(settings: Settings, person: Person, number: int, *, as_json: bool) -> None:
    told = 0
    async with live_cards(settings, person) as board:
        with board.watched() as changes:
            while not board.is_live:  # what was there before is no news
                await changes.bell.wait()
                changes.bell.clear()
            changes.taken()
            while True:
                await changes.bell.wait()
                for hold_id in sorted(changes.taken()):
                    card = board.card_for(audiences(person), hold_id)
                    if card is None:
                        continue
                    _tell(card, as_json=as_json)
                    told += 1
                    if told == number:
                        return


def _tell(card: Card, *, as_json: bool) -> None:
    if as_json:
        output.emit(card)
        return
    now = clock.now()
    output.say(f"{now:%H:%M:%S}")
    output.show(card_view.row(card, now, output.width()))


def mount(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(inbox)
    app.command()(watch)
