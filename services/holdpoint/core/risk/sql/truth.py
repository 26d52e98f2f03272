"""What a WHERE lets through: everything, a whole range, or the rows that it names. By sqlglot."""

import operator
import re
from collections.abc import Callable
from enum import StrEnum
from typing import Any

import sqlglot
from sqlglot import exp, parser
from sqlglot.errors import SqlglotError

from holdpoint.core.risk.sql.act import Budget
from holdpoint.core.risk.sql.constants import constant, least, number, plain
from holdpoint.core.risk.sql.itself import asks_itself, complete, is_query
from holdpoint.core.risk.sql.nearly import MIRRORED, nearly_always

# sqlglot warns about what it cannot parse and repeats the statement, values and all.
parser.logger.setLevel("CRITICAL")

MAX_CHARS = 1_000
"""Of a condition that is parsed: about 3 ms; a longer one counts as unreadable."""

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


def reach(condition: str, dialect: str, table: str, budget: Budget | None = None) -> Reach:
    """Parse a condition on the rows of a table and say what it lets through.

    What a second dialect costs is taken from the budget.
    """
    if len(condition) > MAX_CHARS or condition.count("(") > MAX_DEPTH:
        return Reach.UNREADABLE
    tree = _parsed(condition, dialect, budget or Budget())
    if tree is None:
        return Reach.UNREADABLE
    if always(tree) is True or _is_all_of(tree, condition, table) or _is_blind(tree):
        return Reach.ALL
    names = _names_rows(tree)
    if always(tree.transform(nearly_always, copy=False)) is True:
        return Reach.MOST
    return Reach.NAMED if names else Reach.RANGE


def make_fast() -> None:
    """Load every dialect, which takes a tenth of a second."""
    for dialect in _DIALECTS:
        reach("a > 1", dialect, "")


def _is_blind(tree: exp.Expr) -> bool:
    """Whether it looks at no column: then it holds for every row, unless it holds for none."""
    if isinstance(tree, exp.Literal) or tree.find(exp.Column):
        return False
    return always(tree) is None


def _is_all_of(tree: exp.Expr, condition: str, table: str) -> bool:
    """Whether it holds for whatever stands in the table, since it asks that table itself."""
    asked = {name.lower() for name in _source.findall(condition)} if table else set()
    if table.lower() not in asked:
        return False
    return always(tree.transform(lambda node: asks_itself(node, table, always))) is True


_source = re.compile(
    r"""(?i)\bfrom(?:[\s(]|--[^\n]*\n|/\*[^*]*\*/)*(?:["`\[]?\w+["`\]]?\s*\.\s*)*["`\[]?(\w+)"""
)
"""The tables that its queries ask."""


def _parsed(condition: str, dialect: str, budget: Budget) -> exp.Expr | None:
    tried = (dialect, *_DIALECTS) if dialect else _DIALECTS
    for turn, name in enumerate(tried if len(condition) <= SHORT else tried[:2]):
        if turn and not budget.spend(len(condition)):
            return None
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
            known = rule(node)
            return not known if known is not None and node.args.get("negate") else known
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
        known = True if True in sides else None if None in sides else False
        return True if known is None and complete(node) else known
    if isinstance(node, exp.And):
        return False if False in sides else None if None in sides else True
    return None if None in sides else len(sides) == _BOTH


def _truthy(node: exp.Expr) -> bool | None:
    value = constant(node, always)
    return None if value is None else _is_true(value)


def _is_true(value: object) -> bool | None:
    size = number(str(value))
    return None if size is None else size != 0


def _exists(query: exp.Expr) -> bool | None:
    """A query of constants, or one over a table without a condition, finds something."""
    if isinstance(query, exp.Subquery):
        return _exists(query.this)
    if not isinstance(query, exp.Select) or query.args.get("having"):
        return None
    where = query.args.get("where")
    return True if where is None or always(where.this) is True else None


def _found(node: exp.Expr) -> bool | None:
    return _exists(node.this)


def _like(node: exp.Expr) -> bool | None:
    pattern = constant(node.expression, always)
    if not isinstance(pattern, str) or not pattern:
        return None
    left = pattern.strip("%.*^$")
    return True if not left or ("%" in pattern and not left.strip("@_")) else None


