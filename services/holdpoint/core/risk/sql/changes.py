"""DELETE, UPDATE, INSERT, MERGE, REPLACE: which rows a change takes, and what it writes."""

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import islice, pairwise

from holdpoint.core.risk.extract.amounts import summed
from holdpoint.core.risk.extract.currencies import paid_by
from holdpoint.core.risk.extract.money import CURRENCIES, Money, decimal_of
from holdpoint.core.risk.extract.payload import walk, words_of
from holdpoint.core.risk.knowledge import pattern, words
from holdpoint.core.risk.model import Finding
from holdpoint.core.risk.sql.orders import Order, Reach
from holdpoint.core.risk.sql.rules import has_address
from holdpoint.core.risk.sql.tokens import Tokens, bare, unquoted, without_brackets
from holdpoint.messages.risk import Heuristic, RiskLevel

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
_flag = re.compile(pattern("patterns/sql:changes.mighty_columns"))
_mighty_table = re.compile(pattern("patterns/sql:changes.mighty_tables"))


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
    """Return whether a role, a right or a flag of an administrator is written."""
    joins = order.verb == "INSERT" and _mighty_table.fullmatch(table_of(order).rpartition(".")[2])
    return bool(joins) or _names_power(order) or _raises_flag(order)


def is_in_catalog(table: str) -> bool:
    """Return whether it is one of the server's own tables: accounts, rights, what exists."""
    first = table.partition(".")[0]
    own = first.startswith("pg_") and not first.startswith("pg_temp")
    return own or first in _CATALOGS


def _names_power(order: Order) -> bool:
    """Return whether a word for somebody mighty stands beside a name for roles."""
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
    """Name the columns of a row without names: a number beside a currency is the amount."""
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


MEDIUM, HIGH = RiskLevel.MEDIUM, RiskLevel.HIGH

MOST_QUOTED = 7
"""Tokens of a statement that stand for it."""

_AFTER_WHERE = frozenset({"RETURNING", "ORDER", "LIMIT", "OPTION", "OUTPUT", "WINDOW", "RETURN"})
_UNDOING = words("words/sql:undoing")
_NO_COLUMNS = words("words/sql:constant_names")
_TRACES = ("audit", "history", "backup")
_SECRETS = ("password", "passwd", "credential", "secret", "api_key", "apikey", "token")


def deleted(order: Order) -> Iterator[Finding]:
    """Yield findings on a DELETE: without a condition that names rows, all or most of them go."""
    yield from _taken(order, "removes")
    yield from _in_catalog(order)
    if _names_one_of(order, _TRACES, 5):
        yield order.finding("sql.traces", HIGH, "“{}” removes traces or backups", 4)


def updated(order: Order) -> Iterator[Finding]:
    """Yield findings on an UPDATE: its rows, and columns that give power away."""
    if order.word(1) == "STATISTICS" and not order.has("SET"):
        return  # SQL Server's, which changes no row
    yield from _taken(order, "changes")
    yield from _in_catalog(order)
    yield from _empowered(order)
    if _names_one_of(order, _SECRETS, 2):
        yield order.finding("sql.secrets", HIGH, "“{}” changes secrets", 4)


def inserted(order: Order) -> Iterator[Finding]:
    """Yield findings on an INSERT: harmless, unless it overwrites, sends away or empowers."""
    if order.word(1) == "OVERWRITE" or order.follows("OR", "REPLACE"):
        level = HIGH if order.word(1) == "OVERWRITE" or _copies_table(order) else MEDIUM
        yield order.finding("sql.replace", level, "“{}” overwrites what was there", 4)
    place = next((at for at in (2, 3) if order.word(at) == "FUNCTION"), 0)
    remote = order.word(place + 1) in {"REMOTE", "REMOTESECURE", "URL"}
    if place and (remote or has_address(order)):
        yield order.finding("sql.files", HIGH, "“{}” sends data to an address elsewhere", 0)
    yield from _in_catalog(order)
    yield from _empowered(order)
    if pays_every_row(order) and rows_taken(order) is not Reach.NAMED:
        reason = "“{}” pays for every row of a table"
        yield order.finding("sql.pays-all", HIGH, reason, 4, Heuristic.MAGNITUDE)


def replaced(order: Order) -> Iterator[Finding]:
    """Yield findings on a REPLACE, which removes the rows that were there."""
    level = HIGH if _copies_table(order) else MEDIUM
    yield order.finding("sql.replace", level, "“{}” overwrites rows that exist", 4)


def merged(order: Order) -> Iterator[Finding]:
    """Yield findings on a MERGE; one that deletes what the source has or lacks may take any row."""
    if order.follows("THEN", "DELETE") and order.follows("BY", "SOURCE"):
        yield order.finding("sql.merge", HIGH, "“{}” deletes whatever the source lacks", 4)
        return
    if order.follows("WHEN", "MATCHED") and _joins_every_row(order):
        reason = "“{}” takes every row: its condition always holds"
        yield order.finding("sql.merge", HIGH, reason, 4)
    elif _deletes_matched(order):
        yield order.finding("sql.merge", HIGH, "“{}” deletes every row that the source has", 4)
    else:
        yield order.finding("sql.merge", MEDIUM, "“{}” changes rows that exist", 4)


