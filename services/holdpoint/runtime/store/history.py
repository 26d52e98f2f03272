"""History of a hold and of its run: load the last fact, append the next one.

What is loaded was signed by a party that may say it, or it raises SignatureError. Beside the facts
stand a hold's alarms, which are hints, and the counters of rolling sums.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import msgspec
import structlog
from msgspec.structs import replace

from holdpoint.messages.base import Message
from holdpoint.messages.hold import (
    Answered,
    AnyHoldFact,
    Denied,
    Escalated,
    Extended,
    Halted,
    Hold,
    Parked,
    Refused,
    Reminded,
    Resolved,
    Resumed,
)
from holdpoint.messages.run import AnyRunFact
from holdpoint.messages.state import Alarm, TimerKind
from holdpoint.messages.subjects import (
    CALLS,
    FACT_WORDS,
    HOLDS,
    RUNS,
    TALLIES,
    TIMERS,
    Address,
    at_hold,
    at_refusal,
    at_run,
    hold_facts,
    refusal_subject,
    run_facts,
    stream,
    timer_subject,
)
from holdpoint.runtime.broker.connection import INCREMENT, MESSAGE_ID, OnStored
from holdpoint.runtime.errors import ConflictError, UnavailableError
from holdpoint.runtime.process import crash
from holdpoint.runtime.process.metrics import HOLD_S, REFUSALS
from holdpoint.runtime.store.journal import Append, Journal, Reader, Revision, Stored
from holdpoint.runtime.store.lru_cache import Recent

log = structlog.get_logger(__name__)

DAY_S = 24 * 60 * 60
"""Denials, and facts of level 1 and 2 that nobody is asked about, live no longer."""

LONG_LIVED_LEVEL = 3


@dataclass(frozen=True, kw_only=True)
class LoadedHold:
    """A hold as it stands, and the sequence of its last fact."""

    fact: AnyHoldFact
    seq: Revision

    @property
    def hold(self) -> Hold:
        """As it stands."""
        return self.fact.hold


@dataclass(frozen=True, kw_only=True)
class LoadedRun:
    """The last fact of a run, its sequence, and when the broker stored it."""

    fact: AnyRunFact
    seq: Revision
    at: datetime


class Holds:
    """The facts of holds on HOLDS."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._written: Recent[LoadedHold] = Recent()
        self._opened: Recent[str] = Recent()

    def opened(self, cause: str) -> str:
        """The hold that this call opened, where this process wrote so lately; else empty."""
        return self._opened.get(cause) or ""

    def written(self, hold_id: str) -> LoadedHold | None:
        """The last fact that this process wrote: a hint, which may be old by now."""
        return self._written.get(hold_id)

    async def load(self, agent: str, hold_id: str) -> LoadedHold | None:
        """The last fact of a hold carries the hold as it stands."""
        subject = hold_facts(self._journal.tenant, agent, hold_id)
        stored = await self._journal.reader.last(HOLDS, subject)
        if stored is None:
            return None
        self._journal.reader.check(stored)
        return LoadedHold(fact=hold_fact(stored.message), seq=stored.seq)

    async def append(self, fact: AnyHoldFact, after: Revision) -> LoadedHold:
        """Write the fact, unless the hold moved on since `after`."""
        seq = await self._journal.append(fact, at_hold(fact), after, _ttl_s(fact))
        return self._stored(LoadedHold(fact=fact, seq=seq), after)

    async def append_both(
        self, fact: AnyHoldFact, after: Revision, follows: AnyHoldFact
    ) -> LoadedHold:
        """Write a fact and the one that it leads to in one round trip; how it then stands.

        Where anything came between them in the stream, only the first is there.
        """
        seq, then = await self._journal.append_both(
            (fact, at_hold(fact)), after, (follows, at_hold(follows))
        )
        stands = self._stored(LoadedHold(fact=fact, seq=seq), after)
        return self._stored(LoadedHold(fact=follows, seq=then), seq) if then else stands

    def _stored(self, stands: LoadedHold, after: Revision) -> LoadedHold:
        _log_decision(stands.fact)
        hold = stands.hold
        if not after:
            self._opened.put(hold.causes[0], hold.hold_id)
        if hold.requirement is not None:
            self._written.put(hold.hold_id, stands)
        return stands

    def prepare(self, fact: AnyHoldFact, on_stored: OnStored) -> Append:
        """Encode the first fact of a hold that nobody is asked about, for `Journal.begin`."""
        return self._journal.prepare(fact, at_hold(fact), 0, _ttl_s(fact), on_stored)

    async def refuse(self, refused: Refused) -> None:
        """Keep a refusal, once for each refused message."""
        address = at_refusal(self._journal.tenant, refused.principal, refused.cause)
        try:
            await self._journal.append(refused, address, 0, _lives_s(refused.cause))
        except ConflictError:
            return
        REFUSALS.labels(refused.code).inc()
        log.info("refused", code=refused.code, principal=refused.principal, cause=refused.cause)

    async def refuse_together(self, refused: Refused) -> None:
        """Keep the refusal of several messages of one thousand, added to those kept before."""
        address = at_refusal(self._journal.tenant, refused.principal, refused.cause)
        while True:
            stored = await self._journal.reader.last(HOLDS, address.subject)
            before = self._refusal_in(stored)
            known = before.sequences if before else ()
            every = tuple(sorted({*known, *refused.sequences}))
            try:
                after = stored.seq if stored else 0
                told = replace(refused, sequences=every)
                await self._journal.append(told, address, after, _lives_s(refused.cause))
            except ConflictError:
                continue
            REFUSALS.labels(refused.code).inc(len(refused.sequences))
            return

    async def refusal(self, principal: str, cause: str) -> Refused | None:
        """Return what was refused of this message, if it was."""
        subject = refusal_subject(self._journal.tenant, principal, cause)
        return self._refusal_in(await self._journal.reader.last(HOLDS, subject))

    def _refusal_in(self, stored: Stored | None) -> Refused | None:
        if stored is None or not self._journal.reader.counts(stored):
            return None
        message = stored.message
        return message if isinstance(message, Refused) else None


