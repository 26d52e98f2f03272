"""Questions and answers on the bus: each question is a task of its own, each wait has an end.

How many questions may be open is limited twice: for each asker, and for the pool that askers of one
kind share. One too many is answered at once, with `too_many_questions` and when to ask again.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias, TypeVar

import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from holdpoint.messages.base import Message
from holdpoint.messages.codec import UnreadableError, check_strict, decode, encode
from holdpoint.messages.envelope import TOO_MANY_QUESTIONS, Envelope, Status
from holdpoint.messages.subjects import asker_of
from holdpoint.runtime.broker.nats_errors import in_words
from holdpoint.runtime.errors import HoldpointError, UnavailableError
from holdpoint.runtime.process import clock
from holdpoint.runtime.process.metrics import OPEN_QUESTIONS, REFUSALS

log = structlog.get_logger(__name__)

M = TypeVar("M", bound=Message)

LONGEST_WAIT_S = 55.0
"""Below the 60 s at which clients and proxies give up."""

EACH = 64
"""Open questions of one agent or person."""

RETRY_AFTER_S = 1.0
"""When one that was too many may be asked again."""

LOGGED_EVERY_S = 10.0
"""Of questions that are too many, one is logged in so long: the metric counts them all."""

Respond: TypeAlias = Callable[[str, bytes], Awaitable[Message]]
"""Subject and body of a question; gives the answer."""


@dataclass(eq=False, kw_only=True)
class Pool:
    """Limits on open questions: of all who share the pool, and of each of them."""

    most: int
    each: int = EACH
    _open: Counter[str] = field(default_factory=Counter)
    _taken: int = 0
    _logged_at: float = -LOGGED_EVERY_S

    def take(self, asker: str) -> bool:
        """Take one place for the asker; False when there is none."""
        if self._taken >= self.most or self._open[asker] >= self.each:
            self._refused(asker)
            return False
        self._taken += 1
        self._open[asker] += 1
        return True

    def give_back(self, asker: str) -> None:
        """Give the place back."""
        self._taken -= 1
        self._open[asker] -= 1
        if not self._open[asker]:
            del self._open[asker]

    def _refused(self, asker: str) -> None:
        REFUSALS.labels(TOO_MANY_QUESTIONS).inc()
        if clock.monotonic() - self._logged_at >= LOGGED_EVERY_S:
            self._logged_at = clock.monotonic()
            log.warning(TOO_MANY_QUESTIONS, asker=asker, open=self._open[asker])


@dataclass(eq=False)
class Responder:
    """Answers questions until it is closed."""

    client: Client
    _open: set[asyncio.Task[None]] = field(default_factory=set)

    async def serve(self, subject: str, queue: str, respond: Respond, pool: Pool) -> None:
        """Answer what is asked on the subject, as one of the queue group."""

        async def on_question(msg: Msg) -> None:
            asker = asker_of(msg.subject)
            if not pool.take(asker):
                await _respond(msg, _TOO_MANY)
                return
            task = asyncio.create_task(_answer(msg, respond))
            self._open.add(task)
            task.add_done_callback(partial(self._answered, pool, asker))

        await self.client.subscribe(subject, queue=queue, cb=on_question)

    async def close(self) -> None:
        """Leave the open questions unanswered: their askers ask again."""
        for task in tuple(self._open):
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    def _answered(self, pool: Pool, asker: str, task: asyncio.Task[None]) -> None:
        pool.give_back(asker)
        self._open.discard(task)


async def ask(client: Client, subject: str, question: Message, kind: type[M], wait_s: float) -> M:
    """The answer to a question, or UnavailableError when none came in time."""
    try:
        reply = await client.request(subject, encode(question), timeout=wait_s)
    except (NatsError, TimeoutError) as error:
        raise UnavailableError(f"Nobody answered on {subject}: {in_words(error)}") from error
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
    await _respond(msg, encode(answer))


async def _respond(msg: Msg, answer: bytes) -> None:
    """Answer; who asked without saying where to, or left meanwhile, hears nothing."""
    try:
        await msg.respond(answer)
    except NatsError as error:
        log.info("question_not_answered", subject=msg.subject, why=repr(error))


def _refused(why: UnreadableError, retry_after_s: float = 0.0) -> Envelope:
    """Return what an asker hears whose question is not answered."""
    return Envelope(
        status=Status.REFUSED,
        code=why.code,
        reason=why.text,
        formatted=why.text,
        formatted_spoken=_SPOKEN,
        message_for_user=why.text,
        retry_after_s=retry_after_s,
    )


_SPOKEN = "Your question was not answered."
_TEXT = "Too many of your questions are open at once. Ask again later."
_TOO_MANY = encode(_refused(UnreadableError(TOO_MANY_QUESTIONS, _TEXT), RETRY_AFTER_S))
