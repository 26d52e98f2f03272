"""A broker's double: NATS core and JetStream as their documents describe them, in one process.

Modelled: streams with subjects and sequences, expected stream, message id and sequence by subject,
the duplicate window, counters, schedules, republished copies, purge, reads from the leader and of
batches, durable consumers that are pulled from or pushed to a group, acknowledgements with their
time, delays and redeliveries. What a power cut loses is not: every acknowledged message is kept.
"""

import base64
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property, lru_cache
from random import Random  # noqa: TID251  # seeded: a run can be repeated
from typing import Any

import msgspec
from tests.simulation.loop import Loop

from holdpoint.runtime.broker import streams

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
BEGINNING = datetime(2026, 1, 5, 12, tzinfo=UTC)
NO_MESSAGE = 10037
WRONG_STREAM, WRONG_ID, WRONG_SEQUENCE = 10060, 10070, 10071
SECOND_NS = 1_000_000_000
PARTS = ("Nats-Schedule", "Nats-Schedule-Target", "Nats-Schedule-TTL")


@lru_cache(maxsize=1 << 16)
def matches(pattern: str, subject: str) -> bool:
    """Return whether the subject is one that the pattern with `*` and `>` means."""
    if pattern in {subject, ">"}:
        return True
    wanted, tokens = pattern.split("."), subject.split(".")
    for at, word in enumerate(wanted):
        if word == ">":
            return len(tokens) > at
        if at >= len(tokens) or word not in {"*", tokens[at]}:
            return False
    return len(wanted) == len(tokens)


def _beginning(pattern: str) -> str:
    """What stands before the first wildcard."""
    return pattern.partition("*")[0].partition(">")[0]


def _beginnings(subject: str) -> list[str]:
    """Every beginning of a pattern that could mean this subject."""
    beginnings, at = [subject], subject.find(".")
    while at >= 0:
        beginnings.append(subject[: at + 1])
        at = subject.find(".", at + 1)
    return beginnings


def block_of(headers: Mapping[str, str]) -> bytes:
    """Encode headers as they are on the wire."""
    return b"NATS/1.0\r\n" + b"".join(b"%s: %s\r\n" % (k.encode(), v.encode())
                                      for k, v in headers.items()) + b"\r\n"  # fmt: skip


def headers_in(block: bytes) -> dict[str, str]:
    """Decode a block of headers."""
    lines = block.decode().split("\r\n")[1:]
    return {name: value.strip() for name, _, value in (it.partition(":") for it in lines) if name}


@dataclass(frozen=True, kw_only=True)
class Kept:
    """A stored message."""

    seq: int
    subject: str
    headers: Mapping[str, str]
    body: bytes
    at: datetime

    @cached_property
    def block(self) -> bytes:
        """Its headers on the wire."""
        return block_of(self.headers) if self.headers else b""

    @cached_property
    def at_ns(self) -> int:
        """When it was stored, since 1970."""
        return (self.at - EPOCH) // timedelta(microseconds=1) * 1000

    @cached_property
    def read(self) -> bytes:
        """What the broker says to whoever reads it."""
        message = {
            "subject": self.subject,
            "seq": self.seq,
            "time": self.at.isoformat(),
            "data": base64.b64encode(self.body).decode(),
            "hdrs": base64.b64encode(self.block).decode(),
        }
        return msgspec.json.encode({"message": message})


@dataclass(eq=False, kw_only=True)
class Pull:
    """An open request for messages."""

    inbox: str
    left: int
    until: float


@dataclass(eq=False, kw_only=True)
class Lane:
    """A durable consumer, as the broker keeps it."""

    config: streams.Consumer
    next_seq: int = 1
    floor: int = 0
    pending: dict[int, float] = field(default_factory=dict)
    """When each message in somebody's hands comes again."""

    times: dict[int, int] = field(default_factory=dict)
    pulls: deque[Pull] = field(default_factory=deque)

    def wants(self, subject: str) -> bool:
        filters = self.config.filters
        return not filters or any(matches(it, subject) for it in filters)