class Runs:
    """The facts of runs on RUNS."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    async def load(self, domain: str, agent: str, hold_id: str) -> LoadedRun | None:
        """The last fact of a run."""
        subject = run_facts(self._journal.tenant, domain, agent, hold_id)
        return self._loaded(await self._journal.reader.last(RUNS, subject))

    async def has_begun(self, hold: Hold) -> bool:
        """Return whether anything at all is stored about the hold's run, believed or not."""
        domain = hold.action.domain if hold.action else ""
        subject = run_facts(self._journal.tenant, domain, hold.agent, hold.hold_id)
        return await self._journal.reader.last(RUNS, subject) is not None

    async def load_direct(self, domain: str, agent: str, hold_id: str) -> LoadedRun | None:
        """Load it as a worker may read it; nothing found means wait, never run."""
        subject = run_facts(self._journal.tenant, domain, agent, hold_id)
        return self._loaded(await self._journal.reader.last_direct(RUNS, subject))

    async def append(self, fact: AnyRunFact, hold: Hold, after: Revision) -> Revision:
        """Write the fact; `after=0` is the claim, and only one can win it."""
        address, ttl_s = self._place(fact, hold)
        return await self._journal.append(fact, address, after, ttl_s)

    def prepare_claim(self, fact: AnyRunFact, hold: Hold, on_stored: OnStored) -> Append:
        """Encode a claim, for `begin`."""
        address, ttl_s = self._place(fact, hold)
        return self._journal.prepare(fact, address, 0, ttl_s, on_stored)

    def begin(self, appends: Sequence[Append]) -> None:
        """Sign and send together what was prepared."""
        self._journal.begin(appends)

    def _place(self, fact: AnyRunFact, hold: Hold) -> tuple[Address, int]:
        domain = hold.action.domain if hold.action else ""
        address = at_run(self._journal.tenant, domain, hold.agent, fact)
        return address, DAY_S if hold.level < LONG_LIVED_LEVEL and not fact.held else 0

    def _loaded(self, stored: Stored | None) -> LoadedRun | None:
        if stored is None:
            return None
        self._journal.reader.check(stored)
        return LoadedRun(fact=run_fact(stored.message), seq=stored.seq, at=stored.at)


