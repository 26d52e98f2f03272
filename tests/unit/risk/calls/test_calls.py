"""Tool calls: names, sums in any dress, whom they select, and programs in their arguments."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from tests.unit.risk.builders import a_tool, an_action, judged, the_policy
from tests.unit.risk.corpus import Call, calls

from holdpoint.core.risk.extract.amounts import MAX_SUMS
from holdpoint.core.risk.extract.arguments import payload
from holdpoint.core.risk.extract.counts import MAX_LIST
from holdpoint.core.risk.extract.money import read_sum
from holdpoint.core.risk.extract.payload import MAX_VALUES, words_of
from holdpoint.core.risk.tools.names import tool_name
from holdpoint.core.risk.wording import Kind
from holdpoint.messages.risk import Assessment, RiskLevel
from holdpoint.policy_lab.assess import judged as judged_line
from holdpoint.policy_lab.cases import Line, LineKind


def call(tool: str, arguments: dict[str, Any]) -> Assessment:
    line = Line(id="", kind=LineKind.TOOL_CALL, payload={"tool": tool, "args": arguments})
    return judged_line(line, the_policy())


@pytest.mark.parametrize(
    ("name", "base", "kind"),
    [
        ("GmailDeleteEmail", "delete", Kind.DELETE),
        ("messages_delete", "delete", Kind.DELETE),
        ("closeBankAccountAPI", "close", Kind.DELETE),
        ("EpicFHIRSearchPatients", "search", Kind.READ),
        ("get_deleted_users", "get", Kind.READ),
        ("order_status", "get", Kind.READ),
        ("emails.archive", "archive", Kind.UPDATE),
        ("ExpediaBooking", "book", Kind.CREATE),
        ("price_book_apply", "apply", Kind.CREATE),
        ("aws__kms__delete_alias", "delete", Kind.DELETE),
        ("list.unsubscribeEveryone", "unsubscribe", Kind.UPDATE),
        ("audit_logging_disable", "disable", Kind.UPDATE),
        ("email_queue_flush", "flush", Kind.DELETE),
        ("compte.supprimer", "delete", Kind.DELETE),
        ("cancel_key_deletion", "cancel", Kind.UPDATE),
        ("token_burn_history", "get", Kind.READ),
        ("snapshots_prune_simulate", "get", Kind.READ),
        ("erase.comments", "erase", Kind.DELETE),
        ("crm__remove__all__posts", "remove", Kind.DELETE),
        ("revoke/transfer", "revoke", Kind.DELETE),
        ("trash.restore", "restore", Kind.UPDATE),
        ("comments.send_message", "send", Kind.CREATE),
        ("purgecontacts", "purge", Kind.DELETE),
        ("DROPSCHEMA", "drop", Kind.DELETE),
        ("terminateallinstances", "terminate", Kind.DELETE),
        ("acme_useraccountdelete", "delete", Kind.DELETE),
        ("cancelbooking", "cancel", Kind.DELETE),
        ("deletelabel", "delete", Kind.UPDATE),
    ],
)
def test_a_name_says_what_it_does(name: str, base: str, kind: Kind) -> None:
    verb = tool_name(name).verb

    assert verb
    assert (verb.base, verb.kind) == (base, kind)


def test_words_that_only_begin_like_a_action_are_none() -> None:
    names = (
        "address deletelater dropdown dropzone droplet dropbox wipeout terminator delimiter "
        "formatdate formatfile removebackground closecaption killswitch rmtree listremove "
        "deletables purgatory cancellation dropshipping"
    )
    assert [name for name in names.split() if tool_name(name).verb] == []


def test_words_are_found_in_any_notation() -> None:
    assert words_of("refundAmount") == words_of("refund_amount") == ("refund", "amount")
    assert words_of("HTTPSend") == ("http", "send")


@pytest.mark.parametrize(
    ("arguments", "value", "currency"),
    [
        ({"amountUsd": 5000}, "5000", "USD"),
        ({"sum": "1.450,00 EUR"}, "1450.00", "EUR"),
        ({"total_cost": "two thousand dollars"}, "2000", "USD"),
        ({"fee": {"value": "25k", "currency": "GBP"}}, "25000", "GBP"),
        ({"refundAmount": {"minor_units": 250000, "currency": "EUR"}}, "2500", "EUR"),
        ({"items": [{"price": 10, "quantity": 3}, {"price": 5, "qty": 2}]}, "40", ""),
        ({"pair": "BTC/USD", "quantity": "0.5"}, "0.5", "BTC"),
        ({"price": 5, "7": "pens", "qty": 2}, "10", ""),
        ({"body": '{"amount": 7, "currency": "USD"}'}, "7", "USD"),
        ({"sell_token": "USDC", "sell_amount": "5", "buy_token": "ETH"}, "5", "USDC"),
        ({"total": "12'500.00 CHF"}, "12500.00", "CHF"),
        ({"total": "1.25e5 EUR"}, "125000", "EUR"),
        ({"amount_minor": 200000, "currency": "JPY"}, "200000", "JPY"),
        ({"amount": 5 * 10**17, "currency": "ETH"}, "0.5", "ETH"),
        ({"body": "<a>\n<amount>5</amount>\n<currency>USD</currency>\n</a>"}, "5", "USD"),
        ({"body": "<amount>5</amount><currency>USD</currency>"}, "5", "USD"),
        ({"order": "Payment:\namount: 5\ncurrency: USD"}, "5", "USD"),
        ({"order": "item: pen\nprice: 9\nitem: desk\nprice: 95"}, "104", ""),
    ],
)
def test_sums_are_found_in_any_dress(arguments: dict[str, Any], value: str, currency: str) -> None:
    sums = {(one.value, one.currency) for one in payload(arguments).amounts}

    assert (Decimal(value), currency) in sums


def test_a_quantity_that_is_no_number_and_a_share_that_is_none_change_nothing() -> None:
    found = payload({"price": 5, "quantity": "many", "share": "abc%"})

    assert found.amounts[0].value == Decimal(5)
    assert found.percents == ()


@pytest.mark.parametrize(
    "arguments",
    [{"quantity": 5000}, {"payment_method": 5}, {"max_price": 9000}, {"fee_id": 9000}, {"": 5000}],
)
def test_other_numbers_are_no_sums(arguments: dict[str, Any]) -> None:
    assert payload(arguments).amounts == ()


@pytest.mark.parametrize(
    "arguments",
    [
        {"filter": {}},
        {"where": ""},
        {"ids": "*"},
        {"users": "All"},
        {"match_all": True},
        {"query": []},
    ],
)
def test_everything_is_selected(arguments: dict[str, Any]) -> None:
    assert payload(arguments).everything


@pytest.mark.parametrize(
    "arguments", [{"filter": {"id": 1}}, {"ids": "7"}, {"note": ""}, {"all": False}]
)
def test_something_is_selected(arguments: dict[str, Any]) -> None:
    assert not payload(arguments).everything


def test_a_read_that_selects_everything_asks_nobody() -> None:
    read = a_tool(level=1)

    assert judged(an_action("things.touch", filter={}), tool=read).level is RiskLevel.LOW


def test_risky_words_in_a_read_are_only_remarked_on() -> None:
    read = a_tool(level=1)

    assert (
        judged(an_action("mail.find", text="wipe everything"), tool=read).level is RiskLevel.MEDIUM
    )


DRY = {"amount": 9000, "dry_run": True}
ASKS = {"action": "list", "limit": 5000}
SENT = {"method": "GET", "url": "https://a.example/x", "limit": 5000}
WITHIN = {"calls": [{"tool": "list_orders", "args": {"limit": 5000}}]}


@pytest.mark.parametrize("arguments", [DRY, ASKS, SENT, WITHIN])
def test_only_what_the_tool_knows_makes_a_call_harmless(arguments: dict[str, Any]) -> None:
    known = structs.replace(a_tool(level=2), schema={"properties": {key: {} for key in arguments}})
    unknown = structs.replace(a_tool(level=2), schema={"properties": {"amount": {}, "limit": {}}})
    action = an_action("things.touch", **arguments)

    assert judged(action, tool=known).level < RiskLevel.HIGH
    assert judged(action, tool=unknown).level is RiskLevel.HIGH


SMALL = [
    {"decimals": 5},
    {"unit": "cents"},
    {"currency": "IDR"},
    {"url": "https://api.stripe.com/v1/payouts"},
    {"quantity": 0.0001},
]


@pytest.mark.parametrize("said", SMALL)
def test_only_what_the_tool_knows_makes_a_sum_small(said: dict[str, Any]) -> None:
    price = {"unit_price": 50000} if "quantity" in said else {"amount": 50000}
    known = structs.replace(
        a_tool(level=2), schema={"properties": {key: {} for key in price | said}}
    )
    unknown = structs.replace(a_tool(level=2), schema={"properties": {key: {} for key in price}})
    inside = structs.replace(
        a_tool(level=2), schema={"properties": {"payment": unknown.schema, "legs": {}}}
    )
    action = an_action("things.pay", **price | said)

    assert judged(action, tool=known).level < RiskLevel.HIGH
    assert judged(action, tool=unknown).level is RiskLevel.HIGH
    assert judged(an_action("things.pay", payment=price | said), tool=inside).level is (
        RiskLevel.HIGH
    )


def test_a_harmless_call_within_hides_nothing_beside_it() -> None:
    beside = an_action("things.touch", amount="9000", more={"name": "get", "input": {}})
    known = structs.replace(a_tool(level=2), schema={"properties": {"amount": {}, "more": {}}})

    assert judged(beside, tool=known).level is RiskLevel.HIGH


def test_a_program_in_a_read_counts_all_the_same() -> None:
    read = a_tool(level=1)

    assert judged(an_action("db.look", sql="DELETE FROM users"), tool=read).level is RiskLevel.HIGH


def test_what_another_agent_is_told_is_read_like_a_sentence() -> None:
    assert (
        judged(an_action("agents.start", task="Delete all user accounts")).level >= RiskLevel.HIGH
    )


def test_a_payload_too_large_to_walk_goes_up() -> None:
    found = judged(an_action(values=list(range(MAX_VALUES + 5))))

    assert found.level >= RiskLevel.HIGH


def test_more_sums_than_are_read_go_up() -> None:
    few = payload({f"amount_{number}": 1 for number in range(MAX_SUMS)})
    many = payload({f"amount_{number}": 1 for number in range(MAX_SUMS + 1)})

    assert (few.whole, many.whole) == (True, False)


def test_the_marks_of_a_long_list_are_counted() -> None:
    found = payload({"to": "a@b.example," * (MAX_LIST // 4)})

    assert max(tally.records for tally in found.tallies) > MAX_LIST // 4 - 2


def test_forms_in_forms_without_end_go_up() -> None:
    found = judged(an_action(link="a=" * 20_000))

    assert found.level >= RiskLevel.HIGH


def test_a_text_that_only_looks_like_json_stays_a_text() -> None:
    assert payload({"a": "{broken", "b": "[" * 2000}).text.startswith("{broken")


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=20,
)


@settings(deadline=None, derandomize=True, max_examples=150)
@given(
    st.text(max_size=30),
    st.dictionaries(
        st.sampled_from(["amount", "sql", "command", "to", "where", "code", "x"]), values
    ),
)
def test_no_call_makes_it_stumble(tool: str, arguments: dict[str, Any]) -> None:
    assert isinstance(call(tool, arguments), Assessment)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(
    st.sampled_from(calls("asks", "basics")),
    st.dictionaries(st.text(min_size=1, max_size=6), values, max_size=3),
)
def test_more_arguments_never_lower_it(case: Call, more: dict[str, Any]) -> None:
    tool, arguments = case

    assert call(tool, more | arguments).level >= call(tool, arguments).level


@pytest.mark.parametrize(
    "said",
    ["Infinity", "inf", "-inf", "NaN", "lots", "max", "", "9e999", True, None, []],
)
@pytest.mark.parametrize("tool", ["pay_invoice", "send_money", "payments.create", "transfer_funds"])
def test_a_payment_of_nobody_knows_how_much_asks(tool: str, said: Any) -> None:
    found = call(tool, {"to": "acme", "amount": said})

    assert found.level >= RiskLevel.HIGH
    assert any("an amount not stated" in signal.reason for signal in found.signals)


@pytest.mark.parametrize(
    "tool", ["pay_invoice", "create_refund", "process_payment", "send_money", "issue_refund"]
)
def test_a_payment_that_says_no_sum_asks(tool: str) -> None:
    assert call(tool, {"to": "acme", "payment_intent": "pi_3N"}).level >= RiskLevel.HIGH
    assert call(tool, {"to": "acme", "amount": 12}).level < RiskLevel.HIGH


@pytest.mark.parametrize(
    "tool",
    ["refund_status", "request_refund", "add_payment_method", "list_payments", "calc_payment"],
)
def test_what_pays_nothing_need_not_say_a_sum(tool: str) -> None:
    assert call(tool, {"order": "acme"}).level < RiskLevel.HIGH


def test_cents_are_counted_as_cents_once() -> None:
    refund = {"amount": 189900, "currency": "usd", "unit": "cents"}

    assert call("stripe_refund", refund).amount == {"value": "1899.00", "currency": "USD"}
    assert call("stripe_refund", {"amount_cents": 189900, "currency": "usd"}).amount == {
        "value": "1899.00",
        "currency": "USD",
    }


@pytest.mark.parametrize("key", ["value", "val", "sum", "amt", "n", "figure"])
def test_a_bare_number_is_what_a_payment_pays(key: str) -> None:
    assert call("pay_invoice", {key: 5000}).level >= RiskLevel.HIGH
    assert call("pay_invoice", {key: "5000"}).level >= RiskLevel.HIGH
    assert call("pay_invoice", {key: 50}).level < RiskLevel.HIGH
    assert call("pay_invoice", {key: True}).level >= RiskLevel.HIGH


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("create_note", {"amount": "lots"}),
        ("get_payment", {"amount": "lots"}),
        ("add_payment_method", {"value": "visa"}),
        ("pay_invoice", {"amount": "80", "value": 20260101}),
        ("pay_invoice", {"amount": "eighty", "max_amount": None}),
        ("pay_invoice", {"invoice_number": 5000, "amount": 12}),
    ],
)
def test_words_for_a_sum_matter_only_where_it_is_paid(tool: str, arguments: dict[str, Any]) -> None:
    assert call(tool, arguments).level < RiskLevel.HIGH


@pytest.mark.parametrize(("cents", "asks"), [("9000000", True), ("9000", False)])
def test_a_form_to_stripe_is_read_in_cents(cents: str, asks: bool) -> None:  # a case
    sent = {"method": "POST", "body": f"amount={cents}&charge=ch_1"}
    found = call("http_request", sent | {"url": "https://api.stripe.com/v1/refunds"})

    assert (found.level >= RiskLevel.HIGH) is asks
    assert call("http_request", sent | {"path": "/v1/refunds"}).level >= RiskLevel.HIGH


def test_chinese_figures_are_not_read_so_they_count_as_large() -> None:
    found = read_sum("三万五千元")

    assert found is not None
    assert (found.value, found.currency) == (None, "CNY")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$ 4 900.00", "4900.00"),
        ("4 900,00 EUR", "4900.00"),
        ("1 234 567.89 SEK", "1234567.89"),
        ("1 234 567 SEK", "1234567"),
        ("4 of 900.00", "4"),
    ],
)
def test_blanks_may_part_the_thousands(text: str, value: str) -> None:
    found = read_sum(text)

    assert found is not None
    assert found.value == Decimal(value)
