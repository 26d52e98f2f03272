"""One call on its way: published, followed until it is decided, taken back if its caller lets go.

A connection buffers nothing, so a publish that failed did not happen later. What is tried again
is the same document, byte for byte: a process that stored both finds one key in them. The wait is
made of short questions: each one may be lost, and the next one asks the same again.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

import structlog
from msgspec.structs import replace
from nats.aio.client import Client
from nats.errors import Error as NatsError

from holdpoint.client.options import Manner
from holdpoint.client.outcome import (
    HoldpointError,
    Outcome,
    RefusedError,
    SetupError,
    UnavailableError,
    outcome_of,
)
from holdpoint.client.results import Hearing, Results
from holdpoint.messages.ask import JUDGED_BY_S, AskHold, AskTools, ToolsAnswer
from holdpoint.messages.base import MAX_MESSAGE_BYTES, Message, is_id
from holdpoint.messages.call import Call, Propose, Withdraw
from holdpoint.messages.catalog import DISPATCH, HOST_DOMAIN
from holdpoint.messages.codec import UnreadableError, decode, encode, encode_event
from holdpoint.messages.envelope import (
    ASKED_ALREADY,
    FINAL,
    TOO_MANY_CALLS,
    TOO_MANY_HOLDS,
    TOO_MANY_QUESTIONS,
    UNKNOWN_HOLD,
    Envelope,
    Status,
)
from holdpoint.messages.subjects import (
    TYPES,
    ask_hold_subject,
    ask_tools_subject,
    call_subject,
    calls_of,
    command_id,
    stream,
)
from holdpoint.runtime import errors
from holdpoint.runtime.broker.connection import MESSAGE_ID, TOO_LARGE, Login, Requests
from holdpoint.runtime.broker.nats_errors import in_words
from holdpoint.runtime.process import clock

T = TypeVar("T")
M = TypeVar("M", bound=Message)

ASK_WAIT_S = 10.0
"""A gate that dies takes its questions with it: the next one is asked this much later at most."""

ANSWER_MARGIN_S = 3.0
"""On the way there and back, above the wait itself."""

FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 1.0
LONGEST_LOOK_PAUSE_S = 8.0
"""Between two looks of one of many calls that wait for people."""


log = structlog.get_logger(__name__)

PAUSE_S = 0.05
"""Between two answers that say the same."""

TAKE_BACK_S = 5.0
"""Time that a cancelled caller is kept for its withdrawal to be stored."""

LAST_LOOK_S = 0.5
"""How much longer than it said a caller is kept for a last word."""

SPREAD = 16
"""Calls that were too many come again over twice the time that they were told, in so many steps."""

TOO_MANY = frozenset({TOO_MANY_CALLS, TOO_MANY_HOLDS})
"""Refusals after which the same call may be sent again, with the same key."""

LET_GO = "The agent stopped waiting."

NOTHING_YET = Envelope(status=Status.WAITING)

DECIDED = FINAL | {Status.PENDING_CONFIRMATION}


@dataclass(frozen=True, kw_only=True)
class Line:
    """One agent on one connection."""

    client: Client
    requests: Requests
    results: Results | None
    """None where the keyset cannot be read: then the gate is asked about everything."""

    login: Login
    tenant: str
    agent: str
    patience_s: float

    def begin(self, call: Call) -> asyncio.Future[int]:
        """Send the call before this returns; its sequence, however often it has to be tried.

        Where the first try succeeds there is no task. Cancelling the future ends the tries.
        """
        subject = call_subject(self.tenant, self.agent, TYPES[type(call)].rpartition(".")[2])
        headers = {MESSAGE_ID: clock.new_id()}
        body = self._document(call, subject, headers[MESSAGE_ID])
        if len(body) > MAX_MESSAGE_BYTES:
            raise RefusedError("too_large", f"A message has at most {MAX_MESSAGE_BYTES} bytes.")
        stored: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def on_stored(result: int | errors.HoldpointError) -> None:
            if stored.done():
                return
            if isinstance(result, errors.HoldpointError):
                trying = self._try_again(subject, body, headers, result)
                _follow(stored, asyncio.ensure_future(trying))
            else:
                stored.set_result(result)

        name = stream(self.tenant, calls_of(self.agent))
        number = self.requests.begin_publish(subject, body, name, headers, on_stored)
        stored.add_done_callback(lambda _: self.requests.give_up(number))
        return stored

    async def _try_again(
        self, subject: str, body: bytes, headers: dict[str, str], why: errors.HoldpointError
    ) -> int:
        name = stream(self.tenant, calls_of(self.agent))

        async def attempt() -> int:
            try:
                return await self.requests.publish(subject, body, name, headers)
            except errors.HoldpointError as error:
                raise _told(error) from error

        return await self._patiently(attempt, _told(why))

    def _document(self, call: Call, subject: str, event_id: str) -> bytes:
        """The call's bytes; what JSON cannot say is refused before anything is sent."""
        try:
            return encode_event(
                call,
                event_id=event_id,
                source=f"agent/{self.agent}",
                subject=subject,
                at=clock.now(),
                salt=clock.new_nonce(),
            )
        except UnicodeEncodeError:
            text = "A string holds half a surrogate pair."
            raise RefusedError("bad_unicode", text) from None
        except (TypeError, ValueError, OverflowError, RecursionError) as error:
            raise RefusedError("bad_data", f"This is nothing that JSON can say: {error}") from None

    async def ask(self, question: AskHold) -> Envelope:
        """Return the hold's state as soon as it is news to the asker, or the question's wait ends.

        Where too many of the agent's questions wait already, this one looks again without waiting.
        """
        told = await self._patiently(lambda: self._answered(question))
        look, pause_s = replace(question, wait_s=0.0), told.retry_after_s
        while told.code == TOO_MANY_QUESTIONS:
            await asyncio.sleep(pause_s)
            told = await self._patiently(lambda: self._answered(look))
            pause_s = min(2 * pause_s, LONGEST_LOOK_PAUSE_S)
        return told

    async def search(self, question: AskTools) -> ToolsAnswer:
        """The tools that a search of the catalog finds."""
        subject = ask_tools_subject(self.tenant, self.agent)
        told = await self._patiently(lambda: self._replied(subject, question, ToolsAnswer))
        if isinstance(told, Envelope):
            raise RefusedError(told.code, told.reason)
        return told

    async def _patiently(
        self, attempt: Callable[[], Awaitable[T]], failed: Exception | None = None
    ) -> T:
        """Try until it succeeds, cannot, or the patience is over; it may have failed once."""
        gives_up_at = clock.monotonic() + self.patience_s
        pause = FIRST_PAUSE_S
        while True:
            try:
                if failed is not None:
                    raise failed
                return await attempt()
            except errors.UnavailableError as error:
                self._check_hope(error, over=clock.monotonic() + pause > gives_up_at)
            await asyncio.sleep(pause)
            pause, failed = min(2 * pause, LONGEST_PAUSE_S), None

    def _check_hope(self, error: errors.UnavailableError, *, over: bool) -> None:
        """Raise where the next try could not end otherwise."""
        if self.login.denials:
            raise SetupError(
                f"The broker does not let this credential speak as {self.agent}: "
                f"{self.login.denials.pop()}"
            ) from error
        if over or self.client.is_closed:
            raise UnavailableError(str(error)) from error

    async def _answered(self, question: AskHold) -> Envelope:
        subject = ask_hold_subject(self.tenant, self.agent)
        return await self._replied(subject, question, Envelope, question.wait_s)

    async def _replied(
        self, subject: str, question: Message, kind: type[M], wait_s: float = 0.0
    ) -> M | Envelope:
        """The gate's answer; an envelope where the question itself is refused."""
        try:
            reply = await self.requests.send(subject, encode(question), wait_s + ANSWER_MARGIN_S)
            return _decoded(reply, kind)
        except (NatsError, UnreadableError) as error:
            text = f"The gate, or the broker, is away: {in_words(error)}."
            raise errors.UnavailableError(text) from error


