"""What is read off words, numbers, sums and payloads."""

import sys
from collections import Counter
from decimal import Decimal
from types import FrameType

import pytest
from tests.unit.risk.builders import the_policy

from holdpoint.core.risk.dialogue.announcement import gravest
from holdpoint.core.risk.dialogue.announcement import read_dialogue as announcement
from holdpoint.core.risk.extract.arguments import payload
from holdpoint.core.risk.extract.money import Money, decimal_of, is_large, worth
from holdpoint.core.risk.extract.numbers import HUGE, number_at, written
from holdpoint.core.risk.tools.names import tool_name
from holdpoint.core.risk.wording import Kind, plural
from holdpoint.core.text import fold
from holdpoint.messages.base import JsonObject
from holdpoint.messages.policy import Thresholds
from holdpoint.policy_lab.assess import judged
from holdpoint.policy_lab.cases import Line, LineKind


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("500", 500),
        ("1,000", 1000),
        ("1.5k", 1500),
        ("2m", 2_000_000),
        ("2 million", 2_000_000),
        ("five hundred", 500),
        ("five hundred and twelve", 512),
        ("a hundred", 100),
        ("a dozen", 12),
        ("twenty one", 21),
        ("two million five hundred thousand", 2_500_000),
        ("hundreds of thousands of", 100_000),
        ("a thousand million", 1_000_000_000),
        ("9" * 40, HUGE),
    ],
)
def test_numbers_are_read_as_people_write_them(text: str, value: int) -> None:
    number = number_at(text.split(), 0)

    assert number
    assert number.value == value


@pytest.mark.parametrize(
    "text", ["users", "a user", "and so", "#123", "2024-05-09", "12:30", "3.x"]
)
def test_what_is_no_number_is_none(text: str) -> None:
    assert number_at(text.split(), 0) is None


def test_numbers_without_end_stay_small_work() -> None:
    assert number_at(["5", *["million"] * 10_000], 0)
    assert number_at(["million"] * 10_000, 0)


def test_a_fraction_is_written_exactly() -> None:
    assert written("1,000.01") == Decimal("1000.01")


@pytest.mark.parametrize(
    ("text", "records", "noun"),
    [
        ("i will delete these 500 user accounts", 500, "user_accounts"),
        ("deleting 1,000 of the old log files now", 1000, "log_files"),
        ("1.5k inactive customers will be removed", 1500, "customers"),
        ("purge five hundred sales-order entries", 500, "sales_order_entries"),
        ("remove 1 entry", 1, "entries"),
        ("update 2 of the 500 rows", 500, "rows"),
        ("delete 12 people", 12, "people"),
    ],
)
def test_a_number_and_its_noun_are_the_scope(text: str, records: int, noun: str) -> None:
    action = gravest(announcement(text).actions)

    assert action
    assert (action.records, action.noun) == (records, noun)


@pytest.mark.parametrize(
    "text",
    [
        "delete files older than 30 days",
        "delete it from 789 pine rd",
        "delete the order from 2024",
        "delete 2.5 users",
        "pay 500 dollars",
        "pay usd 500 tomorrow",
        "delete version 3",
    ],
)
def test_other_numbers_count_nothing(text: str) -> None:
    action = gravest(announcement(text).actions)

    assert action
    assert action.records is None


@pytest.mark.parametrize(
    "text",
    ["500 users were deleted", "the update of 500 users", "i deleted 500 users", "500 users"],
)
def test_a_report_announces_nothing(text: str) -> None:
    assert announcement(text).actions == ()


def test_the_gravest_action_decides() -> None:
    action = gravest(announcement("i will list 900 users; then delete 3 files; add 5 rows").actions)

    assert action
    assert (action.verb.base, action.records) == ("delete", 3)


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("pay $1,000.01 now", "1000.01", "USD"),
        ("pay €2 million", "2000000", "EUR"),
        ("transfer 900 eur", "900", "EUR"),
        ("send bob usd 5,000", "5000", "USD"),
        ("buy for five hundred dollars", "500", "USD"),
    ],
)
def test_sums_are_read_with_their_currency(text: str, value: str, currency: str) -> None:
    assert announcement(text).amounts == (Money(value=Decimal(value), currency=currency),)


@pytest.mark.parametrize("text", ["it costs $5000", "pay $", "pay bob"])
def test_no_sum_is_announced(text: str) -> None:
    assert announcement(text).amounts == ()


