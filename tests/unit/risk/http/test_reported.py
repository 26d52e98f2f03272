"""What a program reports to have gone wrong is no order; where it may be one it counts."""

from typing import Any

from tests.unit.risk.builders import the_policy

from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

FAILED = {"message": "DELETE failed: relation does not exist"}
REPORTS: tuple[tuple[str, str], ...] = (
    ("POST", "https://sentry.io/api/1/store/"),
    ("POST", "https://o7.ingest.sentry.io/api/1/store"),
    ("POST", "https://app.example.com/v1/errors"),
    ("POST", "https://app.example.com/v1/apps/7/exceptions"),
)
ORDERS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("DELETE", "https://app.example.com/v1/errors", FAILED),
    ("POST", "https://app.example.com/v1/errors/purge", FAILED),
    ("POST", "https://app.example.com/v1/errors", {"action": "delete", "ids": [1]}),
    ("POST", "https://app.example.com/v1/errors", {"sql": "drop table users"}),
    ("POST", "https://app.example.com/v1/errors", {"message": "x", "_method": "DELETE"}),
    ("POST", "https://app.example.com/v1/errors?_method=DELETE", FAILED),
    ("POST", "https://sentry.io.evil.example/api/1/store", {"message": "drop table users"}),
    ("POST", "https://app.example.com/api/1/store", {"message": "drop table users"}),
)


def of(method: str, url: str, body: dict[str, Any]) -> RiskLevel:
    payload = {"method": method, "url": url, "body": body}
    return judged(Line(id="", kind=LineKind.HTTP, payload=payload), the_policy()).level


def test_a_report_of_what_failed_is_no_order() -> None:
    assert [one for one in REPORTS if of(*one, FAILED) >= RiskLevel.HIGH] == []


def test_what_is_more_than_a_report_counts() -> None:
    assert [one for one in ORDERS if of(*one) < RiskLevel.HIGH] == []
