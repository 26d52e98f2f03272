"""What is added to a dangerous request never lowers it: headers, queries, slashes, fields."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from tests.shares import in_shares
from tests.unit.risk.builders import the_policy
from tests.unit.risk.corpus import requests

from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

Sent = dict[str, Any]
QUERIES: tuple[str, ...] = (
    "x=1",
    "q=a",
    "search=a",
    "action=view",
    "Action=Describe&DryRun=true",
    "dryRun=All",
)
QUERIES += ("dry_run=true", "_method=GET", "delete=false", "list", "format=json")
FRAGMENTS = ("x", "/docs", "/issues", "?q=1")
HEADERS = (
    {"Accept": "text/html"},
    {"X-HTTP-Method-Override": "GET"},
    {"X-Dry-Run": "true"},
)
FIELDS: tuple[Sent, ...] = (
    {"reason": "routine"},
    {"_method": "GET"},
    {"dry_run": True},
    {"model": "m", "messages": [{"role": "user", "content": "hi"}]},
    {"comment": "only a test", "draft": True, "preview": True},
    {"env": "staging", "limit": 1, "nothing": None},
    {"action": "list", "inputs": {"page": 1}},
    {"tool": "list_things", "args": {}},
    {f"k{number}": number for number in range(300)},
)
BESIDE: tuple[Sent, ...] = ({"verb": "list"}, {"verb": "GET"}, {"action": "get", "inputs": {}})
"""What stands beside the method and the address."""


def added(sent: Sent) -> Iterator[tuple[str, Sent]]:
    """Each harmless addition, told, with what becomes of the request."""
    host, _, path = sent["url"].partition(".example")
    end, asked, query = path.partition("?")
    for name, more in _PATHS.items():
        yield name, sent | {"url": f"{host}.example{more(end)}{asked}{query}"}
    for one in QUERIES:
        yield one, sent | {"url": sent["url"] + ("&" if asked else "?") + one}
    for one in QUERIES[:4] if asked else ():
        yield one, sent | {"url": f"{host}.example{end}?{one}&{query}"}
    yield from ((f"#{one}", sent | {"url": f"{sent['url']}#{one}"}) for one in FRAGMENTS)
    yield from ((str(one), sent | {"headers": one}) for one in HEADERS)
    yield from ((f"beside: {one}", one | sent) for one in BESIDE)
    body = sent.get("body") or {}
    for more_fields in FIELDS if isinstance(body, dict) else ():
        yield str(more_fields), sent | {"body": more_fields | body}


_PATHS: dict[str, Callable[[str], str]] = {
    "slash": lambda path: f"{path}/",
    "empty": lambda path: path.replace("/", "//"),
    "dot": lambda path: f"{path}/.",
}


def dangerous() -> Iterator[Sent]:
    for method, url, body in requests("asks", "path", "key-carried"):
        site, bracket = url.replace(".example.com", ".a.example"), "[" in url
        if ".example" in site and not bracket:
            yield {"method": method, "url": site} | ({"body": body} if body else {})


def level(sent: Sent) -> RiskLevel:
    return judged(Line(id="", kind=LineKind.HTTP, payload=sent), the_policy()).level


@in_shares
def test_what_is_added_never_lowers(step: int) -> None:
    lowered = [
        (sent, name)
        for sent in islice(dangerous(), 0, None, step)
        for before in (level(sent),)
        for name, more in added(sent)
        if level(more) < before
    ]

    assert lowered == []