def test_a_share_needs_a_number() -> None:
    assert announcement("change 5% of it").percents == (Decimal(5),)
    assert announcement("change some % of it, many percent").percents == ()


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("GmailDeleteEmail", Kind.DELETE),
        ("get_deleted_users", Kind.READ),
        ("bank.transfer-funds", Kind.PAYMENT),
        ("things", None),
    ],
)
def test_a_tools_name_says_what_it_does(name: str, kind: Kind | None) -> None:
    verb = tool_name(name).verb

    assert (verb.kind if verb else None) is kind


@pytest.mark.parametrize(
    ("noun", "many"),
    [("user", "users"), ("entry", "entries"), ("key", "keys"), ("box", "boxes"), ("rows", "rows")],
)
def test_nouns_have_plurals(noun: str, many: str) -> None:
    assert plural(noun) == many


def test_lists_counts_and_shares_are_found_anywhere() -> None:
    found = payload(
        {"filter": {"user_ids": [1, 2, 3], "limit": "250"}, "ids": [], "raise_by": "5%"}
    )

    assert {(tally.records, tally.noun) for tally in found.tallies} == {
        (3, "users"),
        (250, ""),
        (0, ""),
    }
    assert found.percents == (Decimal(5),)


def test_amounts_in_a_list_add_up() -> None:
    found = payload({"payments": [{"amount": 999, "currency": "usd"}] * 3})

    assert found.amounts == (Money(value=Decimal(2997), currency="USD"),)


def test_an_unreadable_amount_in_a_list_spoils_the_sum() -> None:
    payments = [{"amount": amount, "currency": "USD"} for amount in (1, "1e999", 2)]

    assert payload({"payments": payments}).amounts == (Money(value=None, currency="USD"),)


@pytest.mark.parametrize(
    ("arguments", "amounts"),
    [
        ({"amount": "900 EUR"}, ((Decimal(900), "EUR"),)),
        ({"price": "€ 12.50"}, ((Decimal("12.50"), "EUR"),)),
        ({"ticket_price": True}, ((None, ""),)),
        ({"amount": "a lot"}, ()),
        ({"amount": "", "currency": "USD"}, ((None, "USD"),)),
        ({"amount": None, "value": 7, "other": 9}, ()),
        ({"value": 7, "asset": "btc"}, ((Decimal(7), "BTC"),)),
    ],
)
def test_amounts_are_read_as_callers_write_them(arguments: JsonObject, amounts: object) -> None:
    assert tuple((one.value, one.currency) for one in payload(arguments).amounts) == amounts


@pytest.mark.parametrize(
    ("value", "size"),
    [(7, 7), (-7, 7), ("1,200.50", "1200.50"), (" 5 ", 5), (True, None), ([], None), ("1e5", None)],
)
def test_a_decimal_is_plain_or_nothing(value: object, size: object) -> None:
    assert decimal_of(value) == (None if size is None else Decimal(str(size)))


def test_money_is_compared_without_rounding() -> None:
    thresholds = Thresholds(rates={"EUR": "1.1", "BAD": "many"})
    hair = Money(value=Decimal("1000.000000000000000001"), currency="USD")

    assert is_large(hair, thresholds)
    assert worth(Money(value=Decimal(10), currency="EUR"), thresholds) == Decimal("11.0")
    assert is_large(Money(value=Decimal(0), currency="BAD"), thresholds)
    assert is_large(Money(value=Decimal(0), currency="USD"), Thresholds(amount="much"))


def test_folding_keeps_places_in_the_normalised_text() -> None:
    text = fold("Straße \u200b\uff24\uff25\uff2c\u200dETE")
    at = text.folded.index("delete")

    assert text.folded == "strasse delete"
    start, end = text.span(at, at + 6)
    assert text.nfkc[start:end] == "DEL\u200dETE"
    assert text.span(3, 3) == (3, 3)


def test_a_call_is_walked_folded_and_tokenized_once() -> None:
    arguments = {f"key{letter}Amount": {"noteText": "late delivery"} for letter in "abc"}
    called: list[tuple[str, object]] = []
    given = {"tool": "orders.note_late", "args": arguments}
    line, policy = Line(id="", kind=LineKind.TOOL_CALL, payload=given), the_policy()

    def profile(frame: FrameType, event: str, _argument: object) -> None:
        name = frame.f_code.co_name
        if event == "call" and name in {"walk", "fold", "words_of"}:
            called.append((name, next(iter(frame.f_locals.values()))))

    sys.setprofile(profile)
    try:
        judged(line, policy)
    finally:
        sys.setprofile(None)

    counts = Counter(name for name, _ in called)
    tokenized = Counter(str(text) for name, text in called if name == "words_of")
    assert (counts["walk"], counts["fold"]) == (1, 1)
    assert {text for text, times in tokenized.items() if times > 1} == set()
