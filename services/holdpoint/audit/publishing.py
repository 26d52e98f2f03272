"""Checkpoints by the clock, and their way out of the database to each witness.

A witness gets the newest checkpoint; one that is away gets it when it is back, since each covers
all before it. What a witness holds already must be of the same history, or nothing more is sent.
"""

import asyncio
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeAlias

import structlog
from sqlalchemy import Connection

from holdpoint.audit import nats_witness
from holdpoint.audit.nats_witness import newest_at
from holdpoint.core.checkpoint import Checkpoint, NoteError, notes_in, read_note
from holdpoint.ledger.checkpoints import Stored
from holdpoint.ledger.tree import root_at
from holdpoint.ledger.writer import Ledger
from holdpoint.runtime.config.witness_files import WitnessEntry
from holdpoint.runtime.errors import HistoryError, HoldpointError
from holdpoint.runtime.process import clock, http_posts

log = structlog.get_logger(__name__)

EVERY_S = 10.0
"""Events may be changed for so long before somebody outside could tell."""

LOOK_S = 1.0
"""Seconds between two looks at the witnesses."""

TAKES_WITHIN_S = 5.0
WAITS_S = 2 * TAKES_WITHIN_S
"""For witnesses that say something again and again, and never all of it."""

SUFFIX = ".checkpoints"

Publish: TypeAlias = Callable[[str], None]


@dataclass(eq=False, kw_only=True)
class Witness:
    """One place outside, and the last checkpoint that it has of us."""

    name: str
    publish: Publish = field(repr=False)
    known: Callable[[], Checkpoint | None] = field(default=lambda: None, repr=False)
    """Reads what it has from before we started; None where it cannot be asked."""

    last: Checkpoint | None = None
    is_asked: bool = False
    problem: str = ""
    told: str = ""
    """Its problem as it was logged, so that it is said once."""


@dataclass(eq=False, kw_only=True)
class Publisher:
    """Takes checkpoints by the clock and brings them to the witnesses."""

    ledger: Ledger
    witnesses: Sequence[Witness]
    _taken_at: float = float("-inf")
    _bringing: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    """Publications under way, by the name of their witness."""

    def problem(self) -> str:
        """Why a witness gets nothing more; empty while all may have what there is."""
        return " ".join(filter(None, (it.problem for it in self.witnesses)))

    async def run(self) -> None:
        """Publish again and again until cancelled."""
        self._taken_at = clock.monotonic()
        while True:
            await asyncio.sleep(LOOK_S)
            if clock.monotonic() - self._taken_at >= EVERY_S:
                self._taken_at = clock.monotonic()
                await self.publish()

    async def publish(self) -> None:
        """Take a checkpoint, unless nothing is new, and bring the newest to every witness."""
        try:
            newest = await self.ledger.checkpoint()
        except HoldpointError as error:
            log.warning("checkpoint_waits", error=str(error))
            return
        if newest is not None:
            await self._bring_to_all(newest)

    async def _bring_to_all(self, newest: Stored) -> None:
        """Wait for every witness, but not for long; one that is still at an older one goes on."""
        for it in self.witnesses:
            if it.name not in self._bringing:
                self._bringing[it.name] = asyncio.create_task(self._bring(it, newest))
        if self._bringing:
            await asyncio.wait(self._bringing.values(), timeout=WAITS_S)
        for it in self.witnesses:
            if self._bringing[it.name].done():
                self._bringing.pop(it.name).result()
            else:
                _tell(it, f"it did not end its answer within {WAITS_S:g} s")

    async def _bring(self, witness: Witness, newest: Stored) -> None:
        try:
            made = read_note(newest.note).checkpoint
            if not witness.is_asked:
                witness.last, witness.is_asked = await asyncio.to_thread(witness.known), True
            if witness.last == made:
                return
            if witness.last is not None:
                await self.ledger.read(partial(_check_history, last=witness.last, made=made))
            await asyncio.to_thread(witness.publish, newest.note)
        except HistoryError as error:
            witness.problem = f"The witness {witness.name} gets no checkpoint: {error}"
            _tell(witness, str(error))
        except (HoldpointError, NoteError, OSError) as error:
            _tell(witness, str(error))
        else:
            witness.last, witness.problem, witness.told = made, "", ""


def witness_of(entry: WitnessEntry, origin: str) -> Witness:
    """Return the witness that the configuration names, with what it has of this ledger."""
    if entry.url:
        return Witness(name=entry.name, publish=partial(_post, entry.url))
    if entry.nats:
        publish, known = partial(nats_witness.publish, entry), partial(newest_at, entry)
        return Witness(name=entry.name, publish=publish, known=known)
    folder = Path(entry.directory)
    append, last = partial(_append, folder, origin), partial(newest_in, folder, origin)
    return Witness(name=entry.name, publish=append, known=last)


def newest_in(folder: Path, origin: str) -> Checkpoint | None:
    """Return the last checkpoint of this ledger in a witness's directory."""
    found = None
    for path in sorted(folder.glob(f"{_file_name(origin)}-*{SUFFIX}")):
        for note in notes_in(path.read_text(errors="replace")):
            try:
                found = read_note(note).checkpoint
            except NoteError:
                continue
    return found


def _tell(witness: Witness, why: str) -> None:
    if witness.told != why:
        witness.told = why
        log.warning("witness_lags", witness=witness.name, why=why)


def _check_history(connection: Connection, last: Checkpoint, made: Checkpoint) -> None:
    """Raise HistoryError unless the ledger is the one whose checkpoint the witness has."""
    if last.size > made.size or root_at(connection, last.size) != last.root:
        raise HistoryError(
            f"it holds one of {last.size} events that is not of this ledger, which was replaced or "
            "rewritten. See Witnesses in docs/audit.md."
        )


def _append(folder: Path, origin: str, note: str) -> None:
    """Append to the day's file; it is on disk when this returns."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{_file_name(origin)}-{clock.now():%Y-%m-%d}{SUFFIX}"
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        torn = os.fstat(descriptor).st_size and not path.read_bytes().endswith(b"\n")
        os.write(descriptor, (b"\n" if torn else b"") + note.encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _file_name(origin: str) -> str:
    return origin.replace("/", "-")


def _post(url: str, note: str) -> None:
    headers = {"Content-Type": "text/plain; charset=utf-8"}
    http_posts.post(url, note.encode(), headers, whose="it", within_s=TAKES_WITHIN_S)
