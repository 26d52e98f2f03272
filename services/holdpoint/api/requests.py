"""The route for people: a request in plain words to the coordinator.

It goes out on a connection that may ask in this one person's name and do nothing else; what needs a
yes waits on its card.
"""

import asyncio
from collections import defaultdict
from dataclasses import dataclass, field
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from holdpoint.api import answers
from holdpoint.api.bodies import Answer, PersonRequest
from holdpoint.api.routes import answering, sent
from holdpoint.api.tokens import Tokens
from holdpoint.messages.base import CONTENT_TYPE
from holdpoint.messages.codec import encode
from holdpoint.messages.envelope import Status
from holdpoint.runtime.broker.connection import Login
from holdpoint.runtime.broker.person_connection import Person
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import UnavailableError
from holdpoint.runtime.security.credentials import http_user, read_seed

CHANNEL = "http"
PATH = "/v1/requests"
NOBODY = "No coordinator answers now. Send the same again, with the same request_id."


@dataclass(eq=False, kw_only=True)
class Requests:
    """Everything that a person can ask for here."""

    settings: Settings
    tokens: Tokens
    _open: dict[str, Person] = field(default_factory=dict)
    _turns: defaultdict[str, asyncio.Lock] = field(
        default_factory=lambda: defaultdict(asyncio.Lock)
    )
    """One for each person, as for each agent."""

    def routes(self) -> list[Route]:
        """Return the one route."""
        return [Route(PATH, answering(self.ask), methods=["POST"])]

    async def ask(self, request: Request) -> Response:
        """Ask the coordinator; the same request_id again is the same request."""
        name = self.tokens.person_of(request.headers.get("authorization", ""))
        asked = await sent(request, PersonRequest)
        try:
            response = await (await self._line(name)).request(asked)
        except UnavailableError:
            return answers.unavailable(NOBODY, Answer(status=Status.WAITING))
        return Response(encode(response), HTTPStatus.OK, media_type=CONTENT_TYPE)

    async def _line(self, name: str) -> Person:
        """Return the person's connection. Raises SetupError, UnavailableError."""
        async with self._turns[name]:
            line = self._open.get(name)
            if line is None or line.client.is_closed:
                user = http_user(name)
                seed = read_seed(self.settings.credentials_dir, user)
                who = Login(
                    user=user, seed=seed, url=self.settings.broker_url, ca=self.settings.broker_ca
                )
                line = await Person.connect(name, self.settings.tenant, CHANNEL, who)
                self._open[name] = line
            return line

    async def close(self) -> None:
        """Close every connection."""
        for line in self._open.values():
            await line.close()
        self._open.clear()
