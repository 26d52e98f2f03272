"""One answer: what the session saw, sent as the person, and what came of it in words.

The console has no say of its own. It opens the person's connection for this one answer, and the
broker and the gate judge it like any other.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from holdpoint.console.card_store import Board
from holdpoint.console.forms import Beside, beside_of
from holdpoint.console.sessions import Session, Sessions
from holdpoint.console.status_labels import LET_GO, Tone, is_open, standing
from holdpoint.console.view_tracking import Seen, is_armed
from holdpoint.core.batch import separately
from holdpoint.core.card_facts import (
    in_place_of,
    may_take_passkey,
    named_voices,
    takes_code,
    takes_passkey,
)
from holdpoint.core.typed_target import is_typed, to_type
from holdpoint.messages.answer import RECONCILING, Choice, Proof
from holdpoint.messages.base import Value
from holdpoint.messages.card import Card
from holdpoint.messages.envelope import Envelope, Status
from holdpoint.messages.hold import EndedBy, Outcome, Reason
from holdpoint.runtime.broker.connection import Login
from holdpoint.runtime.broker.person_connection import Person
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import (
    SetupError,
    UnavailableError,
    UnknownOutcomeError,
)
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.credentials import person_user
from holdpoint.runtime.security.one_time_codes import is_code

CHANNEL = "console"
DRAWN_WITHIN_S = 2.0
"""Within which a card says how its hold was closed; later than that, it is not named."""


class Pressed(Value, frozen=True, kw_only=True):
    """A button, and what was on the screen when it was pressed."""

    hold_id: str
    digest: str
    render_digest: str
    choice: Choice
    seconds_shown: float
    reason: str
    proof: Proof
    """The proof beyond the password."""

    page_half: str
    extend_s: int = 0
    beside: Mapping[str, Any] = {}
    """What was typed into the card's forms, under `change` or `remember`."""

    typed: str = ""
    """What a person typed who was asked for the target."""

    like: tuple[str, str] = ("", "")
    """Hold and drawing of the card that this one is answered together with."""


class Told(Value, frozen=True, kw_only=True):
    """Result of an answer, for the card."""

    tone: Tone
    text: str
    counted: bool = False
    at: tuple[str, ...] = ()
    """Besides an open card, the words of the standings that the text fits."""

    code: str = ""
    """Of a refusal, for the page."""

    after: str = ""
    """What is still true once the card has moved on."""

    who: str = ""
    """Names that stand for `{who}` in these texts."""

    @property
    def sentence(self) -> str:
        """The text with its names, for surfaces that translate nothing."""
        return self.text.replace("{who}", self.who)


@dataclass(frozen=True, kw_only=True)
class Answering:
    """Sends answers."""

    settings: Settings
    board: Board
    sessions: Sessions

    async def connect(self, person: str, seed: str, user: str = "") -> Person:
        """The person's own line: the broker knows them, or UnavailableError says why not."""
        who = Login(
            user=user or person_user(person),
            seed=seed,
            url=self.settings.broker_url,
            ca=self.settings.broker_ca,
        )
        return await Person.connect(person, self.settings.tenant, CHANNEL, who)

    async def answer(self, session: Session, groups: tuple[str, ...], pressed: Pressed) -> Told:
        """Send it, unless this session did not see just that card, or not for long enough."""
        seen = session.shown.seen(pressed.hold_id, pressed.render_digest)
        now = self.board.card_for(groups, pressed.hold_id)
        if seen is None or now is None or seen.card.digest != pressed.digest:
            return _refused("This card was not shown here. Look at it again.")
        if why := self._why_not(session, seen, now, pressed):
            return _refused(why)
        beside = beside_of(seen.card, pressed.choice, pressed.beside)
        if isinstance(beside, str):
            return _refused(beside)
        try:
            seed = session.seed(pressed.page_half)
        except SetupError:
            return _refused("This page was not logged in here. Log out, and log in again.")
        return await self._send(session, seed, seen, (pressed, beside))

    def _why_not(self, session: Session, seen: Seen, now: Card, pressed: Pressed) -> str:
        """Why the answer is not sent; empty when nothing here speaks against it."""
        if pressed.choice is not Choice.PROCEED:
            return ""
        why = self._not_yet(seen, now) or _untyped(now, pressed.typed)
        why = why or _unproven(now, pressed.proof)
        return why or _apart(session, now, pressed.like)

    def _not_yet(self, seen: Seen, now: Card) -> str:
        """Why a yes is too early; empty when it is not."""
        if not self.board.is_live:
            return "The console does not hear the broker right now, so the card may be old."
        if seen.card.render_digest != now.render_digest:
            return "The card has changed since you saw it. Read it again."
        if not is_armed(seen, clock.monotonic()):
            return "That was too quick: the card has to be on the screen for a second first."
        return ""

    async def _send(
        self, session: Session, seed: str, seen: Seen, said: tuple[Pressed, Beside]
    ) -> Told:
        """The session is looked at once more when all that took time is over."""
        pressed, beside = said
        most = clock.monotonic() - seen.at
        shown_s = round(min(max(pressed.seconds_shown, 0.0), most), 3)
        try:
            person = await self.connect(session.person, seed, session.user)
            try:
                if not self.sessions.is_good(session):
                    return ENDED
                envelope = await _said(person, seen.card, pressed, (shown_s, beside))
            finally:
                await person.close()
        except SetupError:
            return STRANGER
        except (UnavailableError, UnknownOutcomeError):
            return UNKNOWN
        now = await self._as_it_stands(envelope, seen.card)
        return told_of(envelope, seen.card, now, pressed.choice)

    async def _as_it_stands(self, envelope: Envelope, card: Card) -> Card:
        """Return the card now; of a hold that somebody else closed, the one that names them."""
        groups, was_closed = (card.group,), envelope.code == Reason.ALREADY_CLOSED.value
        with self.board.watched() as watch, suppress(TimeoutError):
            async with asyncio.timeout(DRAWN_WITHIN_S):
                while was_closed and is_open(self.board.card_for(groups, card.hold_id) or card):
                    await watch.bell.wait()
                    watch.taken()
        return self.board.card_for(groups, card.hold_id) or card


