"""An event loop with a clock of its own, and processes in it that die between any two awaits.

Nothing waits: when no callback is ready, the clock jumps to the next one that is due. Each callback
belongs to the process in whose context it was made. A dead process's callbacks are never called:
its coroutines stay where they were, and not even their `finally` blocks run.
"""

import asyncio
import contextvars
import heapq
from collections import deque
from collections.abc import Callable, Sequence
from contextvars import Context
from dataclasses import dataclass, field
from typing import Any


@dataclass(eq=False, kw_only=True)
class Process:
    """One life of a service, of an agent or of a person."""

    name: str
    clock_off_s: float = 0.0
    """What its wall clock says is so much later than the broker's."""

    is_alive: bool = True
    stands_until: float = 0.0
    """It stands still so long, as by SIGSTOP: what it had to do comes in order afterwards."""

    fuse: int = 0
    """Callbacks until it dies, or stands still; 0 burns not."""

    stands_s: float = 0.0
    """How long it stands still when the fuse has burnt; 0: it dies."""

    on_death: Callable[[], object] = bool
    context: Context = field(default_factory=Context)

    def __post_init__(self) -> None:
        self.context.run(CURRENT.set, self)

    def burn(self, now_s: float) -> None:
        """One callback less until it fails."""
        if self.fuse:
            self.fuse -= 1
            if not self.fuse:
                self.fails(now_s)

    def fails(self, now_s: float) -> None:
        """Die, or stand still for a while."""
        if self.stands_s:
            self.stands_until, self.stands_s = now_s + self.stands_s, 0.0
        else:
            self.die()

    def die(self) -> None:
        """End at once, as by SIGKILL."""
        if self.is_alive:
            self.is_alive = False
            self.on_death()


CURRENT: contextvars.ContextVar[Process] = contextvars.ContextVar("process")


class Handle:
    """A callback to come; asyncio's own costs four times as much and compares by itself."""

    __slots__ = ("args", "callback", "context", "is_cancelled")

    def __init__(
        self, callback: Callable[..., object], args: Sequence[Any], context: Context | None
    ) -> None:
        self.callback: Callable[..., object] | None = callback
        self.args = args
        self.context = contextvars.copy_context() if context is None else context
        self.is_cancelled = False

    def cancel(self) -> None:
        """Never call it."""
        self.is_cancelled = True
        self.callback, self.args = None, ()

    def cancelled(self) -> bool:
        """Return whether it will never be called."""
        return self.is_cancelled


class Loop(asyncio.BaseEventLoop):
    """Runs callbacks in order, at the times that they ask for."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 0.0
        self.steps = 0
        self.errors: list[str] = []
        self._turn: deque[Handle] = deque()
        self._later: list[tuple[float, int, Handle]] = []
        self._timers = 0
        """Made so far: of one moment the first made comes first."""

        self._graveyard: list[Handle] = []
        """Kept, so that what the dead were doing is not taken apart while others live."""

        self.set_exception_handler(self._on_error)

    def time(self) -> float:
        """Seconds since the beginning."""
        return self.now_s

    def spawn(self, process: Process, work: Any, name: str = "") -> asyncio.Task[Any]:
        """Have the process do this."""
        return self.create_task(work, name=name or process.name, context=process.context)

    def call_soon(  # type: ignore[override]  # a handle of its own
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> Handle:
        """Call it in its turn."""
        handle = Handle(callback, args, context)
        self._turn.append(handle)
        return handle

    def call_at(  # type: ignore[override]  # a handle of its own
        self, when: float, callback: Callable[..., object], *args: Any,
        context: Context | None = None,
    ) -> Handle:  # fmt: skip
        """Call it when the clock is there."""
        handle = Handle(callback, args, context)
        self._put_off(when, handle)
        return handle

    def call_later(  # type: ignore[override]  # a handle of its own
        self, delay: float, callback: Callable[..., object], *args: Any,
        context: Context | None = None,
    ) -> Handle:  # fmt: skip
        """Call it so much later."""
        return self.call_at(self.now_s + delay, callback, *args, context=context)

    def _put_off(self, when: float, handle: Handle) -> None:
        self._timers += 1
        heapq.heappush(self._later, (when, self._timers, handle))

    def run_in_executor(  # type: ignore[override]  # without the types of what is done
        self, executor: Any, func: Any, *args: Any
    ) -> asyncio.Future[Any]:
        """Do it at once: threads would take turns by chance."""
        del executor
        future = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:  # noqa: BLE001  # whoever awaits it gets it
            future.set_exception(error)
        return future

    def _run_once(self) -> None:
        """Run until somebody stops the loop."""
        turn = self._turn
        while not self._stopping:  # type: ignore[attr-defined]  # as asyncio keeps it
            if not turn:
                self._jump()
            handle = turn.popleft()
            process = handle.context.get(CURRENT)
            if process is None:
                self._call(handle)
            elif not process.is_alive:
                self._graveyard.append(handle)
            elif process.stands_until > self.now_s:
                self._put_off(process.stands_until, handle)
            else:
                self._call(handle)
                process.burn(self.now_s)

    def _call(self, handle: Handle) -> None:
        callback = handle.callback
        if callback is None:
            return
        self.steps += 1
        try:
            handle.context.run(callback, *handle.args)
        except Exception as error:  # noqa: BLE001  # as asyncio: told, and the loop goes on
            self.call_exception_handler({"message": f"in {callback!r}", "exception": error})

    def _jump(self) -> None:
        """Go to the next moment at which something is due."""
        later = self._later
        while later and later[0][2].is_cancelled:
            heapq.heappop(later)
        if not later:
            raise RuntimeError("Everybody waits for somebody else.")
        self.now_s = max(self.now_s, later[0][0])
        while later and later[0][0] <= self.now_s:
            self._turn.append(heapq.heappop(later)[2])

    def _on_error(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Keep what nobody awaited; what only the dead left behind is none."""
        if "was destroyed but it is pending" not in context["message"]:
            self.errors.append(f"{context['message']}: {context.get('exception')!r}")

    def _asyncgen_finalizer_hook(self, agen: Any) -> None:
        """Have nobody go on with a generator of the dead."""

    def _process_events(self, event_list: Any) -> None: ...

    def _write_to_self(self) -> None: ...
