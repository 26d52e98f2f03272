"""Tool calls by family: power, exposure, protections, what is handed out; and their like."""

from typing import Any

Call = tuple[str, dict[str, Any]]

POWER: tuple[Call, ...] = (
    ("directory_add_member", {"group": "Enterprise Admins", "user": "kim"}),
    ("invite_user", {"email": "a@b.example", "roles": ["SUPER_ADMIN"]}),
    ("set_site_permissions", {"user": "kim", "level": "Full Control"}),
    ("change_password", {"username": "root", "new": "x"}),
    ("remove_totp", {"user": "kim"}),
    ("write_file", {"path": "/etc/cron.daily/backup", "content": "#!/bin/sh"}),
    ("append_to_file", {"file_path": "/home/kim/.ssh/authorized_keys", "text": "ssh-ed25519 A"}),
    ("fs.copy", {"source": "/srv/a", "destination": "/usr/local/bin/a"}),
)
EXPOSED: tuple[Call, ...] = (
    ("share_document", {"id": "7", "type": "anyone", "role": "reader"}),
    ("set_folder_access", {"principal": "All authenticated users", "rights": "read"}),
    ("edit_project", {"id": 7, "visibility": "public"}),
    ("update_project", {"id": 7, "private": False}),
    ("storage_put_acl", {"bucket": "a", "acl": "public-read"}),
    ("create_database", {"name": "a", "publicly_accessible": True}),
    ("set_bucket_options", {"bucket": "a", "block_public_access": False}),
    (
        "queue_set_policy",
        {"policy": {"Statement": [{"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "a"}]}},
    ),
    ("open_port", {"port": 3306, "cidr": "0.0.0.0/0"}),
    ("firewall_add_rule", {"source": "any", "port": "22"}),
    ("deploy_rules", {"rules": {"rules": {"users": {".read": "true"}}}}),
    ("deploy_rules", {"rules": "match /{d=**} { allow read, write: if true; }"}),
)
UNGUARDED: tuple[Call, ...] = (
    ("update_login_policy", {"mfa_required": False}),
    ("device_set", {"setting": "smoke_alarm", "value": "off"}),
    ("plc.write", {"register": 7, "bypass_interlock": True}),
    ("set_waf", {"mode": "off"}),
    ("update_branch_rule", {"branch": "main", "allow_force_pushes": True}),
    ("deploy_service", {"service": "a", "env": "prod", "skip_tests": True}),
    ("helm_upgrade", {"namespace": "production", "require_approval": False}),
    ("terraform_apply", {"dir": "infra", "auto_approve": True}),
    ("update_feature_flag", {"flag": "refund-limits", "environment": "live", "enabled": False}),
    ("sync_members", {"mode": "replace", "members": []}),
    ("overwrite_records", {"zone": "a", "records": []}),
    ("pump.set_bolus", {"patient": "p", "units": 4}),
    ("prescription_renew", {"patient": "p", "drug": "a"}),
    ("newsletter_schedule", {"id": 7, "at": "now"}),
    ("sign_envelope", {"envelope": "Office lease"}),
    ("runs.close", {"run": 7, "disburse": True}),
    ("dismiss_candidates", {"status": "any"}),
)
HANDED_OUT: tuple[Call, ...] = (
    ("send_mail", {"to": "x@other.example", "files": ["payroll_may.xlsx"]}),
    ("create_webhook", {"target_url": "https://x.example/in", "events": ["*"]}),
    ("mailbox_set_forwarding", {"address": "kim@freemail.example"}),
    ("create_inbox_rule", {"actions": {"forward_to": "kim@freemail.example"}}),
)
SUMS: tuple[Call, ...] = (
    ("convert_and_send", {"source": "EUR", "target": "INR", "target_amount": "2 lakh"}),
    ("remit", {"source_currency": "USD", "target_currency": "INR", "target_amount": "1 crore"}),
    ("sell_to_close", {"contracts": 20, "order_type": "market", "symbol": "A"}),
    ("trade", {"side": "buy", "qty": 300, "type": "market", "ticker": "A"}),
)
SEARCHED: tuple[Call, ...] = (
    ("find_code", {"q": "DROP TABLE users"}),
    ("search_messages", {"query": "who ran rm -rf / in production"}),
    ("lookup_articles", {"keywords": "truncate table safely"}),
)
"""What a tool that only searches is asked for."""

LOOKED_UP_ELSEWHERE: tuple[Call, ...] = (
    ("search_database", {"query": "DROP TABLE users"}),
    ("find_and_run", {"query": "DROP TABLE users"}),
    ("query", {"query": "DROP TABLE users"}),
    ("search_files", {"query": "notes", "command": "rm -rf /srv"}),
    ("search_notes", {"query": "x", "sql": "DROP TABLE users"}),
)
ASKED: tuple[Call, ...] = (
    *POWER,
    *EXPOSED,
    *UNGUARDED,
    *HANDED_OUT,
    *SUMS,
    *LOOKED_UP_ELSEWHERE,
)

SILENT: tuple[Call, ...] = (
    *SEARCHED,
    ("directory_add_member", {"group": "Marketing", "user": "kim"}),
    ("assign_ticket", {"ticket": 7, "group": "admins"}),
    ("invite_user", {"email": "a@b.example", "role": "Product Owner"}),
    ("invite_user", {"email": "a@b.example", "role": "viewer"}),
    ("reset_password", {"user": "kim"}),
    ("write_file", {"path": "src/cron.py", "content": "x"}),
    ("read_file", {"path": "/etc/hosts"}),
    ("write_file", {"path": "/home/kim/notes/hosts", "content": "x"}),
    ("share_document", {"id": "7", "type": "user", "email": "a@b.example", "role": "reader"}),
    ("update_project", {"id": 7, "visibility": "internal", "private": True}),
    ("create_repository", {"name": "a", "visibility": "public"}),
    ("set_bucket_options", {"bucket": "a", "block_public_access": True}),
    ("create_database", {"name": "a", "publicly_accessible": False}),
    (
        "queue_set_policy",
        {"policy": {"Statement": [{"Effect": "Deny", "Principal": "*", "Action": "a"}]}},
    ),
    ("firewall_add_rule", {"source": "10.0.0.0/8", "port": "22"}),
    ("firewall_add_rule", {"action": "deny", "source": "any", "port": "22"}),
    ("deploy_rules", {"rules": "match /{d=**} { allow read: if request.auth != null; }"}),
    ("update_login_policy", {"mfa_required": True}),
    ("device_set", {"setting": "night_light", "value": "off"}),
    ("deploy_service", {"service": "a", "env": "staging", "skip_tests": True}),
    ("deploy_service", {"service": "a", "env": "preprod", "skip_tests": True}),
    ("deploy_service", {"service": "a", "stack": "prod"}),
    ("update_feature_flag", {"flag": "new-look", "environment": "dev", "enabled": False}),
    ("set_members", {"replace": True, "members": ["a", "b"]}),
    ("replace_cover", {"path": "a.txt", "tags": []}),
    ("set_medication_reminder", {"drug": "a", "at": "08:00"}),
    ("newsletter_send", {"id": 7, "test": True}),
    ("campaign_send_test", {"id": 7, "to": "me@a.example"}),
    ("runs.note", {"run": 7, "disburse": False}),
    ("send_mail", {"to": "x@other.example", "files": ["menu.pdf"]}),
    ("send_mail", {"to": "a@us.example", "from": "b@us.example", "files": ["payroll.xlsx"]}),
    ("create_webhook", {"target_url": "https://x.example/in", "events": ["push"]}),
    ("create_inbox_rule", {"actions": {"move_to": "Later"}}),
    ("set_goal", {"target_amount": 50000, "currency": "EUR"}),
    ("trade", {"side": "buy", "qty": 1, "type": "market", "ticker": "A"}),
)
