"""The person at an MCP client, whose answer in its form counts where the policy says so.

Their credential answers the holds of this gateway's agent and nothing else. The gate counts a yes
up to level 3, and only where the hold's level has `client_may_answer`.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import mcp_types as types
import msgspec

from holdpoint.core.card_facts import may_take_passkey, takes_code
from holdpoint.core.objections import MOST_LEVELS
from holdpoint.core.redaction.display import one_line, visible
from holdpoint.messages.answer import CLIENT_FORM, Choice
from holdpoint.messages.card import Card
from holdpoint.messages.catalog import Person, audiences
from holdpoint.messages.envelope import Envelope
from holdpoint.runtime.broker.connection import Login
from holdpoint.runtime.broker.person_connection import Person as Line
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.credentials import client_user, read_seed

CARD_S = 3.0
"""Time in which the card of a hold is there after the hold."""

POLL_S = 0.05
LONGEST_TEXT = 2_000
"""Characters of a form; a longer card is read where all of it is shown."""

ANSWER = "answer"
CHOICES: types.ElicitRequestedSchema = {
    "type": "object",
    "properties": {
        ANSWER: {"type": "string", "title": "Your answer", "enum": ["proceed", "cancel"]}
    },
    "required": [ANSWER],
}


@dataclass(frozen=True, kw_only=True)
class ClientPerson:
    """One person, with the credential of one channel."""

    line: Line
    groups: tuple[str, ...]

    async def card(self, hold_id: str) -> Card | None:
        """The card that they may answer in a form; None where only its own page will do."""
        gives_up_at = clock.monotonic() + CARD_S
        while clock.monotonic() < gives_up_at:
            for group in self.groups:
                card = await self.line.card(group, hold_id)
                if card is not None and card.state == "rendered":
                    return card if takes_form(card) else None
            await asyncio.sleep(POLL_S)
        return None

    async def answer(self, card: Card, said: types.ElicitResult) -> Envelope | None:
        """Send what they chose about exactly this card; None where they chose nothing."""
        choice = (said.content or {}).get(ANSWER) if said.action == "accept" else None
        if choice not in {Choice.PROCEED, Choice.CANCEL}:
            return None
        return await self.line.answer(card, Choice(str(choice)))


def takes_form(card: Card) -> bool:
    """Return whether a yes in a form can count, and the form shows all that people should read."""
    low = card.level <= MOST_LEVELS[CLIENT_FORM] and card.client_may_answer
    alone = not (takes_code(card) or may_take_passkey(card)) and card.voices_needed == 1
    return low and alone and len(text_of(card)) <= LONGEST_TEXT


def form_of(card: Card) -> types.ElicitRequest:
    """Return the form that asks for an answer to this card."""
    params = types.ElicitRequestFormParams(message=text_of(card), requested_schema=CHOICES)
    return types.ElicitRequest(params=params)


def text_of(card: Card) -> str:
    """Return what would run and why it waits, in the gate's words; the agent's own come last."""
    arguments = msgspec.json.encode(card.ui.action.arguments).decode()
    words = f"The agent's own words, which nobody has verified: {card.ui.message}"
    return "\n".join(
        one_line(visible(it))
        for it in (
            f"{card.title}?",
            f"Risk: {card.ui.risk_level.value}. Agent: {card.agent}. Tool: {card.ui.action.tool}.",
            f"Exactly what will run: {arguments}",
            *(f"Why it waits: {it.reason}" for it in card.signals),
            *(f"Careful: {it}" for it in card.warnings),
            *((words,) if card.ui.message else ()),
        )
    )


@asynccontextmanager
async def logged_in(settings: Settings, person: Person) -> AsyncIterator[ClientPerson]:
    """The person, connected. Raises SetupError without their credential."""
    user = client_user(person.name)
    seed = read_seed(settings.credentials_dir, user)
    login = Login(user=user, seed=seed, url=settings.broker_url, ca=settings.broker_ca)
    line = await Line.connect(person.name, settings.tenant, CLIENT_FORM, login)
    try:
        yield ClientPerson(line=line, groups=audiences(person))
    finally:
        await line.close()
