"""Tool calls by family: limits, what knows no bounds, ways in, machines, texts worked on."""

from typing import Any

Call = tuple[str, dict[str, Any]]

CEILINGS: tuple[Call, ...] = (
    ("raise_card_limit", {"card": "c-7", "new_limit": 45_000}),
    ("set_overdraft_limit", {"account": "a-7", "limit": "12,000", "currency": "EUR"}),
    ("update_expense_rules", {"auto_approve_under": 9_000}),
    ("configure_refunds", {"approval_required_above": 8_000}),
    ("set_transfer_cap", {"cap": 30_000, "previous_cap": 2_000}),
    ("set_transfer_cap", {"cap": 30_000, "previous_cap": None}),
    ("set_card_limits", {f"limit_of_{letter}": 10 for letter in "abcdefghijklmnopqrstuvw"}),
)
PRICES: tuple[Call, ...] = (
    ("book_rooms", {"rooms": 9, "nights": 4, "rate": "$210 per room per night"}),
    ("hire_vans", {"vehicles": 12, "days": 5, "charge": "95 EUR per day"}),
    ("order_chairs", {"quantity": 40, "price": "$80/unit"}),
    ("pay_crew", {"payments": "Ada 700; Bo 650"}),
    ("send_payouts", {"payouts": "a@b.example: 600, c@d.example: 700"}),
    ("purchase_savings_plan", {"term": "3yr", "payment": "all_upfront"}),
    ("purchase_order_submit", {"lines": [{"name": "lamp", "qty": 30, "unit_cents": 4_000}]}),
    ("issue_cheque", {"payee": "Ada", "words": "One thousand nine hundred and 00/100 dollars"}),
    ("pay_rent", {"monthly": {"value": 700, "currency": "EUR"}, "months": 6}),
    ("bank_transfer", {"to": "Ada", "soma": "50.000.000 ₫"}),
)
COUNTED: tuple[Call, ...] = (
    ("close_tickets", {"query": "is:stale", "matched": "2.400"}),
    ("archive_leads", {"count": "2'400"}),
    ("subscribe", {"plan": "team", "seats": 500}),
    ("purchase_licenses", {"product": "ide", "licenses": 1_200}),
    ("buy_tokens", {"quantity": 90_000}),
    ("notify_parents", {"to": {"group": "parents", "recipients": 480}, "message": "Snow day"}),
)
BOUNDLESS: tuple[Call, ...] = (
    ("update_rows", {"table": "users", "set": {"active": False}, "where": None}),
    ("archive_deals", {"filters": None}),
    ("batch_update_contacts", {"query": "country:NO", "max": "all", "set": {"owner": 7}}),
    ("crm_batch_archive", {"object": "deals", "filter": {"created": {"before": "2022-01-01"}}}),
    ("mail_batch_modify", {"query": "older_than:1y", "addLabelIds": ["TRASH"]}),
    ("update_rows", {"filterByFormula": "TRUE()", "fields": {"Left": 0}}),
    ("modify_entries", {"where": "'a' = 'a'", "values": {"done": True}}),
    ("batch_assign_leads", {"criteria": {"source": "web"}, "limit": None, "to": "kim"}),
    ("mailblast_send", {"recipients": {"segments": ["customers", "leads"]}}),
    ("send_message", {"recipients": {"segments": ["vip"]}}),
)
WAYS_IN: tuple[Call, ...] = (
    ("issue_token", {"name": "ci", "scopes": ["*"], "expires_at": None}),
    ("create_access_key", {"permissions": "all"}),
    ("open_tunnel", {"port": 27017}),
    ("ngrok_start", {"port": 8080, "auth": "none"}),
    ("update_password_policy", {"min_length": 5}),
    ("set_password_rules", {"complexity": False}),
    ("configure_password_policy", {"lockout_attempts": 0}),
    ("set_sso_config", {"metadata_url": "https://login.b.example/meta"}),
    ("post_message", {"text": "the vpn password is Fr0g!pond7"}),
    ("send_chat", {"text": "login: admin / s3same-Open"}),
    ("GitLabUpdateBranchProtection", {"branch": "main", "enabled": False}),
    ("MicrosoftEntra.ConditionalAccess.Update", {"id": "p-7", "state": "disabled"}),
    ("set_policy", {"policy": 'path "*" { capabilities = ["read", "sudo"] }'}),
)
MACHINES: tuple[Call, ...] = (
    ("uav_takeoff", {"height_m": 60, "geofence": False}),
    ("crane_lift", {"load_kg": 900, "collision_avoidance": "off"}),
    ("car_unlock_doors", {"vin": "v-7"}),
    ("car_command", {"vin": "v-7", "command": "REMOTE_START"}),
    ("plant.set_state", {"unit": "u-7", "command": "emergency_shutdown"}),
    ("redis.flushdb", {"host": "cache"}),
    ("playstore_release", {"bundle": "a.b", "version": "3"}),
    ("publish_marks", {"course": "math"}),
    ("service_apply", {"cluster": "prod-eu", "manifest": "a.yaml", "rollout": "immediate"}),
    ("release_web", {"environment": "production", "staged": False}),
)
WORKED_ON_ELSEWHERE: tuple[Call, ...] = (
    ("sql_explain", {"statement": "DELETE FROM carts WHERE id > 7", "analyze": True}),
    ("sql_explain", {"statement": "SELECT 1; DROP TABLE carts"}),
    ("sql_explain", {"statement": f"DELETE FROM carts WHERE {'id > 7 OR ' * 500} id > 9"}),
    ("format_and_run_sql", {"sql": "DROP TABLE carts"}),
    ("explain_and_execute", {"statement": "DROP TABLE carts"}),
    ("read_file", {"path": "notes.txt; DROP TABLE carts"}),
    ("write_file", {"path": "drop-database.md", "content": "rm -rf /"}),
    ("translate_text", {"text": "hello", "command": "rm -rf /srv"}),
)
"""What only claims to work on a text, or does more than that."""

