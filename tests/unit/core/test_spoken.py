"""Voices get letters, spaces and four marks; numbers and money are words."""

from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from holdpoint.core.spoken import FORMS, counted, money, number, spoken

MARKS = " .,'-"


def is_spoken(text: str) -> bool:
    return all(it.isalpha() or it in MARKS for it in text)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0, "zero"),
        (19, "nineteen"),
        (99, "ninety-nine"),
        (214, "two hundred and fourteen"),
        (1_002_030, "one million, two thousand and thirty"),
        (-5, "minus five"),
        (Decimal("-2.50"), "minus two point five"),
        (Decimal("1E+3"), "one thousand"),
        (Decimal("NaN"), "an unknown number"),
        (10**31, f"one{' zero' * 31}"),
    ],
)
def test_numbers_are_words(value: int | Decimal, words: str) -> None:
    assert number(value) == words


def test_things_are_counted() -> None:
    assert counted(1, "row", "rows") == "one row"
    assert counted(0, "row", "rows") == "zero rows"


@pytest.mark.parametrize(
    ("value", "currency", "words"),
    [
        ("17500.00", "USD", "seventeen thousand, five hundred dollars"),
        ("-2500.50", "USD", "minus two thousand, five hundred dollars and fifty cents"),
        ("0", "EUR", "zero euro"),
        ("-0.01", "EUR", "minus one cent"),
        ("1.01", "GBP", "one pound sterling and one penny"),
        ("1.005", "USD", "one point zero zero five dollars"),
        ("Infinity", "USD", "an unknown number dollars"),
        ("150.5", "JPY", "one hundred and fifty point five JPY"),
    ],
)
def test_money_is_words(value: str, currency: str, words: str) -> None:
    assert money(Decimal(value), currency) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Total: $17,500.00", "Total, seventeen thousand, five hundred dollars"),
        ("-$3.20 and -5", "minus three dollars and twenty cents and minus five"),
        ("USD 1.00 or 3.50 EUR", "one dollar or three euro and fifty cents"),
        ("12% of 500 rows", "twelve percent of five hundred rows"),
        ("ACC-0042", "ACC zero zero four two"),
        ("JSON in UTF-8.", "JSON in UTF eight."),
        ("Shall I proceed?", "Shall I proceed."),
        ("Nothing is spelled here, it's plain.", "Nothing is spelled here, it's plain."),
        ("Jos\u00e9\u2019s d\u00eda", "Jos\u00e9's d\u00eda"),
        ("one\n\ntwo", "one. two"),
        ("a_b/c", "a b c"),
    ],
)
def test_a_text_is_put_into_words(text: str, words: str) -> None:
    assert spoken(text) == words


@given(st.text(max_size=200))
@example("\u00b2 \u00bd \u2160 \u0663\u0664 \U0001f600 $ - \u2212$1")
@example("9" * 400)
@example("$1.2.3,4,567.8.9e99 USD")
def test_any_text_is_spoken_with_letters_and_four_marks(text: str) -> None:
    assert is_spoken(spoken(text))


@given(
    st.decimals(allow_nan=True, allow_infinity=True),
    st.sampled_from([*FORMS, "JPY", "KWD", "BTC", "X-1"]),
)
@example(Decimal(0), "USD")
@example(Decimal("-0.005"), "USD")
@example(Decimal("1e26"), "AUD")
@example(Decimal("99999999999999999999999999.5"), "AUD")
@example(Decimal("1e28"), "EUR")
@example(Decimal("-99999999999999999999.99"), "GBP")
def test_any_amount_is_spoken_with_letters_and_four_marks(value: Decimal, currency: str) -> None:
    assert is_spoken(money(value, currency))
    assert is_spoken(number(value))
