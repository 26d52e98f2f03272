"""One answer from Slack, which says who pressed; who that is says people.yaml.

Slack's one secret could speak for everybody, so a yes ends at level 3, here and at the gate.
"""

from dataclasses import dataclass

import structlog

from holdpoint.console.answering import STRANGER, UNKNOWN, told_of
from holdpoint.console.card_store import Board
from holdpoint.console.people import People
from holdpoint.messages.answer import Choice
from holdpoint.messages.base import Value
from holdpoint.messages.card import Card
from holdpoint.messages.catalog import Person, audiences, may_answer
from holdpoint.messages.request import AgentRequest, AgentResponse
from holdpoint.runtime.broker.connection import Login
from holdpoint.runtime.broker.person_connection import Person as Line
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError, UnavailableError, UnknownOutcomeError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.credentials import SLACK, read_seed, slack_user
from holdpoint.slack.cards import Place, Ref, ref_of, takes_no, takes_yes
from holdpoint.slack.messages import Messages

log = structlog.get_logger(__name__)

NOT_KNOWN = (
    "Nobody in people.yaml has your Slack id, so your answer counts for nothing. "
    "An administrator can add it there."
)
OTHER_WORKSPACE = (
    "This is not the workspace that Holdpoint is set up for, so your answer counts for nothing."
)
NO_APPROVER = "people.yaml does not make you an approver: you can look, not answer."
OTHER_GROUP = "This card is for the group {group}, and you are not in it."
OLD_MESSAGE = "This message is not the one that shows this card. Answer the newest one."
CHANGED = "The card has changed since this message. Read it again, and press again."
CLOSED = "It is closed already. Your answer would change nothing."
NOT_LIVE = "Holdpoint does not hear its broker right now, so the card may be old. Press again soon."
NOT_HERE = "A yes to this does not count in Slack. Answer it in the console."
NO_COORDINATOR = "The coordinator does not answer right now. Send your request again in a moment."


class Pressed(Value, frozen=True, kw_only=True):
    """A button or a form as Slack's signed request names them."""

    team: str
    user: str
    ref: Ref
    place: Place
    choice: Choice
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class Answering:
    """Answers and requests of people whom Slack names."""

    settings: Settings
    team: str
    board: Board
    people: People
    messages: Messages

    def person(self, team: str, user: str) -> Person | None:
        """Return who this is: only the members of one workspace count."""
        return self.people.in_slack(user) if team == self.team and user else None

    def why_not(self, pressed: Pressed) -> str:
        """Return why an answer is not sent; empty when nothing here speaks against it."""
        person, ref = self.person(pressed.team, pressed.user), pressed.ref
        if person is None:
            return NOT_KNOWN if pressed.team == self.team else OTHER_WORKSPACE
        if not may_answer(person):
            return NO_APPROVER
        if ref.group not in audiences(person):
            return OTHER_GROUP.format(group=ref.group)
        posted = self.messages.find(ref.hold_id, ref.group)
        if posted is None or posted.place != pressed.place:
            return OLD_MESSAGE
        return self._speaks_against(self.board.card_for((ref.group,), ref.hold_id), pressed)

    def _speaks_against(self, card: Card | None, pressed: Pressed) -> str:
        if card is None or not self.board.is_live:
            return NOT_LIVE
        if not takes_no(card):
            return CLOSED
        if ref_of(card) != pressed.ref:
            return CHANGED
        if pressed.choice is Choice.CANCEL:
            return ""
        here = pressed.choice is Choice.PROCEED and takes_yes(card, clock.now())
        return "" if here else NOT_HERE

    async def answer(self, pressed: Pressed) -> str:
        """Answer exactly the card of the message; return what came of it, in words."""
        if why := self.why_not(pressed):
            log.info("slack_answer_refused", hold_id=pressed.ref.hold_id, user=pressed.user)
            return why
        person = self.person(pressed.team, pressed.user)
        card = self.board.card_for((pressed.ref.group,), pressed.ref.hold_id)
        if person is None or card is None:
            return NOT_LIVE
        try:
            line = await self._line(person.name)
            try:
                envelope = await line.answer(card, pressed.choice, pressed.reason)
            finally:
                await line.close()
        except SetupError:
            return STRANGER.text
        except (UnavailableError, UnknownOutcomeError):
            return UNKNOWN.text
        now = self.board.card_for((card.group,), card.hold_id) or card
        return told_of(envelope, card, now, pressed.choice).sentence

    async def request(self, person: Person, text: str, request_id: str) -> AgentResponse:
        """Ask the coordinator in this person's name; the same id again is the same request."""
        asked = AgentRequest(message=text, conversation_history=(), request_id=request_id)
        try:
            line = await self._line(person.name)
            try:
                return await line.request(asked)
            finally:
                await line.close()
        except (SetupError, UnavailableError, UnknownOutcomeError) as error:
            log.info("slack_request_unanswered", why=type(error).__name__)
            return AgentResponse(message=NO_COORDINATOR, success=False, request_id=request_id)

    async def _line(self, person: str) -> Line:
        user = slack_user(person)
        seed = read_seed(self.settings.credentials_dir, user)
        who = Login(user=user, seed=seed, url=self.settings.broker_url, ca=self.settings.broker_ca)
        return await Line.connect(person, self.settings.tenant, SLACK, who)
