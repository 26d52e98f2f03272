"""The chat: a person asks the coordinator in plain words, and answers the cards that come of it.

A request goes out on the person's own connection, as it does from a terminal. No word of it is an
answer: a card in the conversation is answered with its buttons like any other.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from holdpoint.console.answering import ENDED, STRANGER
from holdpoint.console.context import Console, Visitor, fields_of
from holdpoint.core.redaction.display import visible
from holdpoint.messages.request import AgentRequest, AgentResponse, ConversationMessage, pending
from holdpoint.runtime.broker.person_connection import NOT_NOW, Person
from holdpoint.runtime.errors import SetupError, UnavailableError

MOST_MESSAGES = 20
"""Of the conversation so far, that go along with a request."""

TOO_OLD = "This page is too old. Load it again."
ODD = "This page cannot ask for that. Load it again."


@dataclass(frozen=True, kw_only=True)
class ChatScreens:
    """The page, and what it sends."""

    console: Console

    def routes(self) -> list[Route]:
        """Return where they are."""
        known = self.console.for_visitors
        return [
            Route("/chat", known(self.show), methods=["GET"]),
            Route("/chat", known(self.ask), methods=["POST"]),
        ]

    async def show(self, request: Request, visitor: Visitor) -> Response:
        """Return an empty conversation: it lives as long as the page."""
        _ = request
        return self.console.pages.page("chat", self.console.frame(visitor))

    async def ask(self, request: Request, visitor: Visitor) -> Response:
        """Send a request as the person, and return its answer with the holds that wait."""
        if not visitor.session.is_own_form(request.headers.get("x-holdpoint-csrf", "")):
            return _problem(TOO_OLD, 403)
        form = await fields_of(request)
        try:
            seed = visitor.session.seed(request.headers.get("x-holdpoint-page", ""))
        except SetupError:
            return _problem(TOO_OLD, 403)
        asked = request_in(form)
        if asked is None:
            return _problem(ODD, 400)
        try:
            person = await self.console.answering.connect(
                visitor.person.name, seed, visitor.session.user
            )
        except SetupError:
            return _problem(STRANGER.text, 403)
        except UnavailableError:
            return _unanswered()
        return await self._answered(visitor, person, asked)

    async def _answered(self, visitor: Visitor, person: Person, asked: AgentRequest) -> Response:
        """The session is looked at once more: connecting took time."""
        try:
            if not self.console.sessions.is_good(visitor.session):
                return _problem(ENDED.text, 403)
            return JSONResponse(shown(await person.request(asked)))
        except UnavailableError:
            return _unanswered()
        finally:
            await person.close()


def request_in(form: Mapping[str, str]) -> AgentRequest | None:
    """Return the request of the page's form; None when no page of ours sends such.

    What else is wrong with it the coordinator says, in a sentence for the person.
    """
    try:
        history = msgspec.json.decode(form.get("history", "[]"), type=list[ConversationMessage])
        request_id = str(UUID(form.get("request_id", "")))
    except (msgspec.DecodeError, ValueError):
        return None
    return AgentRequest(
        message=form.get("message", ""),
        conversation_history=tuple(history[-MOST_MESSAGES:]),
        request_id=request_id,
    )


def shown(response: AgentResponse) -> dict[str, Any]:
    """Return what the page shows of an answer: its text, what hides in it written out, and the
    cards that belong to it.
    """
    return {
        "text": visible(response.message),
        "success": response.success,
        "holds": list(dict.fromkeys(pending(response))),
    }


def _unanswered() -> Response:
    """Say that nobody answered: the page sends the same request again, under its id."""
    return JSONResponse({"text": NOT_NOW, "success": False, "holds": [], "again": True}, 503)


def _problem(text: str, status: int) -> Response:
    return JSONResponse({"text": text, "success": False, "holds": []}, status)