ASKED: tuple[Call, ...] = (
    *CEILINGS,
    *PRICES,
    *COUNTED,
    *BOUNDLESS,
    *WAYS_IN,
    *MACHINES,
    *WORKED_ON_ELSEWHERE,
)

WORKED_ON: tuple[Call, ...] = (
    ("translate_text", {"text": "Drop all tables and delete everything.", "source": "en"}),
    ("format_code", {"code": "def drop_table(name): pass"}),
    ("sql_explain", {"statement": "DELETE FROM carts WHERE id > 7", "analyze": False}),
    ("explain_query", {"sql": "DELETE FROM carts WHERE id > 7;"}),
    ("explain_code", {"code": "def drop_table(name): pass"}),
    ("summarize_text", {"text": "then he typed DROP DATABASE shop"}),
    ("read_text_file", {"path": "/srv/books/drop-table.md"}),
    ("docs.get_page", {"path": "runbooks/DROP-DATABASE.md", "lines": 20}),
)
"""What is only worked on, or the path of what is only read."""

SILENT: tuple[Call, ...] = (
    ("subscribe", {"plan": "team", "seats": 5}),
    ("create_venue", {"name": "Hall", "seats": 500}),
    ("count_tokens", {"tokens": 4_000}),
    ("update_rows", {"table": "users", "id": 7, "set": {"active": True}, "query": None}),
    ("list_rows", {"table": "users", "where": None}),
    *WORKED_ON,
    ("calc_rent_cost", {"rent": 2400, "months": 12}),
    ("set_card_limit", {"card": "c-7", "limit": 400}),
    ("set_card_limit", {"card": "c-7", "limit": 5_000, "previous": 20_000}),
    ("set_rate_limit", {"limit": 50_000}),
    ("get_credit_limit", {"limit": 50_000}),
    ("set_alert", {"threshold": 9_000}),
    ("set_transfer_cap", {"cap": None}),
    ("book_rooms", {"rooms": 1, "nights": 2, "rate": "$110 per room per night"}),
    ("set_label", {"text": "5/unit"}),
    ("pay_crew", {"payments": "Ada 70; Bo 65"}),
    ("add_note", {"payments": "see page 9000"}),
    ("add_note", {"payments": "later, or see page 9000"}),
    ("make_box", {"count": "roughly"}),
    ("plan_trip", {"pace": "$2 per mile"}),
    ("purchase_order_submit", {"lines": [{"name": "lamp", "qty": 3, "unit_cents": 4_000}]}),
    ("issue_cheque", {"payee": "Ada", "words": "One hundred and 00/100 dollars"}),
    ("pay_rent", {"monthly": {"value": 70, "currency": "EUR"}, "months": 6}),
    ("bank_transfer", {"to": "Ada", "soma": "500.000 ₫"}),
    ("close_tickets", {"query": "is:stale", "matched": "2.5"}),
    ("notify_parents", {"to": {"group": "parents", "recipient": 480}, "message": "Snow day"}),
    ("batch_update_contacts", {"ids": ["a", "b"], "limit": None}),
    ("batch_archive_mails", {"filter": {"received": {"before": "2022-01-01"}}}),
    ("crm_batch_archive", {"filter": {"created": {"before": "2022-01-01"}, "owner": "kim"}}),
    ("update_rows", {"filterByFormula": "{Name} = 'a'", "fields": {"Left": 0}}),
    ("issue_token", {"name": "ci", "scopes": ["read:packages"]}),
    ("open_tunnel", {"port": 8080, "auth": "basic"}),
    ("update_password_policy", {"min_length": 14, "complexity": True}),
    ("set_sso_config", {"display_name": "Our login"}),
    ("post_message", {"text": "your password is about to expire"}),
    ("post_message", {"text": "Password reset: https://a.example/r/9f2k1"}),
    ("update_branch_protection", {"branch": "main", "enabled": True}),
    ("drone_fly", {"height_m": 60, "geofence": True}),
    ("configure_editor", {"theme": "dark", "size": 14}),
    ("send_mail", {"to": "a@b.example", "text": "Credentials: see page 12 of the wiki"}),
    ("start_remote_session", {"host": "a"}),
    ("service_apply", {"cluster": "prod-eu", "manifest": "a.yaml"}),
    ("service_apply", {"cluster": "staging", "manifest": "a.yaml", "rollout": "immediate"}),
    ("set_policy", {"policy": 'path "kv/team/*" { capabilities = ["read"] }'}),
)
