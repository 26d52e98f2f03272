"""Requests whose bodies say a thing in another shape, what a PUT leaves, and what only answers."""

import json
from base64 import b64encode
from typing import Any

Sent = tuple[str, str, Any]

SITE = "https://api.a.example"
_GRAVE: tuple[dict[str, Any], ...] = (
    {"active": False},
    {"action": "delete", "id": 1},
    {"is_admin": True},
    {"amount": 90_000, "currency": "USD"},
)


def _coded(body: dict[str, Any]) -> str:
    return b64encode(json.dumps(body).encode()).decode()


FLAGS: tuple[Sent, ...] = (
    ("PATCH", f"{SITE}/users/5", "is_admin=True"),
    ("PATCH", f"{SITE}/users/5", "is_admin=1&name=kim"),
    ("PATCH", f"{SITE}/users/5", {"is_admin": "yes"}),
    ("PATCH", f"{SITE}/users/5", "active=False"),
    ("PATCH", f"{SITE}/users/5", {"active": 0}),
    ("PATCH", f"{SITE}/repos/a/b", "private=False"),
    ("PATCH", f"{SITE}/repos/a/b", {"private": "false"}),
    ("PUT", f"{SITE}/users", [{"active": False}]),
    ("PATCH", f"{SITE}/users", {"users": [{"id": 1, "active": "off"}]}),
    ("POST", f"{SITE}/users/7/roles", [{"type": "SUPER_ADMIN"}]),
    ("PATCH", f"{SITE}/users/5", {"isBillingAdmin": True}),
)
CODED: tuple[Sent, ...] = (
    *(("PATCH", f"{SITE}/users/5", body) for body in _GRAVE),
    *(("PATCH", f"{SITE}/users/5", _coded(body)) for body in _GRAVE),
    *(("PATCH", f"{SITE}/users/5", json.dumps(json.dumps(body))) for body in _GRAVE),
)
LEFT: tuple[Sent, ...] = (
    ("PUT", f"{SITE}/v1/users", []),
    ("PUT", f"{SITE}/v1/customers", '{"customers": []}'),
    ("PUT", f"{SITE}/limits", {"daily_limit": None}),
    ("PUT", f"{SITE}/limits", "weekly_limit=None"),
    ("PATCH", f"{SITE}/cards/7", {"spending_limit": "unlimited"}),
    ("PUT", "https://shop.firebaseio.com/.json", None),
    ("PUT", "https://shop.firebaseio.com/.json", {"a": 1}),
    ("PUT", "https://shop.firebaseio.com/orders.json", None),
)
DEEDS: tuple[Sent, ...] = (
    ("POST", f"{SITE}/apps/a/actions/restart-all", None),
    ("POST", f"{SITE}/sessions/logoutAll", None),
    ("GET", "https://router.local/cgi-bin/factory_reset", None),
    ("POST", "https://router.local/api/reset", {"factory": True}),
    ("POST", f"{SITE}/locks/all/unlock", None),
    ("POST", f"{SITE}/envelopes/e/sign", {"signer": "Kim"}),
    ("POST", f"{SITE}/fhir/MedicationRequest", {"medication": "morphine"}),
    ("POST", "https://graph.a.example/directoryRoles/r/members/$ref", {"@odata.id": "u/7"}),
    (
        "PUT",
        f"{SITE}/zones/z/dns_records/r",
        {"type": "A", "name": "shop.example", "content": "203.0.113.7"},
    ),
    ("POST", f"{SITE}/v3/mail/send", {"to": [{"email": "everyone@shop.example"}], "text": "hi"}),
    ("POST", "https://hooks.a.example/in", {"text": "password: hunter7"}),
)
ASKED: tuple[Sent, ...] = (*FLAGS, *CODED, *LEFT, *DEEDS)

SILENT: tuple[Sent, ...] = (
    ("POST", f"{SITE}/notifications/read-all", None),
    ("POST", f"{SITE}/apps/a/actions/restart", None),
    ("PATCH", f"{SITE}/users/5", "is_admin=False"),
    ("PATCH", f"{SITE}/users/5", "active=1"),
    ("PATCH", f"{SITE}/repos/a/b", "private=True"),
    ("PUT", f"{SITE}/users", [{"active": True}]),
    ("PUT", f"{SITE}/dashboards/7", {"panels": [{"enabled": False}]}),
    ("PUT", f"{SITE}/issues/5/labels", []),
    ("PUT", f"{SITE}/settings", {"theme": None, "page_limit": None}),
    ("PATCH", f"{SITE}/cards/7", {"spending_limit": 500, "daily_limit": "500"}),
    ("POST", f"{SITE}/users", [{"name": "kim", "active": False}]),
    ("POST", f"{SITE}/mail/send", {"to": [{"email": "kim@shop.example"}], "text": "hi"}),
    (
        "PUT",
        f"{SITE}/zones/z/dns_records/r",
        {"type": "A", "name": "blog.shop.example", "content": "203.0.113.7"},
    ),
    ("PUT", "https://shop.firebaseio.com/users/7/name.json", "Kim"),
    ("GET", f"{SITE}/docs/drop-table", None),
    ("GET", f"{SITE}/docs/factory-reset", None),
    ("POST", f"{SITE}/spellcheck", {"text": "DROP TABLE users"}),
    ("POST", f"{SITE}/v1/embeddings", {"input": ["DROP TABLE users"], "model": "m"}),
    ("POST", "http://search:9200/_analyze", {"text": "delete everything"}),
)

STILL_ASKED: tuple[Sent, ...] = (
    ("GET", f"{SITE}/docs/../users/7/delete", None),
    ("GET", f"{SITE}/docs/%2e%2e/users/7/delete", None),
    ("POST", f"{SITE}/spellcheck", {"text": "hi", "command": "rm -rf /srv"}),
    ("POST", f"{SITE}/sql/embeddings", {"input": "DROP TABLE users"}),
    ("POST", f"{SITE}/execute?next=/embeddings", {"input": "DROP TABLE users"}),
)
"""Beside what only answers."""
