"""Conditions on a row's number that hold for nearly every row: `id > 0`, `id <> -1`."""

from sqlglot import exp

from holdpoint.core.risk.lexicon import word_set

IDENTITIES = word_set("id _id uuid guid pk oid rowid _rowid_ ctid")
FIRST = 1.0
"""Rows are numbered from here."""

HUGE = 1_000_000.0
"""More rows than most tables have."""

MIRRORED: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.GT: exp.LT, exp.GTE: exp.LTE, exp.LT: exp.GT, exp.LTE: exp.GTE,
}  # fmt: skip


def nearly_always(node: exp.Expr) -> exp.Expr:
    """True in the place of what holds for nearly every row, false of what holds for hardly any."""
    known = _of_not(node) if isinstance(node, exp.Not) else _of(node)
    return node if known is None else exp.true() if known else exp.false()


def _of_not(node: exp.Expr) -> bool | None:
    """`NOT id = 7`, `id NOT IN (1, 2)`: all but a few."""
    inner = node.this.unnest()
    if isinstance(inner, exp.In) and _is_identity(inner.this) and not inner.args.get("query"):
        return True
    if isinstance(inner, exp.EQ):
        return _of(exp.NEQ(this=inner.this, expression=inner.expression))
    found = _of(inner)
    return None if found is None else not found


def _of(node: exp.Expr) -> bool | None:
    if isinstance(node, exp.Between):
        low = _of(exp.GTE(this=node.this, expression=node.args["low"]))
        return low and _of(exp.LTE(this=node.this, expression=node.args["high"]))
    if not isinstance(node, exp.GT | exp.GTE | exp.LT | exp.LTE | exp.EQ | exp.NEQ):
        return None
    kind: type[exp.Expr] = type(node)
    column, value = node.this, node.expression
    if not _names_row(column) and _names_row(value):
        kind, column, value = MIRRORED.get(kind, kind), value, column
    return _compared(kind, column, value) if _names_row(column) else None


def _compared(kind: type[exp.Expr], column: exp.Expr, value: exp.Expr) -> bool | None:
    number = _number(value)
    if kind is exp.NEQ and _is_identity(column):
        return True if _is_value(value) else None
    if number is None:
        return True if kind in {exp.GT, exp.NEQ} and _is_blank(value) else None
    if kind in {exp.EQ, exp.NEQ}:
        return (kind is exp.NEQ) if number < FIRST else None
    if kind in {exp.GT, exp.GTE}:
        return True if number <= FIRST else None
    if number >= HUGE:
        return True
    return False if number < FIRST else None


def _is_identity(node: exp.Expr) -> bool:
    """Whether it is the column that tells rows apart, cast or made sure of."""
    return _name(node) in IDENTITIES


def _names_row(node: exp.Expr) -> bool:
    """The same, or the number of a row elsewhere: `user_id`."""
    name = _name(node)
    return name in IDENTITIES or name.endswith("_id")


def _name(node: exp.Expr) -> str:
    while isinstance(node, exp.Paren | exp.Cast | exp.Coalesce):
        node = node.this
    return node.name.lower() if isinstance(node, exp.Column) else ""


def _number(node: exp.Expr) -> float | None:
    """The number that stands there, in quotes or not."""
    sign = -1 if isinstance(node, exp.Neg) else 1
    plain = node.this if isinstance(node, exp.Neg) else node
    if not isinstance(plain, exp.Literal):
        return None
    try:
        return sign * float(str(plain.this))
    except ValueError:
        return None


def _is_blank(node: exp.Expr) -> bool:
    return isinstance(node, exp.Literal) and not str(node.this).strip()


def _is_value(node: exp.Expr) -> bool:
    plain = node.this if isinstance(node, exp.Neg) else node
    return isinstance(plain, exp.Literal | exp.Placeholder | exp.Parameter)
