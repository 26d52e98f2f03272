"""What is typed above the ledger is a filter, or is refused in words: it never breaks the page."""

from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdpoint.console.ledger_view import Filters, wanted_by
from holdpoint.runtime.errors import SetupError

PLACE = "2026-11-21T21:00:00+00:00~h1"
TEXT = st.text(max_size=40) | st.dates().map(str) | st.datetimes().map(lambda at: f"{at}~h1")


def test_the_last_day_includes_itself() -> None:
    wanted = wanted_by(Filters(since="2026-11-20", until="2026-11-21"))

    assert wanted.since == datetime(2026, 11, 20, tzinfo=UTC)
    assert wanted.until == datetime(2026, 11, 22, tzinfo=UTC)


@pytest.mark.parametrize("day", ["9999-12-31", "0001-01-01", "0999-02-03"])
def test_days_beyond_every_calendar_in_use_are_days(day: str) -> None:
    wanted_by(Filters(since=day, until=day))


@pytest.mark.parametrize(
    ("filters", "name"),
    [
        (Filters(outcome="x"), "outcome"),
        (Filters(before="abc"), "before"),
        (Filters(before="abc~h1"), "before"),
        (Filters(before="2026-11-21T21:00:00~h1"), "before"),
        (Filters(before="0001-01-01T00:00:00+23:59~h1"), "before"),
        (Filters(since="20261121"), "since"),
        (Filters(since="2026-W47-6"), "since"),
        (Filters(until="2026-02-30"), "until"),
    ],
)
def test_what_is_no_filter_is_named(filters: Filters, name: str) -> None:
    with pytest.raises(SetupError, match=f"`{name}`"):
        wanted_by(filters)


def test_the_word_on_the_card_is_a_filter_too() -> None:
    assert wanted_by(Filters(outcome="done")) == wanted_by(Filters(outcome="confirmed"))


def test_the_next_page_begins_where_the_last_one_ended() -> None:
    place = wanted_by(Filters(before=PLACE)).before

    assert place is not None
    assert (place.at, place.hold_id) == (datetime(2026, 11, 21, 21, tzinfo=UTC), "h1")


@given(since=TEXT, until=TEXT, before=TEXT, outcome=TEXT)
def test_nothing_else_comes_of_any_words(since: str, until: str, before: str, outcome: str) -> None:
    filters = Filters(since=since, until=until, before=before, outcome=outcome)
    with suppress(SetupError):
        wanted_by(filters)
