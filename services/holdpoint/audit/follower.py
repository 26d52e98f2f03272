"""The audit's way through its streams: each is read from where the ledger ends, and entered.

The ledger itself holds the place, so nothing is acknowledged and nothing is entered twice. Each
read begins with the last message that was entered: while that is the same, so is the history
before it. Sequences join without a gap, or reading stands still there; so it does at a stream that
is not the one that the ledger knows.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from itertools import chain

import structlog
from msgspec.structs import replace

from holdpoint.audit.hold_metrics import HoldMetrics, open_levels
from holdpoint.audit.stream_reader import BATCH, About, StreamReader
from holdpoint.ledger.entries import Entry
from holdpoint.ledger.own_events import bind_origins, note_origin, note_refill
from holdpoint.ledger.positions import Position, position_of
from holdpoint.ledger.tree import size_of
from holdpoint.ledger.writer import Ledger, check_repeat
from holdpoint.messages.subjects import ERASURES, HOLDS, kind_of, tenant_of
from holdpoint.runtime.errors import HistoryError, HoldpointError, UnavailableError
from holdpoint.runtime.process import clock, crash
from holdpoint.runtime.process.metrics import LEDGER_ROWS

log = structlog.get_logger(__name__)

REST_S = 0.25
"""Delay with which something may stand in the ledger: what gathers is cheaper."""

LONGEST_REST_S = 0.8
"""Of a stream on which nothing happens."""

IDLE_READS_PER_S = 10
"""Of all agents' idle streams together. With hundreds of agents each is read more rarely than
after LONGEST_REST_S; one whose agent is mentioned on HOLDS is read together with HOLDS."""

AWAY_S = 1.0
"""Before a stream that could not be read is read again."""

PASSES_S = 5.0
"""A stream that a flood kept from being read is read again by then; only later is it a fault."""

CHECK_S = 5.0
"""How often the leader is asked about a stream whose last message is no longer there to compare."""

GAP_STAYS_S = 5.0
"""Time that messages may be missing: a replica lags behind its leader for less."""


NEVER = float("-inf")
NO_BODY = sha256(b"").hexdigest()


@dataclass(eq=False, kw_only=True)
class _Stream:
    """One stream, and how far it was read."""

    name: str
    agent: str
    """Whose calls these are; empty for the other kinds."""

    position: Position | None = None
    read_to: int = 0
    longest_rest_s: float
    due: float = 0.0
    checked_at: float = NEVER
    shorter_since: float = NEVER
    """Since when the broker has said that it ends before the ledger does."""

    gap: "_Gap | None" = None
    settled_to: int = 0
    """What is missing up to here has been missing for a while: it never comes."""

    problem: str = ""
    failing_since: float = NEVER
    """Since when it could not be read; a busy broker passes by itself."""

    is_warned: bool = False
    is_known: bool = False
    """It was read to its end once: what ERASURES says is to be known before anything else."""

    is_halted: bool = False
    """Nothing more of it is entered before a person has looked."""


TOLD_TOGETHER = 3
"""So many streams that cannot be read have one cause, which is told once."""


@dataclass(frozen=True, kw_only=True)
class _Gap:
    """Messages that are not there although later ones are."""

    since: float
    last_seq: int
    """Where the stream ended when it was noticed."""


@dataclass(eq=False, kw_only=True)
class Follower:
    """Every audited stream on its way into one ledger."""

    reader: StreamReader
    ledger: Ledger
    streams: Sequence[str]
    stale_s: float = 0.0
    """Time for which a broker may say less than it has: one that stood still catches up."""

    metrics: HoldMetrics = field(default_factory=HoldMetrics)
    _streams: list[_Stream] = field(default_factory=list)
    _has_begun: bool = False
    _problem: str = ""
    _damage: str = ""

    async def begin_metrics(self) -> None:
        """Count the holds that are open; a ledger that cannot say so now starts from none."""
        try:
            self.metrics.begin(await self.ledger.read(open_levels))
        except HoldpointError as error:
            log.warning("open_holds_not_counted", error=str(error))

    async def begin(self) -> None:
        """Say in a ledger that is new that its streams are not; later it is tried again."""
        try:
            await self._begin()
        except HoldpointError as error:
            log.warning("ledger_not_begun", error=str(error))

    async def _begin(self) -> None:
        holds = next((it for it in self.streams if kind_of(it) == HOLDS), None)
        if (
            holds
            and not await self.ledger.read(size_of)
            and (await self.reader.about(holds)).messages
        ):
            others = (self.reader.about(it) for it in self.streams)
            told = await asyncio.gather(*others, return_exceptions=True)
            count = sum(it.messages for it in told if isinstance(it, About))
            note = partial(note_refill, tenant=tenant_of(holds), messages=count)
            await self.ledger.write(note)
            log.error("ledger_refilled", messages=count)
        await self.ledger.write(bind_origins)
        self._has_begun = True

    def entered_to(self, name: str) -> int:
        """Return the last sequence of this stream that the ledger holds; 0 while nobody knows."""
        return next((it.read_to for it in self._streams if it.name == name), 0)

    def check_again(self) -> None:
        """The connection broke: whatever is behind the next one may be another broker's store."""
        for stream in self._streams:
            stream.checked_at, stream.due = NEVER, 0.0

    def problem(self) -> str:
        """Why the ledger does not follow the streams; empty when it does."""
        unread = [it for it in self._streams if it.failing_since != NEVER]
        told = self._streams
        if len(unread) >= TOLD_TOGETHER:
            told = [*(it for it in self._streams if it.failing_since == NEVER), unread[0]]
        problems = (self._damage, self._problem, *(stream.problem for stream in told))
        more = f"So it is with {len(unread)} streams." if told is not self._streams else ""
        return " ".join(filter(None, (*problems, more)))

    async def look_for_damage(self) -> None:
        """Read the whole ledger once, and keep what is wrong with it, until cancelled."""
        if damage := await self.ledger.damage():
            self._damage = damage
            log.error("ledger_damaged", why=damage)
        await asyncio.Event().wait()

    async def run(self) -> None:
        """Read and enter until cancelled."""
        agents = {name: name.partition("@")[2] for name in self.streams}
        shared_s = max(LONGEST_REST_S, len(list(filter(None, agents.values()))) / IDLE_READS_PER_S)
        self._streams = [
            _Stream(name=name, agent=agent, longest_rest_s=shared_s if agent else LONGEST_REST_S)
            for name, agent in agents.items()
        ]
        while True:
            try:
                await self._round(clock.monotonic())
                self._problem = ""
            except HoldpointError as error:
                self._problem = str(error)
                log.warning("ledger_waits", error=self._problem)
                for stream in self._streams:
                    stream.position = None
                await asyncio.sleep(AWAY_S)
            next_due = min(stream.due for stream in self._readable())
            await asyncio.sleep(max(0.0, next_due - clock.monotonic()))

    async def _round(self, now: float) -> None:
        """Read what is due side by side, and enter it in one transaction."""
        if not self._has_begun:
            await self._begin()
        due = [it for it in self._readable() if it.due <= now]
        for stream in due:
            if stream.position is None and not stream.is_halted:
                stream.position = await self.ledger.read(partial(position_of, stream=stream.name))
                stream.read_to = stream.position.whole_to
        read = await asyncio.gather(*(self._read(stream, now) for stream in due))
        for stream, its in zip(due, read, strict=True):
            stream.is_known |= stream.is_halted or not (stream.problem or its)
        if entries := [entry for entries in read for entry in entries]:
            self._wake(entries)
            await self._enter(entries)

    def _readable(self) -> Sequence[_Stream]:
        """Return ERASURES alone before it was read to its end, and then every stream."""
        first = [it for it in self._streams if kind_of(it.name) == ERASURES and not it.is_known]
        return first or self._streams

    def _wake(self, entries: Sequence[Entry]) -> None:
        """Read the stream of each agent that HOLDS mentions as soon as HOLDS is read again."""
        due = min((it.due for it in self._streams if kind_of(it.name) == HOLDS), default=0.0)
        mentioned = (it.subject.split(".")[3:4] for it in entries if it.kind == HOLDS)
        agents = set(chain.from_iterable(mentioned))
        for stream in self._streams:
            if stream.agent in agents:
                stream.due = min(stream.due, due)

    async def _read(self, stream: _Stream, now: float) -> list[Entry]:
        """What joins the ledger's end; nothing of a stream that cannot be read or is halted."""
        if stream.is_halted or stream.position is None:
            stream.due = now + LONGEST_REST_S
            return []
        try:
            read = await self.reader.read(stream.name, _first(stream, stream.position))
            joined = await self._joined(stream, stream.position, read)
        except HistoryError as error:
            _halt(stream, str(error))
            return []
        except HoldpointError as error:
            _tell_unread(stream, str(error))
            stream.problem, stream.due = str(error), clock.monotonic() + AWAY_S
            stream.position, stream.checked_at = None, NEVER
            return []
        stream.failing_since = NEVER
        if stream.gap is None:
            stream.problem = ""
        if joined or stream.gap is not None:
            stream.due = now + (REST_S if len(read) < BATCH or not joined else 0.0)
        else:
            stream.due = now + stream.longest_rest_s
        return joined

    async def _joined(
        self, stream: _Stream, position: Position, read: Sequence[Entry]
    ) -> list[Entry]:
        """Return what follows on what was read before, once it is known to be the same history."""
        overlaps = bool(read) and read[0].seq == stream.read_to
        is_time = clock.monotonic() - stream.checked_at >= CHECK_S
        if stream.checked_at == NEVER or (not overlaps and (read or is_time)):
            created = await self._check(stream, position)
        else:
            created = position.created
        if overlaps:
            check_repeat(read[0], position.body_sha256)
        if not position.created and created and stream.read_to == position.seq:
            await self.ledger.write(partial(note_origin, stream=stream.name, created=created))
            stream.position = replace(position, created=created)
        return await self._without_gap(stream, read[1:] if overlaps else read)

    async def _check(self, stream: _Stream, position: Position) -> str:
        """When the stream was made; HistoryError unless it is the known one, and as long."""
        about = await self.reader.about(stream.name)
        if position.created and about.created != position.created:
            raise HistoryError(
                f"{stream.name} was made at {about.created}; the one in the ledger was made at "
                f"{position.created}."
            )
        if about.last_seq < position.seq:
            text = (
                f"{stream.name} ends at {about.last_seq}; the ledger holds it up to {position.seq}."
            )
            if stream.shorter_since == NEVER:
                stream.shorter_since = clock.monotonic()
            if clock.monotonic() - stream.shorter_since < self.stale_s:
                raise UnavailableError(text)
            raise HistoryError(text)
        stream.shorter_since = NEVER
        stream.checked_at = clock.monotonic()
        return about.created

    async def _without_gap(self, stream: _Stream, read: Sequence[Entry]) -> list[Entry]:
        """As far as sequences join; messages that stay missing are passed over, and said so."""
        joined: list[Entry] = []
        last = stream.read_to
        for entry in read:
            if entry.seq != last + 1 and not await self._is_settled(stream, last, entry.seq):
                break
            joined.append(entry)
            last = entry.seq
        else:
            stream.gap = None
        return joined

    async def _is_settled(self, stream: _Stream, last: int, found: int) -> bool:
        """Return whether the messages between these two never come: the broker has none of them.

        What was lost on its way to here alone is read again.
        """
        missing = f"{last + 1} to {found - 1}"
        gap, now = stream.gap, clock.monotonic()
        if gap is not None and now - gap.since >= GAP_STAYS_S:
            stream.settled_to, stream.gap = max(stream.settled_to, gap.last_seq), None
        if found - 1 <= stream.settled_to:
            following = await self.reader.read(stream.name, last + 1, most=1)
            if not following or following[0].seq != found:
                return False
            log.error("ledger_gap_stays", stream=stream.name, missing=missing)
            return True
        if stream.gap is None:
            about = await self.reader.about(stream.name)
            stream.gap = _Gap(since=now, last_seq=about.last_seq)
            stream.problem = f"{stream.name} lacks its messages {missing}."
            log.warning("ledger_gap", stream=stream.name, missing=missing)
        return False

    async def _enter(self, entries: Sequence[Entry]) -> None:
        """Enter the batch; what breaks us is found in halves, and halts its stream."""
        streams = {it.name: it for it in self._streams if not it.is_halted}
        entries = [entry for entry in entries if entry.stream in streams]
        if not entries:
            return
        ends = {it.stream: _position(streams[it.stream]).seq for it in entries}
        crash.passing("commit", "before")
        (outcome,) = await asyncio.gather(self.ledger.enter(entries, ends), return_exceptions=True)
        crash.passing("commit", "after")
        if isinstance(outcome, int):
            LEDGER_ROWS.inc(outcome)
            self.metrics.count(entries)
            for last in {entry.stream: entry for entry in entries}.values():
                _advance(streams[last.stream], last)
        elif _is_passing(outcome):
            raise outcome
        elif len(entries) == 1:
            what = f"{entries[0].stream}:{entries[0].seq} cannot be entered: {outcome!r}"
            _halt(streams[entries[0].stream], what)
        else:
            half = len(entries) // 2
            await self._enter(entries[:half])
            await self._enter(entries[half:])


