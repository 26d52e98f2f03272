"""A card may say that there is a way back only where the plan or the catalog knows one."""

import pytest
from tests.unit.risk.builders import a_tool, an_action, judged, said

from holdpoint.messages.action import Plan


@pytest.mark.parametrize(
    "plan",
    [
        None,
        Plan(affected=520, verb="update"),
        Plan(error="no dry run of this command"),
        Plan(reversible=False),
    ],
)
def test_nobody_knows_a_way_back_unless_somebody_says_so(plan: Plan | None) -> None:
    assert not judged(an_action(), plan=plan).reversible


def test_a_plan_knows_a_way_back() -> None:
    assert judged(an_action(), plan=Plan(verb="insert", affected=1, reversible=True)).reversible


def test_the_catalog_knows_a_way_back() -> None:
    assert judged(an_action(), tool=a_tool(undo="Delete the new file.")).reversible


def test_what_only_reads_needs_no_way_back() -> None:
    assert judged(an_action(), tool=a_tool(level=1)).reversible


def test_an_update_that_is_announced_has_no_known_way_back() -> None:
    assert not said("I will update 20 orders.").reversible
