"""Amounts of money as texts write them, and their worth by policy."""

from decimal import Context, Decimal
from itertools import takewhile
from types import MappingProxyType
from typing import Any

import msgspec
import re2

from holdpoint.core.memoize import memoize
from holdpoint.core.risk.extract.numbers import is_pointed, number_at
from holdpoint.core.risk.knowledge import any_of, by_word, data_file
from holdpoint.core.risk.words import word_set
from holdpoint.core.text import fold, whole_characters
from holdpoint.messages.base import JsonObject
from holdpoint.messages.policy import Thresholds

_exact = Context(prec=80)
"""Enough digits that no product below is ever rounded."""

_plain = re2.compile(r"[+-]?(?:\d{1,3}(?:,\d{3}){1,9}|\d{1,36})(?:\.\d{1,18})?")


def _called(field: str) -> dict[str, str]:
    """The codes of currencies by their names or signs."""
    known = data_file("currencies").items()
    return {name: code for code, row in known for name in row.get(field, "").split()}


SYMBOLS = _called("symbol")
NAMES = _called("names")
_CODES = frozenset(code.lower() for code, row in data_file("currencies").items() if "code" in row)
CRYPTO = ("BTC", "ETH", "SOL", "XRP", "USDT", "USDC", "BNB", "DOGE", "LTC")
"""Coins that a trading pair may begin with."""

CURRENCIES = {**NAMES, **{code: code.upper() for code in _CODES}}
"""What a currency is called in lower case, and its code."""


class Money(msgspec.Struct, frozen=True, kw_only=True):
    """An amount. A value of None stands for one that could not be read: it counts as large."""

    value: Decimal | None
    currency: str

    def as_object(self) -> JsonObject:
        """`{value, currency}`, the value a decimal string."""
        value = "unreadable" if self.value is None else f"{self.value:f}"
        return {"value": value, "currency": self.currency}


def decimal_of(value: object) -> Decimal | None:
    """The size of an amount as given: a number or a decimal string; None when unreadable."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    text = str(value).strip()
    text = text if text.isascii() else fold(text).folded
    return abs(Decimal(text.replace(",", ""))) if _plain.fullmatch(text) else None


def worth(money: Money, thresholds: Thresholds) -> Decimal:
    """Return what it is worth in the policy's currency; infinite when nobody can know."""
    rate = "1" if money.currency == thresholds.currency else thresholds.rates.get(money.currency)
    known = decimal_of(rate)
    if money.value is None or known is None:
        return Decimal("Infinity")
    return _exact.multiply(money.value, known)


def is_large(money: Money, thresholds: Thresholds) -> bool:
    """Strictly above the threshold; an unreadable threshold makes every amount large."""
    limit = decimal_of(thresholds.amount)
    return limit is None or worth(money, thresholds) > limit


CODE = f"(?:{'|'.join(sorted(map(str.upper, CURRENCIES)))}|[{''.join(SYMBOLS)}])"
"""A pattern of the currencies as they are written beside a number."""

MAX_SUM = 60
"""Characters of a text that is an amount with its currency."""

MAX_TOKENS = 12

_LOCAL = MappingProxyType({**CURRENCIES, **_called("local")})
"""What a currency is called where it is paid: too short or too common to mean it in a sentence."""

_SCALE = MappingProxyType(by_word("units:scale"))
_LARGE_WORD = re2.compile(rf"(?:{any_of('units:numbers.large')})e?[ns]?$")
"""How a number in words ends that is a thousand at least, in whatever language."""

_HAN = frozenset("零〇一二三四五六七八九两兩十百千万萬亿億")
"""Chinese figures: what they say is not read, so that it counts as large."""

_token = re2.compile(
    r"[a-z]{0,2}\$|[¥€£₹₿₩₽₺₫฿₴₦₱₪৳]|\d[\d.,'_]*(?:e[+-]?\d+)?"
    r"|[零〇一二三四五六七八九两兩十百千万萬亿億]+|[만천억원円元圆块]|[a-zß-öø-ÿāēīłőūżźćńśš]+|\pL+|%"
)
_grouped = re2.compile(r"\d{1,3}(?:['_]\d{3})+(?:\.\d+)?")
_decimal = re2.compile(r"\d+,\d{1,2}|0,\d+")
_in_groups = re2.compile(r"\d+[.,]\d{1,2}")
_scientific = re2.compile(r"\d{1,6}(?:\.\d{1,12})?e[+-]?\d{1,2}")
_indian = re2.compile(r"\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?")
_EVERYTHING = word_set("all everything max maximum full entire total")


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """A sum as a text says it; None for a number that is large or cannot be read."""

    value: Decimal | None
    currency: str = ""


