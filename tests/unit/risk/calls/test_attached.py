"""Files that a house keeps to itself, sent outside: by a tool, and in the body of a request."""

from typing import Any

from tests.unit.risk.builders import the_policy

from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

Sent = tuple[str, str]

GRAPH = "https://graph.microsoft.com/v1.0/me/sendMail"
SENDGRID = "https://api.sendgrid.com/v3/mail/send"
KEPT: tuple[Sent, ...] = (
    ("x@rival.example", "salaries.xlsx"),
    ("x@rival.example", "2026/roadmap.pdf"),
    ("someone@gmail.com", "payroll.csv"),
    ("someone@gmail.com", "q3-roadmap.pdf"),
)
HARMLESS: tuple[Sent, ...] = (
    ("someone@gmail.com", "invitation.pdf"),
    ("x@rival.example", "menu.pdf"),
    ("bo@acme.example", "roadmap.pdf"),
    ("someone@gmail.com", "contract.pdf"),
)


def _graph(to: str, name: str) -> dict[str, Any]:
    whom = [{"emailAddress": {"address": to}}]
    return {"message": {"subject": "hi", "toRecipients": whom, "attachments": [{"name": name}]}}


def _sendgrid(to: str, name: str) -> dict[str, Any]:
    return {"personalizations": [{"to": [{"email": to}]}], "attachments": [{"filename": name}]}


def _requested(url: str, body: dict[str, Any]) -> bool:
    payload = {"method": "POST", "url": url, "body": body}
    line = Line(id="", kind=LineKind.HTTP, payload=payload)
    return judged(line, the_policy()).level >= RiskLevel.HIGH


def _called(tool: str, arguments: dict[str, Any]) -> bool:
    line = Line(id="", kind=LineKind.TOOL_CALL, payload={"tool": tool, "args": arguments})
    return judged(line, the_policy()).level >= RiskLevel.HIGH


def _ways(to: str, name: str) -> tuple[bool, ...]:
    """Whether each way to send it asks."""
    return (
        _called("send_email", {"to": to, "subject": "hi", "attachments": [name]}),
        _called("share_file", {"file": name, "email": to}),
        _called("outlook.send_mail", _graph(to, name)),
        _requested(GRAPH, _graph(to, name)),
        _requested(SENDGRID, _sendgrid(to, name)),
    )


def test_what_is_kept_inside_asks_however_it_is_sent() -> None:
    assert [(one, _ways(*one)) for one in KEPT if not all(_ways(*one))] == []


def test_other_files_and_other_people_ask_nobody() -> None:
    assert [(one, _ways(*one)) for one in HARMLESS if any(_ways(*one))] == []


def test_mail_that_is_handed_on_to_a_rival_asks() -> None:
    assert _called("forward_email", {"id": 7, "to": "x@rival.example"})
    assert not _called("forward_email", {"id": 7, "to": "bo@acme.example"})
    assert not _called("forward_email", {"id": 7, "to": "bo@arrivals.example"})
