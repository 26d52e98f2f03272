"""What is left to judge by after a run: streams, ledger, and the log of real effects."""

import asyncio
import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

import msgspec
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.api import RawStreamMsg
from nats.js.errors import NotFoundError
from sqlalchemy import Connection, select
from tests.actors import StreamEyes, _stored
from tests.faults.effects_domain import Effect
from tests.running_system import TENANT, Road
from tests.waiting import eventually

from holdpoint.audit.verify import verify
from holdpoint.ledger import engines
from holdpoint.ledger.exceptions import Finding, Kind, every_exception
from holdpoint.ledger.tables import events
from holdpoint.ledger.tree import root_at, size_of
from holdpoint.messages import subjects as s
from holdpoint.messages.codec import UnreadableError
from holdpoint.messages.envelope import Status
from holdpoint.messages.hold import Refused
from holdpoint.messages.run import AnyRunFact, Finished, Started
from holdpoint.messages.subject_parts import run_place
from holdpoint.messages.subjects import command_id, stream
from holdpoint.runtime.broker.connection import jetstream
from holdpoint.runtime.config.registry import load_registry
from holdpoint.runtime.errors import SignatureError, UnavailableError
from holdpoint.runtime.process import clock
from holdpoint.runtime.security.keys import GATE, Keyset, worker_role
from holdpoint.runtime.store.journal import Stored

AT_ONCE = 200
ELECTION_S = 30.0
EMPTY = 0, b""
"""The end of a chain that has not begun."""

Entered = Mapping[str, Sequence[tuple[str, str]]]
"""For each message's id: body hash and type of each event that the ledger has of it."""


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Everything that was said, what came of it, and when we looked."""

    messages: Mapping[str, Sequence[tuple[Stored, Any]]]
    """By kind of stream; what cannot be read is None."""

    last: Mapping[str, int]
    entered: Entered
    findings: Sequence[Finding]
    """What the ledger itself would have explained."""

    unsigned: frozenset[str]
    """The ids of the messages that those findings are about which name no good signature."""

    broken: Sequence[str]
    """What offline verification says about the ledger's chain."""

    effects: Mapping[str, int]
    """How often the effect of each hold happened."""

    logs_all: bool
    """Whether every effect is in the log, so that a missing one never happened."""

    deeds: Sequence[Effect]
    """The same with everything that the effect knew, where its domain writes it down."""

    keyset: Keyset
    at: datetime
    alarms: Mapping[str, Stored]
    """What rang, by its id, as long as the broker keeps it."""

    told: Mapping[str, Status | None] | None
    """What each hold's agent heard when it came back; None where nobody came back to ask."""

    hurried: Mapping[str, Status]
    """How the SDK said that holds ended, at once."""

    def of(self, kind: str, *types: type[Any]) -> Iterator[tuple[Stored, Any]]:
        """The messages of these types, in order."""
        return (
            (it, said)
            for source, told in self.messages.items()
            for it, said in told
            if source.partition("@")[0] == kind and isinstance(said, types)
        )

    @cached_property
    def said(self) -> Mapping[str, tuple[Stored, Any]]:
        """Every message by the id that facts call it by."""
        return {
            command_id(stream(TENANT, kind), at.seq): (at, message)
            for kind, told in self.messages.items()
            for at, message in told
        }

    @cached_property
    def holds(self) -> Mapping[str, list[tuple[Stored, Any]]]:
        """The facts of each hold that a gate signed, in order."""
        told: defaultdict[str, list[tuple[Stored, Any]]] = defaultdict(list)
        for it, fact in self.messages[s.HOLDS]:
            if fact is not None and not isinstance(fact, Refused) and self.is_signed(it, GATE):
                told[fact.hold.hold_id].append((it, fact))
        return dict(told)

    @cached_property
    def runs(self) -> Mapping[str, list[tuple[Stored, Any]]]:
        """The facts of each run that count, in order."""
        told: defaultdict[str, list[tuple[Stored, Any]]] = defaultdict(list)
        for it, fact in self.messages[s.RUNS]:
            if isinstance(fact, AnyRunFact) and self.is_signed(it, _teller(it, fact)):
                told[fact.hold_id].append((it, fact))
        return dict(told)

    @cached_property
    def refused(self) -> Mapping[str, Refused]:
        """What did not count, by the id of the message; calls may be refused together."""
        told: dict[str, Refused] = {}
        for _, fact in self.of(s.HOLDS, Refused):
            source = fact.cause.partition(":")[0]
            told |= {f"{source}:{seq}": fact for seq in fact.sequences} or {fact.cause: fact}
        return told

    def facts_of(self, hold: str) -> Sequence[tuple[Stored, Any]]:
        """What happened to a hold."""
        return self.holds.get(hold, ())

    def runs_of(self, hold: str) -> Sequence[tuple[Stored, Any]]:
        """What happened to its run."""
        return self.runs.get(hold, ())

    def is_signed(self, it: Stored, role: str) -> bool:
        """Whether this role signed it, at its time and for its place."""
        try:
            self.keyset.verify(it.data, it.signature, role, it.at)
        except SignatureError:
            return False
        return f'"subject":"{it.subject}"'.encode() in it.data


