"""What is cut says so, and keeps what tells it from others."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.risk.builders import a_tool, an_action, judged

from holdpoint.core.text import beginning, whereabouts
from holdpoint.messages.action import Plan

SAMPLE = "/tmp/critic/var/sample/scratch-space/old-reports"  # noqa: S108  # a name, never opened


@pytest.mark.parametrize(
    ("named", "shown"),
    [
        ("/srv/old", "/srv/old"),
        (SAMPLE, "…/var/sample/scratch-space/old-reports"),
        (f"/srv/{'x' * 60}", f"…{'x' * 39}"),
        (f"/srv/{'x' * 45}/", f"…{'x' * 38}/"),
        (f"https://crm.example.com/{'x' * 60}", f"https://crm.example…{'x' * 20}"),
        (f"{'a' * 50}.example.com", f"{'a' * 19}…{'a' * 8}.example.com"),
    ],
)
def test_a_place_keeps_its_end(named: str, shown: str) -> None:
    assert whereabouts(named, 40) == shown


def test_a_text_keeps_its_beginning() -> None:
    assert beginning("user accounts", 13) == "user accounts"
    assert beginning("user accounts of old", 14) == "user accounts…"


@given(st.text(alphabet="a/.:-é", max_size=99), st.integers(2, 60))
def test_nothing_is_cut_without_saying_so(text: str, most: int) -> None:
    for shown in (beginning(text, most), whereabouts(text, most)):
        assert len(shown) <= most
        assert (shown == text) is ("…" not in shown)


def test_a_reason_never_names_another_folder_than_the_one_that_changes() -> None:
    plan = Plan(affected=3, environment_keys=(f"path:{SAMPLE}",))

    found = judged(an_action(), tool=a_tool(level=3), plan=plan)

    reason = next(it.reason for it in found.signals if it.rule == "environment.production")
    assert reason == (
        "it changes …/var/sample/scratch-space/old-reports, "
        "which is not listed as a sandbox, so it counts as production"
    )


def test_a_long_noun_is_cut_visibly() -> None:
    many: dict[str, Any] = {f"{'very_' * 12}old_user_ids": ["u"] * 101}

    found = judged(an_action(**many))

    reason = next(it.reason for it in found.signals if it.rule == "magnitude.records")
    assert "…" in reason


def test_a_long_selector_is_cut_visibly() -> None:
    found = judged(an_action("users.delete", **{f"{'very_' * 12}filter": "*"}))

    reason = next(it.reason for it in found.signals if it.rule == "call.everything")
    assert reason.endswith("…”")
