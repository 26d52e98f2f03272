"""Timeline of a hold, line by line, from the ledger.

Bodies hold arguments and the agent's words uncovered. A line says only who did what and when; the
words that were masked for people stand on the card.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, TypeAlias, assert_never

from msgspec.structs import replace

from holdpoint.core.card_facts import in_place_of
from holdpoint.core.quorum import approvers, enough, needed
from holdpoint.ledger.entries import Record
from holdpoint.ledger.pages import Told
from holdpoint.messages import hold, run
from holdpoint.messages.answer import Answer, Choice
from holdpoint.messages.base import Message, Value
from holdpoint.messages.call import Intent, Propose, Withdraw
from holdpoint.messages.codec import UnreadableError, decode_data
from holdpoint.messages.envelope import REPEATED
from holdpoint.messages.hold import EndedBy, Grant, Outcome
from holdpoint.messages.subjects import ADMIN

ANSWER, HALT, RESOLVE = "answer", "HALT", "RESOLVE"


class Line(Value, frozen=True, kw_only=True):
    """One thing that happened."""

    at: datetime
    word: str
    """The fact's word; HALT, RENDER, RESOLVE and RESUME as people know them."""

    who: str
    through: str
    """Where they said it, if they are a person."""

    text: str
    seq: int
    """Its place in the ledger."""

    verified: bool | None
    gap: str = ""
    """Time since the line before it; empty for less than a second."""

    @property
    def has_names_only(self) -> bool:
        """Return whether its text is ours but for names and numbers: nobody's own words."""
        return self.word in {HALT, RESOLVE, ANSWER}


class Account(Value, frozen=True, kw_only=True):
    """Who was asked, who has answered, and what came of it, as the gate's newest fact says."""

    asked: tuple[tuple[str, tuple[str, ...]], ...]
    """Each group, and its people when the hold was halted."""

    said_yes: tuple[str, ...]
    needed: int
    grant: Grant | None
    """Leave to run it, once that was given."""


def account_of(story: Iterable[Told]) -> Account | None:
    """Return what the gate's facts tell; None while there are none."""
    messages = [_message(told.record) for told in story]
    facts = [it for it in messages if isinstance(it, hold.HoldFact)]
    if not facts:
        return None
    last = facts[-1].hold
    grants = [it.grant for it in facts if isinstance(it, _GRANTING) and it.grant is not None]
    return Account(
        asked=tuple(sorted(approvers(last).items())),
        said_yes=tuple(in_place_of(it.person, it.on_behalf_of) for it in last.voices),
        needed=needed(last.requirement),
        grant=grants[-1] if grants else None,
    )


_GRANTING = (hold.Passed, hold.Witnessed, hold.Resumed)


def lines_of(story: Iterable[Told]) -> tuple[Line, ...]:
    """The story in order; events that say nothing to people (cards) are left out."""
    lines = [line for told in story if (line := _line(told)) is not None]
    halted = next((line.at for line in lines if line.word == HALT), None)
    before = [lines[0].at, *(line.at for line in lines)] if lines else []
    return tuple(
        replace(_with_wait(line, halted), gap=_gap(line.at - last))
        for line, last in zip(lines, before, strict=False)
    )


def _gap(time: timedelta) -> str:
    return f"+{lasting(time)}" if time >= timedelta(seconds=1) else ""


def _with_wait(line: Line, halted: datetime | None) -> Line:
    """The line, and on the one that settles the hold how long people took."""
    if line.word != RESOLVE or halted is None:
        return line
    return replace(line, text=f"{line.text}, after {lasting(line.at - halted)}")


