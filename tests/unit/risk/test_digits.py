"""A number counts in whatever digits it is written."""

import sys
import unicodedata

import pytest
from tests.unit.risk.builders import rules, said

from holdpoint.core.text import fold

FIVE_HUNDRED = "٥٠٠"  # noqa: RUF001  # Arabic, as meant


def test_every_decimal_digit_of_unicode_is_folded() -> None:
    digits = [chr(code) for code in range(sys.maxunicode + 1) if chr(code).isdecimal()]
    folded = fold("".join(digits)).folded

    assert len(digits) > 600
    assert folded == "".join(str(unicodedata.decimal(digit)) for digit in digits)


@pytest.mark.parametrize(
    "written",
    [
        "500",
        FIVE_HUNDRED,
        "\N{EXTENDED ARABIC-INDIC DIGIT FIVE}" + 2 * "\N{EXTENDED ARABIC-INDIC DIGIT ZERO}",
        "\N{DEVANAGARI DIGIT FIVE}" + 2 * "\N{DEVANAGARI DIGIT ZERO}",
        "\N{FULLWIDTH DIGIT FIVE}" + 2 * "\N{FULLWIDTH DIGIT ZERO}",
        "\N{MONGOLIAN DIGIT FIVE}" + 2 * "\N{MONGOLIAN DIGIT ZERO}",
    ],
)
def test_patterns_and_counts_read_the_same_number(written: str) -> None:
    found = said(f"I will delete {written} records")

    assert rules(found) >= {"seed-002.delete-counted", "magnitude.records"}
    assert found.affected == 500


def test_arabic_signs_within_a_number_are_read() -> None:
    records, dollars = "١٬٥٠٠", "$١٠٠٠٫٠١"  # noqa: RUF001  # as meant

    assert said(f"I will delete {records} records").affected == 1500
    assert said(f"I will pay {dollars}.").amount == {"value": "1000.01", "currency": "USD"}


@pytest.mark.parametrize("text", ["delete {} records", "ß\u200b delete {} records"])
def test_places_still_point_to_what_was_written(text: str) -> None:
    folded = fold(text.format(FIVE_HUNDRED))
    at = folded.folded.index("500")

    start, end = folded.span(at, at + 3)

    assert folded.nfkc[start:end] == FIVE_HUNDRED
