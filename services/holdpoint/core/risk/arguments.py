"""What a JSON payload says about size: its texts, counts, amounts and shares."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

import msgspec

from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.money import CURRENCIES, SYMBOLS, Money, decimal_of
from holdpoint.core.risk.wording import plural
from holdpoint.messages.base import JsonObject

_COUNTS = word_set(
    "affected batch_size count limit max_results num_records num_results num_rows quantity "
    "records rows total_count"
)
_AMOUNTS = word_set(
    "amount budget cost fee fees money payment payment_amount price sum total transfer_amount value"
)
_AMOUNT_ENDS = ("_amount", "_price", "_cost", "_total")
_SHARES = ("percent", "percentage", "pct")
_CURRENCY_KEYS = ("currency", "currency_code", "asset", "coin")
_ID_ENDS = ("_ids", "_id", "ids")


class Leaf(msgspec.Struct, frozen=True):
    """A value that is no object or list, its key, and its path with `*` for each index."""

    path: str
    key: str
    value: Any
    siblings: Mapping[str, Any]
    """The object that it stands in."""


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """How many things a payload names, and what they are."""

    records: int
    noun: str = ""


class Payload(msgspec.Struct, frozen=True, kw_only=True):
    """A payload, read."""

    text: str
    """Every string in it, one on each line, in order."""

    tallies: tuple[Tally, ...] = ()
    amounts: tuple[Money, ...] = ()
    """An empty currency: none was named."""

    percents: tuple[Decimal, ...] = ()


def payload(arguments: JsonObject) -> Payload:
    """Walk it once; nesting costs no stack."""
    leaves: list[Leaf] = []
    lists: list[tuple[str, int]] = []
    for key, path, value, siblings in _walk(arguments):
        if isinstance(value, list):
            lists.append((key, len(value)))
        else:
            leaves.append(Leaf(path, key, value, siblings))
    return Payload(
        text="\n".join(leaf.value for leaf in leaves if isinstance(leaf.value, str)),
        tallies=(*map(_of_list, lists), *_counted(leaves)),
        amounts=_summed(leaves),
        percents=tuple(_shares(leaves)),
    )


def _walk(root: JsonObject) -> Iterator[tuple[str, str, Any, Mapping[str, Any]]]:
    """Each leaf and each list, in order: key, path, value, the object it stands in."""
    waiting: list[tuple[str, str, Any, Mapping[str, Any]]] = [("", "", root, {})]
    while waiting:
        key, path, value, siblings = waiting.pop()
        if isinstance(value, Mapping):
            inside = [(name, f"{path}/{name}", part, value) for name, part in value.items()]
            waiting.extend(reversed(inside))
            continue
        yield key, path, value, siblings
        if isinstance(value, list):
            waiting.extend((key, f"{path}/*", part, siblings) for part in reversed(value))


def _of_list(found: tuple[str, int]) -> Tally:
    key, length = found
    return Tally(records=length, noun=_things(key))


def _things(key: str) -> str:
    """`user_ids` -> `users`: what a list under this key holds."""
    name = key.lower()
    end = next((end for end in _ID_ENDS if name.endswith(end)), "")
    bare = name.removesuffix(end).strip("_")
    return plural(bare) if bare else ""


def _counted(leaves: list[Leaf]) -> Iterator[Tally]:
    for leaf in leaves:
        size = decimal_of(leaf.value) if leaf.key.lower() in _COUNTS else None
        if size is not None:
            yield Tally(records=int(size))


def _summed(leaves: list[Leaf]) -> tuple[Money, ...]:
    """Amounts at one place of a list add up; those at different places are told apart."""
    sums: dict[tuple[str, str], Money] = {}
    for leaf in leaves:
        money = _money(leaf)
        if money:
            place = (leaf.path, money.currency)
            sums[place] = _plus(sums.get(place), money)
    return tuple(sums.values())


def _plus(so_far: Money | None, money: Money) -> Money:
    if so_far is None:
        return money
    if so_far.value is None or money.value is None:
        return Money(value=None, currency=money.currency)
    return Money(value=so_far.value + money.value, currency=money.currency)


def _money(leaf: Leaf) -> Money | None:
    key = leaf.key.lower()
    if leaf.value is None or not (key in _AMOUNTS or key.endswith(_AMOUNT_ENDS)):
        return None
    currency = _currency(leaf.siblings)
    if key == "value" and not currency:
        return None
    return _priced(leaf.value, currency)


def _priced(value: Any, currency: str) -> Money | None:
    """A bare amount, or a text such as `$1,200.00` and `900 EUR`; other words are no amount."""
    if not isinstance(value, str):
        return Money(value=decimal_of(value), currency=currency)
    words = value.strip().lower().split()
    symbol = next((code for sign, code in SYMBOLS.items() if sign in value), "")
    named = next((CURRENCIES[word] for word in words if word in CURRENCIES), "")
    bare = value.translate(_NO_SYMBOLS).split()
    number = next((word for word in bare if word[0].isdigit() or word[0] in "+-"), "")
    if not number and not currency:
        return None
    return Money(value=decimal_of(number), currency=symbol or named or currency)


_NO_SYMBOLS = str.maketrans(dict.fromkeys(SYMBOLS, " "))


def _currency(siblings: Mapping[str, Any]) -> str:
    found = (siblings.get(key) for key in _CURRENCY_KEYS)
    return next((str(code).strip().upper() for code in found if code), "")


def _shares(leaves: list[Leaf]) -> Iterator[Decimal]:
    for leaf in leaves:
        named = leaf.key.lower().endswith(_SHARES)
        written = isinstance(leaf.value, str) and leaf.value.strip().endswith("%")
        text = leaf.value.strip().rstrip("%") if isinstance(leaf.value, str) else leaf.value
        share = decimal_of(text) if named or written else None
        if share is not None:
            yield share
