"""One-time codes: each counts once, wrong ones are counted, and too many end a person's say.

A try is decided on a person's state before anybody learns what came of it: anyone who writes the
state by compare-and-set makes that true for several gates, and across restarts.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

import msgspec
from msgspec.structs import replace

from holdpoint.messages.hold import Reason
from holdpoint.messages.state import StepUpState, UsedCode, WrongCode

MOST_ON_A_HOLD = 5
"""Wrong codes that end a person's say on one hold."""

MOST_AN_HOUR = 10
"""Wrong codes that lock a person until an hour after the first of them."""

MOST_REMEMBERED = 100
"""Wrong codes that lock a person until one of them counts no more: NIST SP 800-63B's limit."""

HOUR = timedelta(hours=1)

REMEMBERED_USES = 16
"""Codes that counted: a message that comes again finds its own among them."""


class Try(msgspec.Struct, frozen=True, kw_only=True):
    """One code as it came in, compared with the secret."""

    cause: str
    hold_id: str
    at: datetime
    """The broker's timestamp of the message that it came in."""

    until: datetime
    """Until when the hold can be answered."""

    step: int | None
    """The half minute that it is the code of; None when it is wrong."""


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """The person's state afterwards, and why the code does not count."""

    state: StepUpState
    reason: Reason | None = None


def judge(state: StepUpState, it: Try) -> Judged:
    """Decide one try; a message that comes again is told what it was told before."""
    if it.cause in {each.cause for each in state.used}:
        return Judged(state=state)
    if it.cause in {each.cause for each in state.wrong}:
        return Judged(state=state, reason=Reason.CODE_WRONG)
    reason = closed(state, it.hold_id, it.at)
    if reason is None and it.step is None:
        return Judged(state=_with_wrong(state, it), reason=Reason.CODE_WRONG)
    if reason is not None or it.step is None or _was_used(state, it.step):
        return Judged(state=state, reason=reason or Reason.CODE_USED)
    used = (*state.used, UsedCode(step=it.step, cause=it.cause))[-REMEMBERED_USES:]
    return Judged(state=replace(state, used=used))


def closed(state: StepUpState, hold_id: str, at: datetime) -> Reason | None:
    """Why no code of this person is looked at, whatever it is; None while tries are left."""
    if not state.sealed:
        return Reason.NO_CODES
    wrong = _counting(state.wrong, at)
    if len(wrong) >= MOST_REMEMBERED or sum(at < it.at + HOUR for it in wrong) >= MOST_AN_HOUR:
        return Reason.LOCKED
    on_hold = sum(it.hold_id == hold_id for it in wrong) if hold_id else 0
    return Reason.TRIES_OVER if on_hold >= MOST_ON_A_HOLD else None


def _was_used(state: StepUpState, step: int) -> bool:
    """Return whether this code or a later one counted: older ones never do afterwards."""
    return bool(state.used) and step <= state.used[-1].step


def _with_wrong(state: StepUpState, it: Try) -> StepUpState:
    wrong = WrongCode(cause=it.cause, hold_id=it.hold_id, at=it.at, until=it.until)
    return replace(state, wrong=(*_counting(state.wrong, it.at), wrong))


def _counting(wrong: Iterable[WrongCode], at: datetime) -> tuple[WrongCode, ...]:
    """Those that still count, for their hold or for the hour."""
    return tuple(it for it in wrong if at < max(it.until, it.at + HOUR))
