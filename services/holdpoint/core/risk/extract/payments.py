"""Payments: sums that a call is told to pay, limits it sets, balances it only states."""

from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Any

import msgspec
import re2

from holdpoint.core.risk.extract.amounts import priced
from holdpoint.core.risk.extract.counts import MAX_BESIDE, beside, number_in
from holdpoint.core.risk.extract.currencies import Paid, currency_of, in_cents
from holdpoint.core.risk.extract.money import CURRENCIES, MAX_SUM, Money, decimal_of, read_sum
from holdpoint.core.risk.extract.payload import MAX_VALUES, Leaf, paired, words_of
from holdpoint.core.risk.glance import glance
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.lexicon import PROSE_KEYS, word_set
from holdpoint.core.risk.remembered import remembered
from holdpoint.core.risk.text import whole_characters
from holdpoint.core.risk.tools.names import Name, tool_name
from holdpoint.core.risk.wording import Kind

MAX_CEILINGS = 16
"""Ceilings in one payload that are read: more of them nobody sets at once."""

_SETS = words("words/money:ceilings.sets")
_CEILINGS = word_set("limit limits cap ceiling")
_BIDS = word_set("bid bids autobid")
_LIMITS = _SETS | _BIDS
_MOST = word_set("max maximum limit ceiling")
"""What a bid goes up to, if it must."""

_NO_END = frozenset({"unlimited", "infinite", "infinity", "no limit", "none", "no_limit"})
_SPENT = words("words/money:ceilings.spent")
_ASKED_FOR = word_set("approve approval approvals approved authorize authorise authorization")
_BEYOND = word_set("below under above over threshold limit")
_BOUNDS = _CEILINGS | _BEYOND
_OLD = word_set("previous old current before from existing")
_NO_SUM = words("words/money:ceilings.no_sum")


_Ceiling = tuple[str, Any, Mapping[str, Any]]
"""A key, its value, and the object that they stand in."""


def ceilings(tool: str, objects: tuple[Mapping[str, Any], ...]) -> Iterator[Money]:
    """Each that is set, but not where it is lowered; unknown where there are too many."""
    name = tool_name(tool)
    named = frozenset(name.words)
    if name.reads or _LIMITS.isdisjoint(named):
        return
    found = chain(_bid(named, objects), _set(named, objects))
    for key, value, siblings in islice(found, MAX_CEILINGS):
        money = _priced(key, value, siblings)
        if money and not _is_lowered(money, siblings):
            yield money
    if next(found, None):
        yield Money(value=None, currency="")


def _set(named: frozenset[str], objects: tuple[Mapping[str, Any], ...]) -> Iterator[_Ceiling]:
    if not _SETS.isdisjoint(named):
        about = not _SPENT.isdisjoint(named) and not _CEILINGS.isdisjoint(named)
        yield from _found(objects, about=about)


def _bid(named: frozenset[str], objects: tuple[Mapping[str, Any], ...]) -> Iterator[_Ceiling]:
    """`bid {"max": 25000}`: what may be paid for it."""
    for one in objects if not _BIDS.isdisjoint(named) else ():
        for key, value in islice(one.items(), MAX_VALUES):
            if _MOST.issuperset(words_of(str(key))) and not isinstance(value, dict | list | None):
                yield str(key), value, one


def _found(objects: tuple[Mapping[str, Any], ...], *, about: bool) -> Iterator[_Ceiling]:
    for one in objects:
        for key, value in islice(one.items(), MAX_VALUES):
            words = words_of(str(key))
            if not _BOUNDS.isdisjoint(words) and _is_ceiling(words, value, about=about):
                yield str(key), value, one


def _is_ceiling(words: tuple[str, ...], value: Any, *, about: bool) -> bool:
    if value is None or isinstance(value, bool | dict | list):
        return False
    if not (_OLD | _NO_SUM).isdisjoint(words):
        return False
    unasked = not _ASKED_FOR.isdisjoint(words)
    about = about or not _SPENT.isdisjoint(words)
    return unasked or (about and not _CEILINGS.isdisjoint(words))


