"""What a key says that its value is: a sum, a price, coins, a value; by its words alone."""

from holdpoint.core.risk.calls.coins import SIZES
from holdpoint.core.risk.calls.leaf import words_of
from holdpoint.core.risk.calls.times import EACH, PRICED_BY, is_by_thing
from holdpoint.core.risk.calls.units import UNITS
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.money import CURRENCIES
from holdpoint.core.risk.remembered import remembered

_SUMS = words("words/money:keyed.sums")
_PRICES = word_set("price prices denomination")
_RATES = word_set("rate cost fare value charge") | _SUMS
_QUANTITIES = word_set("quantity qty shares units count number_of_units volume")
_LIMITS = word_set("credit spending withdrawal")
_PLAIN_CURRENCIES = words("words/money:keyed.plain_currencies")

VALUES = word_set("value val figure valor")
MEANING = (
    _SUMS
    | _PRICES
    | _QUANTITIES
    | _LIMITS
    | UNITS.keys()
    | _PLAIN_CURRENCIES
    | VALUES
    | {"rate", "size", "sz", "coins", "vol", "per"}
    | PRICED_BY.keys()
)
"""Words of which a key must have one to stand for money."""

NOT_MONEY = words("words/money:keyed.not_money")
TELLING = words("words/money:keyed.telling")
_TOLD = words("words/money:keyed.told")

_TOLD_ABOVE = words("words/money:keyed.told_above")


@remembered(2048)
def kind_of(key: str) -> tuple[str, str]:
    """What a key says its value is: `sum`, `price`, `coins`, `value`; and its currency."""
    words = words_of(key)
    if MEANING.isdisjoint(words) or (words[-1] in NOT_MONEY and "per" not in words):
        return "", ""
    found = set(words)
    if words[0] == "max" and "price" in found:
        return "", ""
    code = next((CURRENCIES[word] for word in words if word in CURRENCIES), "")
    if (
        found & _PRICES
        or found >= {"face", "value"}
        or is_by_thing(words)
        or (found & EACH and found & (_RATES | _PLAIN_CURRENCIES | UNITS.keys()))
    ):
        return "price", code
    if (
        found & UNITS.keys()
        or found >= {"quote", "size"}
        or found & _SUMS
        or (found & _LIMITS and "limit" in found)
        or _in_currency(words)
    ):
        return "sum", code
    if words[-1] in VALUES:
        return "value", code
    return ("coins", code) if words[-1] in _QUANTITIES or words in SIZES else ("", "")


def _in_currency(words: tuple[str, ...]) -> bool:
    """`usd`, `value_eur`; not a price, nor what only tells: `balance_usd`."""
    return words[-1] in _PLAIN_CURRENCIES and TELLING.isdisjoint(words)


@remembered(2048)
def is_told(path: str) -> bool:
    """Whether a sum there is only told: `/filter/min_total`, `/declared_value/amount`."""
    *above, key = path.split("/")
    words = {word for part in above for word in words_of(part)}
    return bool(_TOLD_ABOVE & words) or bool(_TOLD & set(words_of(key)))
