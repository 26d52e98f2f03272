"""A name that reads does not silence what an argument orders, unless it is about actions."""

from typing import Any

from tests.unit.risk.builders import a_tool, an_action, judged, the_policy

from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged as judged_line
from holdpoint.policy_lab.cases import Line, LineKind

Call = tuple[str, dict[str, Any]]

ORDERED: tuple[Call, ...] = (
    ("get_parcel", {"id": 1, "action": "delete"}),
    ("list_members", {"operation": "purge", "all": True}),
    ("get_volume", {"name": "b", "method": "DELETE"}),
    ("search_inbox", {"command": "erase", "query": "from:bank"}),
    ("check_health", {"on_fail": "terminate all instances"}),
    ("view_account", {"cmd": "close", "id": 7}),
    ("read_table", {"table": "orders", "mode": "truncate"}),
    ("describe_cluster", {"cluster": "eu-1", "then": "destroy"}),
    ("fetch_invoice", {"id": "7", "op": "void"}),
    ("bank_account", {"action": "close", "id": 7}),
    ("membership", {"action": "cancel", "id": 7}),
    ("get_parcel", {"params": {"action": "delete"}}),
    ("get_parcel", {"options": [{"action": "delete"}]}),
    ("get_parcel", {"action": ["delete"]}),
    ("get_record", {"action": "delete"}),
    ("get_parcel", {"_action": "delete"}),
)
ABOUT_ACTIONS: tuple[Call, ...] = (
    ("list_events", {"action": "delete"}),
    ("search_audit_log", {"operation": "purge"}),
    ("get_history", {"event": "user.deleted"}),
    ("check_permission", {"action": "delete", "resource": "doc/1"}),
    ("list_routes", {"method": "DELETE"}),
    ("get_file", {"path": "a.txt", "mode": "text"}),
    ("list_members", {"action": "list"}),
    ("search_notes", {"query": "delete", "mode": "fuzzy"}),
    ("check_health", {"on_fail": "notify the team"}),
    ("check_health", {"on_error": "abort"}),
    ("ticket", {"action": "close", "id": 7}),
    ("window", {"action": "close", "id": 7}),
    ("list_members", {"filter": {"action": "delete"}}),
)


def level(call: Call) -> RiskLevel:
    line = Line(id="", kind=LineKind.TOOL_CALL, payload={"tool": call[0], "args": call[1]})
    return judged_line(line, the_policy()).level


def test_what_an_argument_orders_is_asked_about() -> None:
    assert [call for call in ORDERED if level(call) < RiskLevel.HIGH] == []


def test_what_is_only_looked_for_is_not() -> None:
    assert [call for call in ABOUT_ACTIONS if level(call) >= RiskLevel.HIGH] == []


def test_a_catalog_that_says_it_reads_does_not_silence_an_order() -> None:
    found = judged(an_action("get_parcel", id=1, action="delete"), tool=a_tool(level=1))

    assert found.level >= RiskLevel.HIGH
