"""Which rows a condition takes: sqlglot parses it, and it is tried on made-up rows.

The made-up rows hold the values that the condition itself names, their neighbours and some others.
A condition that is true for each of them takes all rows of a table: `1 = 1`, `age - age = 0`,
`a = 1 OR a <> 1`. With rows as tables have them, whose ids count from 1, `id > 0` takes nearly all.
"""

import operator
from collections.abc import Callable, Sequence
from typing import Any

import re2
import sqlglot
from sqlglot import exp, parser
from sqlglot.errors import SqlglotError

from holdpoint.core.risk.knowledge import any_of, words
from holdpoint.core.risk.sql.orders import Reach

# sqlglot warns about what it cannot parse and repeats the statement, values and all.
parser.logger.setLevel("CRITICAL")

MAX_TREE = 1_500
"""Characters of a query that are parsed: about 5 ms."""

MAX_DEPTH = 60
"""Nested brackets; Python's stack takes more, a person who reads it does not."""

MAX_STEPS = 5_000
"""Expressions that are worked out for one condition: at most 8 ms."""

ROWS = 18
"""Made-up rows that a condition is tried on."""

MAX_SIZE = 1e15
"""Larger numbers are no longer exact."""

Value = float | str | None
_IDENTITIES = words("words/sql:identities")
_FROM_ZERO = words("words/sql:from_zero")
"""Words in the names of columns that hold no negative number."""

_IDS: tuple[Value, ...] = (1.0, 2.0, 3.0, 8.0, 58.0, 1_009.0, 40_009.0, 999_983.0)
_NUMBERS = (0.0, 1.0, -1.0, 57.0, 2e6)
_TEXTS = ("", "k")
_FLAGS: tuple[Value, ...] = (0.0, 1.0)


class UnknownValueError(Exception):
    """A condition without a column hangs on what nobody knows here: `now()`, `:name`, `1 / 0`."""


class IncomparableError(Exception):
    """A row of the wrong types, such as a text where the condition adds numbers."""


class TooLongError(Exception):
    """The condition takes more steps than are worked out."""


def reach(
    condition: str, dialects: Sequence[str], table: str, spend: Callable[[int], bool]
) -> Reach:
    """Return which rows of a table a condition takes, in the first dialect that can parse it.

    `spend` says whether so many characters may still be parsed.
    """
    if len(condition) > MAX_TREE or condition.count("(") > MAX_DEPTH:
        return Reach.UNREADABLE
    for dialect in dialects:
        tree = _parsed(condition, dialect) if spend(len(condition)) else None
        if tree is not None:
            return _tried(tree, table)
    return Reach.UNREADABLE


def _parsed(condition: str, dialect: str) -> exp.Expr | None:
    """Return its tree; by itself, or where more may follow it, as a query's."""
    try:
        if not _follows.search(condition):
            return sqlglot.parse_one(condition, dialect=dialect or None, into=exp.Condition)
        query = f"SELECT 1 WHERE {condition}"
        where = sqlglot.parse_one(query, dialect=dialect or None).args.get("where")
    except (SqlglotError, RecursionError, ValueError):
        return None
    found: exp.Expr | None = where.this if isinstance(where, exp.Where) else None
    return found


_follows = re2.compile(rf"(?i)\b(?:{any_of('words/sql:query_parts')})\b")
"""Words that another part of a query begins with."""


def _tried(condition: exp.Expr, table: str) -> Reach:
    trial = Trial(condition, table)
    try:
        if trial.holds(condition, as_tables_have=False):
            return Reach.ALL
        if trial.holds(condition, as_tables_have=True):
            return Reach.MOST
    except UnknownValueError:
        return Reach.ALL
    except (TooLongError, RecursionError):
        return Reach.UNREADABLE
    return Reach.NAMED if _names_rows(condition) else Reach.RANGE


def _names_rows(tree: exp.Expr) -> bool:
    """Return whether something is compared for equality; a mere range or NOT takes most rows."""
    compared = tree.find_all(exp.EQ, exp.In, exp.NullSafeEQ)
    return any(not (_asks_query(node) or _is_half(node) or _joins(node)) for node in compared)


def _joins(node: exp.Expr) -> bool:
    """`b.flight_id = f.id`: it says which rows belong together, and not which are taken.

    In a query within the condition it may, and so does the row that a trigger is called for.
    """
    sides = (node.this, node.args.get("expression"))
    tables = {side.table.lower() for side in sides if isinstance(side, exp.Column)}
    inside = node.find_ancestor(exp.Exists, exp.Subquery, exp.In)
    return len(tables) > 1 and _NOT_TABLES.isdisjoint(tables) and inside is None