def _decoded(reply: bytes, kind: type[M]) -> M | Envelope:
    try:
        return decode(reply, kind)
    except UnreadableError:
        return decode(reply, Envelope)


UNTOLD = "The broker did not say whether it stored this. Is it away, or its disk full?"


def _told(error: errors.HoldpointError) -> Exception:
    """Return what a publish that failed is to its caller."""
    if isinstance(error, errors.RefusedByBrokerError) and error.code == TOO_LARGE:
        return RefusedError("too_large", str(error))
    if isinstance(error, errors.UnknownOutcomeError):
        return errors.UnavailableError(UNTOLD)
    return error


def _follow(stored: asyncio.Future[int], trying: asyncio.Task[int]) -> None:
    """Have the future end as the task does, and the task with the future."""

    def on_tried(task: asyncio.Task[int]) -> None:
        if stored.done() or task.cancelled():
            stored.cancel()
        elif (error := task.exception()) is not None:
            stored.set_exception(error)
        else:
            stored.set_result(task.result())

    trying.add_done_callback(on_tried)
    stored.add_done_callback(lambda _: trying.cancel())


@dataclass(eq=False, kw_only=True)
class Pursuit:
    """State of one call, as far as it is known."""

    line: Line
    key: str = ""
    key_is_ours: bool = False
    """Nobody else can have used it: what was processed before is our own first try."""

    seq: int = 0
    told: Envelope = NOTHING_YET
    joined: bool = False
    """Whether it follows the hold of an earlier call, which is not its own to take back."""

    _publishing: asyncio.Future[int] | None = field(default=None, repr=False)
    _hearing: Hearing | None = field(default=None, repr=False)

    @classmethod
    def of_hold(cls, line: Line, hold_id: str) -> "Pursuit":
        """Of a hold whose id was told before."""
        if not is_id(hold_id):
            raise RefusedError(UNKNOWN_HOLD, f"{hold_id!r} is no hold's id.", hold_id)
        return cls(line=line, told=Envelope(status=Status.WAITING, hold_id=hold_id))

    async def pursue(self, call: Call | None, manner: Manner) -> Outcome:
        """Publish it, unless it was before, and follow it as far as the manner says."""
        enough = _enough(call, manner)
        try:
            async with asyncio.timeout(manner.timeout):
                await (self.look() if call is None else self._make(call))
                await self.follow(enough)
                if self.told.code == ASKED_ALREADY and self.told.status is Status.REFUSED:
                    await self._join(enough)
                while call is not None and self._may_try_again():
                    await self._try_again(call)
                    await self.follow(enough)
        except TimeoutError:
            self._check_stored()
            await self._look_once_more()
        finally:
            if self._hearing is not None:
                self._hearing.close()
        return self.outcome()

    async def _make(self, call: Call) -> None:
        """Publish it, and listen a moment for its result before the gate is asked."""
        results = self.line.results
        if results is None or not isinstance(call, Propose):
            await self.publish(call)
            return
        with results.expected():
            await self.publish(call)
            call_id = command_id(stream(self.line.tenant, calls_of(self.line.agent)), self.seq)
            self._hearing = results.hear(call_id, call.tool)
        self.told = await self._hearing.soon() or NOTHING_YET

    async def _join(self, enough: frozenset[Status]) -> None:
        """Follow the open hold on the very same call: what becomes of that one becomes of this."""
        self.joined, self.seq = True, 0
        self.told = replace(NOTHING_YET, hold_id=self.told.hold_id)
        if self._hearing is not None:
            self._hearing.close()
            self._hearing = None
        await self.look()
        await self.follow(enough)

    def _may_try_again(self) -> bool:
        """Return whether it was one call or hold too many, and soon is no longer."""
        too_many = self.told.code in TOO_MANY and self.told.status is Status.REFUSED
        return too_many and self.told.retry_after_s <= self.line.patience_s

    async def _try_again(self, call: Call) -> None:
        """Make the same call again; others that were refused with it do so at other times."""
        spread = 1 + self.seq % SPREAD / SPREAD
        await asyncio.sleep(self.told.retry_after_s * spread)
        if self._hearing is not None:
            self._hearing.close()
        self.told = NOTHING_YET
        await self._make(call)

    async def publish(self, call: Call) -> None:
        """Store it durably. When its caller is cancelled, the try in hand goes on."""
        self._publishing = self.line.begin(call)
        try:
            self.seq = await asyncio.shield(self._publishing)
        except UnavailableError as error:
            raise UnavailableError(error.text, self.key) from error

    async def follow(self, enough: frozenset[Status] = FINAL) -> None:
        """Ask until it stands so; a question that ends without news is asked again."""
        while not self._stands(enough) or self._is_changed():
            if self._is_changed():
                self._follow_change()
            known = self.told.status
            is_waiting = known is Status.WAITING and Status.APPROVED not in enough
            await self._ask(ASK_WAIT_S, Status.APPROVED if is_waiting else known)
            if self.told.status is known:
                await asyncio.sleep(PAUSE_S)
        if self.told.status is Status.ALREADY_PROCESSED and self.key_is_ours:
            self.seq = 0
            await self._ask(0, None)

    def _stands(self, enough: frozenset[Status]) -> bool:
        return self.told.status in enough or is_to_be_run(self.told)

    def _is_changed(self) -> bool:
        """Return whether a person changed the call: another one took its place."""
        told = self.told
        return told.status is Status.SUPERSEDED and bool(told.domain and told.superseded_by)

    def _follow_change(self) -> None:
        if self._hearing is not None:
            self._hearing.close()
            self._hearing = None
        self.seq, self._publishing = 0, None
        self.told = Envelope(status=Status.WAITING, hold_id=self.told.superseded_by)

    async def look(self) -> None:
        """Ask how a hold stands that was told before; an unknown one is refused in time."""
        await self._ask(JUDGED_BY_S, None)

    def outcome(self) -> Outcome:
        """Return what is known; raises RefusedError when the call did not count."""
        told = self.told
        if told.status is Status.REFUSED:
            raise RefusedError(told.code, told.reason, told.hold_id, told.retry_after_s)
        return outcome_of(told, self.key)

    async def take_back(self) -> None:
        """Withdraw what its caller no longer waits for, as far as it can be reached in time."""
        try:
            async with asyncio.timeout(TAKE_BACK_S):
                await self._learn_hold()
                if self.told.status not in FINAL and not self.joined:
                    await self.line.begin(Withdraw(hold_id=self.told.hold_id, reason=LET_GO))
        except (HoldpointError, TimeoutError) as error:
            self.stop()
            log.warning("hold_not_withdrawn", hold_id=self.told.hold_id, why=repr(error))

    def stop(self) -> None:
        """Try no more to publish it."""
        if self._publishing is not None:
            self._publishing.cancel()

    async def _ask(self, wait_s: float, known: Status | None) -> None:
        hold_id = self.told.hold_id
        question = AskHold(hold_id=hold_id, seq=self.seq, wait_s=wait_s, known=known)
        try:
            self.told = await self._first_of(self.line.ask(question))
        except UnavailableError as error:
            raise UnavailableError(error.text, self.key, hold_id) from error

    async def _first_of(self, answer: Coroutine[Any, Any, Envelope]) -> Envelope:
        """The gate's answer, or the call's own result, whichever comes first."""
        hearing = self._hearing
        if hearing is None:
            return await answer
        asking = asyncio.create_task(answer)
        either: set[asyncio.Future[Any]] = {asking, hearing.copy}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if (heard := hearing.told()) is not None:
                return heard
            told = await asking
        finally:
            asking.add_done_callback(_listened_to)
            asking.cancel()
        hearing.results.learn(hearing.tool, told)
        return told

    async def _look_once_more(self) -> None:
        """The time is over: how it stands now, as far as that is told at once."""
        if self.told.status not in FINAL:
            with contextlib.suppress(TimeoutError, UnavailableError):
                async with asyncio.timeout(LAST_LOOK_S):
                    await self._ask(0, None)

    async def _learn_hold(self) -> None:
        """A call that is not stored yet, or not judged yet, has no id to take back."""
        if self._publishing is not None:
            self.seq = await self._publishing
        while not self.told.hold_id:
            await self._ask(PAUSE_S, None)

    def _check_stored(self) -> None:
        """The time is over: what is stored can be resumed, what may not be is said so."""
        if not self.seq and not self.told.hold_id:
            self.stop()
            text = "Nothing was acknowledged in time. The same key repeats the same call."
            raise UnavailableError(text, self.key)


def _enough(call: Call | None, manner: Manner) -> frozenset[Status]:
    """Return the states that end the wait; nobody runs a dispatch: once open, it may be long."""
    if manner.wait:
        return FINAL
    is_dispatch = isinstance(call, Propose) and call.tool == DISPATCH
    return DECIDED | {Status.APPROVED} if is_dispatch else DECIDED


def is_to_be_run(told: Envelope) -> bool:
    """Return whether it was let go, and is for the program that asked to run."""
    return told.status is Status.APPROVED and told.domain == HOST_DOMAIN


def _listened_to(asking: asyncio.Task[Envelope]) -> None:
    """Drop the gate's answer about a call whose result was heard."""
    if not asking.cancelled():
        asking.exception()
