"""A request in other dress: a command, a raw text, the options of a call; its level stays."""

import json
import shlex
from collections.abc import Iterator
from typing import Any

from tests.unit.risk.builders import the_policy
from tests.unit.risk.corpus import requests

from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

Dress = tuple[str, LineKind, str | dict[str, Any]]

TOLD = (
    ("POST", "https://pay.example/v1/refunds", {"charge": "ch_1", "amount": "99000 USD"}),
    ("POST", "https://pay.example/v1/refunds", "charge=ch_1&amount=99000&currency=usd"),
    ("POST", "https://mail.example/v3/mail/send", {
        "personalizations": [{"to": [{"email": f"u{n}@x.example"} for n in range(300)]}]}),
    ("POST", "https://chat.example/api/chat.postMessage", {"text": "<!channel> it is down"}),
    ("POST", "http://es:9200/_bulk", '{"delete":{"_id":"1"}}\n{"delete":{"_id":"2"}}\n'),
)  # fmt: skip
MILD = (
    ("POST", "https://chat.example/api/chat.postMessage", {"channel": "#ops", "text": "hello"}),
    ("POST", "https://pay.example/v1/refunds", {"charge": "ch_1", "amount": "9 USD"}),
    ("POST", "https://a.example/notes", {"title": "lunch"}),
    ("GET", "https://a.example/notes", None),
)


def level(kind: LineKind, said: str | dict[str, Any]) -> RiskLevel:
    line = (
        Line(id="1", kind=kind, text=said)
        if isinstance(said, str)
        else Line(id="1", kind=kind, payload=said)
    )
    return judged(line, the_policy()).level


def sent(method: str, url: str, body: object) -> dict[str, Any]:
    return {"method": method, "url": url} | ({} if body is None else {"body": body})


def dressed(method: str, url: str, body: object) -> Iterator[Dress]:
    """The same request, as it may be sent otherwise."""
    text = body if isinstance(body, str) else json.dumps(body)
    given = "" if body is None else shlex.quote(text)
    address = shlex.quote(url)
    host, _, path = url.partition("://")[2].partition("/")
    raw = f"{method} /{path} HTTP/1.1\r\nHost: {host}\r\n\r\n{'' if body is None else text}"
    options = {key: one for key, one in sent(method, url, body).items() if key != "url"}
    call = LineKind.TOOL_CALL
    yield "curl", LineKind.SHELL, f"curl -X {method} {address}" + (given and f" -d {given}")
    long = f"--request={method} {address}" + (given and f" --data-raw={given}")
    yield "curl with =", LineKind.SHELL, f"curl {long}"
    wget = f"wget --method={method} {address}" + (given and f" --body-data {given}")
    yield "wget", LineKind.SHELL, wget
    yield "HTTPie", LineKind.SHELL, f"http {method} {address}" + (given and f" --raw {given}")
    yield "raw", call, {"tool": "send_raw", "args": {"request": raw}}
    yield "raw, oddly named", call, {"tool": "send_raw", "args": {"x": raw}}
    yield "options", call, {"tool": "fetch", "args": {"url": url, "options": options}}
    beside = {"dry_run": True, "mode": "preview", "validate_only": True}
    yield "rehearsed", LineKind.HTTP, sent(method, url, body) | beside


def in_tables() -> Iterator[tuple[str, str, object]]:
    yield from TOLD
    yield from requests("asks", "path-high", "path-grave-bodies")


def test_a_dangerous_request_is_asked_about_in_every_dress() -> None:
    lost = [
        (name, said)
        for method, url, body in in_tables()
        if level(LineKind.HTTP, sent(method, url, body)) >= RiskLevel.HIGH
        for name, kind, said in dressed(method.upper(), url, body)
        if level(kind, said) < RiskLevel.HIGH
    ]
    assert not lost, lost


def test_what_is_told_in_a_body_counts() -> None:
    for one in TOLD:
        assert level(LineKind.HTTP, sent(*one)) >= RiskLevel.HIGH, one


def test_a_mild_request_stays_silent_in_every_dress() -> None:
    for one in MILD:
        for name, kind, said in dressed(*one):
            assert level(kind, said) < RiskLevel.HIGH, f"{name}: {said}"
    listed = "curl -G https://a.example/users --data-urlencode count=500 -d limit=900"
    assert level(LineKind.SHELL, listed) < RiskLevel.HIGH, listed


def test_capitals_and_a_method_in_the_query_change_nothing() -> None:
    archived = {"archived": True}
    for request in (
        sent("GET", "http://a:8983/SOLR/ADMIN/CORES?action=UNLOAD&core=x", None),
        sent("POST", "https://a.example/V2/DROPLETS/1/ACTIONS", {"type": "rebuild"}),
        sent("POST", "https://api.github.com/repos/a/web?_method=PATCH", archived),
    ):
        assert level(LineKind.HTTP, request) >= RiskLevel.HIGH, request
    for request in (
        sent("GET", "http://a.example/USERS/7", None),
        sent("POST", "https://a.example/NOTES?_method=PATCH", {"title": "lunch"}),
    ):
        assert level(LineKind.HTTP, request) < RiskLevel.HIGH, request


def test_a_subcommand_beside_a_list_of_words_hides_none_of_them() -> None:
    words = ["push", "--force", "origin", "main"]
    for beside in ({}, {"command": "ls"}, {"action": "status"}, {"op": "log"}):
        call = {"tool": "git", "args": {"args": words} | beside}
        assert level(LineKind.TOOL_CALL, call) >= RiskLevel.HIGH, call
    mild = {"tool": "git", "args": {"args": ["--oneline"], "command": "log"}}
    assert level(LineKind.TOOL_CALL, mild) < RiskLevel.HIGH
