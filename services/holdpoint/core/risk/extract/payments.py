"""Payments: sums that a call is told to pay, and those that it sets: limits, balances, wages."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec
import re2

from holdpoint.core.memoize import memoize
from holdpoint.core.prefilter import prefilter
from holdpoint.core.risk.extract.amounts import kind_of
from holdpoint.core.risk.extract.counts import MAX_BESIDE, beside, number_in
from holdpoint.core.risk.extract.currencies import Paid, currency_of, in_cents
from holdpoint.core.risk.extract.money import (
    CODE,
    MAX_SUM,
    Money,
    currency_named,
    decimal_of,
    priced,
    read_sum,
)
from holdpoint.core.risk.extract.payload import MAX_VALUES, Leaf, paired, words_of
from holdpoint.core.risk.knowledge import any_of, by_word, entry, words
from holdpoint.core.risk.tools.names import Name, tool_name
from holdpoint.core.risk.wording import Kind
from holdpoint.core.risk.words import PROSE_KEYS, word_set
from holdpoint.core.text import whole_characters

Objects = tuple[Mapping[str, Any], ...]
UNKNOWN = Money(value=None, currency="")


def told_to_pay(
    tool: str, objects: Objects, known: tuple[Money, ...], paid: Paid
) -> Iterator[Money]:
    """Sums that it sets, those that cannot be read, and bare numbers where no other is known."""
    does = _does(tool)
    found = list(_told(objects, known, paid)) if does.pays else []
    yield from found
    yield from _set(does.sets, objects) if does.sets else ()
    if _says_how_much(known, found, objects) if does.must_say else (found or known):
        return
    prose = list(_in_prose(objects)) if does.moves_money else []
    yield from prose
    if (does.must_say and not prose) or (does.trades and any(map(_at_any_price, objects))):
        yield UNKNOWN


def _says_how_much(known: tuple[Money, ...], found: list[Money], objects: Objects) -> bool:
    """Return whether a sum is stated, other than a bare nought or a document's number."""
    stated = known or any(money.currency or money.value != 0 for money in found)
    return bool(stated) and not _only_names_it(objects)


def _only_names_it(objects: Objects) -> bool:
    """Return whether the one sum there is may be the document's number: `{"invoice": "INV-7"}`."""
    entries = ((str(key), value) for one in objects for key, value in one.items())
    sums = [(key, value) for key, value in islice(entries, MAX_VALUES) if kind_of(key)[0]]
    return len(sums) == 1 and any(
        key.lower() in _DOCUMENTS and not currency_named(str(value)[:MAX_SUM])
        for key, value in sums
    )


_DOCUMENTS = words("words/money:payments.documents")


def commits(tool: str) -> bool:
    """Return whether a tool's name says that it moves money or binds somebody: level 4 at least."""
    name, does = tool_name(tool), _does(tool)
    if name.reads or name.tells:
        return False
    things = _COMMITS.get(name.words[0] if name.words else "")
    binds = things is not None and (not things or not things.isdisjoint(name.words[1:]))
    return does.moves_money or does.must_say or binds


_COMMITS = {verb: word_set(things) for verb, things in by_word("words/money:commits").items()}


class _SetSum(msgspec.Struct, frozen=True, kw_only=True):
    """Keys under which a tool with such a name sets a sum; `data/words/money.toml` has them."""

    name: tuple[frozenset[str], ...]
    key: tuple[frozenset[str], ...]
    key_not: frozenset[str]
    name_not: frozenset[str] = frozenset()
    key_only: bool = False
    beside: frozenset[str] = frozenset()
    raised: bool = False

    def is_key(self, key: tuple[str, ...]) -> bool:
        """Return whether a sum under a key with these words is set."""
        if not self.key_not.isdisjoint(key) or any(map(frozenset(key).isdisjoint, self.key)):
            return False
        return not self.key_only or self.key[0].issuperset(key)


def _set_sums() -> Iterator[_SetSum]:
    lists = {name: word_set(text) for name, text in entry("words/money:set_sums.words").items()}
    for row in entry("words/money:set_sums.sum"):
        yield _SetSum(
            name=tuple(lists[one] for one in row["name"]),
            name_not=lists[row["name_not"]] if "name_not" in row else frozenset(),
            key=tuple(lists[one] for one in row["key"]),
            key_not=lists[row["key_not"]] | _OLD,
            key_only=row.get("key_only", False),
            beside=lists[row["beside"]] if "beside" in row else frozenset(),
            raised=row.get("raised", False),
        )