def _log_decision(fact: AnyHoldFact) -> None:
    """Log what was decided and by whom, without arguments; what passes unasked is only counted."""
    hold = fact.hold
    match fact:
        case Halted() | Denied():
            log.info(
                "halted" if isinstance(fact, Halted) else "denied",
                hold_id=hold.hold_id,
                agent=hold.agent,
                tool=hold.action.tool if hold.action else "",
                hold_level=hold.level,
                risk=hold.assessment.level.name.lower(),
            )
        case Answered():
            log.info("answered", hold_id=hold.hold_id, by=fact.by)
        case Resolved():
            ended = hold.resolved_at or hold.proposed_at
            took_s = (ended - hold.proposed_at).total_seconds()
            HOLD_S.labels(str(hold.level), fact.outcome.value).observe(took_s)
            log.info("resolved", hold_id=hold.hold_id, outcome=fact.outcome.value, by=fact.by)
        case Parked() | Reminded() | Escalated():
            log.info(FACT_WORDS[type(fact)], hold_id=hold.hold_id)
        case Extended():
            log.info("extended", hold_id=hold.hold_id, by=fact.by)
        case Resumed():
            log.info("resumed", hold_id=hold.hold_id, confirmed=fact.confirmed)
        case _:
            pass


def is_kept(fact: AnyHoldFact) -> bool:
    """Return whether it stays for as long as the stream remembers: what people are asked about, and
    what may have run at level 3 or higher.
    """
    runs_high = fact.hold.level >= LONG_LIVED_LEVEL and not isinstance(fact, Denied)
    return runs_high or fact.hold.requirement is not None


def _ttl_s(fact: AnyHoldFact) -> int:
    return 0 if is_kept(fact) else DAY_S


def _lives_s(refused: str) -> int:
    """Return how long a refusal is kept: a day for a call; 0, for ever, for an order."""
    return DAY_S if refused.startswith(f"{CALLS}@") else 0


def run_fact(message: Message) -> AnyRunFact:
    """A message that must be a run's fact."""
    if not isinstance(message, AnyRunFact):
        raise UnavailableError(f"RUNS holds a {type(message).__name__}.")
    return message


def hold_fact(message: Message) -> AnyHoldFact:
    """A message that must be a hold's fact."""
    if not isinstance(message, AnyHoldFact):
        raise UnavailableError(f"HOLDS holds a {type(message).__name__}.")
    return message


class Timers:
    """Set, find and cancel the alarms of holds."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    async def arm(self, agent: str, hold_id: str, kind: TimerKind, at: datetime) -> None:
        """Ring at that time; an alarm of this kind that was set before is replaced."""
        subject = self._subject("set", agent, hold_id, kind)
        alarm = Alarm(agent=agent, hold_id=hold_id, kind=kind, at=at)
        address = Address(kind=TIMERS, subject=subject, guard=subject)
        await self._journal.schedule(alarm, address, at, self._subject("due", agent, hold_id, kind))

    async def is_armed(self, agent: str, hold_id: str, kind: TimerKind) -> bool:
        """Return whether this alarm is still set."""
        subject = self._subject("set", agent, hold_id, kind)
        stored = await self._journal.reader.last(TIMERS, subject)
        return stored is not None and self._journal.reader.counts(stored)

    async def cancel(self, agent: str, hold_id: str, kind: TimerKind) -> None:
        """Do not ring."""
        await self._journal.unschedule(TIMERS, self._subject("set", agent, hold_id, kind))

    def _subject(self, lane: str, agent: str, hold_id: str, kind: TimerKind) -> str:
        return timer_subject(self._journal.tenant, lane, agent, hold_id, kind.value)


class _Value(msgspec.Struct):
    val: str


_values = msgspec.json.Decoder(_Value)


class Tallies:
    """The counters of one tenant."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._stream = stream(reader.tenant, TALLIES)

    async def add(self, subject: str, amount: int, once: str) -> None:
        """Add to a counter, or take from it: once, however often it is said by this id.

        RefusedByBrokerError when it was not counted, UnknownOutcomeError when nobody knows.
        """
        crash.passing("publish", "tally", "before")
        headers = {INCREMENT: f"{amount:+d}", MESSAGE_ID: once}
        await self._reader.requests.publish(subject, b"", self._stream, headers)
        crash.passing("publish", "tally", "after")

    async def value(self, subject: str) -> int:
        """Return how far a counter has come; 0 when it was never begun."""
        stored = await self._reader.last(TALLIES, subject)
        if stored is None:
            return 0
        try:
            return int(_values.decode(stored.data).val)
        except (msgspec.DecodeError, ValueError) as error:
            raise UnavailableError(f"{subject} holds no number: {error}") from error
