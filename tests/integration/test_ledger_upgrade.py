"""A ledger of an earlier schema keeps its events: they become leaves, and it verifies."""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import Connection, column, insert, table
from sqlalchemy import text as statement
from tests.integration.ledger_files import asked, derived, entered, migrated, new_ledger, unguarded
from tests.integration.ledger_stories import every_story

from holdpoint.audit.verify import Depth, verify
from holdpoint.core.leaf import leaf
from holdpoint.ledger import engines
from holdpoint.ledger.entries import Entry, record_of, row_of
from holdpoint.ledger.tables import bodies, events, tree_nodes
from holdpoint.ledger.tree import root_at
from holdpoint.ledger.writer import upgrade
from holdpoint.runtime.errors import SetupError


def in_order(entries: Iterable[Entry]) -> list[Entry]:
    """As a batch is entered."""
    return sorted(entries, key=lambda it: (it.stream, it.seq))


STORIES = in_order(every_story())
OLD_EVENTS = table("events", *(column(it.name, it.type) for it in events.c), column("link"))
OLD_HEADS = table("heads", column("seq"), column("link"))


@pytest.fixture(params=["0001", "0003"])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A ledger as the version before wrote it: a chain, and its heads."""
    url = f"sqlite:///{tmp_path}/ledger.db"
    engine = engines.creator(url)
    with engine.begin() as connection:
        migrated(connection, request.param)
        rows, link = [], bytes(32)
        for seq, entry in enumerate(STORIES, start=1):
            row: dict[str, Any] = row_of(record_of(seq, entry))
            made = leaf(row)
            link = hashlib.sha256(b"\1" + link + made).digest()
            rows.append({**row, "leaf": made, "link": link})
        connection.execute(insert(OLD_EVENTS), rows)
        connection.execute(
            insert(bodies), [{"seq": seq, "body": it.body} for seq, it in enumerate(STORIES, 1)]
        )
        connection.execute(insert(OLD_HEADS), [{"seq": len(rows), "link": link}])
    engine.dispose()
    return url


def test_its_events_become_leaves_and_it_goes_on(old: str, tmp_path: Path) -> None:
    upgrade(old)
    made = new_ledger(tmp_path, "new")
    entered(made, STORIES)

    assert asked(old, lambda it: root_at(it, len(STORIES))) == asked(
        made, lambda it: root_at(it, len(STORIES))
    )
    assert derived(old)[2] == derived(made)[2]
    assert {it.check for it in verify(old).problems} <= {"derived"}, "the fixture derived nothing"


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ("UPDATE alembic_version SET version_num = 'zzzz'", "step zzzz, which this release"),
        ("DELETE FROM alembic_version", "does not say at which step"),
        ("DROP TABLE alembic_version", "does not say at which step"),
    ],
)
def test_one_at_a_step_that_nobody_knows_is_refused(tmp_path: Path, change: str, text: str) -> None:
    url = new_ledger(tmp_path)
    with unguarded(url) as connection:
        connection.execute(statement(change))
    with pytest.raises(SetupError, match=text):
        upgrade(url)


def test_one_that_was_tampered_with_stays_as_it_is(old: str) -> None:
    engine = engines.writer(old)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE events SET subject = 'hp.acme.other' WHERE seq = 9")

    with pytest.raises(SetupError, match="chain is broken at event 9"):
        upgrade(old)
    with engine.begin() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM heads").scalar() == 1
    engine.dispose()


def test_one_that_lost_its_end_stays_as_it_is(old: str) -> None:
    engine = engines.writer(old)
    with engine.begin() as connection:
        connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
        connection.exec_driver_sql(f"DELETE FROM bodies WHERE seq = {len(STORIES)}")
        connection.exec_driver_sql(f"DELETE FROM events WHERE seq = {len(STORIES)}")
    engine.dispose()

    with pytest.raises(SetupError, match=f"chain is broken at event {len(STORIES)}"):
        upgrade(old)


def test_every_way_to_enter_makes_the_same_tree(tmp_path: Path) -> None:
    """Nodes are completed by single events, by batches, and by the upgrade, all alike."""
    many = in_order(it for number in range(12) for it in _renumbered(number))
    together, apart, planted = (new_ledger(tmp_path, name) for name in ("a", "b", "c"))
    entered(together, many)
    entered(apart, *(many[start : start + 37] for start in range(0, len(many), 37)))
    entered(planted, many)
    engine = engines.writer(planted)
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TRIGGER tree_nodes_stays")
        connection.exec_driver_sql("DELETE FROM tree_nodes")
    engine.dispose()
    upgrade(planted)

    def nodes(connection: Connection) -> list[tuple[Any, ...]]:
        return [tuple(it) for it in connection.execute(tree_nodes.select().order_by("place"))]

    assert len(asked(together, nodes)) == 12 * len(STORIES) // 256
    assert asked(together, nodes) == asked(apart, nodes) == asked(planted, nodes)
    assert verify(apart, depth=Depth.TREE).problems == ()


def _renumbered(number: int) -> list[Entry]:
    """The same stories behind each other on their streams."""
    lengths: dict[str, int] = {}
    for entry in STORIES:
        lengths[entry.stream] = max(lengths.get(entry.stream, 0), entry.seq)
    return [replace(it, seq=it.seq + number * lengths[it.stream]) for it in STORIES]