_OLD = word_set("previous old current before from existing")
_SET_SUMS = tuple(_set_sums())
_NO_END = frozenset({"unlimited", "infinite", "infinity", "no limit", "none", "no_limit"})
MAX_SET = 16
"""Sums set in one payload that are read: more of them nobody sets at once."""


def _set(rows: tuple[_SetSum, ...], objects: Objects) -> Iterator[Money]:
    """Each that is set; unknown where there are too many."""
    found = (money for one in objects for money in _set_in(rows, one))
    yield from islice(found, MAX_SET)
    if next(found, None):
        yield UNKNOWN


def _set_in(rows: tuple[_SetSum, ...], held: Mapping[str, Any]) -> Iterator[Money]:
    near = [words_of(str(key)) for key in islice(held, MAX_VALUES)]
    rows = tuple(row for row in rows if not row.beside or not all(map(row.beside.isdisjoint, near)))
    for (key, value), said in zip(held.items(), near, strict=False):
        row = next((row for row in rows if row.is_key(said)), None)
        money = _priced(str(key), value, held) if row else None
        if row is None or money is None or (row.raised and _is_lowered(money, held)):
            continue
        emptied = "balance" in said and value == 0
        yield Money(value=None, currency=money.currency) if emptied else money


def _is_lowered(money: Money, held: Mapping[str, Any]) -> bool:
    """Return whether what it was before stands beside it, and was no less."""
    old = [
        _priced(str(key), value, held)
        for key, value in islice(held.items(), MAX_BESIDE)
        if not _OLD.isdisjoint(words_of(str(key)))
    ]
    return any(one and one.value and money.value and one.value >= money.value for one in old)


def _priced(key: str, value: Any, held: Mapping[str, Any]) -> Money | None:
    if not isinstance(value, int | float | str) or isinstance(value, bool):
        return None
    if isinstance(value, str) and value.strip().lower() in _NO_END:
        return UNKNOWN
    return priced(value, currency_of(Leaf(f"/{key}", key, value, held, {}, words_of(key)), held))


class _StatedAction(msgspec.Struct, frozen=True, kw_only=True):
    """What a tool does with money, by its name."""

    pays: bool
    moves_money: bool
    """Whether it pays, and what it transfers is no file or call."""

    must_say: bool
    """True where money leaves by it, so that somebody must know how much."""

    trades: bool
    sets: tuple[_SetSum, ...]


@memoize(1024)
def _does(tool: str) -> _StatedAction:
    name = tool_name(tool)
    said = frozenset(words_of(tool))
    pays = not name.reads and not name.tells and _pays(name)
    base = name.verb.base if name.verb else ""
    moves_money = pays and (base not in _TRANSFERS or not _MONEY.isdisjoint(name.words))
    hands_out = (_makes_payment(name) or base in _HANDS_OUT) and _ASKS.isdisjoint(name.words)
    orders = base == "purchase" and not _ORDERS.isdisjoint(name.words)
    let_go = any(not said.isdisjoint(_LETS_GO.get(word, ())) for word in said)
    return _StatedAction(
        pays=pays,
        moves_money=moves_money,
        must_say=(moves_money and hands_out and not orders) or (let_go and said <= _SAID_OF_IT),
        trades=not (_TRADES.isdisjoint(said) or name.reads),
        sets=()
        if name.reads
        else tuple(
            row
            for row in _SET_SUMS
            if not any(map(said.isdisjoint, row.name)) and row.name_not.isdisjoint(said)
        ),
    )


_TRANSFERS = word_set("transfer exchange trade")
_MONEY = word_set("funds money payment wire bank cash")
_HANDS_OUT = words("words/money:payments.hands_out")
_ASKS = word_set("request attention intent")
"""Beside these nothing is paid yet."""

_ORDERS = word_set("order orders")

_LETS_GO = {verb: word_set(gone) for verb, gone in by_word("words/money:payments.lets_go").items()}
_SAID_OF_IT = words("words/money:payments.said_of_it").union(_LETS_GO, *_LETS_GO.values())
"""Words beside which it is still money: no transfer of a file or of a patient."""


def _pays(name: Name) -> bool:
    """`pay_invoice`, `send_money`, `process_payment`; not `add_payment_method`."""
    tops_up = name.words[:1] == ("topup",) or name.words[:2] == ("top", "up")
    checks_out = "checkout" in name.words and not _VERSIONED.isdisjoint(name.words)
    paying = name.verb is not None and name.verb.kind is Kind.PAYMENT and not checks_out
    return tops_up or paying or _makes_payment(name)


_VERSIONED = words("words/money:checkouts.versioned")


