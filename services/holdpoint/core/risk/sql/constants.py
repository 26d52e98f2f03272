"""What an expression is worth for every row: `1 + 1`, `id * 0`, `CASE WHEN 1 THEN 1 END`."""

import operator
from collections.abc import Callable

from sqlglot import exp

Holds = Callable[[exp.Expr], bool | None]
"""Whether a condition is true (or false) for every row; None when that depends on the row."""

MAX_SIZE = 1e15
"""Larger numbers are no longer exact."""


def constant(node: exp.Expr, holds: Holds) -> object:
    """Its value, a number or a text; None when it depends on the row, or nobody knows."""
    if isinstance(node, exp.Paren | exp.Cast | exp.Neg):
        inner = constant(node.this, holds)
        negated = isinstance(node, exp.Neg)
        return (-inner if isinstance(inner, float) else None) if negated else inner
    if isinstance(node, exp.Boolean):
        return float(bool(node.this))
    if isinstance(node, exp.Literal):
        return str(node.this) if node.is_string else number(str(node.this))
    for kinds, rule in _RULES:
        if isinstance(node, kinds):
            return rule(node, holds)
    return None


def number(text: str) -> float | None:
    """The number that a text is."""
    try:
        return float(text)
    except ValueError:
        return None


def least(node: exp.Expr) -> float | None:
    """What it never falls below, whatever the row: a length, a count, a square."""
    bare = plain(node)
    square = isinstance(bare, exp.Mul) and plain(bare.this) == plain(bare.expression)
    return 0.0 if square or isinstance(bare, _NEVER_NEGATIVE) else None


_NEVER_NEGATIVE = (exp.Abs, exp.Length, exp.Rand, exp.Count, exp.Sqrt)


def plain(node: exp.Expr) -> exp.Expr:
    """Without brackets and what adds nothing: `(id + 0) * 1` is `id`, and so is `(SELECT id)`."""
    while isinstance(node, exp.Paren) or _adds_nothing(node) or _alone(node) is not None:
        node = _alone(node) or node.this
    return node


def _adds_nothing(node: exp.Expr) -> bool:
    neutral = _NEUTRAL.get(type(node))
    beside = node.args.get("expression")
    return bool(neutral) and isinstance(beside, exp.Literal) and str(beside.this) == neutral


_NEUTRAL: dict[type[exp.Expr], str] = {exp.Add: "0", exp.Sub: "0", exp.Mul: "1", exp.Div: "1"}


def _calculated(node: exp.Expr, holds: Holds) -> object:
    """Of two constants; or of a column that does not matter: `x * 0`, `x - x`, `x % 1`, `x / x`."""
    left, right = constant(node.this, holds), constant(node.expression, holds)
    if isinstance(left, float) and isinstance(right, float):
        return _of_numbers(node, left, right)
    if left == 0.0 and isinstance(node, exp.BitwiseLeftShift | exp.BitwiseRightShift):
        return 0.0
    if isinstance(node, exp.Mul | exp.BitwiseAnd) and 0.0 in {left, right}:
        return 0.0
    if isinstance(node, exp.Mod) and right in {1.0, -1.0}:
        return 0.0
    if plain(node.this) == plain(node.expression):
        return _OF_ITSELF.get(type(node))
    return None


_OF_ITSELF: dict[type[exp.Expr], float] = {
    exp.Sub: 0.0, exp.BitwiseXor: 0.0, exp.Mod: 0.0, exp.Div: 1.0,
}  # fmt: skip


def _of_numbers(node: exp.Expr, left: float, right: float) -> float | None:
    rule = _ARITHMETIC.get(type(node))
    if rule is None or (not right and isinstance(node, exp.Div | exp.Mod)):
        return None
    value = float(rule(left, right))
    return value if abs(value) < MAX_SIZE else None


_ARITHMETIC: dict[type[exp.Expr], Callable[[float, float], float]] = {
    exp.Add: operator.add, exp.Sub: operator.sub, exp.Mul: operator.mul, exp.Div: operator.truediv,
    exp.Mod: operator.mod,
}  # fmt: skip


def _put_together(node: exp.Expr, holds: Holds) -> object:
    """`'a' || 'b'`, `CONCAT('a', 'b')`."""
    parts = node.expressions or [node.this, node.expression]
    values = [constant(part, holds) for part in parts]
    return "".join(map(str, values)) if all(isinstance(one, str) for one in values) else None


def _chosen(node: exp.Expr, holds: Holds) -> object:
    """The first value whose condition always holds; the others' must never."""
    branches = [node] if isinstance(node, exp.If) else node.args["ifs"]
    default = node.args.get("false") or node.args.get("default")
    for branch in branches:
        asked = branch.this
        if node.this and isinstance(node, exp.Case):
            asked = exp.EQ(this=node.this, expression=branch.this)
        held = holds(asked)
        if held is None:
            return None
        if held:
            return constant(branch.args["true"], holds)
    return constant(default, holds) if default is not None else None


def _first_known(node: exp.Expr, holds: Holds) -> object:
    return constant(node.this, holds)


def _selected(node: exp.Expr, holds: Holds) -> object:
    """`(SELECT 1)`: a query of one constant and no table."""
    selected = _alone(node)
    return None if selected is None else constant(selected, holds)


def _alone(node: exp.Expr) -> exp.Expr | None:
    """What a query without a table, and without anything that narrows it, selects."""
    query = node.this if isinstance(node, exp.Subquery) else None
    if not isinstance(query, exp.Select) or len(query.expressions) != 1:
        return None
    narrowed = any(query.args.get(part) for part in ("from", "from_", "where", "limit", "having"))
    found: exp.Expr = query.expressions[0]
    return None if narrowed else found


_RULES: tuple[tuple[tuple[type[exp.Expr], ...], Callable[[exp.Expr, Holds], object]], ...] = (
    ((exp.DPipe, exp.Concat), _put_together),
    ((exp.Case, exp.If), _chosen),
    ((exp.Coalesce,), _first_known),
    ((exp.Subquery,), _selected),
    (
        (
            exp.Add,
            exp.Sub,
            exp.Mul,
            exp.Div,
            exp.Mod,
            exp.BitwiseXor,
            exp.BitwiseAnd,
            exp.BitwiseLeftShift,
            exp.BitwiseRightShift,
        ),
        _calculated,
    ),
)