@dataclass(eq=False, kw_only=True)
class Log:
    """A stream, as the broker keeps it."""

    config: streams.Stream
    last_seq: int = 0
    last_id: str = ""
    messages: dict[int, Kept] = field(default_factory=dict)
    by_subject: dict[str, list[int]] = field(default_factory=dict)
    ids: dict[str, tuple[float, int]] = field(default_factory=dict)
    lanes: dict[str, Lane] = field(default_factory=dict)

    @cached_property
    def window_s(self) -> float:
        """How long a message id is remembered."""
        return float(self.config.config()["duplicate_window"]) / SECOND_NS

    def last_on(self, pattern: str) -> int:
        if "*" not in pattern and ">" not in pattern:
            return self.by_subject.get(pattern, [0])[-1]
        return max((seqs[-1] for it, seqs in self.by_subject.items() if matches(pattern, it)),
                   default=0)  # fmt: skip

    def waiting(self) -> list[str]:
        """The acknowledging consumers that have something in hand, or to be delivered."""
        return [
            f"{self.config.name}/{name}: {lane.pending or 'undelivered'}"
            for name, lane in self.lanes.items()
            if lane.config.ack is streams.Ack.EXPLICIT
            and (lane.pending or any(seq >= lane.next_seq and lane.wants(it.subject)
                                     for seq, it in self.messages.items()))
        ]  # fmt: skip


Deliver = Callable[[str, str, bytes, bytes], None]


@dataclass(eq=False, kw_only=True)
class Listener:
    """A subscription: its connection takes what is delivered to it."""

    pattern: str
    queue: str
    deliver: Deliver


