"""Client for programs without an event loop: each method runs on a loop in its own thread."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from contextvars import Token
from typing import Any, Concatenate, ParamSpec, Self, TypeVar, Unpack

from holdpoint.client.call_tracker import TAKE_BACK_S
from holdpoint.client.holdpoint import Holdpoint
from holdpoint.client.options import Way
from holdpoint.client.outcome import UnavailableError
from holdpoint.client.traced_cycles import Cycle, current
from holdpoint.runtime.config.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")

ENDS_WITHIN_S = TAKE_BACK_S + 1


def _blocking(
    method: Callable[Concatenate[Holdpoint, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate["SyncHoldpoint", P], T]:
    """The method, run on the loop's thread."""

    def run(self: "SyncHoldpoint", /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.run(method(self.hp, *args, **kwargs))

    run.__doc__ = method.__doc__
    return run


class SyncHoldpoint:
    """`Holdpoint` without `await`: the same methods, arguments, outcomes and errors."""

    def __init__(self, hp: Holdpoint) -> None:
        self.hp = hp
        self._loop: asyncio.AbstractEventLoop | None = None

    @classmethod
    def connect(
        cls, agent: str, settings: Settings | None = None, **way: Unpack[Way]
    ) -> "SyncHoldpoint":
        """Say who speaks and where; `with` then connects."""
        return cls(Holdpoint.connect(agent, settings, **way))

    def __enter__(self) -> Self:
        """Connect. Raises UnavailableError when nobody is there."""
        self._loop = asyncio.new_event_loop()
        threading.Thread(
            target=_run_loop, args=(self._loop,), name="holdpoint", daemon=True
        ).start()
        try:
            self.run(self.hp.__aenter__())
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Finish the withdrawals in hand, then close."""
        try:
            self.run(self.hp.__aexit__())
        finally:
            self._stop()

    call = _blocking(Holdpoint.call)
    say = _blocking(Holdpoint.say)
    plan = _blocking(Holdpoint.plan)
    request_confirmation = _blocking(Holdpoint.request_confirmation)
    withdraw = _blocking(Holdpoint.withdraw)
    outcome = _blocking(Holdpoint.outcome)
    resume = _blocking(Holdpoint.resume)
    begin = _blocking(Holdpoint.begin)
    finish = _blocking(Holdpoint.finish)
    search_tools = _blocking(Holdpoint.search_tools)
    get_tools_for_domain = _blocking(Holdpoint.get_tools_for_domain)
    trace = _blocking(Holdpoint.trace)

    def cycle(self, user_input: str, *, dispatched_by: str = "", group_id: str = "") -> "SyncCycle":
        """From a user's input to an answer: `Holdpoint.cycle`, as `with`."""
        made = self.hp.cycle(user_input, dispatched_by=dispatched_by, group_id=group_id)
        return SyncCycle(self, made)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for the work. Anyone who interrupts the wait cancels it, and waits for its end."""
        if self._loop is None:
            work.close()
            raise UnavailableError("Not connected: with SyncHoldpoint.connect(...) as hp")
        ended = threading.Event()
        future = asyncio.run_coroutine_threadsafe(_told(work, ended), self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            ended.wait(ENDS_WITHIN_S)
            raise

    def _stop(self) -> None:
        loop, self._loop = self._loop, None
        if loop is not None:
            loop.call_soon_threadsafe(loop.stop)


class SyncCycle:
    """One cycle; `with` opens and closes it."""

    def __init__(self, hp: SyncHoldpoint, cycle: Cycle) -> None:
        self.cycle = cycle
        self._hp = hp
        self._entered: Token[Cycle | None] | None = None

    def __enter__(self) -> Self:
        """Open its root. Calls of this thread are its children from now on."""
        self._hp.run(self.cycle.open())
        self._entered = current.set(self.cycle)
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        """Close it, where nothing was answered: with what went wrong."""
        if self._entered is not None:
            current.reset(self._entered)
        self._hp.run(self.cycle.give_up(error))

    def answer(self, text: str) -> None:
        """Close it with the agent's answer; a dispatch that it answers ends."""
        self._hp.run(self.cycle.answer(text))


async def _told(work: Coroutine[Any, Any, T], ended: threading.Event) -> T:
    try:
        return await work
    finally:
        ended.set()


def _run_loop(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_forever()
    loop.close()
