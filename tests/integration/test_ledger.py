"""The ledger keeps each event once, in whatever order the streams come, and derives the same."""

from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, text
from sqlalchemy.exc import IntegrityError
from tests.integration.ledger_bus import Bus
from tests.integration.ledger_files import (
    asked,
    derived,
    derived_by_name,
    entered,
    new_ledger,
    rows_of,
)
from tests.integration.ledger_stories import batches, by_stream, every_story

from holdpoint.audit.verify import verify
from holdpoint.ledger import engines
from holdpoint.ledger.entries import Entry
from holdpoint.ledger.own_events import note_origin
from holdpoint.ledger.positions import position_of
from holdpoint.ledger.queries import gaps
from holdpoint.ledger.tables import bodies, events, metadata
from holdpoint.ledger.writer import upgrade
from holdpoint.runtime.errors import HistoryError

pytestmark = pytest.mark.usefixtures("ledger_store")

STORIES = every_story()
ALL = 10_000


@pytest.fixture
def url(tmp_path: Path) -> str:
    return new_ledger(tmp_path)


@pytest.fixture(scope="session")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[list[tuple[object, ...]]]:
    """What follows from all stories, entered in the order in which they were told."""
    ledger = new_ledger(tmp_path_factory.mktemp("told"))
    entered(ledger, STORIES)
    return derived_by_name(ledger)


@pytest.mark.parametrize(("folder_mode", "file_mode"), [(0o755, 0o600), (0o2750, 0o640)])
def test_a_ledger_is_its_owners_alone_unless_its_folder_gives_it_to_a_group(
    folder_mode: int, file_mode: int, tmp_path: Path
) -> None:
    folder = tmp_path / "ledger"
    folder.mkdir()
    folder.chmod(folder_mode)

    upgrade(f"sqlite:///{folder}/ledger.db")

    assert (folder / "ledger.db").stat().st_mode & 0o777 == file_mode


def test_the_migrations_make_exactly_the_tables_of_the_code(url: str) -> None:
    upgrade(url)

    def differences(connection: object) -> list[object]:
        context = MigrationContext.configure(connection)  # type: ignore[arg-type]
        return list(compare_metadata(context, metadata))

    assert asked(url, differences) == []


def test_a_batch_that_comes_again_is_stored_once(url: str) -> None:
    first = entered(url, *batches(STORIES, 7))
    before = rows_of(url, events, bodies)
    again = entered(url, *batches(STORIES, 5))

    assert first == len(STORIES)
    assert again == 0
    assert rows_of(url, events, bodies) == before


def test_a_message_twice_in_one_batch_is_stored_once(url: str) -> None:
    assert entered(url, [*STORIES, *STORIES]) == len(STORIES)
    assert verify(url).problems == ()


def test_bytes_are_kept_as_they_came_also_unreadable_ones(url: str) -> None:
    entered(url, STORIES)
    kept = {
        (stream, seq): body
        for stream, seq, body in asked(
            url,
            lambda connection: list(
                connection.execute(
                    select(events.c.src_stream, events.c.src_seq, bodies.c.body).join(bodies)
                )
            ),
        )
    }

    assert kept == {(entry.stream, entry.seq): entry.body for entry in STORIES}
    assert _types(url, STORIES[-1]) == ["unreadable"]


def test_sequences_out_of_order_leave_a_gap_only_until_they_come(url: str) -> None:
    stream = "HP_CALLS_acme"
    late = [entry for entry in STORIES if entry.stream == stream and entry.seq in {2, 3, 5}]
    entered(url, [entry for entry in STORIES if entry not in late])
    before = asked(url, gaps)
    entered(url, late)

    at = {entry.seq: entry.at for entry in STORIES if entry.stream == stream}
    assert [(it.stream, it.first, it.last, it.next_at) for it in before] == [
        (stream, 2, 3, at[4]),
        (stream, 5, 5, at[6]),
    ]
    assert asked(url, gaps) == []
    assert verify(url).problems == ()


