"""Requests: what a method does to what the path names."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.risk.builders import the_policy

from holdpoint.cli.assess import Line, LineKind, judged
from holdpoint.core.risk.http.door import MAX_URL, RequestReading, read_request
from holdpoint.messages.risk import RiskLevel

SITE = "https://api.example.com/v1"
HIGH = (
    ("DELETE", "/customers/7"),
    ("DELETE", "/teams/ops"),
    ("DELETE", "/orgs/a/members/bob"),
    ("DELETE", "/orgs/a/secrets/KEY"),
    ("delete", "/projects/9/webhooks/1"),
    ("PURGE", "/cache/pages"),
    ("POST", "/users/7/delete"),
    ("POST", "/exports/delete-request"),
    ("POST", "/accounts/7/transfer"),
    ("POST", "/repos/a/b/transfer"),
    ("POST", "/databases/9/drop"),
    ("PUT", "/servers/1/terminate"),
    ("PATCH", "/disks/1/wipe"),
    ("POST", "/messages/bulk/remove"),
    ("POST", "/payouts"),
    ("POST", "/credentials/revoke"),
    ("POST", "/users/7/deactivate"),
    ("POST", "/accounts/7/close"),
    ("POST", "/subscriptions/7/cancel"),
    ("POST", "/projects/7/archive"),
    ("POST", "/databases/7/restore"),
    ("POST", "/items:batchDelete"),
    ("POST", "/runs/7/force-cancel"),
    ("PATCH", "/repos/a/b/git/refs/heads/x"),
    ("PUT", "/sys/seal"),
    ("POST", "/messages/bulk/clear"),
)
SILENT = (
    ("GET", "/customers/7/delete"),
    ("HEAD", "/secrets"),
    ("OPTIONS", "/members/all"),
    ("POST", "/notes"),
    ("PUT", "/notes/7"),
    ("PATCH", "/issues/7"),
    ("POST", "/reports/bulk-list"),
    ("POST", "/transfer-status"),
    ("DELETE", "/posts/7/reactions/3"),
    ("DELETE", "/user/following/bob"),
    ("DELETE", "/threads/7/subscription"),
    ("POST", "/pulls/7/merge"),
    ("PUT", "/orgs/a/members/bob"),
    ("POST", "/posts/delete/help"),
    ("DELETE", "/user/starred/a/b"),
    ("DELETE", "/notifications/threads/7"),
    ("DELETE", "/orgs/a/public_members/bob"),
    ("DELETE", "/issues/3/dependencies/blocked_by/9"),
    ("DELETE", "/cart/items/7"),
    ("POST", "/messages/7/archive"),
    ("POST", "/users/7/unblock"),
    ("POST", "/runs/7/rerun"),
    ("POST", "/refunds/quote"),
    ("POST", "/runners/remove-token"),
)


GRAVE_BODIES: tuple[tuple[str, str, object], ...] = (
    ("PATCH", "/repos/a/b", {"archived": True}),
    ("PATCH", "/repos/a/b", '{"private": false}'),
    ("PUT", "/buckets/7/acl", {"visibility": "public"}),
    ("PATCH", "/users/7", {"role": "admin"}),
    ("PATCH", "/users/7", {"status": "suspended"}),
    ("PATCH", "/users/7", {"isActive": False}),
    ("POST", "/mails/batch", {"action": "delete", "ids": [1]}),
    ("POST", "/_bulk", {"delete": {"_index": "a"}}),
    ("POST", "/zones/7/settings", {"purge_everything": True}),
    ("POST", "/graphql", {"query": "mutation A($id: ID!) { a: deleteUser(id: $id) { id } }"}),
    ("PUT", "/services/7", {"spec": {"replicas": 0}}),
    ("POST", "/rpc", {"method": "accounts.delete"}),
    ("POST", "/users/7?_method=DELETE", None),
    ("GET", "/users/7?_method=delete", None),
    ("POST", "/index.php?action=wipe", None),
)
MILD_BODIES: tuple[tuple[str, str, object], ...] = (
    ("PATCH", "/users/7", {"name": "Anna", "role": "editor"}),
    ("PATCH", "/issues/7", {"state": "closed"}),
    ("POST", "/repos", {"private": False, "name": "x"}),
    ("POST", "/search", {"action": "delete"}),
    ("POST", "/graphql", {"query": "{ viewer { login } }"}),
    ("POST", "/graphql", {"query": "mutation { addComment(id: 1) { id } }"}),
    ("PUT", "/services/7", {"spec": {"replicas": 2}}),
    ("POST", "/notes", "{broken"),
    ("POST", "/notes", ["delete"]),
    ("GET", "/audit?action=delete", None),
    ("GET", "/users/status?_method=delete", None),
    ("POST", "/things", {"action": "create", "type": "note"}),
    ("POST", "/jobs/7/log", {"operation": "purge"}),
)


@pytest.mark.parametrize(("method", "path", "body"), GRAVE_BODIES)
def test_what_a_body_orders_asks(method: str, path: str, body: object) -> None:
    assert level(read_request(method, SITE + path, body)) >= RiskLevel.HIGH


@pytest.mark.parametrize(("method", "path", "body"), MILD_BODIES)
def test_what_a_body_only_says_asks_nobody(method: str, path: str, body: object) -> None:
    assert level(read_request(method, SITE + path, body)) < RiskLevel.HIGH


def level(found: RequestReading) -> RiskLevel:
    return max((one.level for one in found.signals), default=RiskLevel.LOW)


@pytest.mark.parametrize(("method", "path"), HIGH)
def test_what_takes_something_away_asks(method: str, path: str) -> None:
    found = read_request(method, SITE + path)

    assert level(found) >= RiskLevel.HIGH
    assert all(len(one.reason) <= 90 for one in found.signals)


@pytest.mark.parametrize(("method", "path"), SILENT)
def test_the_rest_asks_nobody(method: str, path: str) -> None:
    assert level(read_request(method, SITE + path)) < RiskLevel.HIGH


def test_a_read_is_proven() -> None:
    assert read_request("GET", SITE).reads_only
    assert not read_request("POST", SITE).reads_only


def test_an_address_too_long_to_read_goes_up() -> None:
    assert level(read_request("GET", SITE + "/a" * MAX_URL)) is RiskLevel.HIGH


def test_an_address_that_is_none_is_judged_by_its_words() -> None:
    assert level(read_request("POST", "http://[broken/x/delete")) is RiskLevel.HIGH


def test_the_body_counts_too() -> None:
    body = {"amount": 9000, "currency": "USD"}
    line = Line(
        id="",
        kind=LineKind.HTTP,
        payload={"method": "POST", "url": f"{SITE}/orders", "body": body},
    )

    assert judged(line, the_policy()).level is RiskLevel.HIGH


@settings(deadline=None, derandomize=True, max_examples=150)
@given(st.text(max_size=8), st.text(max_size=80))
def test_no_request_makes_it_stumble(method: str, url: str) -> None:
    assert isinstance(read_request(method, url), RequestReading)
