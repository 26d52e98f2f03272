"""A request says the same whether its body is JSON, a form, a list, a text of a text or base64."""

from tests.unit.risk.builders import the_policy
from tests.unit.risk.corpus import Sent, requests

from holdpoint.messages.risk import Assessment
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind


def found(sent: Sent) -> Assessment:
    method, url, body = sent
    payload = {"method": method, "url": url} | ({} if body is None else {"body": body})
    return judged(Line(id="", kind=LineKind.HTTP, payload=payload), the_policy())


def test_no_reason_speaks_of_a_tool_that_nobody_named() -> None:
    reasons = [signal.reason for one in requests("asks", "shape") for signal in found(one).signals]

    assert [one for one in reasons if "http.request" in one] == []


def test_reasons_say_what_happens() -> None:
    said = {
        ("POST", "https://iam.a.example/?Action=AttachUserPolicy"): "POST AttachUserPolicy",
        ("POST", "https://a.example/zones/z/instances/i/reset"): "stops it at once",
        ("POST", "https://bank.example/transfers"): "hands on what need not come back",
    }
    body = {"UserName": "kim", "PolicyArn": "arn:aws:iam::aws:policy/AdministratorAccess"}
    silent = [
        (sent, words)
        for sent, words in said.items()
        if not any(words in one.reason for one in found((*sent, body)).signals)
    ]

    assert silent == []
