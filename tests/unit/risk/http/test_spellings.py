"""A request in other spellings: what is encoded is read, what nobody can read goes up."""

from typing import Any

from tests.unit.risk.builders import the_policy

from holdpoint.messages.risk import Assessment, RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind, line_of

HOST = "https://x.example"
MAX_REASON = 90
ENCODED = (
    ("GET", "/admin/d%65lete?id=5"),
    ("GET", "/admin/d%2565lete?id=5"),
    ("GET", "/admin%2Fdelete?id=5"),
    ("GET", "/admin?action=d%65lete&id=5"),
    ("GET", "/admin?action=d%2565lete&id=5"),
    ("GET", "/admin?act%69on=delete&id=5"),
    ("GET", "/admin/DELETE?id=5"),
    ("GET", "/admin/\uff44\uff45lete?id=5"),
    ("GET", "/admin/d\u0435lete?id=5"),
    ("GET", "/admin/%D0%B5/..%2fdel\u200bete?id=5"),
    ("GET", "/users/7/delete;v=1"),
    ("GET", "/docs/../users/7/delete"),
    ("GET", "/users/7/delete/."),
    ("GET", "/docs/./../users/7/delete"),
    ("GET", "\\users\\7\\delete"),
    ("POST", "/users/7/d%65%6Cete"),
    ("POST", "/users/7/p\u03c5rge"),
    ("D%45LETE", "/users/7"),
    ("\uff24ELETE", "/users/7"),
)
ALSO_READ = (
    ("GET", "/search?q=100%25%20deleted"),
    ("GET", "/login?next=%2Fdocs%2Fdelete"),
    ("GET", "/m%C3%BCnchen/docs"),
    ("GET", "/share?text=one%0Atwo"),
    ("POST", "/notes?title=a%20b"),
    ("PROPPATCH", "/notes/7"),
    ("GET", "/codes?code=a&code=b"),
)
USERS = f"{HOST}/users/7"
UNREADABLE: tuple[dict[str, Any], ...] = (
    {"method": ["DELETE"], "url": USERS},
    {"method": {"name": "DELETE"}, "url": USERS},
    {"method": 7, "url": USERS},
    {"method": "GET / HTTP/1.1\r\n\r\nDELETE /users/7", "url": HOST},
    {"method": "NUKE", "url": USERS},
    {"method": "GET", "url": f"{HOST}/ HTTP/1.1\r\n\r\nDELETE /users/7 HTTP/1.1"},
    {"method": "GET", "url": f"{HOST}/%0d%0aDELETE%20/users/7%20HTTP/1.1"},
    {"method": "GET", "url": f"{HOST}/?a=%0d%0aDELETE%20/users/7%20HTTP/1.1"},
    {"method": "GET", "url": f"{HOST}/%25252525252564elete"},
    {"method": "GET", "url": HOST, "headers": {"A": "b\r\nX-HTTP-Method-Override: DELETE"}},
    {"method": "GET", "url": HOST, "headers": "A: b\r\nDELETE /users/7 HTTP/1.1"},
    {"method": "POST", "url": f"{HOST}/x", "headers": {"X-Amz-Target": "Db_2012.DeleteTable"}},
    {"method": "GET", "url": HOST, "body": "\r\nDELETE /users/7 HTTP/1.1\r\n"},
    {"method": "GET", "verb": "DELETE", "url": USERS},
    {"method": "GET", "url": HOST, "URL": f"{HOST}/users/7/delete"},
    {
        "method": "GET",
        "url": USERS,
        "headers": ["A", {"name": "X-Method-Override", "value": "DELETE"}],
    },
)
TWOFOLD = (
    '{"amount": 9000, "amount": 1, "currency": "USD"}',
    '{"amount": 1, "currency": "USD", "amount": 9000}',
    '{"pay": {"amount": 9000, "amount": 1}}',
    '[{"action": "list", "action": "delete"}]',
    "amount=9000&amount=1&currency=USD",
    "action=list&action=purge",
)
SINGLE = (
    '{"amount": 1, "amount": 1, "currency": "USD"}',
    '{"items": [{"amount": 1}, {"amount": 2}]}',
    "id=1&id=2&scope=a&scope=b",
    '{"broken": ',
    '{"huge": ' + "9" * 5_000 + "}",
)


def found(payload: dict[str, Any]) -> Assessment:
    return judged(Line(id="", kind=LineKind.HTTP, payload=payload), the_policy())


def of(**payload: Any) -> RiskLevel:
    return found(payload).level


def test_what_is_encoded_is_read_as_what_it_says() -> None:
    silent = [one for one in ENCODED if of(method=one[0], url=HOST + one[1]) < RiskLevel.HIGH]
    loud = [one for one in ALSO_READ if of(method=one[0], url=HOST + one[1]) >= RiskLevel.HIGH]

    assert (silent, loud) == ([], [])


def test_what_cannot_be_read_goes_up() -> None:
    assert [one for one in UNREADABLE if of(**one) < RiskLevel.HIGH] == []

    signals = [signal for one in UNREADABLE for signal in found(one).signals]
    reasons = [signal.reason for signal in signals if signal.rule.startswith("http.")]
    assert [said for said in reasons if len(said) > MAX_REASON or not said.isprintable()] == []


def test_a_second_request_behind_the_first_is_one() -> None:
    text = f"GET {HOST}/ HTTP/1.1\r\n\r\nDELETE /users/7 HTTP/1.1"

    assert judged(line_of(text, LineKind.HTTP), the_policy()).level >= RiskLevel.HIGH


def test_a_name_that_stands_twice_counts_as_the_gravest() -> None:
    said = {body: of(method="POST", url=f"{HOST}/x", body=body) for body in (*TWOFOLD, *SINGLE)}

    assert [body for body in TWOFOLD if said[body] < RiskLevel.HIGH] == []
    assert [body for body in SINGLE if said[body] >= RiskLevel.HIGH] == []
