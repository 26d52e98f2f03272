"""An event loop with a clock of its own, and processes in it that die between any two awaits.

Nothing waits: when no callback is ready, the clock jumps to the next one that is due. Each callback
belongs to the process in whose context it was made. A dead process's callbacks are never called:
its coroutines stay where they were, and not even their `finally` blocks run.
"""

import asyncio
import contextvars
import heapq
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(eq=False, kw_only=True)
class Process:
    """One life of a service, of an agent or of a person."""

    name: str
    clock_off_s: float = 0.0
    """What its wall clock says is so much later than the broker's."""

    is_alive: bool = True
    fuse: int = 0
    """Callbacks until it dies; 0 burns not."""

    on_death: Callable[[], object] = bool
    context: contextvars.Context = field(default_factory=contextvars.Context)

    def __post_init__(self) -> None:
        self.context.run(CURRENT.set, self)

    def die(self) -> None:
        """End at once, as by SIGKILL."""
        if self.is_alive:
            self.is_alive = False
            self.on_death()


CURRENT: contextvars.ContextVar[Process] = contextvars.ContextVar("process")


class Loop(asyncio.BaseEventLoop):
    """Runs callbacks in order, at the times that they ask for."""

    _ready: deque[asyncio.Handle]
    _scheduled: list[Any]
    """As asyncio keeps them."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 0.0
        self.steps = 0
        self.errors: list[str] = []
        self._graveyard: list[asyncio.Handle] = []
        """Kept, so that what the dead were doing is not taken apart while others live."""

        self.set_exception_handler(self._on_error)

    def time(self) -> float:
        """Seconds since the beginning."""
        return self.now_s

    def spawn(self, process: Process, work: Any, name: str = "") -> asyncio.Task[Any]:
        """Have the process do this."""
        return self.create_task(work, name=name or process.name, context=process.context)

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
        if not self._ready:
            self._skip_cancelled()
            if not self._scheduled:
                raise RuntimeError("Everybody waits for somebody else.")
            self.now_s = max(self.now_s, self._scheduled[0]._when)
            while self._scheduled and self._scheduled[0]._when <= self.now_s:
                timer = heapq.heappop(self._scheduled)
                timer._scheduled = False
                self._ready.append(timer)
        handle = self._ready.popleft()
        process = handle._context.get(CURRENT, None)  # type: ignore[attr-defined]  # its own
        if process is not None and not process.is_alive:
            self._graveyard.append(handle)
            return
        if handle._cancelled:
            return
        self.steps += 1
        handle._run()
        if process is not None and process.fuse:
            process.fuse -= 1
            if not process.fuse:
                process.die()

    def _skip_cancelled(self) -> None:
        while self._scheduled and self._scheduled[0]._cancelled:
            heapq.heappop(self._scheduled)._scheduled = False

    def _on_error(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Keep what nobody awaited; what only the dead left behind is none."""
        if "was destroyed but it is pending" not in context["message"]:
            self.errors.append(f"{context['message']}: {context.get('exception')!r}")

    def _asyncgen_finalizer_hook(self, agen: Any) -> None:
        """Have nobody go on with a generator of the dead."""

    def _process_events(self, event_list: Any) -> None: ...

    def _write_to_self(self) -> None: ...
