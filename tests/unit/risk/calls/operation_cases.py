"""Tool calls whose deed stands in an argument, or in a name without signs; and their like."""

from typing import Any

Call = tuple[str, dict[str, Any]]

BESIDE_ADDRESSES: tuple[Call, ...] = (
    ("filesystem", {"operation": "delete", "path": "/srv/ledgers", "recursive": True}),
    ("storage", {"action": "delete", "uri": "s3://ledgers/2026"}),
    ("memory_store", {"command": "delete", "path": "/memories/plan.md"}),
    ("kv", {"op": "delete", "path": "orders/7"}),
    ("crm_call", {"action": "delete", "endpoint": "/v2/contacts/7"}),
    ("crm_call", {"action": "purge", "href": "https://crm.example/contacts"}),
    ("browser", {"action": "delete_profile", "url": "https://a.example/me"}),
    ("api", {"action": "delete", "method": "GET", "url": "https://a.example/contacts/7"}),
    ("api", {"method": "DELETE", "url": "https://a.example/contacts/7"}),
    ("files", {"action": "delete", "method": "DELETE", "url": "https://a.example/reactions/9"}),
)
"""Beside an address a deed is left to the request only where it is its method."""

OPERATIONS: tuple[Call, ...] = (
    ("accounts", {"mode": "remove", "target": "kim"}),
    ("drive_ops", {"op": "rm", "path": "/srv/ledgers", "recursive": True}),
    ("drive_ops", {"ops": [{"op": "remove", "path": "/srv/ledgers"}]}),
    ("db_admin", {"action": "remove", "database": "crm"}),
    ("directory", {"action_name": "terminate_contract", "params": {"id": 7}}),
    ("execute_action", {"action-name": "terminate_account", "params": {"id": 7}}),
    ("parallel", {"tool_uses": [{"recipient_name": "functions.drop_table", "parameters": {}}]}),
    ("admin_console", {"type": "delete", "id": 7}),
    ("git_command", {"command": "push --force origin main"}),
    ("kubectl_tool", {"args": "delete namespace shop"}),
    ("terraform_cli", {"cmd": "destroy -auto-approve"}),
)
DOORS: tuple[Call, ...] = (
    ("make_report_public", {"report": "r-7", "dry_run": False}),
    ("set_folder_public", {"folder": "hr", "validate_only": False, "notify": False}),
    ("update_login_policy", {"mfa_required": False, "method": "PUT"}),
    ("create_webhook", {"url": "https://x.example/in", "events": ["*"], "method": "POST"}),
)
"""What stands beside what is done, and takes nothing of it back."""

ASKED: tuple[Call, ...] = (*BESIDE_ADDRESSES, *OPERATIONS, *DOORS)

SILENT: tuple[Call, ...] = (
    ("api", {"method": "DELETE", "url": "https://a.example/posts/7/reactions/9"}),
    ("fetch", {"url": "https://a.example/contacts/7", "init": {"method": "get"}}),
    ("api", {"action": "post", "url": "https://a.example/notes"}),
    ("cart", {"action": "remove", "sku": "a"}),
    ("cart", {"action": "remove_item", "sku": "a"}),
    ("manage", {"operation": "remove", "resource": "label", "id": 7}),
    ("issue_tags", {"op": "remove", "issue": 7, "tag": "later"}),
    ("update_config", {"patch": [{"op": "remove", "path": "/colours/0"}]}),
    ("event_feed", {"type": "delete"}),
    ("keyboard", {"type": "delete"}),
    ("playlist", {"action": "remove", "track": 7}),
    ("text_tool", {"mode": "remove", "characters": "-"}),
    ("table_frame", {"op": "drop_duplicates", "subset": ["a"]}),
    ("register_hook", {"type": "delete", "url": "https://hooks.acme.internal/in"}),
    ("make_flag_public", {"public": False}),
    ("http_call", {"method": "PUT", "url": "https://a.example/notes/7", "verify": False}),
    ("git_command", {"command": "fetch origin"}),
    ("kubectl_tool", {"args": "get pods"}),
    ("parallel", {"tool_uses": [{"recipient_name": "functions.get_plan", "parameters": {}}]}),
)
