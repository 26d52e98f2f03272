"""Messages that show each card in its group's channel or to its delegate, and change with it.

Slack may be away or slow for as long as it likes: what is to be shown waits.
"""

import asyncio
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import msgspec
import structlog
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from holdpoint.console.card_store import Board, Watch
from holdpoint.console.people import People
from holdpoint.console.status_labels import is_answerable
from holdpoint.messages.card import Card
from holdpoint.messages.catalog import own_audience
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process import clock
from holdpoint.slack.cards import Place, blocks_of, fallback
from holdpoint.slack.errors import AWAY, asked_to_wait_s, said
from holdpoint.slack.messages import Messages, Posted

log = structlog.get_logger(__name__)

FIRST_PAUSE_S, LONGEST_PAUSE_S, MOST_PATIENT_S = 0.5, 60.0, 600.0
HOPELESS = frozenset(
    {
        "account_inactive",
        "cant_update_message",
        "cannot_dm_bot",
        "channel_not_found",
        "invalid_auth",
        "invalid_blocks",
        "is_archived",
        "message_not_found",
        "messages_tab_disabled",
        "missing_scope",
        "not_authed",
        "not_in_channel",
        "token_revoked",
        "user_disabled",
        "user_not_found",
    }
)
"""Errors that go away only when somebody changes something."""


@dataclass(eq=False, kw_only=True)
class Poster:
    """Slack's messages, kept as the cards are."""

    settings: Settings
    channels: Mapping[str, str]
    client: AsyncWebClient
    board: Board
    people: People
    messages: Messages
    problem: str = ""
    _waiting: set[str] = field(default_factory=set)

    async def run(self) -> None:
        """Show what is new until cancelled."""
        with self.board.watched() as watch:
            self._waiting |= {card.hold_id for card in self.board.cards_for(self._channels())}
            while True:
                await self._heard(watch)
                while self._waiting and self.board.is_live:
                    await self._show_everywhere(self._waiting.pop())
                    self._waiting |= watch.taken()

    def _channels(self) -> Mapping[str, str]:
        """Where each audience is asked: groups in channels, and delegates in direct messages."""
        people = self.people.everybody()
        return {**self.channels, **{own_audience(it.name): it.slack for it in people if it.slack}}

    async def _heard(self, watch: Watch) -> None:
        """Wait until something is to be shown and is known to be the newest."""
        while not (self._waiting and self.board.is_live):
            await watch.bell.wait()
            self._waiting |= watch.taken()

    async def _show_everywhere(self, hold_id: str) -> None:
        for group in self._channels():
            await self._keep(hold_id, group)

    async def _keep(self, hold_id: str, group: str) -> None:
        """Show it, however often that takes; what Slack refuses for good is logged and left."""
        for pause_s in _pauses():
            card = self.board.card_for((group,), hold_id)
            if card is None:
                return
            try:
                await self._show(card)
            except SlackApiError as error:
                self._fails(f"Slack answers: {said(error)}")
                if said(error) in HOPELESS:
                    log.warning("slack_refuses", why=said(error), hold_id=hold_id)
                    return
                await asyncio.sleep(min(asked_to_wait_s(error) or pause_s, MOST_PATIENT_S))
            except AWAY as error:
                self._fails(f"Slack does not answer: {said(error)}")
                await asyncio.sleep(pause_s)
            else:
                self.problem = ""
                return

    async def _show(self, card: Card) -> None:
        link = self.settings.review_url(card.agent, card.hold_id)
        blocks, text = blocks_of(card, link, clock.now()), fallback(card)
        look = hashlib.sha256(msgspec.json.encode([blocks, text])).hexdigest()
        posted = self.messages.find(card.hold_id, card.group)
        if posted is None:
            if is_answerable(card):
                await self._post(card, text, blocks, look)
        elif posted.look != look:
            place = posted.place
            await self.client.chat_update(
                channel=place.channel, ts=place.ts, text=text, blocks=blocks
            )
            self.messages.put(card.hold_id, card.group, Posted(place=place, look=look))

    async def _post(
        self, card: Card, text: str, blocks: list[dict[str, object]], look: str
    ) -> None:
        told = await self.client.chat_postMessage(
            channel=self._channels()[card.group],
            text=text,
            blocks=blocks,
            parse="none",
            link_names=False,
            mrkdwn=False,
            unfurl_links=False,
            unfurl_media=False,
        )
        place = Place(channel=str(told["channel"]), ts=str(told["ts"]))
        self.messages.put(card.hold_id, card.group, Posted(place=place, look=look))

    def _fails(self, why: str) -> None:
        if why != self.problem:
            log.warning("slack_away", why=why)
        self.problem = why


def _pauses() -> Iterator[float]:
    pause_s = FIRST_PAUSE_S
    while True:
        yield pause_s
        pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
