"""Families of calls that ask, and their like that do not; each is a table, and told as a whole."""

from typing import Any

from tests.unit.risk.builders import a_tool, an_action, judged, the_policy
from tests.unit.risk.calls.aloud_cases import ASKED as ALOUD_ASKED
from tests.unit.risk.calls.aloud_cases import SILENT as ALOUD_SILENT
from tests.unit.risk.calls.bounds_cases import ASKED as BOUNDS_ASKED
from tests.unit.risk.calls.bounds_cases import SILENT as BOUNDS_SILENT
from tests.unit.risk.calls.bounds_cases import WORKED_ON
from tests.unit.risk.calls.deed_cases import ASKED as DEEDS_ASKED
from tests.unit.risk.calls.deed_cases import SILENT as DEEDS_SILENT
from tests.unit.risk.calls.family_cases import ASKED, SEARCHED, SILENT, Call
from tests.unit.risk.calls.meant_cases import ASKED as MEANT_ASKED
from tests.unit.risk.calls.meant_cases import SILENT as MEANT_SILENT
from tests.unit.risk.calls.operation_cases import ASKED as OPERATIONS_ASKED
from tests.unit.risk.calls.operation_cases import SILENT as OPERATIONS_SILENT
from tests.unit.risk.calls.outside_cases import ASKED as OUTSIDE_ASKED
from tests.unit.risk.calls.outside_cases import REQUESTS_ASKED, REQUESTS_SILENT
from tests.unit.risk.calls.outside_cases import SILENT as OUTSIDE_SILENT
from tests.unit.risk.calls.upon_cases import ASKED as UPON_ASKED
from tests.unit.risk.calls.upon_cases import SILENT as UPON_SILENT
from tests.unit.risk.calls.vendor_cases import ORDINARY

from holdpoint.cli.assess import judged as judged_line
from holdpoint.cli.lines import Line, LineKind
from holdpoint.core.risk.tools.access import is_mighty
from holdpoint.messages.risk import Assessment, RiskLevel

EVERY = (
    *ASKED,
    *ALOUD_ASKED,
    *BOUNDS_ASKED,
    *OUTSIDE_ASKED,
    *DEEDS_ASKED,
    *OPERATIONS_ASKED,
    *UPON_ASKED,
    *MEANT_ASKED,
)
QUIET = (
    *SILENT,
    *ALOUD_SILENT,
    *BOUNDS_SILENT,
    *OUTSIDE_SILENT,
    *DEEDS_SILENT,
    *OPERATIONS_SILENT,
    *UPON_SILENT,
    *MEANT_SILENT,
    *ORDINARY,
)
MAX_REASON = 90
HIGH = RiskLevel.HIGH


def call(case: Call) -> Assessment:
    tool, arguments = case
    line = Line(id="", kind=LineKind.TOOL_CALL, payload={"tool": tool, "args": arguments})
    return judged_line(line, the_policy())


def request(method: str, url: str, body: Any) -> Assessment:
    payload = {"method": method, "url": url, "body": body}
    return judged_line(Line(id="", kind=LineKind.HTTP, payload=payload), the_policy())


def test_each_of_these_asks() -> None:
    assert [case for case in EVERY if call(case).level < RiskLevel.HIGH] == []


def test_their_like_asks_nobody() -> None:
    assert [case for case in QUIET if call(case).level >= RiskLevel.HIGH] == []


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


SITE = "https://api.a.example/v1"
ORDERED: tuple[tuple[str, str, Any], ...] = (
    ("PUT", "/users/7/roles", {"roles": ["OWNER"]}),
    ("POST", "/flags/new-limits/environments/production", {"enabled": False}),
    ("PUT", "/zones/7/records", {"replace_all": True, "records": []}),
    ("POST", "/runs/7/close", {"disburse": True}),
    ("POST", "/payroll/7/finalize", {}),
    ("POST", "/webhooks", {"url": "https://b.example/in", "events": ["*"]}),
    ("POST", "/fleet/firmware/rollout", {"version": "2"}),
    ("POST", "/clinic/export", {"dataset": "all_patients", "deliver_to": "https://b.example/u"}),
    ("PUT", "/repos/a/b/branches/main/protection", {"enforce_admins": False}),
    ("POST", "/namespaces/a/pods/b/eviction", None),
    ("PUT", "/settings/mfa", {"enabled": False}),
    ("PATCH", "/users/7", {"role": "maintain"}),
    ("PATCH", "/users/7", {"is_superuser": True}),
    ("POST", "/graphql", {"query": "mutation { updateAllOrders(state: DONE) { count } }"}),
    ("POST", "/keys/rotate-all", {}),
    ("PUT", "/groups/admins/members/bob", None),
    ("PATCH", "/security/policy", {"audit_log": {"enabled": False}}),
    ("POST", "/chat.postMessage", {"channel": "a", "text": "<!everyone> hello"}),
    (
        "POST",
        "/users/kim/mailFolders/inbox/messageRules",
        {"actions": {"forwardTo": [{"emailAddress": {"address": "kim@freemail.example"}}]}},
    ),
    ("POST", "/projects/7/deployments", {"environment": "production", "skip_checks": True}),
    ("PUT", "/sys/policies/acl/a", {"policy": 'path "*" { capabilities = ["sudo"] }'}),
    ("GET", "/users?action=delete&id=42&q=delete+all+users", None),
)
HARMLESS: tuple[tuple[str, str, Any], ...] = (
    ("PUT", "/users/7/roles", {"roles": ["VIEWER"]}),
    ("POST", "/flags/new-limits/environments/staging", {"enabled": False}),
    ("POST", "/flags/new-limits/environments/production", {"enabled": True}),
    ("PUT", "/zones/7/records", {"replace_all": True, "records": [{"a": 1}]}),
    ("POST", "/webhooks", {"url": "https://b.example/in", "events": ["push"]}),
    ("POST", "/reports/export", {"dataset": "page_views", "format": "csv"}),
    ("POST", "/notes/search", {"query": "delete all users", "filters": {}}),
    ("POST", "/graphql", {"query": "mutation { updateOrder(id: 7) { id } }"}),
    ("POST", "/keys/list-all", {}),
    ("GET", "/search/notes?q=delete+all+users", None),
    ("GET", "/notes?page=2&q=delete+all+users", None),
    ("GET", "/notes/search?query=wipe+everything", None),
    ("POST", "/v2/translate", {"text": ["Delete all my files"], "target_lang": "JA"}),
    ("POST", "/projects/7/deployments", {"environment": "staging", "skip_checks": True}),
    ("PUT", "/groups/readers/members/bob", None),
    ("PUT", "/settings/theme", {"dark": False}),
    ("PUT", "/repos/a/b/branches/main/protection", {"enforce_admins": True}),
)


def test_a_request_is_read_like_a_call_of_its_name() -> None:
    asked, harmless = (*ORDERED, *REQUESTS_ASKED), (*HARMLESS, *REQUESTS_SILENT)
    silent = [one for one in asked if request(one[0], SITE + one[1], one[2]).level < HIGH]
    loud = [one for one in harmless if request(one[0], SITE + one[1], one[2]).level >= HIGH]

    assert (silent, loud) == ([], [])
