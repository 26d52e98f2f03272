"""Requests that change what others rely on, and those that only look so; each with its twin."""

from typing import Any

import pytest
from tests.unit.risk.builders import the_policy

from holdpoint.messages.risk import Assessment, RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

SHOP = "https://api.shop.example"
DAV = "https://dav.shop.example/files/draft.docx"
THERE = "https://dav.shop.example/files/contract.docx"
SEARCH = "https://search.shop.example"
POD = "https://cluster.shop.example/api/v1/namespaces/shop/pods/web-1/exec"
RULES = "<Rule><Filter>{}</Filter><Expiration><Days>{}</Days></Expiration></Rule>"


def a_request(method: str, url: str, body: Any = None, **headers: str) -> Assessment:
    sent = {"method": method, "url": url, "headers": headers} | ({"body": body} if body else {})
    return judged(Line(id="x", kind=LineKind.HTTP, payload=sent), the_policy())


ASKED: tuple[tuple[str, str, Any], ...] = (
    # The body of a GET, which some servers read as that of a POST.
    ("GET", f"{SHOP}/records", "action=delete&id=*"),
    ("GET", f"{SHOP}/records", {"action": "delete", "id": "*"}),
    ("GET", f"{SHOP}/graphql", {"query": "mutation { deleteUser(id: 7) { id } }"}),
    # Values that production reads.
    ("PUT", "http://consul:8500/v1/kv/prod/db/host", "10.0.0.9"),
    ("PUT", "http://etcd:2379/v2/keys/production/db/host", "value=10.0.0.9"),
    ("POST", "http://etcd:2379/v3/kv/put", {"key": "L3Byb2QvZGIvaG9zdA==", "value": "eA=="}),
    # Scripts of devices, jobs by their names.
    ("GET", "http://192.168.1.1/cgi-bin/reboot.cgi", None),
    ("GET", "http://192.168.1.1/cgi-bin/factory_reset.cgi", None),
    ("POST", "https://jenkins.shop.example/job/wipe-prod/build", None),
    ("POST", "https://jenkins.shop.example/job/ops/job/drop-database/buildWithParameters", None),
    # Buckets, indices, the service itself, who may do anything.
    ("PUT", "https://shop.s3.amazonaws.com/?lifecycle", RULES.format("", 1)),
    ("PUT", f"{SEARCH}/_all/_settings", {"index": {"number_of_replicas": 0}}),
    ("PUT", f"{SEARCH}/orders-prod/_settings", {"index.number_of_replicas": 0}),
    ("POST", f"{SHOP}/admin/maintenance", {"enabled": True}),
    ("PUT", f"{SHOP}/groups/global-admins/users", {"email": "eve@post.example"}),
    # Programs that run, whatever the address says besides.
    ("POST", f"{SEARCH}/_sql?explain=false", {"query": "drop table orders"}),
    ("POST", f"{SHOP}/v1/validate", {"sql": "drop table orders", "run": True}),
    ("POST", f"{SHOP}/v1/parse", {"sql": "drop table orders", "options": {"execute": True}}),
    ("POST", f"{SHOP}/v1/explain", {"sql": "explain analyze drop table orders"}),
    ("POST", f"{SHOP}/v1/execute/validate", {"sql": "drop table orders"}),
    ("GET", "http://webdis:7379/FLUSHALL", None),
    ("GET", f"{POD}?command=rm&command=-rf&command=%2Fdata&stdout=true", None),
    ("POST", f"{POD}?command=sh&command=-c&command=rm%20-rf%20/data", None),
)
SILENT: tuple[tuple[str, str, Any], ...] = (
    ("GET", f"{SHOP}/records", {"action": "list"}),
    ("GET", f"{SHOP}/audit/search", {"action": "delete"}),
    ("GET", f"{SHOP}/audit", {"action": "delete", "id": "7"}),
    ("GET", f"{SHOP}/users", {"role": "admin", "is_active": False}),
    ("GET", f"{SHOP}/graphql", {"query": "query { users { id deleted } }"}),
    ("GET", f"{SEARCH}/orders/_search", {"query": {"match_all": {}}}),
    ("PUT", "http://consul:8500/v1/kv/staging/db/host", "10.0.0.9"),
    ("PUT", "http://consul:8500/v1/kv/non-prod/db/host", "10.0.0.9"),
    ("POST", "http://etcd:2379/v3/kv/put", {"key": "L2Rldi9kYi9ob3N0", "value": "eA=="}),
    ("POST", "http://etcd:2379/v3/kv/put", {"key": "§", "value": "eA=="}),
    ("POST", "http://etcd:2379/v3/kv/range", {"key": "L3Byb2QvZGIvaG9zdA=="}),
    ("GET", "http://consul:8500/v1/kv/prod/db/host", None),
    ("GET", "http://192.168.1.1/cgi-bin/status.cgi", None),
    ("GET", "https://shop.example/products/reboot.html", None),
    ("POST", "https://jenkins.shop.example/job/shop-tests/build", None),
    ("POST", "https://jenkins.shop.example/job/clean-build/build", None),
    ("POST", "https://jenkins.shop.example/job/wipe-test-database/build", None),
    ("GET", "https://jenkins.shop.example/job/wipe-prod/lastBuild/api/json", None),
    ("PUT", "https://shop.s3.amazonaws.com/?lifecycle", RULES.format("<Prefix>tmp/</Prefix>", 1)),
    ("PUT", "https://shop.s3.amazonaws.com/?lifecycle", RULES.format("", 365)),
    ("GET", "https://shop.s3.amazonaws.com/?lifecycle", None),
    ("PUT", f"{SEARCH}/_all/_settings", {"index": {"number_of_replicas": 1}}),
    ("PUT", f"{SEARCH}/lab/_settings", {"index": {"number_of_replicas": 0}}),
    ("POST", f"{SHOP}/admin/maintenance", {"enabled": False}),
    ("POST", "https://staging.shop.example/admin/maintenance", {"enabled": True}),
    ("POST", f"{SHOP}/cars/7/maintenance", {"status": "on"}),
    ("PUT", f"{SHOP}/groups/readers/users", {"email": "bo@shop.example"}),
    ("POST", f"{SHOP}/v1/validate", {"sql": "drop table orders"}),
    ("POST", f"{SHOP}/v1/sql/parse", {"sql": "drop table orders", "dialect": "mysql"}),
    ("POST", f"{SHOP}/v1/lint", {"code": "rm -rf /"}),
    ("POST", f"{SHOP}/v1/explain", {"sql": "drop table orders"}),
    ("POST", f"{SHOP}/v3/projects/7:translateText", {"contents": ["delete everything"]}),
    ("POST", f"{SHOP}/v1/reports/query", {"range": "all"}),
    ("GET", f"{POD}?command=ls&command=-l&stdout=true", None),
    ("POST", f"{POD}?command=ls", None),
)


