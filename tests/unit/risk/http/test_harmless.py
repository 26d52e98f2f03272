"""Requests that only ask, work something out or keep a draft, however much they are told."""

from typing import Any

from tests.unit.risk.builders import the_policy

from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

MANY = ["a"] * 150
ASKED = [{"role": "user", "content": "how can I delete all the rows?"}]
HARMLESS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("https://ai.example/v1/embeddings", {"model": "m", "input": MANY}),
    ("https://ai.example/v1/rerank", {"query": "x", "documents": MANY}),
    ("https://ai.example/text/classify", {"texts": MANY}),
    ("https://ai.example/tokenize", {"texts": ["Delete everything"]}),
    ("https://maps.example/v2/matrix", {"origins": MANY, "destinations": MANY}),
    ("https://translate.example/v3", {"q": "Delete everything", "target": "fr"}),
    ("https://x.example/translate", {"q": "Delete all users", "target": "fr"}),
    ("https://x.example/markdown", {"text": "# delete all"}),
    ("https://ai.example/v1/messages", {"model": "m", "max_tokens": 9, "messages": ASKED}),
    ("https://ai.example/v1/chat/completions", {"model": "m", "messages": ASKED}),
    ("https://x.example/mail/drafts", {"subject": "Hello", "to": "everyone@x.example"}),
    ("https://shop.example/cart/remove", {"item": 7}),
)
NOT_SO: tuple[tuple[str, dict[str, Any]], ...] = (
    ("https://ai.example/v1/messages", {"to": MANY, "text": "hi"}),
    ("https://x.example/classify", {"action": "delete", "ids": [1]}),
    ("https://x.example/drafts", {"to": "everyone@x.example", "send": True}),
    ("https://x.example/drafts/7/send", {"to": "everyone@x.example"}),
    ("https://x.example/jobs?dry_run=true", {"action": "delete"}),
    ("https://x.example/members/embeddings", {"AWS_SECRET_ACCESS_KEY": "a1B2/" * 8}),
    ("https://translate.example/users/7/delete", {"q": "x"}),
)


def of(url: str, body: object) -> RiskLevel:
    payload = {"method": "POST", "url": url, "body": body}
    return judged(Line(id="", kind=LineKind.HTTP, payload=payload), the_policy()).level


def test_what_is_only_worked_on_asks_nobody() -> None:
    assert [one for one in HARMLESS if of(*one) >= RiskLevel.HIGH] == []


def test_what_only_looks_like_it_asks() -> None:
    assert [one for one in NOT_SO if of(*one) < RiskLevel.HIGH] == []
