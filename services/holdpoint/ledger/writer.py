"""The ledger as the audit writes it: a batch is one transaction, and comes again without harm.

One thread owns the writing connection. Whatever goes wrong, nothing of the batch is stored.
"""

import asyncio
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeAlias, TypeVar

import structlog
from sqlalchemy import Connection, Engine, func, select
from sqlalchemy.exc import DatabaseError, OperationalError, SQLAlchemyError

from holdpoint.ledger import engines
from holdpoint.ledger.action_values import write_action_values
from holdpoint.ledger.answers import write_answers
from holdpoint.ledger.bulk_insert import insert_rows
from holdpoint.ledger.checkpoints import (
    EVERY_EVENTS,
    Attest,
    Stored,
    newest_checkpoint,
    take_checkpoint,
)
from holdpoint.ledger.confirmations import records_in, write_confirmations
from holdpoint.ledger.decisions import write_decisions
from holdpoint.ledger.entries import Entry, Record, record_of, row_of
from holdpoint.ledger.erased import erased_before
from holdpoint.ledger.migrations import migrate
from holdpoint.ledger.positions import body_hashes, check_positions, newest_in
from holdpoint.ledger.runs import write_runs
from holdpoint.ledger.signatures import (
    Verification,
    last_verified,
    signed_after,
    write_verifications,
)
from holdpoint.ledger.tables import bodies, decisions, events, traces
from holdpoint.ledger.traces import write_traces
from holdpoint.ledger.tree import grow, has_nodes, plant, size_of
from holdpoint.ledger.triggers import install
from holdpoint.ledger.unreadable import cause_of, unreadable
from holdpoint.ledger.views import create_views, drop_views
from holdpoint.runtime.config import files
from holdpoint.runtime.errors import (
    HistoryError,
    SetupError,
    UnavailableError,
    UnknownOutcomeError,
)
from holdpoint.runtime.process import crash

log = structlog.get_logger(__name__)

T = TypeVar("T")

Verify: TypeAlias = Callable[[Sequence[Record]], Sequence[Verification]]
"""What the signatures of these events are worth; nothing while the keys cannot be read."""

WRITE_TIMEOUT_S = 15.0
"""Above SQLite's busy timeout (5 s)."""

MIGRATE_TIMEOUT_S = 600.0

REDERIVED = 1_000
"""Events that are read at a time where rows are derived again."""

SHARED = 0o640
"""In a folder with the set-group-id bit its group may read the ledger: the console, for example."""


def upgrade(url: str) -> None:
    """Make the ledger if it is missing, take it to the newest schema, and guard it."""
    file = engines.local_file(url)
    if file:
        files.private_folder(file.parent)
    engine = engines.creator(url)
    try:
        with engine.begin() as connection:
            _upgrade(connection)
    except OperationalError as error:
        raise SetupError(unreadable(url, error)) from None
    except DatabaseError as error:
        text = f"The ledger {engines.place_of(url)} is not upgraded: {_cause(error)}."
        raise SetupError(damaged(url, _cause(error)) if file else text) from None
    finally:
        engine.dispose()
    if file:
        file.chmod(SHARED if file.parent.stat().st_mode & stat.S_ISGID else files.PRIVATE)


def _upgrade(connection: Connection) -> None:
    drop_views(connection)
    has_moved = migrate(connection)
    create_views(connection)
    guards = install(connection)
    if has_moved:
        _derive_again(connection)
    if not newest_checkpoint(connection) and not has_nodes(connection):
        plant(connection)
    log.info("ledger_ready", guards_installed=len(guards))


def _derive_again(connection: Connection) -> None:
    """Derive from every event what a migration emptied, or added columns to."""
    emptied = [
        *([write_traces] if connection.scalar(select(traces.c.id).limit(1)) is None else []),
        *(_ABOUT_HOLDS if connection.scalar(select(decisions.c.at).limit(1)) is None else _NEWEST),
    ]
    for chunk in chunks(connection) if emptied else ():
        for write in emptied:
            write(connection, chunk)


def enter(connection: Connection, batch: Iterable[Entry]) -> int:
    """Store what is new in the batch and whatever follows from it; returns how many.

    HistoryError when a message is here already with another body.
    """
    return len(_entered(connection, batch))


def _entered(connection: Connection, batch: Iterable[Entry]) -> list[Record]:
    fresh = _fresh(connection, batch)
    if not fresh:
        return []
    last = size_of(connection)
    records = [record_of(last + place, entry) for place, entry in enumerate(fresh, start=1)]
    rows = [row_of(it) for it in records]
    insert_rows(connection, events, rows)
    gone = erased_before(connection, fresh)
    whole = [it for it in records if (it.entry.stream, it.entry.seq) not in gone]
    insert_rows(connection, bodies, [{"seq": it.seq, "body": it.entry.body} for it in whole])
    grow(connection, last, [row["leaf"] for row in rows])
    derive(connection, whole)
    return records


_ABOUT_HOLDS = (
    write_runs,
    write_decisions,
    write_action_values,
    write_answers,
    write_confirmations,
)


_NEWEST = (write_action_values,)
"""What an upgrade added last: where the older rows are there already, only this is derived."""


def chunks(connection: Connection) -> Iterator[list[Record]]:
    """Read every event of the ledger in its order, some at a time."""
    last = connection.scalar(select(func.max(events.c.seq))) or 0
    for first in range(1, last + 1, REDERIVED):
        yield records_in(connection, events.c.seq.between(first, first + REDERIVED - 1))


