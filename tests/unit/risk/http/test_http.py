"""Requests: what a method does to what the path names."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.risk.builders import the_policy
from tests.unit.risk.corpus import requests

from holdpoint.core.risk.http.analyzer import read_request
from holdpoint.core.risk.http.request import MAX_URL
from holdpoint.core.risk.model import Analysis
from holdpoint.core.risk.tools.egress import carried
from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

SITE = "https://api.example.com/v1"


def get(path: str) -> Analysis:
    return read_request("GET", f"https://shop.example{path}")


def test_a_get_that_orders_a_deletion_is_no_mere_read() -> None:
    ordered = [read_request(*sent) for sent in requests("asks", "path-ordered-by-get")]

    assert not any(found.reads_only for found in ordered)


def test_a_get_that_only_speaks_of_one_is_a_mere_read() -> None:
    read = requests("silent", "path-only-read")

    assert [sent for sent in read if not read_request(*sent).reads_only] == []


def test_every_reason_fits_a_card() -> None:
    reasons = (one.reason for sent in requests("asks") for one in read_request(*sent).signals)

    assert [reason for reason in reasons if len(reason) > 90] == []


@pytest.mark.parametrize("host", ["docs.shop.example", "en.wikipedia.org", "github.com"])
def test_where_only_pages_stand_a_get_orders_nothing(host: str) -> None:
    assert read_request("GET", f"https://{host}/users/delete").reads_only


def test_a_dry_run_is_believed_where_the_service_knows_the_word() -> None:
    site = "https://cluster.example"

    assert read_request("DELETE", f"{site}/api/v1/pods/7?dryRun=All").reads_only
    assert not read_request("DELETE", f"{site}/api/v1/pods/7?dryRun=None").reads_only


def level(found: Analysis) -> RiskLevel:
    return max((one.level for one in found.signals), default=RiskLevel.LOW)


def test_a_read_is_proven() -> None:
    assert read_request("GET", SITE).reads_only
    assert not read_request("POST", SITE).reads_only


def test_an_address_too_long_to_read_goes_up() -> None:
    assert level(read_request("GET", SITE + "/a" * MAX_URL)) is RiskLevel.HIGH


def test_an_address_that_is_none_is_judged_by_its_words() -> None:
    assert level(read_request("POST", "http://[broken/x/delete")) is RiskLevel.HIGH
    assert level(read_request("GET", "http://[broken/x/delete")) is RiskLevel.HIGH


def test_the_body_counts_too() -> None:
    body = {"amount": 9000, "currency": "USD"}
    line = Line(
        id="",
        kind=LineKind.HTTP,
        payload={"method": "POST", "url": f"{SITE}/orders", "body": body},
    )

    assert judged(line, the_policy()).level is RiskLevel.HIGH


DELETION = {"method": "POST", "headers": {"X-HTTP-Method-Override": "DELETE"}}
ELSEWHERE: tuple[dict[str, Any], ...] = (
    {"method": "DELETE", "path": "v1/users/7"},
    {"method": "DELETE", "host": "cart", "path": "/users/7"},
    {"method": "DELETE", "base_url": "https://x.example", "path": "users/7"},
    {"method": "DELETE", "path": ["v1", "users", "7"]},
    {"method": "DELETE", "url": {"host": ["x", "example"], "path": ["users", "7"]}},
    {"requestMethod": "DELETE", "PathName": "/users/7"},
    {"method": "POST", "route": "users/7/delete"},
    {"method": "POST", "link": "/users/7/delete"},
    {"method": "POST", "target": "/logs/_delete_by_query"},
    {"method": "POST", "pathname": "/repos/a/b/transfer"},
    {"method": "POST", "request-uri": "/users/7/delete"},
    {"method": "POST", "requestUri": "/users/7/delete"},
    {"method": "POST", "resource": "users/7/delete"},
    {"method": "POST", "url": "https://x.example", "path": "/users/7/delete"},
    {"method": "POST", "url": "https://x.example/users/7/delete", "path": "/notes"},
    {"method": "POST", "baseURL": "https://x.example/users/7", "url": "delete"},
    {"url": "https://x.example/users/7/delete", "options": {"method": "POST"}},
    {"method": "PATCH", "path": "repos/a/b", "body": {"visibility": "public"}},
    {"method": "POST", "path": "graphql", "body": {"query": "mutation { deleteUser(id: 1) }"}},
    {"method": "GET", "route": "/users/7/delete"},
    DELETION | {"path": "users/7"},
    DELETION,
    {"method": "DELETE"},
    {"method": "PUT", "place": "users/7"},
    {"method": "POST", "body": {"a": 1}},
    {"method": ["DELETE"], "place": "users/7"},
)
NEAR: tuple[dict[str, Any], ...] = (
    {"method": "POST", "path": "v1/notes"},
    {"method": "POST", "host": "api.example", "path": "/notes"},
    {"method": "GET", "route": "/users/7/deleted"},
    {"method": "DELETE", "base_url": "https://x.example", "path": "posts/7/reactions/3"},
    {"url": "https://x.example/notes", "options": {"method": "POST"}},
    {"method": "GET"},
)


def of_request(payload: dict[str, Any]) -> RiskLevel:
    return judged(Line(id="", kind=LineKind.HTTP, payload=payload), the_policy()).level


def of_call(payload: dict[str, Any]) -> RiskLevel:
    call = {"tool": "http_request", "args": payload}
    return judged(Line(id="", kind=LineKind.TOOL_CALL, payload=call), the_policy()).level


@pytest.mark.parametrize("payload", ELSEWHERE, ids=str)
def test_an_address_is_read_wherever_it_stands(payload: dict[str, Any]) -> None:
    assert of_request(payload) >= RiskLevel.HIGH
    assert of_call(payload) >= RiskLevel.HIGH


@pytest.mark.parametrize("payload", NEAR, ids=str)
def test_and_asks_nobody_where_nothing_is_taken(payload: dict[str, Any]) -> None:
    assert of_request(payload) < RiskLevel.HIGH
    assert of_call(payload) < RiskLevel.HIGH


@settings(deadline=None, derandomize=True, max_examples=150)
@given(st.text(max_size=8), st.text(max_size=80))
def test_no_request_makes_it_stumble(method: str, url: str) -> None:
    assert isinstance(read_request(method, url), Analysis)


def test_a_body_nested_beyond_measure_is_left_to_those_who_measure_it() -> None:
    body: list[object] = []
    for _ in range(100_000):
        body = [body]

    assert list(carried(SITE, body)) == []
