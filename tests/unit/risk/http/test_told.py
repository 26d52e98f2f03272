"""What a request bars, closes, clears or rewrites by what its path and its body say together."""

from typing import Any

from tests.unit.risk.builders import the_policy

from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

DELETES = {"script": {"source": "ctx.op = 'delete'"}}
COUNTS = {"script": {"source": "ctx._source.n++", "lang": "painless"}}
NAMED = {"query": {"term": {"user": "ann"}}}
ALL: dict[str, Any] = {"query": {"match_all": {}}}
TOLD: tuple[tuple[str, str, object, bool], ...] = (
    ("PUT", "/guilds/1/bans/2", None, True),
    ("PUT", "/channels/a/bans/bob", None, True),
    ("POST", "/users/7/suspension", {"reason": "spam"}, True),
    ("POST", "/communities/1/ban", {"user": "bob"}, True),
    ("POST", "/guilds/1/bans", {"user": 2}, True),
    ("GET", "/guilds/1/bans/2", None, False),
    ("POST", "/guilds/1/bans/search", {"user": 2}, False),
    ("PUT", "/guilds/1/bans/settings", {"days": 2}, False),
    ("POST", "/firewall/ip-bans", {"ip": "203.0.113.9"}, False),
    ("POST", "/suspensions/7/lift", None, False),
    ("PUT", "/pages/7/blocks/2", {"text": "a"}, False),
    ("POST", "/bikes/suspension-parts", {"name": "a"}, False),
    ("POST", "/orders/_update_by_query", DELETES, True),
    ("POST", "/orders/_update_by_query", DELETES | NAMED, True),
    ("POST", "/orders/_update_by_query", {"script": "if (x) { ctx['op'] = \"delete\" }"}, True),
    ("POST", "/orders/_update_by_query", {"script": "ctx.op = params.what"} | NAMED, True),
    ("POST", "/orders/_update/7", DELETES, True),
    ("POST", "/_bulk", '{"update":{"_id":"7"}}\n{"script":{"source":"ctx.op=\'delete\'"}}\n', True),
    ("POST", "/orders/_update_by_query", COUNTS, True),
    ("POST", "/orders/_update_by_query", COUNTS | ALL, True),
    ("POST", "/orders/_update_by_query?q=*", COUNTS, True),
    ("POST", "/orders/_update_by_query?pipeline=a", None, True),
    ("POST", "/orders/_update_by_query", COUNTS | NAMED, False),
    ("POST", "/orders/_update_by_query?q=user:ann", COUNTS, False),
    ("POST", "/orders/_update_by_query", {"script": "ctx.op = 'noop'"} | NAMED, False),
    (
        "POST",
        "/orders/_update_by_query",
        {"script": {"source": "if (ctx.op == 'index') {}"}} | NAMED,
        False,
    ),
    ("POST", "/orders/_update_by_query?conflicts=proceed", None, False),
    ("POST", "/orders/_update/7", COUNTS, False),
    ("POST", "/calendars/primary/clear", None, True),
    ("POST", "/mailboxes/7/empty", None, True),
    ("POST", "/cache/clear", None, False),
    ("POST", "/Accounts/AC1.json", "Status=closed", True),
    ("PATCH", "/accounts/ann", {"state": "Closed"}, True),
    ("PUT", "/tenants/7", {"account": {"status": "closed"}}, True),
    ("PATCH", "/accounts/7/tickets/9", {"status": "closed"}, False),
    ("PATCH", "/issues/7", {"state": "closed"}, False),
    ("POST", "/accounts", {"status": "closed", "name": "a"}, False),
    ("POST", "/Accounts/AC1.json", "Status=active", False),
    ("PATCH", "/users/ann", {"accountEnabled": False}, True),
    ("PATCH", "/users/ann", {"accountDisabled": True}, True),
    ("PATCH", "/users/ann", {"accountEnabled": True}, False),
    ("PATCH", "/pages/1", {"in_trash": True}, True),
    ("PATCH", "/pages/1", {"in_trash": False}, False),
    ("POST", "/rpc", {"jsonrpc": "2.0", "method": "wallet.sendAll", "params": ["bc1q"]}, True),
    ("POST", "/rpc", {"method": "wallet_sweepAll", "params": {"to": "bc1q"}}, True),
    ("POST", "/rpc", {"method": "wallet.send", "params": {"to": "bc1q", "n": "1"}}, True),
    ("POST", "/rpc", {"method": "wallet.getBalance", "params": []}, False),
    ("POST", "/rpc", {"method": "telemetry.settle", "params": []}, False),
)


def of(method: str, path: str, body: object) -> RiskLevel:
    payload: dict[str, Any] = {"method": method, "url": f"https://api.example.com/v1{path}"}
    if body is not None:
        payload["body"] = body
    return judged(Line(id="", kind=LineKind.HTTP, payload=payload), the_policy()).level


def test_what_is_told_of_people_accounts_and_documents_asks() -> None:
    wrong = [one for one in TOLD if (of(*one[:3]) >= RiskLevel.HIGH) is not one[3]]

    assert wrong == []
