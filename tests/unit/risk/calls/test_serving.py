"""What is changed on a host, in a namespace or in a cluster whose name says production."""

from typing import Any

from tests.unit.risk.builders import the_policy

from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

Call = tuple[str, dict[str, Any]]

CHANGED: tuple[Call, ...] = (
    ("kubernetes.set_image", {"namespace": "prod", "deployment": "web", "image": "web:2"}),
    ("k8s_patch_deployment", {"namespace": "shop-production", "replicas": 2}),
    ("update_config", {"host": "prod-web-1", "key": "a", "value": "b"}),
    ("edit_config_map", {"cluster": "eu.prd.example", "name": "web"}),
    ("write_config", {"hostname": "web1.prod.example", "key": "a"}),
)
LEFT: tuple[Call, ...] = (
    ("kubernetes.set_image", {"namespace": "dev", "deployment": "web", "image": "web:2"}),
    ("kubernetes.get_image", {"namespace": "prod", "deployment": "web"}),
    ("read_config", {"host": "prod-web-1", "key": "a"}),
    ("update_config", {"host": "preprod-web-1", "key": "a"}),
    ("update_config", {"host": "non-prod-web-1", "key": "a"}),
    ("update_config", {"host": "product-catalog-1", "key": "a"}),
    ("update_ticket", {"host": "prod-web-1", "state": "open"}),
    ("set_alert", {"host": "prod-web-1", "above": 90}),
    ("set_context", {"context": "prod"}),
    ("set_namespace", {"namespace": "prod"}),
    ("update_monitor", {"host": "prod-web-1", "every": 60}),
    ("configure_client", {"host": "prod-web-1"}),
)


def _asks(call: Call) -> bool:
    tool, arguments = call
    line = Line(id="", kind=LineKind.TOOL_CALL, payload={"tool": tool, "args": arguments})
    return judged(line, the_policy()).level >= RiskLevel.HIGH


def test_what_is_changed_there_asks() -> None:
    assert [call for call in CHANGED if not _asks(call)] == []


def test_a_name_in_a_request_is_no_place_where_it_acts() -> None:
    sent = {"method": "PATCH", "url": "https://x.example/probes/7", "body": {"host": "prod-web-1"}}
    line = Line(id="", kind=LineKind.HTTP, payload=sent)

    assert judged(line, the_policy()).level < RiskLevel.HIGH


def test_other_places_and_what_is_only_read_ask_nobody() -> None:
    assert [call for call in LEFT if _asks(call)] == []
