"""Each hold counts once, on the day on which it was halted; plots stay in their box."""

from datetime import UTC, date, datetime, timedelta

import pytest

from holdpoint.console.figures import (
    HIGH,
    WIDE,
    by_risk,
    by_share,
    by_wait,
    figures_of,
    share,
    since,
)
from holdpoint.ledger.figures import Ending

TODAY = date(2026, 11, 27)
NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)


def an_ending(outcome: str, seconds: float = 5, days_ago: int = 0, risk: str = "high") -> Ending:
    at = NOON - timedelta(days=days_ago)
    return Ending(
        halted_at=at,
        ended_at=at + timedelta(seconds=seconds),
        risk=risk,
        outcome=outcome,
        answered=outcome in {"confirmed", "cancelled"},
    )


ENDINGS = [
    an_ending("confirmed", 4),
    an_ending("confirmed", 20, risk="critical"),
    an_ending("cancelled", 400),
    an_ending("expired", 900, days_ago=2),
    an_ending("confirmed", days_ago=30),
]


def test_a_hold_counts_on_the_day_on_which_it_was_halted() -> None:
    found = figures_of(ENDINGS, TODAY, 7)

    assert [day.asked for day in found.days] == [0, 0, 0, 0, 1, 0, 3]
    whole = found.whole
    assert (whole.asked, whole.approved, whole.cancelled, whole.expired) == (4, 2, 1, 1)
    assert whole.seconds == 20
    assert found.days[-1].risks == {"low": 0, "medium": 0, "high": 2, "critical": 1}
    assert [it.number for it in found.waits] == [1, 1, 0, 1, 0, 0]


def test_what_still_waits_is_counted_and_takes_no_share() -> None:
    waits = Ending(halted_at=NOON, ended_at=None, risk="high", outcome="", answered=False)
    found = figures_of([*ENDINGS, waits], TODAY, 7)

    whole = found.whole
    assert (whole.asked, whole.answered, whole.waiting) == (5, 3, 1)
    assert [day.asked for day in found.days] == [0, 0, 0, 0, 1, 0, 4]
    expired = by_share(found, expired=True)
    assert expired == by_share(figures_of(ENDINGS, TODAY, 7), expired=True)


def test_what_the_kill_switch_cancelled_is_nobodys_no() -> None:
    stopped = Ending(
        halted_at=NOON, ended_at=NOON, risk="high", outcome="cancelled", answered=False
    )
    whole = figures_of([stopped], TODAY, 7).whole

    assert (whole.asked, whole.cancelled, whole.seconds) == (1, 0, None)


@pytest.mark.parametrize("days", [7, 30, 90])
def test_a_plot_stays_in_its_box(days: int) -> None:
    found = figures_of(ENDINGS, TODAY, days)
    plots = (by_risk(found), by_share(found, expired=False), by_share(found, expired=True))

    for plot in (*plots, by_wait(found)):
        assert plot.bars
        assert all(it.x >= 0 and it.x + it.width <= WIDE for it in plot.bars)
        assert all(it.y >= -0.01 and it.y + it.height <= HIGH + 0.01 for it in plot.bars)


def test_nothing_asked_is_an_empty_plot_and_no_share() -> None:
    found = figures_of([], TODAY, 7)

    assert by_risk(found).bars == by_wait(found).bars == ()
    assert share(0, 0) == "\u2013"
    assert since(TODAY, 7) == datetime(2026, 11, 21, tzinfo=UTC)
