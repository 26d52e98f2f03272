"""What a WHERE lets through: everything, a whole range, or the rows that it names. By sqlglot."""

import operator
from collections.abc import Callable
from enum import StrEnum
from typing import Any

import sqlglot
from sqlglot import exp, parser
from sqlglot.errors import SqlglotError

from holdpoint.core.risk.sql.nearly import nearly_always

# sqlglot warns about what it cannot parse and repeats the statement, values and all.
parser.logger.setLevel("CRITICAL")

MAX_CHARS = 1_000
"""Of a condition that is parsed: about 3 ms; a longer one counts as unreadable."""

MAX_PARSED = 8_000
"""Characters of all conditions in one text; more statements than that nobody checks."""

MAX_DEPTH = 60
"""Nested brackets; Python's stack takes more, a person who reads it does not."""

SHORT = 200
"""Characters of a condition that every dialect is asked about; a longer one, only two."""

_DIALECTS = ("", "mysql", "postgres", "tsql")
"""Tried in turn when none is given; what one cannot parse another may."""


class Reach(StrEnum):
    """Which rows a condition lets through."""

    ALL = "all"
    MOST = "most"
    """Nearly all: only their numbers are asked about, and nearly every number fits."""

    RANGE = "range"
    NAMED = "named"
    UNREADABLE = "unreadable"


def reach(condition: str, dialect: str) -> Reach:
    """Parse a condition and say what it lets through."""
    if len(condition) > MAX_CHARS or condition.count("(") > MAX_DEPTH:
        return Reach.UNREADABLE
    tree = _parsed(condition, dialect)
    if tree is None:
        return Reach.UNREADABLE
    if always(tree) is True:
        return Reach.ALL
    if always(tree.transform(nearly_always)) is True:
        return Reach.MOST
    return Reach.NAMED if _names_rows(tree) else Reach.RANGE


def _parsed(condition: str, dialect: str) -> exp.Expr | None:
    tried = (dialect, *_DIALECTS) if dialect else _DIALECTS
    for name in tried if len(condition) <= SHORT else tried[:2]:
        try:
            tree: exp.Expr = sqlglot.parse_one(f"SELECT 1 WHERE {condition}", dialect=name or None)
        except (SqlglotError, RecursionError, ValueError):
            continue
        where = tree.args.get("where")
        if isinstance(where, exp.Where):
            inside: exp.Expr = where.this
            return inside
    return None


def always(node: exp.Expr) -> bool | None:
    """Whether it is true (or false) for every row; None when that depends on the row."""
    for kinds, rule in _RULES:
        if isinstance(node, kinds):
            return rule(node)
    return None


def _within(node: exp.Expr) -> bool | None:
    return always(node.this)


def _literally(node: exp.Expr) -> bool | None:
    return bool(node.this)


def _not(node: exp.Expr) -> bool | None:
    inner = always(node.this)
    return None if inner is None else not inner


def _joined(node: exp.Expr) -> bool | None:
    sides = {always(node.this), always(node.expression)}
    if isinstance(node, exp.Or):
        return True if True in sides else None if None in sides else False
    if isinstance(node, exp.And):
        return False if False in sides else None if None in sides else True
    return None if None in sides else len(sides) == 2  # noqa: PLR2004  # true and false


def _truthy(node: exp.Expr) -> bool | None:
    value = _constant(node)
    if value is None:
        return None
    try:
        return float(str(value)) != 0
    except ValueError:
        return None


def _constant(node: exp.Expr) -> object:
    """The value of a constant; None when it is none."""
    if isinstance(node, exp.Paren | exp.Cast):
        return _constant(node.this)
    if isinstance(node, exp.Neg):
        value = _constant(node.this)
        return -value if isinstance(value, float) else None
    if isinstance(node, exp.Boolean):
        return float(bool(node.this))
    if isinstance(node, exp.Literal):
        return str(node.this) if node.is_string else _number(str(node.this))
    return None


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _exists(query: exp.Expr) -> bool | None:
    """A query of constants, or one over a table without a condition, finds something."""
    if isinstance(query, exp.Subquery):
        return _exists(query.this)
    if isinstance(query, exp.Select) and not (query.args.get("where") or query.args.get("having")):
        return True
    return None


