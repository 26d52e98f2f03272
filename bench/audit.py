"""`make bench-audit`: the ledger beside a hand-written batch insert of the same rows, as ratios.

Passing calls (a proposal, the gate's fact, a run's two facts) are entered in batches, with tree,
checkpoints and derived rows; the other side inserts the same events and bodies and nothing else.
"""

import argparse
import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from msgspec.structs import replace
from sqlalchemy import Connection, Engine, insert, select
from tests.integration.ledger_bus import Bus
from tests.integration.ledger_files import attested, ledgers_at, new_ledger
from tests.integration.ledger_stories import passed
from tests.postgres import MissingPostgresError, running_postgres

from holdpoint.audit.signatures import verified_with_the_commit, verify_a_batch
from holdpoint.audit.verify import Depth, verify
from holdpoint.ledger import engines
from holdpoint.ledger.checkpoints import EVERY_EVENTS, take_checkpoint
from holdpoint.ledger.entries import Entry
from holdpoint.ledger.queries import events_found
from holdpoint.ledger.search import Search
from holdpoint.ledger.tables import bodies, events, metadata
from holdpoint.ledger.writer import Ledger, enter
from holdpoint.runtime.security import keys
from holdpoint.runtime.store.journal import signer_of

T = TypeVar("T")
Rows: TypeAlias = list[tuple[dict[str, Any], dict[str, Any]]]

BATCH = 500
ASKED = 40
"""Times that each query is asked."""


def main() -> None:
    """Measure each database that is here, and print one line for each figure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--events", type=int, default=20_000)
    size = parser.parse_args().events
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hp-bench-")))
        keyset, entries = signed(folder / "keys", told(size))
        measured("sqlite", folder, entries, keyset)
        try:
            stack.enter_context(ledgers_at(stack.enter_context(running_postgres())))
        except MissingPostgresError as error:
            print(f"postgresql: {error}")
        else:
            measured("postgresql", folder, entries, keyset)


def told(size: int) -> list[Entry]:
    """At least so many events of passing calls."""
    bus, number = Bus(), 0
    while len(bus.entries) < size:
        passed(bus, f"{number:08x}")
        number += 1
    return bus.entries


def signed(folder: Path, entries: list[Entry]) -> tuple[keys.Keyset, list[Entry]]:
    """The same, each fact of the gate and the worker signed by itself: nothing costs more."""
    roles = {role for it in entries if (role := signer_of(it.subject))}
    for role in roles:
        keys.make_signing_key(folder, role, entries[0].at)
    keyset = keys.Keyset(folder)
    signers = {role: keys.Signer(folder, role, keyset) for role in roles}
    return keyset, [
        replace(it, signature=signers[role].sign(it.body))
        if (role := signer_of(it.subject))
        else it
        for it in entries
    ]


def measured(name: str, folder: Path, entries: list[Entry], keyset: keys.Keyset) -> None:
    """One database: both sides, then what is asked of the ledger."""
    url, plain = new_ledger(folder, f"ours-{name}"), new_ledger(folder, f"plain-{name}")
    ours = seconds(url, lambda engine: ingest(engine, entries))
    rows = rows_of(url)
    theirs = seconds(plain, lambda engine: by_hand(engine, rows))
    tree = timed(lambda: verify(url, depth=Depth.TREE))
    asyncio.run(looked_at(url, keyset))
    signatures = timed(lambda: verify(url, keyset=keyset, depth=Depth.SIGNATURES))
    whole = timed(lambda: verify(url, keyset=keyset))
    count, many = len(entries), sum(it.signature is not None for it in entries)
    cores = len(os.sched_getaffinity(0))
    print(f"{name}: {count:,} events")
    print(f"  ingest            {count / ours:>9,.0f}/s, {theirs / ours:.2f} of the batch insert")
    print(f"  verify --tree     {count / tree:>9,.0f}/s")
    print(f"  verify --signatures {many / signatures:>7,.0f}/s on {cores} cores, with the tree")
    print(f"  verify            {count / whole:>9,.0f}/s")
    for what, search in SEARCHES.items():
        print(f"  {what:<17} {median_ms(url, search):>9.2f} ms")


async def looked_at(url: str, keyset: keys.Keyset) -> None:
    """Note every signature, as the audit does in the background."""
    ledger = Ledger(url, partial(verified_with_the_commit, keyset), attested)
    while await verify_a_batch(ledger, keyset):
        pass
    await ledger.close()


SEARCHES = {
    "one hold": Search(hold="hold00000010", limit=100),
    "newest 100": Search(newest=True, limit=100),
    "an agent's newest": Search(agent="ops-agent", newest=True, limit=100),
    "one tool": Search(tool="oci_database_execute", limit=100),
}


def seconds(url: str, work: Callable[[Engine], None]) -> float:
    """How long the writer needs for this."""
    engine = engines.writer(url)
    try:
        return timed(lambda: work(engine))
    finally:
        engine.dispose()


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def ingest(engine: Engine, entries: list[Entry]) -> None:
    """As the audit does it."""
    for batch in batched_list(entries):
        with engine.begin() as connection:
            enter(connection, batch)
            take_checkpoint(connection, attested, after=EVERY_EVENTS)


def by_hand(engine: Engine, rows: Rows) -> None:
    """The floor: the same batches, a transaction each, the same two tables and indexes."""
    bare(engine)
    for batch in batched_list(rows):
        with engine.begin() as connection:
            connection.execute(insert(events), [event for event, _ in batch])
            connection.execute(insert(bodies), [body for _, body in batch])


def bare(engine: Engine) -> None:
    """Drop the triggers: nothing but tables and their indexes."""
    with engine.begin() as connection:
        if connection.dialect.name == "sqlite":
            found = connection.exec_driver_sql(
                "SELECT name FROM sqlite_master WHERE type='trigger'"
            )
            for (name,) in found.all():
                connection.exec_driver_sql(f"DROP TRIGGER {name}")
        else:
            for table in metadata.tables:
                connection.exec_driver_sql(f"ALTER TABLE {table} DISABLE TRIGGER USER")


def rows_of(url: str) -> Rows:
    def ask(connection: Connection) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
        for row in connection.execute(
            select(events, bodies.c.body).join(bodies).order_by(events.c.seq)
        ):
            event = row._asdict()
            body = event.pop("body")
            yield event, {"seq": event["seq"], "body": body}

    engine = engines.reader(url)
    with engine.begin() as connection:
        found = list(ask(connection))
    engine.dispose()
    return found


def median_ms(url: str, search: Search) -> float:
    """Warm: the first answer is not counted."""
    engine = engines.reader(url)
    with engine.begin() as connection:
        took = [timed(lambda: events_found(connection, search)) for _ in range(ASKED + 1)]
    engine.dispose()
    return statistics.median(took[1:]) * 1000


def batched_list(items: list[T]) -> Iterator[list[T]]:
    for start in range(0, len(items), BATCH):
        yield items[start : start + BATCH]


if __name__ == "__main__":
    main()
