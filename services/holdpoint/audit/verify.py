"""Offline verification: whether the ledger says today what it said when it was written.

Anyone who changes what a checkpoint covers would have to sign another one. Against somebody who
holds the audit's key, or who cuts off the end with its checkpoints, hold a checkpoint outside:
`verify(url, held)`. With the keys it also sees who changed what was noted about signatures.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, partial
from hashlib import sha256
from itertools import chain, islice
from typing import Any, TypeAlias

import msgspec
from sqlalchemy import (
    Connection,
    Select,
    Text,
    func,
    select,
    type_coerce,
)
from sqlalchemy.exc import SQLAlchemyError

from holdpoint.audit import in_ranges
from holdpoint.audit.checkpoint_keys import public_keys
from holdpoint.audit.derived_rows import other_derived_rows
from holdpoint.audit.in_ranges import Check, Range, Tell
from holdpoint.audit.signatures import idle_verifications, why_unusable, wrong_verifications
from holdpoint.audit.tree_checks import Finding, Tree
from holdpoint.audit.unsaid_erasures import unsaid
from holdpoint.core.checkpoint import Checkpoint
from holdpoint.core.leaf import FIELDS, leaf_of
from holdpoint.ledger import engines
from holdpoint.ledger.entries import LEDGER, place_of
from holdpoint.ledger.erased import ErasureOf, erasures_in, stands_in
from holdpoint.ledger.own_events import told_origins
from holdpoint.ledger.positions import noted_origins
from holdpoint.ledger.queries import Gap, gaps
from holdpoint.ledger.tables import (
    bodies,
    events,
)
from holdpoint.ledger.triggers import added, missing
from holdpoint.ledger.views import changed_views
from holdpoint.runtime.security.keys import Keyset

NOT_ASKED = "Only the tree was asked for."

UNKNOWN = "?"
"""The row where nobody can say which."""

MOST = 20
"""Problems that each check names."""

CHUNK = 1_000
"""Events that are read at a time."""


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """A row that is not as it was written: which one, and what is wrong with it."""

    check: str
    row: str
    text: str
    event: int | None = None
    """The event in the ledger's order, where the row tells of one."""

    until: int | None = None
    """The last of several events, where nobody can say which of them it is."""

    leaf: int | None = None
    """The event's index in the tree."""

    stream: str | None = None
    sequence: int | None = None
    """Place of the same message at the broker."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Result of a verification; no problem means that nothing was touched."""

    events: int
    root: str
    """Of the tree over all events, hex."""

    checkpoint: str
    """The newest checkpoint; empty before the first."""

    uncovered: int
    """Events behind the newest checkpoint: only the next one says that nobody changed them."""

    erased: int
    """Events whose body was erased, as the ledger itself says; their leaves stay."""

    checked: tuple[str, ...]
    problems: tuple[Problem, ...]
    signatures_not_verified: str = ""
    """Why the keys were not asked about signatures again; empty when they were."""


class Depth(StrEnum):
    """Depth of a check: each does what the one before it does, and more."""

    TREE = "tree"
    """Events, tree, checkpoints and sequences."""

    SIGNATURES = "signatures"
    EVERYTHING = "everything"
    """Derived rows too, which takes the longest."""


Look: TypeAlias = Callable[[], Iterator[Finding]]


def _nobody(done: int, of: int) -> None:
    """Nobody wants to hear it."""


def verify(
    url: str,
    held: Sequence[Checkpoint] = (),
    keyset: Keyset | None = None,
    tell: Tell = _nobody,
    *,
    depth: Depth = Depth.EVERYTHING,
    audit_keys: Sequence[bytes] | None = None,
) -> Report:
    """Check a ledger as deep as it is said.

    `held` are checkpoints that were kept outside, their signatures verified; `audit_keys` are the
    keys that checkpoints count by, in place of the keyset's.
    """
    unusable = why_unusable(keyset)
    keys = keyset if not unusable else None
    engine = engines.reader(url)
    try:
        with engine.begin() as connection:
            checks = _Checks(
                url=url,
                connection=connection,
                held=held,
                keyset=keys,
                tell=tell,
                audit_keys=audit_keys,
                depth=depth,
            )
            return checks.report(NOT_ASKED if depth is Depth.TREE else unusable)
    finally:
        engine.dispose()