def _found(node: exp.Expr) -> bool | None:
    return _exists(node.this)


def _like(node: exp.Expr) -> bool | None:
    return True if _everything(node.expression) else None


def _between(node: exp.Expr) -> bool | None:
    low = _values(exp.LTE(this=node.args["low"], expression=node.this))
    return low and _values(exp.LTE(this=node.this, expression=node.args["high"]))


def _case(node: exp.Expr) -> bool | None:
    """A CASE whose first condition always holds is its first value."""
    first = node.args["ifs"][0]
    return always(first.args["true"]) if always(first.this) is True else None


def _is(node: exp.Expr) -> bool | None:
    """`x IS NOT NULL` is as good as always; `NULL IS NULL` is."""
    nothing = isinstance(node.expression, exp.Null)
    if nothing and isinstance(node.this, exp.Null):
        return True
    return False if nothing and isinstance(node.this, exp.Column | exp.Literal) else None


def _in(node: exp.Expr) -> bool | None:
    """Known when a constant is in a list of constants, or a column among itself."""
    value = _constant(node.this)
    listed = [_constant(one) for one in node.expressions]
    same = any(one == node.this for one in node.expressions)
    if same or (value is not None and value in listed):
        return True
    return None


def _everything(pattern: exp.Expr) -> bool:
    text = str(pattern.this) if isinstance(pattern, exp.Literal) else ""
    return bool(text) and not text.strip("%.*^$")


def _values(node: exp.Expr) -> bool | None:
    left, right = node.this, node.expression
    reflexive = isinstance(node, exp.EQ | exp.GTE | exp.LTE | exp.NullSafeEQ)
    if left == right and isinstance(node, exp.EQ | exp.NEQ | exp.GTE | exp.LTE | exp.NullSafeEQ):
        return reflexive
    one, other = _constant(left), _constant(right)
    if one is None or other is None:
        return None
    return _decided(node, one, other)


def _decided(node: exp.Expr, one: object, other: object) -> bool | None:
    if isinstance(node, exp.EQ | exp.NullSafeEQ):
        return one == other
    if isinstance(node, exp.NEQ):
        return one != other
    ordered = _ORDERS.get(type(node))
    numbers = isinstance(one, float) and isinstance(other, float)
    return ordered(one, other) if ordered and numbers else None


_ORDERS: dict[type[exp.Expr], Callable[[Any, Any], bool]] = {
    exp.GT: operator.gt,
    exp.GTE: operator.ge,
    exp.LT: operator.lt,
    exp.LTE: operator.le,
}


def _names_rows(tree: exp.Expr) -> bool:
    """Whether something is compared for equality; a mere range or NOT takes most rows."""
    return any(
        not (isinstance(node, exp.In) and node.args.get("query"))
        for node in tree.find_all(exp.EQ, exp.In, exp.NullSafeEQ)
    )


_RULES: tuple[tuple[tuple[type[exp.Expr], ...], Callable[[exp.Expr], bool | None]], ...] = (
    ((exp.Paren, exp.Coalesce), _within),
    ((exp.Boolean,), _literally),
    ((exp.Not,), _not),
    ((exp.And, exp.Or, exp.Xor), _joined),
    ((exp.Literal, exp.Neg), _truthy),
    ((exp.Exists,), _found),
    ((exp.Is,), _is),
    ((exp.In,), _in),
    ((exp.Like, exp.ILike, exp.RegexpLike, exp.RegexpILike, exp.SimilarTo), _like),
    ((exp.Between,), _between),
    ((exp.Case,), _case),
    ((exp.Binary,), _values),
)
"""What decides each kind of expression; the first that fits."""