def _is_lowered(money: Money, beside: Mapping[str, Any]) -> bool:
    """Whether what it was before stands beside it, and was no less."""
    old = (
        (str(key), value)
        for key, value in islice(beside.items(), MAX_BESIDE)
        if not _OLD.isdisjoint(words_of(str(key)))
    )
    before = [_priced(key, value, beside) for key, value in old]
    return any(one and one.value and money.value and one.value >= money.value for one in before)


def _priced(key: str, value: Any, beside: Mapping[str, Any]) -> Money | None:
    if not isinstance(value, int | float | str) or isinstance(value, bool):
        return None
    if isinstance(value, str) and value.strip().lower() in _NO_END:
        return Money(value=None, currency="")
    return priced(value, currency_of(Leaf(f"/{key}", key, value, beside), beside))


_BALANCES_SETS = words("words/money:balances.sets")
_ABOUT = word_set("balance balances")
_OTHERS = words("words/money:balances.others")
_MOVED = word_set("delta adjustment change by balance difference")
_BALANCES_OLD = word_set("previous old current before from existing reason type id currency")
_WHOSE = word_set("account user customer wallet card member client userid accountid")


def balances(named: frozenset[str], objects: tuple[Mapping[str, Any], ...]) -> Iterator[Money]:
    """Each sum; one that is set to nothing takes away what nobody stated."""
    if (
        _ABOUT.isdisjoint(named)
        or _BALANCES_SETS.isdisjoint(named)
        or not _OTHERS.isdisjoint(named)
    ):
        return
    for one in objects:
        whose = any(not _WHOSE.isdisjoint(words_of(str(key))) for key in islice(one, MAX_BESIDE))
        for key, value in islice(one.items(), MAX_BESIDE) if whose else ():
            if money := _moved(str(key), value, one):
                yield money


def _moved(key: str, value: Any, beside: Mapping[str, Any]) -> Money | None:
    words = words_of(key)
    if _MOVED.isdisjoint(words) or not _BALANCES_OLD.isdisjoint(words):
        return None
    if not isinstance(value, int | float | str) or isinstance(value, bool):
        return None
    currency = currency_of(Leaf(f"/{key}", key, value, beside), beside)
    if value == 0 and "balance" in words:
        return Money(value=None, currency=currency)
    return priced(value, currency)


_AMOUNTS = words("words/money:payments.amounts")

_PAYING_BOUNDS = words("words/money:payments.bounds")
_BARE = words("words/money:payments.bare")

_PAID = words("words/money:payments.paid")
_NO_NUMBER = word_set("inf infinity nan")


def told_to_pay(
    tool: str, objects: tuple[Mapping[str, Any], ...], known: tuple[Money, ...], paid: Paid
) -> Iterator[Money]:
    """Sums that cannot be read, and bare numbers where no other sum is known."""
    does = _does(tool)
    found = list(_told(objects, known, paid)) if does.pays else []
    yield from found
    yield from ceilings(tool, objects)
    yield from _wages(objects) if does.sets_wages else ()
    if "balance" in tool.lower():
        yield from balances(frozenset(words_of(tool)), objects)
    if found or known:
        return
    yield from _in_prose(objects) if does.moves_money else ()
    if does.must_say or (does.trades and any(map(_at_any_price, objects))):
        yield Money(value=None, currency="")


class _Deed(msgspec.Struct, frozen=True, kw_only=True):
    """What a tool does with money, by its name."""

    pays: bool
    moves_money: bool
    must_say: bool
    """Whether it pays out, or commits for years, so that somebody must know how much."""

    trades: bool
    sets_wages: bool