def lasting(time: timedelta) -> str:
    """`8 min 31 s`: the two largest units."""
    seconds = max(0, round(time.total_seconds()))
    days, hours = divmod(seconds // 3600, 24)
    minutes, seconds = seconds // 60 % 60, seconds % 60
    units = {"d": days, "h": hours, "min": minutes, "s": seconds}
    named = [f"{count} {unit}" for unit, count in units.items() if count]
    return " ".join(named[:2]) or "0 s"


def _line(told: Told) -> Line | None:
    record = told.record
    message = _message(record)
    if type(message) not in _TEXTS or _is_repeat(message):
        return None
    word, text = _TEXTS[type(message)]
    return Line(
        at=record.entry.at,
        word=word,
        who=_who(record),
        through=record.entry.subject.split(".")[3] if isinstance(message, Answer) else "",
        text=text(message),
        seq=record.seq,
        verified=told.verified,
    )


def _is_repeat(message: Message | None) -> bool:
    """Return whether it only says that a call came again: programs do so to learn its result."""
    return isinstance(message, hold.Refused) and message.code == REPEATED


def _who(record: Record) -> str:
    principal = record.place.principal or ""
    domain = principal.removeprefix("domain:")
    return f"{domain} worker" if domain != principal else principal


def _message(record: Record) -> Message | None:
    if record.event is None:
        return None
    try:
        return decode_data(record.event)
    except UnreadableError:
        return None


def _pressed(answer: Answer) -> str:
    seen = (
        f"; the card was in view for {answer.seconds_shown:.0f} s" if answer.seconds_shown else ""
    )
    place = f" in {answer.on_behalf_of}'s place" if answer.on_behalf_of else ""
    if answer.answer is Choice.EXTEND:
        return f"asked for {answer.extend_s} s more{place}"
    return f"{_DID[answer.answer]}{place}{seen}"


_DID = {
    Choice.PROCEED: "pressed Proceed",
    Choice.CANCEL: "pressed Cancel",
    Choice.MODIFY: "changed the call",
    Choice.HAPPENED: "found that it happened",
    Choice.DID_NOT_HAPPEN: "found that it did not happen",
}


def _resolved(fact: hold.Resolved) -> str:
    match fact.outcome:
        case Outcome.CONFIRMED:
            named = (in_place_of(it.person, it.on_behalf_of) for it in fact.hold.voices)
            return f"settled: confirmed by {', '.join(named)}"
        case Outcome.CANCELLED:
            return f"settled: {_cancelled(fact)}"
        case Outcome.EXPIRED:
            return "settled: nobody answered in time"
        case Outcome.WITHDRAWN:
            return f"settled: withdrawn by {fact.by or 'the agent'}"
        case Outcome.SUPERSEDED:
            by = f"{in_place_of(fact.by, fact.hold.closed_for)} changed it, and "
            changed = by if fact.hold.ended_by is EndedBy.PERSON else ""
            return f"settled: {changed}something else took its place"
        case _:
            assert_never(fact.outcome)


def _cancelled(fact: hold.Resolved) -> str:
    """Return the kill switch for an order on ADMIN, else a person's own no."""
    if fact.cause.partition(":")[0] != ADMIN:
        return f"cancelled by {in_place_of(fact.by, fact.hold.closed_for)}"
    return f"stopped by the kill switch, which {fact.by or 'somebody'} threw"


def _halted(fact: hold.Halted) -> str:
    return f"stopped it and asks people; risk {fact.hold.assessment.level.value}"


def _counted(fact: hold.Answered) -> str:
    return f"counted the yes of {fact.by}; it waits for others"


def _reminded(fact: hold.Reminded) -> str:
    soon = fact.hold.outcome is Outcome.CONFIRMED
    return "told people that it is about to run" if soon else "told people again that it waits"


def _escalated(fact: hold.Escalated) -> str:
    asked = fact.hold.requirement
    group = asked.escalate.group if asked and asked.escalate else "the backup group"
    return f"asked {group} too"


def _extended(fact: hold.Extended) -> str:
    made = fact.hold.extensions[-1]
    who = in_place_of(made.by, made.on_behalf_of)
    return f"moved the deadline to {made.until:%Y-%m-%d %H:%M} UTC for {who}: {made.reason}"


def _resumed(fact: hold.Resumed) -> str:
    if fact.hold.taken:
        return f"let step {len(fact.hold.taken)} of the plan begin"
    if fact.confirmed:
        return "told the agent yes"
    late = enough(fact.hold) and fact.hold.outcome is Outcome.CANCELLED
    return "told the agent no: the kill switch was thrown" if late else "told the agent no"


def _refused(fact: hold.Refused) -> str:
    return f"was told that it does not count: {fact.code.replace('_', ' ')}"


def _finished(fact: run.Finished) -> str:
    return f"reported: {fact.status.value.replace('_', ' ')}"


def _reconciled(fact: run.Reconciled) -> str:
    found = "it happened" if fact.happened else "it did not happen"
    return f"wrote down what {fact.by} found: {found}. {fact.note}"


def _always(text: str) -> Callable[[Any], str]:
    return lambda _: text


_Text: TypeAlias = tuple[str, Callable[[Any], str]]

_TEXTS: Mapping[type[Message] | type[None], _Text] = {
    Propose: ("propose", _always("proposed it")),
    Intent: ("intent", _always("said what it is about to do")),
    Withdraw: ("withdraw", _always("wants to take it back")),
    Answer: (ANSWER, _pressed),
    hold.Passed: ("passed", _always("let it run without asking")),
    hold.Witnessed: ("witnessed", _always("let it run, and people are told")),
    hold.Denied: ("denied", _always("refused it at once; nobody was asked")),
    hold.Halted: (HALT, _halted),
    hold.Rendered: ("RENDER", _always("drew the card that people see")),
    hold.Answered: ("answered", _counted),
    hold.Parked: ("parked", _always("parked it: nobody answered in time, and people still may")),
    hold.Reminded: ("reminded", _reminded),
    hold.Escalated: ("escalated", _escalated),
    hold.Extended: ("extended", _extended),
    hold.Resolved: (RESOLVE, _resolved),
    hold.Resumed: ("RESUME", _resumed),
    hold.Refused: ("refused", _refused),
    run.Started: ("started", _always("claimed it and began")),
    run.Finished: ("finished", _finished),
    run.Barred: ("barred", _always("stopped it before it started")),
    run.Lapsed: ("lapsed", _always("closed it: approved, but not started in time")),
    run.Reconciled: ("reconciled", _reconciled),
}
