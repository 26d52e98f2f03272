"""What an argument tells a tool to do, and that nothing which stands beside it lowers that."""

from itertools import islice, product
from typing import Any

from msgspec import structs
from tests.shares import in_shares
from tests.unit.risk.builders import a_tool, an_action, judged, the_policy
from tests.unit.risk.corpus import Call, calls

from holdpoint.core.risk.tools.names import tool_name
from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged as judged_line
from holdpoint.policy_lab.cases import Line, LineKind

TOOLS = ("filesystem", "memory", "kv_store", "users", "crm_call", "manage_user", "browser_task")
KEYS = ("action", "operation", "op", "command", "mode", "do")
DEEDS_TOLD = ("delete", "purge", "destroy", "remove", "wipe", "delete_account")
ADDED: dict[str, Any] = {
    "path": "/srv/a",
    "url": "https://a.example/contacts/7",
    "uri": "a://b",
    "endpoint": "/v1/contacts",
    "note": "only a test",
    "dry_run": False,
    "validate_only": "false",
    "preview": None,
    "limit": 10,
    "id": "7",
    "format": "json",
    "confirm": True,
    "env": "sandbox",
    "method": "POST",
}


def level(tool: str, arguments: dict[str, Any]) -> RiskLevel:
    line = Line(id="", kind=LineKind.TOOL_CALL, payload={"tool": tool, "args": arguments})
    return judged_line(line, the_policy()).level


def test_a_action_in_an_argument_asks_whatever_stands_beside_it() -> None:
    silent = [
        (tool, key, action, more)
        for tool, key, action, more in product(TOOLS, KEYS, DEEDS_TOLD, (None, *ADDED))
        if level(tool, {key: action} | ({more: ADDED[more]} if more else {})) < RiskLevel.HIGH
    ]

    assert silent == []


@in_shares
def test_one_argument_more_never_makes_a_call_ask_nobody(step: int) -> None:
    every = calls("asks", "action", "basics", "bounds", "family", "operation", "stranger", "target")
    lowered = [
        (tool, arguments, key)
        for tool, arguments in islice(every, 0, None, step)
        for key, value in ADDED.items()
        if key not in arguments
        and not _is_asked_for(arguments)
        and level(tool, arguments | {key: value}) < RiskLevel.HIGH
    ]

    assert lowered == []


def _is_asked_for(arguments: dict[str, Any]) -> bool:
    """A request without an address, which is known to be a mere read once it has one."""
    return str(arguments.get("httpMethod", "")) == "GET" or "init" in arguments


def test_a_method_beside_it_makes_no_call_to_production_a_mere_request() -> None:
    beside: tuple[dict[str, Any], ...] = (
        {"method": "POST"},
        {"method": "POST", "url": "https://b.example/x"},
        {"method": "POST", "path": "/x"},
        {"verb": "GET", "method": "POST"},
    )
    lowered = [
        (tool, more)
        for tool, more in product(("redeploy", "restart", "failover_run"), beside)
        if level(tool, {"target": "https://prod.acme.example/x"} | more) < RiskLevel.HIGH
    ]

    assert lowered == []


TOLD_TO_READ: tuple[dict[str, Any], ...] = (
    {"verb": "GET"},
    {"operation": "read"},
    {"action": "list", "inputs": {"page": 1}},
    {"steps": [{"tool": "list_things", "args": {}}]},
)


def test_a_tool_that_is_told_to_read_still_asks_for_what_is_grave_whatever_its_size() -> None:
    grave: tuple[Call, ...] = (
        ("container_start", {"image": "a", "mounts": ["/:/host"]}),
        ("sign_envelope", {"envelope": "Office lease"}),
        ("release_web", {"environment": "production", "staged": False}),
        ("crane_lift", {"load_kg": 900, "collision_avoidance": "off"}),
        ("forward_inbox", {"to": "kim@outlook.com"}),
        ("coin_rpc", {"method": "sendtoaddress", "params": ["bc1q", 0.2]}),
    )
    lowered = [
        (tool, more)
        for (tool, arguments), more in product(grave, TOLD_TO_READ)
        if level(tool, arguments | more) < RiskLevel.HIGH
    ]

    assert lowered == []


def test_what_is_named_beside_a_action_makes_it_mild_only_where_the_tool_knows_it() -> None:
    told = {"action": "delete", "id": 7, "target": "label"}
    action = an_action("things.manage", **told)
    knows = structs.replace(a_tool(level=2), schema={"properties": {key: {} for key in told}})
    knows_less = structs.replace(a_tool(level=2), schema={"properties": {"action": {}, "id": {}}})

    assert judged(action, tool=knows).level < RiskLevel.HIGH
    assert judged(action, tool=knows_less).level >= RiskLevel.HIGH
    assert tool_name("things.manage").verb is None