def _between(node: exp.Expr) -> bool | None:
    low = _values(exp.LTE(this=node.args["low"], expression=node.this))
    return low and _values(exp.LTE(this=node.this, expression=node.args["high"]))


def _case(node: exp.Expr) -> bool | None:
    """As its value is: that of the first condition which always holds."""
    value = constant(node, always)
    return None if value is None else _is_true(value)


def _is(node: exp.Expr) -> bool | None:
    """`x IS NOT NULL` is as good as always; `NULL IS NULL` is."""
    if isinstance(node.expression, exp.Boolean):
        inner = always(node.this)
        return None if inner is None else inner is bool(node.expression.this)
    nothing = isinstance(node.expression, exp.Null)
    if nothing and isinstance(node.this, exp.Null):
        return True
    return False if nothing and isinstance(node.this.unnest(), _HAVE_VALUES) else None


_HAVE_VALUES = (exp.Column, exp.Literal, exp.Predicate, exp.Connector, exp.Not)
"""What is hardly ever NULL: a column, and whether it is this or that."""


def _in(node: exp.Expr) -> bool | None:
    """Known when a constant is in a list of constants, a column among itself, a flag in both."""
    value = constant(node.this, always)
    listed = [constant(one, always) for one in node.expressions]
    same = any(one == node.this for one in node.expressions)
    flags = {bool(one.this) for one in node.expressions if isinstance(one, exp.Boolean)}
    if same or len(flags) == _BOTH or (value is not None and value in listed):
        return True
    return None if value is None or None in listed else False


_BOTH = 2
"""True and false."""


def _values(node: exp.Expr) -> bool | None:
    left, right = plain(node.this), plain(node.expression)
    reflexive = isinstance(node, exp.EQ | exp.GTE | exp.LTE | exp.NullSafeEQ)
    if left == right and isinstance(node, exp.EQ | exp.NEQ | exp.GTE | exp.LTE | exp.NullSafeEQ):
        return reflexive
    one, other = constant(left, always), constant(right, always)
    if one is None or other is None:
        kind = type(node)
        low = _bounded(kind, least(left), other)
        return low or _bounded(MIRRORED.get(kind, kind), least(right), one)
    return _decided(node, one, other)


def _bounded(kind: type[exp.Expr], low: float | None, other: object) -> bool | None:
    """`length(name) >= 0`: what is never less than a bound is compared with less than that."""
    if low is None or not isinstance(other, float):
        return None
    more = kind in {exp.GT, exp.NEQ} and other < low
    return True if more or (kind is exp.GTE and other <= low) else None


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
    compared = tree.find_all(exp.EQ, exp.In, exp.NullSafeEQ)
    return any(not is_query(node) and not _is_half(node) for node in compared)


def _is_half(node: exp.Expr) -> bool:
    """`(id = 5) IS UNKNOWN`, `id = 5 IS NOT NULL`: it says whether, and not which."""
    beside = node.args.get("expression")
    inner = beside.unnest() if isinstance(beside, exp.Paren) else beside
    around = node.parent.parent if isinstance(node.parent, exp.Paren) else node.parent
    return isinstance(inner, exp.Is | exp.Not) or isinstance(around, exp.Is)


_RULES: tuple[tuple[tuple[type[exp.Expr], ...], Callable[[exp.Expr], bool | None]], ...] = (
    ((exp.Paren, exp.Coalesce), _within),
    ((exp.Boolean,), _literally),
    ((exp.Not,), _not),
    ((exp.And, exp.Or, exp.Xor), _joined),
    ((exp.Literal, exp.Neg, exp.Cast, exp.Subquery), _truthy),
    ((exp.Exists,), _found),
    ((exp.Is,), _is),
    ((exp.In,), _in),
    ((exp.Like, exp.ILike, exp.RegexpLike, exp.RegexpILike, exp.SimilarTo), _like),
    ((exp.Between,), _between),
    ((exp.Case, exp.If), _case),
    ((exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ), _values),
    ((exp.Binary,), _truthy),
)
"""What decides each kind of expression; the first that fits."""
