"""A range of the ledger in one zip file: every event in it, and one proof for all of them.

    events.jsonl    each event with its body, signature and leaf, in the ledger's order
    erasures.jsonl  where bodies are missing: the ledger's events that tell of their erasure, each
                    with its way up the tree
    keys/           the public keys that the signatures are checked with
    manifest.json   what was asked for, the newest checkpoint, the hashes beside the events in its
                    tree, and the hash of every other file

Without filters no event between the first and the last is left out, whatever its time says: the
numbers of its leaves join, and the checkpoint's tree holds no others there.
"""

import hashlib
import zipfile
from collections.abc import Collection, Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Literal

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    func,
    or_,
    select,
    true,
)

from holdpoint.audit.packs import MANIFEST, PackedEvent, key_files, packed, zip_info
from holdpoint.audit.proofs import NotProvenError, not_covered
from holdpoint.core.merkle import subset_path
from holdpoint.ledger.checkpoints import newest_checkpoint
from holdpoint.ledger.erased import erasures_in
from holdpoint.ledger.queries import proposals_of, wanted_events
from holdpoint.ledger.search import Search, about_action, inline
from holdpoint.ledger.tables import bodies, events
from holdpoint.ledger.tree import inclusion, nodes_of

EVENTS, ERASURES = "events.jsonl", "erasures.jsonl"
WHOLE = frozenset({"since", "until"})
"""Filters that leave out nothing between the first event and the last."""

READ = 1_000
"""Events held in memory at a time."""


class Export(msgspec.Struct, frozen=True, kw_only=True):
    """Description that an exported range carries of itself."""

    format: Literal["holdpoint.export/v1"] = "holdpoint.export/v1"
    release: str
    tenant: str
    asked: dict[str, str]
    """Filters, by their names; times in UTC."""

    first: int
    last: int
    events: int
    behind: int
    """Events that fit and that no checkpoint covered yet: they are left out."""

    checkpoint: str
    path: tuple[str, ...]
    """Hashes beside the events in the checkpoint's tree, from left to right, hex."""

    files: dict[str, str]
    """SHA-256 of every other file, by its name."""

    @property
    def is_whole(self) -> bool:
        """True if it holds every event from its first to its last."""
        return self.asked.keys() <= WHOLE


def export(
    connection: Connection,
    out: Path,
    search: Search,
    asked: Mapping[str, str],
    tenant: str,
    keys_dir: Path,
) -> Export:
    """Write the zip file, which must not be there yet; NotProvenError where nothing can be proven.

    `asked` are the search's filters in words.
    """
    newest = newest_checkpoint(connection)
    if newest is None:
        raise NotProvenError("No checkpoint was signed yet, so nothing can be proven.")
    here, behind = _range(connection, search, newest.size, is_whole=asked.keys() <= WHOLE)
    keys = key_files(keys_dir)
    with zipfile.ZipFile(out, "w") as archive:
        written = _write_events(connection, archive, here)
        places = written.places
        if not places:
            raise NotProvenError("No event fits that a checkpoint covers.")
        erased = _erasures(connection, written.erasures, newest.size)
        small = {**keys, **({ERASURES: erased} if erased else {})}
        for name, body in small.items():
            archive.writestr(zip_info(name), body)
        path = subset_path(nodes_of(connection), places, newest.size)
        made = Export(
            release=version("holdpoint"),
            tenant=tenant,
            asked=dict(asked),
            first=places[0] + 1,
            last=places[-1] + 1,
            events=len(places),
            behind=behind,
            checkpoint=newest.note,
            path=tuple(it.hex() for it in path),
            files={EVENTS: written.digest}
            | {name: hashlib.sha256(body).hexdigest() for name, body in small.items()},
        )
        archive.writestr(zip_info(MANIFEST), msgspec.json.format(msgspec.json.encode(made)))
    return made


def _range(
    connection: Connection, search: Search, size: int, *, is_whole: bool
) -> tuple[ColumnElement[bool], int]:
    """Return which events are exported, and how many fit that no checkpoint covers."""
    fits = [_wanted(connection, search)]
    behind = connection.scalar(
        select(func.count()).select_from(events).where(*fits, events.c.seq > size)
    )
    here = events.c.seq.in_(select(events.c.seq).where(*fits, events.c.seq <= size))
    if is_whole:
        ends = select(func.min(events.c.seq), func.max(events.c.seq))
        first, last = connection.execute(ends.where(*fits, events.c.seq <= size)).one()
        here = events.c.seq.between(first or 0, last or 0)
    return here, behind or 0


def _wanted(connection: Connection, search: Search) -> ColumnElement[bool]:
    """Match what fits, and of filters on an action also the call that it came from."""
    fits = and_(true(), *wanted_events(connection, search))
    if not about_action(search, events.c.hold_id):
        return fits
    calls = [
        and_(events.c.src_stream == name, events.c.src_seq.in_(inline(seqs)))
        for name, seqs in proposals_of(connection, fits).items()
    ]
    return or_(fits, *calls)


class _Written(msgspec.Struct, kw_only=True):
    """Result of writing the events."""

    places: list[int] = []
    """Those of their leaves."""

    erasures: set[int] = set()
    """Events that tell of the erasure of a body that is missing."""

    digest: str = ""


def _write_events(
    connection: Connection, archive: zipfile.ZipFile, here: ColumnElement[bool]
) -> _Written:
    """Write each event as a line."""
    written, digest = _Written(), hashlib.sha256()
    erasure_of = erasures_in(connection)
    with archive.open(zip_info(EVENTS), "w", force_zip64=True) as file:
        for each in _packed(connection, here):
            if each.lacks_body:
                erasure = erasure_of(each.seq, each.src_stream, each.src_seq)
                written.erasures |= {erasure} if erasure else set()
            written.places.append(each.seq - 1)
            line = msgspec.json.encode(each) + b"\n"
            digest.update(line)
            file.write(line)
    written.digest = digest.hexdigest()
    return written


def _packed(connection: Connection, here: ColumnElement[bool]) -> Iterator[PackedEvent]:
    wanted = select(events, bodies.c.body).outerjoin(bodies).where(here).order_by(events.c.seq)
    yield from map(packed, connection.execute(wanted, execution_options={"yield_per": READ}))


def _erasures(connection: Connection, seqs: Collection[int], size: int) -> bytes:
    """Return these events as lines, each with its proof; NotProvenError where it has none yet."""
    if seqs and max(seqs) > size:
        raise NotProvenError(not_covered(max(seqs)))
    its = _packed(connection, events.c.seq.in_(inline(sorted(seqs))))
    proven = (
        msgspec.structs.replace(
            it, path=tuple(beside.hex() for beside in inclusion(connection, it.seq, size))
        )
        for it in its
    )
    return b"".join(msgspec.json.encode(it) + b"\n" for it in proven)
