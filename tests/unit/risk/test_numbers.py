"""Numbers as people write them: in words, with hyphens, blanks, points and letters."""

from decimal import Decimal

import pytest

from holdpoint.core.risk.extract.numbers import number_at, number_places

WRITTEN = (
    ("twenty-five hundred", 2500),
    ("seventy-five grand", 75_000),
    ("one-hundred-and-twenty files", 120),
    ("two lakh rupees", 200_000),
    ("3 crore", 30_000_000),
    ("1 500 euros", 1500),
    ("2 750 000", 2_750_000),
    ("1_500", 1500),
    ("1'500", 1500),
    ("1,2k", 1200),
    ("12 hundred", 1200),
    ("ten k", 10_000),
    ("2.5 mio", 2_500_000),
    ("three and a half k", 3_500),
    ("five lakhs", 500_000),
    ("3 bn", 3_000_000_000),
    ("two thousand million", 2_000_000_000),
    ("a grand and a half", 1_500),
    ("two million and a half", 2_500_000),
    ("five and a half", 5),
    ("tens of thousands", 10_000),
    ("1e6", 1_000_000),
    ("2.5e3", 2_500),
    ("10^4", 10_000),
    ("10**4", 10_000),
    ("half a million", 500_000),
    ("half-million", 500_000),
    ("quarter-billion", 250_000_000),
    ("half-dozen", 6),
    ("half a mil", 500_000),
    ("quarter mil", 250_000),
    ("80 thou", 80_000),
    ("six gross of pens", 864),
    ("12 gross of pens", 1728),
    ("thirty-odd grand", 30_000),
    ("200-odd accounts", 200),
    ("9e99", 10**15),
)


@pytest.mark.parametrize(("text", "value"), WRITTEN)
def test_it_is_read(text: str, value: int) -> None:
    words = text.split()
    found = number_at(words, 0)

    assert found
    assert found.value == Decimal(value)
    assert 0 in number_places(words)


def test_several_hundred_is_more_than_one() -> None:
    found = number_at(["several", "hundred", "files"], 1)

    assert found
    assert found.value == Decimal(300)


@pytest.mark.parametrize(
    "text", ["one-time", "two-factor", "e3", "12 34", "1000 200", "1_50", "12 gross"]
)
def test_what_is_no_such_number_is_read_as_before(text: str) -> None:
    words = text.split()
    found = number_at(words, 0)

    assert found is None or found.words == 1