@remembered(1024)
def _does(tool: str) -> _Deed:
    pays = _pays(tool)
    return _Deed(
        pays=pays,
        moves_money=pays and _about_money(tool),
        must_say=(pays and _must_say(tool)) or _commits(tool) or _lets_go(tool),
        sets_wages=not (_WAGES.isdisjoint(words_of(tool)) or tool_name(tool).reads),
        trades=not (_TRADES.isdisjoint(words_of(tool)) or tool_name(tool).reads),
    )


def _wages(objects: tuple[Mapping[str, Any], ...]) -> Iterator[Money]:
    """`{"employee": 7, "monthly": 48000}`: what somebody gets from now on."""
    for one in objects:
        for key, value in islice(one.items(), MAX_VALUES):
            if str(key).lower() in _EVERY and (size := number_in(value)) is not None:
                yield Money(value=size, currency="")


_WAGES = word_set("salary salaries wage wages compensation stipend")
_EVERY = word_set("monthly annual annually yearly weekly gross net base")


def _in_prose(objects: tuple[Mapping[str, Any], ...]) -> Iterator[Money]:
    """Sums with their currency in the words that say what is to be paid."""
    for one in objects:
        for key, value in islice(one.items(), MAX_VALUES):
            if isinstance(value, str) and len(value) <= MAX_PROSE and str(key).lower() in _PROSE:
                yield from _said_in(whole_characters(value))


def _said_in(text: str) -> Iterator[Money]:
    found = (read_sum(said) for said in _sum.findall(text)) if _orders(text) else ()
    yield from (Money(value=one.value, currency=one.currency) for one in found if one)


def _about_money(tool: str) -> bool:
    """Whether what it transfers is money, and no file or call."""
    name = tool_name(tool)
    moves = name.verb is not None and name.verb.base in {"transfer", "exchange", "trade"}
    return not moves or not _MONEY.isdisjoint(name.words)


_MONEY = word_set("funds money payment wire bank cash")
MAX_PROSE = 2_000
_PROSE = PROSE_KEYS | word_set("details memo instruction instructions purpose request prompt input")
_CODE = f"(?:{'|'.join(sorted(map(str.upper, CURRENCIES)))}|[$€£¥₹])"
_sum = re2.compile(rf"{_CODE} ?\d[\d.,']*(?: ?[kKmM]\b)?|\d[\d.,']*(?: ?[kKmM])? ?{_CODE}")
_orders = glance(
    r"(?i)\b(?:pay|wire|send|transfer|withdraw|remit|refund|buy|charge|donate|deposit|purchase)\b"
)


def _lets_go(tool: str) -> bool:
    """Whether money leaves that others have put together: `approve_wire`, `send_wire`."""
    words = frozenset(words_of(tool))
    return not (_LETS_GO.isdisjoint(words) or _GONE.isdisjoint(words)) and words <= _SAID_OF_IT


_LETS_GO = word_set("approve authorize authorise release send submit confirm execute initiate sign")
_GONE = word_set("wire wires transfer transfers payment payments payout payouts remittance")
_SAID_OF_IT = _LETS_GO | _GONE | words("words/money:payments.said_of_it")
"""Words beside which it is still money: no transfer of a file or of a patient."""


def _commits(tool: str) -> bool:
    """Whether something is bought for years: `purchase_reserved_instances`."""
    name = tool_name(tool)
    buys = name.verb is not None and name.verb.base in _BUYS
    return buys and not _FOR_YEARS.isdisjoint(name.words)


_BUYS = word_set("buy purchase")
_FOR_YEARS = word_set("reserved reservation reservations commitment commitments committed savings")


def _at_any_price(order: Mapping[str, Any]) -> bool:
    """Whether several pieces, or all, are bought or sold at what the market asks."""
    said = {str(order.get(key, "")).lower() for key in _ORDER_TYPES}
    if any(words[-1] in _PIECES and _is_all(value) for words, value in beside(order)):
        return True
    if "market" not in said:
        return False
    many = (number_in(value) for words, value in beside(order) if words[-1] in _PIECES)
    return any(number is not None and number > 1 for number in many)


