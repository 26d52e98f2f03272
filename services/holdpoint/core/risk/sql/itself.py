"""Conditions that ask what they already have: `id IN (SELECT id FROM users)`, `a = 1 OR a <> 1`."""

from collections.abc import Iterator

from sqlglot import exp

from holdpoint.core.risk.sql.constants import Holds

MAX_PARTS = 12
"""Conditions joined by OR that are compared with each other."""

_OPPOSITES: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.EQ: exp.NEQ, exp.NEQ: exp.EQ, exp.LT: exp.GTE, exp.GTE: exp.LT,
    exp.GT: exp.LTE, exp.LTE: exp.GT,
}  # fmt: skip

_NARROWING = ("where", "limit", "having", "group", "joins", "offset", "qualify")


def is_query(node: exp.Expr) -> bool:
    """Whether it only asks for membership in what a query finds: `IN (SELECT …)`, `= ANY (…)`."""
    if isinstance(node, exp.In):
        return bool(node.args.get("query"))
    return any(
        isinstance(side, exp.Any | exp.All) and side.find(exp.Select)
        for side in (node.this, node.expression)
    )


def asks_itself(node: exp.Expr, table: str, holds: Holds) -> exp.Expr:
    """True in the place of a column that is looked for among all of that column."""
    query = _asked(node)
    column = node.this
    if query is None or not isinstance(column, exp.Column):
        return node
    source = query.find(exp.Table)
    selected = query.expressions
    same = (
        source is not None
        and source.name.lower() == table.lower()
        and len(selected) == 1
        and isinstance(selected[0], exp.Column | exp.Star)
        and selected[0].name.lower() in {column.name.lower(), "*"}
    )
    return exp.true() if same and _is_whole(query, holds) else node


def _asked(node: exp.Expr) -> exp.Select | None:
    inner: exp.Expr | None = None
    if isinstance(node, exp.In):
        inner = node.args.get("query")
    elif isinstance(node, exp.EQ) and isinstance(node.expression, exp.Any):
        inner = node.expression.this
    while isinstance(inner, exp.Subquery | exp.Paren | exp.Array):
        inner = inner.expressions[0] if inner.expressions else inner.this
    return inner if isinstance(inner, exp.Select) else None


def _is_whole(query: exp.Select, holds: Holds) -> bool:
    """Whether nothing narrows it, or only what always holds."""
    narrowed = [part for part in _NARROWING if query.args.get(part)]
    return not narrowed or (narrowed == ["where"] and holds(query.args["where"].this) is True)


def complete(node: exp.Expr) -> bool:
    """Whether of conditions joined by OR two leave nothing out, but what is unknown."""
    if isinstance(node.parent, exp.Or):
        return False
    parts = [part.unnest() for part in node.flatten()]
    if len(parts) > MAX_PARTS:
        return False
    return any(other in parts for part in parts for other in _opposites(part))


def _opposites(node: exp.Expr) -> Iterator[exp.Expr]:
    """What holds wherever this does not."""
    yield node.this.unnest() if isinstance(node, exp.Not) else exp.Not(this=node.copy())
    if type(node) in _OPPOSITES:
        yield _OPPOSITES[type(node)](this=node.this.copy(), expression=node.expression.copy())
    if isinstance(node, exp.EQ) and isinstance(node.expression, exp.Boolean):
        other = exp.Boolean(this=not node.expression.this)
        yield exp.EQ(this=node.this.copy(), expression=other)
    if isinstance(node, exp.Like | exp.ILike | exp.Is):
        turned = node.copy()
        turned.set("negate", None if node.args.get("negate") else True)
        yield turned