def _first(stream: _Stream, position: Position) -> int:
    """Where to read from: the last message that was entered, for it must be the same. One without
    a body would end the batch, and behind others that are fetched after an upgrade none is last.
    """
    is_last = stream.read_to == position.seq > 0
    return stream.read_to + (not is_last or position.body_sha256 == NO_BODY)


def _is_passing(error: BaseException) -> bool:
    """Return whether it is no message's own fault, so that the same batch may be entered later."""
    is_ours = isinstance(error, HoldpointError) and not isinstance(error, HistoryError)
    return is_ours or not isinstance(error, Exception)


def _position(stream: _Stream) -> Position:
    if stream.position is None:
        raise UnavailableError(f"Nobody knows how far the ledger holds {stream.name}.")
    return stream.position


def _advance(stream: _Stream, entry: Entry) -> None:
    stream.read_to = entry.seq
    position = _position(stream)
    if entry.seq > position.seq:
        stream.position = replace(position, seq=entry.seq, body_sha256=entry.body_sha256)


def _halt(stream: _Stream, why: str) -> None:
    stream.problem, stream.is_halted = f"{why} Nothing more of it is entered.", True
    log.error("stream_halted", stream=stream.name, why=why)


def _tell_unread(stream: _Stream, why: str) -> None:
    """Log once that a stream cannot be read, as a warning where it does not pass by itself."""
    now = clock.monotonic()
    if stream.failing_since == NEVER:
        stream.failing_since, stream.is_warned = now, False
        log.info("stream_not_read", stream=stream.name, error=why)
    elif not stream.is_warned and now - stream.failing_since >= PASSES_S:
        stream.is_warned = True
        log.warning("stream_not_read", stream=stream.name, error=why)