def _makes_payment(name: Name) -> bool:
    """Return whether the thing that it makes or processes is a payment."""
    base = name.verb.base if name.verb else _processed(name.words)
    makes = name.verb is None or name.verb.kind is Kind.CREATE
    things = [word for word in name.words if word != base and word not in _EDITIONS]
    return makes and base != "" and bool(things) and things[-1] in _PAID


_EDITIONS = words("words/money:payments.editions")
"""Words behind a name that say nothing of what it does: `create_refund_v2`."""


def _processed(words: tuple[str, ...]) -> str:
    """`issue` is a verb where it comes first, and where a cheque is issued."""
    if "issue" in words and (words[0] == "issue" or not _CHEQUES.isdisjoint(words)):
        return "issue"
    return next(iter(_PROCESSES.intersection(words)), "")


_PAID = words("words/money:payments.paid")
_CHEQUES = word_set("cheque cheques")
_PROCESSES = word_set("process execute perform run complete capture")


def _at_any_price(order: Mapping[str, Any]) -> bool:
    """Return whether several pieces, or all, are bought or sold at what the market asks."""
    pieces = [value for words, value in beside(order) if words[-1] in _PIECES]
    if any(map(_is_all, pieces)):
        return True
    if all(str(order.get(key, "")).lower() != "market" for key in _ORDER_TYPES):
        return False
    return any((number_in(value) or 0) > 1 for value in pieces)


def _is_all(value: Any) -> bool:
    said = value.strip().lower() if isinstance(value, str) else ""
    return said in _ALL or said.startswith(("entire ", "whole ", "all "))


_ALL = word_set("all max everything entire 100%")
_ORDER_TYPES = ("order_type", "orderType", "ordType", "type", "kind")
_TRADES = word_set("buy sell order orders trade trades short options option futures")
_PIECES = word_set("quantity qty shares contracts units lots size")


def _told(objects: Objects, known: tuple[Money, ...], paid: Paid) -> Iterator[Money]:
    """Sums that nobody can read, and bare numbers of a tool that pays."""
    for one in objects:
        for key, value in islice(one.items(), MAX_VALUES):
            words = words_of(str(key))
            if words == ("value",) and paired(one)[0]:
                continue  # what its name says is read where the names are keys
            amount = words[-1:] != () and words[-1] in _AMOUNTS and _BOUNDS.isdisjoint(words)
            if amount and _is_blurred(value):
                yield UNKNOWN
            elif not known and len(words) == 1 and words[0] in _BARE:
                yield from _bare(value, one, paid)


_AMOUNTS = words("words/money:payments.amounts")
_BOUNDS = words("words/money:payments.bounds")
_BARE = words("words/money:payments.bare")


def _is_blurred(value: Any) -> bool:
    """Nothing at all, or a text in which no number is found."""
    if not isinstance(value, str):
        return value is None or value in ({}, [])
    if value.strip().lower().lstrip("+-") in _NO_NUMBER or len(value) > MAX_SUM:
        return True
    return value[:2].lower() != "0x" and value[:1] not in {"{", "["} and read_sum(value) is None


_NO_NUMBER = word_set("inf infinity nan")


def _in_prose(objects: Objects) -> Iterator[Money]:
    """Sums with their currency in the words that say what is to be paid."""
    for one in objects:
        for key, value in islice(one.items(), MAX_VALUES):
            said = isinstance(value, str) and len(value) <= MAX_PROSE and str(key).lower() in _PROSE
            text = whole_characters(value) if said else ""
            found = map(read_sum, _sum.findall(text)) if _orders(text) else ()
            yield from (Money(value=one.value, currency=one.currency) for one in found if one)


MAX_PROSE = 2_000
_PROSE = PROSE_KEYS | word_set("details memo instruction instructions purpose request prompt input")
_sum = re2.compile(rf"{CODE} ?\d[\d.,']*(?: ?[kKmM]\b)?|\d[\d.,']*(?: ?[kKmM])? ?{CODE}")
PAYS = rf"(?i)\b(?:{any_of('words/money:orders.verbs')})\b"
"""A pattern of the verbs by which a text orders a payment."""

_orders = prefilter(PAYS)


def _bare(value: Any, holder: Mapping[str, Any], paid: Paid) -> Iterator[Money]:
    size = decimal_of(value)
    if size is not None:
        yield in_cents(Money(value=size, currency=""), value, holder, paid)
    elif isinstance(value, str) and len(value) <= MAX_SUM and (said := read_sum(value)):
        yield from [Money(value=said.value, currency=said.currency)] if said.currency else []
