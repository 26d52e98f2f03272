"""The values that a change writes: money that it moves, flags that make somebody mighty."""

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import islice

from holdpoint.core.risk.extract.amounts import summed
from holdpoint.core.risk.extract.currencies import paid_by
from holdpoint.core.risk.extract.money import CURRENCIES, Money, decimal_of
from holdpoint.core.risk.extract.payload import walk, words_of
from holdpoint.core.risk.knowledge import words
from holdpoint.core.risk.sql.order import Order
from holdpoint.core.risk.sql.tokens import Tokens, bare, unquoted, without_brackets

Row = dict[str, object]

MAX_ROWS = 100
"""Rows of one statement that are looked at."""

MAX_FACTORS = 4

_ENDS = frozenset({"WHERE", "FROM", "RETURNING", "OUTPUT", "ON", "AS", "LIMIT", "ORDER"})
_BESIDE_TABLE = words("words/sql:beside_table")
_PAYMENTS = words("words/sql:payments")
_BALANCES = words("words/sql:balances")
_ABOUT_MONEY = words("words/sql:about_money")
_MEASURES = words("words/sql:measures")
_NO_MONEY = frozenset({"file", "files", "data", "heat"})
"""What else is transferred."""

_SUMS = frozenset({"balance", "funds", "money", "cash"})
_MIGHTY = words("words/sql:mighty")
_POWERS = words("words/sql:power_columns")
_TRUE = frozenset({"1", "y", "yes", "t", "true", "on"})
_CATALOGS = words("words/sql:catalogs")
_flag = re.compile(
    r"(?:is_?|has_?)?(?:super_?user|(?:super_?|site_?|sys_?)?admin|dba)(?:_?(?:access|rights|flag))?"
    r"|is_?staff|rol(?:super|createrole|bypassrls|createdb|replication)|use(?:super|bypassrls)"
    r"|\w+_priv"
)
"""Columns that say whether somebody may do anything."""

_mighty_table = re.compile(
    r"(?:\w+_)?(?:admins|administrators|superusers|superadmins|sysadmins|sudoers|dbas)"
    r"|admin_(?:users?|accounts?|members?)|super_?(?:admin|user)"
)
"""Tables in which whoever stands is mighty."""


def table_of(order: Order) -> str:
    """Return the table that a change is about, with its schema, in lower case."""
    at = 1
    while order.word(at) in _BESIDE_TABLE:
        at += 1
    name = order.word(at).strip('"`[]')
    while order.word(at + 1) == ".":
        at += 2
        name += "." + order.word(at).strip('"`[]')
    return name.lower()


def empowers(order: Order) -> bool:
    """Whether a role, a right or a flag of an administrator is written."""
    joins = order.verb == "INSERT" and _mighty_table.fullmatch(table_of(order).rpartition(".")[2])
    return bool(joins) or _names_power(order) or _raises_flag(order)


def is_in_catalog(table: str) -> bool:
    """Whether it is one of the server's own tables: accounts, rights, what exists."""
    first = table.partition(".")[0]
    own = first.startswith("pg_") and not first.startswith("pg_temp")
    return own or first in _CATALOGS


def _names_power(order: Order) -> bool:
    """Whether a word for somebody mighty stands beside a name for roles."""
    if not any(string.lower() in _MIGHTY for string in order.strings()):
        return False
    return any(part in name.upper() for name in order.names() for part in _POWERS)


def _raises_flag(order: Order) -> bool:
    if not any(_flag.fullmatch(name) for name in order.names()):
        return False
    return any(
        _flag.fullmatch(name) and str(value).lower() in _TRUE
        for row in (_inserted(order) if order.verb == "INSERT" else iter((_assigned(order),)))
        for name, value in row.items()
    )


def sums(order: Order) -> tuple[Money, ...]:
    """Return each sum that an INSERT or UPDATE moves; the policy says what is large."""
    about = _money_words(order)
    if order.verb == "INSERT" and about & _PAYMENTS:
        listed = list(map(_with_names, _inserted(order)))
    elif order.verb == "UPDATE" and about & (_PAYMENTS | _BALANCES):
        row = _assigned(order)
        held = (value for name, value in row.items() if not _SUMS.isdisjoint(words_of(name)))
        listed = [*([row] if about & _PAYMENTS else ()), *({"amount": value} for value in held)]
    else:
        return ()
    known = [
        {name: one for name, one in row.items() if _MEASURES.isdisjoint(words_of(name))}
        for row in listed
    ]
    arguments = {"payments": known}
    amounts, _ = summed(walk(arguments).leaves, paid_by("payments", arguments))
    return tuple(amounts)


def pays_every_row(order: Order) -> bool:
    """`INSERT INTO payouts SELECT … FROM staff`: as many are paid as there are rows.

    Those of another table of the same payments are moved.
    """
    pays = _money_words(order) & _PAYMENTS
    source = _selected_table(order) if pays else ""
    return bool(source) and pays.isdisjoint(words_of(source)) and not order.follows("LIMIT", "1")


