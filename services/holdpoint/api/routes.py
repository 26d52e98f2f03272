"""The routes of the HTTP API: propose, say, ask how it stands, take back."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, TypeAlias, TypeVar

import structlog
from msgspec.structs import asdict
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from holdpoint.api import answers
from holdpoint.api.agent_lines import AgentLines
from holdpoint.api.bodies import ActionRequest, Answer, IntentRequest
from holdpoint.api.openapi import document
from holdpoint.api.tokens import TokenError, Tokens
from holdpoint.client.holdpoint import Holdpoint
from holdpoint.client.outcome import RefusedError, UnavailableError
from holdpoint.messages.base import BAD_KEY, CONTENT_TYPE, MAX_MESSAGE_BYTES, Message, is_key
from holdpoint.messages.codec import UnreadableError, check_strict, decode
from holdpoint.messages.envelope import Envelope, Status
from holdpoint.runtime.config.settings import Settings
from holdpoint.runtime.errors import SetupError

log = structlog.get_logger(__name__)

LONGEST_WAIT_S = 55.0
"""Below the 60 s after which many proxies and clients give up."""

RUNS_WITHIN_S = 25.0
"""Time that a call which passes may take before its client is told to ask again."""

SENT_WITHIN_S = 10.0
KEY_HEADER = "Idempotency-Key"

M = TypeVar("M", bound=Message)
Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]
ForAgents: TypeAlias = Callable[[Request, Holdpoint], Awaitable[Response]]


@dataclass(frozen=True, kw_only=True)
class Routes:
    """Everything that an agent can ask for."""

    settings: Settings
    tokens: Tokens
    lines: AgentLines

    def routes(self) -> list[Route]:
        """Return the routes; all but the document are for agents with a token."""
        one = "/v1/actions/{hold_id}"
        return [
            Route("/openapi.json", _document, methods=["GET"]),
            Route("/v1/actions", self._for_agents(self.propose), methods=["POST"]),
            Route("/v1/intents", self._for_agents(self.say), methods=["POST"]),
            Route(one, self._for_agents(self.look), methods=["GET"]),
            Route(one, self._for_agents(self.withdraw), methods=["DELETE"]),
        ]

    async def propose(self, request: Request, hp: Holdpoint) -> Response:
        """Propose a tool call; return once it ran, ended, or people are asked."""
        key, asked = _key(request), await sent(request, ActionRequest)
        words = _words(asked, "tool", "arguments")
        outcome = await hp.call(
            asked.tool,
            asked.arguments,
            idempotency_key=key,
            wait=False,
            timeout=RUNS_WITHIN_S,
            **words,
        )
        return answers.made(self._answer(hp, outcome))

    async def say(self, request: Request, hp: Holdpoint) -> Response:
        """Say a sentence; return once it is decided, or people are asked."""
        key, asked = _key(request), await sent(request, IntentRequest)
        words = _words(asked, "text", "metadata")
        outcome = await hp.say(
            asked.text,
            asked.metadata,
            idempotency_key=key,
            wait=False,
            timeout=RUNS_WITHIN_S,
            **words,
        )
        return answers.made(self._answer(hp, outcome))

    async def look(self, request: Request, hp: Holdpoint) -> Response:
        """Tell how an action stands, as soon as it is final or the wait is over."""
        hold_id, wait_s = request.path_params["hold_id"], _wait(request)
        outcome = await hp.resume(hold_id, timeout=wait_s) if wait_s else None
        if outcome is None or not outcome.is_judged:
            outcome = await hp.outcome(hold_id)
        if not outcome.is_judged:
            text = "Nobody told in time how it stands. Ask again."
            raise UnavailableError(text, hold_id=hold_id)
        return answers.body(self._answer(hp, outcome), HTTPStatus.OK)

    async def withdraw(self, request: Request, hp: Holdpoint) -> Response:
        """Take an action back, as long as nothing has run."""
        hold_id, reason = request.path_params["hold_id"], request.query_params.get("reason", "")
        async with asyncio.timeout(LONGEST_WAIT_S):
            outcome = await hp.withdraw(hold_id, reason)
        late = outcome.code in answers.REFUSED
        status = HTTPStatus.CONFLICT if late else HTTPStatus.OK
        return answers.body(self._answer(hp, outcome), status)

    def _answer(self, hp: Holdpoint, told: Envelope) -> Answer:
        return answers.answered(told, self.settings.review_url(hp.agent, told.hold_id))

    def _for_agents(self, handler: ForAgents) -> Endpoint:
        """The handler, for the agent that the token proves."""

        async def endpoint(request: Request) -> Response:
            agent = self.tokens.agent_of(request.headers.get("authorization", ""))
            async with self.lines.use(agent) as hp:
                return await handler(request, hp)

        return answering(endpoint)


def answering(handler: Endpoint) -> Endpoint:
    """The handler, whose every error becomes an answer with a code."""

    async def endpoint(request: Request) -> Response:
        try:
            return await handler(request)
        except TokenError as error:
            return answers.problem(HTTPStatus.UNAUTHORIZED, error.code, str(error))
        except RefusedError as error:
            return answers.refused(error)
        except UnavailableError as error:
            return answers.out_of_reach(error)
        except TimeoutError:
            text = "It took too long. Ask again how it stands."
            return answers.unavailable(text, Answer(status=Status.WAITING))
        except (SetupError, OSError) as error:
            log.warning("not_set_up", why=str(error))
            text = "The HTTP API is not set up for who asks. Its log says why."
            return answers.problem(HTTPStatus.SERVICE_UNAVAILABLE, "not_set_up", text)

    return endpoint


def _words(asked: Message, *others: str) -> dict[str, Any]:
    return {name: value for name, value in asdict(asked).items() if name not in others}


def _key(request: Request) -> str:
    key = request.headers.get(KEY_HEADER, "")
    if not key:
        text = f"Send {KEY_HEADER}: the same key repeats the same call, and runs nothing twice."
        raise RefusedError("idempotency_key_missing", text)
    if not is_key(key):
        raise RefusedError("bad_key", BAD_KEY)
    return key


def _wait(request: Request) -> float:
    said = request.query_params.get("wait", "0")
    seconds = float(said) if said.replace(".", "", 1).isdecimal() else -1.0
    if not 0 <= seconds <= LONGEST_WAIT_S:
        raise RefusedError("bad_wait", f"wait is a number of seconds from 0 to {LONGEST_WAIT_S:g}.")
    return seconds


async def sent(request: Request, kind: type[M]) -> M:
    """The body, read to an end and no further. Raises RefusedError."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != CONTENT_TYPE:
        raise RefusedError("bad_content_type", f"Send JSON, with Content-Type: {CONTENT_TYPE}.")
    content = bytearray()
    try:
        async with asyncio.timeout(SENT_WITHIN_S):
            async for chunk in request.stream():
                content += chunk
                if len(content) > MAX_MESSAGE_BYTES:
                    text = f"A body has at most {MAX_MESSAGE_BYTES} bytes."
                    raise RefusedError("too_large", text)
        check_strict(bytes(content))
        return decode(bytes(content), kind)
    except UnreadableError as error:
        raise RefusedError(error.code, error.text) from None
    except (TimeoutError, ClientDisconnect):
        raise RefusedError("body_unfinished", "The body did not come to its end.") from None


async def _document(_: Request) -> Response:
    return Response(document(), media_type=CONTENT_TYPE)
