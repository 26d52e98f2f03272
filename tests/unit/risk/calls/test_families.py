"""Families of calls that ask, and their like that do not; each is a table, and told as a whole."""

from tests.unit.risk.builders import a_tool, an_action, judged, the_policy
from tests.unit.risk.corpus import Call, calls

from holdpoint.core.risk.tools.access import is_mighty
from holdpoint.messages.risk import Assessment, RiskLevel
from holdpoint.policy_lab.assess import judged as judged_line
from holdpoint.policy_lab.cases import Line, LineKind

EVERY = calls(
    "asks", "action", "bounds", "family", "key-in-text", "operation", "preview-applied", "stranger",
    "target",
)  # fmt: skip
WORKED_ON = calls("silent", "bounds-worked-on")
SEARCHED = calls("silent", "family-searched")
MAX_REASON = 90
HIGH = RiskLevel.HIGH


def call(case: Call) -> Assessment:
    tool, arguments = case
    line = Line(id="", kind=LineKind.TOOL_CALL, payload={"tool": tool, "args": arguments})
    return judged_line(line, the_policy())


def test_what_a_tool_works_on_counts_where_no_catalog_lists_it_as_a_read() -> None:
    silent = [
        (tool, known)
        for tool, arguments in (case for case in WORKED_ON if case[0] != "translate_text")
        for known in (None, a_tool(level=3))
        if judged(an_action(tool, **arguments), tool=known).level < HIGH
    ]

    assert silent == []


def test_every_reason_fits_a_card() -> None:
    reasons = [signal.reason for case in EVERY for signal in call(case).signals]

    assert [one for one in reasons if len(one) > MAX_REASON] == []


def test_what_is_searched_for_counts_where_no_catalog_lists_the_tool_as_a_read() -> None:
    for tool, arguments in SEARCHED[:1]:
        action = an_action(tool, **arguments)

        assert judged(action).level is RiskLevel.CRITICAL, tool
        assert judged(action, tool=a_tool(level=3)).level >= RiskLevel.HIGH, tool
        assert judged(action, tool=a_tool(level=1)).level < RiskLevel.HIGH, tool


def test_what_stands_beside_what_is_searched_for_counts() -> None:
    both = {"query": "rm -rf /", "note": "rm -rf /"}

    assert call(("search_notes", both)).level is RiskLevel.CRITICAL


RULES = ("owner", "SUPER_ADMIN", "Domain Admins", "roles/owner", "Full Control", "org:admin")
SERVES = (
    "viewer",
    "non-admin",
    "Product Owner",
    "read-only admin",
    "",
    "a" * 99,
    "the admin of us all",
)


def test_ranks_that_rule_are_told_from_those_that_serve() -> None:
    assert [one for one in RULES if not is_mighty(one)] == []
    assert [one for one in SERVES if is_mighty(one)] == []