@dataclass(eq=False, kw_only=True)
class _Checks:
    """Every check of one ledger, in the order in which they are told."""

    url: str
    connection: Connection
    held: Sequence[Checkpoint]
    keyset: Keyset | None
    tell: Tell
    audit_keys: Sequence[bytes] | None
    depth: Depth
    tree: Tree | None = None

    def report(self, signatures_not_verified: str) -> Report:
        """Run every check, and say what they found."""
        problems = tuple(self.problems())
        tree = self.tree
        newest = tree.newest if tree else None
        return Report(
            events=self.connection.scalar(select(func.count()).select_from(events)) or 0,
            root=tree.root.hex() if tree else "",
            checkpoint=newest.note if newest else "",
            erased=_without_body(self.connection),
            uncovered=max(0, (tree.size if tree else 0) - (newest.size if newest else 0)),
            checked=tuple(self.done()),
            problems=problems,
            signatures_not_verified=signatures_not_verified,
        )

    def problems(self) -> Iterator[Problem]:
        """Yield each problem; an unreadable part after a named row follows from it: left out."""
        is_named = False
        for check, look in self._all():
            for problem in _some(check, look):
                if not (is_named and problem.row == UNKNOWN):
                    yield self._placed(problem)
                is_named = True

    def done(self) -> Iterator[str]:
        """Yield what was checked, in plain words."""
        tree = self.tree
        size, count = (tree.size, tree.count) if tree else (0, 0)
        yield f"bodies and leaves of {size:,} events"
        yield f"the tree, {count:,} checkpoints, {len(self.held):,} held outside"
        yield "source sequences"
        if self.depth is not Depth.TREE:
            yield "signatures" if self.keyset else "which signatures were looked at"
        if self.depth is Depth.EVERYTHING:
            yield "derived rows"
        yield "triggers and views"

    def _all(self) -> Iterator[tuple[str, Look]]:
        yield "event", partial(self._ranges, broken_events, 100_000)
        yield "end", lambda: _lost_ends(self.connection)
        yield "tree", lambda: iter(self._walked().nodes)
        yield "checkpoint", lambda: iter(self.tree.checkpoints if self.tree else ())
        yield "held", lambda: iter(self.tree.held if self.tree else ())
        yield "gap", lambda: _gaps(self.connection)
        yield "origin", lambda: _other_origins(self.connection)
        yield "erasure", lambda: unsaid(self.connection)
        if self.depth is not Depth.TREE:
            yield "verification", lambda: _idle(self.connection)
            signatures = partial(_verifications, self.keyset)
            yield "verification", partial(self._ranges, signatures, 10_000)
        if self.depth is Depth.EVERYTHING:
            yield "derived", lambda: other_derived_rows(self.connection, self.tell)
        yield "guard", lambda: _guards(self.connection)

    def _ranges(self, check: Check, size: int) -> Iterator[Finding]:
        return in_ranges.findings(self.url, self.connection, check, self.tell, size)

    def _walked(self) -> Tree:
        keys = self.audit_keys
        if keys is None and self.keyset is not None:
            keys = public_keys(self.keyset)
        self.tree = Tree(self.connection, self.held, keys)
        return self.tree

    def _placed(self, problem: Problem) -> Problem:
        """Add where the broker keeps the same message."""
        if problem.event is None or problem.stream is not None:
            return problem
        row = self.connection.execute(
            select(events.c.src_stream, events.c.src_seq).where(events.c.seq == problem.event)
        ).one_or_none()
        place = (row.src_stream, row.src_seq) if row else self._place_of_missing(problem.event)
        is_one = problem.until in {None, problem.event}
        stream, sequence = place if place and is_one else (None, None)
        return msgspec.structs.replace(
            problem, leaf=problem.event - 1, stream=stream, sequence=sequence
        )

    def _place_of_missing(self, seq: int) -> tuple[str, int] | None:
        """Return the only place at the broker that an event can have had which is gone here."""
        fits = [it for it in self._lost_messages if it.after < seq < it.before]
        is_one = len(fits) == 1 and fits[0].first == fits[0].last
        return (fits[0].stream, fits[0].first) if is_one else None

    @cached_property
    def _lost_messages(self) -> list[Gap]:
        return gaps(self.connection)


def _some(check: str, look: Look) -> Iterator[Problem]:
    """Name the first bad rows; one whose values cannot even be read is bad too."""
    try:
        for found in islice(look(), MOST):
            yield Problem(check=check, **msgspec.structs.asdict(found))
    except (SQLAlchemyError, ValueError, TypeError) as error:
        text = f"cannot be read: {getattr(error, 'orig', None) or error}"
        yield Problem(check=check, row=UNKNOWN, text=text)