@dataclass(eq=False, kw_only=True)
class Broker:
    """Everything that the broker knows, and who listens."""

    loop: Loop
    dice: Random
    tenant: str
    logs: dict[str, Log]
    listeners: dict[str, list[Listener]] = field(default_factory=dict)
    """Who listens, by what their pattern begins with."""

    trace: list[str] = field(default_factory=list)
    _places: dict[str, tuple[str, Log]] = field(default_factory=dict)
    """Each stream and a pattern of its subjects, by what that begins with."""

    @property
    def now(self) -> datetime:
        """The time that counts."""
        return BEGINNING + timedelta(seconds=self.loop.time())

    def take(self, subject: str, reply: str, block: bytes, body: bytes) -> None:
        """Take one published message."""
        if subject.startswith("JS.core.API"):
            subject = "$JS.API" + subject.removeprefix("JS.core.API")
        if subject.startswith("$JS.ACK."):
            self._acknowledged(subject.split("."), body)
        elif subject.startswith("$JS.API."):
            self._api(subject.split("."), subject, reply, body)
        elif log := self._log_of(subject):
            answer = self._store(log, subject, headers_in(block) if block else {}, body)
            if reply:
                self.send(reply, "", b"", msgspec.json.encode(answer))
        elif not self.send(subject, reply, block, body) and reply:
            self.send(reply, "", b"NATS/1.0 503\r\n\r\n", b"")

    def send(self, subject: str, reply: str, block: bytes, body: bytes) -> bool:
        """Hand it to everybody who listens, and to one of each group; False when nobody does."""
        heard = self._heard(subject)
        groups = dict.fromkeys(it.queue for it in heard if it.queue)
        chosen = [it for it in heard if not it.queue]
        chosen += [self.dice.choice([it for it in heard if it.queue == group]) for group in groups]
        for listener in chosen:
            listener.deliver(subject, reply, block, body)
        return bool(chosen)

    def listen(self, listener: Listener) -> None:
        """Deliver to it from now on, also what waited for somebody to listen."""
        self._place_of(listener).append(listener)
        for log in self.logs.values() if listener.queue else ():
            self._deliver(log)

    def ignore(self, listener: Listener) -> None:
        """Deliver nothing more to it."""
        place = self._place_of(listener)
        if listener in place:
            place.remove(listener)

    def _place_of(self, listener: Listener) -> list[Listener]:
        return self.listeners.setdefault(_beginning(listener.pattern), [])

    def _heard(self, subject: str) -> list[Listener]:
        listeners = self.listeners
        return [
            it
            for beginning in _beginnings(subject)
            if beginning in listeners
            for it in listeners[beginning]
            if matches(it.pattern, subject)
        ]

    def _log_of(self, subject: str) -> Log | None:
        places = self._places
        if not places:
            logs = self.logs.values()
            places |= {_beginning(it): (it, log) for log in logs for it in log.config.subjects}
        for beginning in _beginnings(subject):
            pattern, log = places.get(beginning, ("", None))
            if log and matches(pattern, subject):
                return log
        return None

    def _store(
        self, log: Log, subject: str, headers: dict[str, str], body: bytes
    ) -> dict[str, Any]:
        """Store it unless one of its expectations fails, in the server's order of checks."""
        name = log.config.name
        if headers.get("Nats-Expected-Stream", name) != name:
            return _error(WRONG_STREAM)
        message_id = headers.get("Nats-Msg-Id", "")
        known = log.ids.get(message_id)
        if message_id and known and self.loop.time() - known[0] < log.window_s:
            return {"stream": name, "seq": known[1], "duplicate": True}
        wanted = headers.get("Nats-Expected-Last-Subject-Sequence")
        place = headers.get("Nats-Expected-Last-Subject-Sequence-Subject", subject)
        if wanted is not None and log.last_on(place) != int(wanted):
            return _error(WRONG_SEQUENCE)
        behind = headers.get("Nats-Expected-Last-Msg-Id")
        if behind is not None and log.last_id != behind:
            return _error(WRONG_ID)
        if increment := headers.get("Nats-Incr"):
            before = log.messages.get(log.last_on(subject))
            value = int(msgspec.json.decode(before.body)["val"]) if before else 0
            body = b'{"val":"%d"}' % (value + int(increment))
        seq = self._keep(log, subject, headers, body)
        if message_id:
            log.ids[message_id] = (self.loop.time(), seq)
        log.last_id = message_id
        return {"stream": name, "seq": seq}

    def _keep(self, log: Log, subject: str, headers: Mapping[str, str], body: bytes) -> int:
        log.last_seq += 1
        kept = Kept(seq=log.last_seq, subject=subject, headers=headers, body=body, at=self.now)
        if log.config.extra.get("max_msgs_per_subject") == 1 or "Nats-Schedule" in headers:
            self._remove(log, log.by_subject.get(subject, ()))
        log.messages[kept.seq] = kept
        log.by_subject.setdefault(subject, []).append(kept.seq)
        self.trace.append(f"{self.loop.time():9.3f} {subject}:{kept.seq}")
        if "Nats-Schedule" in headers:
            self._schedule(log, kept)
        if republish := log.config.extra.get("republish"):
            place = republish["dest"].removesuffix(">") + subject.split(".", 2)[2]
            self.send(place, "", block_of(self._placed(log, kept)), body)
        self._deliver(log)
        return kept.seq

    def _placed(self, log: Log, kept: Kept) -> dict[str, str]:
        return {
            **kept.headers,
            "Nats-Stream": log.config.name,
            "Nats-Subject": kept.subject,
            "Nats-Sequence": str(kept.seq),
            "Nats-Time-Stamp": kept.at.isoformat(),
        }

    def _schedule(self, log: Log, kept: Kept) -> None:
        """Put it on its target at its time, if it is still there then."""
        due = datetime.fromisoformat(kept.headers["Nats-Schedule"].removeprefix("@at "))

        def ring() -> None:
            if log.messages.get(kept.seq) is kept:
                self._remove(log, (kept.seq,))
                left = {name: it for name, it in kept.headers.items() if name not in PARTS}
                headers = {**left, "Nats-Scheduler": kept.subject}
                self._keep(log, kept.headers["Nats-Schedule-Target"], headers, kept.body)

        self.loop.call_at(max(0.0, (due - BEGINNING).total_seconds()), ring)

    def _remove(self, log: Log, seqs: Sequence[int]) -> None:
        for seq in tuple(seqs):
            it = log.messages.pop(seq)
            left = log.by_subject[it.subject]
            left.remove(seq)
            if not left:
                del log.by_subject[it.subject]

    # Consumers

    def _acknowledged(self, tokens: list[str], body: bytes) -> None:
        """`$JS.ACK.<stream>.<consumer>.<deliveries>.<seq>.<seq>.<time>.<pending>`."""
        log, seq = self.logs[tokens[2]], int(tokens[5])
        lane = log.lanes[tokens[3]]
        if seq not in lane.pending:
            return
        word, _, rest = body.partition(b" ")
        if word == b"-NAK":
            delay_s = msgspec.json.decode(rest)["delay"] / SECOND_NS if rest else 0.0
            self._comes_again(log, lane, seq, delay_s)
        elif word == b"+WPI":
            self._comes_again(log, lane, seq, streams.ACK_WAIT_S)
        else:
            del lane.pending[seq]
            lane.floor = min(lane.pending, default=lane.next_seq) - 1
        self._deliver(log)

    def doubles(self) -> None:
        """Deliver something once more that is in somebody's hands, as a new leader may."""
        held = [(log, lane, seq) for log in self.logs.values() for lane in log.lanes.values()
                for seq in lane.pending]  # fmt: skip
        if held:
            self._comes_again(*self.dice.choice(held), 0.0)

    def _comes_again(self, log: Log, lane: Lane, seq: int, after_s: float) -> None:
        lane.pending[seq] = self.loop.time() + after_s
        self.loop.call_later(after_s, self._deliver, log)

    def _deliver(self, log: Log) -> None:
        for lane in log.lanes.values():
            while self._deliver_one(log, lane):
                pass

    def _deliver_one(self, log: Log, lane: Lane) -> bool:
        now = self.loop.time()
        while lane.pulls and (lane.pulls[0].until <= now or not lane.pulls[0].left):
            lane.pulls.popleft()
        group = lane.config.deliver_to
        if not lane.pulls and not (group and self._listens(group)):
            return False
        seq = min((it for it, due in lane.pending.items() if due <= now), default=0)
        if not seq:
            if len(lane.pending) >= lane.config.max_ack_pending:
                return False
            seq = lane.next_seq
            while seq <= log.last_seq and not (
                seq in log.messages and lane.wants(log.messages[seq].subject)
            ):
                seq += 1
            lane.next_seq = min(seq, log.last_seq) + 1 if seq <= log.last_seq else log.last_seq + 1
            if seq > log.last_seq:
                return False
        if seq not in log.messages:
            del lane.pending[seq]
            return True
        self._hand_over(log, lane, log.messages[seq], lane.pulls[0] if lane.pulls else None)
        return True

    def _listens(self, subject: str) -> bool:
        return bool(self.listeners.get(subject))

    def _hand_over(self, log: Log, lane: Lane, kept: Kept, pull: Pull | None) -> None:
        lane.times[kept.seq] = lane.times.get(kept.seq, 0) + 1
        self._comes_again(log, lane, kept.seq, streams.ACK_WAIT_S)
        place = (log.config.name, lane.config.durable, lane.times[kept.seq], kept.seq, kept.seq)
        reply = ".".join(map(str, ("$JS.ACK", *place, kept.at_ns, 0)))
        if pull is None:
            self.dice.choice(self.listeners[lane.config.deliver_to]).deliver(
                kept.subject, reply, kept.block, kept.body
            )
        else:
            pull.left -= 1
            for it in self._heard(pull.inbox):
                it.deliver(kept.subject, reply, kept.block, kept.body)

    # The API

    def _api(self, tokens: list[str], subject: str, reply: str, body: bytes) -> None:
        match tokens[2:]:
            case ["STREAM", "MSG", "GET", name]:
                answer = self._read(self.logs[name], msgspec.json.decode(body))
            case ["STREAM", "PURGE", name]:
                answer = self._purge(self.logs[name], msgspec.json.decode(body)["filter"])
            case ["STREAM", "INFO", name]:
                answer = self._about(self.logs[name])
            case ["CONSUMER", "INFO", name, durable]:
                answer = self._about_lane(self.logs[name].lanes[durable], name)
            case ["CONSUMER", "MSG", "NEXT", name, durable]:
                self._asked_for_more(self.logs[name], durable, reply, msgspec.json.decode(body))
                return
            case ["DIRECT", "GET", name]:
                self._read_many(self.logs[name], msgspec.json.decode(body), reply)
                return
            case ["DIRECT", "GET", name, *rest]:
                self._read_direct(self.logs[name], ".".join(rest), reply)
                return
            case _:
                raise AssertionError(f"The double knows no {subject}.")
        self.send(reply, "", b"", msgspec.json.encode(answer))

    def _read(self, log: Log, wanted: dict[str, Any]) -> Any:
        if "last_by_subj" in wanted:
            seq = log.last_on(wanted["last_by_subj"])
        elif "next_by_subj" in wanted:
            fits = (it for it in sorted(log.messages) if it >= wanted["seq"]
                    and matches(wanted["next_by_subj"], log.messages[it].subject))  # fmt: skip
            seq = next(fits, 0)
        else:
            seq = wanted["seq"]
        kept = log.messages.get(seq)
        if kept is None:
            return _error(NO_MESSAGE)
        return msgspec.Raw(kept.read)

    def _purge(self, log: Log, pattern: str) -> dict[str, Any]:
        gone = [it for it, kept in log.messages.items() if matches(pattern, kept.subject)]
        self._remove(log, gone)
        return {"success": True, "purged": len(gone)}

    def _about(self, log: Log) -> dict[str, Any]:
        state = {
            "messages": len(log.messages),
            "bytes": 0,
            "first_seq": 1,
            "last_seq": log.last_seq,
            "consumer_count": len(log.lanes),
        }
        return {
            "created": BEGINNING.isoformat(),
            "config": {"name": log.config.name},
            "state": state,
        }

    def _about_lane(self, lane: Lane, name: str) -> dict[str, Any]:
        delivered = {"consumer_seq": 0, "stream_seq": lane.next_seq - 1}
        return {
            "stream_name": name,
            "name": lane.config.durable,
            "created": BEGINNING.isoformat(),
            "config": {},
            "delivered": delivered,
            "ack_floor": {"consumer_seq": 0, "stream_seq": lane.floor},
            "num_ack_pending": len(lane.pending),
            "num_pending": 0,
        }

    def _asked_for_more(self, log: Log, durable: str, inbox: str, wanted: dict[str, Any]) -> None:
        open_s = wanted["expires"] / SECOND_NS
        pull = Pull(inbox=inbox, left=wanted["batch"], until=self.loop.time() + open_s)
        log.lanes[durable].pulls.append(pull)

        def end() -> None:
            if pull.left:
                left, pull.left = pull.left, 0
                block = b"NATS/1.0 408 Request Timeout\r\nNats-Pending-Messages: %d\r\n\r\n" % left
                for it in self._heard(inbox):
                    it.deliver(inbox, "", block, b"")

        self.loop.call_later(open_s, end)
        self._deliver(log)

    def _read_direct(self, log: Log, subject: str, reply: str) -> None:
        kept = log.messages.get(log.last_on(subject))
        if kept is None:
            self.send(reply, "", b"NATS/1.0 404 Message Not Found\r\n\r\n", b"")
        else:
            self.send(reply, "", block_of(self._placed(log, kept)), kept.body)

    def _read_many(self, log: Log, wanted: dict[str, Any], reply: str) -> None:
        found = [log.messages[it] for it in sorted(log.messages) if it >= wanted["seq"]]
        for kept in found[: wanted["batch"]]:
            self.send(reply, "", block_of(self._placed(log, kept)), kept.body)
        status = b"204 EOB" if found else b"404 Message Not Found"
        self.send(reply, "", b"NATS/1.0 %s\r\n\r\n" % status, b"")


def _error(code: int) -> dict[str, Any]:
    return {"error": {"code": 400, "err_code": code, "description": f"refused ({code})"}}