def _is_all(value: Any) -> bool:
    said = value.strip().lower() if isinstance(value, str) else ""
    return said in _ALL or said.startswith(("entire ", "whole ", "all "))


_ALL = word_set("all max everything entire 100%")
_ORDER_TYPES = ("order_type", "orderType", "ordType", "type", "kind")
_TRADES = word_set("buy sell order orders trade trades short options option futures")
_PIECES = word_set("quantity qty shares contracts units lots size")


def _told(
    objects: tuple[Mapping[str, Any], ...], known: tuple[Money, ...], paid: Paid
) -> Iterator[Money]:
    for one in objects:
        for key, value in islice(one.items(), MAX_VALUES):
            words = words_of(str(key))
            if words == ("value",) and paired(one)[0]:
                continue  # what its name says is read where the names are keys
            if _is_amount(words) and _is_blurred(value):
                yield Money(value=None, currency="")
            elif not known and len(words) == 1 and words[0] in _BARE:
                yield from _bare(value, one, paid)


def _pays(tool: str) -> bool:
    """`pay_invoice`, `send_money`, `process_payment`; not `add_payment_method`."""
    name = tool_name(tool)
    if name.reads or name.tells:
        return False
    return (
        name.words[:1] == ("topup",)
        or name.words[:2] == ("top", "up")
        or _makes_payment(name)
        or (name.verb is not None and name.verb.kind is Kind.PAYMENT)
    )


def _makes_payment(name: Name) -> bool:
    """Whether the thing that it makes or processes is a payment."""
    base = name.verb.base if name.verb else _processed(name.words)
    makes = name.verb is None or name.verb.kind is Kind.CREATE
    things = [word for word in name.words if word != base]
    return makes and base != "" and bool(things) and things[-1] in _PAID


def _processed(words: tuple[str, ...]) -> str:
    """`issue` is a verb where it comes first, and where a cheque is issued."""
    if "issue" in words and (words[0] == "issue" or not _CHEQUES.isdisjoint(words)):
        return "issue"
    return next(iter(_PROCESSES.intersection(words)), "")


_CHEQUES = word_set("cheque cheques")
_PROCESSES = word_set("process execute perform run complete")


def _must_say(tool: str) -> bool:
    """Whether it hands out money by its very name, so that somebody must know how much."""
    name = tool_name(tool)
    hands_out = _makes_payment(name) or (name.verb is not None and name.verb.base in _HANDS_OUT)
    return hands_out and _ASKS.isdisjoint(name.words)


_HANDS_OUT = word_set("pay repay prepay refund reimburse remit disburse payout")
_ASKS = word_set("request attention intent")
"""Beside these nothing is paid yet."""


def _is_amount(words: tuple[str, ...]) -> bool:
    return words[-1:] != () and words[-1] in _AMOUNTS and _PAYING_BOUNDS.isdisjoint(words)


def _is_blurred(value: Any) -> bool:
    """Nothing at all, or a text in which no number is found."""
    if isinstance(value, str):
        said = value.strip().lower().lstrip("+-")
        return said in _NO_NUMBER or len(value) > MAX_SUM or _is_wordy(value)
    return value is None or value in ({}, [])


def _is_wordy(text: str) -> bool:
    found = None if text[:2].lower() == "0x" else read_sum(text)
    return found is None and text[:2].lower() != "0x" and text[:1] not in {"{", "["}


def _bare(value: Any, holder: Mapping[str, Any], paid: Paid) -> Iterator[Money]:
    if isinstance(value, int | float | str) and not isinstance(value, bool):
        size = decimal_of(value)
        if size is not None:
            yield in_cents(Money(value=size, currency=""), value, holder, paid)
        elif isinstance(value, str) and len(value) <= MAX_SUM and (said := read_sum(value)):
            yield from [Money(value=said.value, currency=said.currency)] if said.currency else []
