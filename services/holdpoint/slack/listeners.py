"""Slack's requests, each handled once: buttons, the form for a reason, and what people write.

Bolt has verified the signature and its time before anything here runs. A request that comes again
within that time is refused; an event that Slack sends again is acknowledged and left.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from uuid import NAMESPACE_URL, uuid5

import msgspec
import structlog
from slack_bolt.async_app import AsyncAck, AsyncApp, AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from holdpoint.coordinator.formatting import Channel, ResponseFormatter
from holdpoint.messages.answer import Choice
from holdpoint.runtime.config.channel_files import group_of
from holdpoint.runtime.process import clock
from holdpoint.runtime.store.lru_cache import Recent
from holdpoint.slack.answering import NOT_KNOWN, Answering, Pressed
from holdpoint.slack.cards import (
    CANCEL,
    OPEN,
    PROCEED,
    REASON,
    REASON_FIELD,
    REASON_MODAL,
    Asked,
    Place,
    Ref,
    note,
    reason_form,
)
from holdpoint.slack.errors import AWAY, said

log = structlog.get_logger(__name__)

Body: TypeAlias = Mapping[str, Any]

SIGNATURE = "x-slack-signature"
REPLAYED_WITHIN_S = 600.0
"""Twice the time within which Slack's signature is good, before and after its own time."""

PRESS = "Please press a button. What is typed here answers nothing."
TOO_SLOW = "Slack's form could not be opened, so nothing was cancelled. Press Cancel again."
ODD = "This button cannot be read, so nothing was answered. Answer it in the console."
MENTION = re.compile(r"<@[UW][A-Z0-9]+>")
_IS_ANSWER = re.compile(
    r"\W*(?:yes|y|yep|yeah|ok|okay|sure|go|proceed|approved?|confirm(?:ed)?|do it|go ahead|lgtm"
    r"|no|n|nope|cancel|stop|deny|denied|reject(?:ed)?|ja|nein)\W*",
    re.IGNORECASE,
).fullmatch


def is_answer(text: str) -> bool:
    """Return whether somebody types what looks like an answer to a card."""
    return _IS_ANSWER(text) is not None


@dataclass(eq=False, kw_only=True)
class Replays:
    """Signatures that were good once, for as long as they could be good again."""

    _seen: dict[str, float] = field(default_factory=dict)

    def is_again(self, signature: str, now: float) -> bool:
        """Return whether this signature came before; it is remembered."""
        self._seen = {it: at for it, at in self._seen.items() if now - at < REPLAYED_WITHIN_S}
        is_again = signature in self._seen
        self._seen.setdefault(signature, now)
        return is_again


