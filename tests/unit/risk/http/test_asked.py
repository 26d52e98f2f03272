"""What a request only asks runs nowhere; what is more than a question still counts."""

import json
from typing import Any

from tests.unit.risk.builders import the_policy

from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

OPENAI = "https://api.openai.com/v1/chat/completions"
CLAUDE = "https://api.anthropic.com/v1/messages"
ANSWERS = "https://api.openai.com/v1/responses"
SEARCH = "https://api.example.com/v1/search"
SAID = "Explain what DROP TABLE users does"
TURNS = [{"role": "user", "content": SAID}]
PARTS = [{"role": "user", "content": [{"type": "text", "text": SAID}]}]
LOST = {"sql": "delete from users"}
ASKED: tuple[tuple[str, str, dict[str, Any] | None], ...] = (
    ("POST", OPENAI, {"model": "m", "messages": TURNS, "temperature": 0}),
    ("POST", CLAUDE, {"model": "m", "max_tokens": 9, "system": SAID, "messages": PARTS}),
    ("POST", ANSWERS, {"model": "m", "input": SAID}),
    ("POST", ANSWERS, {"model": "m", "input": TURNS}),
    ("POST", SEARCH, {"q": "drop database", "limit": 10}),
    ("POST", SEARCH, {"keyword": "how to drop table users?", "sort": "date", "page": 2}),
    ("GET", "https://www.postgresql.org/docs/16/sql-droptable.html", None),
    ("GET", "https://www.example.com/manual/drop-table.html", None),
    ("GET", "https://wiki.example.com/pages/how-to-drop-a-database", None),
    ("GET", "https://blog.example.com/posts/drop-table-students-explained", None),
    ("GET", "https://github.com/acme/core/blob/main/migrations/007_drop_database.sql", None),
    (
        "POST",
        "https://es.example.com/logs-*/_search",
        {"query": {"match": {"text": "DROP TABLE a"}}},
    ),
    ("POST", "https://es.example.com/logs/_count", {"query": {"bool": {"must": [{"term": LOST}]}}}),
    ("GET", "http://consul:8500/v1/kv/delete-after", None),
    ("GET", "http://consul:8500/v1/kv/app/purge-interval", None),
)
TOOL = {"type": "function", "function": {"name": "run_sql"}}
MORE: tuple[tuple[str, str, dict[str, Any] | None], ...] = (
    ("POST", OPENAI, {"model": "m", "messages": TURNS, "tools": [TOOL]}),
    ("POST", OPENAI, {"model": "m", "messages": TURNS, "functions": [TOOL]}),
    ("POST", OPENAI, {"model": "m", "messages": [{**TURNS[0], "tool_calls": [TOOL]}]}),
    ("POST", OPENAI, {"model": "m", "messages": TURNS, "sql": "drop table users"}),
    ("POST", OPENAI + "?run=1", {"model": "m", "messages": TURNS}),
    ("POST", "https://api.openai.com.evil.example/v1/chat/completions", {"messages": TURNS}),
    ("POST", "https://a@agent.example/v1/chat/completions", {"model": "m", "messages": TURNS}),
    ("POST", "https://agent.example/v1/messages", {"model": "m", "messages": TURNS}),
    ("POST", "http://api.openai.com/v1/chat/completions", {"model": "m", "messages": TURNS}),
    ("POST", ANSWERS, {"model": "m", "input": SAID, "conversation": "c"}),
    ("POST", ANSWERS, {"model": "m", "input": SAID, "previous_response_id": "r"}),
    ("POST", ANSWERS, {"model": "m", "input": SAID, "prompt": {"id": "p"}}),
    ("POST", ANSWERS, {"model": "m", "input": [{"type": "function_call", "arguments": SAID}]}),
    ("POST", SEARCH, {"q": "drop database", "sql": "drop database shop"}),
    ("POST", SEARCH, {"q": "drop database", "_method": "DELETE"}),
    ("POST", SEARCH, {"q": "1; drop database shop"}),
    (
        "POST",
        "https://es.example.com/logs/_search",
        {"query": {"script": {"source": "drop table a"}}},
    ),
    ("POST", "https://es.example.com/logs/_search", {"query": {}, "sql": "drop table a"}),
    ("POST", "https://es.example.com/logs/_sql", {"query": "drop table a"}),
    ("GET", "https://db.example.com/exec/pages/drop-table", None),
    ("POST", SEARCH, {"q": "drop database", "sort": "1; drop database shop"}),
    ("POST", SEARCH + "?run=1", {"q": "drop database"}),
    ("POST", SEARCH + "/run", {"q": "drop database"}),
    ("POST", SEARCH + "/..", {"q": "drop database"}),
    ("POST", "https://sql.example.com/search", {"q": "drop database shop"}),
    ("POST", "https://api.example.com/v1/research", {"q": "drop database shop"}),
    ("GET", "https://db.example.com/sql/docs/drop-table.html", None),
    ("GET", "https://db.example.com/docs/sql/drop-table", None),
    ("GET", "https://db.example.com/run/drop-table.html", None),
    ("GET", "http://consul:8500/v1/kv/delete-all", None),
    ("GET", "http://consul:8500/v1/kv/delete-user?id=7", None),
    ("GET", "http://a.example/v1/kv/delete", None),
    ("GET", "http://a.example/kv/users/delete-now", None),
)