@memoize(4096)
def read_sum(text: str) -> Written | None:
    """Read it; None when it holds no number."""
    text = text if text.isascii() else fold(text).folded
    if _looks_like_figures.search(text[:MAX_SUM].lower()):
        return Written(value=None, currency=currency_named(text))
    words = [word.rstrip(".,'_") for word in _token.findall(text[:MAX_SUM].lower())]
    words = [word for word in words if word][:MAX_TOKENS]
    currency = next((code for word in words if (code := _currency_of(word))), "")
    if words in (["100", "%"], *([one] for one in _EVERYTHING)):
        return Written(value=None, currency=currency)
    value = _value(words)
    large = any(_LARGE_WORD.search(word) or word[0] in _HAN for word in words)
    if value is None and not large:
        return None
    return Written(value=value, currency=currency)


_looks_like_figures = re2.compile(
    r"(?:^|[^\pL\d.,])(?:\d[\d.,]*l?o[\dol.,]*|[ol][ol.,]*\d[\dol.,]*|\d[\d.,]*l[.,]*\d[\dol.,]*)(?:[^\pL\d]|$)"
)
"""`40OOO`, `l00`: letters in the place of figures; nobody knows what is paid."""


@memoize(256)
def currency_named(text: str) -> str:
    """The code of a currency as a payload names it: `usd`, `US dollars`; empty when it is none."""
    said = whole_characters(text[:MAX_SUM]).lower()
    codes = (_currency_of(word) for word in (said.strip(), *_token.findall(said)) if word)
    return next((code for code in codes if code), "")


def _currency_of(word: str) -> str:
    return (
        SYMBOLS.get(word[-1], "")
        if word[-1] in SYMBOLS and word not in _LOCAL
        else _LOCAL.get(word, "")
    )


def _value(words: list[str]) -> Decimal | None:
    """The first number in it, in figures or in words, with what multiplies it."""
    for place, word in enumerate(words):
        if word[0].isdigit() and _is_strewn(words[place + 1 :]):
            return None
        if word[0].isdigit():
            return _scaled(_figures(word, words[place + 1 :]), words[place + 1 :])
        found = number_at(words, place)
        if found:
            return found.value
    return None


def _figures(word: str, after: list[str]) -> Decimal | None:
    """A word of figures, the groups of three behind it included."""
    if _decimal.fullmatch(word):
        return Decimal(word.replace(",", "."))
    if _indian.fullmatch(word):
        return Decimal(word.replace(",", ""))
    if _grouped.fullmatch(word):
        return decimal_of(word.replace("'", "").replace("_", ""))
    if _scientific.fullmatch(word):
        return Decimal(word)
    groups = [word, *takewhile(_is_group, after)] if len(word) <= len("999") else [word]
    joined = "".join(groups)
    if len(groups) > 1 and _in_groups.fullmatch(joined):  # `12 000,00`, `4 900.00`
        return Decimal(joined.replace(",", "."))
    plain = decimal_of(word) if not is_pointed(word) else None
    found = number_at(
        [word, *takewhile(lambda one: one in _ENGLISH or one not in _SCALE, after)], 0
    )
    return found.value if found and (found.words > 1 or plain is None) else plain


def _is_strewn(after: list[str]) -> bool:
    """`1,0 0 0,000`: blanks where nobody writes them, so that nobody can tell the sum."""
    return not all(map(_is_group, takewhile(lambda word: word[0].isdigit(), after)))


def _is_group(word: str) -> bool:
    return len(word) >= len("000") and word[:3].isdigit()


def _scaled(value: Decimal | None, after: list[str]) -> Decimal | None:
    """Times what stands behind it in a language that `number_at` does not know."""
    size = next((_SCALE[word] for word in after if word in _SCALE), 1) if value is not None else 1
    known = any(word in _ENGLISH for word in after[:2])
    return value if value is None or known else value * size


_ENGLISH = word_set("thousand million billion lakh crore grand hundred")
"""What `number_at` has multiplied already."""


def priced(value: Any, currency: str) -> Money | None:
    """A bare amount, or a text such as `$1,200.00`, `900 EUR`, `two thousand dollars`."""
    if not isinstance(value, str):
        small = isinstance(value, float) and -1 < value < 1
        size = Decimal(str(abs(value))) if small else decimal_of(value)
        return Money(value=size, currency=currency)
    if value[:2].lower() == "0x":
        return Money(value=_hexadecimal(value), currency=currency)
    found = read_sum(value)
    if found is None:
        blurred = not value.strip() or any(char.isdigit() for char in value)
        return Money(value=None, currency=currency) if currency and blurred else None
    return Money(value=found.value, currency=found.currency or currency)


MAX_HEX = 66
"""Characters of a number on a chain."""


def _hexadecimal(text: str) -> Decimal | None:
    """None for what is no number, or longer than any."""
    try:
        return Decimal(int(text, 16)) if len(text) <= MAX_HEX else None
    except ValueError:
        return None
