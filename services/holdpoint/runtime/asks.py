"""Questions and answers on the bus: each question is a task of its own, each wait has an end."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from holdpoint.messages.base import Message
from holdpoint.messages.codec import UnreadableError, check_strict, decode, encode
from holdpoint.messages.envelope import Envelope, Status
from holdpoint.runtime.errors import HoldpointError, UnavailableError
from holdpoint.runtime.metrics import OPEN_QUESTIONS

log = structlog.get_logger(__name__)

M = TypeVar("M", bound=Message)

MOST_AT_ONCE = 2000
"""Open questions a process holds; the next ones are not taken up and their askers ask again."""

LONGEST_WAIT_S = 55.0
"""Below the 60 s at which clients and proxies give up."""

Respond: TypeAlias = Callable[[str, bytes], Awaitable[Message]]
"""Subject and body of a question; gives the answer."""


@dataclass(eq=False)
class Responder:
    """Answers questions until it is closed."""

    client: Client
    _open: set[asyncio.Task[None]] = field(default_factory=set)

    async def serve(self, subject: str, queue: str, respond: Respond) -> None:
        """Answer what is asked on the subject, as one of the queue group."""

        async def on_question(msg: Msg) -> None:
            if len(self._open) >= MOST_AT_ONCE:
                log.warning("question_not_taken_up", subject=msg.subject)
                return
            task = asyncio.create_task(_answer(msg, respond))
            self._open.add(task)
            task.add_done_callback(self._open.discard)

        await self.client.subscribe(subject, queue=queue, cb=on_question)

    async def close(self) -> None:
        """Leave the open questions unanswered: their askers ask again."""
        for task in tuple(self._open):
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)


async def ask(client: Client, subject: str, question: Message, kind: type[M], wait_s: float) -> M:
    """The answer to a question, or UnavailableError when none came in time."""
    try:
        reply = await client.request(subject, encode(question), timeout=wait_s)
    except (NatsError, TimeoutError) as error:
        raise UnavailableError(f"Nobody answered on {subject}: {error!r}") from error
    try:
        return decode(reply.data, kind)
    except UnreadableError as error:
        raise UnavailableError(f"{subject} answered with something else.") from error


async def _answer(msg: Msg, respond: Respond) -> None:
    try:
        check_strict(msg.data)
        with OPEN_QUESTIONS.track_inprogress():
            answer: Message = await respond(msg.subject, msg.data)
    except UnreadableError as why:
        answer = _refused(why)
    except HoldpointError as error:
        log.info("question_not_answered", subject=msg.subject, why=str(error))
        return
    await msg.respond(encode(answer))


def _refused(why: UnreadableError) -> Envelope:
    """What an asker hears whose question cannot be read."""
    return Envelope(
        status=Status.REFUSED, code=why.code, reason=why.text, message_for_user=why.text
    )