def _deletes_matched(order: Order) -> bool:
    """Return whether it deletes each row that it matches, on no further condition."""
    texts = [token.text for token in order.tokens]
    heads = (texts[at : at + 4] for at, text in enumerate(texts) if text == "WHEN")
    return ["WHEN", "MATCHED", "THEN", "DELETE"] in heads


def _joins_every_row(order: Order) -> bool:
    """Return whether the condition between ON and the first WHEN always holds."""
    texts = [token.text for token in order.tokens]
    end = texts.index("WHEN")
    start = texts.index("ON") + 1 if "ON" in texts[:end] else end
    return order.source.reach(order.tokens[start:end], "") in {Reach.ALL, Reach.MOST}


def _taken(order: Order, does: str) -> Iterator[Finding]:
    known, quote = rows_taken(order), _head(order)
    if known is Reach.NONE:
        yield order.finding(
            "sql.all-rows", HIGH, f"“{{}}” names no rows: it {does} all of them", quote
        )
    elif known is Reach.ALL:
        yield order.finding("sql.all-rows", HIGH, "the condition of “{}” is always true")
    elif known is Reach.MOST:
        yield order.finding("sql.all-rows", HIGH, "the condition of “{}” fits nearly every row")
    elif known is Reach.UNREADABLE:
        yield order.finding("sql.unreadable", HIGH, "nobody can tell which rows “{}” takes", quote)
    elif order.hidden:
        reason = f"“{{}}” {does} rows inside what looks like a query"
        yield order.finding("sql.hidden", HIGH, reason, quote)
    elif known is Reach.RANGE and order.verb == "DELETE":
        yield order.finding("sql.many-rows", HIGH, "“{}” removes a whole range of rows")
    else:
        yield order.finding("sql.rows", MEDIUM, f"“{{}}” {does} rows", quote)


def _head(order: Order) -> int:
    """Return how many tokens name the table: `DELETE FROM shop.invoices`."""
    places = range(len(order.tokens))
    ends = (place for place in places if order.word(place) in {"WHERE", "SET", "USING"})
    return min(next(ends, len(order.tokens)), MOST_QUOTED)


def rows_taken(order: Order) -> Reach:
    """Return which rows its condition takes; NONE where there is no condition."""
    condition = _condition(order)
    if condition is None:
        return Reach.NONE
    if condition and (_is_plain(condition) or condition[0].text == "CURRENT"):
        return Reach.NAMED
    return order.source.reach(condition, table_of(order).rpartition(".")[2])


def _condition(order: Order) -> Tokens | None:
    """Return the tokens behind WHERE; None when there is none."""
    start = 0
    for place, token in without_brackets(order.tokens):
        if token.kind == "word" and start and token.text in _AFTER_WHERE:
            return order.tokens[start:place]
        if token.text == "WHERE":
            start = place + 1
    return order.tokens[start:] if start else None


def _is_plain(condition: Tokens) -> bool:
    """`name = value`, `name IN (value, …)`, and no word that could undo it: nothing to parse."""
    if any(token.text in _UNDOING for token in condition):
        return False
    shifts = any(
        one.text == then.text and one.text in "<>" and one.end == then.start
        for one, then in pairwise(condition)
    )
    return not shifts and any(_names_value(condition[at : at + 4]) for at in range(len(condition)))


def _names_value(tokens: Tokens) -> bool:
    """Return whether a column is compared with a value here."""
    if len(tokens) < MIN_COMPARED:
        return False
    name, sign, value = tokens[0], tokens[1].text, tokens[3 if tokens[1].text == "IN" else 2 :]
    column = name.kind == "name" or (name.kind == "word" and "#" not in name.text)
    column = column and name.text not in _NO_COLUMNS and name.text[0] not in "@:$"
    known = value and (value[0].kind in {"string", "number"} or value[0].text[0] in ":$@?")
    return bool(column and sign in {"=", "IN"} and known)


MIN_COMPARED = 3
"""Tokens of the shortest comparison."""


def _copies_table(order: Order) -> bool:
    """Return whether its rows are all those of another table: `… SELECT * FROM y`, `… TABLE y`."""
    asked = order.has("SELECT") and order.has("FROM")
    return (asked or order.has("TABLE")) and _condition(order) is None


def _in_catalog(order: Order) -> Iterator[Finding]:
    if is_in_catalog(table_of(order)):
        yield order.finding("sql.power", HIGH, "“{}” changes what the server itself keeps", 4)


def _empowered(order: Order) -> Iterator[Finding]:
    if empowers(order):
        yield order.finding("sql.power", HIGH, "“{}” makes somebody an administrator", 4)


def _names_one_of(order: Order, parts: tuple[str, ...], count: int) -> bool:
    """Return whether one of the first names holds one of these."""
    heads = order.tokens[1 : count + 1]
    names = (token.text.lower() for token in heads if token.kind in {"word", "name"})
    return any(part in name for name in names for part in parts)
