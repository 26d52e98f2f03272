"""Tool calls by family: sums by the line, prices asked, what is only written down for people."""

from typing import Any

Call = tuple[str, dict[str, Any]]
Request = tuple[str, str, Any]

BY_THE_LINE: tuple[Call, ...] = (
    ("reserve_cabins", {"rooms": 14, "nights": 5, "rate": "€95"}),
    ("change_plan", {"seats": 90, "price_per_seat_year": "$150"}),
    ("hire_coaches", {"coaches": 3, "days": 4, "rate_per_coach_per_day": "$640"}),
    ("enter_bill", {"lines": [{"text": "slabs", "quantity": 25, "rate": 66}]}),
    (
        "approve_bill",
        {
            "lines": [
                {"qty": 10, "unitAmount": 80, "currency": "GBP"},
                {"qty": 1, "unitAmount": 300},
            ]
        },
    ),
    ("credit_account", {"credit": {"units": 2800, "nanos": 0, "currencyCode": "EUR"}}),
    ("adjust_wallet", {"change": {"units": "2800", "currency_code": "EUR"}}),
)
PRICES_ASKED: tuple[Call, ...] = (
    ("wire_quote", {"from": "USD", "to": "SEK", "amount": "40,000"}),
    ("coin_price", {"asset": "BTC", "quantity": 3}),
    ("oanda.convert", {"from": "NOK", "to": "CHF", "amount": 60_000}),
    ("remit_quotation", {"amount": 9_000}),
    ("exchange_coins", {"amount": 9_000, "quote_only": True}),
    ("create_draft_order", {"lines": [{"quantity": 30, "unit_price": 90}]}),
    ("reserve_cabin", {"rooms": 1, "nights": 2, "rate": "€95"}),
    ("set_pump", {"rate": 1_900, "unit": "ml"}),
)
NOTED: tuple[Call, ...] = (
    ("create_issue", {"title": "DROP TABLE in migration 7 is slow", "repo": "a/b"}),
    ("add_comment", {"issue": 7, "body": "somebody ran rm -rf / in the image"}),
    ("write_file", {"path": "docs/week.md", "content": "- Bo dropped the orders table"}),
    ("asana_create_task", {"name": "Forbid truncate table in reviews"}),
    ("append_page", {"page": "log", "text": "we drop database shop_test each night"}),
)
NOT_NOTED: tuple[Call, ...] = (
    ("write_file", {"path": "CLAUDE.md", "content": "Drop table orders each night"}),
    ("write_file", {"path": ".github/copilot.md", "content": "run rm -rf / first"}),
    ("write_file", {"path": "clean.sh", "content": "psql -c 'drop table orders'"}),
    ("create_and_run_issue", {"title": "drop table orders"}),
    ("create_task", {"body": "drop table orders"}),
    ("create_issue", {"title": "x", "command": "rm -rf /"}),
    ("create_draft_order_and_pay", {"lines": [{"quantity": 30, "unit_price": 90}]}),
    ("wise_send_convert", {"amount": 9_000}),
)
ASKED: tuple[Call, ...] = (*BY_THE_LINE, *NOT_NOTED)
SILENT: tuple[Call, ...] = (*PRICES_ASKED, *NOTED)

REQUESTS_ASKED: tuple[Request, ...] = (("POST", "/orders", {"title": "drop table orders"}),)
REQUESTS_SILENT: tuple[Request, ...] = (
    ("POST", "/projects/7/issues", {"title": "Nightly job cannot drop table users"}),
    ("POST", "/rest/issue", {"fields": {"summary": "TRUNCATE TABLE is slow"}}),
    ("POST", "/v3/quotes", {"sourceCurrency": "EUR", "sourceAmount": 30_000}),
)
