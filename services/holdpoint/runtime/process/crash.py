"""Crash points, for the fault runs: `HP_CRASH=step:n` has a process kill itself at a step.

`HP_CRASH=publish.halt.before:2` kills it when it is about to write its second HALT. With `:stop`
behind, the process stands still there instead, until somebody sends it SIGCONT.

    publish.<type>.<before, after>      a fact, card, state, alarm or tally; after: acknowledged
    unschedule.<before, after>          an alarm is taken back
    ack.<kind of stream>.<before, after>
    effect.<before, after>              the tool itself
    commit.<before, within, after>      the ledger's transaction
    coordinator.<call, dispatch, response>.<before, after>, coordinator.answer.before

It can do nothing but stop the very process that was started with it.
"""

import os
import signal
from dataclasses import dataclass

from holdpoint.runtime.errors import SetupError

VARIABLE = "HP_CRASH"
STAND_STILL = "stop"


@dataclass(kw_only=True)
class Point:
    """The step that is not survived, and how often it still is."""

    step: str
    left: int
    how: signal.Signals

    def reached(self) -> None:
        """Count one more pass; the last one ends the process here."""
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), self.how)


def point_of(told: str) -> Point | None:
    """`step:n` or `step:n:stop`; empty means that nothing is to happen."""
    if not told:
        return None
    step, _, rest = told.partition(":")
    times, _, how = rest.partition(":")
    if not times.isdecimal() or how not in {"", STAND_STILL}:
        raise SetupError(f"{VARIABLE} is `step:n` or `step:n:{STAND_STILL}`, not {told!r}.")
    return Point(step=step, left=int(times), how=signal.SIGSTOP if how else signal.SIGKILL)


_point = point_of(os.environ.get(VARIABLE, ""))


def is_set() -> bool:
    """Return whether this process is to die somewhere."""
    return _point is not None


def passing(*step: str) -> None:
    """Go no further, if this is the step and the time that HP_CRASH names."""
    if _point is not None and _point.step == ".".join(step):
        _point.reached()
