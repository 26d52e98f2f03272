"""One page's stream of server-sent events: everything at first, then each change as it comes.

A page that was away connects again and gets everything again, so it needs no memory of its own.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from typing import Any

import msgspec
from sse_starlette import ServerSentEvent

from holdpoint.console.card_store import Watch
from holdpoint.console.context import Console, Visitor
from holdpoint.console.inbox_view import EVERYTHING, RECENT, View, pager_of
from holdpoint.console.status_labels import has_ended, is_answerable, is_witnessed
from holdpoint.console.view_tracking import Turn
from holdpoint.messages.card import Card
from holdpoint.messages.catalog import audiences
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.process import clock

BEAT_S = 1.0
"""How often a page hears that it is live; one that hears nothing says so and disarms itself."""

BURST_S = 0.2
"""Time between two looks at what changed: a thousand holds at once take a few looks."""

SEND_S = 30.0
"""Time that a browser that sleeps may leave its stream unread."""


@dataclass(eq=False, kw_only=True)
class LivePage:
    """Events for one open page."""

    console: Console
    cookie: str
    hold_id: str
    """The only hold on the page; empty is the inbox."""

    view: View = EVERYTHING
    """Of the inbox: its filters and groups."""

    _was_live: bool = False
    _window: frozenset[str] = frozenset()
    """Holds that wait and have a place on the page."""

    _pager: str | None = None
    """As it was sent last."""

    _told: tuple[int, int] = (0, 0)
    """How far the ledger was when the page's story was sent."""

    async def events(self) -> AsyncIterator[ServerSentEvent]:
        """Until the session ends, newer pages need the place, or the browser goes."""
        visitor = self.console.known_by(self.cookie)
        if visitor is not None:
            with (
                self.console.board.watched() as watch,
                visitor.session.shown.turn(watch.bell) as turn,
            ):
                async for event in self._turn(watch, turn):
                    yield event
                if turn.is_over:
                    yield _event("paused", {})
                    return
        yield _event("bye", {})

    async def _turn(self, watch: Watch, turn: Turn) -> AsyncIterator[ServerSentEvent]:
        while not turn.is_over and (visitor := self.console.known_by(self.cookie)) is not None:
            for event in self._changes(visitor, watch.taken()):
                yield event
            async for event in self._story(visitor):
                yield event
            yield _event("beat", self._beat(visitor))
            await asyncio.sleep(BURST_S)
            await _rung(watch)

    def _changes(self, visitor: Visitor, changed: set[str]) -> Iterable[ServerSentEvent]:
        """Everything when the page has just come (back) to life, else what changed."""
        is_live = self.console.is_live
        if is_live and not self._was_live:
            yield _event("everything", {"cards": [*self._everything(visitor)]})
        elif is_live:
            before = self._window
            for card in self._cards(visitor, changed):
                yield _event("card", self._sent(visitor, card))
            if gone := before - self._window:
                yield _event("gone", {"ids": sorted(gone)})
        self._was_live = is_live
        yield from self._pages(visitor)

    def _everything(self, visitor: Visitor) -> Iterable[dict[str, Any]]:
        cards = self.console.board.cards_for(audiences(visitor.person))
        if self.hold_id:
            return [self._sent(visitor, it) for it in cards if it.hold_id == self.hold_id]
        window = self.view.window(cards)
        self._window = frozenset(card.hold_id for card in window)
        wanted = [card for card in cards if self.view.wants(card)]
        ended = [card for card in wanted if has_ended(card)][-RECENT:]
        witnessed = [card for card in wanted if is_witnessed(card)][-RECENT:]
        return [self._sent(visitor, card) for card in (*window, *ended, *witnessed)]

    def _cards(self, visitor: Visitor, changed: set[str]) -> Iterable[Card]:
        """Return cards that changed on the page, that moved up to it, and that ended last."""
        groups, board = audiences(visitor.person), self.console.board
        before, wanted = self._window, changed & {self.hold_id}
        if changed and not self.hold_id:
            window = self.view.window(board.cards_for(groups))
            self._window = frozenset(card.hold_id for card in window)
            wanted = changed | self._window - before
        cards = [it for name in sorted(wanted) if (it := board.card_for(groups, name)) is not None]
        if self.hold_id:
            return cards
        fitting = [card for card in cards if self.view.wants(card)]
        shown = [card for card in fitting if card.hold_id in before | self._window]
        others = [it for it in fitting if it not in shown and not is_answerable(it)]
        return (*shown, *sorted(others, key=lambda it: it.halted_at)[-RECENT:])

    def _pages(self, visitor: Visitor) -> Iterable[ServerSentEvent]:
        """The way to the other pages, whenever it is another one."""
        if self.hold_id:
            return
        cards = self.console.board.cards_for(audiences(visitor.person))
        values = {"view": self.view, "pager": pager_of(self.view, cards)}
        html = self.console.pages.piece("_pager", values)
        if html != self._pager:
            self._pager = html
            yield _event("pager", {"html": html})

    def _sent(self, visitor: Visitor, card: Card) -> dict[str, Any]:
        return {
            "id": card.hold_id,
            "open": is_answerable(card),
            "witnessed": is_witnessed(card),
            "order": self.view.order(card),
            "render": card.render_digest,
            "revision": card.revision,
            "html": self.console.pages.piece(
                "_card", {"face": self.console.show(visitor, card), "view": self.view}
            ),
        }

    def _beat(self, visitor: Visitor) -> dict[str, Any]:
        return {
            "live": self.console.is_live,
            "now": int(clock.now().timestamp() * 1000),
            "waiting": self.console.waiting(visitor.person),
            "called": self.console.called(visitor.person),
        }

    async def _story(self, visitor: Visitor) -> AsyncIterator[ServerSentEvent]:
        """The hold's story again, whenever the ledger has more of it."""
        if not self.hold_id:
            return
        archive = self.console.archive
        try:
            if await archive.card(visitor.person, self.hold_id) is None:
                return
            progress = await archive.progress(self.hold_id)
            if progress != self._told:
                values = {"story": await archive.story(self.hold_id)}
                yield _event("story", {"html": self.console.pages.piece("_story", values)})
                self._told = progress
        except UnavailableError:
            return


def _event(name: str, values: dict[str, Any]) -> ServerSentEvent:
    return ServerSentEvent(data=msgspec.json.encode(values).decode(), event=name)


async def _rung(watch: Watch) -> None:
    """Wait for a change, but no longer than until the next beat."""
    try:
        async with asyncio.timeout(BEAT_S):
            await watch.bell.wait()
    except TimeoutError:
        return