@dataclass(eq=False, kw_only=True)
class Listeners:
    """Listeners of the Slack app."""

    answering: Answering
    channels: Mapping[str, str]
    client: AsyncWebClient
    _signatures: Replays = field(default_factory=Replays)
    _done: Recent[bool] = field(default_factory=Recent)
    """Ids of events and presses."""

    def wire(self, app: AsyncApp) -> None:
        """Hear everything that this app is told."""
        app.middleware(self.once)
        for action, listener in ((PROCEED, self.on_proceed), (CANCEL, self.on_cancel)):
            app.action(action)(listener)
        app.action(OPEN)(self.on_open)
        app.view(REASON_MODAL)(self.on_reason)
        app.event("message")(self.on_message)
        app.event("app_mention")(self.on_message)

    async def once(
        self, req: AsyncBoltRequest, next_: Callable[[], Awaitable[BoltResponse]]
    ) -> BoltResponse:
        """Refuse a signed request that came before: a recorded one counts no second time."""
        signature = _first_of(req.headers.get(SIGNATURE))
        if signature and self._signatures.is_again(signature, clock.monotonic()):
            log.warning("slack_replay_refused")
            return BoltResponse(status=401, body="This request came before.")
        return await next_()

    async def on_open(self, ack: AsyncAck) -> None:
        """Acknowledge a link."""
        await ack()

    async def on_proceed(self, ack: AsyncAck, body: Body) -> None:
        """Say yes."""
        await ack()
        pressed = _pressed(body, Choice.PROCEED)
        if self._is_first(body):
            await self._answered(pressed, body)

    async def on_cancel(self, ack: AsyncAck, body: Body) -> None:
        """Ask for the reason; a person who could not cancel is told so at once."""
        await ack()
        pressed = _pressed(body, Choice.CANCEL)
        if not self._is_first(body):
            return
        why = self.answering.why_not(pressed) if pressed else ODD
        if pressed is None or why:
            await self._tell(body, why)
            return
        form = reason_form(pressed.ref, pressed.place)
        try:
            await self.client.views_open(trigger_id=str(body.get("trigger_id", "")), view=form)
        except (SlackApiError, *AWAY) as error:
            log.warning("slack_form_unopened", why=said(error))
            await self._tell(body, TOO_SLOW)

    async def on_reason(self, ack: AsyncAck, body: Body) -> None:
        """Say no, with the reason that was typed."""
        await ack()
        view = body.get("view", {})
        try:
            asked = msgspec.json.decode(str(view.get("private_metadata", "")), type=Asked)
            reason = view["state"]["values"][REASON][REASON_FIELD].get("value") or ""
        except (msgspec.MsgspecError, KeyError, TypeError, AttributeError):
            log.warning("slack_form_unreadable")
            return
        team, user = _who(body)
        pressed = Pressed(
            team=team,
            user=user,
            ref=asked.ref,
            place=asked.place,
            choice=Choice.CANCEL,
            reason=str(reason),
        )
        if self._is_first(body):
            await self._answered(pressed, body)

    async def on_message(self, ack: AsyncAck, body: Body) -> None:
        """Hear what a person writes: no answer to a card, but perhaps a request."""
        await ack()
        event = body.get("event", {})
        written_by = str(event.get("user", ""))
        if event.get("bot_id") or event.get("subtype") or not written_by or self._again(body):
            return
        text = MENTION.sub("", str(event.get("text", ""))).strip()
        channel = str(event.get("channel", ""))
        to_us = event.get("type") == "app_mention" or event.get("channel_type") == "im"
        if is_answer(text) and (to_us or group_of(self.channels, channel)):
            await self._whisper(channel, written_by, PRESS)
        elif to_us and text:
            team = str(event.get("user_team") or event.get("team") or body.get("team_id", ""))
            await self._request(team, written_by, channel, (text, str(body.get("event_id", ""))))

    async def _request(self, team: str, user: str, channel: str, words: tuple[str, str]) -> None:
        person = self.answering.person(team, user)
        if person is None:
            await self._whisper(channel, user, NOT_KNOWN)
            return
        text, event_id = words
        request_id = str(uuid5(NAMESPACE_URL, f"slack:{event_id}"))
        response = await self.answering.request(person, text, request_id)
        blocks = ResponseFormatter().render(response, Channel.SLACK)
        await self._say(channel, blocks)

    async def _answered(self, pressed: Pressed | None, body: Body) -> None:
        told = await self.answering.answer(pressed) if pressed else ODD
        await self._tell(body, told, pressed)

    async def _tell(self, body: Body, text: str, pressed: Pressed | None = None) -> None:
        channel = pressed.place.channel if pressed else _place(body).channel
        await self._whisper(channel, _who(body)[1], text)

    async def _whisper(self, channel: str, user: str, text: str) -> None:
        try:
            await self.client.chat_postEphemeral(
                channel=channel, user=user, text=text, blocks=note(text)
            )
        except (SlackApiError, *AWAY) as error:
            log.warning("slack_untold", why=said(error))

    async def _say(self, channel: str, blocks: list[dict[str, Any]]) -> None:
        try:
            await self.client.chat_postMessage(
                channel=channel, text="An answer to your request.", blocks=blocks, parse="none"
            )
        except (SlackApiError, *AWAY) as error:
            log.warning("slack_untold", why=said(error))

    def _is_first(self, body: Body) -> bool:
        """Return whether this press is new: Slack may deliver one several times."""
        key = str(body.get("trigger_id", "")) or msgspec.json.encode(body).decode()
        return not self._seen(("press", str(body.get("type")), key))

    def _again(self, body: Body) -> bool:
        return self._seen(("event", body.get("event_id", "")))

    def _seen(self, key: tuple[object, ...]) -> bool:
        seen = key in self._done
        self._done.put(key, True)
        return seen


def _first_of(values: Any) -> str:
    """Return the first value of a header; empty where it is missing."""
    return str(values[0]) if values else ""


def _pressed(body: Body, choice: Choice) -> Pressed | None:
    """Return what was pressed; None where the button is none of ours."""
    actions = body.get("actions") or [{}]
    try:
        ref = msgspec.json.decode(str(actions[0].get("value", "")), type=Ref)
    except msgspec.MsgspecError:
        return None
    team, user = _who(body)
    return Pressed(team=team, user=user, ref=ref, place=_place(body), choice=choice)


def _who(body: Body) -> tuple[str, str]:
    """Return the workspace and the member: who is in a shared channel may be of another one."""
    user, team = body.get("user") or {}, body.get("team") or {}
    return str(user.get("team_id") or team.get("id") or ""), str(user.get("id") or "")


def _place(body: Body) -> Place:
    about = body.get("container") or {}
    return Place(channel=str(about.get("channel_id", "")), ts=str(about.get("message_ts", "")))