def of(method: str, url: str, body: object, more: dict[str, Any]) -> RiskLevel:
    payload = {"method": method, "url": url, **more}
    if body is not None:
        payload["body"] = body
    return judged(Line(id="", kind=LineKind.HTTP, payload=payload), the_policy()).level


def test_what_is_only_asked_is_no_order() -> None:
    assert [one for one in ASKED if of(*one, {}) >= RiskLevel.HIGH] == []


def test_more_than_a_question_counts() -> None:
    assert [one for one in MORE if of(*one, {}) < RiskLevel.HIGH] == []


def test_a_body_that_is_spelled_out_is_the_same() -> None:
    spelled = [(method, url, json.dumps(body)) for method, url, body in ASKED if body]
    more = [(method, url, json.dumps(body)) for method, url, body in MORE if body]
    twice = '{"model": "m", "messages": [], "messages": [{"role": "user", "content": "rm -rf /"}]}'

    assert [one for one in spelled if of(*one, {}) >= RiskLevel.HIGH] == []
    assert [one for one in more if of(*one, {}) < RiskLevel.HIGH] == []
    assert of("POST", OPENAI, twice, {}) >= RiskLevel.HIGH


def test_what_stands_beside_a_question_is_no_part_of_it() -> None:
    besides = ({"sql": "drop table users"}, {"headers": {"X-HTTP-Method-Override": "DELETE"}})
    for more in besides:
        assert [one for one in ASKED if of(*one, more) < RiskLevel.HIGH] == [], more


SECRETS = (
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEAx7\n-----END RSA PRIVATE KEY-----",
    "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z5B",
    "password: hunter2",
)


def test_a_secret_that_a_model_is_told_still_leaves() -> None:
    for secret in SECRETS:
        turns = [{"role": "user", "content": f"{SAID}? {secret}"}]

        assert of("POST", OPENAI, {"model": "m", "messages": turns}, {}) >= RiskLevel.HIGH, secret


def test_a_key_leaves_with_whatever_is_only_worked_on_or_searched_for() -> None:
    key = SECRETS[1]
    sent: tuple[tuple[str, str, Any], ...] = (
        ("POST", "https://ai.example.com/v1/embeddings", {"model": "m", "input": key}),
        ("POST", "https://x.example.com/translate", {"q": key, "target": "fr"}),
        ("POST", SEARCH, {"q": key}),
        ("GET", f"https://shop.example.com/find?q={key}", None),
    )

    assert [one for one in sent if of(*one, {}) < RiskLevel.HIGH] == []