def derive(connection: Connection, records: Sequence[Record]) -> None:
    """Write what follows from events that the ledger holds, in the ledger's order."""
    for write in (write_traces, *_ABOUT_HOLDS):
        write(connection, records)


class Ledger:
    """The writing end; `verify` looks at signatures, `attest` signs checkpoints."""

    def __init__(self, url: str, verify: Verify, attest: Attest) -> None:
        self._url = url
        self._verify = verify
        self._attest = attest
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ledger")
        self._engine: Engine | None = None
        self._inode = 0

    async def open(self) -> None:
        """Upgrade the ledger and open it."""
        await self._in_thread(lambda: upgrade(self._url), within_s=MIGRATE_TIMEOUT_S)

    async def enter(self, batch: Sequence[Entry], ends: Mapping[str, int]) -> int:
        """Store the batch in one transaction; when this returns, it is on disk.

        UnavailableError when a stream does not end in the ledger where `ends` says.
        """

        def work(connection: Connection) -> int:
            check_positions(connection, ends)
            is_verified = not signed_after(connection, last_verified(connection), 1)
            records = _entered(connection, batch)
            if is_verified and (found := self._verify(records)):
                write_verifications(connection, found)
            take_checkpoint(connection, self._attest, after=EVERY_EVENTS)
            return len(records)

        return await self.write(work)

    async def checkpoint(self) -> Stored | None:
        """Sign where the tree ends, unless nothing is new, and return the newest checkpoint."""

        def work(connection: Connection) -> Stored | None:
            take_checkpoint(connection, self._attest)
            return newest_checkpoint(connection)

        return await self.write(work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Do this in one transaction of the writing thread."""
        return await self._in_thread(lambda: self._transaction(work), within_s=WRITE_TIMEOUT_S)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Ask one snapshot, beside what is being written."""
        try:
            async with asyncio.timeout(WRITE_TIMEOUT_S):
                return await asyncio.to_thread(self._snapshot, work)
        except TimeoutError:
            raise UnavailableError("The ledger did not answer in time.") from None

    async def damage(self) -> str:
        """Return what is wrong with the file's pages; empty when all of them can be read.

        It reads the whole file, beside what is being written. A server looks at its own pages.
        """
        if engines.local_file(self._url) is None:
            return ""
        return await asyncio.to_thread(self._checked)

    async def close(self) -> None:
        """Let go of the file, after what is under way."""
        await self._in_thread(self._forget, within_s=WRITE_TIMEOUT_S)
        self._thread.shutdown(wait=False)

    async def _in_thread(self, work: Callable[[], T], *, within_s: float) -> T:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(within_s):
                return await loop.run_in_executor(self._thread, work)
        except TimeoutError:
            raise UnknownOutcomeError("The ledger did not answer in time.") from None

    def _transaction(self, work: Callable[[Connection], T]) -> T:
        try:
            with self._present().begin() as connection:
                done = work(connection)
                crash.passing("commit", "within")
                return done
        except (SQLAlchemyError, OSError) as error:
            self._forget()
            why = cause_of(self._url, error).why
            raise UnavailableError(f"The ledger took nothing: {why}.") from error

    def _snapshot(self, work: Callable[[Connection], T]) -> T:
        engine = engines.reader(self._url)
        try:
            with engine.begin() as connection:
                return work(connection)
        except SQLAlchemyError as error:
            raise UnavailableError(unreadable(self._url, error)) from error
        finally:
            engine.dispose()

    def _checked(self) -> str:
        try:
            found = self._snapshot(lambda it: it.exec_driver_sql("PRAGMA quick_check(1)").scalar())
        except UnavailableError as error:
            found = str(error.__cause__ and _cause(error.__cause__))
        return "" if found == "ok" else damaged(self._url, str(found))

    def _present(self) -> Engine:
        """An open file that was moved or deleted would take every commit with it."""
        file = engines.local_file(self._url)
        inode = os.stat(file).st_ino if file else 0  # noqa: PTH116  # one system call
        if self._engine is None or inode != self._inode:
            self._forget()
            self._engine = engines.writer(self._url)
            self._inode = inode
        return self._engine

    def _forget(self) -> None:
        if self._engine is not None:
            self._engine.dispose()
            self._engine = None


def _fresh(connection: Connection, batch: Iterable[Entry]) -> list[Entry]:
    """Return what the ledger does not hold yet, each once, in the order of its stream."""
    offered = {(entry.stream, entry.seq): entry for entry in batch}
    known: set[tuple[str, int]] = set()
    for stream in {each for each, _ in offered}:
        newest = newest_in(connection, stream)
        old = [seq for its, seq in offered if its == stream and seq <= newest]
        for seq, body_sha256 in (body_hashes(connection, stream, old) if old else {}).items():
            check_repeat(offered[stream, seq], body_sha256)
            known.add((stream, seq))
    return [offered[source] for source in sorted(offered.keys() - known)]


def check_repeat(entry: Entry, body_sha256: str) -> None:
    """Raise HistoryError unless this message is the one with that body."""
    if entry.body_sha256 != body_sha256:
        raise HistoryError(
            f"{entry.stream} holds another message {entry.seq} than the one that was entered: it "
            "was cut, or replaced by another stream."
        )


def damaged(url: str, cause: str) -> str:
    """Return what to do about a file that the database cannot read."""
    return (
        f"The ledger {engines.place_of(url)} is damaged: {cause}. Restore it from a backup, or "
        "move it away: the audit makes a new one from what the streams still hold."
    )


def _cause(error: BaseException) -> str:
    """The database's own words; never the statement, whose values are confidential."""
    return str(getattr(error, "orig", None) or error.__class__.__name__)