def _selected_table(order: Order) -> str:
    """Return what a SELECT takes its rows from; empty where it makes one up."""
    texts = [token.text for token in order.tokens]
    start = texts.index("SELECT") if "SELECT" in texts else len(texts)
    at = texts.index("FROM", start) + 1 if "FROM" in texts[start:] else len(texts)
    while order.word(at + 1) == ".":
        at += 2
    name = order.word(at).strip('"`[]').lower()
    return "" if name == "dual" or (name == "(" and order.word(at + 1) == "VALUES") else name


def _with_names(row: Row) -> Row:
    """Where no column has a name, the number beside a currency is the amount, the first an id."""
    if "0" not in row:
        return row
    values = list(row.values())
    places = (at for at, value in enumerate(values) if str(value).lower() in CURRENCIES)
    at = next(places, 0)
    beside = (at + 1, 0) if at == 1 else (at - 1, at + 1)
    numbers = (values[one] for one in beside if at and one < len(values))
    amount = next((one for one in numbers if decimal_of(one) is not None), None)
    return {"amount": amount, "currency": values[at]}


def _money_words(order: Order) -> frozenset[str]:
    """Return the words in its table's name; none when it only says something about money."""
    named = words_of(table_of(order).rpartition(".")[2])
    about = not named or named[-1] in _ABOUT_MONEY or not _NO_MONEY.isdisjoint(named)
    return frozenset() if about else frozenset(named)


def _inserted(order: Order) -> Iterator[Row]:
    """Yield each row of `INSERT INTO t (a, b) VALUES …`, `… SELECT 1, 'x'`, `… SET a = 1`.

    Where no columns are named, their numbers stand for them.
    """
    columns, place = _columns(order)
    if order.word(place) == "SET":
        yield _assigned(order)
    elif order.word(place) in {"VALUES", "VALUE"}:
        for values in islice(_lists(order.tokens[place + 1 :]), MAX_ROWS):
            yield _row(columns, values)
    elif order.word(place) == "SELECT":
        ends = (at for at in range(place, len(order.tokens)) if order.word(at) in _ENDS - {"AS"})
        yield _row(columns, _parts(order.tokens[place + 1 : next(ends, len(order.tokens))]))


def _assigned(order: Order) -> Row:
    """Return what `SET a = 1, b = b + 2` gives each column."""
    start = next((at for at, token in enumerate(order.tokens) if token.text == "SET"), 0) + 1
    ends = (at for at in range(start, len(order.tokens)) if order.word(at) in _ENDS)
    row: Row = {}
    for part in _parts(order.tokens[start : next(ends, len(order.tokens))]):
        sign = next((at for at, token in enumerate(part) if token.text == "="), 0)
        if sign:
            row[bare(part[sign - 1])] = _value(part[sign + 1 :])
    return row


def _columns(order: Order) -> tuple[list[str], int]:
    """Return the names in the first bracket, and where the values begin."""
    verbs = {"VALUES", "VALUE", "SELECT", "SET"}
    stop = next((at for at, token in enumerate(order.tokens) if token.text in verbs), 0)
    opened = next((at for at in range(stop) if order.word(at) == "("), 0)
    named = order.tokens[opened + 1 : stop] if opened else ()
    return [bare(one) for one in named if one.kind in {"word", "name"}], stop


def _row(columns: list[str], values: list[Tokens]) -> Row:
    return dict(zip(columns or map(str, range(len(values))), map(_value, values), strict=False))


def _lists(tokens: Tokens) -> Iterator[list[Tokens]]:
    """Yield what stands in each outer bracket."""
    start = 0
    for place, token in without_brackets(tokens):
        if token.text == "(":
            start = place + 1
        elif token.text == ")" and start:
            yield _parts(tokens[start:place])


def _parts(tokens: Tokens) -> list[Tokens]:
    """Cut at each comma that stands in no bracket."""
    parts, start = [], 0
    for place, token in without_brackets(tokens):
        if token.text == ",":
            parts.append(tokens[start:place])
            start = place + 1
    return [*parts, tokens[start:]]


def _value(part: Tokens) -> object:
    """A flag, a text or a number; of a calculation its largest number, or what they multiply to."""
    if len(part) == 1 and part[0].text in {"TRUE", "FALSE"}:
        return part[0].text == "TRUE"
    strings = [unquoted(token.text) for token in part if token.kind == "string"]
    spelled = (decimal_of(token.text) for token in part if token.kind == "number")
    numbers = [number for number in spelled if number is not None]
    if not numbers:
        return strings[0] if len(strings) == 1 else None
    if any(token.text == "*" for token in part):
        product = Decimal(1)
        for number in numbers[:MAX_FACTORS]:
            product *= number
        return f"{product:f}"
    return f"{max(numbers):f}"