async def look(
    road: Road,
    eyes: StreamEyes,
    effects: Mapping[str, int],
    deeds: Sequence[Effect] = (),
    heads: Sequence[tuple[int, bytes]] | None = None,
) -> Evidence:
    """Read every stream and the ledger; its tree too, against roots that were kept elsewhere."""
    messages, last = {}, {}
    agents = (it.name for it in load_registry(road.settings.config_dir).agents)
    for kind in s.sources(s.AUDITED, agents):
        last[kind] = await _last(eyes, kind)
        messages[kind] = [(it, _read(it)) for it in await _all(eyes, kind, last[kind])]
    entered, findings, unsigned = await asyncio.to_thread(road.ledger, _asked)
    url = road.settings.ledger_url
    broken = [] if heads is None else await asyncio.to_thread(rewritten, url, heads)
    rung = await _all(eyes, s.TIMERS, await _last(eyes, s.TIMERS))
    return Evidence(
        messages=messages,
        last=last,
        entered=entered,
        findings=findings,
        unsigned=unsigned,
        broken=broken,
        effects=effects or Counter(it.hold_id for it in deeds),
        logs_all=not effects,
        deeds=deeds,
        keyset=Keyset(road.settings.keys_dir),
        at=clock.now(),
        alarms={command_id(stream(TENANT, s.TIMERS), it.seq): it for it in rung},
        told=None,
        hurried={},
    )


def rewritten(url: str, heads: Sequence[tuple[int, bytes]]) -> list[str]:
    """What is wrong with a ledger's tree, by itself and against roots that were taken earlier."""
    engine = engines.reader(url)
    try:
        with engine.begin() as connection:
            lost = [
                f"the first {size} events had another root when somebody wrote it down"
                for size, root in heads
                if not _still(connection, size, root)
            ]
    finally:
        engine.dispose()
    return [*lost, *(f"{it.row} {it.text}" for it in verify(url).problems)]


def _still(connection: Connection, size: int, root: bytes) -> bool:
    try:
        return root_at(connection, size) == root
    except UnavailableError:
        return False


def head_of(connection: Connection) -> tuple[int, bytes]:
    """Size and root of the tree now, for somebody outside to keep."""
    size = size_of(connection)
    return (size, root_at(connection, size)) if size else EMPTY


async def _last(eyes: StreamEyes, kind: str) -> int:
    """Of a stream whose brokers just elect who leads it is asked again."""

    async def told() -> int:
        subject = f"$JS.API.STREAM.INFO.{stream(TENANT, kind)}"
        try:
            reply = await eyes.client.request(subject, b"", timeout=5)
        except NatsError as error:
            raise AssertionError(f"{kind} is not told of: {error!r}") from None
        said = msgspec.json.decode(reply.data)
        assert "state" in said, said
        return int(said["state"]["last_seq"]) + 1

    return await eventually(told, ELECTION_S) - 1


async def _message(js: JetStreamContext, name: str, seq: int) -> RawStreamMsg:
    async def told() -> RawStreamMsg:
        try:
            return await js.get_msg(name, seq=seq)
        except NotFoundError:
            raise
        except NatsError as error:
            raise AssertionError(f"{name}:{seq} is not read: {error!r}") from None

    return await eventually(told, ELECTION_S)


async def _all(eyes: StreamEyes, kind: str, last: int) -> list[Stored]:
    js, name, found = jetstream(eyes.client, eyes.login), stream(TENANT, kind), list[Stored]()
    for first in range(1, last + 1, AT_ONCE):
        seqs = range(first, min(first + AT_ONCE, last + 1))
        told = await asyncio.gather(
            *(_message(js, name, seq) for seq in seqs), return_exceptions=True
        )
        for it in told:
            if isinstance(it, BaseException) and not isinstance(it, NotFoundError):
                raise it
        found += [_stored(it) for it in told if not isinstance(it, BaseException)]
    return found


def _asked(connection: Connection) -> tuple[Entered, list[Finding], frozenset[str]]:
    entered: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    places: defaultdict[tuple[str, datetime], list[str]] = defaultdict(list)
    columns = events.c.src_stream, events.c.src_seq, events.c.body_sha256, events.c.type
    for name, seq, sha256, kind, *place in connection.execute(
        select(*columns, events.c.subject, events.c.time)
    ):
        entered[command_id(name, seq)].append((sha256, kind))
        places[place[0], place[1]].append(command_id(name, seq))
    findings = every_exception(connection, clock.now())
    return entered, findings, named(findings, places)


def named(
    findings: Sequence[Finding], places: Mapping[tuple[str, datetime], Sequence[str]]
) -> frozenset[str]:
    """Which message each finding about a signature means, by subject and time; each means one."""
    told = Counter((it.subject, it.at) for it in findings if it.kind is Kind.UNSIGNED)
    return frozenset(it for place, times in told.items() for it in places.get(place, ())[:times])


def _teller(it: Stored, fact: Any) -> str:
    mine = isinstance(fact, Started | Finished)
    return worker_role(run_place(it.subject).domain) if mine else GATE


def _read(it: Stored) -> Any:
    try:
        return it.message
    except UnreadableError:
        return None


def sha256_of(it: Stored) -> str:
    """Of the bytes as they are stored."""
    return hashlib.sha256(it.data).hexdigest()