def broken_events(connection: Connection, looked_at: Range) -> Iterator[Finding]:
    """Look at each event by itself: body, leaf and place, and no event left out."""
    expected = looked_at.first
    erasure_of = erasures_in(connection)
    whole = _WHOLE.where(looked_at.within)
    with connection.execute(whole, execution_options={"yield_per": CHUNK}) as rows:
        for row in chain.from_iterable(rows.partitions()):
            seq = row[0]
            if seq != expected:
                yield _event(expected, f"is missing: the next one is {seq}")
            if wrong := _unlike(row, erasure_of):
                yield _event(seq, wrong)
            expected = seq + 1
    if looked_at.end is not None and expected < looked_at.end:
        yield _event(expected, f"is missing, with all up to {looked_at.end - 1}")


_WHOLE: Select[Any] = (
    select(
        *(events.c[name] for name in ("seq", "agent", "principal", "leaf")),
        bodies.c.body,
        *(type_coerce(events.c.time, Text) if it == "time" else events.c[it] for it in FIELDS),
    )
    .outerjoin(bodies)
    .order_by(events.c.seq)
)
"""Each event with its body; SQLite's time stays the text that the leaf is made of."""

_BODY_SHA256, _SUBJECT = FIELDS.index("body_sha256"), FIELDS.index("subject")
_STREAM, _SEQUENCE = FIELDS.index("src_stream"), FIELDS.index("src_seq")


def _unlike(row: Sequence[Any], erasure_of: ErasureOf) -> str:
    try:
        return _wrong(row, erasure_of)
    except (ValueError, TypeError):
        return "holds a value of another kind than was stored"


def _wrong(row: Sequence[Any], erasure_of: ErasureOf) -> str:
    seq, agent, principal, stored, body, *fields = row  # names would cost as much as the hashes
    if body is None:
        if not erasure_of(seq, fields[_STREAM], fields[_SEQUENCE]):
            return "has lost its body, and no event says that it was erased"
    elif sha256(body).hexdigest() != fields[_BODY_SHA256]:
        return "has another body than the one that was stored"
    if leaf_of(fields) != stored:
        return "does not fit its leaf"
    place = place_of(fields[_SUBJECT])
    if place.agent != agent:
        return "names another agent than its subject"
    return "names another principal than its subject" if place.principal != principal else ""


def _without_body(connection: Connection) -> int:
    count = select(func.count(events.c.seq)).outerjoin(bodies).where(bodies.c.seq.is_(None))
    return connection.scalar(count.select_from(events)) or 0


def _lost_ends(connection: Connection) -> Iterator[Finding]:
    """Yield bodies without an event."""
    lost = select(bodies.c.seq).outerjoin(events, events.c.seq == bodies.c.seq)
    for seq in connection.scalars(lost.where(events.c.seq.is_(None)).order_by(bodies.c.seq)):
        yield Finding(row=f"bodies.{seq}", text="is the body of no event", event=seq)


def _gaps(connection: Connection) -> Iterator[Finding]:
    for gap in gaps(connection):
        text = (
            f"never came, nor did any up to {gap.last}" if gap.last != gap.first else "never came"
        )
        yield Finding(row=f"{gap.stream}:{gap.first}", text=text)


def _idle(connection: Connection) -> Iterator[Finding]:
    for seq in idle_verifications(connection):
        yield _event(seq, "has no signature, and one is noted as looked at")


def _verifications(
    keyset: Keyset | None, connection: Connection, looked_at: Range
) -> Iterator[Finding]:
    for seq, text in wrong_verifications(connection, keyset, looked_at.within):
        yield _event(seq, text)


def _other_origins(connection: Connection) -> Iterator[Finding]:
    """Yield streams whose creation time is not the one that an event of the ledger says."""
    told = told_origins(connection, stands_in(LEDGER))
    noted = noted_origins(connection)
    for stream in sorted(told.keys() | (noted if told else {}).keys()):
        if (created := noted.get(stream)) == told.get(stream):
            continue
        text = "is missing" if created is None else f"says that it was made at {created}"
        event = f"the ledger's own event says {told[stream]}" if stream in told else "no event does"
        yield Finding(row=f"origins.{stream}", text=f"{text}, and {event}")


def _guards(connection: Connection) -> Iterator[Finding]:
    for name in changed_views(connection):
        yield Finding(row=name, text="is a view that is gone or was changed")
    for name in missing(connection):
        yield Finding(row=name, text="is a trigger that is gone or was changed")
    for name in added(connection):
        yield Finding(row=name, text="is a trigger that Holdpoint did not make")


def _event(seq: int, text: str) -> Finding:
    return Finding(row=f"events.{seq}", text=text, event=seq)