def told_of(envelope: Envelope, card: Card, now: Card, choice: Choice) -> Told:
    """Return what came of an answer to a card, which reads as `now` meanwhile."""
    if envelope.status is Status.REFUSED:
        return _not_counted(envelope, card, now)
    if envelope.status is Status.WAITING:
        return _UNCOUNTED
    if choice is Choice.EXTEND or choice in RECONCILING:
        return _written(card, choice)
    if choice in _ENDS:
        return Told(tone=Tone.QUIET, text=_ENDS[choice], counted=True, after=_ENDS[choice])
    if envelope.status is Status.PENDING_CONFIRMATION:
        return Told(tone=Tone.BUSY, text=_MORE, counted=True, after=_COUNTED)
    return Told(tone=Tone.GOOD, text=_YES, counted=True, at=(LET_GO.word,), after=_COUNTED)


def _not_counted(envelope: Envelope, card: Card, now: Card) -> Told:
    if envelope.code == Reason.TOO_LATE.value or now.outcome == Outcome.EXPIRED.value:
        return _refused(_LATE, after=_LATE)
    who = ""
    if is_open(card) and not is_open(now):
        who = _who_closed(now)
        why = _FIRST if who else standing(now).text
    elif envelope.code == Reason.ALREADY_CLOSED.value:
        why = _SECOND
    else:
        why = envelope.message_for_user or envelope.reason
    return replace(_refused(f"{NOT_COUNTED} {why}", after=f"{NOT_COUNTED} {why}"), who=who)


def _who_closed(now: Card) -> str:
    """Return the people whose answers closed it; empty where it was no person."""
    closed_by = in_place_of(now.closed_by, now.closed_for)
    is_by_person = now.ended_by == EndedBy.PERSON.value and closed_by
    return closed_by if is_by_person else ", ".join(named_voices(now))


async def _said(
    person: Person, card: Card, pressed: Pressed, more: tuple[float, Beside]
) -> Envelope:
    shown_s, beside = more
    if pressed.choice is Choice.EXTEND:
        return await person.extend(card, pressed.extend_s, pressed.reason)
    return await person.answer(card, pressed.choice, pressed.reason, shown_s, pressed.proof, beside)


def _written(card: Card, choice: Choice) -> Told:
    """What is no answer: a later deadline, or what became of a run in doubt."""
    if choice is Choice.EXTEND:
        return Told(tone=Tone.GOOD, text=_LATER, counted=True)
    word = standing(replace(card, state=choice.value)).word
    return Told(tone=Tone.GOOD, text=_WRITTEN, counted=True, at=(word,), after=_WRITTEN)


def _apart(session: Session, now: Card, like: tuple[str, str]) -> str:
    """Return why this card is not answered together with the other one; empty where it is."""
    if not like[0]:
        return ""
    first = session.shown.seen(*like)
    if first is None:
        return "The other card was not shown here. Answer this one by itself."
    return separately([first.card, now])


def _untyped(card: Card, typed: str) -> str:
    """Return what is to be typed first; empty when nothing is, or it was."""
    return "" if is_typed(card, typed) else f"Type {to_type(card)} first."


NO_CODE = "Type the six digits that your authenticator app shows first."


def _unproven(card: Card, proof: Proof) -> str:
    """Return the missing proof; empty when none is missing."""
    lacks_code = takes_code(card) and not is_code(proof.code)
    if proof.code and lacks_code:
        return NO_CODE
    lacks_passkey = may_take_passkey(card) and not proof.assertion
    if lacks_code and (card.every_proof or lacks_passkey or not may_take_passkey(card)):
        return NO_CODE
    needs_passkey = takes_passkey(card) and lacks_passkey
    return "A yes to this takes your passkey; add one under your name." if needs_passkey else ""


_YES = "Your yes counts. It is let go now."
_MORE = "Your yes counts. It still waits for other people."
_COUNTED = "Your yes counted."
_LATE = "Its time was over before your answer came, so it does not count."
_FIRST = "{who} answered first."
_SECOND = "Somebody else answered first."
NOT_COUNTED = "Your answer does not count."
_NOT_SENT = "Your answer was not sent."
_CHANGED = "It is changed: nothing runs by this. The changed call has a card of its own now."
_CANCELLED = "Your no counts. Nothing runs, and the agent is told that you cancelled it."
_LATER = "The deadline is moved. Your name and your reason stand on the card."
_ENDS = {Choice.CANCEL: _CANCELLED, Choice.MODIFY: _CHANGED}
_WRITTEN = "It is written down, and the agent is told."
_UNCOUNTED = Told(
    tone=Tone.BUSY,
    text="Your answer is stored, and no gate has counted it yet: the gate is away or busy. "
    "It counts when a gate is back, and this card then says so.",
)
ENDED = Told(tone=Tone.BAD, text="You are not logged in any more. Log in again.")
STRANGER = Told(
    tone=Tone.BAD,
    text="The broker does not know your key any more. Log out, and log in again.",
)
UNKNOWN = Told(
    tone=Tone.BAD,
    text="The broker did not answer, so nobody knows whether your answer came. "
    "Wait until this card is live again and look what it says.",
)


def _refused(text: str, after: str = _NOT_SENT) -> Told:
    return Told(tone=Tone.BAD, text=text, after=after)