def test_what_is_missing_among_messages_is_a_problem(url: str) -> None:
    lost = [each for each in STORIES[:20] if not (each.kind == "CALLS" and each.seq == 2)]
    entered(url, lost)

    assert [(it.check, it.row) for it in verify(url).problems] == [("gap", "HP_CALLS_acme:2")]


def test_a_message_comes_again_only_with_the_same_body(url: str) -> None:
    entered(url, STORIES[:20])
    other = msgspec.structs.replace(STORIES[3], body=STORIES[3].body + b" ")

    with pytest.raises(HistoryError, match="holds another message"):
        entered(url, [other])
    assert entered(url, [STORIES[3]]) == 0
    assert verify(url).problems == ()


def test_a_missing_first_sequence_is_a_gap(url: str) -> None:
    entered(url, [entry for entry in STORIES if entry.seq != 1])

    assert {(gap.first, gap.last) for gap in asked(url, gaps)} == {(1, 1)}


# Whatever the order of the streams, what follows is the same.


@st.composite
def interleavings(draw: st.DrawFn) -> list[Entry]:
    waiting = [list(reversed(entries)) for entries in by_stream(STORIES).values()]
    order = []
    while waiting:
        stream = draw(st.sampled_from(waiting))
        order.append(stream.pop())
        waiting = [entries for entries in waiting if entries]
    return order


@pytest.mark.slow
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(order=interleavings(), size=st.integers(1, len(STORIES)))
def test_any_interleaving_of_the_streams_yields_the_same_derived_rows(
    expected: list[list[tuple[object, ...]]], order: list[Entry], size: int
) -> None:
    with TemporaryDirectory() as folder:
        ledger = new_ledger(Path(folder))
        entered(ledger, *batches(order, size))

        assert derived_by_name(ledger) == expected


@pytest.mark.slow
@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(order=st.permutations(STORIES), size=st.integers(1, len(STORIES)))
def test_confirmations_and_runs_are_the_same_even_when_streams_are_shuffled(
    expected: list[list[tuple[object, ...]]], order: list[Entry], size: int
) -> None:
    with TemporaryDirectory() as folder:
        ledger = new_ledger(Path(folder))
        entered(ledger, *batches(order, size))

        assert derived(ledger)[:2] == expected[:2]
        assert verify(ledger).problems == ()


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    strangers=st.lists(
        st.tuples(
            st.sampled_from(("CALLS", "HOLDS", "ANSWERS", "RUNS", "ADMIN", "STATE", "CARDS")),
            st.sampled_from([entry.subject for entry in STORIES] + ["hp", "x.y", "hp.acme.card"]),
            st.binary(max_size=60) | st.sampled_from([entry.body for entry in STORIES]),
        ),
        max_size=30,
    )
)
def test_no_message_stops_the_ledger(strangers: list[tuple[str, str, bytes]]) -> None:
    bus = Bus()
    for kind, subject, body in strangers:
        bus.store(kind, subject, body)
    with TemporaryDirectory() as folder:
        ledger = new_ledger(Path(folder))
        entered(ledger, bus.entries)

        assert len(rows_of(ledger, events)[0]) == len(strangers)
        assert verify(ledger).problems == ()


def test_derived_rows_are_the_same_byte_for_byte_when_they_are_derived_again(url: str) -> None:
    entered(url, *batches(list(reversed(STORIES)), 9))

    assert verify(url).problems == ()


def _types(url: str, entry: Entry) -> list[str]:
    return asked(
        url,
        lambda c: list(
            c.scalars(
                select(events.c.type).where(
                    events.c.src_stream == entry.stream, events.c.src_seq == entry.seq
                )
            )
        ),
    )


@pytest.mark.parametrize("statement", ["UPDATE origins SET created = ''", "DELETE FROM origins"])
def test_when_a_stream_was_made_is_never_forgotten(url: str, statement: str) -> None:
    engine = engines.writer(url)
    with engine.begin() as connection:
        note_origin(connection, "HP_CALLS_acme", "2026-11-24T11:00:00.123456789Z")
    with pytest.raises(IntegrityError, match="append-only"), engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()

    known = asked(url, lambda it: position_of(it, "HP_CALLS_acme"))
    assert (known.seq, known.created) == (0, "2026-11-24T11:00:00.123456789Z")
