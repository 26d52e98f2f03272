"""One call on its way: published, followed until it is decided, taken back if its caller lets go.

The wait is made of short questions: each one may be lost, and the next one asks the same again.
"""

import asyncio
import contextlib
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

import structlog

from holdpoint.client.errors import HoldpointError, RefusedError, UnavailableError
from holdpoint.client.line import ASK_WAIT_S, Line
from holdpoint.client.outcome import Outcome, outcome_of
from holdpoint.client.results import Hearing
from holdpoint.client.words import Manner
from holdpoint.messages.ask import JUDGED_BY_S, AskHold
from holdpoint.messages.base import is_id
from holdpoint.messages.call import Call, Propose, Withdraw
from holdpoint.messages.envelope import FINAL, TOO_MANY_CALLS, UNKNOWN_HOLD, Envelope, Status
from holdpoint.messages.subjects import calls_of, command_id, stream

log = structlog.get_logger(__name__)

PAUSE_S = 0.05
"""Between two answers that say the same."""

TAKE_BACK_S = 5.0
"""How long a cancelled caller is kept for its withdrawal to be stored."""

LAST_LOOK_S = 0.5
"""How much longer than it said a caller is kept for a last word."""

SPREAD = 16
"""Calls that were too many come again over twice the time that they were told, in so many steps."""

LET_GO = "The agent stopped waiting."
NOTHING_YET = Envelope(status=Status.WAITING)
DECIDED = FINAL | {Status.PENDING_CONFIRMATION}


@dataclass(eq=False, kw_only=True)
class Pursuit:
    """What is known of one call so far."""

    line: Line
    key: str = ""
    key_is_ours: bool = False
    """Nobody else can have used it: what was processed before is our own first try."""

    seq: int = 0
    told: Envelope = NOTHING_YET
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
        try:
            async with asyncio.timeout(manner.timeout):
                await (self.look() if call is None else self._make(call))
                await self.follow(FINAL if manner.wait else DECIDED)
                while call is not None and self._may_try_again():
                    await self._try_again(call)
                    await self.follow(FINAL if manner.wait else DECIDED)
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

    def _may_try_again(self) -> bool:
        """Whether it was one call too many, and soon is no longer."""
        too_many = self.told.code == TOO_MANY_CALLS and self.told.status is Status.REFUSED
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
        while self.told.status not in enough:
            known = self.told.status
            await self._ask(ASK_WAIT_S, Status.APPROVED if known is Status.WAITING else known)
            if self.told.status is known:
                await asyncio.sleep(PAUSE_S)
        if self.told.status is Status.ALREADY_PROCESSED and self.key_is_ours:
            self.seq = 0
            await self._ask(0, None)

    async def look(self) -> None:
        """How does a hold stand that was told before? One that nobody knows is refused in time."""
        await self._ask(JUDGED_BY_S, None)

    def outcome(self) -> Outcome:
        """What is known; raises RefusedError when the call did not count."""
        told = self.told
        if told.status is Status.REFUSED:
            raise RefusedError(told.code, told.reason, told.hold_id)
        return outcome_of(told, self.key)

    async def take_back(self) -> None:
        """Withdraw what its caller no longer waits for, as far as it can be reached in time."""
        try:
            async with asyncio.timeout(TAKE_BACK_S):
                await self._learn_hold()
                if self.told.status not in FINAL:
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


def _listened_to(asking: asyncio.Task[Envelope]) -> None:
    """Whatever the gate says of a call whose result was heard, nobody needs it."""
    if not asking.cancelled():
        asking.exception()