@pytest.mark.parametrize(("method", "url", "body"), ASKED)
def test_what_others_rely_on_is_asked_about(method: str, url: str, body: Any) -> None:
    assert a_request(method, url, body).level >= RiskLevel.HIGH


@pytest.mark.parametrize(("method", "url", "body"), SILENT)
def test_what_only_looks_so_asks_nobody(method: str, url: str, body: Any) -> None:
    seen = a_request(method, url, body)

    assert seen.level < RiskLevel.HIGH, seen.signals


def test_a_value_that_is_turned_off_is_remarked_on() -> None:
    for said in ("off", "false", "value=off"):
        seen = a_request("PUT", "http://consul:8500/v1/kv/flags/checkout", said)
        assert seen.level is RiskLevel.MEDIUM, said
    assert a_request("PUT", "http://consul:8500/v1/kv/flags/x", "blue").level is RiskLevel.LOW


@pytest.mark.parametrize("method", ["MOVE", "COPY"])
def test_what_is_moved_over_something_overwrites_it(method: str) -> None:
    assert a_request(method, DAV, Destination=THERE, Overwrite="T").level >= RiskLevel.HIGH
    assert a_request(method, DAV, Destination=THERE, Overwrite="F").level < RiskLevel.HIGH
    assert a_request("PUT", DAV, "text", Overwrite="T").level < RiskLevel.HIGH


def test_the_words_of_one_command_are_read_in_their_order() -> None:
    seen = a_request("POST", f"{POD}?command=rm&command=-rf&command=/data")

    assert any("`rm -rf /data`" in one.reason for one in seen.signals), seen.signals
    assert "http.unreadable" not in {one.rule for one in seen.signals}


def test_another_name_that_stands_twice_stays_unreadable() -> None:
    seen = a_request("GET", f"{SHOP}/run?x=1&command=ls&command=rm")

    assert "http.unreadable" in {one.rule for one in seen.signals}


def test_an_index_that_is_barred_for_all_asks() -> None:
    barred: tuple[dict[str, Any], ...] = (
        {"index.blocks.write": True},
        {"index": {"blocks": {"read_only": "true"}}},
        {"index": {"blocks.write": True}},
    )
    opened = ({"index.blocks.write": False}, {"index": {"refresh_interval": "30s"}})

    assert [one for one in barred if not _is_barred("/_settings", one)] == []
    assert [one for one in opened if _is_barred("/_settings", one)] == []
    assert not _is_barred("/logs-test/_settings", barred[0])


def _is_barred(path: str, body: dict[str, Any]) -> bool:
    payload = {"method": "PUT", "url": f"https://es.example{path}", "body": body}
    line = Line(id="", kind=LineKind.HTTP, payload=payload)
    return judged(line, the_policy()).level >= RiskLevel.HIGH
