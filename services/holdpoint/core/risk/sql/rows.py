"""The rows that a statement spells out: which value each column gets."""

from collections.abc import Iterator
from decimal import Decimal
from itertools import islice

from holdpoint.core.risk.extract.money import decimal_of
from holdpoint.core.risk.lexicon import word_set
from holdpoint.core.risk.sql.act import Act, unquoted
from holdpoint.core.risk.sql.tokens import Token

Row = dict[str, object]
Part = tuple[Token, ...]

MAX_ROWS = 100
"""Rows of one statement that are looked at."""

_ENDS = word_set("WHERE FROM RETURNING OUTPUT ON AS LIMIT ORDER")
_BESIDE = word_set(
    "INTO TABLE IGNORE LOW_PRIORITY DELAYED HIGH_PRIORITY ONLY OR REPLACE ABORT FAIL"
)


def table(act: Act) -> str:
    """The table that an INSERT, UPDATE or DELETE changes, with its schema, in lower case."""
    at = 1
    while act.word(at) in _BESIDE or act.word(at) == "FROM":
        at += 1
    name = act.word(at).strip('"`[]')
    while act.word(at + 1) == ".":
        at += 2
        name += "." + act.word(at).strip('"`[]')
    return name.lower()


def inserted(act: Act) -> Iterator[Row]:
    """Each row of `INSERT INTO t (a, b) VALUES …`, `… SELECT 1, 'x'`, `… SET a = 1`.

    Where no columns are named, their numbers stand for them.
    """
    columns, place = _columns(act)
    if act.word(place) == "SET":
        yield assigned(act)
    elif act.word(place) in {"VALUES", "VALUE"}:
        for values in islice(_lists(act.tokens[place + 1 :]), MAX_ROWS):
            yield _row(columns, values)
    elif act.word(place) == "SELECT":
        ends = (at for at in range(place, len(act.tokens)) if act.word(at) in _ENDS - {"AS"})
        yield _row(columns, _parts(act.tokens[place + 1 : next(ends, len(act.tokens))]))


def assigned(act: Act) -> Row:
    """What `SET a = 1, b = b + 2` gives each column."""
    start = next((at for at, token in enumerate(act.tokens) if token.text == "SET"), 0) + 1
    ends = (at for at in range(start, len(act.tokens)) if act.word(at) in _ENDS)
    row: Row = {}
    for part in _parts(act.tokens[start : next(ends, len(act.tokens))]):
        sign = next((at for at, token in enumerate(part) if token.text == "="), 0)
        if sign:
            row[_name(part[sign - 1])] = _value(part[sign + 1 :])
    return row


def _columns(act: Act) -> tuple[list[str], int]:
    """The names in the first bracket, and where it ends; none when there is no such list."""
    verbs = {"VALUES", "VALUE", "SELECT", "SET"}
    stop = next((at for at, token in enumerate(act.tokens) if token.text in verbs), 0)
    opened = next((at for at in range(stop) if act.word(at) == "("), 0)
    named = act.tokens[opened + 1 : stop] if opened else ()
    return [_name(one) for one in named if one.kind in {"word", "name"}], stop


def _name(token: Token) -> str:
    return token.text.strip('"`[]').lower()


def _row(columns: list[str], values: list[Part]) -> Row:
    return dict(zip(columns or map(str, range(len(values))), map(_value, values), strict=False))


def _lists(tokens: Part) -> Iterator[list[Part]]:
    """What stands in each outer bracket."""
    depth, start = 0, 0
    for place, token in enumerate(tokens):
        if token.text == "(":
            depth += 1
            start = place + 1 if depth == 1 else start
        elif token.text == ")":
            depth -= 1
            if depth == 0:
                yield _parts(tokens[start:place])


def _parts(tokens: Part) -> list[Part]:
    """Cut at each comma that stands in no bracket."""
    parts: list[Part] = []
    depth, start = 0, 0
    for place, token in enumerate(tokens):
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if token.text == "," and depth == 0:
            parts.append(tokens[start:place])
            start = place + 1
    return [*parts, tokens[start:]]


def _value(part: Part) -> object:
    """A flag, a text or a number; of a calculation its largest number, or what they multiply to."""
    if len(part) == 1 and part[0].text in _FLAGS:
        return _FLAGS[part[0].text]
    strings = [unquoted(token.text) for token in part if token.kind == "string"]
    numbers = [known for token in part if (known := _number(token)) is not None]
    if not numbers:
        return strings[0] if len(strings) == 1 else None
    if any(token.text == "*" for token in part):
        product = Decimal(1)
        for one in numbers[:MAX_FACTORS]:
            product *= one
        return f"{product:f}"
    return f"{max(numbers):f}"


MAX_FACTORS = 4
_FLAGS = {"TRUE": True, "FALSE": False}


def _number(token: Token) -> Decimal | None:
    return decimal_of(token.text) if token.kind == "number" else None
