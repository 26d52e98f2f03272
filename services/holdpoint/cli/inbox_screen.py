"""The inbox on a terminal: a live list, the card beside it, and two keys that begin an answer.

The screen answers nothing itself: it ends with what the person wants, and the answer is then given
as by `holdpoint proceed`, with the whole card, the password and the code on the plain terminal.
"""

import asyncio
import os
from collections.abc import Callable
from datetime import datetime
from typing import ClassVar

from msgspec import Struct
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from holdpoint.cli.views import card_view
from holdpoint.console.card_store import Board
from holdpoint.console.status_labels import cools_off, is_answerable, is_open, place
from holdpoint.messages.answer import Choice
from holdpoint.messages.card import Card
from holdpoint.messages.catalog import Person, audiences, may_answer

LIST_COLUMNS, CARD_COLUMNS, MARGIN = 46, 70, 6
WIDE = 120
"""Columns from which the card stands beside the list; below it, in a narrower terminal."""

TICK_S = 1.0
NOTHING = "Nothing waits for you."
NOT_LIVE = "The broker is not heard yet: what is listed may be old."
NO_APPROVER = "people.yaml does not make you an approver: you can look, not answer."


class Chosen(Struct, frozen=True, kw_only=True):
    """An answer that a person wants to give."""

    hold_id: str
    choice: Choice


class InboxScreen(App[Chosen]):
    """The list of what waits for one person."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #list { width: 50; border-right: solid $foreground; }
    .-narrow #panes { layout: vertical; }
    .-narrow #list { width: 100%; height: 1fr; }
    .-narrow #side { height: 2fr; }
    #card { padding: 0 1; }
    #state { dock: top; height: 1; }
    """
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]
    BINDINGS: ClassVar = [
        Binding("p", "answer('proceed')", "Proceed"),
        Binding("c", "answer('cancel')", "Cancel"),
        Binding("tab", "focus_next", "List / card"),
        Binding("q", "quit", "Quit"),
    ]

    def __init__(self, board: Board, person: Person, now: Callable[[], datetime]) -> None:
        plain = os.environ.get("NO_COLOR")
        super().__init__(ansi_color=True)
        if plain is not None:  # textual takes it out of the environment, and there is more to come
            os.environ["NO_COLOR"] = plain
        self._board, self._person, self._now = board, person, now
        self._shown: tuple[tuple[str, int, str], ...] = ()

    def compose(self) -> ComposeResult:
        """Lay out the list and the card."""
        yield Static(id="state", markup=False)
        with Horizontal(id="panes"):
            yield OptionList(id="list", markup=False)
            with VerticalScroll(id="side"):
                yield Static(id="card", markup=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Follow the board."""
        self.refresh_cards()
        self.set_interval(TICK_S, self.refresh_cards)
        self.run_worker(self._follow(), exclusive=True)

    async def _follow(self) -> None:
        with self._board.watched() as watch:
            while True:
                await watch.bell.wait()
                watch.taken()
                self.refresh_cards()
                await asyncio.sleep(0)

    def cards(self) -> list[Card]:
        """Return what waits for this person, the worst first."""
        every = self._board.cards_for(audiences(self._person))
        return sorted((it for it in every if is_answerable(it)), key=place)

    def refresh_cards(self) -> None:
        """Draw what changed; the card that is being read stays where it is."""
        cards, now = self.cards(), self._now()
        known = f"{len(cards)} waiting for {self._person.name}" if cards else NOTHING
        state = known if self._board.is_live else NOT_LIVE
        self.query_one("#state", Static).update(Text(state))
        drawn = tuple((it.hold_id, it.revision, card_view.standing(it, now)) for it in cards)
        if drawn == self._shown:
            return
        self._shown = drawn
        listed = self.query_one("#list", OptionList)
        at = self._chosen_id(listed)
        listed.clear_options()
        listed.add_options([Option(self._row(it, now), id=it.hold_id) for it in cards])
        places = {it.hold_id: index for index, it in enumerate(cards)}
        listed.highlighted = places.get(at, 0) if cards else None
        self._show_card()

    def on_resize(self) -> None:
        """Fold everything anew."""
        self._shown = ()
        self.refresh_cards()

    def on_option_list_option_highlighted(self, _: OptionList.OptionHighlighted) -> None:
        """Show the card of the line that the cursor is on."""
        self._show_card()

    def action_answer(self, word: str) -> None:
        """Leave the screen with the answer that the person wants to give."""
        card, choice = self._card(), Choice(word)
        if not may_answer(self._person):
            self.notify(NO_APPROVER, markup=False)
        elif card is not None and (is_open(card) or (choice is Choice.CANCEL and cools_off(card))):
            self.exit(Chosen(hold_id=card.hold_id, choice=choice))

    def _card(self) -> Card | None:
        chosen = self._chosen_id(self.query_one("#list", OptionList))
        return next((it for it in self.cards() if it.hold_id == chosen), None)

    def _chosen_id(self, listed: OptionList) -> str:
        at = listed.highlighted
        return str(listed.get_option_at_index(at).id) if at is not None else ""

    def _show_card(self) -> None:
        card = self._card()
        columns = min(self.size.width - MARGIN, CARD_COLUMNS)
        lines = card_view.whole(card, self._now(), columns) if card else (Text(""),)
        self.query_one("#card", Static).update(Text("\n").join(lines))

    def _row(self, card: Card, now: datetime) -> Text:
        columns = min(self.size.width - MARGIN, LIST_COLUMNS)
        return Text("\n").join(card_view.row(card, now, columns))
