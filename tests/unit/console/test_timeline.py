"""How long something took, in words."""

from datetime import timedelta

import pytest

from holdpoint.console.context import local_path
from holdpoint.console.timeline import lasting


@pytest.mark.parametrize(
    ("time", "text"),
    [
        (timedelta(0), "0 s"),
        (timedelta(seconds=2.4), "2 s"),
        (timedelta(minutes=8, seconds=31), "8 min 31 s"),
        (timedelta(hours=2, seconds=5), "2 h 5 s"),
        (timedelta(days=1, hours=3, minutes=2, seconds=1), "1 d 3 h"),
    ],
)
def test_a_time_has_its_two_largest_units(time: timedelta, text: str) -> None:
    assert lasting(time) == text


@pytest.mark.parametrize(
    "path",
    ["/", "/ledger", "/holds/robot/h1", "/ledger?outcome=cancelled&agent=robot&since=2026-11-24",
     "/ledger?before=2026-11-21T21%3A00%3A00%2B00%3A00~h1&text=a+b"],
)  # fmt: skip
def test_a_page_of_ours_is_kept_through_the_login(path: str) -> None:
    assert local_path(path) == path


@pytest.mark.parametrize(
    "path", ["//evil.example", "/ledger?x=\r\nSet-Cookie: a", "/ledger?<script>", "https://x", "/x"]
)
def test_anything_else_leads_to_the_inbox(path: str) -> None:
    assert local_path(path) == "/"