_NOT_TABLES = frozenset({"", "old", "new", "inserted", "deleted", "excluded"})


def _asks_query(node: exp.Expr) -> bool:
    """Return whether it only asks whether a query finds it: `IN (SELECT …)`, `= ANY (…)`."""
    if isinstance(node, exp.In):
        return bool(node.args.get("query"))
    sides = (node.this, node.expression)
    return any(isinstance(side, exp.Any | exp.All) and side.find(exp.Select) for side in sides)


def _is_half(node: exp.Expr) -> bool:
    """`(id = 5) IS UNKNOWN`, `id = 5 IS NOT NULL`: it says whether, and not which."""
    beside = node.args.get("expression")
    inner = beside.unnest() if isinstance(beside, exp.Paren) else beside
    around = node.parent.parent if isinstance(node.parent, exp.Paren) else node.parent
    return isinstance(inner, exp.Is | exp.Not) or isinstance(around, exp.Is)


class Trial:
    """One condition, and the made-up rows that it is tried on."""

    def __init__(self, condition: exp.Expr, table: str) -> None:
        self.table = table
        self.steps = self.row = 0
        self.as_tables_have = False
        self.has_columns = condition.find(exp.Column) is not None
        self.places: dict[str, int] = {}
        """The columns, and whatever else depends on the row, in the order of their first use."""

        literals = [_literal(node) for node in condition.find_all(exp.Literal)]
        numbers = [one for one in map(number, map(str, literals)) if one is not None]
        beside = (one + step for one in numbers for step in (0, 1, -1))
        texts = [one for one in literals if isinstance(one, str)]
        self.pool: tuple[Value, ...] = tuple(dict.fromkeys((*beside, *_NUMBERS, *texts, *_TEXTS)))
        self.named = frozenset(numbers)
        self.flags = {
            _key(column)
            for flag in condition.find_all(exp.Boolean)
            if flag.parent is not None
            for column in flag.parent.find_all(exp.Column)
        }

    def holds(self, condition: exp.Expr, *, as_tables_have: bool) -> bool:
        """Whether it is true for each row that fits it; ids may be those that tables have."""
        self.as_tables_have = as_tables_have
        tried = 0
        for row in range(ROWS if self.has_columns else 1):
            self.row = row
            try:
                if not self.true(condition):
                    return False
                tried += 1
            except IncomparableError:
                if not self.has_columns:
                    raise UnknownValueError from None
        return tried > 0

    def value(self, node: exp.Expr) -> Value:
        """Return what an expression is worth in this row."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise TooLongError
        value = _evaluator(type(node))(self, node)
        if isinstance(value, bool):
            value = float(value)
        return float(not truth(value)) if node.args.get("negate") else value

    def true(self, node: exp.Expr) -> bool:
        """Return whether a database takes an expression for true in this row."""
        return truth(self.value(node))

    def sides(self, node: exp.Expr) -> tuple[Value, Value]:
        """Return what both sides of an expression are worth."""
        return self.value(node.this), self.value(node.expression)

    def sample(self, key: str, pool: Sequence[Value] = _FLAGS) -> Value:
        """Return what something that depends on the row is worth in this one."""
        place = self.places.setdefault(key, len(self.places))
        return pool[self.row * (2 * place + 1) % len(pool)]

    def unknown(self, node: exp.Expr) -> Value:
        """Return a value for what nobody can work out."""
        if not self.has_columns:
            raise UnknownValueError
        if node.find(exp.Column) is None:
            return 0.5 if isinstance(node, _NEVER_NEGATIVE) else _UNKNOWN
        numbers = [one for one in self.pool if isinstance(one, float) and one >= 0]
        return self.sample(node.sql(), numbers if isinstance(node, _NEVER_NEGATIVE) else self.pool)


_UNKNOWN = "(unknown)"
_NEVER_NEGATIVE = (exp.Abs, exp.Length, exp.Count, exp.Sqrt, exp.Rand)


def _key(column: exp.Expr) -> str:
    """Return the name by which a column is known: `id = ID` compares one with itself."""
    parts = column.parts if isinstance(column, exp.Column) else ()
    quoted = any(name.args.get("quoted") for name in parts)
    said = ".".join(name.name for name in parts)
    return f'"{said}"' if quoted else said.lower()


def _column(trial: Trial, node: exp.Expr) -> Value:
    key, name = _key(node), node.name.lower()
    if key in trial.flags:
        return trial.sample(key)
    if trial.as_tables_have and not _FROM_ZERO.isdisjoint(name.split("_")):
        return trial.sample(key, tuple(one for one in trial.pool if not _is_negative(one)))
    if not trial.as_tables_have or not (name in _IDENTITIES or name.endswith("_id")):
        return trial.sample(key, trial.pool)
    named: tuple[Value, ...] = ()
    if name not in _IDENTITIES:
        named = tuple(one for one in sorted(trial.named) if one > 0)
    ids = (one for one in _IDS if one not in trial.named)
    return trial.sample(key, (*ids, *named))


def _is_negative(value: Value) -> bool:
    return isinstance(value, float) and value < 0


def _literal(node: exp.Expr) -> Value:
    return str(node.this) if node.is_string else number(str(node.this))


def number(text: str) -> float | None:
    """Return the number that a text is."""
    try:
        return float(text)
    except ValueError:
        return None


def truth(value: Value) -> bool:
    """Return whether a database takes a value for true."""
    return bool(number(value) if isinstance(value, str) else value)


def _negative(trial: Trial, node: exp.Expr) -> Value:
    value = trial.value(node.this)
    return -value if isinstance(value, float) else None


def _or(trial: Trial, node: exp.Expr) -> Value:
    """True where one side is, also where the other does not fit the row."""
    try:
        left = trial.true(node.this)
    except IncomparableError:
        if trial.true(node.expression):
            return True
        raise
    return left or trial.true(node.expression)


def _is(trial: Trial, node: exp.Expr) -> Value:
    """No column is NULL: `IS NOT NULL` is as good as always true."""
    value = trial.value(node.this)
    if isinstance(node.expression, exp.Boolean):
        return value is not None and truth(value) is bool(node.expression.this)
    return value is None


def _compared(trial: Trial, node: exp.Expr) -> Value:
    if isinstance(node.expression, exp.Any | exp.All):
        return _member(trial, node, node.expression.this)
    return _compare(type(node), *trial.sides(node))


def _compare(kind: type[exp.Expr], left: Value, right: Value) -> bool:
    if left is None or right is None:
        return False
    if isinstance(left, str) != isinstance(right, str):
        left, right = number(str(left)), number(str(right))
        if left is None or right is None:
            if kind in {exp.EQ, exp.NEQ, exp.NullSafeEQ}:
                return kind is exp.NEQ
            raise IncomparableError
    return bool(_COMPARISONS[kind](left, right))


_COMPARISONS: dict[type[exp.Expr], Callable[[Any, Any], bool]] = {
    exp.EQ: operator.eq,
    exp.NullSafeEQ: operator.eq,
    exp.NEQ: operator.ne,
    exp.GT: operator.gt,
    exp.GTE: operator.ge,
    exp.LT: operator.lt,
    exp.LTE: operator.le,
}


def _between(trial: Trial, node: exp.Expr) -> Value:
    value, low = trial.value(node.this), trial.value(node.args["low"])
    high = trial.value(node.args["high"])
    return _compare(exp.LTE, low, value) and _compare(exp.LTE, value, high)


def _in(trial: Trial, node: exp.Expr) -> Value:
    if query := node.args.get("query"):
        return _member(trial, node, query)
    value = trial.value(node.this)
    return any(_compare(exp.EQ, value, trial.value(one)) for one in node.expressions)


def _member(trial: Trial, node: exp.Expr, inner: exp.Expr) -> Value:
    """True where a column is looked for among all of that column; else it depends on the row."""
    while isinstance(inner, exp.Subquery | exp.Paren | exp.Array):
        inner = inner.expressions[0] if inner.expressions else inner.this
        if inner is None:
            return trial.unknown(node)
    column, query = node.this, inner
    if not isinstance(query, exp.Select) or not isinstance(column, exp.Column):
        return trial.unknown(node) if node.find(exp.Column) else 1.0
    source, selected = query.find(exp.Table), query.expressions
    same = source is not None and source.name.lower() == trial.table and len(selected) == 1
    names = {column.name.lower(), "*"}
    if same and selected[0].name.lower() in names and _is_whole(query):
        return 1.0
    return trial.sample(node.sql())


def _is_whole(query: exp.Select) -> bool:
    """Return whether nothing narrows a query, or only what always holds."""
    parts = ("limit", "having", "group", "joins", "offset", "qualify")
    if any(query.args.get(part) for part in parts):
        return False
    where = query.args.get("where")
    return where is None or _tried(where.this, "") is Reach.ALL


def _exists(trial: Trial, node: exp.Expr) -> Value:
    query = node.this.unnest() if isinstance(node.this, exp.Subquery) else node.this
    if isinstance(query, exp.Select) and _is_whole(query):
        return 1.0
    return trial.sample(node.sql()) if node.find(exp.Column) else trial.unknown(node)


def _like(trial: Trial, node: exp.Expr) -> Value:
    pattern = trial.value(node.expression)
    if not isinstance(pattern, str) or not pattern:
        return trial.unknown(node)
    left = pattern.strip("%.*^$")
    if not left or ("%" in pattern and not left.strip("@_")):
        return 1.0
    return trial.sample(f"{node.this.sql()} LIKE {pattern}")


def _chosen(trial: Trial, node: exp.Expr) -> Value:
    """CASE and IF: the first value whose condition holds."""
    for branch in [node] if isinstance(node, exp.If) else node.args["ifs"]:
        held = trial.value(branch.this)
        if isinstance(node, exp.Case) and node.this:
            held = float(_compare(exp.EQ, trial.value(node.this), held))
        if truth(held):
            return trial.value(branch.args["true"])
    default = node.args.get("false") or node.args.get("default")
    return trial.value(default) if default is not None else None


def _coalesced(trial: Trial, node: exp.Expr) -> Value:
    values = (trial.value(one) for one in (node.this, *node.expressions))
    return next((value for value in values if value is not None), None)


def _calculated(trial: Trial, node: exp.Expr) -> Value:
    left, right = trial.sides(node)
    if left is None or right is None:
        return None
    try:
        value = float(_ARITHMETIC[type(node)](float(left), float(right)))
    except (ZeroDivisionError, ValueError, OverflowError):
        raise IncomparableError from None
    if abs(value) > MAX_SIZE:
        raise IncomparableError
    return value


_ARITHMETIC: dict[type[exp.Expr], Callable[[float, float], float]] = {
    exp.Add: operator.add,
    exp.Sub: operator.sub,
    exp.Mul: operator.mul,
    exp.Div: operator.truediv,
    exp.Mod: operator.mod,
    exp.BitwiseAnd: lambda left, right: int(left) & int(right),
    exp.BitwiseXor: lambda left, right: int(left) ^ int(right),
    exp.BitwiseLeftShift: lambda left, right: int(left) << min(int(right), 50),
    exp.BitwiseRightShift: lambda left, right: int(left) >> min(int(right), 50),
}


def _put_together(trial: Trial, node: exp.Expr) -> Value:
    values = [trial.value(part) for part in node.expressions or (node.this, node.expression)]
    return "".join("" if one is None else str(one) for one in values)


def _selected(trial: Trial, node: exp.Expr) -> Value:
    """`(SELECT 1)`: a query of one value and no table."""
    query = node.this
    narrowed = ("from", "from_", "where", "limit", "having")
    if not isinstance(query, exp.Select) or len(query.expressions) != 1:
        return trial.unknown(node)
    if any(query.args.get(part) for part in narrowed):
        return trial.unknown(node)
    return trial.value(query.expressions[0])


_EVALUATORS: tuple[tuple[tuple[type[exp.Expr], ...], Callable[[Trial, exp.Expr], Value]], ...] = (
    ((exp.Column,), _column),
    ((exp.Literal,), lambda _trial, node: _literal(node)),
    ((exp.Boolean,), lambda _trial, node: bool(node.this)),
    ((exp.Null,), lambda _trial, _node: None),
    ((exp.Paren, exp.Cast, exp.Alias), lambda trial, node: trial.value(node.this)),
    ((exp.Neg,), _negative),
    ((exp.Not,), lambda trial, node: not trial.true(node.this)),
    ((exp.And,), lambda trial, node: trial.true(node.this) and trial.true(node.expression)),
    ((exp.Or,), _or),
    ((exp.Xor,), lambda trial, node: trial.true(node.this) != trial.true(node.expression)),
    ((exp.Is,), _is),
    (tuple(_COMPARISONS), _compared),
    ((exp.Between,), _between),
    ((exp.In,), _in),
    ((exp.Exists,), _exists),
    ((exp.Like, exp.ILike, exp.RegexpLike, exp.RegexpILike, exp.SimilarTo), _like),
    ((exp.Case, exp.If), _chosen),
    ((exp.Coalesce,), _coalesced),
    ((exp.DPipe, exp.Concat), _put_together),
    ((exp.Subquery,), _selected),
    (tuple(_ARITHMETIC), _calculated),
)

_by_kind: dict[type[Any], Callable[[Trial, exp.Expr], Value]] = {}
"""What works out each kind of expression that occurred so far."""


def _evaluator(kind: type[Any]) -> Callable[[Trial, exp.Expr], Value]:
    """Return what works out this kind of expression."""
    if kind not in _by_kind:
        fitting = (each for kinds, each in _EVALUATORS if issubclass(kind, kinds))
        _by_kind[kind] = next(fitting, Trial.unknown)
    return _by_kind[kind]
